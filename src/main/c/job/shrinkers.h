/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who holds memory of the heap for its next use can be asked for it: before hy_job_alloc() says
 * that there is no room it calls all shrinkers.
 *
 * Whoever allocates may have locks and operations of any layer, so a shrinker waits for nothing: it
 * tries the locks that it needs and passes over what is in use.
 */
#ifndef HY_JOB_SHRINKERS_H
#define HY_JOB_SHRINKERS_H

#include "job/job.h"

/* give() gives back what is unused now and tells whether there was any. It is called by any thread,
 * by one at a time, and does not allocate. NO_MEMORY. */
int hy_shrinker_add(hy_job *job, bool (*give)(void *context), void *context);

/* Returns when no thread is in its give() any more. Not to be called from a give(). */
void hy_shrinker_remove(hy_job *job, const void *context);

/* When it returns all that could be given is free, also what another thread was about to give. */
void hy_shrinkers_run(hy_job *job);

#endif
