/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages of networks: signals, flags, atomics and questions, which the progress of their receiver
 * carries out, so that a word that its owner polls is written by the owner's own processor: whole,
 * in order, head last, and atomics are atomic with the owner's.
 *
 * Anybody may have sent them until the token is seen, and any member afterwards: all that they say
 * is checked before anything is done.
 */
#ifndef HY_PATH_NET_MESSAGE_H
#define HY_PATH_NET_MESSAGE_H

#include "path/net.h"

/* A SIGNAL, FLAG or PUT may have a *piggyback*, a short put that is done before its word is
 * written: the last 8 + `what` bytes behind it are the offset and the data. */
enum hy_net_kind {
    HY_NET_SIGNAL = 1, /* value: head; offset: of the slot; payload behind */
    HY_NET_FLAG,       /* value, offset; 3 words behind */
    HY_NET_ATOMIC,     /* value: operand; offset; ticket and expected value behind */
    HY_NET_ASK,        /* offset: ticket */
    HY_NET_ANSWER,     /* offset: ticket; value */
    HY_NET_BYE,        /* it leaves */
    HY_NET_ENDPOINT,   /* the address of its endpoint `endpoint`, to which answers go: behind */
    HY_NET_PUT,        /* a piggyback alone */
    HY_NET_GIVEN_UP,   /* it takes the receiver for dead */
};

/* Both sides have the same byte order, which the address's magic shows. */
typedef struct hy_net_head {
    uint64_t token; /* the receiver's */
    uint64_t value, offset;
    uint32_t rank;      /* the sender */
    uint8_t kind, what; /* what: of an ATOMIC; bytes of the piggyback's data, 0: there is none */
    uint8_t endpoint;   /* of the sender, 0: the one that all know */
    uint8_t bytes;      /* behind */
} hy_net_head;

typedef struct hy_net_message {
    hy_net_head head;
    uint8_t payload[HY_SLOT_PAYLOAD];
} hy_net_message;

_Static_assert(sizeof(hy_net_message) == 88, "no holes: what goes out is what was written");

/* What came in and was dropped. */
typedef struct hy_net_dropped {
    uint64_t strangers; /* no token */
    uint64_t senseless; /* a member's, but nonsense */
} hy_net_dropped;

/* Has the message of that many bytes the token, a sender, and any sense? Counts it otherwise. */
bool hy_net_is_sound(const hy_net_attr *attr, uint64_t token, const hy_net_message *message,
                     size_t bytes, hy_net_dropped *dropped);

/* Gives the message a piggyback; *bytes of its payload become more. False: it has no room, or `len`
 * is 0 or more than HY_NET_PIGGYBACK. */
bool hy_net_mount(hy_net_message *message, size_t *bytes, uint64_t offset, const void *data,
                  size_t len);

/* Carries out a SIGNAL, FLAG, PUT, ATOMIC or ASK; rings the bell, but for a PUT. True: it wants
 * *answer, an ANSWER but for its token. */
bool hy_net_carry_out(const hy_net_attr *attr, const hy_net_message *message, hy_net_head *answer);

#define HY_NET_TICKETS 64 /* threads that wait for an answer */

typedef struct hy_net_ticket {
    bool taken, answered;
    int rank; /* that is asked */
    uint64_t number, value;
} hy_net_ticket;

typedef struct hy_net_tickets {
    hy_net_ticket all[HY_NET_TICKETS];
    uint64_t asked; /* ever */
} hy_net_tickets;

/* One for this rank, of a number never used before, which is put into the message; NULL: none is
 * free. It is given back by clearing `taken`. */
hy_net_ticket *hy_net_ticket_take(hy_net_tickets *tickets, int rank, hy_net_message *message);

/* Late ones (their ticket was given up) and forged ones find no ticket of that number and rank. */
void hy_net_answered(hy_net_tickets *tickets, const hy_net_head *head);

#endif
