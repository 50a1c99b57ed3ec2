/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The generators, one per file, and the terms that their closed formulas share:
 *
 *    P ranks, n bytes (of a block if there are blocks), k pieces or segments of n, d = ceil(log2 P)
 *    S      signal + flight + take: one rank notifies another (hy_formula_signal())
 *    M(n)   moving n bytes between two ranks by the transfer method, without its signals
 *           (hy_formula_move())
 *    R(n)   the same with the reduction (hy_formula_fold())
 *    E      signals that the method needs per stream in addition to those of the data: 1 for
 *           straight methods (ready, or finished), 0 for prepared ones (hy_formula_extra())
 *
 * hy_schedule_build() calls a generator only for P > 1 and, except for barriers and uneven blocks,
 * n > 0.
 */
#ifndef HY_SCHED_ALGORITHMS_H
#define HY_SCHED_ALGORITHMS_H

#include "sched/model.h"
#include "sched/stream.h"

extern const hy_algorithm hy_barrier_two_level, hy_bcast_two_level, hy_reduce_two_level,
    hy_allreduce_two_level, hy_gather_two_level, hy_scatter_two_level, hy_allgather_two_level,
    hy_alltoall_two_level;
extern const hy_algorithm hy_barrier_flat, hy_barrier_dissemination, hy_barrier_binomial,
    hy_barrier_linear;
extern const hy_algorithm hy_bcast_linear, hy_bcast_binomial, hy_bcast_binary, hy_bcast_nary,
    hy_bcast_knomial, hy_bcast_ring, hy_bcast_scatter_allgather;
extern const hy_algorithm hy_reduce_linear, hy_reduce_binomial, hy_reduce_binary, hy_reduce_nary,
    hy_reduce_knomial, hy_reduce_slices, hy_reduce_rabenseifner;
extern const hy_algorithm hy_allreduce_exchange, hy_allreduce_doubling, hy_allreduce_slices,
    hy_allreduce_ring, hy_allreduce_rabenseifner;
extern const hy_algorithm hy_gather_linear, hy_gather_binomial, hy_scatter_linear,
    hy_scatter_binomial;
extern const hy_algorithm hy_allgather_linear, hy_allgather_ring, hy_allgather_bruck,
    hy_allgather_doubling;
extern const hy_algorithm hy_alltoall_linear, hy_alltoall_pairwise, hy_alltoall_bruck;
extern const hy_algorithm hy_reduce_scatter_linear, hy_reduce_scatter_pairwise,
    hy_reduce_scatter_halving, hy_reduce_scatter_ring;
extern const hy_algorithm hy_scan_chain, hy_scan_doubling, hy_exscan_chain, hy_exscan_doubling;

/* A slice is processed in blocks of about this size, so that what was just reduced is still in the
 * cache when it is passed on. */
#define HY_SCHED_BLOCK 32768

static inline bool hy_applies_always(const hy_shape *s)
{
    (void)s;
    return true;
}

static inline bool hy_is_power_of_two(int n)
{
    return (n & (n - 1)) == 0;
}

static inline int hy_log2_ceil(int n)
{
    int log = 0;
    while ((INT64_C(1) << log) < n) log++;
    return log;
}

static inline int hy_log2_floor(int n)
{
    return 31 - __builtin_clz((unsigned)n);
}

static inline uint64_t hy_min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t hy_block_bytes(const hy_shape *s)
{
    return s->unit > HY_SCHED_BLOCK ? s->unit : HY_SCHED_BLOCK / s->unit * s->unit;
}

/* ---- formulas.c ---- */
double hy_formula_signal(const hy_model *model);
double hy_formula_extra(const hy_way *way);
double hy_formula_move(const hy_model *model, const hy_way *way, uint64_t bytes);
double hy_formula_fold(const hy_model *model, const hy_way *way, uint64_t bytes);
/* The formula of the paper for a binomial broadcast: T = d t_put(n) + (d + 1) t_sync, T = d
 * t_get(n) + 2 t_sync (prepared put: like put). t_sync is S, t(n) is M(n). */
double hy_formula_paper(const hy_model *model, const hy_shape *shape, const hy_way *way);

#endif
