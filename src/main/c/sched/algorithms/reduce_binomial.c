/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reduction, binomial tree: a rank folds its children's partial results into its own, piece by
 * piece, and sends the outcome to its parent. An inner rank accumulates in TMP, one piece long,
 * because its OUT belongs to the caller; payloads are copied when posted, so the next piece may use
 * the same TMP. The broadcast tree upside down.
 *
 *   T = d (W + 2 k o + n (Gp + Gr))
 */
#include "sched/algorithms/algorithms.h"
#include "sched/algorithms/tree.h"

static void inner(hy_schedule *s, const hy_tree *tree, uint64_t off, uint64_t len)
{
    hy_emit_tmp(s, len);
    hy_emit_copy(s, HY_AT(HY_OUT, off), HY_AT(HY_TMP, 0), len);
    for (int i = 0; i < tree->degree; i++) hy_emit_fold(s, tree->child[i], HY_AT(HY_TMP, 0), len);
    hy_emit_send(s, tree->parent, HY_AT(HY_TMP, 0), len);
}

static void piece_up(hy_schedule *s, const hy_tree *tree, uint64_t off, uint64_t len)
{
    if (tree->parent >= 0 && tree->degree > 0) {
        inner(s, tree, off, len);
        return;
    }
    for (int i = 0; i < tree->degree; i++) hy_emit_fold(s, tree->child[i], HY_AT(HY_OUT, off), len);
    if (tree->parent >= 0) hy_emit_send(s, tree->parent, HY_AT(HY_OUT, off), len);
}

static int build(hy_schedule *s)
{
    const hy_tree tree = hy_tree_of(&s->shape);
    uint64_t piece = hy_piece(&s->shape), bytes = s->shape.bytes;
    for (uint64_t off = 0; off < bytes; off += piece) {
        piece_up(s, &tree, off, hy_min(piece, bytes - off));
        if (s->count == 0) /* out of memory */
            break;
    }
    return hy_emit_end(s);
}

static double cost(const hy_cost_model *m, const hy_shape *s)
{
    if (hy_no_work(s)) return 0;
    double work = 2 * m->overhead * hy_pieces(s) +
                  (double)s->bytes * (m->byte_payload + m->byte_reduce);
    return hy_log2_ceil(s->size) * (hy_cost_phase(m, s->size) + work);
}

const hy_algorithm hy_reduce_binomial = {
    .name = "binomial",
    .title = "payloads folded up a binomial tree",
    .coll = HY_COLL_REDUCE,
    .applies = hy_applies_payload,
    .build = build,
    .cost = cost,
};
