/* SPDX-License-Identifier: Apache-2.0 */
/* Communicators. Each has separate channels, so that its collectives never receive messages of
 * another communicator, nor point-to-point messages. A communicator runs one collective at a
 * time: a second caller gets BUSY. Persistent collectives (pcoll) have separate lines and do not
 * count. After a failure in the middle of a collective, the channels may hold messages of that
 * collective; the communicator then refuses further use, and the other members are told
 * (coll/compare.h). */
#ifndef HY_COLL_COMM_H
#define HY_COLL_COMM_H

#include "base/buffer.h"
#include "base/busy.h"
#include "base/handles.h"
#include "base/worklist.h"
#include "choose/choose.h"
#include "coll/plans.h"
#include "coll/reductions.h"
#include "exec/exec.h"
#include "sched/nodes.h"

/* Memory from the heap, grown on demand, and kept. */
typedef struct hy_stock {
    uint8_t *memory;
    uint64_t bytes;
} hy_stock;

/* The caller's memory on one side of a collective that is under way. */
typedef struct hy_running_side {
    hy_buffer buffer;
    uint64_t bytes;
    uint8_t *shadow; /* replaces a buffer that peers cannot access, or NULL */
    bool changed;    /* the shadow is copied back at the end */
    bool retained;
} hy_running_side;

/* A collective that is under way; in-place collectives have only `out`, and `in` is {0}. */
typedef struct hy_running {
    hy_running_side in, out;
} hy_running;

/* A collective that continues in the background: coll/background.h. */
typedef struct hy_started {
    hy_work work;           /* claimed by the thread that steps it */
    _Atomic uint32_t state; /* a release store of HY_STARTED_OVER publishes the failure */
    hy_failure failure;     /* code 0: it has succeeded */
    _Atomic uint32_t start; /* of a C program's request (fmpl/fmpl_started.h); 0: none */
} hy_started;

enum { HY_STARTED_NONE, HY_STARTED_RUNS, HY_STARTED_OVER };

/* For how long a member has been waiting in its call: coll/compare.h. */
typedef struct hy_waiting {
    uint64_t call; /* exec.number */
    bool told;     /* the other members know in which call it is */
    uint64_t since_ns;
    uint64_t asked_ns; /* when it last asked whether its thread was interrupted */
} hy_waiting;

/* How long blocking collectives wait: coll/limits.h. */
typedef struct hy_limits {
    _Atomic uint64_t limit_ns; /* 0: no limit */
    bool (*interrupted)(void); /* whether the calling thread is; NULL: threads never are */
} hy_limits;

#define HY_SPLIT_PARTS 4 /* communicators that a split makes at once, at most */

typedef struct hy_comm hy_comm;
struct hy_comm {
    HY_ALIGNED _Atomic uint32_t busy; /* owned as well while nobody can find it */
    int number;                       /* its own; -1: it was freed, or is being created */
    _Atomic uint32_t persistent;      /* operations prepared on it */
    int broken;          /* the error of all calls since a collective failed on it, or 0 */
    uint64_t generation; /* of the last communicator of survivors when it was made: coll/shrink.h */
    hy_comm *next;       /* of those that were freed */
    uint64_t flight;     /* of the collective under way, in the flight recorder; 0: none */
    hy_group group;
    hy_nodes *nodes; /* which members share a node; NULL: all */
    hy_exec exec;
    hy_choices choices;
    hy_choices measured; /* those by measurement: pcoll/measured.h */
    hy_plans plans;
    hy_running running;
    hy_started started;
    hy_waiting waiting;
    hy_stock tmp, in_shadow, out_shadow;
    hy_block *blocks;         /* of an uneven call, [2 * group.size]; NULL: not needed so far */
    hy_group_record *records; /* for a split, [group.size * HY_SPLIT_PARTS]: it needs no memory to
                                 tell that there is none */
};

/* For hy_shape.boxes. */
static inline uint32_t hy_comm_boxes(const hy_comm *comm)
{
    return comm->exec.cells.boxes ? HY_SCHED_BOX : 0;
}

/* What a layer above stores with the communicators, and what it does when they are closed. */
typedef struct hy_extension hy_extension;
struct hy_extension {
    void (*close)(hy_extension *extension);
    void (*free)(hy_extension *extension); /* before the communicators */
};

/* All communicators of a rank, and their common state. */
typedef struct hy_comms {
    hy_job *job;
    _Atomic uint32_t closed;
    uint32_t spin_limit; /* polls of a call that must not block (virtual threads) */
    hy_model model;      /* for all choices; the same on all ranks */
    uint64_t model_digest;
    hy_limits limits;
    pthread_mutex_t lock; /* for changes of the following; not held during waits */
    hy_handles table;     /* of hy_comm; [FMPL_COMM_WORLD] always exists */
    hy_comm *spare;       /* freed, for the next ones */
    hy_reduction user[HY_USER_REDUCTIONS];
    hy_extension *_Atomic extension; /* NULL: not needed so far */
    hy_worker worker;                /* of hy_comm.started */
    _Atomic uint32_t starts;         /* for hy_started.start */
} hy_comms;

/* Collective set-up over all ranks of the job. The caller has entered it (job/setup.h). */
int hy_comms_open(hy_comms **comms, hy_job *job, uint32_t spin_limit);
/* Ends everything under way with CLOSED. MISMATCH: it is closed, and the members of a communicator
 * have not made the same calls: hy_comm_end() (coll/compare.h). */
int hy_comms_close(hy_comms *comms);
void hy_comms_free(hy_comms *comms);

