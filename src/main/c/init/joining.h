/* SPDX-License-Identifier: Apache-2.0 */
/* A rank on its way into a job: what join.c, its steps and join_bootstrap.c share. */
#ifndef HY_INIT_JOINING_H
#define HY_INIT_JOINING_H

#include "init/join_log.h"
#include "job/job.h"

typedef struct hy_joining {
    hy_job *job; /* NULL: there was no memory for it */
    hy_join_times times;
    uint64_t recorded; /* in the flight recorder */
} hy_joining;

/* ALONE: until this rank's network is open; TOGETHER: collective over all ranks. */
typedef enum hy_join_stage { HY_JOIN_ALONE, HY_JOIN_TOGETHER } hy_join_stage;

/* Makes the job and reads the settings; the caller then opens job->boot. After an error, as after
 * those of the other calls, only hy_joining_end() is called. */
int hy_joining_begin(hy_joining *j);

/* Called when job->boot is open. */
int hy_joining_boot(hy_joining *j);

/* Runs the steps of a stage (join_steps.c). */
int hy_joining_run(hy_joining *j, hy_join_stage stage);

/* The rank has joined, or, if `rc` is an error, nothing is left of it. Returns rc. */
int hy_joining_end(hy_joining *j, int rc, hy_job **result);

#endif
