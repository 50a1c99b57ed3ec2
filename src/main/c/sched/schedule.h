/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collectives as data. A *generator* (one algorithm per file under algorithms/) emits the steps of
 * one rank for one *transfer method* (hy_way: put or get, straight or through prepared buffers,
 * counters or barriers, segments). The same list is executed (exec/exec.h, exec/wired.h), simulated
 * under a model of the machine (choose/simulate.h) to choose one, and printed
 * (explain/step_text.h). The tests verify it for every process count up to 64
 * (src/test/c/sched/verify.h).
 *
 * What a step may assume
 *   - Signals from one rank to another arrive in order; each WAIT(peer) takes the next one. At most
 *     HY_SCHED_DEPTH signals of a pair may be under way: the next SIGNAL waits.
 *   - A SIGNAL may carry a payload of up to HY_SCHED_PAYLOAD bytes, copied when it is posted, so
 *     its source may be reused at once; the matching WAIT copies it to a local place or reduces it
 *     into one. Payload needs no other protection against early reuse.
 *   - A SIGNAL may *expose* a region: from then on until the peer signals back that it is finished,
 *     the peer may GET from, PUT into or REDUCE from that region of this rank.
 *   - PUT, GET and REDUCE from a peer's memory are complete when the step is complete; the receiver
 *     of a SIGNAL after them sees it after their effect (release/acquire).
 *   - When a schedule is complete on a rank, its OUT contains the result, its regions belong to the
 *     caller again, and no peer touches them any more.
 *
 * What a step of a *wired* schedule (shape.wired: a persistent operation, every run of which uses
 * the same memory) may assume in addition
 *   - All regions of all ranks are known from the preparation on: a PUT, GET or REDUCE needs no
 *     signal that exposes the region, only the order that the data need.
 *   - A rank signals another at most HY_SCHED_DEPTH times beyond what that rank has taken of the
 *     same run, as above; signals of different runs do not meet.
 *
 * What a step of a schedule that is wired, or ordinary with shape.boxes, may assume in addition
 *   - BOX is this rank's prepared buffer for data that others fetch. There are several, used in
 *     turn by the runs (hy_wired_depth()) or by the collectives of a communicator, so its readers
 *     need not report when they are finished: a rank begins a run only when those that were to read
 *     the same BOX before have completed the run in which they did. The owner of a BOX must signal
 *     each of its readers before, in that run, and expose it.
 */
#ifndef HY_SCHED_SCHEDULE_H
#define HY_SCHED_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HY_SCHED_PAYLOAD 4096
#define HY_SCHED_DEPTH 16
/* Bytes of payload that a signal carries in the cache line that it takes anyway. */
#define HY_SCHED_SIGNALLED 56
/* shape.boxes of ordinary collectives of up to HY_SCHED_BOX_RANKS ranks of one node. They share
 * memory for HY_SCHED_BOXES of the shortest ones, and have fewer if they are longer. */
#define HY_SCHED_BOX 16384
#define HY_SCHED_BOXES 32
#define HY_SCHED_BOX_RANKS 64
/* The minimum of hy_wired_depth(), for which everything is verified; the maximum; and the most
 * bytes that the data of all turns may have, if there are more than the minimum. */
#define HY_WIRED_DEPTH 4
#define HY_WIRED_DEPTH_MOST 32
#define HY_WIRED_BYTES (UINT64_C(128) << 10)
/* A reduction from memory that is not mapped fetches pieces of this size into a bounce buffer. */
#define HY_BOUNCE_BYTES 32768
/* Memory of a rank that a step of a wired schedule uses (exec/wired.h). */
#define HY_WIRED_STEP_BYTES 56

typedef enum hy_region {
    HY_NONE,
    HY_IN,  /* the caller's input, read-only */
    HY_OUT, /* the caller's result; in-place collectives have only this one */
    HY_TMP, /* scratch memory of schedule.tmp_bytes, undefined at the start */
    HY_BOX, /* prepared buffer of schedule.box_bytes, undefined at the start: see above */
} hy_region;

#define HY_REGIONS 5

typedef enum hy_step_kind {
    HY_STEP_SIGNAL, /* notify peer; with payload [local, len) if len > 0; or exposing `local` */
    HY_STEP_WAIT,   /* take peer's next signal; its payload of len goes to `local`; or it exposes
                     * `remote` */
    HY_STEP_PUT,    /* peer's remote[remote_off] = local[local_off], len bytes */
    HY_STEP_GET,    /* local[local_off] = peer's remote[remote_off], len bytes */
    HY_STEP_COPY,   /* local[local_off] = remote[remote_off], both of this rank */
    HY_STEP_REDUCE, /* local[local_off] op= remote[remote_off] of `peer` (or of this rank: peer
                     * == rank) */
} hy_step_kind;

