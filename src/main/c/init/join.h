/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Joins and leaves a job: opens its memory and its networks, and checks that all ranks agree on the
 * settings.
 *
 * Lifetime: hy_job_close() leaves the job and wakes every waiter. The memory stays mapped, so that
 * a late reader of a buffer or a thread still inside a call finds valid memory, until
 * hy_job_free(), which the owner calls when nobody can hold a pointer any more.
 */
#ifndef HY_INIT_JOIN_H
#define HY_INIT_JOIN_H

#include "job/job.h"

/* Joins the job that the environment describes. Collective over its ranks. */
int hy_job_open(hy_job **job);

/* Joins the job of a team as its rank `rank`; each rank calls it from a separate thread.
 * Collective over the team. */
int hy_job_open_in(hy_job **job, hy_team *team, int rank);

/* Idempotent. Must not run at the same time as hy_job_free(). */
void hy_job_close(hy_job *job);
void hy_job_free(hy_job *job);

/* The job of hayate_init(); NULL: STATE. */
hy_job *hy_process_job(void);

#endif
