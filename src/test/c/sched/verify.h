/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Symbolic execution of all ranks' schedules together. Proves for one process count and shape that
 *   - every byte of the result is what the collective promises: the right element of the right
 *     rank's block (for reductions: every rank's contribution exactly once), nothing else in OUT
 *     touched, IN only read;
 *   - nothing deadlocks, with HY_SCHED_DEPTH signals per pair at most on their way;
 *   - no memory is touched early: conflicting accesses of two ranks are ordered by signals (vector
 *     clocks), also across `rounds` runs one after the other, between which the caller rewrites
 *     its buffers;
 *   - each WAIT takes the signal it was written for (payload length, exposed region);
 *   - nobody reads bytes that were never written, or beyond the regions, or a peer's uneven blocks
 *     but its own one.
 * Wired shapes are run by the rules that schedule.h has for them: regions need no exposing, signals
 * of different runs do not meet, TMP and BOX belong to the one collective of the sequence, BOX is
 * there HY_WIRED_DEPTH times, and a rank enters a run when those that it signals have left the run
 * HY_WIRED_DEPTH rounds before, which orders these two events and no others. More rounds than that
 * prove that a BOX is not used again too early. IN and OUT are the same memory in all collectives.
 * Own IN and OUT are distinct memory, save in hy_verify_in_place().
 */
#ifndef HY_SCHED_VERIFY_H
#define HY_SCHED_VERIFY_H

#include "sched/schedule.h"

/* shapes[0..n): collectives run one after the other by all ranks (`rank` is ignored), each `rounds`
 * times in turn; algorithms[i] is used for shapes[i] in ways[i] (completed where it is AUTO; NULL:
 * all AUTO). 64 ranks at most. 0, or HAYATE_ERR_CORRUPT with the first violation, in words with
 * rank and step, in hayate_error(). Not for uneven shapes. */
int hy_verify(const hy_algorithm *const *algorithms, const hy_shape *shapes, const hy_way *ways,
              int n, int rounds);

/* A rank's own shape of a collective, with its own blocks, which live as long as the call. */
typedef hy_shape (*hy_shape_of)(void *context, int collective, int rank);

/* The same for shapes of every kind. ARGUMENT, too, when the ranks' blocks do not fit together. */
int hy_verify_each(const hy_algorithm *const *algorithms, hy_shape_of shape_of, void *context,
                   const hy_way *ways, int n, int rounds);

/* As hy_verify_each(), with every rank's own block in its place in OUT (GATHER's root, ALLGATHER)
 * or in IN (SCATTER's root, REDUCE_SCATTER) already, in the same memory. */
int hy_verify_in_place(const hy_algorithm *const *algorithms, hy_shape_of shape_of, void *context,
                       const hy_way *ways, int n, int rounds);

/* As hy_verify_each() over schedules that somebody else made (tests break them on purpose).
 * schedules[i * size + rank] is rank's schedule of collective i, with its shape. */
int hy_verify_schedules(const hy_schedule *schedules, int n, int rounds);

#endif
