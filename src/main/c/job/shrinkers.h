/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Layers that keep unused memory of the heap for later use register a shrinker: before
 * hy_job_alloc() fails for lack of memory, it calls all shrinkers, one thread at a time, under the
 * lock job->asking.
 *
 * The allocating thread may hold other locks and operations of any layer. Therefore a shrinker
 * never waits: it tries the locks that it needs, and skips what is in use.
 */
#ifndef HY_JOB_SHRINKERS_H
#define HY_JOB_SHRINKERS_H

#include "job/job.h"

/* Part of the object that keeps memory. give() frees what is unused at the moment, and neither
 * allocates nor adds or removes a shrinker. */
typedef struct hy_shrinker {
    void (*give)(struct hy_shrinker *shrinker);
    struct hy_shrinker *next;
} hy_shrinker;

void hy_shrinker_add(hy_job *job, hy_shrinker *shrinker);

/* When it returns, no thread is inside its give(). It need not have been added. */
void hy_shrinker_remove(hy_job *job, const hy_shrinker *shrinker);

/* On return, everything that could be freed is free, also what another thread was freeing. */
void hy_shrinkers_run(hy_job *job);

#endif
