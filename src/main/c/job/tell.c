/* SPDX-License-Identifier: Apache-2.0 */
/* The slow side of a wait on the rank's bell: tells what it is for, and ends it. */
#include "job/job.h"

void hy_job_wait_tell(hy_job *job, hy_wait *wait, hy_awaited *awaited)
{
    if (!job->waits) return;
    if (wait->told) hy_waits_look(job->waits, wait->told, awaited);
    else wait->told = hy_waits_begin(job->waits, awaited);
    if (hy_unlikely(job->watch != NULL) && wait->told) job->watch(job, wait, awaited->since_ns);
}

void hy_job_wait_told(hy_job *job, hy_wait *wait)
{
    if (wait->told) hy_waits_end(job->waits, wait->told);
    wait->told = 0;
}

void hy_job_wait_over(hy_job *job, hy_wait *wait)
{
    hy_job_wait_told(job, wait);
    if (!wait->armed) return;
    hy_count(job->counters, HY_COUNT_SLEEPS, 1);
    hy_wait_end(wait);
}
