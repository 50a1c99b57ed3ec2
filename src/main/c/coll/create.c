/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of every creation, and the creation by all ranks of the job, in a set-up. */
#include "coll/create.h"

#include <stdlib.h>
#include <string.h>

#include "job/setup.h"

static void give_number(hy_comms *comms, int number)
{
    pthread_mutex_lock(&comms->lock);
    hy_handles_give(&comms->table, number);
    pthread_mutex_unlock(&comms->lock);
}

/* Owned by the caller until it is published. The word of the owner stays as it is: another thread
 * may look at it. */
static hy_comm *take_memory(hy_comms *comms)
{
    pthread_mutex_lock(&comms->lock);
    hy_comm *comm = comms->spare;
    if (comm) comms->spare = comm->next;
    pthread_mutex_unlock(&comms->lock);
    if (!comm && (comm = aligned_alloc(HY_LINE, hy_round_up(sizeof *comm, HY_LINE))))
        atomic_init(&comm->busy, HY_BUSY_OWNED);
    if (!comm) return NULL;
    memset((uint8_t *)comm + sizeof comm->busy, 0, sizeof *comm - sizeof comm->busy);
    comm->number = -1;
    return comm;
}

int hy_creation_begin(hy_comms *comms, bool join, hy_creation *made)
{
    made->comm = NULL;
    if (!join) return HAYATE_OK;
    pthread_mutex_lock(&comms->lock);
    int rc = hy_handles_take(&comms->table, &made->number);
    pthread_mutex_unlock(&comms->lock);
    if (rc) return rc;
    made->comm = take_memory(comms);
    if (made->comm) return HAYATE_OK;
    give_number(comms, made->number);
    return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a communicator");
}

static int find_nodes(hy_comm *comm)
{
    const hy_group *group = &comm->group;
    if (hy_job_nodes(group->job) == 1) return HAYATE_OK;
    int32_t *of = malloc((size_t)group->size * sizeof *of);
    if (!of) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a communicator");
    for (int i = 0; i < group->size; i++)
        of[i] = hy_job_node_of(group->job, hy_group_member(group, i));
    int rc = hy_nodes_make(of, group->size, &comm->nodes);
    free(of);
    return rc;
}

int hy_creation_fill(hy_comm *comm)
{
    size_t size = (size_t)comm->group.size;
    comm->records = malloc(size * HY_SPLIT_PARTS * sizeof *comm->records);
    if (!comm->records) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a communicator");
    int rc = find_nodes(comm);
    return rc ? rc : hy_exec_open(&comm->exec, &comm->group);
}

void hy_creation_abandon(hy_comms *comms, const hy_creation *made)
{
    if (!made->comm) return;
    hy_comm_destroy(comms, made->comm);
    give_number(comms, made->number);
}

void hy_creation_publish(hy_comms *comms, const hy_creation *made)
{
    made->comm->number = made->number;
    made->comm->generation = hy_load_relaxed(&comms->job->survival.generation);
    hy_comm_release(made->comm);
    pthread_mutex_lock(&comms->lock);
    hy_handles_put(&comms->table, made->number, made->comm);
    pthread_mutex_unlock(&comms->lock);
}

/* ---- creation by all ranks of the job ---- */

/* For ranks that do not join, or cannot join for lack of memory: the others go on without this
 * rank. */
static int stay_out(hy_comms *comms, int failed)
{
    hy_group none;
    hy_failure failure = hy_failure_of(failed);
    int rc = hy_group_open(&none, comms->job, false, &comms->closed);
    return rc ? rc : hy_fail_again(&failure);
}

int hy_comm_make(hy_comms *comms, bool join, int *number)
{
    hy_creation made;
    int rc = hy_creation_begin(comms, join, &made);
    if (!made.comm) return stay_out(comms, rc);
    rc = hy_group_open(&made.comm->group, comms->job, true, &comms->closed);
    if (!rc) rc = hy_creation_fill(made.comm);
    if (rc) {
        hy_creation_abandon(comms, &made);
        return rc;
    }
    hy_creation_publish(comms, &made);
    *number = made.number;
    return HAYATE_OK;
}

int hy_comm_create(hy_comms *comms, bool join, int *number)
{
    *number = FMPL_COMM_NULL;
    int rc = hy_comms_check(comms);
    if (!rc) rc = hy_setup_enter(comms->job, &comms->closed);
    if (rc) return rc;
    rc = hy_comm_make(comms, join, number);
    hy_setup_leave(comms->job);
    return rc;
}
