/* SPDX-License-Identifier: Apache-2.0 */
/* The life of a run: start, progress, completion. */
#include <stdlib.h>

#include "coll/limits.h"
#include "job/await.h"
#include "job/flight.h"
#include "net/delegated/offload.h"
#include "pcoll/operation.h"

/* When an operation with a progress thread is started, the caller leaves larger moves to the
 * thread. */
#define START_MOST 4096

/* ---- progress ---- */

/* Completes the run; called by the thread that has claimed it. The reason of an error is stored
 * with it, because another thread may collect the result. */
static void settle(hy_pcoll *op, int result)
{
    op->result = result;
    hy_flight_over(op->all->comms->job->flight, op->flight, result);
    if (result < 0) {
        free(op->reason);
        op->reason = strdup(hayate_error());
        op->failed_rank = hayate_error_peer();
        op->failed = result;
    }
    hy_store_release(&op->state, HY_PCOLL_DONE);
}

/* Inlined: the call would be measurable in a run that is complete at once. */
static inline __attribute__((always_inline)) int go_on(hy_pcoll *op, uint64_t most)
{
    if (op->progress == HY_PROGRESS_DELEGATED)
        return hy_comms_step(op->all->comms, hy_pcoll_offloaded(op));
    return hy_comms_step(op->all->comms, hy_wired_run(&op->wired, most));
}

static hy_wanted operation_wanted(const hy_work *work)
{
    const hy_pcoll *op = hy_pcoll_of(work);
    bool runs = hy_load_acquire(&op->state) == HY_PCOLL_RUNNING && !hy_load_acquire(&op->all->stop);
    return runs ? HY_WORK_READY : HY_WORK_RESTS;
}

/* Advances the run as far as possible now. It may call a function of the program, which may do
 * anything: wait, close, prepare. */
static void operation_step(hy_work *work)
{
    hy_pcoll *op = hy_pcoll_of(work);
    int rc = HAYATE_IN_PROGRESS;
    if (hy_load_acquire(&op->state) == HY_PCOLL_RUNNING) rc = go_on(op, UINT64_MAX);
    if (rc != HAYATE_IN_PROGRESS) {
        settle(op, rc);
        hy_bell_ring(op->all->comms->job->bell); /* another thread of this process may wait */
    }
    hy_work_release(work);
}

hy_worker hy_pcolls_worker(void)
{
    return (hy_worker){.wanted = operation_wanted, .step = operation_step};
}

void hy_pcoll_list(hy_pcoll *op)
{
    static const uint8_t by[] = {[HY_PROGRESS_CALLER] = HY_BY_OWNERS,
                                 [HY_PROGRESS_CALLS] = HY_BY_CALLS,
                                 [HY_PROGRESS_THREAD] = HY_BY_THREAD,
                                 [HY_PROGRESS_DELEGATED] = 0}; /* nobody but its caller */
    hy_worklist_add(&op->all->comms->job->background, &op->work, &op->all->worker,
                    by[op->progress]);
}

/* ---- start ---- */

static int operation_refuse(const hy_pcoll *op)
{
    int rc = hy_comms_check(op->all->comms);
    if (rc) return rc;
    if (op->failed)
        return hy_fail_peer(op->failed, op->failed_rank,
                            "an earlier run of this operation failed: %s",
                            op->reason ? op->reason : "no memory for the reason");
    if (hy_load_acquire(&op->state) != HY_PCOLL_IDLE)
        return hy_fail(HAYATE_ERR_BUSY, "the operation is started already: wait for its run first");
    return HAYATE_OK;
}

/* The flight recorder is on. */
static void record(hy_pcoll *op)
{
    hy_awaited what = {.peer = -1};
    hy_job *job = hy_pcoll_tell(op, &what);
    if (hy_coll_has_root(op->shape.coll))
        what.peer = hy_group_member(&op->comm->group, op->shape.root);
    op->flight = hy_flight_begin(job->flight, &what);
}

