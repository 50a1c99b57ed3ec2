/* SPDX-License-Identifier: Apache-2.0 */
/* What HAYATE_LOG=debug reports about joining: the steps and their times, memory, networks, and
 * the path to each rank. If that level is off, only the clock is read. */
#ifndef HY_INIT_JOIN_LOG_H
#define HY_INIT_JOIN_LOG_H

#include "job/job.h"

#define HY_JOIN_STEPS 8

/* The steps so far: their names, and when each was done. */
typedef struct hy_join_times {
    uint64_t begun;
    int count;
    const char *names[HY_JOIN_STEPS];
    uint64_t done[HY_JOIN_STEPS];
} hy_join_times;

/* `name` has static storage. */
void hy_join_time(hy_join_times *times, const char *name);

void hy_join_log(const hy_job *job, const hy_join_times *times);

#endif
