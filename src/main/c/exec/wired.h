/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a wired schedule any number of times. An ordinary run sends each signal through the
 * communicator's channel (numbers, acknowledgements, kinds). Here everything is laid out once: the
 * k-th signal of a pair has a fixed line, with room for its payload, in the receiver's memory, one
 * for each of hy_wired_depth() runs in turn. A signal writes the number of the run there; a wait
 * polls for it. Nothing is ever reset. The addresses of the peers' regions are exchanged once.
 *
 * Reuse: a line of run n is written again in run n + depth. This is safe because a rank begins run
 * n only when each peer that it signals has completed run n - depth. It knows this from the peer's
 * signals if the schedule has any (the peer signalled in run n - 1, so it had completed n - 2).
 * Otherwise the peer writes back its number of completed runs now and then.
 *
 * Far members: a step over a network is begun, and tested when the run is advanced again, so that
 * no call waits for a slow peer. Steps of near members are complete at once.
 *
 * Leaving: hy_wired_leave() tells all peers. Memory may be freed when all peers have left too,
 * because they may still read or write it.
 *
 * Threads: one at a time uses an object.
 */
#ifndef HY_EXEC_WIRED_H
#define HY_EXEC_WIRED_H

#include "wire/group.h"
#include "exec/exec.h"

/* What a rank tells each peer before the first run. */
typedef struct hy_wires {
    uint64_t inbox, inbox_bytes; /* the peer's lines in this rank's part, for all runs */
    uint64_t count;              /* the line for the peer's number of completed runs */
    uint64_t box_turn;           /* distance in bytes between the BOX of successive runs */
    hy_exposed regions[HY_REGIONS];
} hy_wires;

/* A step with all addresses resolved. */
typedef struct hy_wired_step {
    uint8_t kind, flags;
    bool heap;    /* the remote address is in the peer's part, else in its process */
    bool far;     /* the step crosses a network */
    int32_t peer; /* member */
    uint64_t len;
    uint8_t *local;  /* WAIT: where the payload goes */
    uint64_t remote; /* PUT, GET, REDUCE: address or offset; local REDUCE, COPY: address; SIGNAL:
                        offset of the line in the peer's part; WAIT: address of the line */
    uint64_t local_turn, remote_turn; /* distance in bytes between successive runs */
    hy_ep *ep;
} hy_wired_step;
_Static_assert(sizeof(hy_wired_step) == HY_WIRED_STEP_BYTES, "the size that the simulator assumes");

typedef struct hy_wired {
    hy_group *group; /* valid until hy_wired_leave() */
    hy_job *job;
    int rank, size;
    hy_wired_step *steps;
    uint32_t count, next;
    uint64_t run;  /* the run under way, or the last one; 0: none yet */
    uint32_t turn; /* run % depth */
    uint32_t depth;
    bool begun; /* the peers in `asked` are ready for this run */
    /* asked: members that this rank signals but does not hear from; told: members that signal it
     * but do not hear from it */
    int *asked, *told;
    int asked_count, told_count;
    int telling; /* in the run under way: how many of `told` were told */
    uint8_t *base[HY_REGIONS];
    uint64_t bytes[HY_REGIONS], box_turn;
    uint8_t *lines;  /* from the heap: counts, then inboxes */
    uint64_t *inbox; /* [size]: offsets in `lines` */
    uint64_t *inbox_bytes;
    uint64_t *count_at; /* [size]: where this rank's count goes in the peer's part */
    uint8_t *box, *tmp; /* from the heap */
    hy_fold fold;       /* its buffer is there if it is needed */
    hy_ep **eps;        /* [size] */
    hy_unflushed unflushed;
    uint64_t moved; /* bytes of the next step, if it has begun */
    /* Of a step that crosses a network; NULL: there is none. The operation under way, if any. */
    hy_path_op *op;
    bool under_way;
    int member; /* with which the operation is under way */
} hy_wired;

/* Lays out lines and prepared memory for the schedule of a member of the group. The caller has
 * set base and bytes of IN and OUT, and the operation of `fold`; everything else is zero.
 * NO_MEMORY. */
int hy_wired_open(hy_wired *wired, hy_group *group, const hy_schedule *schedule);

/* Stores what to tell a peer. */
void hy_wired_wires(const hy_wired *wired, const hy_schedule *schedule, int peer, hy_wires *wires);

/* Call when all peers have told theirs: theirs[size]. Afterwards the schedule is not needed any
 * more. CORRUPT, MISMATCH, UNSUPPORTED (memory that cannot be accessed), NO_MEMORY. */
int hy_wired_connect(hy_wired *wired, const hy_schedule *schedule, const hy_wires *theirs);

/* Begins the next run; the previous one is complete. */
static inline void hy_wired_start(hy_wired *wired)
{
    wired->run++;
    wired->turn = (uint32_t)(wired->run % wired->depth);
    wired->next = 0;
    wired->telling = 0;
    wired->moved = 0;
    wired->begun = wired->asked_count == 0;
}

/* Executes the steps that can be executed; stops before a step that moves more than `most` bytes
 * (UINT64_MAX: no limit). HAYATE_IN_PROGRESS, OK, or an error of a path. */
int hy_wired_run(hy_wired *wired, uint64_t most);

/* The same, but executes steps that move about `bytes` bytes, and at most twice as many: a longer
 * step is cut into pieces, unless it crosses a network. `bytes` is at least a unit. For a process
 * that has other things to do. */
int hy_wired_run_slice(hy_wired *wired, uint64_t bytes);

/* The member for which the next step waits; -1: none. */
int hy_wired_peer(const hy_wired *wired);

/* Tells all peers that this rank does not use their memory any more; true if none of them uses
 * this rank's. */
void hy_wired_leave(hy_wired *wired);
bool hy_wired_left(const hy_wired *wired);

/* A member that left without a signal for which a step that is left waits; -1: none. */
int hy_wired_abandoned(const hy_wired *wired);

/* The value, in place of a number of completed runs, by which a peer says that it has left. */
#define HY_WIRED_LEFT UINT64_MAX

/* Frees everything, also after a failed open or connect. `late`: peers may still use the memory;
 * it is freed when all ranks have met once more. */
void hy_wired_close(hy_wired *wired, bool late);

#endif
