/* SPDX-License-Identifier: Apache-2.0 */
/* The wait for a choice of another rank, and its end if that rank is gone. */
#include "coll/choosing.h"

#include "choose/board.h"
#include "job/await.h"

_Static_assert(sizeof(hy_board) == HY_BOARD_BYTES, "the control area has a place for it");
_Static_assert(HY_MAX_RANKS <= HY_BOARD_RANKS, "the board can name each rank");

typedef struct choosing {
    hy_comms *comms;
    hy_comm *comm;
    const hy_request *request;
    hy_choice *choice;
    uint64_t waited_ns;
} choosing;

/* How often a wait looks whether it has lasted long enough. */
#define LOOK_NS UINT64_C(50000000)
/* No choice takes so long: the rank that chooses does not run. */
#define MOST_NS UINT64_C(10000000000)

static int choosing_step(void *context)
{
    const choosing *c = context;
    hy_choices *choices = &c->comm->choices;
    choices->answered = false;
    int rc = hy_choices_get(choices, &c->comms->model, c->request, c->choice);
    if (choices->answered) hy_control_ring_all(c->comms->job->boot.control);
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

/* Whether to wait for as long again. The collective itself reports a limit or an interrupt. */
static bool choosing_again(void *context)
{
    choosing *c = context;
    const hy_limits *limits = &c->comms->limits;
    uint64_t limit = hy_load_relaxed(&limits->limit_ns);
    c->waited_ns += LOOK_NS;
    if (c->waited_ns >= (limit && limit < MOST_NS ? limit : MOST_NS)) return false;
    return !(limits->interrupted && limits->interrupted());
}

static void choosing_tell(const void *context, hy_awaited *awaited)
{
    const choosing *c = context;
    awaited->kind = HY_AWAITED_CHOICE;
    awaited->what = (uint8_t)c->request->shape.coll;
    awaited->bytes = c->request->shape.bytes;
    hy_comm_tell(c->comms, c->comm, -1, awaited);
    awaited->peer = (int32_t)c->comm->choices.chooser;
}

int hy_comm_choose(hy_comms *comms, hy_comm *comm, const hy_request *request, hy_choice *choice)
{
    choosing c = {comms, comm, request, choice, 0};
    const hy_limit looks = {.ns = LOOK_NS, .again = choosing_again, .context = &c};
    hy_job *job = comms->job;
    comm->choices.board = hy_control_board(job->boot.control);
    comm->choices.model = comms->model_digest;
    comm->choices.rank = (uint32_t)job->rank;
    int rc = hy_job_await(&(hy_await){.job = job,
                                      .step = choosing_step,
                                      .idle = choosing_idle,
                                      .tell = choosing_tell,
                                      .context = &c,
                                      .poll = hy_progress,
                                      .limit = &looks});
    comm->choices.board = NULL;
    return rc == HAYATE_IN_PROGRESS ? choosing_step(&c) : rc;
}
