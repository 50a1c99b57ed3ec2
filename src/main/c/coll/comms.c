/* SPDX-License-Identifier: Apache-2.0 */
/* Opens and closes all communicators of a rank, and frees one of them. */
#include <stdlib.h>

#include "coll/agree.h"
#include "coll/background.h"
#include "coll/compare.h"
#include "coll/create.h"
#include "coll/limits.h"
#include "choose/tuning.h"

/* Under the lock. Afterwards nobody can find the communicator any more. */
static int take_out(hy_comms *comms, int number, hy_comm **taken)
{
    hy_comm *comm = hy_comm_find(comms, number);
    if (!comm) return HAYATE_ERR_ARGUMENT;
    uint32_t persistent = hy_load_acquire(&comm->persistent);
    if (persistent)
        return hy_fail(HAYATE_ERR_BUSY,
                       "%u persistent operations are prepared on communicator %d: "
                       "close them first",
                       persistent, number);
    if (hy_load_acquire(&comm->started.start))
        return hy_fail(HAYATE_ERR_BUSY,
                       "a collective was started on communicator %d: wait for its request first",
                       number);
    if (!hy_busy_take(&comm->busy))
        return hy_fail(HAYATE_ERR_BUSY, "a collective is under way on communicator %d", number);
    hy_handles_give(&comms->table, number);
    *taken = comm;
    return HAYATE_OK;
}

int hy_comm_free(hy_comms *comms, int number)
{
    if (number == FMPL_COMM_WORLD)
        return hy_fail(HAYATE_ERR_ARGUMENT, "the world communicator cannot be freed");
    hy_comm *comm = NULL;
    pthread_mutex_lock(&comms->lock);
    int rc = take_out(comms, number, &comm);
    pthread_mutex_unlock(&comms->lock);
    if (rc) return rc;
    const hy_failure failure = hy_failure_of(hy_comm_end(comm));
    hy_comm_destroy(comms, comm);
    return hy_fail_again(&failure);
}

int hy_comms_open(hy_comms **result, hy_job *job, uint32_t spin_limit)
{
    hy_comms *comms = calloc(1, sizeof *comms);
    if (!comms) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for communicators");
    comms->job = job;
    comms->spin_limit = spin_limit;
    comms->model = hy_tuning_model((int)job->boot.control->cpus);
    if (job->rank == job->boot.control->leader) hy_tuning_warn();
    pthread_mutex_init(&comms->lock, NULL);
    hy_background_open(comms);
    int world, rc = hy_comm_make(comms, true, &world);
    if (!rc) rc = hy_comms_agree(comms, world);
    if (!rc) comms->model_digest = hy_model_digest(&comms->model);
    if (!rc) rc = hy_limits_open(&comms->limits); /* a set-up has no limit */
    if (rc) hy_comms_free(comms);
    else *result = comms;
    return rc;
}

/* What another thread uses is skipped: its call ends with CLOSED. */
static int end_all(hy_comms *comms)
{
    int rc = HAYATE_OK;
    if (pthread_mutex_trylock(&comms->lock) != 0) return rc;
    for (int i = 0; i < hy_handles_places(&comms->table); i++) {
        hy_comm *comm = hy_handles_get(&comms->table, i);
        if (!comm || !hy_busy_visit(&comm->busy)) continue;
        int one = hy_comm_end(comm);
        if (!rc) rc = one;
        hy_busy_leave(&comm->busy);
    }
    pthread_mutex_unlock(&comms->lock);
    return rc;
}

int hy_comms_close(hy_comms *comms)
{
    hy_store_release(&comms->closed, 1);
    hy_extension *extension = hy_load_acquire(&comms->extension);
    if (extension) extension->close(extension);
    return end_all(comms);
}

void hy_comms_free(hy_comms *comms)
{
    hy_extension *extension = hy_load_acquire(&comms->extension);
    if (extension) extension->free(extension);
    hy_background_close(comms);
    for (int i = 0; i < hy_handles_places(&comms->table); i++) {
        hy_comm *comm = hy_handles_get(&comms->table, i);
        if (comm) hy_comm_destroy(comms, comm);
    }
    for (hy_comm *comm = comms->spare, *next; comm; comm = next) {
        next = comm->next;
        free(comm);
    }
    hy_handles_close(&comms->table);
    pthread_mutex_destroy(&comms->lock);
    free(comms);
}