int hy_pcoll_start(hy_pcoll *op)
{
    hy_job *job = op->all->comms->job;
    if (hy_unlikely(op->failed || hy_load_relaxed(&op->state) != HY_PCOLL_IDLE ||
                    hy_load_relaxed(&op->all->comms->closed) || hy_load_relaxed(&job->closed)))
        return operation_refuse(op);
    if (op->in.copied_in) hy_buffer_read(&op->in.buffer, 0, op->in.shadow, op->in.bytes);
    if (op->out.copied_in) hy_buffer_read(&op->out.buffer, 0, op->out.shadow, op->out.bytes);
    hy_count(job->counters, HY_COUNT_COLLECTIVES, 1);
    hy_wired_start(&op->wired);
    if (hy_unlikely(job->flight != NULL)) record(op);
    /* Nobody else works on it before it is RUNNING. */
    bool threaded = op->progress == HY_PROGRESS_THREAD;
    bool delegated = op->progress == HY_PROGRESS_DELEGATED;
    int rc = delegated ? hy_offload_start(job->delegate, op->handle)
                       : go_on(op, threaded ? START_MOST : UINT64_MAX);
    if (delegated && !rc) rc = HAYATE_IN_PROGRESS;
    if (rc != HAYATE_IN_PROGRESS) {
        settle(op, rc);
        return HAYATE_OK;
    }
    hy_store_release(&op->state, HY_PCOLL_RUNNING);
    if (op->progress == HY_PROGRESS_CALLS) hy_worklist_wake(&job->background);
    if (threaded) {
        atomic_thread_fence(memory_order_seq_cst); /* store RUNNING before checking for a sleeper */
        hy_bell_ring(&op->all->bell);
    }
    return HAYATE_OK;
}

/* ---- completion ---- */

static int operation_collect(hy_pcoll *op)
{
    int result = op->result;
    if (hy_likely(result == HAYATE_OK)) {
        const hy_fold *fold = &op->wired.fold;
        if (hy_unlikely(fold->normal != NULL))
            fold->normal(op->wired.base[HY_OUT], op->out.bytes / fold->unit);
        if (op->out.copied_out) hy_buffer_write(&op->out.buffer, 0, op->out.shadow, op->out.bytes);
    } else if (op->reason) {
        hy_fail_peer(result, op->failed_rank, "%s", op->reason);
    }
    hy_store_relaxed(&op->state, HY_PCOLL_IDLE);
    return result;
}

int hy_pcoll_run(hy_pcoll *op)
{
    int rc = hy_pcoll_start(op);
    if (rc) return rc;
    bool complete = hy_load_acquire(&op->state) == HY_PCOLL_DONE && op->result == HAYATE_OK;
    return complete ? operation_collect(op) : HAYATE_IN_PROGRESS;
}

static int abandoned(const hy_pcoll *op)
{
    int member = hy_wired_abandoned(&op->wired);
    if (member < 0) return HAYATE_OK;
    int rank = hy_group_member(&op->comm->group, member);
    return hy_fail_peer(HAYATE_ERR_PEER_FAILED, rank,
                        "rank %d has closed its side of the operation that this rank started",
                        rank);
}

/* The state of a caller that tests or waits. */
typedef struct ending {
    hy_pcoll *op;
    bool ours; /* claimed: no other thread works on it */
} ending;

static int step_ending(void *context)
{
    ending *e = context;
    hy_pcoll *op = e->op;
    if (!e->ours) {
        bool done = hy_load_acquire(&op->state) == HY_PCOLL_DONE;
        if (done || !hy_work_claim(&op->work)) return done ? HAYATE_OK : HAYATE_IN_PROGRESS;
        e->ours = true;
        if (hy_load_acquire(&op->state) != HY_PCOLL_RUNNING) return HAYATE_OK;
    }
    return go_on(op, UINT64_MAX);
}

