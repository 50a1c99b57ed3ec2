/* SPDX-License-Identifier: Apache-2.0 */
/* Runs one ordinary collective: checks the arguments, finds or builds the schedule, prepares the
 * buffers, drives the executor. */
#include "coll/collective.h"

#include "coll/compare.h"
#include "job/await.h"
#include "sched/hint.h"

/* ---- arguments ---- */

static bool overlap(const uint8_t *a, const uint8_t *b, uint64_t bytes)
{
    return a && b && a < b + bytes && b < a + bytes;
}

static int check_work(const hy_collective_call *call, const hy_reduction *reduction)
{
    if (!reduction || !call->work) return HAYATE_OK;
    if ((uintptr_t)call->work % reduction->align)
        return hy_fail(HAYATE_ERR_ARGUMENT, "work is not aligned to its elements of %u bytes",
                       reduction->align);
    if (overlap(call->work, call->buffer.address, (uint64_t)call->count * reduction->unit))
        return hy_fail(HAYATE_ERR_ARGUMENT, "work and the buffer overlap");
    return HAYATE_OK;
}

static int check_range(const hy_comm *comm, const hy_collective_call *call,
                       const hy_reduction *reduction)
{
    uint64_t unit = reduction ? reduction->unit : 1;
    if (call->count < 0 || (uint64_t)call->count > INT64_MAX / unit)
        return hy_fail(HAYATE_ERR_ARGUMENT, "count %lld: expected 0 or more, %llu bytes each",
                       (long long)call->count, (unsigned long long)unit);
    if (call->root < 0 || call->root >= comm->group.size)
        return hy_fail(HAYATE_ERR_ARGUMENT, "root %d: expected 0 to %d", call->root,
                       comm->group.size - 1);
    if (call->count > 0 && !call->buffer.address && !call->buffer.managed)
        return hy_fail(HAYATE_ERR_ARGUMENT, "the buffer is null but its count is %lld",
                       (long long)call->count);
    if (reduction && (uintptr_t)call->buffer.address % reduction->align)
        return hy_fail(HAYATE_ERR_ARGUMENT, "the buffer is not aligned to its elements of %u bytes",
                       reduction->align);
    return check_work(call, reduction);
}

/* ---- schedules ---- */

/* fmpl_hbcast(): all ranks read the root's memory; on other nodes, that of a leader. */
static void hint_shared(const hy_shape *shape, hy_hint *hint, const hy_algorithm **algorithm)
{
    const hy_algorithm *both = hy_algorithm_find(HY_COLL_BCAST, "two_level");
    *algorithm = both->applies(shape) ? both : NULL;
    if (shape->nodes && !*algorithm) return; /* one rank per node: nothing is shared */
    if (!*algorithm) *algorithm = hy_algorithm_find(HY_COLL_BCAST, "linear");
    hint->way = (hy_way){.transfer = HY_TRANSFER_GET, .buffers = HY_BUFFERS_STRAIGHT};
}

/* A caller's hint may be for several collectives, not all of which have its algorithm. */
static const hy_hint *hint_that_fits(const hy_hint *hint, const hy_shape *shape)
{
    const hy_algorithm *found = hint ? hy_algorithm_find(shape->coll, hint->algorithm) : NULL;
    return found && found->applies(shape) ? hint : NULL;
}

static int collective_choose(hy_comms *comms, hy_comm *comm, const hy_shape *shape,
                             hy_plan_wish wish, hy_choice *choice)
{
    hy_hint hint = {0};
    const hy_algorithm *algorithm = NULL;
    int rc = HAYATE_OK;
    if (wish.shared) {
        hint_shared(shape, &hint, &algorithm);
    } else {
        rc = hy_hint_gather(shape, NULL, NULL, hint_that_fits(wish.hint, shape), &hint);
        if (!rc) rc = hy_hint_algorithm(&hint, shape, &algorithm);
    }
    if (rc) return rc;
    rc = hy_choices_get(&comm->choices, &comms->model, shape, false, false, algorithm, &hint.way,
                        choice);
    if (rc != HAYATE_ERR_ARGUMENT) return rc;
    /* The transfer method is one that only persistent collectives have. */
    const hy_way any = {0};
    return hy_choices_get(&comm->choices, &comms->model, shape, false, false, algorithm, &any,
                          choice);
}

static int make_plan(hy_comms *comms, hy_comm *comm, const hy_shape *shape, hy_plan_wish wish,
                     hy_plan **plan)
{
    hy_choice choice;
    hy_schedule schedule;
    int rc = collective_choose(comms, comm, shape, wish, &choice);
    if (!rc) rc = hy_schedule_build(&schedule, choice.algorithm, shape, &choice.way);
    return rc ? rc : hy_plans_add(&comm->plans, &schedule, wish, plan);
}

