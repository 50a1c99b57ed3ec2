/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Looks a name up in the exports of another task. While the name is absent, it sleeps on the
 * exports and checks regularly whether the task still lives.
 */
#include "pvas/import.h"

#include <errno.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/line.h"
#include "base/status.h"
#include "pvas/exports.h"

#define LOOK_MS 20 /* between two checks whether the other task still lives */

typedef struct wanted {
    hy_table *table;
    int task, index;
    const char *text;
    hy_name name;
    int pidfd; /* of the other task; -1: not opened yet */
} wanted;

static bool is_gone(const wanted *from)
{
    return from->task != PVAS_CREATOR &&
           hy_load_acquire(&from->table->members[from->index].number) != from->task;
}

/* Whether the process has ended. Perhaps nobody has waited for it yet: then only its pidfd
 * tells. */
static bool has_ended(wanted *from)
{
    int pid = from->table->creator;
    if (from->task != PVAS_CREATOR) {
        hy_member *member = &from->table->members[from->index];
        if (hy_load_acquire(&member->ended)) return true;
        pid = hy_load_relaxed(&member->pid);
        if (pid == 0) return hy_load_acquire(&member->ended); /* it is being started */
    }
    if (from->pidfd < 0) from->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
    if (from->pidfd < 0) return errno == ESRCH;
    struct pollfd poller = {.fd = from->pidfd, .events = POLLIN};
    return poll(&poller, 1, 0) > 0;
}

/* Checks what the table says: a task can write anything into it. */
static int import_check(const wanted *from, uint64_t memory, uint64_t bytes)
{
    if (from->task == PVAS_CREATOR) return HAYATE_OK;
    uint64_t length = from->table->partition_bytes;
    uint64_t base = from->table->base + (uint64_t)from->index * length;
    if (memory >= base && memory - base <= length && bytes <= length - (memory - base))
        return HAYATE_OK;
    return hy_fail(HAYATE_ERR_CORRUPT, "task %d exports '%s' outside of its partition", from->task,
                   from->text);
}

static int refuse_stale(const wanted *from)
{
    return hy_fail(HAYATE_ERR_ARGUMENT,
                   "there is no task %d: it was never started, or has been reclaimed", from->task);
}

static int search(wanted *from, int timeout_ms, uint64_t *memory, uint64_t *bytes)
{
    hy_exports *exports = hy_table_exports(from->table, (uint32_t)from->index);
    uint64_t end = hy_now_ns() + (uint64_t)(timeout_ms > 0 ? timeout_ms : 0) * 1000000;
    uint32_t seen;
    for (bool ended = false;;) {
        hy_lookup result = hy_exports_get(exports, &from->name, memory, bytes, &seen);
        if (is_gone(from)) return refuse_stale(from);
        if (hy_load_acquire(&from->table->closing))
            return hy_fail(HAYATE_ERR_ARGUMENT, "the space is being destroyed");
        if (result == HY_FOUND) return import_check(from, *memory, *bytes);
        if (ended)
            return hy_fail(HAYATE_ERR_PEER_FAILED, "task %d has ended and exports no '%s'",
                           from->task, from->text);
        ended = has_ended(from);
        if (ended) continue; /* look once more: what it exported before it ended counts */
        uint64_t now = hy_now_ns();
        if (timeout_ms >= 0 && now >= end) return HAYATE_IN_PROGRESS;
        uint64_t left = timeout_ms < 0 ? LOOK_MS : (end - now + 999999) / 1000000;
        hy_exports_sleep(exports, seen, left < LOOK_MS ? (uint32_t)left : LOOK_MS);
    }
}

int hy_import(hy_table *table, int task, const char *text, int timeout_ms, void **memory,
              size_t *bytes)
{
    wanted from = {.table = table, .task = task, .text = text, .pidfd = -1};
    uint64_t found = 0, length = 0;
    if (timeout_ms < -1)
        return hy_fail(HAYATE_ERR_ARGUMENT, "timeout_ms is %d: expected -1 or more", timeout_ms);
    int code = hy_name_make(text, &from.name);
    if (code) return code;
    from.index = hy_table_find(table, task);
    if (from.index < 0) return refuse_stale(&from);
    code = search(&from, timeout_ms, &found, &length);
    if (from.pidfd >= 0) close(from.pidfd);
    if (code) return code;
    if (memory) *memory = (void *)(uintptr_t)found;
    if (bytes) *bytes = (size_t)length;
    return HAYATE_OK;
}
