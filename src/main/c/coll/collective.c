/* SPDX-License-Identifier: Apache-2.0 */
/* Runs one ordinary collective: checks the arguments, finds or builds the schedule, prepares the
 * buffers, drives the executor. */
#include "coll/collective.h"

#include "coll/limits.h"
#include "coll/planning.h"
#include "coll/running.h"

/* ---- arguments ---- */

static bool overlap(const uint8_t *a, const uint8_t *b, uint64_t bytes)
{
    return a && b && a < b + bytes && b < a + bytes;
}

static int check_work(const hy_collective_call *call, const hy_reduction *reduction)
{
    if (!reduction || !call->work) return HAYATE_OK;
    if ((uintptr_t)call->work & (reduction->align - 1))
        return hy_fail(HAYATE_ERR_ARGUMENT, "work is not aligned to its elements of %u bytes",
                       reduction->align);
    if (overlap(call->work, call->buffer.address, (uint64_t)call->count * reduction->unit))
        return hy_fail(HAYATE_ERR_ARGUMENT, "work and the buffer overlap");
    return HAYATE_OK;
}

static int check_range(const hy_comm *comm, const hy_collective_call *call,
                       const hy_reduction *reduction)
{
    int64_t bytes, unit = reduction ? reduction->unit : 1;
    if (call->count < 0 || __builtin_mul_overflow(call->count, unit, &bytes))
        return hy_fail(HAYATE_ERR_ARGUMENT, "count %lld: expected 0 or more, %lld bytes each",
                       (long long)call->count, (long long)unit);
    if (call->root < 0 || call->root >= comm->group.size)
        return hy_fail(HAYATE_ERR_ARGUMENT, "root %d: expected 0 to %d", call->root,
                       comm->group.size - 1);
    if (call->count > 0 && !call->buffer.address && !call->buffer.managed)
        return hy_fail(HAYATE_ERR_ARGUMENT, "the buffer is null but its count is %lld",
                       (long long)call->count);
    if (reduction && (uintptr_t)call->buffer.address & (reduction->align - 1))
        return hy_fail(HAYATE_ERR_ARGUMENT, "the buffer is not aligned to its elements of %u bytes",
                       reduction->align);
    return check_work(call, reduction);
}

/* ---- running ---- */

static bool is_read(const hy_comm *comm, const hy_collective_call *call)
{
    return call->coll != HY_COLL_BCAST || call->root == comm->group.rank;
}

static bool is_changed(const hy_comm *comm, const hy_collective_call *call)
{
    bool root = call->root == comm->group.rank;
    if (call->coll == HY_COLL_BCAST) return !root;
    return call->coll == HY_COLL_ALLREDUCE || root;
}

/* The caller's work replaces the communicator's scratch memory, if it can. */
static int place_work(hy_comm *comm, const hy_collective_call *call, uint64_t bytes,
                      const hy_plan *plan)
{
    uint64_t need = plan->schedule.tmp_bytes;
    if (!call->work || need > bytes ||
        (hy_plan_exposes(plan, HY_TMP) && !hy_reachable(comm->group.job, call->work, need)))
        return hy_place_tmp(comm, plan);
    comm->exec.base[HY_TMP] = call->work;
    comm->exec.bytes[HY_TMP] = need;
    return HAYATE_OK;
}

static hy_plan_wish wish_of(const hy_collective_call *call)
{
    return (hy_plan_wish){call->shared, call->hint};
}

/* Not inlined: a shape in memory would be cleared in each call. */
__attribute__((noinline)) static int plan_new(hy_comms *comms, hy_comm *comm,
                                              const hy_collective_call *call, uint32_t unit,
                                              hy_plan **plan)
{
    const hy_shape shape = {.coll = call->coll,
                            .rank = comm->group.rank,
                            .size = comm->group.size,
                            .root = call->root,
                            .bytes = (uint64_t)call->count * unit,
                            .unit = unit,
                            .boxes = hy_comm_boxes(comm),
                            .nodes = comm->nodes};
    return hy_plan_make(comms, comm, &shape, wish_of(call), plan);
}

