/* SPDX-License-Identifier: Apache-2.0 */
/* `hayate stat` and Hayate.counters(), for JNA. An observed job is represented by its address;
 * results below 0 are error codes. */
#include "base/status.h"
#include "job/job.h"
#include "job/stat.h"

/* Returns the address of the job of process `pid`, or an error code. */
HAYATE_API int64_t hayate_binding_stat_open(int pid)
{
    hy_stat *stat = NULL;
    int rc = hy_stat_open(pid, &stat);
    return rc ? rc : (int64_t)(intptr_t)stat;
}

HAYATE_API void hayate_binding_stat_close(hy_stat *stat)
{
    hy_stat_close(stat);
}

HAYATE_API int hayate_binding_stat_size(const hy_stat *stat)
{
    return (int)stat->header.size;
}

/* result[0..4]: state, why, process id, commands for the delegatee and their bytes; then
 * HY_COUNTERS counters. */
HAYATE_API int hayate_binding_stat_read(const hy_stat *stat, int rank, int64_t *result)
{
    hy_stat_rank seen;
    int rc = hy_stat_read(stat, rank, &seen);
    if (rc) return rc;
    result[0] = seen.state;
    result[1] = seen.why;
    result[2] = seen.pid;
    result[3] = (int64_t)seen.commands;
    result[4] = (int64_t)seen.command_bytes;
    for (int i = 0; i < HY_COUNTERS; i++) result[5 + i] = (int64_t)seen.counters[i];
    return HAYATE_OK;
}

/* The counters of a rank of this process; result[0..HY_COUNTERS - 1]. */
HAYATE_API void hayate_binding_stat_own(const hy_job *job, int64_t *result)
{
    for (int i = 0; i < HY_COUNTERS; i++)
        result[i] = (int64_t)hy_counter_sum(job->counters, (hy_counter)i);
}

HAYATE_API int hayate_binding_stat_counters(void)
{
    return HY_COUNTERS;
}

/* NULL if counter number `index` is not used. */
HAYATE_API const char *hayate_binding_stat_counter_name(int index)
{
    return index >= 0 && index < HY_COUNTERS ? hy_counter_names[index] : NULL;
}

HAYATE_API const char *hayate_binding_stat_state_name(int state)
{
    return hy_stat_state_name((uint32_t)state);
}
