/* SPDX-License-Identifier: Apache-2.0 */
/* The wait for a choice of another rank, and its end if that rank is gone. */
#include "coll/choosing.h"

#include "job/await.h"

typedef struct choosing {
    hy_comms *comms;
    hy_comm *comm;
    const hy_shape *shape;
    bool uneven, outside;
    const hy_algorithm *algorithm;
    const hy_way *way;
    hy_choice *choice;
} choosing;

static int choosing_step(void *context)
{
    const choosing *c = context;
    hy_choices *choices = &c->comm->choices;
    int rc = hy_choices_get(choices, &c->comms->model, c->shape, c->uneven, c->outside,
                            c->algorithm, c->way, c->choice);
    if (rc != HAYATE_IN_PROGRESS || choices->chooser < (uint32_t)c->comms->job->size) return rc;
    choices->board = NULL; /* it is damaged */
    return choosing_step(context);
}

static int choosing_idle(void *context)
{
    const choosing *c = context;
    hy_choices *choices = &c->comm->choices;
    if (hy_comms_idle(c->comms, (int)choices->chooser)) choices->board = NULL;
    return HAYATE_OK;
}

static void choosing_tell(const void *context, hy_awaited *awaited)
{
    const choosing *c = context;
    awaited->kind = HY_AWAITED_CHOICE;
    awaited->what = (uint8_t)c->shape->coll;
    awaited->bytes = c->shape->bytes;
    hy_comm_tell(c->comms, c->comm, -1, awaited);
    awaited->peer = (int32_t)c->comm->choices.chooser;
}

int hy_comm_choose(hy_comms *comms, hy_comm *comm, const hy_shape *shape, bool uneven, bool outside,
                   const hy_algorithm *algorithm, const hy_way *way, hy_choice *choice)
{
    choosing c = {comms, comm, shape, uneven, outside, algorithm, way, choice};
    hy_job *job = comms->job;
    comm->choices.board = &job->boot.control->board;
    comm->choices.rank = (uint32_t)job->rank;
    int rc = hy_job_await(&(hy_await){.job = job,
                                      .step = choosing_step,
                                      .idle = choosing_idle,
                                      .tell = choosing_tell,
                                      .context = &c,
                                      .poll = hy_progress});
    comm->choices.board = NULL;
    hy_control_ring_all(job->boot.control);
    return rc;
}
