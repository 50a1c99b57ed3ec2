/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Joining and leaving a job: its memory, its networks, and the agreement of all ranks on settings.
 *
 * Lifetime: hy_job_close() leaves the job logically and wakes every waiter; memory stays mapped, so
 * that a late reader of a buffer or a thread still inside a call meets valid memory, until
 * hy_job_free(), which the owner calls when nobody can hold a pointer any more.
 */
#ifndef HY_INIT_JOIN_H
#define HY_INIT_JOIN_H

#include "job/job.h"

/* Joins the job of the environment. Collective over its ranks. */
int hy_job_open(hy_job **job);

/* Joins the job of a team as its rank `rank`, from a thread of its own: collective over the team.
 */
int hy_job_open_in(hy_job **job, hy_team *team, int rank);

/* Idempotent. Not to be called from two threads at once with hy_job_free. */
void hy_job_close(hy_job *job);
void hy_job_free(hy_job *job);

/* The job of hayate_init(); NULL: STATE. */
hy_job *hy_process_job(void);

#endif