/* flags of a step */
enum {
    HY_STEP_EXPOSE = 1, /* SIGNAL: expose region `local`; WAIT: the peer exposes its region
                         * `remote` */
    HY_STEP_FOLD = 2,   /* WAIT: reduce the payload into `local` instead of copying it */
};

typedef struct hy_step {
    uint8_t kind; /* hy_step_kind */
    uint8_t flags;
    uint8_t local;                       /* hy_region */
    uint8_t remote;                      /* hy_region */
    int32_t peer;                        /* rank in the communicator */
    uint64_t local_off, remote_off, len; /* bytes */
} hy_step;

/*
 * BARRIER has no data. BCAST, REDUCE and ALLREDUCE work in place on OUT (REDUCE changes it on the
 * root only). SCAN and EXSCAN reduce IN of all ranks up to this one, or below this one, into OUT,
 * in the order of ranks, so that the operation need not commute; EXSCAN leaves OUT of rank 0 alone.
 * The others have *blocks*, one for each rank, on one side or both:
 *
 *   GATHER          IN: own block                root's OUT: block of every rank
 *   SCATTER         root's IN: a block for each  OUT: own block
 *   ALLGATHER       IN: own block                OUT: block of every rank
 *   ALLTOALL        IN: a block for each         OUT: a block of each
 *   REDUCE_SCATTER  IN: a block for each         OUT: own block, reduced over all ranks
 *
 * IN and OUT do not overlap, except that the rank's own block may already be at its place in OUT
 * (IN).
 */
typedef enum hy_coll {
    HY_COLL_BARRIER,
    HY_COLL_BCAST,
    HY_COLL_REDUCE,
    HY_COLL_ALLREDUCE,
    HY_COLL_GATHER,
    HY_COLL_SCATTER,
    HY_COLL_ALLGATHER,
    HY_COLL_ALLTOALL,
    HY_COLL_REDUCE_SCATTER,
    HY_COLL_SCAN,
    HY_COLL_EXSCAN,
    HY_COLL_COUNT
} hy_coll;

/* A range of bytes of a region. */
typedef struct hy_block {
    uint64_t off, len;
} hy_block;

/* The problem that a schedule solves; equal on all members except for `rank` and, if it is uneven,
 * for what belongs to the rank. */
typedef struct hy_shape {
    hy_coll coll;
    int32_t rank, size, root;
    uint64_t bytes; /* of the whole (BCAST, REDUCE, ALLREDUCE, SCAN), or of this rank's block (the
                     * others; of the block for itself in an uneven ALLTOALL); a multiple of unit */
    uint32_t unit;  /* bytes of an element, at least 1; slices contain whole elements */
    bool wired;
    uint32_t boxes; /* not wired: the most bytes of IN and OUT for which there are BOXes; 0: none */
    const struct hy_nodes
        *nodes; /* node map; NULL: all ranks share a node. Must live as long as the schedule */
    /* Blocks of unequal length, [size], in whole elements; NULL for a side that this rank does not
     * have. ALLGATHER and REDUCE_SCATTER have the same blocks on all ranks. In GATHER, SCATTER and
     * ALLTOALL a rank knows only its own blocks: there, a peer's IN or OUT with blocks is seen
     * *from its block for (of) this rank on*: remote_off counts from there. */
    bool uneven;
    const hy_block *in_blocks, *out_blocks;
    uint64_t at_peer; /* in a part of a schedule (parts.h): where this rank's block begins on the
                       * peer, which is known there */
} hy_shape;

/* How an algorithm moves data; 0 is the algorithm's preference (in a hint: automatic). */
typedef enum hy_transfer { HY_TRANSFER_AUTO, HY_TRANSFER_PUT, HY_TRANSFER_GET } hy_transfer;
typedef enum hy_buffers { HY_BUFFERS_AUTO, HY_BUFFERS_STRAIGHT, HY_BUFFERS_PREPARED } hy_buffers;
typedef enum hy_sync { HY_SYNC_AUTO, HY_SYNC_COUNTERS, HY_SYNC_BARRIER } hy_sync;

/* One level of an algorithm of two levels (HY_TRAIT_PARTS, parts.h): its algorithm and transfer
 * method. algorithm NULL: the first that is possible. */
