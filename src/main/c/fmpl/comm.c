/* SPDX-License-Identifier: Apache-2.0 */
#include "fmpl/comm.h"

#include <stdlib.h>

static void comm_free(hy_comm *comm)
{
    hy_job *job = comm->group.job;
    for (int i = 0; i < HY_PLANS; i++) {
        if (comm->plans[i].valid) hy_schedule_release(&comm->plans[i].schedule);
    }
    if (comm->tmp) hy_job_release(job, comm->tmp);
    if (comm->shadow) hy_job_release(job, comm->shadow);
    if (comm->running.retained) comm->running.buffer.managed->release(comm->running.buffer.handle);
    hy_exec_close(&comm->exec);
    hy_group_close(&comm->group);
    free(comm);
}

static hy_comm *comm_new(void)
{
    hy_comm *comm = aligned_alloc(HY_LINE, hy_round_up(sizeof(hy_comm), HY_LINE));
    if (comm) *comm = (hy_comm){0};
    else hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a communicator");
    return comm;
}

static int open_comm(hy_fmpl *fmpl, hy_comm *comm, bool join)
{
    int rc = hy_group_open(&comm->group, fmpl->job, join);
    if (rc || !join) return rc;
    comm->model = hy_cost_default((int)fmpl->job->boot.control->cpus);
    return hy_exec_open(&comm->exec, &comm->group);
}

static int free_place(const hy_comms *comms)
{
    for (int i = 0; i < HY_MAX_COMMS; i++) {
        if (!comms->list[i]) return i;
    }
    return -1;
}

/* The lock is held over the fences: two threads of a rank create one after the other, and it is the
 * program's to have all ranks do so in the same order. */
int hy_comm_create(hy_fmpl *fmpl, bool join, int *number)
{
    hy_comms *comms = fmpl->comms;
    *number = FMPL_COMM_NULL;
    if (hy_load_relaxed(&fmpl->closed) || hy_load_relaxed(&fmpl->job->closed))
        return hy_fail(HAYATE_ERR_CLOSED, "used after close");
    pthread_mutex_lock(&comms->lock);
    int place = free_place(comms);
    hy_comm *comm = comm_new();
    /* With no room here the others still have to be told: by an open that does not join. */
    int rc = comm ? open_comm(fmpl, comm, join && place >= 0) : HAYATE_ERR_NO_MEMORY;
    if (!rc && join && place < 0)
        rc = hy_fail(HAYATE_ERR_NO_MEMORY, "%d communicators are open: free one", HY_MAX_COMMS);
    if (!rc && join) {
        comms->list[place] = comm;
        *number = place;
    } else if (comm) {
        comm->group.job = fmpl->job;
        comm_free(comm);
    }
    pthread_mutex_unlock(&comms->lock);
    return rc;
}

hy_comm *hy_comm_find(hy_fmpl *fmpl, int number)
{
    hy_comm *comm = NULL;
    if ((unsigned)number < HY_MAX_COMMS) comm = fmpl->comms->list[number];
    if (!comm) hy_fail(HAYATE_ERR_ARGUMENT, "communicator %d does not exist here", number);
    return comm;
}

int hy_comm_free(hy_fmpl *fmpl, int number)
{
    hy_comm *comm = hy_comm_find(fmpl, number);
    if (!comm) return HAYATE_ERR_ARGUMENT;
    if (number == FMPL_COMM_WORLD)
        return hy_fail(HAYATE_ERR_ARGUMENT, "the world communicator cannot be freed");
    if (atomic_exchange(&comm->busy, 1))
        return hy_fail(HAYATE_ERR_BUSY, "a collective is under way on communicator %d", number);
    pthread_mutex_lock(&fmpl->comms->lock);
    fmpl->comms->list[number] = NULL;
    comm_free(comm);
    pthread_mutex_unlock(&fmpl->comms->lock);
    return HAYATE_OK;
}

int hy_comms_open(hy_fmpl *fmpl)
{
    fmpl->comms = calloc(1, sizeof *fmpl->comms);
    if (!fmpl->comms) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for communicators");
    pthread_mutex_init(&fmpl->comms->lock, NULL);
    int world;
    return hy_comm_create(fmpl, true, &world);
}

void hy_comms_free(hy_fmpl *fmpl)
{
    if (!fmpl->comms) return;
    for (int i = 0; i < HY_MAX_COMMS; i++) {
        if (fmpl->comms->list[i]) comm_free(fmpl->comms->list[i]);
    }
    pthread_mutex_destroy(&fmpl->comms->lock);
    free(fmpl->comms);
    fmpl->comms = NULL;
}

/* ---- user functions ---- */

#define UNIT_MAX 4096

int hy_function_create(hy_fmpl *fmpl, hy_reduce apply, size_t unit, void *context, int *op)
{
    hy_comms *comms = fmpl->comms;
    if (!apply || unit < 1 || unit > UNIT_MAX)
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "a function on elements of %zu bytes: expected a function and 1 to %d", unit,
                       UNIT_MAX);
    pthread_mutex_lock(&comms->lock);
    int place = 0;
    while (place < HY_USER_REDUCTIONS && comms->user[place].apply) place++;
    if (place < HY_USER_REDUCTIONS)
        comms->user[place] = (hy_reduction){apply, context, (uint32_t)unit, 1};
    pthread_mutex_unlock(&comms->lock);
    if (place == HY_USER_REDUCTIONS)
        return hy_fail(HAYATE_ERR_NO_MEMORY, "%d functions are alive: free one", place);
    *op = FMPL_OP_COUNT + place;
    return HAYATE_OK;
}

const hy_reduction *hy_reduction_find(hy_fmpl *fmpl, int op)
{
    if ((unsigned)op < FMPL_OP_COUNT) return &hy_reductions[op];
    if (op >= FMPL_OP_COUNT && op < FMPL_OP_COUNT + HY_USER_REDUCTIONS &&
        fmpl->comms->user[op - FMPL_OP_COUNT].apply)
        return &fmpl->comms->user[op - FMPL_OP_COUNT];
    hy_fail(HAYATE_ERR_ARGUMENT, "reduction %d does not exist", op);
    return NULL;
}

int hy_function_free(hy_fmpl *fmpl, int op, void **context)
{
    if (!hy_reduction_find(fmpl, op)) return HAYATE_ERR_ARGUMENT;
    if (op < FMPL_OP_COUNT)
        return hy_fail(HAYATE_ERR_ARGUMENT, "a predefined reduction cannot be freed");
    pthread_mutex_lock(&fmpl->comms->lock);
    hy_reduction *row = &fmpl->comms->user[op - FMPL_OP_COUNT];
    if (context) *context = row->context;
    *row = (hy_reduction){0};
    pthread_mutex_unlock(&fmpl->comms->lock);
    return HAYATE_OK;
}
