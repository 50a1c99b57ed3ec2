/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Broadcast, binomial tree: a rank takes each piece from its parent and passes it on to its
 * children, the largest subtree first, before it takes the next piece; so the pieces of long data
 * are pipelined down the tree. Johnsson, Ho, "Optimum broadcasting and personalized communication
 * in hypercubes", 1989.
 *
 *   T = d (W + 2 o + g Gp) + (k - 1) d (2 o + g Gp),  g = bytes of a piece
 */
#include "sched/algorithms/algorithms.h"
#include "sched/algorithms/tree.h"

static void pass_on(hy_schedule *s, const hy_tree *tree, uint64_t off, uint64_t len)
{
    if (tree->parent >= 0) hy_emit_recv(s, tree->parent, HY_AT(HY_OUT, off), len);
    for (int i = tree->degree - 1; i >= 0; i--)
        hy_emit_send(s, tree->child[i], HY_AT(HY_OUT, off), len);
}

static int build(hy_schedule *s)
{
    const hy_tree tree = hy_tree_of(&s->shape);
    uint64_t piece = hy_piece(&s->shape), bytes = s->shape.bytes;
    for (uint64_t off = 0; off < bytes; off += piece) {
        pass_on(s, &tree, off, hy_min(piece, bytes - off));
        if (s->count == 0) /* out of memory */
            break;
    }
    return hy_emit_end(s);
}

static double cost(const hy_cost_model *m, const hy_shape *s)
{
    if (hy_no_work(s)) return 0;
    double work = 2 * m->overhead * hy_pieces(s) + (double)s->bytes * m->byte_payload;
    return hy_log2_ceil(s->size) * (hy_cost_phase(m, s->size) + work);
}

const hy_algorithm hy_bcast_binomial = {
    .name = "binomial",
    .title = "payloads down a binomial tree",
    .coll = HY_COLL_BCAST,
    .applies = hy_applies_payload,
    .build = build,
    .cost = cost,
};
