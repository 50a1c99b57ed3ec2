/* SPDX-License-Identifier: Apache-2.0 */
/* Hayate.counters(), and the names of counters for `hayate stat`, for JNA. */
#include "base/status.h"
#include "job/job.h"

/* The counters of a rank of this process; result[0..HY_COUNTERS - 1]. */
HAYATE_API void hayate_binding_counters_own(const hy_job *job, int64_t *result)
{
    for (int i = 0; i < HY_COUNTERS; i++)
        result[i] = (int64_t)hy_counter_sum(job->counters, (hy_counter)i);
}

HAYATE_API int hayate_binding_counters_count(void)
{
    return HY_COUNTERS;
}

/* NULL if counter number `index` is not used. */
HAYATE_API const char *hayate_binding_counters_name(int index)
{
    return index >= 0 && index < HY_COUNTERS ? hy_counter_names[index] : NULL;
}
