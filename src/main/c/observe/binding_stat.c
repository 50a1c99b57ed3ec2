/* SPDX-License-Identifier: Apache-2.0 */
/* `hayate stat`, for JNA. An observed job is represented by its address; results below 0 are error
 * codes. */
#include "base/status.h"
#include "observe/stat.h"

/* Returns the address of the job of process `pid`, or an error code. */
HAYATE_API int64_t hayate_binding_stat_open(int pid)
{
    hy_view *job = NULL;
    int rc = hy_stat_open(pid, &job);
    return rc ? rc : (int64_t)(intptr_t)job;
}

HAYATE_API void hayate_binding_stat_close(hy_view *job)
{
    hy_stat_close(job);
}

HAYATE_API int hayate_binding_stat_size(const hy_view *job)
{
    return (int)job->header.size;
}

/* result[0..4]: state, why, process id, commands for the delegatee and their bytes; then
 * HY_COUNTERS counters. */
HAYATE_API int hayate_binding_stat_read(const hy_view *job, int rank, int64_t *result)
{
    hy_stat_rank seen;
    int rc = hy_stat_read(job, rank, &seen);
    if (rc) return rc;
    result[0] = seen.state;
    result[1] = seen.why;
    result[2] = seen.pid;
    result[3] = (int64_t)seen.commands;
    result[4] = (int64_t)seen.command_bytes;
    for (int i = 0; i < HY_COUNTERS; i++) result[5 + i] = (int64_t)seen.counters[i];
    return HAYATE_OK;
}

HAYATE_API const char *hayate_binding_stat_state_name(int state)
{
    return hy_stat_state_name((uint32_t)state);
}
