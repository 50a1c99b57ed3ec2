/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Communicators. Each has its own channels, so that collectives of two communicators never meet
 * each other's messages or point-to-point ones. A communicator runs one collective at a time: a
 * second caller gets BUSY. After a failure in the middle of a collective its channels may hold
 * messages of the broken one; the communicator then refuses further use.
 */
#ifndef HY_FMPL_COMM_H
#define HY_FMPL_COMM_H

#include "fmpl/context.h"
#include "fmpl/reductions.h"
#include "sched/cost.h"
#include "sched/exec.h"

#define HY_MAX_COMMS 64
#define HY_PLANS 32

/* A schedule that was built before. */
typedef struct hy_plan {
    hy_schedule schedule;
    bool valid, exposes;
    const hy_algorithm *algorithm; /* that was asked for, NULL: the cheapest */
} hy_plan;

/* A collective under way. */
typedef struct hy_running {
    hy_coll coll;
    hy_buffer buffer;
    uint64_t bytes;
    int root;
    uint8_t *shadow; /* stands in for a buffer that peers cannot reach, or NULL */
    bool retained;
} hy_running;

typedef struct hy_comm {
    HY_ALIGNED _Atomic uint32_t busy;
    int broken; /* the code it failed with */
    hy_group group;
    hy_exec exec;
    hy_cost_model model;
    hy_plan plans[HY_PLANS];
    hy_running running;
    uint8_t *tmp, *shadow; /* of the heap, grown on demand, kept */
    uint64_t tmp_bytes, shadow_bytes;
} hy_comm;

typedef struct hy_comms {
    pthread_mutex_t lock;
    hy_comm *list[HY_MAX_COMMS]; /* [FMPL_COMM_WORLD] is always there */
    hy_reduction user[HY_USER_REDUCTIONS];
} hy_comms;

int hy_comms_open(hy_fmpl *fmpl);
void hy_comms_free(hy_fmpl *fmpl);

/* Collective over all ranks of the job. *comm is FMPL_COMM_NULL for those that do not join. */
int hy_comm_create(hy_fmpl *fmpl, bool join, int *comm);
/* Local; when all members have done so nothing of it is left. */
int hy_comm_free(hy_fmpl *fmpl, int comm);

/* NULL: ARGUMENT. */
hy_comm *hy_comm_find(hy_fmpl *fmpl, int comm);

/* User functions: their number is an op like the predefined ones. */
int hy_function_create(hy_fmpl *fmpl, hy_reduce apply, size_t unit, void *context, int *op);
/* *context, if wanted, is what was given to create. */
int hy_function_free(hy_fmpl *fmpl, int op, void **context);
const hy_reduction *hy_reduction_find(hy_fmpl *fmpl, int op);

#endif
