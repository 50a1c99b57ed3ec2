/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A boot method without a launcher: the ranks know their numbers, and somebody else's allgather
 * carries two records of each (boot/bootstrap_records.h). Between the two calls of the allgather,
 * the ranks of a machine meet as under a cluster's launcher (boot/node.h), and open their networks.
 * Afterwards each rank has the addresses of all, and the allgather is not needed any more.
 *
 *    hy_bootstrap_create()  -> offer   -> allgather ->
 *    hy_bootstrap_offers(), hy_boot_open_as(), network -> address -> allgather ->
 *    hy_bootstrap_addresses()
 */
#ifndef HY_BOOT_BOOTSTRAP_H
#define HY_BOOT_BOOTSTRAP_H

#include "boot/boot.h"
#include "boot/bootstrap_records.h"

typedef struct hy_bootstrap hy_bootstrap;

/* The records of an allgather, in any order. */
typedef struct hy_records {
    int count;
    const uint8_t *bytes;   /* one after the other */
    const int32_t *lengths; /* [count] */
} hy_records;

/* Makes this rank's side, which listens for the other ranks of its machine. rank and size are
 * those of the caller, 0 <= rank < size <= 65,536. NO_MEMORY, SYSTEM. */
int hy_bootstrap_create(hy_bootstrap **result, int rank, int size,
                        const uint8_t machine[HY_MACHINE_BYTES]);

/* This rank's offer: its networks, or, if `code` is an error, the thread's last one. Returns its
 * length. */
size_t hy_bootstrap_offer(hy_bootstrap *b, int code, const char *networks,
                          uint8_t record[HY_OFFER_BYTES]);

/* Takes the offers of all ranks. LAUNCH: they are not those of one job, or a rank cannot take
 * part. */
int hy_bootstrap_offers(hy_bootstrap *b, const hy_records *records);

/* Opens the boot: the ranks of each machine meet. On success it owns `b`. */
int hy_boot_open_as(hy_boot *boot, hy_bootstrap *b);

/* This rank's address, which it has published by then, or, if `code` is an error, the thread's last
 * one. Returns its length. */
size_t hy_bootstrap_address(hy_bootstrap *b, int code, uint8_t record[HY_OFFER_BYTES]);

/* Takes the addresses of all ranks. The code of this rank's failure, if it had one. LAUNCH: another
 * rank could not join, or the records are not those of this job. */
int hy_bootstrap_addresses(hy_bootstrap *b, const hy_records *records);

/* Why this rank could not go on before it told its address; HAYATE_OK: it could, or has told
 * nothing yet. */
int hy_bootstrap_failure(const hy_bootstrap *b);

/* Gives up: lookups that wait for addresses fail. Frees, unless a boot owns it. NULL: nothing. */
void hy_bootstrap_abandon(hy_bootstrap *b);

#endif
