/* SPDX-License-Identifier: Apache-2.0 */
/* Finds and acquires communicators; registers user functions; watches for failures while a
 * collective waits. */
#include "coll/comm.h"

#include <stdlib.h>

#include "base/clock.h"
#include "job/await.h"

#define TELL_NS 1000000000u

static void give_stock(hy_job *job, const hy_stock *stock)
{
    if (stock->memory) hy_job_release(job, stock->memory);
}

/* Other members may still be in a collective that has failed here, and use this memory. */
static void give_stocks(hy_comm *comm)
{
    const hy_stock *const stocks[] = {&comm->tmp, &comm->in_shadow, &comm->out_shadow};
    _Static_assert(sizeof stocks / sizeof *stocks == HY_GROUP_LENT, "a group keeps all of them");
    for (int i = 0; i < HY_GROUP_LENT; i++) {
        if (comm->broken) comm->group.lent[i] = stocks[i]->memory;
        else give_stock(comm->group.job, stocks[i]);
    }
}

static void release_side(const hy_running_side *side)
{
    if (side->retained) side->buffer.managed->release(side->buffer.handle);
}

static void release_all(hy_comm *comm)
{
    hy_plans_release(&comm->plans);
    give_stocks(comm);
    hy_choices_release(&comm->choices);
    hy_choices_release(&comm->measured);
    release_side(&comm->running.in);
    release_side(&comm->running.out);
    free(comm->blocks);
    hy_exec_close(&comm->exec);
    hy_group_close(&comm->group);
    hy_nodes_free(comm->nodes);
    free(comm->records);
}

void hy_comm_destroy(hy_comms *comms, hy_comm *comm)
{
    release_all(comm);
    comm->number = -1;
    pthread_mutex_lock(&comms->lock);
    comm->next = comms->spare;
    comms->spare = comm;
    pthread_mutex_unlock(&comms->lock);
}

hy_comm *hy_comm_missing(int number)
{
    hy_fail(HAYATE_ERR_ARGUMENT, "communicator %d does not exist on this rank", number);
    return NULL;
}

int hy_comms_fail_closed(void)
{
    return hy_fail(HAYATE_ERR_CLOSED, "used after close: this object, or its job, is closed");
}

int hy_comm_refuse(hy_comm *comm, int number)
{
    if (comm->number != number)
        return hy_fail(HAYATE_ERR_ARGUMENT, "another thread has freed communicator %d", number);
    if (comm->broken == HAYATE_ERR_BROKEN)
        return hy_fail(HAYATE_ERR_BROKEN,
                       "communicator %d is broken: a collective on it was given up by this rank or "
                       "another member; close it, and go on with another one",
                       number);
    return hy_fail(comm->broken, "communicator %d is broken: a collective on it failed (%s)",
                   number, hayate_strerror(comm->broken));
}

static uint64_t trim(hy_comm *comm)
{
    uint64_t bytes = 0;
    if (!hy_busy_visit(&comm->busy)) return 0;
    uint64_t place = 0;
    for (hy_channel *channel; (channel = hy_group_next(&comm->group, &place, NULL));)
        bytes += hy_channel_trim(channel);
    hy_busy_leave(&comm->busy);
    return bytes;
}

/* Under the lock, communicators are neither created nor freed. A thread may be using one: it is
 * skipped. */
uint64_t hy_comms_trim(hy_comms *comms)
{
    uint64_t bytes = 0;
    if (pthread_mutex_trylock(&comms->lock) != 0) return 0;
    for (int i = 0; i < hy_handles_places(&comms->table); i++) {
        hy_comm *comm = hy_handles_get(&comms->table, i);
        if (comm) bytes += trim(comm);
    }
    pthread_mutex_unlock(&comms->lock);
    hy_groups_reap(comms->job);
    return bytes;
}

int hy_comms_idle(hy_comms *comms, int peer)
{
    if (hy_load_relaxed(&comms->closed))
        return hy_fail(HAYATE_ERR_CLOSED, "closed while the operation was under way");
    hy_progress(comms->job);
    return hy_job_check(comms->job, peer);
}

int hy_comms_idle_together(hy_comms *comms, const hy_comm *comm, int peer)
{
    int rc = hy_comms_idle(comms, peer), dead = hy_job_check_all(comms->job);
    if (rc == HAYATE_ERR_CLOSED || hy_likely(!hy_comm_is_replaced(comm))) return dead ? dead : rc;
    return hy_fail(HAYATE_ERR_BROKEN,
                   "this communicator is older than the one that shrink() has returned: close it, "
                   "and go on with that one, or split it");
}

