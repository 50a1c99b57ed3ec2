/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages of networks: signals, flags, atomics and questions, which the receiver carries out when
 * it makes progress. So a polled word is written by its owner's processor: whole, in order, head
 * last, and atomics are atomic with those of the owner.
 *
 * Until the token has been checked, anybody may have sent a message; afterwards, any member. All
 * fields are checked before anything is done.
 */
#ifndef HY_NET_MESSAGE_H
#define HY_NET_MESSAGE_H

#include "net/net.h"

/* A SIGNAL, FLAG or PUT may carry a *piggyback*, a short put that is done before its word is
 * written: the last 8 + `what` bytes of the payload are its offset and data. */
enum hy_net_kind {
    HY_NET_SIGNAL = 1, /* value: head; offset: of the slot; then the payload */
    HY_NET_FLAG,       /* value, offset; then 3 words */
    HY_NET_ATOMIC,     /* value: operand; offset; then ticket and expected value */
    HY_NET_ASK,        /* offset: ticket */
    HY_NET_ANSWER,     /* offset: ticket; value */
    HY_NET_BYE,        /* the sender leaves */
    HY_NET_ENDPOINT,   /* then the address of the sender's endpoint `endpoint`, to which answers
                        * go */
    HY_NET_PUT,        /* only a piggyback */
    HY_NET_GIVEN_UP,   /* the sender has declared the receiver failed */
};

/* Both sides have the same byte order: the magic number of the address shows it. */
typedef struct hy_net_head {
    uint64_t token; /* that of the receiver */
    uint64_t value, offset;
    uint32_t rank;      /* the sender */
    uint8_t kind, what; /* what: operation of an ATOMIC; otherwise length of the piggyback's
                         * data, 0: none */
    uint8_t endpoint;   /* of the sender; 0: the one that all ranks know */
    uint8_t bytes;      /* length of the payload */
} hy_net_head;

typedef struct hy_net_message {
    hy_net_head head;
    uint8_t payload[HY_SLOT_PAYLOAD];
} hy_net_message;

_Static_assert(sizeof(hy_net_message) == 88, "no holes: what goes out is what was written");

/* Counts of messages that were dropped. */
typedef struct hy_net_dropped {
    uint64_t strangers; /* without the token */
    uint64_t senseless; /* invalid messages of members */
} hy_net_dropped;

/* Whether a message of that many bytes has the token, a valid sender and valid contents. Counts it
 * otherwise. */
bool hy_net_is_sound(const hy_net_attr *attr, uint64_t token, const hy_net_message *message,
                     size_t bytes, hy_net_dropped *dropped);

/* Adds a piggyback to the message, which increases *bytes of its payload. False: there is no room,
 * or `len` is 0 or more than HY_NET_PIGGYBACK. */
bool hy_net_mount(hy_net_message *message, size_t *bytes, uint64_t offset, const void *data,
                  size_t len);

/* Carries out a SIGNAL, FLAG, PUT, ATOMIC or ASK, and rings the bell unless it is a PUT. True:
 * *answer must be sent, an ANSWER that lacks only its token. */
bool hy_net_carry_out(const hy_net_attr *attr, const hy_net_message *message, hy_net_head *answer);

#define HY_NET_TICKETS 64 /* threads that wait for an answer at a time */

typedef struct hy_net_ticket {
    bool taken, answered;
    int rank; /* the rank that is asked */
    uint64_t number, value;
} hy_net_ticket;

typedef struct hy_net_tickets {
    hy_net_ticket all[HY_NET_TICKETS];
    uint64_t asked; /* number of tickets so far */
} hy_net_tickets;

/* Takes a ticket for this rank, with a number that was never used before, and puts it into the
 * message; NULL: none is free. Clearing `taken` gives it back. */
hy_net_ticket *hy_net_ticket_take(hy_net_tickets *tickets, int rank, hy_net_message *message);

/* Completes the ticket. Late answers (whose ticket was given up) and forged ones match no ticket of
 * that number and rank. */
void hy_net_answered(hy_net_tickets *tickets, const hy_net_head *head);

#endif
