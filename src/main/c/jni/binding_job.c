/* SPDX-License-Identifier: Apache-2.0 */
/* Set-up calls of a job, for JNA. A job is represented by its address; results below 0 are error
 * codes. */
#include "base/log.h"
#include "init/join.h"
#include "init/join_bootstrap.h"
#include "job/job.h"

/* Returns the address of the job, or an error code. */
HAYATE_API int64_t hayate_binding_job_open(void)
{
    hy_job *job = NULL;
    int rc = hy_job_open(&job);
    return rc ? rc : (int64_t)(intptr_t)job;
}

/* Tells the launcher that the job is to end; the caller then ends the process. */
HAYATE_API void hayate_binding_job_abort(hy_job *job, int code, const char *why)
{
    hy_log_detach(); /* no Java thread will read this line */
    hy_log(HY_LOG_ERROR, "rank %d ends the job with code %d: %s", job->rank, code, why);
    hy_boot_abort(&job->boot, code);
}

/* Creates a team of ranks that are threads. Returns its address, or an error code. */
HAYATE_API int64_t hayate_binding_team_create(int size)
{
    hy_team *team = NULL;
    int rc = hy_team_create(size, &team);
    return rc ? rc : (int64_t)(intptr_t)team;
}

/* Called by the creator, when no rank will be opened any more. */
HAYATE_API void hayate_binding_team_drop(hy_team *team)
{
    hy_team_drop(team);
}

/* May be called by any thread until the team is dropped: ranks that are not open then can no longer
 * be opened. */
HAYATE_API void hayate_binding_team_give_up(hy_team *team)
{
    hy_team_give_up(team);
}

/* Like hayate_binding_job_open(); each rank of a team calls it in its own thread. */
HAYATE_API int64_t hayate_binding_job_open_in(hy_team *team, int rank)
{
    hy_job *job = NULL;
    int rc = hy_job_open_in(&job, team, rank);
    return rc ? rc : (int64_t)(intptr_t)job;
}

/* The calls of init/join_bootstrap.h. Returns the address of the join, or an error code. */
HAYATE_API int64_t hayate_binding_join_offer(int rank, int size, const uint8_t *machine,
                                             uint8_t *record, int32_t *bytes)
{
    hy_bootstrap_join *join = NULL;
    size_t length = 0;
    int rc = hy_join_offer(&join, rank, size, machine, record, &length);
    *bytes = (int32_t)length;
    return rc ? rc : (int64_t)(intptr_t)join;
}

HAYATE_API int hayate_binding_join_begin(hy_bootstrap_join *join, int count, const uint8_t *records,
                                         const int32_t *lengths, uint8_t *record)
{
    const hy_records offers = {.count = count, .bytes = records, .lengths = lengths};
    return (int)hy_join_begin(join, &offers, record);
}

/* Returns the address of the job, or an error code. */
HAYATE_API int64_t hayate_binding_join_finish(hy_bootstrap_join *join, int count,
                                              const uint8_t *records, const int32_t *lengths)
{
    const hy_records addresses = {.count = count, .bytes = records, .lengths = lengths};
    hy_job *job = NULL;
    int rc = hy_join_finish(join, &addresses, &job);
    return rc ? rc : (int64_t)(intptr_t)job;
}

/* Returns why this rank could not have joined, or 0. */
HAYATE_API int hayate_binding_join_drop(hy_bootstrap_join *join)
{
    return hy_join_drop(join);
}

/* Whether the process belongs to somebody else: abort ends the rank only. */
HAYATE_API int hayate_binding_job_is_guest(const hy_job *job)
{
    return job->boot.bootstrap != NULL;
}

HAYATE_API void hayate_binding_job_close(hy_job *job)
{
    hy_job_close(job);
}

/* Called only when no Java object can reach the job's memory any more. */
HAYATE_API void hayate_binding_job_free(hy_job *job)
{
    hy_job_free(job);
}

HAYATE_API int hayate_binding_job_rank(const hy_job *job)
{
    return job->rank;
}

HAYATE_API int hayate_binding_job_size(const hy_job *job)
{
    return job->size;
}

HAYATE_API int hayate_binding_job_nodes(const hy_job *job)
{
    return hy_job_nodes(job);
}

/* Returns the address of the memory, or an error code. */
HAYATE_API int64_t hayate_binding_job_alloc(hy_job *job, int64_t bytes)
{
    if (bytes <= 0)
        return hy_fail(HAYATE_ERR_ARGUMENT, "buffer of %lld bytes: expected at least 1",
                       (long long)bytes);
    const void *memory = hy_job_alloc(job, (uint64_t)bytes);
    if (memory) return (int64_t)(intptr_t)memory;
    return hy_job_alloc_code(job);
}

HAYATE_API int hayate_binding_job_release(hy_job *job, const void *memory)
{
    return hy_job_release(job, memory);
}

/* Free bytes of the heap, in any number of pieces. */
HAYATE_API int64_t hayate_binding_job_heap_free(hy_job *job)
{
    pthread_mutex_lock(&job->lock);
    uint64_t left = job->heap.size - job->heap.used;
    pthread_mutex_unlock(&job->lock);
    return (int64_t)left;
}

HAYATE_API int64_t hayate_binding_job_heap_size(const hy_job *job)
{
    return (int64_t)job->heap.size;
}