static int find_plan(hy_comms *comms, hy_comm *comm, const hy_shape *shape, hy_plan_wish wish,
                     hy_plan **plan)
{
    *plan = hy_plans_find(&comm->plans, shape, wish);
    return hy_likely(*plan != NULL) ? HAYATE_OK : make_plan(comms, comm, shape, wish, plan);
}

/* ---- buffers ---- */

static int collective_grow(hy_job *job, uint8_t **memory, uint64_t *have, uint64_t want)
{
    if (hy_likely(*have >= want)) return HAYATE_OK;
    if (*memory) hy_job_release(job, *memory);
    *have = 0;
    *memory = hy_job_alloc(job, want);
    if (!*memory) return HAYATE_ERR_NO_MEMORY;
    *have = want;
    return HAYATE_OK;
}

/* Up to this length, a copy into the heap and back is faster than single copies by the kernel. */
#define SHADOW_BYTES (UINT64_C(1) << 20)

static bool is_slow_to_reach(const hy_job *job, const uint8_t *memory, uint64_t bytes)
{
    uint64_t limit = job->cma_from < SHADOW_BYTES ? job->cma_from : SHADOW_BYTES;
    return bytes < limit && !job->single_forced &&
           hy_job_offset(job, memory, bytes) == HY_NOT_IN_HEAP;
}

static bool needs_shadow(const hy_job *job, const hy_buffer *buffer, uint64_t bytes, bool exposed)
{
    return bytes && (buffer->managed || (exposed && !hy_reachable(job, buffer->address, bytes)));
}

static bool is_read(const hy_comm *comm, const hy_collective_call *call)
{
    return call->coll != HY_COLL_BCAST || call->root == comm->group.rank;
}

static int take_shadow(hy_comm *comm, const hy_collective_call *call, uint64_t bytes)
{
    int rc = collective_grow(comm->group.job, &comm->shadow, &comm->shadow_bytes, bytes);
    if (rc) return rc;
    if (is_read(comm, call)) hy_buffer_read(&call->buffer, 0, comm->shadow, bytes);
    comm->running.shadow = comm->shadow;
    return HAYATE_OK;
}

/* A shadow buffer from the heap replaces a buffer that has no address, that peers cannot access,
 * or, while the heap has room, that they access slowly. */
static int place_buffer(hy_comm *comm, const hy_collective_call *call, uint64_t bytes, bool exposed)
{
    hy_job *job = comm->group.job;
    uint8_t *memory = call->buffer.address;
    comm->running = (hy_running){
        .coll = call->coll, .buffer = call->buffer, .bytes = bytes, .root = call->root};
    bool needed = needs_shadow(job, &call->buffer, bytes, exposed);
    bool wanted = needed || (bytes && exposed && is_slow_to_reach(job, memory, bytes));
    int rc = wanted ? take_shadow(comm, call, bytes) : HAYATE_OK;
    if (rc && needed) return rc;
    comm->exec.base[HY_OUT] = comm->running.shadow ? comm->running.shadow : memory;
    comm->exec.bytes[HY_OUT] = bytes;
    return HAYATE_OK;
}

static int place_tmp(hy_comm *comm, const hy_collective_call *call, uint64_t bytes,
                     const hy_plan *plan)
{
    hy_job *job = comm->group.job;
    uint64_t need = plan->schedule.tmp_bytes;
    uint8_t *memory = call->work;
    if (!memory || need > bytes || (plan->exposes && !hy_reachable(job, memory, need))) {
        int rc = collective_grow(job, &comm->tmp, &comm->tmp_bytes, need);
        if (rc) return rc;
        memory = comm->tmp;
    }
    comm->exec.base[HY_TMP] = memory;
    comm->exec.bytes[HY_TMP] = need;
    return HAYATE_OK;
}

static bool changes_buffer(const hy_comm *comm, const hy_running *running)
{
    bool root = running->root == comm->group.rank;
    if (running->coll == HY_COLL_BCAST) return !root;
    return running->coll == HY_COLL_ALLREDUCE || root;
}

static void collective_give_back(hy_comm *comm, int rc)
{
    hy_running *running = &comm->running;
    if (running->shadow && rc == HAYATE_OK && changes_buffer(comm, running)) {
        if (running->buffer.managed)
            running->buffer.managed->write(running->buffer.handle, 0, running->shadow,
                                           running->bytes);
        else memcpy(running->buffer.address, running->shadow, running->bytes);
    }
    if (running->retained) running->buffer.managed->release(running->buffer.handle);
    running->retained = false;
    running->shadow = NULL;
}

