/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Layers that keep unused memory of the heap for later use register a shrinker: before
 * hy_job_alloc() fails for lack of memory, it calls all shrinkers.
 *
 * The allocating thread may hold locks and operations of any layer. Therefore a shrinker never
 * waits: it tries the locks that it needs, and skips what is in use.
 */
#ifndef HY_JOB_SHRINKERS_H
#define HY_JOB_SHRINKERS_H

#include "job/job.h"

/* give() frees what is unused at the moment and returns whether there was any. It is called from
 * any thread, one at a time, and does not allocate. NO_MEMORY. */
int hy_shrinker_add(hy_job *job, bool (*give)(void *context), void *context);

/* Returns when no thread is inside its give() any more. Must not be called from a give(). */
void hy_shrinker_remove(hy_job *job, const void *context);

/* On return, everything that could be freed is free, also what another thread was freeing. */
void hy_shrinkers_run(hy_job *job);

#endif
