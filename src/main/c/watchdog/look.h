/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A look at all waits of a node: who waits for whom, and which ranks wait for each other.
 *
 * A wait that appears in one look may be over in the next moment. Two looks tell more: a wait is
 * *still* under way if its entry is the same in both and its thread has looked in vain at least
 * twice in between, so that it has looked once after the first look. A thread that is not running,
 * or is busy in a step of its operation, has not looked.
 *
 * What one thread does in the background while it waits may let another one go on, whose next
 * look then is still to come. Therefore a wait must be under way still in HY_LOOK_ROUNDS further
 * looks: more than there are steps in any exchange that two waiting ranks carry out without a
 * change in their entries.
 *
 * Ranks that wait for each other. A rank is *stuck* if all threads that have ever used the job wait
 * still, each for a stuck rank. Nothing that those ranks do themselves can end these waits: it is a
 * deadlock. If some thread of a rank does not wait, or may be a virtual one, it may yet do what the
 * others wait for: such a cycle is reported as one that is not certain.
 */
#ifndef HY_WATCHDOG_LOOK_H
#define HY_WATCHDOG_LOOK_H

#include "watchdog/view.h"

#define HY_LOOK_ROUNDS 3

/* The time between two looks, and for how long to wait for threads that have not looked. */
#define HY_LOOK_AGAIN_NS UINT64_C(100000000)
#define HY_LOOK_MOST_NS UINT64_C(2000000000)

typedef struct hy_look_wait {
    int rank, place;
    hy_waits_seen seen;
    bool still;
} hy_look_wait;

/* A rank of this node. */
typedef struct hy_look_rank {
    int rank;
    uint32_t state;        /* HY_RANK_... */
    uint32_t first, count; /* its waits */
    uint32_t stripes;      /* of its threads: hy_view_stripes() */
    int next;              /* index of the rank in whose cycle it is; -1: it is in none */
    bool stuck, in_cycle;
} hy_look_rank;

typedef struct hy_look {
    int size; /* ranks of the job */
    uint64_t now_ns;
    hy_look_rank *ranks; /* in ascending order */
    uint32_t rank_count;
    int rounds;          /* how many earlier looks it was compared with, one after the other */
    hy_look_wait *waits; /* in the order of the ranks */
    uint32_t wait_count, wait_room;
} hy_look;

/* NULL: NO_MEMORY. All waits count as `still`. */
hy_look *hy_look_take(const hy_view *view);
void hy_look_free(hy_look *look); /* NULL: does nothing */

/* Compares with an earlier look, and sets `still` accordingly: a wait that was not under way still
 * then is not now. True: `look` is one round further; false: threads of waits that are in both
 * looks have not looked in the meantime. */
bool hy_look_compare(hy_look *look, const hy_look *before);

/* Finds the cycles of the waits that are `still` under way; returns whether there are any. */
bool hy_look_find_cycles(hy_look *look);

/* Takes as many looks as are needed to tell whether ranks wait for each other, within about
 * HY_LOOK_MOST_NS. NULL: NO_MEMORY. */
hy_look *hy_look_settled(const hy_view *view);

/* Cycle number `index`, as the index of its lowest rank; follow `next` from there. -1: there are
 * fewer. */
int hy_look_cycle(const hy_look *look, int index);

/* Whether a cycle is a deadlock for certain. */
static inline bool hy_look_is_certain(const hy_look *look, int cycle)
{
    return look->ranks[cycle].stuck;
}

/* NULL: the rank is on another node. */
const hy_look_rank *hy_look_rank_of(const hy_look *look, int rank);

/* Whether a thread of the rank waits in this fence. */
bool hy_look_is_in_fence(const hy_look *look, const hy_look_rank *rank, uint64_t number);

/* ---- look_text.c: in words, cut at `room` ---- */

/* "rank 1, thread main (1234): waits for rank 2, receive with mai 0, 8000 bytes, since 4.1 s;
 * rank 2 waits for ..." */
void hy_look_print_wait(const hy_look *look, const hy_look_wait *wait, char *text, size_t room);

/* "deadlock: rank 0 -> rank 1 -> rank 0" */
void hy_look_print_cycle(const hy_look *look, int cycle, char *text, size_t room);

#endif
