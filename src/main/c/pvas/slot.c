/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds, claims and frees the partitions of a space. A slot is FREE, then STARTING, RUNNING and
 * ENDED; space.h has the locking.
 */
#include "pvas/space.h"

#if defined(__x86_64__)

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/line.h"
#include "base/log.h"
#include "base/status.h"
#include "pvas/exports.h"

hy_pvas_slot *hy_slot_find(hy_space *space, int task)
{
    int index = task >= 0 ? hy_table_find(space->table, task) : -1;
    /* While a task is being started, only its own thread knows its number. */
    if (index >= 0 && space->slots[index].state != HY_SLOT_STARTING) return &space->slots[index];
    hy_fail(HAYATE_ERR_ARGUMENT,
            "there is no task %d in space %d: it was never started, or has been reclaimed", task,
            space->number);
    return NULL;
}

static hy_pvas_slot *free_slot(hy_space *space)
{
    for (int i = 0; i < space->slot_count; i++)
        if (space->slots[i].state == HY_SLOT_FREE) return &space->slots[i];
    return NULL;
}

/* Touches only used entries: the table is large. */
static void forget_outside(hy_outside *outside)
{
    if (outside->count) outside->count = 0;
    if (hy_load_relaxed(&outside->busy)) hy_store_relaxed(&outside->busy, 0);
}

static void slot_prepare(hy_space *space, hy_pvas_slot *slot)
{
    *slot = (hy_pvas_slot){.state = HY_SLOT_STARTING, .number = space->next_task++, .pidfd = -1};
    int index = (int)(slot - space->slots);
    hy_member *member = &space->table->members[index];
    hy_exports_reset(hy_table_exports(space->table, (uint32_t)index));
    hy_store_relaxed(&member->pid, 0);
    hy_store_relaxed(&member->ended, 0);
    hy_store_relaxed(&member->leads_group, 0);
    hy_store_relaxed(&member->failed, 0);
    forget_outside(hy_table_outside(space->table, (uint32_t)index));
    hy_store_release(&member->number, slot->number); /* release: the entry is complete when its
                                                      * number is found */
    space->starting++;
}

int hy_slot_claim(hy_space *space, hy_pvas_slot **slot)
{
    pthread_mutex_lock(&space->lock);
    bool closing = space->closing;
    *slot = closing || space->next_task == INT32_MAX ? NULL : free_slot(space);
    if (*slot) slot_prepare(space, *slot);
    pthread_mutex_unlock(&space->lock);
    if (*slot) return HAYATE_OK;
    if (closing) return hy_fail(HAYATE_ERR_CLOSED, "space %d was destroyed", space->number);
    return hy_fail(HAYATE_ERR_NO_MEMORY,
                   "no partition of space %d is free (it has %d): reclaim tasks that have ended",
                   space->number, space->slot_count);
}

void hy_slot_started(hy_space *space, hy_pvas_slot *slot, pid_t pid, int pidfd)
{
    hy_member *member = &space->table->members[slot - space->slots];
    pthread_mutex_lock(&space->lock);
    slot->pid = pid;
    slot->pidfd = pidfd;
    slot->state = HY_SLOT_RUNNING;
    hy_store_relaxed(&member->pid, pid);
    space->starting--;
    pthread_cond_broadcast(&space->changed);
    pthread_mutex_unlock(&space->lock);
}

void hy_slot_abandon(hy_space *space, hy_pvas_slot *slot)
{
    hy_region_close(hy_slot_base(space, slot), space->region.bytes);
    pthread_mutex_lock(&space->lock);
    slot->state = HY_SLOT_FREE;
    hy_store_relaxed(&space->table->members[slot - space->slots].number, HY_NO_TASK);
    space->starting--;
    pthread_cond_broadcast(&space->changed);
    pthread_mutex_unlock(&space->lock);
}

static void tell_failed_start(const hy_space *space, const hy_pvas_slot *slot)
{
    int error = hy_load_relaxed(&space->table->members[slot - space->slots].failed);
    if (error)
        hy_log(HY_LOG_WARN, "task %d of space %d could not start its program: %s", slot->number,
               space->number, strerror(error));
}

static void note_end(hy_space *space, hy_pvas_slot *slot, const siginfo_t *info)
{
    hy_member *member = &space->table->members[slot - space->slots];
    slot->status.exited = info->si_code == CLD_EXITED;
    slot->status.dumped = info->si_code == CLD_DUMPED;
    slot->status.code = info->si_status;
    slot->state = HY_SLOT_ENDED;
    hy_store_relaxed(&member->pid, 0); /* from now on the pid may be reused */
    hy_store_release(&member->ended, 1);
    tell_failed_start(space, slot);
    pthread_cond_broadcast(&space->changed);
}

void hy_slot_collect(hy_space *space, hy_pvas_slot *slot)
{
    siginfo_t info = {0};
    if (slot->state != HY_SLOT_RUNNING) return;
    int error = waitid(P_PIDFD, (id_t)slot->pidfd, &info, WEXITED | WNOHANG | __WALL) ? errno : 0;
    slot->status_lost = error == ECHILD;
    if (slot->status_lost || (!error && info.si_pid)) note_end(space, slot, &info);
    if (slot->state == HY_SLOT_ENDED && slot->waiters == 0) {
        close(slot->pidfd);
        slot->pidfd = -1;
    }
}

static int milliseconds_to(uint64_t end)
{
    if (end == 0) return -1;
    uint64_t now = hy_now_ns();
    if (now >= end) return 0;
    uint64_t left = (end - now + 999999) / 1000000;
    return left > INT32_MAX ? INT32_MAX : (int)left;
}

bool hy_slot_await(hy_space *space, hy_pvas_slot *slot, uint64_t end)
{
    slot->waiters++;
    hy_slot_collect(space, slot);
    while (slot->state != HY_SLOT_ENDED) {
        struct pollfd poller = {.fd = slot->pidfd, .events = POLLIN};
        int left = milliseconds_to(end);
        if (left == 0) break;
        pthread_mutex_unlock(&space->lock);
        poll(&poller, 1, left); /* the descriptor stays open while there is a waiter */
        pthread_mutex_lock(&space->lock);
        hy_slot_collect(space, slot);
    }
    if (--slot->waiters == 0 && slot->state == HY_SLOT_ENDED) {
        if (slot->pidfd >= 0) close(slot->pidfd);
        slot->pidfd = -1;
        pthread_cond_broadcast(&space->changed);
    }
    return slot->state == HY_SLOT_ENDED;
}

/* First removes the number, so that nobody finds the task any more; then threads that wait for its
 * end, which has come, leave; then the memory is unmapped. */
void hy_slot_reclaim(hy_space *space, hy_pvas_slot *slot)
{
    uint64_t base = hy_slot_base(space, slot);
    hy_member *member = &space->table->members[slot - space->slots];
    int number = slot->number;
    hy_store_release(&member->number, HY_NO_TASK);
    while (slot->waiters > 0) pthread_cond_wait(&space->changed, &space->lock);
    if (slot->state != HY_SLOT_ENDED || slot->number != number)
        return; /* another thread has reclaimed
                 * it */
    hy_outside_unmap(hy_table_outside(space->table, (uint32_t)(slot - space->slots)));
    hy_region_close(base, space->region.bytes);
    slot->state = HY_SLOT_FREE;
    slot->number = HY_NO_TASK;
}

#endif