/* Collective set-up over all ranks of the job. Threads of a rank enter one after the other, all
 * ranks in the same order. *comm becomes FMPL_COMM_NULL on ranks that do not join. CLOSED, also
 * if closed meanwhile. */
int hy_comm_create(hy_comms *comms, bool join, int *comm);
/* Collective over the communicator `from`: its members with the same color become a communicator
 * of their own, ordered by key, then by their order in `from`. *comm becomes FMPL_COMM_NULL where
 * color is below 0. If it fails on one member it fails on all. Other errors as for a collective;
 * after PEER_FAILED, MISMATCH or CLOSED, `from` is broken. */
int hy_comm_split(hy_comms *comms, int from, int color, int key, int *comm);
/* Local; when all members have called it, its memory is free: each rank finds out when it next
 * creates or frees one, or when its heap is full. BUSY while a collective is under
 * way or persistent operations are prepared on the communicator. MISMATCH: it is freed, and its
 * members have not made the same calls: hy_comm_end() (coll/compare.h). */
int hy_comm_free(hy_comms *comms, int comm);

/* Frees what a communicator has that nobody can find any more, and that the caller owns. Another
 * thread that had found it before may still look at its first line: it sees that it has an owner,
 * or, in the next communicator that gets this memory, another number. */
void hy_comm_destroy(hy_comms *comms, hy_comm *comm);

/* NULL: no such communicator; ARGUMENT with a reason. */
hy_comm *hy_comm_missing(int comm);
static inline hy_comm *hy_comm_find(hy_comms *comms, int number)
{
    hy_comm *comm = hy_handles_get(&comms->table, number);
    return hy_likely(comm != NULL) ? comm : hy_comm_missing(number);
}

/* CLOSED if the communicators or the job are closed. */
int hy_comms_fail_closed(void);
static inline int hy_comms_check(const hy_comms *comms)
{
    bool closed = hy_load_relaxed(&comms->closed) || hy_load_relaxed(&comms->job->closed);
    return hy_unlikely(closed) ? hy_comms_fail_closed() : HAYATE_OK;
}

/* Whether a communicator of survivors has replaced it: its members may have gone on without it. */
static inline bool hy_comm_is_replaced(const hy_comm *comm)
{
    return comm->generation < hy_load_relaxed(&comm->group.job->survival.generation);
}

/* Whether a collective on it has failed after it had begun. Asked by its owner, or after it. */
static inline bool hy_comm_is_broken(hy_comms *comms, int number)
{
    const hy_comm *comm = hy_comm_find(comms, number);
    return comm && comm->broken;
}

/* Acquires the right to use a communicator, for one thread at a time. ARGUMENT: another thread has
 * freed it since it was found; what is in it must not be looked at before. BUSY,
 * CLOSED, or the error that broke it; BROKEN if a member had given up (coll/limits.h). */
int hy_comm_refuse(hy_comm *comm, int number);
static inline int hy_comm_acquire(hy_comms *comms, hy_comm *comm, int number)
{
    if (hy_unlikely(!hy_busy_take(&comm->busy)))
        return hy_fail(HAYATE_ERR_BUSY,
                       "a collective is already under way on communicator %d: wait for it", number);
    int rc = hy_comms_check(comms);
    if (hy_unlikely(rc || comm->number != number || comm->broken)) {
        if (!rc) rc = hy_comm_refuse(comm, number);
        hy_busy_leave(&comm->busy);
    }
    return rc;
}
static inline void hy_comm_release(hy_comm *comm)
{
    hy_busy_leave(&comm->busy);
}

/* Frees the idle eager buffers of the communicators that are not in use; never waits. Returns
 * the number of bytes. */
uint64_t hy_comms_trim(hy_comms *comms);

/* The slow turn of a wait for a rank of the job (-1: for no particular rank). CLOSED,
 * PEER_FAILED, or OK. Makes progress on background operations. */
int hy_comms_idle(hy_comms *comms, int peer);

/* The same for operations on a communicator, which the death of any rank ends. A death is reported
 * rather than that `peer` has left: most often it left because of the death. BROKEN: a communicator
 * of survivors has replaced it. */
int hy_comms_idle_together(hy_comms *comms, const hy_comm *comm, int peer);

/* Tells the communicator, the number of its collective, and the member that a wait is for (-1:
 * none in particular): job/waits.h. */
void hy_comm_tell(hy_comms *comms, const hy_comm *comm, int member, hy_awaited *awaited);

/* For a PEER_FAILED from a path: a copy fails as soon as a rank is gone, and that rank may have
 * left because another rank died. In that case the error names the rank that died. Waits at most
 * a second until all ranks know of the end. */
int hy_comms_cause(hy_comms *comms);

/* Applies hy_comms_cause() to the result of a step. */
static inline int hy_comms_step(hy_comms *comms, int result)
{
    return hy_unlikely(result == HAYATE_ERR_PEER_FAILED) ? hy_comms_cause(comms) : result;
}

/* User functions. Their numbers are used as `op`, like those of the predefined reductions. */
int hy_function_create(hy_comms *comms, hy_reduce apply, size_t unit, void *context, int *op);
/* *context (may be NULL) becomes the context that was passed to hy_function_create(). */
int hy_function_free(hy_comms *comms, int op, void **context);
const hy_reduction *hy_reduction_find(hy_comms *comms, int op);

/* The communicators of the C API's FMPL; NULL: STATE. */
hy_comms *hy_process_comms(void);
void hy_process_comms_set(hy_comms *comms);

/* Whether every member of any communicator can access this memory when a schedule exposes it. */
bool hy_reachable(const hy_job *job, const uint8_t *memory, uint64_t bytes);

#endif
