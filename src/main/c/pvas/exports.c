/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A sequence lock for each process: its threads take turns at writing under a mutex, and readers
 * retry when the sequence number was odd or has changed.
 */
#include "pvas/exports.h"

#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/line.h"
#include "base/status.h"

/* Attempts to read a table that is being changed, before the caller tries again later. */
#define LOOKS 100

/* Serialises the writing threads of this process. The mutex is private to the process, because
 * each task has its own copy of this library: a task that dies while it holds the mutex blocks
 * no other. */
static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;

int hy_name_make(const char *text, hy_name *name)
{
    size_t length = text ? strnlen(text, PVAS_NAME_MAX + 1) : 0;
    if (length == 0 || length > PVAS_NAME_MAX)
        return hy_fail(HAYATE_ERR_ARGUMENT, "a name must have 1 to %d bytes, this one has %s",
                       PVAS_NAME_MAX, length ? "more" : "none");
    memset(name, 0, sizeof *name);
    memcpy(name, text, length);
    return HAYATE_OK;
}

void hy_exports_reset(hy_exports *exports)
{
    /* Pages of a partition that was never used stay untouched. */
    if (hy_load_relaxed(&exports->sequence) == 0) return;
    for (int i = 0; i < PVAS_EXPORTS_MAX; i++) {
        hy_export *entry = &exports->entries[i];
        for (int word = 0; word < HY_NAME_WORDS; word++) hy_store_relaxed(&entry->name[word], 0);
    }
    hy_store_release(&exports->sequence, 0);
}

static bool is_named(hy_export *entry, const hy_name *name)
{
    for (int i = 0; i < HY_NAME_WORDS; i++)
        if (hy_load_relaxed(&entry->name[i]) != name->words[i]) return false;
    return true;
}

static hy_export *exports_find(hy_exports *exports, const hy_name *name)
{
    for (int i = 0; i < PVAS_EXPORTS_MAX; i++)
        if (is_named(&exports->entries[i], name)) return &exports->entries[i];
    return NULL;
}

static void write_entry(hy_export *entry, const hy_name *name, uint64_t memory, uint64_t bytes)
{
    for (int i = 0; i < HY_NAME_WORDS; i++) hy_store_relaxed(&entry->name[i], name->words[i]);
    hy_store_relaxed(&entry->memory, memory);
    hy_store_relaxed(&entry->bytes, bytes);
}

static void change(hy_exports *exports, hy_export *entry, const hy_name *name, uint64_t memory,
                   uint64_t bytes)
{
    static const hy_name nobody;
    uint32_t sequence = hy_load_relaxed(&exports->sequence);
    hy_store_relaxed(&exports->sequence, sequence + 1);
    /* A reader that sees any new word of the entry also sees the odd sequence number. */
    atomic_thread_fence(memory_order_release);
    write_entry(entry, memory ? name : &nobody, memory, bytes);
    /* Release: publishes the caller's stores into the exported memory as well. */
    hy_store_release(&exports->sequence, sequence + 2);
    syscall(SYS_futex, &exports->sequence, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

int hy_exports_set(hy_exports *exports, const hy_name *name, uint64_t memory, uint64_t bytes)
{
    static const hy_name nobody;
    int code = HAYATE_OK;
    pthread_mutex_lock(&writing);
    hy_export *entry = exports_find(exports, name);
    if (!entry && memory) entry = exports_find(exports, &nobody);
    if (entry) change(exports, entry, name, memory, bytes);
    else if (memory) code = HAYATE_ERR_NO_MEMORY;
    pthread_mutex_unlock(&writing);
    if (!code) return HAYATE_OK;
    return hy_fail(code, "%d names are exported already, which is the limit: take one back",
                   PVAS_EXPORTS_MAX);
}

/* Words that were read before the fence are consistent if the sequence number has not changed. */
static hy_lookup exports_look(hy_exports *exports, const hy_name *name, uint64_t *memory,
                              uint64_t *bytes, uint32_t *seen)
{
    *seen = hy_load_acquire(&exports->sequence);
    if (*seen & 1) return HY_IN_CHANGE;
    hy_export *entry = exports_find(exports, name);
    if (entry) {
        *memory = hy_load_relaxed(&entry->memory);
        *bytes = hy_load_relaxed(&entry->bytes);
    }
    atomic_thread_fence(memory_order_acquire);
    if (hy_load_relaxed(&exports->sequence) != *seen) return HY_IN_CHANGE;
    return entry ? HY_FOUND : HY_NOT_FOUND;
}

hy_lookup hy_exports_get(hy_exports *exports, const hy_name *name, uint64_t *memory,
                         uint64_t *bytes, uint32_t *seen)
{
    for (int i = 0; i < LOOKS; i++) {
        hy_lookup result = exports_look(exports, name, memory, bytes, seen);
        if (result != HY_IN_CHANGE) return result;
        hy_pause();
    }
    return HY_IN_CHANGE;
}

void hy_exports_sleep(hy_exports *exports, uint32_t seen, uint32_t timeout_ms)
{
    struct timespec time = {timeout_ms / 1000, (long)(timeout_ms % 1000) * 1000000};
    syscall(SYS_futex, &exports->sequence, FUTEX_WAIT_PRIVATE, seen, &time, NULL, 0);
}
