/* SPDX-License-Identifier: Apache-2.0 */
/* The job's two allocators, of the heap and of the system area, under one lock; neither is on
 * the hot path. */
#include <sys/mman.h>
#include <stdlib.h>
#include <unistd.h>

#include "job/shrinkers.h"

/* From this size on, a buffer begins on a page, so that large buffers share no page. */
#define PAGE_FROM 32768
#define HUGE_FROM (UINT64_C(2) << 20)

/* The least alignment in the system area: slots are in different pairs of lines (wire/channel.h).
 */
#define SYSTEM_ALIGN (2 * HY_LINE)

/* Requests transparent huge pages; the kernel grants them where shared memory may use them on
 * advice (/sys/kernel/mm/transparent_hugepage/shmem_enabled), and otherwise ignores the request. */
static void *memory_prepare(uint8_t *memory, uint64_t bytes)
{
    if (bytes < HUGE_FROM) return memory;
    uintptr_t page = (uintptr_t)memory & -(uintptr_t)sysconf(_SC_PAGESIZE);
    madvise((void *)page, bytes, MADV_HUGEPAGE);
    return memory;
}

static int memory_take(hy_job *job, uint64_t bytes, uint64_t *offset, uint64_t *longest)
{
    pthread_mutex_lock(&job->lock);
    int rc = hy_heap_take(&job->heap, bytes, bytes >= PAGE_FROM ? 4096 : HY_LINE, offset);
    if (rc) *longest = hy_heap_longest(&job->heap);
    pthread_mutex_unlock(&job->lock);
    return rc;
}

void *hy_job_alloc(hy_job *job, uint64_t bytes)
{
    if (bytes == 0) {
        hy_fail(HAYATE_ERR_ARGUMENT, "buffer of 0 bytes: expected at least 1");
        return NULL;
    }
    if (hy_load_relaxed(&job->closed)) {
        hy_fail(HAYATE_ERR_CLOSED, "the job is closed");
        return NULL;
    }
    uint64_t offset, longest;
    int rc = memory_take(job, bytes, &offset, &longest);
    if (rc && bytes <= job->heap.size) {
        hy_shrinkers_run(job);
        rc = memory_take(job, bytes, &offset, &longest);
    }
    if (rc == HAYATE_OK) return memory_prepare(job->part + job->heap_start + offset, bytes);
    hy_fail(
        rc,
        "no room for %llu bytes: at most %llu of %llu are left in the symmetric heap: free buffers,"
        " or start with a larger --heap (HAYATE_HEAP)",
        (unsigned long long)bytes, (unsigned long long)longest, (unsigned long long)job->heap.size);
    return NULL;
}

int hy_job_release(hy_job *job, const void *memory)
{
    uint64_t offset = hy_job_heap_offset(job, memory, 0);
    if (offset == HY_NOT_IN_HEAP)
        return hy_fail(HAYATE_ERR_ARGUMENT, "%p is not in this rank's heap", memory);
    pthread_mutex_lock(&job->lock);
    int rc = hy_heap_give(&job->heap, offset - job->heap_start, NULL);
    pthread_mutex_unlock(&job->lock);
    if (rc) hy_fail(rc, "%p is not the start of a live allocation (freed twice?)", memory);
    return rc;
}

/* If there is no memory for the list, the buffer stays allocated, which is harmless. */
void hy_job_release_late(hy_job *job, void *memory)
{
    pthread_mutex_lock(&job->lock);
    void **list = realloc(job->late, (job->late_count + 1) * sizeof *list);
    if (list) {
        job->late = list;
        list[job->late_count++] = memory;
    }
    pthread_mutex_unlock(&job->lock);
}

/* Under the lock. The heap follows the system area. */
static void memory_give(hy_job *job, uint64_t offset)
{
    if (offset < job->heap_start) hy_heap_give(&job->system, offset, NULL);
    else hy_heap_give(&job->heap, offset - job->heap_start, NULL);
}

size_t hy_job_late(hy_job *job)
{
    pthread_mutex_lock(&job->lock);
    size_t count = job->late_count;
    pthread_mutex_unlock(&job->lock);
    return count;
}

void hy_job_late_over(hy_job *job, size_t count)
{
    pthread_mutex_lock(&job->lock);
    if (count > job->late_count) count = job->late_count;
    for (size_t i = 0; i < count; i++)
        memory_give(job, (uint64_t)((uint8_t *)job->late[i] - job->part));
    job->late_count -= count;
    if (job->late_count) memmove(job->late, job->late + count, job->late_count * sizeof *job->late);
    pthread_mutex_unlock(&job->lock);
}

uint64_t hy_job_system_left(hy_job *job)
{
    pthread_mutex_lock(&job->lock);
    uint64_t left = job->system.size - job->system.used;
    pthread_mutex_unlock(&job->lock);
    return left;
}

int hy_job_system_take(hy_job *job, uint64_t bytes, uint64_t *offset)
{
    return hy_job_system_take_cleared(job, bytes, bytes, offset);
}

int hy_job_system_take_cleared(hy_job *job, uint64_t bytes, uint64_t cleared, uint64_t *offset)
{
    pthread_mutex_lock(&job->lock);
    int rc = hy_heap_take(&job->system, bytes, bytes >= PAGE_FROM ? 4096 : SYSTEM_ALIGN, offset);
    uint64_t used_before = job->system_high;
    if (!rc && *offset + bytes > used_before) job->system_high = *offset + bytes;
    pthread_mutex_unlock(&job->lock);
    if (rc)
        return hy_fail(rc,
                       "no room for %llu bytes in the system area, of which %llu are left: it holds"
                       " the entries of FMPL, and communicators; open FMPL with fewer entries or on"
                       " memory of the heap, or free communicators",
                       (unsigned long long)bytes, (unsigned long long)hy_job_system_left(job));
    /* Fresh pages are zero already: clearing them would only commit them. */
    if (*offset < used_before)
        memset(job->part + *offset, 0,
               cleared < used_before - *offset ? cleared : used_before - *offset);
    return HAYATE_OK;
}

void hy_job_system_give(hy_job *job, uint64_t offset)
{
    pthread_mutex_lock(&job->lock);
    memory_give(job, offset);
    pthread_mutex_unlock(&job->lock);
}

void hy_job_system_give_late(hy_job *job, uint64_t offset)
{
    hy_job_release_late(job, job->part + offset);
}
