/* SPDX-License-Identifier: Apache-2.0 */
/* The functions with which generators emit steps, one step per call. A lack of memory is remembered
 * and returned by hy_emit_end(). Most generators use stream.h, which knows the transfer methods,
 * instead of the moves below. */
#ifndef HY_SCHED_BUILDER_H
#define HY_SCHED_BUILDER_H

#include "sched/schedule.h"

typedef struct hy_place {
    hy_region region;
    uint64_t off;
} hy_place;

#define HY_AT(region_, off_) ((hy_place){(region_), (off_)})

void hy_emit_signal(hy_schedule *s, int peer);
void hy_emit_wait(hy_schedule *s, int peer);
void hy_emit_expose(hy_schedule *s, int peer, hy_region region);
void hy_emit_learn(hy_schedule *s, int peer, hy_region region);
/* Payloads of any length: both sides split them into pieces of hy_piece() (whole elements). */
void hy_emit_send(hy_schedule *s, int peer, hy_place from, uint64_t len);
void hy_emit_recv(hy_schedule *s, int peer, hy_place to, uint64_t len);
void hy_emit_fold(hy_schedule *s, int peer, hy_place into, uint64_t len);
void hy_emit_put(hy_schedule *s, int peer, hy_place from, hy_place to, uint64_t len);
void hy_emit_get(hy_schedule *s, int peer, hy_place from, hy_place to, uint64_t len);
/* Emits nothing if both places are the same. */
void hy_emit_copy(hy_schedule *s, hy_place from, hy_place to, uint64_t len);
void hy_emit_reduce(hy_schedule *s, int peer, hy_place from, hy_place into, uint64_t len);
void hy_emit_tmp(hy_schedule *s, uint64_t bytes); /* the schedule needs at least this much TMP */
void hy_emit_box(hy_schedule *s, uint64_t bytes); /* ... and BOX */
int hy_emit_end(const hy_schedule *s);

/* Emits the steps of s->algorithm for s->shape: those of the generator, or those of the trivial
 * cases for which it is not called because there is nothing to move or only one rank. Returns like
 * hy_emit_end(). */
int hy_emit_all(hy_schedule *s);

/* Further steps would not be kept, because memory has run out or the window is full. Loops over
 * segments or many peers then stop. */
bool hy_emit_enough(const hy_schedule *s);

/* Part `index` of `bytes` split into `parts` nearly equal runs of whole elements. */
void hy_slice(uint64_t bytes, uint32_t unit, int parts, int index, uint64_t *off, uint64_t *len);

/* Bytes of a piece of payload: as many whole elements as one signal carries. */
static inline uint64_t hy_piece(const hy_shape *s)
{
    return s->unit > HY_SCHED_PAYLOAD ? HY_SCHED_PAYLOAD : HY_SCHED_PAYLOAD / s->unit * s->unit;
}

/* Numbers ranks from the root, and back. */
static inline int hy_from_root(const hy_shape *s, int rank)
{
    return (rank - s->root + s->size) % s->size;
}
static inline int hy_to_rank(const hy_shape *s, int relative)
{
    return (int)(((int64_t)relative + s->root) % s->size);
}

/* The rank `distance` above shape->rank, modulo the number of ranks. */
static inline int hy_next_rank(const hy_shape *s, int distance)
{
    return (int)(((int64_t)s->rank + distance) % s->size);
}

/* ---- blocks ---- */

/* This rank's block of (for) rank `peer`, on a side that has one block for each rank. */
static inline hy_block hy_in_block(const hy_shape *s, int peer)
{
    if (s->in_blocks) return s->in_blocks[peer];
    return (hy_block){(uint64_t)peer * s->bytes, s->bytes};
}
static inline hy_block hy_out_block(const hy_shape *s, int peer)
{
    if (s->out_blocks) return s->out_blocks[peer];
    return (hy_block){(uint64_t)peer * s->bytes, s->bytes};
}

/* Where a peer's block of (for) this rank begins in the peer's IN (OUT), in GATHER, SCATTER and
 * ALLTOALL: see hy_shape.uneven. */
static inline uint64_t hy_my_block_at_peer(const hy_shape *s)
{
    return s->uneven ? s->at_peer : (uint64_t)s->rank * s->bytes;
}

#endif