/* The communicator that is waited on exists: it is found if its number is told at all. */
void hy_comm_tell(hy_comms *comms, const hy_comm *comm, int member, hy_awaited *awaited)
{
    for (int i = 0; i < hy_handles_places(&comms->table); i++)
        if (hy_handles_get(&comms->table, i) == comm) awaited->place = i;
    awaited->number = comm->exec.number;
    if (member >= 0) awaited->peer = hy_group_member(&comm->group, member);
}

static bool is_told(const hy_job *job, int rank)
{
    return hy_control_state(job->boot.control, rank) >= HY_RANK_LEFT;
}

typedef struct word {
    hy_job *job;
    int rank;
    uint64_t deadline;
} word;

static int is_over(void *context)
{
    const word *w = context;
    return is_told(w->job, w->rank) || hy_now_ns() >= w->deadline ? HAYATE_OK : HAYATE_IN_PROGRESS;
}

static int comm_look(void *context)
{
    const word *w = context;
    return hy_job_check(w->job, w->rank);
}

/* A copy from the memory of an ended process fails some time before its watcher has told all
 * ranks of its end. This waits for that, and polls nothing else, because a step of a background
 * operation may call it. */
static int await_word(hy_job *job, int rank)
{
    word w = {job, rank, hy_now_ns() + TELL_NS};
    return hy_job_await(&(hy_await){.job = job, .step = is_over, .idle = comm_look, .context = &w});
}

int hy_comms_cause(hy_comms *comms)
{
    const hy_failure failure = hy_failure_of(HAYATE_ERR_PEER_FAILED);
    int rc = failure.peer < 0 ? HAYATE_OK : await_word(comms->job, failure.peer),
        dead = hy_job_check_all(comms->job);
    return dead ? dead : rc ? rc : hy_fail_again(&failure);
}

static hy_comms *_Atomic of_process;

hy_comms *hy_process_comms(void)
{
    hy_comms *comms = hy_load_acquire(&of_process);
    if (hy_unlikely(!comms)) hy_fail(HAYATE_ERR_STATE, "no FMPL: call fmpl_init() first");
    return comms;
}

void hy_process_comms_set(hy_comms *comms)
{
    hy_store_release(&of_process, comms);
}

bool hy_reachable(const hy_job *job, const uint8_t *memory, uint64_t bytes)
{
    if (!memory) return bytes == 0;
    if (hy_job_offset(job, memory, bytes) != HY_NOT_IN_HEAP) return true;
    return job->single_copy;
}

/* ---- user functions ---- */

#define UNIT_MAX 4096

int hy_function_create(hy_comms *comms, hy_reduce apply, size_t unit, void *context, int *op)
{
    if (!apply || unit < 1 || unit > UNIT_MAX)
        return hy_fail(
            HAYATE_ERR_ARGUMENT,
            "user function on elements of %zu bytes: expected a function and a size of 1 to %d",
            unit, UNIT_MAX);
    pthread_mutex_lock(&comms->lock);
    int place = 0;
    while (place < HY_USER_REDUCTIONS && comms->user[place].apply) place++;
    if (place < HY_USER_REDUCTIONS)
        comms->user[place] = (hy_reduction){apply, context, (uint32_t)unit, 1, NULL};
    pthread_mutex_unlock(&comms->lock);
    if (place == HY_USER_REDUCTIONS)
        return hy_fail(HAYATE_ERR_NO_MEMORY, "%d user functions exist: free one", place);
    *op = FMPL_OP_COUNT + place;
    return HAYATE_OK;
}

const hy_reduction *hy_reduction_find(hy_comms *comms, int op)
{
    if ((unsigned)op < FMPL_OP_COUNT) return &hy_reductions[op];
    if (op >= FMPL_OP_COUNT && op < FMPL_OP_COUNT + HY_USER_REDUCTIONS &&
        comms->user[op - FMPL_OP_COUNT].apply)
        return &comms->user[op - FMPL_OP_COUNT];
    hy_fail(HAYATE_ERR_ARGUMENT, "reduction %d does not exist", op);
    return NULL;
}

int hy_function_free(hy_comms *comms, int op, void **context)
{
    if (!hy_reduction_find(comms, op)) return HAYATE_ERR_ARGUMENT;
    if (op < FMPL_OP_COUNT)
        return hy_fail(HAYATE_ERR_ARGUMENT, "a predefined reduction cannot be freed");
    pthread_mutex_lock(&comms->lock);
    hy_reduction *row = &comms->user[op - FMPL_OP_COUNT];
    if (context) *context = row->context;
    *row = (hy_reduction){0};
    pthread_mutex_unlock(&comms->lock);
    return HAYATE_OK;
}
