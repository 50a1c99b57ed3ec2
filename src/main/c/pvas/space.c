/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The list of spaces and its lock; creating a space reserves its addresses and its table,
 * destroying it ends and reclaims all tasks.
 */
#include "pvas/space.h"

#if defined(__x86_64__)

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/line.h"
#include "base/status.h"
#include "base/task.h"
#include "pvas/guard.h"

_Static_assert(HY_REGIONS_MAX == PVAS_SPACES_MAX, "a space is one range of addresses");

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t left = PTHREAD_COND_INITIALIZER;
static hy_space *spaces;
static _Atomic int next_number;
static _Atomic pid_t owner; /* the process that owns all spaces; 0: there was no space yet */

int hy_space_any(void)
{
    return hy_load_relaxed(&next_number) > 0;
}

/* Called before any lock is taken: in a child of fork(), threads that do not exist there may hold
 * them. */
static int check_process(void)
{
    pid_t creator = hy_load_relaxed(&owner);
    if (creator == 0 || creator == getpid()) return HAYATE_OK;
    return hy_fail(HAYATE_ERR_STATE,
                   "this process is a child of fork(): the spaces belong to process %d",
                   (int)creator);
}

static int refuse_number(int number, bool closed)
{
    if (number >= 0 && number < next_number && closed)
        return hy_fail(HAYATE_ERR_CLOSED, "space %d was destroyed", number);
    return hy_fail(HAYATE_ERR_ARGUMENT,
                   "there is no space %d: it was never created, or has been destroyed", number);
}

int hy_space_enter(int number, bool closed, hy_space **space)
{
    int code = check_process();
    if (code) return code;
    pthread_mutex_lock(&lock);
    hy_space *found = spaces;
    while (found && found->number != number) found = found->next;
    if (found) found->users++;
    else code = refuse_number(number, closed);
    pthread_mutex_unlock(&lock);
    *space = found;
    return code;
}

void hy_space_leave(hy_space *space)
{
    pthread_mutex_lock(&lock);
    if (--space->users == 0) pthread_cond_broadcast(&left);
    pthread_mutex_unlock(&lock);
}

static void set_up_slots(hy_space *space, int count)
{
    space->slot_count = count;
    for (int i = 0; i < count; i++)
        space->slots[i] = (hy_pvas_slot){.number = HY_NO_TASK, .pidfd = -1};
}

static int set_up_table(hy_space *space, int count)
{
    space->table = hy_table_make((uint32_t)count, &space->table_bytes);
    if (!space->table)
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for the table of %d tasks", count);
    space->table->base = space->region.base;
    space->table->partition_bytes = space->region.bytes;
    space->table->creator = space->creator;
    if (getrandom(space->table->id, sizeof space->table->id, 0) != sizeof space->table->id)
        return hy_fail_errno("cannot get a random number for the space");
    if (!hy_guard_add(space->table))
        return hy_fail(HAYATE_ERR_NO_MEMORY, "%d spaces exist, which is the limit", HY_REGIONS_MAX);
    return HAYATE_OK;
}

static void free_space(hy_space *space)
{
    if (space->table) {
        hy_guard_remove(space->table);
        munmap(space->table, space->table_bytes);
    }
    if (space->region.base) hy_region_release(&space->region);
    pthread_mutex_destroy(&space->lock);
    pthread_cond_destroy(&space->changed);
    free(space);
}

static int make_space(unsigned tasks, uint64_t bytes, hy_space **made)
{
    hy_pvas_region region;
    int count = hy_region_reserve(tasks, PVAS_TASKS_MAX, bytes, &region);
    if (count < 0) return count;
    hy_space *space = calloc(1, sizeof *space + (size_t)count * sizeof *space->slots);
    if (!space) {
        hy_region_release(&region);
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a space of %d tasks", count);
    }
    pthread_mutex_init(&space->lock, NULL);
    pthread_cond_init(&space->changed, NULL);
    space->creator = getpid();
    space->region = region;
    set_up_slots(space, count);
    int code = set_up_table(space, count);
    if (code) free_space(space);
    else *made = space;
    return code;
}

int hy_space_create(unsigned tasks, uint64_t bytes, int *number)
{
    hy_space *space = NULL;
    int code = check_process();
    if (code) return code;
    pthread_mutex_lock(&lock);
    hy_store_relaxed(&owner, getpid());
    code = hy_guard_ensure();
    if (!code) code = make_space(tasks, bytes, &space);
    if (!code) {
        space->number = *number = next_number++;
        space->next = spaces;
        spaces = space;
    } else if (!spaces) {
        hy_guard_stop();
    }
    pthread_mutex_unlock(&lock);
    return code;
}

static bool is_held(const hy_space *space)
{
    for (int i = 0; i < space->slot_count; i++)
        if (space->slots[i].state != HY_SLOT_FREE && space->slots[i].holds) return true;
    return false;
}

/* From here on, the space accepts no new task and no new hold. */
static int begin_to_close(hy_space *space)
{
    int code = HAYATE_OK;
    pthread_mutex_lock(&space->lock);
    if (space->closing)
        code = hy_fail(HAYATE_ERR_ARGUMENT, "space %d is being destroyed", space->number);
    else if (is_held(space))
        code = hy_fail(HAYATE_ERR_BUSY,
                       "memory of a task of space %d is held: drop it first (pvas_drop())",
                       space->number);
    else space->closing = true;
    if (!code) hy_store_release(&space->table->closing, 1); /* wakes waiting imports */
    pthread_mutex_unlock(&space->lock);
    return code;
}

/* Kills all tasks at once, then collects them one by one. */
static void end_tasks(hy_space *space)
{
    pthread_mutex_lock(&space->lock);
    while (space->starting > 0) pthread_cond_wait(&space->changed, &space->lock);
    for (int i = 0; i < space->slot_count; i++) {
        hy_pvas_slot *slot = &space->slots[i];
        if (slot->state == HY_SLOT_RUNNING)
            hy_sys4(SYS_pidfd_send_signal, (uint64_t)slot->pidfd, SIGKILL, 0, 0);
    }
    for (int i = 0; i < space->slot_count; i++) {
        hy_pvas_slot *slot = &space->slots[i];
        if (slot->state == HY_SLOT_RUNNING) hy_slot_await(space, slot, 0);
        if (slot->state == HY_SLOT_ENDED) hy_slot_reclaim(space, slot);
    }
    pthread_mutex_unlock(&space->lock);
}

/* The caller holds the lock of the list. */
static void take_out(hy_space *space)
{
    hy_space **at = &spaces;
    while (*at != space) at = &(*at)->next;
    *at = space->next;
}

int hy_space_guarded(void)
{
    if (hy_guard_alive()) return HAYATE_OK;
    pthread_mutex_lock(&lock);
    int code = hy_guard_ensure();
    pthread_mutex_unlock(&lock);
    return code;
}

int hy_space_destroy(int number)
{
    hy_space *space;
    int code = hy_space_enter(number, false, &space);
    if (code) return code;
    code = begin_to_close(space);
    if (code) {
        hy_space_leave(space);
        return code;
    }
    end_tasks(space);
    pthread_mutex_lock(&lock);
    take_out(space);
    space->users--;
    while (space->users > 0) pthread_cond_wait(&left, &lock);
    free_space(space);
    if (!spaces) hy_guard_stop();
    pthread_mutex_unlock(&lock);
    return HAYATE_OK;
}

#endif
