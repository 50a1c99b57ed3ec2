/* SPDX-License-Identifier: Apache-2.0 */
/* The public functions of pvas.h. They check the arguments; the other files of this folder do the
 * work. */
#include <hayate/pvas.h>

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/status.h"
#include "base/task.h"
#include "pvas/exports.h"
#include "pvas/import.h"
#include "pvas/machine.h"
#include "pvas/space.h"
#include "pvas/spawn.h"

int pvas_create(unsigned tasks, uint64_t partition_bytes, int *space)
{
    uint64_t bytes = partition_bytes ? partition_bytes : HY_PARTITION_USUAL;
    if (!space) return hy_fail(HAYATE_ERR_ARGUMENT, "space is NULL");
    if ((bytes & (bytes - 1)) || bytes < HY_PARTITION_LEAST || bytes > HY_PARTITION_MOST)
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "partition of %llu bytes: expected a power of two from 1 GiB to 4 TiB, "
                       "or 0",
                       (unsigned long long)partition_bytes);
    if (tasks > PVAS_TASKS_MAX)
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "space for %u tasks: expected 1 to %d, or 0 for as many as fit", tasks,
                       PVAS_TASKS_MAX);
    int code = hy_pvas_supported();
    return code ? code : hy_space_create(tasks, bytes, space);
}

int pvas_destroy(int space)
{
    return hy_space_destroy(space);
}

int pvas_spawn(int space, const char *path, char *const argv[], char *const envp[],
               const pvas_spawning *spawning, int *task, pid_t *pid)
{
    static const pvas_spawning usual;
    hy_spawn wanted = {path, argv, envp ? envp : environ, spawning ? spawning : &usual};
    hy_space *at;
    pid_t started;
    if (!path || !path[0] || !argv || !argv[0] || !task)
        return hy_fail(HAYATE_ERR_ARGUMENT, "path, argv, argv[0] or task is NULL");
    if (wanted.spawning->inherited_count && !wanted.spawning->inherited)
        return hy_fail(HAYATE_ERR_ARGUMENT, "inherited is NULL, but inherited_count is not 0");
    int code = hy_space_enter(space, true, &at);
    if (code) return code;
    code = hy_spawn_task(at, &wanted, task, pid ? pid : &started);
    int error = errno;
    hy_space_leave(at);
    errno = error;
    return code;
}

/* Enters the space, locks it and finds the task. pvas_api_leave() must follow, whatever the
 * result. */
static int pvas_api_enter(int space, int task, hy_space **at, hy_pvas_slot **slot)
{
    int code = hy_space_enter(space, false, at);
    if (code) return code;
    pthread_mutex_lock(&(*at)->lock);
    *slot = hy_slot_find(*at, task);
    if (*slot) return HAYATE_OK;
    pthread_mutex_unlock(&(*at)->lock);
    hy_space_leave(*at);
    return HAYATE_ERR_ARGUMENT;
}

static int pvas_api_leave(hy_space *at, int code)
{
    pthread_mutex_unlock(&at->lock);
    hy_space_leave(at);
    return code;
}

int pvas_wait(int space, int task, int timeout_ms, pvas_status *status)
{
    hy_space *at;
    hy_pvas_slot *slot;
    if (timeout_ms < -1)
        return hy_fail(HAYATE_ERR_ARGUMENT, "timeout_ms is %d: expected -1 or more", timeout_ms);
    uint64_t end = timeout_ms < 0 ? 0 : hy_now_ns() + (uint64_t)timeout_ms * 1000000;
    int code = pvas_api_enter(space, task, &at, &slot);
    if (code) return code;
    if (!hy_slot_await(at, slot, end)) return pvas_api_leave(at, HAYATE_IN_PROGRESS);
    if (slot->status_lost)
        return pvas_api_leave(
            at, hy_fail(HAYATE_ERR_SYSTEM,
                        "the status of task %d is lost: something else waited for its process %d",
                        task, (int)slot->pid));
    if (status) *status = slot->status;
    return pvas_api_leave(at, HAYATE_OK);
}

int pvas_kill(int space, int task, int signal)
{
    hy_space *at;
    hy_pvas_slot *slot;
    if (signal < 0 || signal > SIGRTMAX)
        return hy_fail(HAYATE_ERR_ARGUMENT, "there is no signal %d", signal);
    int code = pvas_api_enter(space, task, &at, &slot);
    if (code) return code;
    if (slot->state == HY_SLOT_RUNNING &&
        syscall(SYS_pidfd_send_signal, slot->pidfd, signal, NULL, 0) != 0 && errno != ESRCH)
        code = hy_fail_errno("cannot send signal %d to task %d", signal, task);
    return pvas_api_leave(at, code);
}

