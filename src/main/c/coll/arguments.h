/* SPDX-License-Identifier: Apache-2.0 */
/* The arguments of a collective with two sides, IN and OUT: checks everything that can be checked
 * on one rank alone, and makes its shape. Ordinary and persistent collectives share the rules. */
#ifndef HY_COLL_ARGUMENTS_H
#define HY_COLL_ARGUMENTS_H

#include "base/buffer.h"
#include "coll/reductions.h"

typedef struct hy_arguments {
    hy_coll coll;
    hy_buffer in, out; /* in-place collectives: only out, unless they are apart */
    int64_t count;     /* elements of the whole, or of this rank's block */
    int op, root;      /* op: of reductions; root: of collectives with a root */
    void *context;     /* passed to the reduction's function; NULL: its own context */
    bool uneven;
    bool apart; /* the data of a REDUCE or ALLREDUCE are in `in`, which is only read; `out` is for
                 * the result, where there is one */
    /* For uneven collectives: bytes, [size], for the sides that this rank has; offsets NULL:
     * consecutive. */
    const int64_t *in_sizes, *in_offsets, *out_sizes, *out_offsets;
    const int64_t *in_counts;    /* uneven REDUCE_SCATTER: element counts instead of in_sizes */
    int64_t in_limit, out_limit; /* bytes of the buffers; -1: unknown (C) */
} hy_arguments;

/* What a member needs of a call that is apart: where a REDUCE has no result, `in` takes its place,
 * and the call is an ordinary one. */
static inline hy_arguments hy_arguments_of_member(const hy_arguments *call, int rank)
{
    hy_arguments own = *call;
    if (!call->apart || call->coll != HY_COLL_REDUCE || call->root == rank) return own;
    own.apart = false;
    own.out = call->in;
    own.out_limit = call->in_limit;
    own.in = (hy_buffer){0};
    return own;
}

/* Completes a shape that has rank, size, wired and nodes. in_blocks and out_blocks: [size] each,
 * written if the call is uneven, for as long as the shape; may be NULL otherwise. ARGUMENT. */
int hy_arguments_check(const hy_arguments *call, const hy_reduction *reduction, hy_shape *shape,
                       hy_block *in_blocks, hy_block *out_blocks);

/* Checks only the memory of a call whose shape is valid: null, too short, misaligned, overlapping.
 * in_bytes, out_bytes: hy_arguments_bytes() of both sides. ARGUMENT. */
int hy_arguments_check_memory(const hy_arguments *call, const hy_shape *shape, uint64_t in_bytes,
                              uint64_t out_bytes, uint32_t align);

/* ARGUMENT if blocks of OUT overlap, NO_MEMORY. Sorts them: for shapes that are new. */
int hy_arguments_apart(const hy_shape *shape);

/* Whether this rank has memory on that side (HY_IN, HY_OUT). */
bool hy_arguments_has_side(const hy_shape *shape, hy_region region);
/* Whether OUT is read before the collective, and whether it is changed by it: what it leaves alone,
 * such as gaps between blocks, must not change. IN is always read. */
bool hy_arguments_reads_out(const hy_shape *shape);
bool hy_arguments_changes_out(const hy_shape *shape);

/* Its bytes; 0: this rank has none. */
uint64_t hy_arguments_bytes(const hy_shape *shape, hy_region region);

#endif
