/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contacts: how a channel gets its slots when it is used, in a job in which areas for all ranks
 * would not fit. Each rank has an *inbox* of slots in its system area. The first message of a
 * direction takes a place in the receiver's inbox, by an atomic addition to its counter, and writes
 * the record of the place: who sends, and where its match entry is. The receiver finds new records
 * when it makes progress, and then polls the slots. Until then it polls slots that nobody writes.
 *
 *    | counter | records (hy_flag) | slots of a direction | match entries of this rank |
 *
 * The two directions of a channel are independent of each other: both ranks may begin at once. A
 * place is never given back before the inbox is. All of an inbox that others can write is checked.
 */
#ifndef HY_WIRE_CONTACT_H
#define HY_WIRE_CONTACT_H

#include "wire/channel.h"

typedef struct hy_inbox {
    uint64_t at;     /* offset in the part */
    uint64_t places; /* 0: there is no inbox */
} hy_inbox;

/* The sending half of a channel that has no slots yet. */
typedef struct hy_contact {
    hy_inbox theirs;
    uint64_t number;       /* by which the peer knows the channel */
    uint64_t match_offset; /* of this rank's entry */
    bool full;             /* there can be no slots */
} hy_contact;

uint64_t hy_inbox_bytes(uint64_t places);

/* The offset of this rank's match entry number `index`. */
static inline uint64_t hy_inbox_match(const hy_inbox *inbox, uint64_t index)
{
    return inbox->at + hy_inbox_bytes(inbox->places) - (index + 1) * sizeof(hy_match);
}

/* Opens a channel without slots. The contact must live as long as the channel. */
void hy_contact_open(hy_channel *channel, hy_contact *contact, hy_job *job, int peer);

/* How far a receiver is with its inbox; begins with zeros. */
typedef struct hy_inbox_cursor {
    uint64_t taken_before; /* all records before this one were found */
    uint64_t at;           /* the one to look at next */
} hy_inbox_cursor;

/* Looks at the next records, and calls `found` for each new one: with the sender's rank and number,
 * as they were written, its match entry, and the slots. False: it is to be found again. The time is
 * bounded; several calls see all of a large inbox. One thread at a time. */
typedef struct hy_inbox_record {
    uint64_t rank, number, match_offset;
    uint8_t *slots;
} hy_inbox_record;
void hy_inbox_scan(hy_job *job, const hy_inbox *inbox, hy_inbox_cursor *cursor,
                   bool (*found)(void *context, const hy_inbox_record *what), void *context);

/* The same for all records that are there now, however many. */
void hy_inbox_scan_all(hy_job *job, const hy_inbox *inbox, hy_inbox_cursor *cursor,
                       bool (*found)(void *context, const hy_inbox_record *what), void *context);

/* Whether there may be new records: two loads. */
static inline bool hy_inbox_has_news(const hy_job *job, const hy_inbox *inbox,
                                     const hy_inbox_cursor *cursor)
{
    const _Atomic uint64_t *next = (const _Atomic uint64_t *)(const void *)(job->part + inbox->at);
    return inbox->places && hy_load_acquire(next) > cursor->taken_before;
}

/* The receiving half gets its slots. The peer's match entry must be inside its memory. */
void hy_contact_accept(hy_channel *channel, uint8_t *slots, uint64_t match_offset);

/* Whether the receiving half has slots. */
bool hy_contact_is_accepted(const hy_channel *channel);

#endif
