/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a schedule over the channels of a group. hy_exec_run() executes the steps that can be
 * executed, and returns when the schedule is complete or the next step must wait. Whatever drives
 * it (a loop of the caller, a test, a progress thread) then calls it again. Only one thread at a
 * time.
 *
 * A SIGNAL is written to a cell (wire/cells.h) if it has a place there, else it is one message on
 * the channel. Both contain a *cookie*, computed from the arguments of the collective, or a hash of
 * it, so that members that call with different arguments find out at the first message.
 */
#ifndef HY_EXEC_EXEC_H
#define HY_EXEC_EXEC_H

#include "wire/cells.h"
#include "exec/cookie.h"
#include "exec/fold.h"
#include "exec/unflushed.h"
#include "sched/schedule.h"

/* Precedes the payload of an inline message of a collective. */
typedef struct hy_tag {
    uint32_t cookie, len;
} hy_tag;

_Static_assert(HY_SCHED_SIGNALLED == HY_SLOT_PAYLOAD, "a signal is a slot");
_Static_assert(HY_SCHED_BOXES == HY_CELLS_BOXES &&
                   HY_SCHED_BOX == HY_CELLS_BOX * HY_CELLS_BOXES / HY_WIRED_DEPTH,
               "boxes are cells'");
_Static_assert(HY_CELLS_MOST / HY_CELLS_LINES_BYTES == HY_SCHED_BOX_RANKS, "groups with boxes");
_Static_assert(HY_SCHED_BOX_RANKS <= 64, "members are bits");
_Static_assert(HY_CELLS_BOXES *HY_CELLS_BOX / HY_SCHED_BOX >= HY_CELLS_TOLD,
               "the use before of a box was told, or can be: see cells.h");

/* Who may still read one of this rank's boxes: members as bits, in that collective. */
typedef struct hy_box_use {
    uint64_t readers, number;
} hy_box_use;

#define HY_INLINE_MAX (HY_SLOT_PAYLOAD - sizeof(hy_tag))

/* A peer's exposed region. */
typedef struct hy_exposed {
    uint64_t offset, address, len;
} hy_exposed;

typedef struct hy_exec {
    hy_group *group;
    const hy_schedule *schedule;
    uint32_t next; /* the next step */
    uint32_t cookie;
    uint64_t number;  /* of the collective: how many were begun; the same on all members */
    uint64_t history; /* a hash of all of them */
    uint64_t head;    /* of its lines */
    uint64_t heads[HY_CELLS_DEPTH]; /* of those of the last collectives, by turn */
    hy_cells cells;
    hy_box_use uses[HY_CELLS_BOXES];
    uint32_t box, next_box; /* the first of the run under way, if it fetches; behind its last */
    bool box_taken;         /* by the run under way; true as well if it needs none */
    uint8_t *base[HY_REGIONS];
    uint64_t bytes[HY_REGIONS];
    hy_fold fold;
    hy_unflushed unflushed;
    hy_exposed *exposed; /* [group.size * HY_REGIONS] */
} hy_exec;

/* Allocates memory that lasts as long as the group; all zero after hy_exec_close(). */
int hy_exec_open(hy_exec *exec, hy_group *group);
void hy_exec_close(hy_exec *exec);

/* Prepares the next run. All members must be able to access the regions that the schedule
 * exposes. */
void hy_exec_start(hy_exec *exec, const hy_schedule *schedule, uint32_t cookie);

/* Begins a collective among all members that is not a schedule: only its number and cookie count.
 */
void hy_exec_count(hy_exec *exec, uint32_t cookie);

/* HAYATE_IN_PROGRESS, OK, MISMATCH, CORRUPT, PEER_FAILED. */
int hy_exec_run(hy_exec *exec);

/* The member that may still read the box of the run that is about to begin. */
int hy_exec_reader(const hy_exec *exec);

/* The member for which the next step waits; -1: none. */
static inline int hy_exec_peer(const hy_exec *exec)
{
    const hy_schedule *schedule = exec->schedule;
    if (hy_unlikely(!exec->box_taken)) return hy_exec_reader(exec);
    return exec->next < schedule->count ? schedule->steps[exec->next].peer : -1;
}

/* Whether a step that is left is one with this member. */
bool hy_exec_still_needs(const hy_exec *exec, int member);

/* Of the collective as the members tell it to each other: the lower half of its number << 32 | its
 * cookie. */
static inline uint64_t hy_exec_call(const hy_exec *exec)
{
    return exec->number << 32 | exec->cookie;
}

/* MISMATCH: a member is in another collective, or passes other arguments, as its cookie tells; its
 * cookie is that of this rank if only lengths show it. */
int hy_exec_mismatch(const hy_exec *exec, int member, uint32_t cookie);

/* MISMATCH: a member of this node has begun one of the last collectives of this rank with another
 * cookie; the first one is told. Reads what that member writes in each collective. */
int hy_exec_compare(const hy_exec *exec, int member);

/* MISMATCH: a member has passed something else in this collective or in one before; tells the first
 * one that it finds. */
int hy_exec_mismatch_before(const hy_exec *exec, int member);

#endif