typedef struct hy_part {
    const struct hy_algorithm *algorithm;
    uint8_t transfer, buffers, sync, arity;
    uint64_t segment;
} hy_part;

/* The levels: inside each node towards its leader, between the leaders, inside each node from its
 * leader. */
enum { HY_LEVEL_UP, HY_LEVEL_ACROSS, HY_LEVEL_DOWN, HY_LEVELS };

typedef struct hy_way {
    uint8_t transfer, buffers, sync;
    uint8_t arity;    /* of n-ary and k-nomial trees, 2 .. 64 */
    uint64_t segment; /* bytes; HY_SEGMENT_NONE: in one piece */
    hy_part parts[HY_LEVELS];
} hy_way;

#define HY_SEGMENT_NONE UINT64_MAX

/* Sets of transfer methods that an algorithm supports: bits of hy_way_bit(). */
enum {
    HY_WAY_PUT_STRAIGHT = 1,
    HY_WAY_GET_STRAIGHT = 2,
    HY_WAY_PUT_PREPARED = 4, /* payloads of signals */
    HY_WAY_GET_PREPARED = 8, /* where there are BOXes: read from the owner's */
    HY_WAY_PUT_BARRIER = 16, /* wired only: straight, ordered by barriers */
    HY_WAY_GET_BARRIER = 32,
    HY_WAYS_COUNTED = 15,
    HY_WAYS_ALL = 63,
    HY_WAYS_WIRED = HY_WAY_PUT_BARRIER | HY_WAY_GET_BARRIER,
};

/* Prepared buffers of wired schedules are for regions of up to this many bytes. */
#define HY_PREPARED_MAX 524288

struct hy_algorithm;

/* What a part's IN or OUT is in the whole: the same region; or what belongs to this node in a
 * leader's pool (pool.h), or the whole pool; in an alltoall the area to which blocks come, or from
 * which they go. */
typedef enum hy_role {
    HY_ROLE_SAME,
    HY_ROLE_NODE,
    HY_ROLE_ALL,
    HY_ROLE_CAME,
    HY_ROLE_GOES
} hy_role;

/* A part of a schedule that runs on a subset of the ranks: its generator emits steps for a separate
 * communicator, in which the members of a node, or the leaders of all nodes, are ranks 0, 1, ....
 * Its TMP begins behind the pool. */
typedef struct hy_scope {
    const struct hy_pool *pool; /* NULL: the whole schedule */
    int32_t node;               /* the node whose members it has; -1: the leaders */
    hy_role in, out;
} hy_scope;

typedef struct hy_schedule {
    hy_shape shape;
    hy_way way;
    const struct hy_algorithm *algorithm;
    uint64_t tmp_bytes, box_bytes;
    uint32_t count, capacity;
    hy_step *steps;
    /* Steps first .. first + limit - 1 are kept, the others only counted: a rank of a million need
     * not hold its whole schedule. `emitted` counts until the window is full. */
    uint64_t first, limit, emitted;
    hy_scope scope;     /* used while the schedule is built */
    uint32_t *places;   /* of the executor of ordinary collectives: exec/places.h; NULL: none */
    uint64_t readers;   /* likewise: of this rank's BOX, members as bits */
    uint32_t box_units; /* likewise: hy_box_units(); 0: no member has a BOX */
} hy_schedule;

struct hy_model;

/* hy_algorithm.traits */
enum {
    HY_TRAIT_SEGMENTS = 1,   /* way.segment is used (straight methods) */
    HY_TRAIT_ARITY = 2,      /* way.arity is used */
    HY_TRAIT_UNEVEN = 4,     /* supports blocks of unequal length */
    HY_TRAIT_ALIKE = 8,      /* every rank's schedule is that of rank 0 with the ranks renumbered
                              * by rotation or exclusive or, and all take equally long */
    HY_TRAIT_PARTS = 16,     /* composed of other algorithms, by way.parts; the other fields of the
                              * way are ignored */
    HY_TRAIT_LARGE_BOX = 32, /* its BOX may be larger than IN and OUT */
    HY_TRAIT_TO_ALL = 64,    /* each rank signals every other, though fewer signals would do */
};

