/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two records that the ranks of a job without a launcher tell each other through somebody
 * else's allgather (boot/bootstrap.h). What arrives is not trusted.
 *
 *    offer    before anything is mapped: who this rank is, on which machine, where it listens for
 *             the other ranks of its node, and which networks it can use
 *    address  when its node's segment and its network are open: its address in this network
 *
 * A rank that cannot go on tells the reason instead of the text.
 */
#ifndef HY_BOOT_BOOTSTRAP_RECORDS_H
#define HY_BOOT_BOOTSTRAP_RECORDS_H

#include "boot/node_address.h"

#define HY_OFFER_TEXT 640   /* room for a text with its terminating 0 */
#define HY_OFFER_BYTES 1024 /* no record is longer */
#define HY_MACHINE_BYTES 16

typedef struct hy_offer {
    uint32_t magic, abi;
    uint32_t rank, size;
    int32_t code; /* HAYATE_OK, or why this rank cannot take part: the text tells the reason */
    uint32_t text_bytes; /* without the terminating 0 */
    uint32_t pid;
    uint8_t attempt[16];               /* random */
    uint8_t machine[HY_MACHINE_BYTES]; /* equal for processes that can share memory */
    hy_node_address node;
    char text[HY_OFFER_TEXT]; /* networks: nodes/network.h */
} hy_offer;

typedef struct hy_offer_address {
    uint32_t magic, abi;
    uint32_t rank, size;
    int32_t code;
    uint32_t text_bytes;
    uint64_t digest; /* of all offers, as this rank got them */
    char text[HY_OFFER_TEXT];
} hy_offer_address;

/* Finish a record whose other fields are set: by the text, or by the thread's last error if `code`
 * is one. They return the number of bytes to tell. */
size_t hy_offer_finish(hy_offer *offer, int code, const char *text);
size_t hy_offer_address_finish(hy_offer_address *address, int code, const char *text);

/* Copy a record that another process made; `number` is its place among the records. LAUNCH: it is
 * none, or of another version of Hayate. */
int hy_offer_read(const void *record, size_t bytes, int number, hy_offer *offer);
int hy_offer_address_read(const void *record, size_t bytes, int number, hy_offer_address *address);

/* Adds a record to a digest, whose first value is 0. */
uint64_t hy_offer_digest(uint64_t digest, const void *record, size_t bytes);

#endif
