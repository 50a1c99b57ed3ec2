/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the threads of a rank wait for: a table in the rank's part, behind the counters, which
 * `hayate stat --waits` and the watchdog read from outside.
 *
 * Only a wait that lasts is told: one whose sleep brought nothing (a sleep takes at most 50 ms), or
 * that has polled for as long as a sleep would take. A thread takes an entry then, changes it when
 * the wait gets further or is for something else, counts in it how often it has looked without
 * success, and frees it at the end. If all entries are taken, a wait is not told.
 *
 * Readers. An entry has a sequence number, which is odd while the entry changes. A reader that sees
 * the same even number before and after has a consistent copy. Equal numbers in two looks mean that
 * it is the same wait, and that it got no further. Other processes can write anything here: a
 * writer relies on nothing that it reads, and a reader checks what it has read.
 */
#ifndef HY_JOB_WAITS_H
#define HY_JOB_WAITS_H

#include <stdbool.h>

#include "base/line.h"

#define HY_WAITS 32 /* entries of a rank */

typedef enum hy_awaited_kind {
    /* Of messages: what: HY_AWAITED_BY_MAI or _BY_TAG; place: that number, -1: of several. */
    HY_AWAITED_SEND,        /* bytes: of the message */
    HY_AWAITED_RECEIVE,     /* bytes: of the buffer */
    HY_AWAITED_REQUESTS,    /* one of `number` requests, of different peers */
    HY_AWAITED_SEND_BUFFER, /* that it is empty */
    HY_AWAITED_COLLECTIVE,  /* what: hy_coll; place: communicator; number: of the collective */
    HY_AWAITED_PERSISTENT,  /* what: hy_coll; place: communicator; number: of the run */
    HY_AWAITED_RECORDS,     /* of the members of communicator `place`, for a set-up on it */
    HY_AWAITED_WORD,        /* bytes: its offset; what: comparison; number: value */
    HY_AWAITED_TURN,        /* the end of the set-up of another thread of this rank */
    HY_AWAITED_FENCE,       /* all ranks, in set-up; number: of the fence; what: 1 in init */
    HY_AWAITED_NODE,        /* the leader of another node, in set-up */
    HY_AWAITED_PROBE,       /* a message; peer: -1 for any rank */
    HY_AWAITED_CHOICE,      /* that `peer` chooses for all how; what, place, bytes: as above */
    /* Only in the flight recorder (job/flight.h): operations of the global space. number: the
     * offset, or of a vector, for which bytes is 0, how many pieces. */
    HY_AWAITED_PUT,
    HY_AWAITED_GET,
    HY_AWAITED_FLAG,   /* bytes: of the data that were put before it; number: its own offset */
    HY_AWAITED_ATOMIC, /* what: hy_atomic */
    HY_AWAITED_FLUSH,  /* peer: -1: of all ranks */
    /* In the recorder: number: the offset. As a wait: for `peer`, which accumulates into the same
     * part. */
    HY_AWAITED_ACCUMULATE,
    HY_AWAITED_KINDS
} hy_awaited_kind;

enum { HY_AWAITED_BY_MAI, HY_AWAITED_BY_TAG };

#define HY_AWAITED_NO_STRIPE 255
#define HY_AWAITED_NAME 12

/* What a thread waits for. The waiting call fills in what is before `stripe`, hy_waits_begin() the
 * rest. */
typedef struct hy_awaited {
    uint64_t bytes, number;
    uint32_t step; /* changes when the wait gets further */
    int32_t peer;  /* a rank of the job; -1: several, or unknown */
    int32_t place;
    uint8_t kind, what;
    uint8_t is_virtual; /* a virtual thread of Java */
    /* The thread: its stripe (job/counters.h), its number in the kernel, and the beginning of its
     * name, padded with zeros; of a virtual thread, only the number that Java gives it, which the
     * call fills in. */
    uint8_t stripe;
    uint32_t thread;
    char name[HY_AWAITED_NAME];
    uint64_t since_ns; /* monotonic clock: the begin of the wait, or when it last got further */
} hy_awaited;

#define HY_WAITS_WORDS (sizeof(hy_awaited) / sizeof(uint64_t))

typedef struct hy_waits_entry {
    HY_ALIGNED _Atomic uint32_t looks; /* without success; 0: the entry is free */
    _Atomic uint32_t sequence;
    _Atomic uint64_t words[HY_WAITS_WORDS]; /* a hy_awaited */
} hy_waits_entry;

_Static_assert(sizeof(hy_waits_entry) == HY_LINE, "an entry is a line");

typedef struct hy_waits {
    hy_waits_entry entries[HY_WAITS];
} hy_waits;

/* ---- the waiting thread ---- */

/* Takes an entry for the calling thread. Returns 1 + its place; 0: all are taken. `awaited` gets
 * the rest of its contents. */
uint8_t hy_waits_begin(hy_waits *waits, hy_awaited *awaited);

/* The thread has looked without success. Changes the entry if it waits for something else now, or
 * got further. awaited->since_ns becomes that of the entry. */
void hy_waits_look(hy_waits *waits, uint8_t told, hy_awaited *awaited);

void hy_waits_end(hy_waits *waits, uint8_t told);

/* ---- readers ---- */

typedef struct hy_waits_seen {
    hy_awaited awaited;
    uint32_t looks, sequence;
} hy_waits_seen;

/* Reads a wait of a job of `size` ranks. False: the entry is free, changes all the time, or has
 * impossible contents. The name is printable afterwards. */
bool hy_waits_read(const hy_waits *waits, int place, int size, hy_waits_seen *seen);

#endif