/* ---- running ---- */

static int over(hy_comm *comm, int rc)
{
    if (rc < 0) rc = hy_comm_break(comm, rc);
    collective_give_back(comm, rc);
    hy_comm_release(comm);
    return rc;
}

typedef struct driving {
    hy_comms *comms;
    hy_comm *comm;
} driving;

static int collective_step(void *context)
{
    const driving *d = context;
    return hy_comms_step(d->comms, hy_exec_run(&d->comm->exec));
}

static int collective_idle(void *context)
{
    const driving *d = context;
    return hy_comm_idle(d->comms, d->comm, hy_exec_peer(&d->comm->exec));
}

static int keep(hy_comm *comm)
{
    hy_buffer *buffer = &comm->running.buffer;
    if (!buffer->managed || comm->running.retained) return HAYATE_IN_PROGRESS;
    void *handle = buffer->managed->retain(buffer->handle);
    if (!handle) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to keep a collective's buffer");
    buffer->handle = handle;
    comm->running.retained = true;
    return HAYATE_IN_PROGRESS;
}

int hy_collective_drive(hy_comms *comms, hy_comm *comm, uint32_t turns)
{
    driving d = {comms, comm};
    int rc = hy_job_await(&(hy_await){.job = comms->job,
                                      .step = collective_step,
                                      .idle = collective_idle,
                                      .context = &d,
                                      .poll = hy_progress,
                                      .position = &comm->exec.next,
                                      .turns = turns});
    if (rc == HAYATE_IN_PROGRESS) rc = keep(comm);
    return rc == HAYATE_IN_PROGRESS ? rc : over(comm, rc);
}

static int collective_start(hy_comms *comms, hy_comm *comm, const hy_collective_call *call,
                            const hy_reduction *reduction)
{
    uint32_t unit = reduction ? reduction->unit : 1;
    const hy_shape shape = {.coll = call->coll,
                            .rank = comm->group.rank,
                            .size = comm->group.size,
                            .root = call->root,
                            .bytes = (uint64_t)call->count * unit,
                            .unit = unit,
                            .nodes = comm->nodes};
    hy_plan *plan;
    int rc = find_plan(comms, comm, &shape, (hy_plan_wish){call->shared, call->hint}, &plan);
    if (rc) return rc;
    rc = place_buffer(comm, call, shape.bytes, plan->exposes);
    if (!rc && plan->schedule.tmp_bytes) rc = place_tmp(comm, call, shape.bytes, plan);
    if (rc) return rc;
    hy_exec *exec = &comm->exec;
    exec->unit = unit;
    exec->reduce = reduction ? reduction->apply : NULL;
    exec->context = reduction ? reduction->context : NULL;
    hy_exec_start(exec, &plan->schedule, hy_plan_mix(plan->hash, (uint32_t)call->op));
    return HAYATE_OK;
}

int hy_collective(hy_comms *comms, int number, const hy_collective_call *call, bool bounded)
{
    hy_comm *comm = hy_comm_find(comms, number);
    if (hy_unlikely(!comm)) return HAYATE_ERR_ARGUMENT;
    const hy_reduction *reduction = NULL;
    if (hy_coll_reduces(call->coll) && !(reduction = hy_reduction_find(comms, call->op)))
        return HAYATE_ERR_ARGUMENT;
    int rc = check_range(comm, call, reduction);
    if (hy_unlikely(rc)) return rc;
    rc = hy_comm_acquire(comms, comm, number);
    if (hy_unlikely(rc)) return rc;
    rc = collective_start(comms, comm, call, reduction);
    if (hy_unlikely(rc)) { /* nothing was sent: the call can be repeated */
        comm->running.shadow = NULL;
        hy_comm_release(comm);
        return rc;
    }
    hy_count(comms->job->counters, HY_COUNT_COLLECTIVES, 1);
    return hy_collective_drive(comms, comm, bounded ? comms->spin_limit : 0);
}

int hy_collective_test(hy_comms *comms, int number)
{
    hy_comm *comm = hy_comm_find(comms, number);
    if (!comm) return HAYATE_ERR_ARGUMENT;
    if (!hy_busy_owned(&comm->busy))
        return hy_fail(HAYATE_ERR_STATE, "no collective is under way on communicator %d", number);
    return hy_collective_drive(comms, comm, 1);
}

int hy_collective_step(hy_comms *comms, int number)
{
    hy_comm *comm = hy_comm_find(comms, number);
    if (!comm) return HAYATE_ERR_ARGUMENT;
    int rc = hy_comms_step(comms, hy_exec_run(&comm->exec));
    return rc == HAYATE_IN_PROGRESS ? rc : over(comm, rc);
}
