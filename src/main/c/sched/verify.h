/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Symbolic execution of all ranks' schedules together. Proves for one process count and shape that
 *   - every byte of the result is what the collective promises (for reductions: every rank's
 *     contribution exactly once);
 *   - nothing deadlocks, with HY_SCHED_DEPTH signals per pair at most on their way;
 *   - no memory is touched early: conflicting accesses of two ranks are ordered by signals (vector
 *     clocks), also across `rounds` runs one after the other, between which the caller rewrites
 *     its buffers;
 *   - each WAIT takes the signal it was written for (payload length, exposed region);
 *   - nobody reads TMP or OUT bytes that were never written, or beyond the regions.
 */
#ifndef HY_SCHED_VERIFY_H
#define HY_SCHED_VERIFY_H

#include "sched/schedule.h"

/* shapes[0..n): collectives run one after the other by all ranks (`rank` is ignored), each `rounds`
 * times in turn; algorithms[i] is used for shapes[i]. 0, or HAYATE_ERR_CORRUPT with the first
 * violation, in words with rank and step, in hayate_error(). */
int hy_verify(const hy_algorithm *const *algorithms, const hy_shape *shapes, int n, int rounds);

/* The same over schedules that somebody else made (tests break them on purpose).
 * schedules[i * size + rank] is rank's schedule of shapes[i]. */
int hy_verify_schedules(const hy_schedule *schedules, const hy_shape *shapes, int n, int rounds);

#endif
