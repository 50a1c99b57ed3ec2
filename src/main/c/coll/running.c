/* SPDX-License-Identifier: Apache-2.0 */
/* Shadows of the caller's memory, and the wait for the end of a collective. */
#include "coll/running.h"

#include "coll/collective.h"
#include "coll/compare.h"
#include "coll/limits.h"
#include "job/await.h"
#include "job/flight.h"

/* ---- memory ---- */

static int stock_grow(hy_job *job, hy_stock *stock, uint64_t want)
{
    if (hy_likely(stock->bytes >= want)) return HAYATE_OK;
    if (stock->memory) hy_job_release(job, stock->memory);
    stock->bytes = 0;
    stock->memory = hy_job_alloc(job, want);
    if (!stock->memory) return hy_job_alloc_code(job);
    stock->bytes = want;
    return HAYATE_OK;
}

int hy_place_shadow(hy_comm *comm, hy_region region, hy_running_side *side, bool read)
{
    hy_stock *stock = region == HY_IN ? &comm->in_shadow : &comm->out_shadow;
    int rc = stock_grow(comm->group.job, stock, side->bytes);
    if (rc) return rc;
    if (read) hy_buffer_read(&side->buffer, 0, stock->memory, side->bytes);
    side->shadow = stock->memory;
    return HAYATE_OK;
}

int hy_place_tmp(hy_comm *comm, const hy_plan *plan)
{
    uint64_t need = plan->schedule.tmp_bytes;
    int rc = stock_grow(comm->group.job, &comm->tmp, need);
    if (rc) return rc;
    comm->exec.base[HY_TMP] = comm->tmp.memory;
    comm->exec.bytes[HY_TMP] = need;
    return HAYATE_OK;
}

static void side_give_back(hy_running_side *side, int rc)
{
    if (side->shadow && side->changed && rc == HAYATE_OK)
        hy_buffer_write(&side->buffer, 0, side->shadow, side->bytes);
    if (side->retained) side->buffer.managed->release(side->buffer.handle);
    side->retained = false;
    side->shadow = NULL;
}

static void running_give_back(hy_running *running, int rc)
{
    side_give_back(&running->out, rc);
    if (hy_likely(!running->in.bytes)) return;
    side_give_back(&running->in, rc);
    running->in.bytes = 0;
}

int hy_running_give_up(hy_comm *comm, int rc)
{
    running_give_back(&comm->running, rc);
    hy_comm_release(comm);
    return rc;
}

int hy_running_end(hy_comm *comm, int rc)
{
    if (rc < 0) rc = hy_comm_break(comm, rc);
    const hy_exec *exec = &comm->exec;
    if (!rc && exec->fold.normal && hy_coll_reduces(exec->schedule->shape.coll))
        exec->fold.normal(exec->base[HY_OUT], exec->bytes[HY_OUT] / exec->fold.unit);
    running_give_back(&comm->running, rc);
    if (hy_unlikely(comm->flight != 0)) {
        hy_flight_end(comm->group.job->flight, comm->flight, rc, 0);
        comm->flight = 0;
    }
    hy_comm_release(comm);
    return rc;
}

void hy_running_record(hy_comms *comms, hy_comm *comm)
{
    const hy_shape *shape = &comm->exec.schedule->shape;
    hy_awaited what = {.peer = -1};
    hy_collective_tell(comms, comm, &what);
    bool rooted = hy_coll_has_root(shape->coll);
    what.peer = rooted ? hy_group_member(&comm->group, shape->root) : -1;
    comm->flight = hy_flight_begin(comms->job->flight, &what);
}

/* ---- driving ---- */

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
    int member = hy_exec_peer(&d->comm->exec), rc = hy_comm_idle(d->comms, d->comm, member);
    return rc ? rc : hy_limits_check(d->comms, d->comm, member, NULL);
}

void hy_collective_tell(hy_comms *comms, const hy_comm *comm, hy_awaited *awaited)
{
    const hy_shape *shape = &comm->exec.schedule->shape;
    awaited->kind = HY_AWAITED_COLLECTIVE;
    awaited->what = (uint8_t)shape->coll;
    awaited->bytes = shape->bytes;
    hy_comm_tell(comms, comm, hy_exec_peer(&comm->exec), awaited);
}

static void collective_tell(const void *context, hy_awaited *awaited)
{
    const driving *d = context;
    hy_collective_tell(d->comms, d->comm, awaited);
}

static int side_keep(hy_running_side *side)
{
    hy_buffer *buffer = &side->buffer;
    if (!side->bytes || !buffer->managed || side->retained) return HAYATE_IN_PROGRESS;
    void *handle = buffer->managed->retain(buffer->handle);
    if (!handle) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to keep a collective's buffer");
    buffer->handle = handle;
    side->retained = true;
    return HAYATE_IN_PROGRESS;
}

static int running_keep(hy_running *running)
{
    int rc = side_keep(&running->out);
    return rc == HAYATE_IN_PROGRESS ? side_keep(&running->in) : rc;
}

/* Not inlined: what is complete at once needs none of this in its frame. */
__attribute__((noinline)) static int drive_on(hy_comms *comms, hy_comm *comm, uint32_t turns)
{
    driving d = {comms, comm};
    int rc = hy_job_await(&(hy_await){.job = comms->job,
                                      .step = collective_step,
                                      .idle = collective_idle,
                                      .tell = collective_tell,
                                      .context = &d,
                                      .poll = hy_progress,
                                      .position = &comm->exec.next,
                                      .turns = turns});
    if (rc == HAYATE_IN_PROGRESS) rc = running_keep(&comm->running);
    return rc == HAYATE_IN_PROGRESS ? rc : hy_running_over(comm, rc);
}

int hy_collective_drive(hy_comms *comms, hy_comm *comm, uint32_t turns)
{
    int rc = hy_exec_run(&comm->exec);
    if (rc == HAYATE_IN_PROGRESS) return drive_on(comms, comm, turns);
    return hy_running_over(comm, hy_comms_step(comms, rc));
}
