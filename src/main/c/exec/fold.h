/* SPDX-License-Identifier: Apache-2.0 */
/* How the executors reduce: an operation, and a buffer through which it reaches memory that is not
 * mapped here. */
#ifndef HY_EXEC_FOLD_H
#define HY_EXEC_FOLD_H

#include "path/path.h"
#include "sched/schedule.h"

/* inout[i] = inout[i] op in[i] */
typedef void (*hy_reduce)(void *inout, const void *in, size_t count, void *context);

/* Gives elements that were combined with nothing the form of results. */
typedef void (*hy_normal)(void *inout, size_t count);

/* Starts as {0}. */
typedef struct hy_fold {
    hy_reduce reduce; /* NULL: nothing is reduced */
    void *context;    /* of reduce() */
    uint32_t unit;    /* bytes of an element */
    hy_normal normal; /* this rank's result is one member's input; NULL: it is a result as it is */
    uint8_t *bounce;  /* [HY_BOUNCE_BYTES]; NULL: not needed so far */
} hy_fold;

/* The operation's form of results, where this rank's result may be one member's input. */
static inline hy_normal hy_fold_normal(hy_normal normal, const hy_shape *s)
{
    bool alone = s->coll == HY_COLL_EXSCAN ? s->rank == 1
                                           : s->size == 1 || (s->coll == HY_COLL_SCAN && !s->rank);
    return alone ? normal : NULL;
}

/* Takes the buffer, if it is not there. NO_MEMORY. */
int hy_fold_room(hy_fold *fold);
void hy_fold_release(hy_fold *fold);

/* How much of `left` bytes goes through the buffer at once. */
static inline uint64_t hy_fold_piece(const hy_fold *fold, uint64_t left)
{
    uint64_t most = HY_BOUNCE_BYTES / fold->unit * fold->unit;
    return left < most ? left : most;
}

/* Reduces mapped memory: `len` bytes, whole elements. */
static inline void hy_fold_in(const hy_fold *fold, void *into, const void *from, uint64_t len)
{
    fold->reduce(into, from, len / fold->unit, fold->context);
}

/* Reduces memory of a peer that the path gets piece by piece into the buffer, which is there.
 * Errors of the path. */
int hy_fold_through(const hy_fold *fold, const hy_path_ops *path, hy_ep *ep, uint64_t remote,
                    uint8_t *into, uint64_t len);

#endif