/* A generator, which is a row of hy_algorithms[]. */
typedef struct hy_algorithm {
    const char *name; /* "binomial", unique within its collective */
    const char *title;
    hy_coll coll;
    uint32_t ways; /* HY_WAY_..., the lowest bit is its preference */
    uint32_t traits;
    bool (*applies)(const hy_shape *shape);
    const char *needs; /* in words, if applies() is not always true: "a power of two of ranks" */
    /* Emits the steps of shape->rank; called for size > 1 and, except for BARRIER, with bytes to
     * move. 0, or HAYATE_ERR_NO_MEMORY. */
    int (*build)(hy_schedule *schedule);
    /* Nanoseconds by the closed formula in the comment above it, for a core per rank; a reference
     * beside the simulation. */
    double (*formula)(const struct hy_model *model, const hy_shape *shape, const hy_way *way);
} hy_algorithm;

extern const hy_algorithm *const hy_algorithms[]; /* NULL-terminated */

/* How many of the shortest BOXes make one of this ordinary collective: a power of two. */
uint32_t hy_box_units(const hy_shape *shape);

/* shape.boxes, if the ranks have the memory for it (wire/cells.h). */
static inline uint32_t hy_boxes_of(int32_t ranks, const struct hy_nodes *nodes)
{
    return nodes || ranks > HY_SCHED_BOX_RANKS ? 0 : HY_SCHED_BOX;
}

const char *hy_coll_name(hy_coll coll); /* "reduce_scatter" */
bool hy_coll_find(const char *name, hy_coll *coll);
bool hy_coll_has_root(hy_coll coll);
static inline bool hy_coll_reduces(hy_coll coll)
{
    return coll == HY_COLL_REDUCE || coll == HY_COLL_ALLREDUCE || coll >= HY_COLL_REDUCE_SCATTER;
}
bool hy_coll_has_blocks(hy_coll coll);

/* Finds an algorithm by its name ("binomial") within a collective; NULL: there is none. */
const hy_algorithm *hy_algorithm_find(hy_coll coll, const char *name);

/* Exactly one bit of HY_WAY_*; 0 if the combination does not exist. No field may be AUTO. */
uint32_t hy_way_bit(const hy_way *way);

/* The transfer method of that bit number; false: there is none. Sets only transfer, buffers and
 * sync. */
bool hy_way_at(uint32_t index, hy_way *way);

/* The algorithm's transfer methods that the shape permits. */
uint32_t hy_way_possible(const hy_algorithm *algorithm, const hy_shape *shape);

/* Fills AUTO fields: the first of the algorithm's transfer methods that agrees with the rest, no
 * segments, arity 4; likewise in its parts. ARGUMENT, with what is possible, if the algorithm does
 * not support the request for this shape. */
int hy_way_complete(const hy_algorithm *algorithm, const hy_shape *shape, hy_way *way);

/* Writes "get straight counters segment 32768"; returns like snprintf. */
int hy_way_text(const hy_algorithm *algorithm, const hy_way *way, char *text, size_t size);

/* The same number for equal methods of equal algorithms, in any process. */
uint32_t hy_way_hash(const hy_algorithm *algorithm, const hy_way *way);

/* Bytes of a region (IN, OUT) that the caller provides on shape->rank. */
uint64_t hy_region_bytes(const hy_shape *shape, hy_region region);

/* The blocks, [size], at which a peer's view of that region begins, if members know only their own
 * blocks (hy_shape.uneven); NULL: peers see the whole region. */
const hy_block *hy_shape_view(const hy_shape *shape, hy_region region);

/* Whether members know only their own blocks; and then, the bytes that this rank's view of the
 * peer's region has. */
bool hy_shape_is_private(const hy_shape *shape);
uint64_t hy_shape_view_bytes(const hy_shape *shape, hy_region region, int peer);

/* The number of runs by which a rank may be ahead of one that does not answer it, and so the number
 * of copies of lines and BOX. Short rooted collectives get more, because a root that shares a core
 * then does many runs in one turn. The same on all ranks. */
uint32_t hy_wired_depth(const hy_shape *shape);

/* ARGUMENT if the shape is invalid. */
int hy_shape_check(const hy_shape *shape);

/* Builds the schedule of shape->rank. ARGUMENT if the algorithm does not apply. The shape's blocks
 * must live as long as the schedule. */
int hy_schedule_build(hy_schedule *schedule, const hy_algorithm *algorithm, const hy_shape *shape,
                      const hy_way *way);

/* Builds only steps [first, first + limit), in the memory that the schedule has from the last call
 * (or {0}). count < limit: the schedule ends there. */
int hy_schedule_window(hy_schedule *schedule, const hy_algorithm *algorithm, const hy_shape *shape,
                       const hy_way *way, uint64_t first, uint64_t limit);
void hy_schedule_release(hy_schedule *schedule);

#endif
