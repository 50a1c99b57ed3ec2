/* SPDX-License-Identifier: Apache-2.0 */
/* Creates communicators: a number, a group of ranks with channels, and what
 * runs collectives over it. The group is formed by all ranks of the job, in a set-up, or by the
 * members of a communicator, who exchange their records over its channels. */
#include "coll/create.h"

#include <stdlib.h>

#include "coll/exchange.h"
#include "job/setup.h"

/* A communicator that is being created; comm NULL: this rank does not join, or cannot. */
typedef struct creation {
    hy_comm *comm;
    int number;
} creation;

static void give_number(hy_comms *comms, int number)
{
    pthread_mutex_lock(&comms->lock);
    hy_comm_table_give(&comms->table, number);
    pthread_mutex_unlock(&comms->lock);
}

static int comm_begin(hy_comms *comms, bool join, creation *made)
{
    made->comm = NULL;
    if (!join) return HAYATE_OK;
    pthread_mutex_lock(&comms->lock);
    int rc = hy_comm_table_take(&comms->table, &made->number);
    pthread_mutex_unlock(&comms->lock);
    if (rc) return rc;
    made->comm = aligned_alloc(HY_LINE, hy_round_up(sizeof(hy_comm), HY_LINE));
    if (made->comm) {
        *made->comm = (hy_comm){0};
        return HAYATE_OK;
    }
    give_number(comms, made->number);
    return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a communicator");
}

static int find_nodes(hy_comm *comm)
{
    const hy_group *group = &comm->group;
    if (hy_job_nodes(group->job) == 1) return HAYATE_OK;
    int32_t *of = malloc((size_t)group->size * sizeof *of);
    if (!of) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a communicator");
    for (int i = 0; i < group->size; i++) of[i] = hy_job_node_of(group->job, group->members[i]);
    int rc = hy_nodes_make(of, group->size, &comm->nodes);
    free(of);
    return rc;
}

/* The group is open. */
static int comm_fill(hy_comm *comm)
{
    size_t size = (size_t)comm->group.size;
    comm->records = malloc(2 * size * sizeof *comm->records);
    if (!comm->records) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a communicator");
    int rc = find_nodes(comm);
    return rc ? rc : hy_exec_open(&comm->exec, &comm->group);
}

static void comm_abandon(hy_comms *comms, const creation *made)
{
    if (!made->comm) return;
    hy_comm_destroy(made->comm);
    give_number(comms, made->number);
}

static void comm_publish(hy_comms *comms, const creation *made, int *number)
{
    pthread_mutex_lock(&comms->lock);
    hy_comm_table_put(&comms->table, made->number, made->comm);
    pthread_mutex_unlock(&comms->lock);
    *number = made->number;
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
    creation made;
    int rc = comm_begin(comms, join, &made);
    if (!made.comm) return stay_out(comms, rc);
    rc = hy_group_open(&made.comm->group, comms->job, true, &comms->closed);
    if (!rc) rc = comm_fill(made.comm);
    if (rc) comm_abandon(comms, &made);
    else comm_publish(comms, &made, number);
    return rc;
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

/* ---- creation by the members of a communicator ---- */

#define COOKIE 0x73706c69 /* differs from those of other exchanges */

typedef struct split {
    hy_comms *comms;
    hy_comm *from;
    hy_group_record *mine, *theirs; /* [from->group.size], memory of `from` */
} split;

static int split_tell(split *s, const hy_group_record *record)
{
    for (int i = 0; i < s->from->group.size; i++) s->mine[i] = *record;
    return hy_exchange(s->comms, s->from, s->mine, s->theirs, sizeof *record, COOKIE);
}

_Static_assert(sizeof(hy_group_record) <= HY_INLINE_MAX, "a split can tell that a heap is full");

static void read_theirs(void *context, int candidate, int *rank, hy_group_record *record)
{
    const split *s = context;
    *rank = s->from->group.members[candidate];
    *record = s->theirs[candidate];
}

static int find_failed(const split *s)
{
    for (int i = 0; i < s->from->group.size; i++) {
        int rank = s->from->group.members[i];
        if (s->theirs[i].failed)
            return hy_fail_peer(
                HAYATE_ERR_NO_MEMORY, rank,
                "rank %d could not create its communicator: see the error of that rank", rank);
    }
    return HAYATE_OK;
}

/* The second exchange: a member that could not open its communicator says so, and then nobody has
 * one. A member uses its communicator only after it has heard from all others. So if one of them
 * failed, nobody has written into another's memory; but if this exchange fails, others may do so.
 */
static int agree_on(split *s, int rc, hy_group *group)
{
    const hy_failure failure = hy_failure_of(rc);
    const hy_group_record done = {.failed = rc != HAYATE_OK};
    rc = split_tell(s, &done);
    if (!rc && (rc = find_failed(s))) group->used = false;
    return failure.code ? hy_fail_again(&failure) : rc;
}

/* An error of `begun`, which is that of comm_begin(), is told to the others first. */
static int split_into(split *s, int color, int key, const creation *made, int begun)
{
    const hy_candidates members = {s->from->group.size, s->from->group.rank, read_theirs, s};
    hy_failure failure = hy_failure_of(begun);
    hy_group none, *group = made->comm ? &made->comm->group : &none;
    hy_group_record mine;
    hy_group_begin(group, s->comms->job, made->comm ? color : -1, key, members.count, &mine);
    if (mine.failed) failure = hy_failure_of(HAYATE_ERR_NO_MEMORY);
    mine.failed = failure.code != HAYATE_OK;
    int rc = split_tell(s, &mine);
    if (rc) return rc;
    rc = failure.code ? hy_fail_again(&failure) : hy_group_connect(group, mine.color, &members);
    if (!rc && made->comm) rc = comm_fill(made->comm);
    return agree_on(s, rc, group);
}

int hy_comm_split(hy_comms *comms, int from, int color, int key, int *number)
{
    *number = FMPL_COMM_NULL;
    hy_comm *parent = hy_comm_find(comms, from);
    if (!parent) return HAYATE_ERR_ARGUMENT;
    int rc = hy_comm_acquire(comms, parent, from);
    if (rc) return rc;
    creation made;
    split s = {comms, parent, parent->records, parent->records + parent->group.size};
    rc = split_into(&s, color, key, &made, comm_begin(comms, color >= 0, &made));
    if (rc) comm_abandon(comms, &made);
    else if (made.comm) comm_publish(comms, &made, number);
    hy_comm_release(parent);
    return rc;
}