/* A call that is not like the last one of its plan. */
__attribute__((noinline)) static int prepare(hy_comms *comms, hy_comm *comm,
                                             const hy_collective_call *call,
                                             const hy_reduction *reduction, hy_plan **plan)
{
    uint32_t unit = reduction ? reduction->unit : 1;
    int rc = check_range(comm, call, reduction);
    if (!rc && !*plan) rc = plan_new(comms, comm, call, unit, plan);
    if (rc) return rc;
    hy_running_side *out = &comm->running.out;
    hy_side_set(out, &call->buffer, (uint64_t)call->count * unit, false);
    rc = hy_place_side(comm, HY_OUT, out, hy_plan_exposes(*plan, HY_OUT), is_read(comm, call));
    if (out->shadow) out->changed = is_changed(comm, call);
    (*plan)->checked = !rc && !out->shadow && !call->buffer.managed;
    return rc;
}

static hy_plan_memory memory_of(const hy_collective_call *call)
{
    return (hy_plan_memory){.out = call->buffer.address,
                            .work = call->work,
                            .count = call->count,
                            .in_limit = -1,
                            .out_limit = -1,
                            .op = call->op};
}

/* Another call than the one before. Not inlined: see drive_on() in running.c. */
__attribute__((noinline)) static int collective_start(hy_comms *comms, hy_comm *comm,
                                                      const hy_collective_call *call)
{
    const hy_plan_memory memory = memory_of(call);
    const hy_reduction *reduction = NULL;
    comm->plans.latest = NULL; /* what its run has placed is replaced, perhaps only in part */
    if (hy_coll_reduces(call->coll) && !(reduction = hy_reduction_find(comms, call->op)))
        return HAYATE_ERR_ARGUMENT;
    uint32_t unit = reduction ? reduction->unit : 1;
    const uint64_t bytes = (uint64_t)call->count * unit;
    hy_plan *plan = NULL;
    int rc = HAYATE_OK;
    if (hy_likely((uint64_t)call->count <= UINT32_MAX)) /* no overflow above */
        plan = hy_plans_find_by(&comm->plans, call->coll, call->root, unit, bytes, wish_of(call));
    if (hy_likely(plan && hy_plan_has_checked(plan, &memory))) {
        hy_side_set(&comm->running.out, &call->buffer, bytes, false);
        comm->exec.base[HY_OUT] = call->buffer.address;
        comm->exec.bytes[HY_OUT] = bytes;
    } else {
        rc = prepare(comms, comm, call, reduction, &plan);
        if (hy_unlikely(rc)) return rc;
        plan->last = memory;
    }
    if (!rc && plan->schedule.tmp_bytes) rc = place_work(comm, call, bytes, plan);
    if (!rc) hy_running_start(comms, comm, plan, reduction, call->op, NULL);
    return rc;
}

int hy_collective(hy_comms *comms, int number, const hy_collective_call *call, bool bounded)
{
    hy_comm *comm = hy_comm_find(comms, number);
    if (hy_unlikely(!comm)) return HAYATE_ERR_ARGUMENT;
    int rc = hy_comm_acquire(comms, comm, number);
    if (hy_unlikely(rc)) return rc;
    const hy_plan_memory memory = memory_of(call);
    if (hy_plans_repeat(&comm->plans, comm->exec.schedule, call->coll, call->root, wish_of(call),
                        &memory))
        hy_running_repeat(comms, comm);
    else rc = collective_start(comms, comm, call);
    if (hy_unlikely(rc)) return hy_running_give_up(comm, rc);
    hy_count(comms->job->counters, HY_COUNT_COLLECTIVES, 1);
    return hy_collective_drive(comms, comm, bounded ? comms->spin_limit : 0);
}

int hy_collective_test(hy_comms *comms, int number, bool interrupted)
{
    hy_comm *comm = hy_comm_find(comms, number);
    if (!comm) return HAYATE_ERR_ARGUMENT;
    if (!hy_busy_owned(&comm->busy))
        return hy_fail(HAYATE_ERR_STATE, "no collective is under way on communicator %d", number);
    int rc = hy_collective_drive(comms, comm, 1);
    if (rc != HAYATE_IN_PROGRESS || !interrupted) return rc;
    return hy_running_over(comm, hy_limits_interrupted(comms, comm));
}

int hy_collective_step(hy_comms *comms, int number)
{
    hy_comm *comm = hy_comm_find(comms, number);
    if (!comm) return HAYATE_ERR_ARGUMENT;
    int rc = hy_comms_step(comms, hy_exec_run(&comm->exec));
    return rc == HAYATE_IN_PROGRESS ? rc : hy_running_over(comm, rc);
}