/* Advances other operations, and checks whether this one can still complete. */
static int idle_ending(void *context)
{
    const ending *e = context;
    hy_pcoll *op = e->op;
    hy_comms *comms = op->all->comms;
    if (!e->ours) {
        hy_far_poll(comms->job);
        return HAYATE_OK;
    }
    bool delegated = op->progress == HY_PROGRESS_DELEGATED;
    int lost = delegated ? hy_offload_check(comms->job->delegate) : HAYATE_OK;
    if (lost) return lost;
    int member = delegated ? -1 : hy_wired_peer(&op->wired),
        peer = member < 0 ? -1 : hy_group_member(&op->comm->group, member);
    hy_worklist_step(&comms->job->background, HY_BY_OWNERS);
    int rc = hy_comms_idle_together(comms, op->comm, peer);
    return rc ? rc : abandoned(op);
}

hy_job *hy_pcoll_tell(const hy_pcoll *op, hy_awaited *awaited)
{
    hy_comm_tell(op->all->comms, op->comm, -1, awaited);
    awaited->kind = HY_AWAITED_PERSISTENT;
    awaited->what = (uint8_t)op->shape.coll;
    awaited->bytes = op->shape.bytes;
    awaited->number = op->wired.run;
    return op->all->comms->job;
}

/* Only the thread that works on the run knows the peer. */
static void tell_ending(const void *context, hy_awaited *awaited)
{
    const ending *e = context;
    hy_pcoll *op = e->op;
    hy_pcoll_tell(op, awaited);
    int member = e->ours && op->progress != HY_PROGRESS_DELEGATED ? hy_wired_peer(&op->wired) : -1;
    if (member >= 0) awaited->peer = hy_group_member(&op->comm->group, member);
}

static int operation_end(hy_pcoll *op, uint32_t turns, const hy_limit *limit)
{
    uint32_t state = hy_load_acquire(&op->state);
    if (state == HY_PCOLL_IDLE) return HAYATE_OK;
    if (state == HY_PCOLL_DONE) return operation_collect(op);
    ending e = {.op = op};
    int rc = hy_job_await(&(hy_await){.job = op->all->comms->job,
                                      .step = step_ending,
                                      .idle = idle_ending,
                                      .tell = tell_ending,
                                      .context = &e,
                                      .poll = hy_far_poll,
                                      .position = &op->wired.next,
                                      .turns = turns,
                                      .limit = limit});
    if (e.ours) {
        bool running = hy_load_acquire(&op->state) == HY_PCOLL_RUNNING;
        if (running && rc != HAYATE_IN_PROGRESS) settle(op, rc);
        hy_work_release(&op->work);
    }
    return rc == HAYATE_IN_PROGRESS ? rc : operation_collect(op);
}

int hy_pcoll_test(hy_pcoll *op)
{
    return operation_end(op, 1, NULL);
}

int hy_pcoll_wait(hy_pcoll *op, bool bounded)
{
    return operation_end(op, bounded ? op->all->comms->spin_limit : 0, NULL);
}

int hy_pcoll_wait_for(hy_pcoll *op, const hy_limit *limit)
{
    return operation_end(op, 0, limit);
}

int hy_pcoll_wait_limited(hy_pcoll *op)
{
    hy_limit limit;
    int rc = operation_end(op, 0, hy_limits_of(&op->all->comms->limits, &limit));
    if (rc != HAYATE_IN_PROGRESS) return rc;
    return hy_fail(HAYATE_ERR_TIMED_OUT,
                   "the time limit of %.3g s is over: the %s is not complete; it goes on, and can "
                   "be waited for again",
                   (double)limit.ns / 1e9, hy_coll_name(op->shape.coll));
}

void hy_pcoll_progress(hy_comms *comms)
{
    hy_progress(comms->job);
    hy_worklist_step(&comms->job->background, HY_BY_THREAD);
}

const char *hy_pcoll_describe(const hy_pcoll *op)
{
    return op->description ? op->description : "";
}
