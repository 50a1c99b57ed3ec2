/* SPDX-License-Identifier: Apache-2.0 */
/* A job of two ranks of this process. */
#ifndef HY_TEST_PAIR_FIXTURE_H
#define HY_TEST_PAIR_FIXTURE_H

#include <pthread.h>
#include <stdlib.h>

#include "base/test.h"
#include "init/join.h"

static hy_team *team;
static hy_job *jobs[2];
static int opened[2]; /* the codes: cmocka's asserts are for its own thread */

static inline void *pair_open_rank(void *rank)
{
    hy_job **job = rank;
    opened[job - jobs] = hy_job_open_in(job, team, (int)(job - jobs));
    return NULL;
}

static inline void pair_open(void)
{
    pthread_t other;
    setenv("HAYATE_HEAP", "4M", 1);
    assert_ok(hy_team_create(2, &team));
    assert_int_equal(pthread_create(&other, NULL, pair_open_rank, &jobs[1]), 0);
    pair_open_rank(&jobs[0]);
    pthread_join(other, NULL);
    for (int i = 0; i < 2; i++) assert_ok(opened[i]);
}

static inline int pair_close(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) hy_job_close(jobs[i]);
    for (int i = 0; i < 2; i++) hy_job_free(jobs[i]);
    hy_team_drop(team);
    return 0;
}

#endif
