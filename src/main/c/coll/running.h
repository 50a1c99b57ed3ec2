/* SPDX-License-Identifier: Apache-2.0 */
/* A collective that is under way on a communicator: where its memory is, how it starts, and what
 * happens at its end. The caller has acquired the communicator. */
#ifndef HY_COLL_RUNNING_H
#define HY_COLL_RUNNING_H

#include "coll/comm.h"

/* Up to this length, a copy into the heap and back is faster than single copies by the kernel. */
#define HY_SHADOW_BYTES (UINT64_C(1) << 20)

static inline bool hy_plan_exposes(const hy_plan *plan, hy_region region)
{
    return plan->exposes >> region & 1;
}

/* Gives a side a shadow from the heap, with a copy of the data if they are `read`. NO_MEMORY. */
int hy_place_shadow(hy_comm *comm, hy_region region, hy_running_side *side, bool read);

/* Sets a side. The buffer is not copied as a whole: its caller has just written its address, and a
 * load of several members at once would wait for that store. */
static inline void hy_side_set(hy_running_side *side, const hy_buffer *buffer, uint64_t bytes,
                               bool changed)
{
    side->buffer.address = buffer->address;
    side->buffer.managed = NULL;
    if (hy_unlikely(buffer->managed != NULL)) side->buffer = *buffer;
    side->bytes = bytes;
    side->shadow = NULL;
    side->changed = changed;
    side->retained = false;
}

static inline bool hy_side_needs_shadow(const hy_job *job, const hy_running_side *side,
                                        bool exposed)
{
    return side->bytes && (side->buffer.managed ||
                           (exposed && !hy_reachable(job, side->buffer.address, side->bytes)));
}

static inline bool hy_side_is_slow(const hy_job *job, const hy_running_side *side)
{
    uint64_t limit = job->cma_from < HY_SHADOW_BYTES ? job->cma_from : HY_SHADOW_BYTES;
    return side->bytes < limit && !job->single_forced &&
           hy_job_offset(job, side->buffer.address, side->bytes) == HY_NOT_IN_HEAP;
}

/* Tells the executor where a side is. A shadow replaces a buffer that has no address, that peers
 * cannot access, or, while the heap has room, that they access slowly. */
static inline int hy_place_side(hy_comm *comm, hy_region region, hy_running_side *side,
                                bool exposed, bool read)
{
    const hy_job *job = comm->group.job;
    bool needed = hy_side_needs_shadow(job, side, exposed);
    bool wanted = needed || (side->bytes && exposed && hy_side_is_slow(job, side));
    int rc = wanted ? hy_place_shadow(comm, region, side, read) : HAYATE_OK;
    if (rc && needed) return rc;
    comm->exec.base[region] = side->shadow ? side->shadow : side->buffer.address;
    comm->exec.bytes[region] = side->bytes;
    return HAYATE_OK;
}

/* Scratch memory for the schedule. NO_MEMORY. */
int hy_place_tmp(hy_comm *comm, const hy_plan *plan);

/* The flight recorder is on, and the collective has started. */
void hy_running_record(hy_comms *comms, hy_comm *comm);

/* Whether a call that passes the same can run it again as it is. A user's reduction may be another
 * one then, and so may the blocks of an uneven call. */
static inline bool hy_running_is_repeatable(const hy_plan *plan, int op, const void *context)
{
    return plan->checked && !context && op < FMPL_OP_COUNT && !plan->schedule.shape.uneven;
}

/* Everything is placed. */
static inline void hy_running_start(hy_comms *comms, hy_comm *comm, hy_plan *plan,
                                    const hy_reduction *reduction, int op, void *context)
{
    hy_exec *exec = &comm->exec;
    exec->fold.unit = reduction ? reduction->unit : 1;
    exec->fold.reduce = reduction ? reduction->apply : NULL;
    exec->fold.normal = reduction ? reduction->normal : NULL;
    if (hy_unlikely(exec->fold.normal != NULL))
        exec->fold.normal = hy_fold_normal(exec->fold.normal, &plan->schedule.shape);
    exec->fold.context = context || !reduction ? context : reduction->context;
    comm->plans.latest = hy_running_is_repeatable(plan, op, context) ? plan : NULL;
    hy_exec_start(exec, &plan->schedule, hy_plan_cookie(plan, op));
    if (hy_unlikely(comms->job->flight != NULL)) hy_running_record(comms, comm);
}

/* The last run once more: hy_plans_repeat(). All that it used is in place. */
static inline void hy_running_repeat(hy_comms *comms, hy_comm *comm)
{
    hy_exec_start(&comm->exec, comm->exec.schedule, comm->exec.cookie);
    if (hy_unlikely(comms->job->flight != NULL)) hy_running_record(comms, comm);
}

/* Nothing was sent: the call can be repeated. Releases the communicator and returns rc. */
int hy_running_give_up(hy_comm *comm, int rc);

/* It has ended with rc: gives the caller's memory back and releases the communicator, which an
 * error breaks. Returns the error. */
int hy_running_end(hy_comm *comm, int rc);
static inline int hy_running_over(hy_comm *comm, int rc)
{
    const hy_running_side *in = &comm->running.in, *out = &comm->running.out;
    bool given_back = !out->shadow && !out->retained;
    if (in->bytes) given_back = given_back && !in->shadow && !in->retained;
    if (hy_unlikely(rc || !given_back || comm->flight || comm->exec.fold.normal))
        return hy_running_end(comm, rc);
    comm->running.in.bytes = 0;
    hy_comm_release(comm);
    return HAYATE_OK;
}

#endif
