/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Broadcasts in a scope. The root may not depend on its receivers: it copies its section, makes a
 * bounded attempt, and returns. What is left continues in the waits of other calls, until the next
 * collective of the scope, which waits for it.
 *
 * Locking: while its broadcast is under way, a scope has background work (base/worklist.h). A
 * thread that claims the work steps the broadcast.
 */
#include "blacs/matrix.h"
#include "blacs/state.h"
#include "coll/collective.h"
#include "job/progress.h"

static hy_members *members_of(const hy_work *work)
{
    return (hy_members *)((uintptr_t)work - offsetof(hy_members, work));
}

/* The caller has claimed the work. The failure is published by the store after it. */
static void sent(hy_blacs *blacs, hy_members *members, int rc)
{
    members->failure = hy_failure_of(rc);
    hy_worklist_remove(&blacs->job->background, &members->work);
    hy_store_release(&members->sending, 0);
}

static hy_wanted broadcast_wanted(const hy_work *work)
{
    return hy_load_relaxed(&members_of(work)->sending) ? HY_WORK_READY : HY_WORK_RESTS;
}

static void broadcast_step(hy_work *work)
{
    hy_blacs *blacs = (hy_blacs *)((uintptr_t)work->worker - offsetof(hy_blacs, worker));
    hy_members *members = members_of(work);
    int rc = hy_collective_step(blacs->comms, members->comm);
    if (rc != HAYATE_IN_PROGRESS) sent(blacs, members, rc);
    hy_work_release(work);
}

void hy_broadcasts_open(hy_blacs *blacs)
{
    blacs->worker = (hy_worker){.wanted = broadcast_wanted, .step = broadcast_step};
}

static void finish(hy_blacs *blacs, hy_members *members)
{
    hy_comm *comm = hy_comm_find(blacs->comms, members->comm);
    sent(blacs, members, hy_collective_drive(blacs->comms, comm, 0));
}

int hy_members_finish(hy_grid *grid, hy_members *members)
{
    if (hy_unlikely(hy_load_acquire(&members->sending))) {
        hy_work_take(grid->blacs->job, &members->work);
        if (hy_load_acquire(&members->sending)) finish(grid->blacs, members);
        hy_work_release(&members->work);
    }
    if (hy_likely(!members->failure.code)) return HAYATE_OK;
    hy_failure failure = members->failure;
    members->failure.code = 0;
    return hy_fail_again(&failure);
}

/* The broadcast goes on after the call: the communicator has a copy of the matrix. */
static void leave_behind(hy_grid *grid, hy_members *members)
{
    hy_store_relaxed(&members->sending, 1);
    hy_worklist_add(&grid->blacs->job->background, &members->work, &grid->blacs->worker,
                    HY_BY_CALLS);
}

/* A call that was checked. */
typedef struct broadcast {
    hy_grid *grid;
    hy_members *members;
    hy_strided section;
    hy_collective_call call;
} broadcast;

/* On shared cores, a wait for an answer costs a turn of all others. A root that sends the data in
 * its signals waits for no answer. */
static const hy_hint pushed = {.algorithm = "binomial", .way = {.transfer = HY_TRANSFER_PUT}};
#define PUSHED_BYTES (HY_SCHED_DEPTH * HY_SCHED_PAYLOAD)

static int broadcast_hint(broadcast *b, char top)
{
    int rc = hy_topology_hint(b->grid, top, false, false, &b->call.hint);
    bool open = b->call.hint == NULL && b->call.count <= PUSHED_BYTES;
    if (open && b->grid->blacs->crowded) b->call.hint = &pushed;
    return rc;
}

static int begin(broadcast *b, hy_where where, const hy_matrix *matrix)
{
    uint64_t bytes = 0;
    b->grid = NULL;
    int rc = hy_matrix_section(matrix, &b->section, &bytes);
    if (!rc) rc = hy_grid_enter(where.context, &b->grid);
    if (hy_unlikely(rc)) return rc;
    b->call = (hy_collective_call){.coll = HY_COLL_BCAST, .count = (int64_t)bytes};
    rc = hy_grid_scope(b->grid, where.scope, &b->members);
    return rc ? rc : broadcast_hint(b, where.top);
}

static int broadcast_end(const broadcast *b, int rc)
{
    return b->grid ? hy_grid_leave(b->grid, rc) : rc;
}

static int broadcast_run(broadcast *b, bool bounded)
{
    int rc = hy_members_settle(b->grid, b->members);
    return rc ? rc : hy_collective(b->grid->blacs->comms, b->members->comm, &b->call, bounded);
}

int hayate_blacs_broadcast(hy_where where, const hy_matrix *matrix)
{
    broadcast b;
    int rc = begin(&b, where, matrix);
    if (rc || b.members->comm == FMPL_COMM_NULL) return broadcast_end(&b, rc);
    b.call.buffer = hy_detached_buffer(&b.section);
    b.call.root = b.members->rank;
    rc = broadcast_run(&b, true);
    if (rc != HAYATE_IN_PROGRESS) return broadcast_end(&b, rc);
    leave_behind(b.grid, b.members);
    return broadcast_end(&b, HAYATE_OK);
}

int hayate_blacs_receive_broadcast(hy_where where, const hy_matrix *matrix, int row, int column)
{
    broadcast b;
    int rc = begin(&b, where, matrix);
    if (!rc) rc = hy_grid_place(b.grid, b.members, "SRC", row, column, &b.call.root);
    if (!rc && b.call.root == b.members->rank)
        rc = hy_fail(HAYATE_ERR_ARGUMENT, "Node tries to recv its own broadcast");
    if (rc) return broadcast_end(&b, rc);
    b.call.buffer = hy_strided_buffer(&b.section);
    return broadcast_end(&b, broadcast_run(&b, false));
}
