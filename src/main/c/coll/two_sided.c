/* SPDX-License-Identifier: Apache-2.0 */
/* Runs one ordinary collective with separate input and output, like collective.c; also one on a
 * single buffer, for callers that need not be as fast. */
#include <stdlib.h>

#include "coll/collective.h"
#include "coll/planning.h"
#include "coll/running.h"

/* Room for the blocks of an uneven call, so that a repeated call allocates nothing. */
static int take_blocks(hy_comm *comm)
{
    size_t size = (size_t)comm->group.size;
    if (hy_likely(comm->blocks != NULL)) return HAYATE_OK;
    comm->blocks = malloc(2 * size * sizeof *comm->blocks);
    if (comm->blocks) return HAYATE_OK;
    return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for %zu blocks", size);
}

/* A shape that is new, or uneven: everything is checked. */
__attribute__((noinline)) static int check_all(hy_comms *comms, hy_comm *comm,
                                               const hy_arguments *call,
                                               const hy_reduction *reduction, hy_plan **plan)
{
    const hy_plan_wish wish = {0};
    const hy_group *group = &comm->group;
    hy_shape shape = {.rank = group->rank,
                      .size = group->size,
                      .boxes = hy_comm_boxes(comm),
                      .nodes = comm->nodes};
    int rc = call->uneven ? take_blocks(comm) : HAYATE_OK;
    if (rc) return rc;
    hy_block *blocks = call->uneven ? comm->blocks : NULL;
    rc = hy_arguments_check(call, reduction, &shape, blocks, blocks ? blocks + group->size : NULL);
    if (rc) return rc;
    *plan = shape.uneven ? hy_plans_find_uneven(&comm->plans, &shape, wish)
                         : hy_plans_find(&comm->plans, &shape, wish);
    if (!*plan) { /* else its blocks were checked when it was built */
        rc = hy_arguments_apart(&shape);
        if (!rc) rc = hy_plan_make(comms, comm, &shape, wish, plan);
    }
    if (!rc) hy_plan_number(*plan, comm->exec.number + 1);
    return rc;
}

/* apart: what OUT contains is replaced before the start. */
static int place(hy_comm *comm, hy_region region, const hy_plan *plan, const hy_buffer *buffer,
                 bool apart)
{
    const hy_shape *shape = &plan->schedule.shape;
    bool out = region == HY_OUT;
    hy_running_side *side = out ? &comm->running.out : &comm->running.in;
    hy_side_set(side, buffer, out ? plan->out_bytes : plan->in_bytes,
                out && hy_arguments_changes_out(shape));
    bool read = !out || (hy_arguments_reads_out(shape) && !apart);
    return hy_place_side(comm, region, side, hy_plan_exposes(plan, region), read);
}

/* A call that is not like the last one of its plan. Of a shape that is known, only the memory is
 * left to check. */
__attribute__((noinline)) static int prepare(hy_comms *comms, hy_comm *comm,
                                             const hy_arguments *call,
                                             const hy_reduction *reduction, hy_plan **result)
{
    hy_plan *plan = *result;
    int rc = !plan ? check_all(comms, comm, call, reduction, &plan)
                   : hy_arguments_check_memory(call, &plan->schedule.shape, plan->in_bytes,
                                               plan->out_bytes, reduction ? reduction->align : 1);
    if (rc) return rc;
    *result = plan;
    rc = place(comm, HY_IN, plan, &call->in, call->apart);
    if (!rc) rc = place(comm, HY_OUT, plan, &call->out, call->apart);
    plan->checked = !rc && !comm->running.in.shadow && !comm->running.out.shadow &&
                    !call->in.managed && !call->out.managed;
    return rc;
}

static void place_again(hy_comm *comm, hy_region region, hy_running_side *side,
                        const hy_buffer *buffer, uint64_t bytes)
{
    hy_side_set(side, buffer, bytes, false);
    comm->exec.base[region] = buffer->address;
    comm->exec.bytes[region] = bytes;
}

