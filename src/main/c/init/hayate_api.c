/* SPDX-License-Identifier: Apache-2.0 */
/* The C functions of hayate/hayate.h, on the one job of a C program. */
#include "init/join.h"

#ifndef HAYATE_VERSION
#error "the build defines HAYATE_VERSION, from pom.xml"
#endif
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

static hy_job *_Atomic current;

hy_job *hy_process_job(void)
{
    hy_job *job = hy_load_acquire(&current);
    if (!job) hy_fail(HAYATE_ERR_STATE, "no job: call hayate_init() first");
    return job;
}

const char *hayate_version(void)
{
    return TEXT(HAYATE_VERSION);
}

int hayate_init(void)
{
    hy_job *job, *before = hy_load_acquire(&current);
    if (before && !hy_load_relaxed(&before->closed))
        return hy_fail(HAYATE_ERR_STATE,
                       "this process already has a job: call hayate_init() only once");
    int rc = hy_job_open(&job);
    if (!rc) hy_store_release(&current, job);
    return rc;
}

/* The job stays allocated: other threads may be inside a call, and buffers stay readable. */
int hayate_finalize(void)
{
    hy_job *job = hy_load_acquire(&current);
    if (job) hy_job_close(job);
    return HAYATE_OK;
}

int hayate_rank(void)
{
    const hy_job *job = hy_process_job();
    return job ? job->rank : HAYATE_ERR_STATE;
}

int hayate_size(void)
{
    const hy_job *job = hy_process_job();
    return job ? job->size : HAYATE_ERR_STATE;
}

void *hayate_alloc(size_t bytes)
{
    hy_job *job = hy_process_job();
    return job ? hy_job_alloc(job, bytes) : NULL;
}

int hayate_free(void *memory)
{
    hy_job *job = hy_process_job();
    return job ? hy_job_release(job, memory) : HAYATE_ERR_STATE;
}