int pvas_reclaim(int space, int task)
{
    hy_space *at;
    hy_pvas_slot *slot;
    int code = pvas_api_enter(space, task, &at, &slot);
    if (code) return code;
    hy_slot_collect(at, slot);
    if (slot->state != HY_SLOT_ENDED)
        code = hy_fail(HAYATE_ERR_BUSY, "task %d of space %d is still running", task, space);
    else if (slot->holds)
        code = hy_fail(HAYATE_ERR_BUSY, "memory of task %d of space %d is held %u times", task,
                       space, slot->holds);
    else hy_slot_reclaim(at, slot);
    return pvas_api_leave(at, code);
}

int pvas_hold(int space, int task)
{
    hy_space *at;
    hy_pvas_slot *slot;
    int code = pvas_api_enter(space, task, &at, &slot);
    if (code) return code;
    if (at->closing) code = hy_fail(HAYATE_ERR_ARGUMENT, "space %d is being destroyed", space);
    else slot->holds++;
    return pvas_api_leave(at, code);
}

int pvas_drop(int space, int task)
{
    hy_space *at;
    hy_pvas_slot *slot;
    int code = pvas_api_enter(space, task, &at, &slot);
    if (code) return code;
    if (slot->holds == 0)
        code = hy_fail(HAYATE_ERR_ARGUMENT, "memory of task %d of space %d is not held", task,
                       space);
    else slot->holds--;
    return pvas_api_leave(at, code);
}

/* Finds the table of the space in which the calling task lives. */
static int table_of_task(const hy_task *self, hy_table **table)
{
    hy_table *found = (hy_table *)(uintptr_t)self->shared;
    if (found->magic == HY_TABLE_MAGIC && found->layout == HY_TABLE_LAYOUT) {
        *table = found;
        return HAYATE_OK;
    }
    return hy_fail(HAYATE_ERR_STATE, "the spawner of this task has another version of Hayate");
}

/* Finds the table, and the index of the caller's exports in it, for functions that tasks may call
 * as well. *at is NULL for a task. */
static int enter_table(int space, hy_space **at, hy_table **table, uint32_t *own)
{
    const hy_task *self = hy_task_self();
    *at = NULL;
    if (self) {
        int code = table_of_task(self, table);
        if (!code) *own = (uint32_t)((self->base - (*table)->base) / (*table)->partition_bytes);
        return code;
    }
    int code = hy_space_enter(space, false, at);
    if (code)
        return hy_space_any()
                   ? code
                   : hy_fail(HAYATE_ERR_STATE, "this process is not a task and has no space");
    *table = (*at)->table;
    *own = (*table)->partitions;
    return HAYATE_OK;
}

static int leave_table(hy_space *at, int code)
{
    if (at) hy_space_leave(at);
    return code;
}

static int check_export(const hy_task *self, uint64_t memory, size_t bytes)
{
    if (memory && memory + bytes < memory)
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "%zu bytes at %p wrap around the end of the address space", bytes,
                       (void *)(uintptr_t)memory);
    if (memory && self && (memory < self->base || memory + bytes > self->end))
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "%zu bytes at %p do not lie in the partition of this task, %p to %p", bytes,
                       (void *)(uintptr_t)memory, (void *)(uintptr_t)self->base,
                       (void *)(uintptr_t)self->end);
    return HAYATE_OK;
}

int pvas_export(int space, const char *name, void *memory, size_t bytes)
{
    hy_space *at;
    hy_table *table = NULL;
    uint32_t own = 0;
    hy_name made;
    int code = enter_table(space, &at, &table, &own);
    if (code) return code;
    uint64_t address = (uint64_t)(uintptr_t)memory;
    code = hy_name_make(name, &made);
    if (!code) code = check_export(hy_task_self(), address, bytes);
    if (!code) code = hy_exports_set(hy_table_exports(table, own), &made, address, bytes);
    return leave_table(at, code);
}

int pvas_import(int space, int task, const char *name, int timeout_ms, void **memory, size_t *bytes)
{
    hy_space *at;
    hy_table *table = NULL;
    uint32_t own = 0;
    int code = enter_table(space, &at, &table, &own);
    if (code) return code;
    return leave_table(at, hy_import(table, task, name, timeout_ms, memory, bytes));
}

int pvas_self(void)
{
    const hy_task *self = hy_task_self();
    return self ? self->number : hy_fail(HAYATE_ERR_STATE, "this process is not a task");
}

int pvas_partition(int space, int task, void **base, uint64_t *bytes)
{
    hy_space *at;
    hy_table *table = NULL;
    uint32_t own = 0;
    int code = enter_table(space, &at, &table, &own);
    if (code) return code;
    int index = task >= 0 ? hy_table_find(table, task) : -1;
    if (index < 0)
        return leave_table(
            at, hy_fail(HAYATE_ERR_ARGUMENT,
                        "there is no task %d: it was never started, or has been reclaimed", task));
    if (base) *base = (void *)(uintptr_t)(table->base + (uint64_t)index * table->partition_bytes);
    if (bytes) *bytes = table->partition_bytes;
    return leave_table(at, HAYATE_OK);
}