/* The result of a call that is apart begins with this rank's data, where the schedule has them. All
 * was checked: nothing fails before it runs. */
static void take_data(hy_comm *comm, const hy_arguments *call)
{
    hy_buffer_read(&call->in, 0, comm->exec.base[HY_OUT], comm->exec.bytes[HY_OUT]);
}

static hy_plan_memory memory_of(const hy_arguments *call)
{
    return (hy_plan_memory){.in = call->in.address,
                            .out = call->out.address,
                            .count = call->count,
                            .in_limit = call->in_limit,
                            .out_limit = call->out_limit,
                            .op = call->op};
}

/* Another call than the one before. Not inlined: see drive_on() in running.c. */
__attribute__((noinline)) static int two_sided_start(hy_comms *comms, hy_comm *comm,
                                                     const hy_arguments *call)
{
    const hy_plan_memory memory = memory_of(call);
    const hy_reduction *reduction = NULL;
    comm->plans.latest = NULL; /* what its run has placed is replaced, perhaps only in part */
    if (hy_coll_reduces(call->coll) && !(reduction = hy_reduction_find(comms, call->op)))
        return HAYATE_ERR_ARGUMENT;
    uint32_t unit = reduction ? reduction->unit : 1;
    const uint64_t bytes = (uint64_t)call->count * unit;
    bool simple = !call->uneven && (uint64_t)call->count <= UINT32_MAX; /* no overflow above */
    hy_plan *plan = NULL;
    int rc = HAYATE_OK;
    if (hy_likely(simple))
        plan = hy_plans_find_by(&comm->plans, call->coll, call->root, unit, bytes,
                                (hy_plan_wish){0});
    if (hy_likely(plan && hy_plan_has_checked(plan, &memory))) {
        place_again(comm, HY_IN, &comm->running.in, &call->in, plan->in_bytes);
        place_again(comm, HY_OUT, &comm->running.out, &call->out, plan->out_bytes);
    } else {
        rc = prepare(comms, comm, call, reduction, &plan);
        if (hy_unlikely(rc)) return rc;
        plan->last = memory;
    }
    if (!rc && plan->schedule.tmp_bytes) rc = hy_place_tmp(comm, plan);
    if (!rc && call->apart) take_data(comm, call);
    if (!rc) hy_running_start(comms, comm, plan, reduction, call->op, call->context);
    return rc;
}

static inline bool repeats(const hy_comm *comm, const hy_arguments *call)
{
    const hy_plan_memory memory = memory_of(call);
    return !call->uneven && !call->context &&
           hy_plans_repeat(&comm->plans, comm->exec.schedule, call->coll, call->root,
                           (hy_plan_wish){0}, &memory);
}

/* Not inlined: few calls need the copy. */
__attribute__((noinline)) static int start_apart(hy_comms *comms, hy_comm *comm,
                                                 const hy_arguments *call)
{
    const hy_arguments own = hy_arguments_of_member(call, comm->group.rank);
    if (!repeats(comm, &own)) return two_sided_start(comms, comm, &own);
    if (own.apart) take_data(comm, &own);
    hy_running_repeat(comms, comm);
    return HAYATE_OK;
}

int hy_collective_two_sided(hy_comms *comms, int number, const hy_arguments *call, uint32_t turns)
{
    hy_comm *comm = hy_comm_find(comms, number);
    if (hy_unlikely(!comm)) return HAYATE_ERR_ARGUMENT;
    int rc = hy_comm_acquire(comms, comm, number);
    if (hy_unlikely(rc)) return rc;
    if (hy_unlikely(call->apart)) rc = start_apart(comms, comm, call);
    else if (repeats(comm, call)) hy_running_repeat(comms, comm);
    else rc = two_sided_start(comms, comm, call);
    if (hy_unlikely(rc)) return hy_running_give_up(comm, rc);
    hy_count(comms->job->counters, HY_COUNT_COLLECTIVES, 1);
    return hy_collective_drive(comms, comm, turns);
}
