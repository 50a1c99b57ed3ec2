/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a wired schedule again and again. Where an ordinary run sends each signal through the
 * communicator's channel (numbers, acknowledgements, kinds), everything here is laid out once: the
 * k-th signal of a pair has its own line (and room for its payload) in the receiver's memory, one
 * for each of hy_wired_depth() runs in turn; to signal is to write the number of the run there, to
 * wait is to look for it. Nothing is ever reset. Where the peers' regions are is exchanged once.
 *
 * Reuse: a line of run n is written again in run n + depth. That is safe because a rank
 * begins run n only when each peer that it signals is over with run n - depth. It knows
 * that from the peer's own signals if the schedule has such (the peer signalled in run n - 1, so it
 * was over with n - 2); else the peer writes its number of finished runs back now and then.
 *
 * Leaving: hy_wired_leave() tells all peers; memory may be given back when all of them have left as
 * well, as they may still fetch from it or write into it.
 *
 * Threads: one at a time works on an object.
 */
#ifndef HY_EXEC_WIRED_H
#define HY_EXEC_WIRED_H

#include "wire/group.h"
#include "exec/exec.h"

/* What a rank tells one peer before the first run. */
typedef struct hy_wires {
    uint64_t inbox, inbox_bytes; /* the peer's lines in our part, for all runs */
    uint64_t count;              /* the peer's line for its number of finished runs */
    uint64_t box_turn;           /* bytes from one run's BOX to the next one's */
    hy_exposed regions[HY_REGIONS];
} hy_wires;

/* A step with everything looked up. */
typedef struct hy_wired_step {
    uint8_t kind, flags;
    bool heap;    /* the remote place is in the peer's part, else in its process */
    int32_t peer; /* member */
    uint64_t len;
    uint8_t *local;  /* WAIT: its payload's target */
    uint64_t remote; /* PUT, GET, REDUCE: address or offset; own REDUCE, COPY: address; SIGNAL:
                        offset of the line in the peer's part; WAIT: address of the line */
    uint64_t local_turn, remote_turn; /* bytes from a run's place to the next one's */
    hy_ep *ep;
} hy_wired_step;
_Static_assert(sizeof(hy_wired_step) == HY_WIRED_STEP_BYTES, "as the simulator counts");

typedef struct hy_wired {
    hy_group *group; /* until it is left */
    hy_job *job;
    int rank, size;
    hy_wired_step *steps;
    uint32_t count, next;
    uint64_t run;  /* the one under way, or the last; 0: none yet */
    uint32_t turn; /* run % depth */
    uint32_t depth;
    bool begun; /* the peers of `asked` were found ready for this run */
    /* members that this rank signals and does not hear from; that signal it and do not hear it */
    int *asked, *told;
    int asked_count, told_count;
    uint8_t *base[HY_REGIONS];
    uint64_t bytes[HY_REGIONS], box_turn;
    uint8_t *lines;  /* of the heap: counts, then inboxes */
    uint64_t *inbox; /* [size]: offsets in lines */
    uint64_t *inbox_bytes;
    uint64_t *count_at; /* [size]: where our count goes in the peer's part */
    uint8_t *box, *tmp; /* of the heap */
    hy_reduce reduce;
    void *context;
    uint32_t unit;
    hy_unflushed unflushed;
    uint8_t *bounce; /* to reduce from memory that is not mapped; NULL: never needed */
} hy_wired;

/* Lays out lines and prepared memory for the schedule of a member of the group. base and bytes of
 * IN and OUT, reduce, context and unit are set by the caller before; all else is zero. NO_MEMORY.
 */
int hy_wired_open(hy_wired *wired, hy_group *group, const hy_schedule *schedule);

/* What to tell a peer. */
void hy_wired_wires(const hy_wired *wired, const hy_schedule *schedule, int peer, hy_wires *wires);

/* After all have told: theirs[size]. The schedule is not needed any more. CORRUPT, MISMATCH,
 * UNSUPPORTED (memory that cannot be reached), NO_MEMORY. */
int hy_wired_connect(hy_wired *wired, const hy_schedule *schedule, const hy_wires *theirs);

/* Begins the next run; the one before is over. */
static inline void hy_wired_start(hy_wired *wired)
{
    wired->run++;
    wired->turn = (uint32_t)(wired->run % wired->depth);
    wired->next = 0;
    wired->begun = wired->asked_count == 0;
}

/* Does every step it can; stops before one that moves more than `most` bytes (UINT64_MAX: never).
 * HAYATE_IN_PROGRESS, OK, or an error of a path. */
int hy_wired_run(hy_wired *wired, uint64_t most);

/* Member that the next step waits for, -1 when there is none. */
int hy_wired_peer(const hy_wired *wired);

/* Tells all peers that this rank does not use theirs any more; true when none of them uses ours. */
void hy_wired_leave(hy_wired *wired);
bool hy_wired_left(const hy_wired *wired);

/* Member that left without the signal that the next step waits for, -1: none. */
int hy_wired_abandoned(const hy_wired *wired);

/* Where `peer` writes its number of finished runs, or that it has left. */
#define HY_WIRED_LEFT UINT64_MAX
hy_slot *hy_wired_count_line(const hy_wired *wired, int peer);

/* Gives everything back, also after a failed open or connect. `late`: peers may still use it: the
 * memory is free when all ranks have met once more. */
void hy_wired_close(hy_wired *wired, bool late);

#endif
