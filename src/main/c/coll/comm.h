/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Communicators. Each has its own channels, so that collectives of two communicators never meet
 * each other's messages or point-to-point ones. A communicator runs one collective at a time: a
 * second caller gets BUSY; persistent ones (pcoll) have lines of their own and do not count. After
 * a failure in the middle of a collective its channels may hold messages of the broken one; the
 * communicator then refuses further use.
 */
#ifndef HY_COLL_COMM_H
#define HY_COLL_COMM_H

#include "base/busy.h"
#include "base/buffer.h"
#include "coll/plans.h"
#include "coll/reductions.h"
#include "sched/choose.h"
#include "exec/exec.h"
#include "sched/nodes.h"

#define HY_MAX_COMMS 64

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
    _Atomic uint32_t persistent; /* operations prepared on it */
    int broken;                  /* the code it failed with */
    hy_group group;
    hy_nodes *nodes; /* who shares a node; NULL: all do */
    hy_exec exec;
    hy_choices choices;
    hy_plans plans;
    hy_running running;
    uint8_t *tmp, *shadow; /* of the heap, grown on demand, kept */
    uint64_t tmp_bytes, shadow_bytes;
} hy_comm;

/* What a layer above keeps beside the communicators, and what it does at their end. */
typedef struct hy_extension hy_extension;
struct hy_extension {
    void (*close)(hy_extension *extension);
    void (*free)(hy_extension *extension); /* before the communicators */
};

/* All communicators of a rank, and what goes with them. */
typedef struct hy_comms {
    hy_job *job;
    _Atomic uint32_t closed;
    uint32_t spin_limit;  /* polls of a call that must not block (virtual threads) */
    hy_model model;       /* by which everything is chosen; the same on all ranks */
    pthread_mutex_t lock; /* of who changes what follows; not held while anybody waits */
    hy_comm *_Atomic list[HY_MAX_COMMS]; /* [FMPL_COMM_WORLD] is always there */
    hy_reduction user[HY_USER_REDUCTIONS];
    hy_extension *_Atomic extension; /* NULL: none was needed yet */
} hy_comms;

/* Collective set-up over all ranks of the job, by who has entered it (job/setup.h). */
int hy_comms_open(hy_comms **comms, hy_job *job, uint32_t spin_limit);
/* Everything under way ends with CLOSED. */
void hy_comms_close(hy_comms *comms);
void hy_comms_free(hy_comms *comms);

/* Collective set-up over all ranks of the job; threads of a rank do so one after the other, and all
 * ranks in the same order. *comm is FMPL_COMM_NULL for those that do not join. CLOSED, also by a
 * close meanwhile. */
int hy_comm_create(hy_comms *comms, bool join, int *comm);
/* Local; when all members have done so nothing of it is left. BUSY while a collective is under way
 * or persistent operations are prepared on it. */
int hy_comm_free(hy_comms *comms, int comm);

/* NULL: ARGUMENT. */
hy_comm *hy_comm_find(hy_comms *comms, int comm);

/* CLOSED when the communicators or the job are. */
int hy_comms_check(const hy_comms *comms);

/* The right to use its channels: one thread at a time. BUSY, CLOSED, or the error that broke it. */
int hy_comm_acquire(hy_comms *comms, hy_comm *comm, int number);
static inline void hy_comm_release(hy_comm *comm)
{
    hy_busy_leave(&comm->busy);
}

/* Gives back the eager buffers that nobody waits for, of communicators that are not in use. Waits
 * for nothing. Bytes. */
uint64_t hy_comms_trim(hy_comms *comms);

/* Slow turn of a wait for a rank of the job (-1: for nobody in particular): CLOSED, PEER_FAILED, or
 * OK; works on what goes on in the background. */
int hy_comms_idle(hy_comms *comms, int peer);

/* The same for what the death of any rank ends. Such a death is told before that `peer` has left:
 * most often it left because of that. */
int hy_comms_idle_together(hy_comms *comms, int peer);

/* PEER_FAILED by a path: one that copies finds at once that a rank is gone, which may have left
 * because of a death. Then that is named. Waits, a second at most, until the end of the rank is
 * known to all. */
int hy_comms_cause(hy_comms *comms);

/* The result of a step of such an operation. */
static inline int hy_comms_step(hy_comms *comms, int result)
{
    return hy_unlikely(result == HAYATE_ERR_PEER_FAILED) ? hy_comms_cause(comms) : result;
}

/* User functions: their number is an op like the predefined ones. */
int hy_function_create(hy_comms *comms, hy_reduce apply, size_t unit, void *context, int *op);
/* *context, if wanted, is what was given to create. */
int hy_function_free(hy_comms *comms, int op, void **context);
const hy_reduction *hy_reduction_find(hy_comms *comms, int op);

/* Those of the C API's one FMPL; NULL: STATE. */
hy_comms *hy_process_comms(void);
void hy_process_comms_set(hy_comms *comms);

/* Can every member of any communicator reach this memory if a schedule exposes it? */
bool hy_reachable(const hy_job *job, const uint8_t *memory, uint64_t bytes);

#endif
