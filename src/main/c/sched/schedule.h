/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collectives as data. A *generator* (one algorithm per file under algorithms/) emits the steps of
 * one rank; the same list is executed (exec.h), verified for every process count (verify.h), costed
 * (cost.h) and printed (print.h).
 *
 * What a step may assume
 *   - Signals from one rank to another arrive in order; each WAIT(peer) takes the next one. At most
 *     HY_SCHED_DEPTH signals of a pair may be on their way: the next SIGNAL waits.
 *   - A SIGNAL may carry a payload of up to HY_SCHED_PAYLOAD bytes, copied when it is posted, so
 *     its source may be reused at once; the matching WAIT copies it to a local place or reduces it
 *     into one. Payload needs no other protection against early reuse.
 *   - A SIGNAL may *expose* a region: from then on until the peer signals back that it is finished,
 *     the peer may GET from, PUT into or REDUCE from that region of ours.
 *   - PUT, GET and REDUCE from a peer's memory are complete when the step is over; a SIGNAL after
 *     them is seen by its receiver after their effect (release/acquire).
 *   - When a schedule is over on a rank, its OUT holds the result, its regions belong to the caller
 *     again and no peer touches them any more.
 */
#ifndef HY_SCHED_SCHEDULE_H
#define HY_SCHED_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HY_SCHED_PAYLOAD 4096
#define HY_SCHED_DEPTH 16

typedef enum hy_region {
    HY_NONE,
    HY_IN,  /* the caller's input, read only */
    HY_OUT, /* the caller's result; in-place operations have only this one */
    HY_TMP, /* scratch of schedule.tmp_bytes, contents undefined at the start */
} hy_region;

typedef enum hy_step_kind {
    HY_STEP_SIGNAL, /* tell peer; with payload [local, len) when len > 0; or exposing `local` */
    HY_STEP_WAIT,   /* take peer's next signal; payload of len to `local`; or its region `remote` */
    HY_STEP_PUT,    /* peer's remote[remote_off] = local[local_off], len bytes */
    HY_STEP_GET,    /* local[local_off] = peer's remote[remote_off], len bytes */
    HY_STEP_COPY,   /* local[local_off] = remote[remote_off], both of this rank */
    HY_STEP_REDUCE, /* local[local_off] op= remote[remote_off] of `peer` (or own: peer == rank) */
} hy_step_kind;

/* flags of a step */
enum {
    HY_STEP_EXPOSE = 1, /* SIGNAL: expose region `local`; WAIT: learn peer's region `remote` */
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

typedef enum hy_coll {
    HY_COLL_BARRIER,
    HY_COLL_BCAST,
    HY_COLL_REDUCE,
    HY_COLL_ALLREDUCE,
    HY_COLL_COUNT
} hy_coll;

/* What is to be done; equal on all members but for `rank`. */
typedef struct hy_shape {
    hy_coll coll;
    int32_t rank, size, root;
    uint64_t bytes; /* of OUT; a multiple of unit */
    uint32_t unit;  /* bytes of an element, at least 1; slices are cut between elements */
} hy_shape;

typedef struct hy_schedule {
    hy_shape shape;
    const struct hy_algorithm *algorithm;
    uint64_t tmp_bytes;
    uint32_t count, capacity;
    hy_step *steps;
} hy_schedule;

/* Parameters of the cost formulas, LogGP in nanoseconds: see cost.h. */
struct hy_cost_model;

/* One generator. Rows of hy_algorithms[]. */
typedef struct hy_algorithm {
    const char *name; /* "binomial", unique within its collective */
    const char *title;
    hy_coll coll;
    bool (*applies)(const hy_shape *shape);
    /* Emits the steps of shape->rank. 0, or HAYATE_ERR_NO_MEMORY. */
    int (*build)(hy_schedule *schedule);
    /* Predicted nanoseconds until the last rank is through; the formula stands above it. */
    double (*cost)(const struct hy_cost_model *model, const hy_shape *shape);
} hy_algorithm;

extern const hy_algorithm *const hy_algorithms[]; /* NULL-terminated */

const char *hy_coll_name(hy_coll coll);

/* By name ("binomial") within a collective; NULL when there is none. */
const hy_algorithm *hy_algorithm_find(hy_coll coll, const char *name);

/* Cheapest applicable algorithm under the model; never NULL for a valid shape. */
const hy_algorithm *hy_algorithm_choose(const struct hy_cost_model *model, const hy_shape *shape);

/* Builds the schedule of shape->rank. ARGUMENT when the algorithm does not apply. */
int hy_schedule_build(hy_schedule *schedule, const hy_algorithm *algorithm, const hy_shape *shape);
void hy_schedule_release(hy_schedule *schedule);

#endif
