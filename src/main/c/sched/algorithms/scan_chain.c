/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scan and exclusive scan, chain: every rank receives the prefix of the rank below, folds its own
 * data behind it and passes the result on, segment by segment. Moves and folds each byte once on
 * each rank, so it suits long data and few ranks. MPI libraries call it linear.
 *
 *   T = E S + (P - 1) (S + M(m) + F(m)) + (k - 1) (M(m) + F(m) + take + signal)
 *
 *   m bytes of a segment, k segments; F(m): the fold of a rank's own data, and for the exclusive
 *   scan C(m) in addition
 */
#include "sched/algorithms/algorithms.h"

/* Where a rank has what it passes on. */
static hy_place passed(const hy_schedule *s, int rank, uint64_t off)
{
    hy_region where = HY_OUT;
    if (s->shape.coll == HY_COLL_EXSCAN) where = rank == 0 ? HY_IN : HY_TMP;
    return hy_staged(s, HY_AT(where, off), off);
}

static void scan_fold(hy_schedule *s, uint64_t off, uint64_t len)
{
    hy_place in = HY_AT(HY_IN, off), out = HY_AT(HY_OUT, off);
    if (s->shape.rank == 0) hy_emit_copy(s, in, out, len);
    else hy_emit_reduce(s, s->shape.rank, in, out, len);
    if (s->shape.rank + 1 < s->shape.size) hy_stage(s, out, off, len);
}

/* OUT is the result already; the next rank gets more. */
static void exscan_fold(hy_schedule *s, uint64_t off, uint64_t len)
{
    hy_place in = HY_AT(HY_IN, off), more = passed(s, s->shape.rank, off);
    if (s->shape.rank + 1 == s->shape.size) return;
    if (s->shape.rank == 0) {
        hy_stage(s, in, off, len);
        return;
    }
    if (hy_way_boxed(s)) hy_emit_box(s, off + len);
    else hy_emit_tmp(s, s->shape.bytes);
    hy_emit_copy(s, HY_AT(HY_OUT, off), more, len);
    hy_emit_reduce(s, s->shape.rank, in, more, len);
}

static void scan_segment(hy_schedule *s, uint64_t off, uint64_t len)
{
    const hy_shape *shape = &s->shape;
    int below = shape->rank - 1, above = shape->rank + 1;
    hy_place out = HY_AT(HY_OUT, off);
    if (below >= 0) hy_stream_pull(s, below, passed(s, below, off), out, len);
    if (shape->coll == HY_COLL_SCAN) scan_fold(s, off, len);
    else exscan_fold(s, off, len);
    if (above == shape->size) return;
    if (off == 0) hy_stream_await(s, above, HY_OUT);
    hy_stream_push(s, above, passed(s, shape->rank, off), out, len);
}

static int scan_chain_build(hy_schedule *s)
{
    const hy_shape *shape = &s->shape;
    uint64_t bytes = shape->bytes, segment = hy_segment(s, bytes);
    bool first = shape->rank == 0, last = shape->rank + 1 == shape->size;
    if (!first) hy_stream_ready(s, shape->rank - 1, HY_OUT);
    for (uint64_t off = 0; off < bytes && !hy_emit_enough(s); off += segment)
        scan_segment(s, off, hy_min(segment, bytes - off));
    if (!first) hy_stream_finish(s, shape->rank - 1);
    if (!last) hy_stream_drain(s, shape->rank + 1);
    return hy_emit_end(s);
}

static double scan_chain_formula(const hy_model *m, const hy_shape *s, const hy_way *w)
{
    uint64_t piece = w->segment && w->segment < s->bytes ? w->segment : s->bytes;
    double k = piece ? (double)((s->bytes + piece - 1) / piece) : 0;
    double one = hy_formula_move(m, w, piece) + hy_curve_at(&m->reduce, piece);
    if (s->coll == HY_COLL_EXSCAN) one += hy_curve_at(&m->copy, piece);
    double sync = hy_formula_signal(m);
    return hy_formula_extra(w) * sync + (s->size - 1) * (sync + one) +
           (k > 1 ? (k - 1) * (one + m->take + m->signal) : 0);
}

#define CHAIN(name_, coll_) \
    const hy_algorithm name_ = { \
        .name = "chain", \
        .title = "the prefix goes from rank to rank", \
        .coll = coll_, \
        .ways = HY_WAYS_COUNTED, \
        .traits = HY_TRAIT_SEGMENTS, \
        .applies = hy_applies_always, \
        .build = scan_chain_build, \
        .formula = scan_chain_formula, \
    }

CHAIN(hy_scan_chain, HY_COLL_SCAN);
CHAIN(hy_exscan_chain, HY_COLL_EXSCAN);
