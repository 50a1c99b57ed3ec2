/* SPDX-License-Identifier: Apache-2.0 */
/* RANKS ranks that are threads of this process, each with a space, in `members`. */
#ifndef HY_TEST_SPACES_FIXTURE_H
#define HY_TEST_SPACES_FIXTURE_H

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/test.h"
#include "init/join.h"
#include "ompl/ompl.h"

#define BYTES 65536

typedef struct member {
    hy_team *team;
    int rank, rc, endpoints;
    hy_job *job;
    hy_ompl *ompl;
} member;

static member members[RANKS];

static inline void *open_one(void *argument)
{
    member *m = argument;
    m->rc = hy_job_open_in(&m->job, m->team, m->rank);
    if (!m->rc) m->rc = hy_ompl_open(&m->ompl, m->job, BYTES, m->endpoints);
    return NULL;
}

static inline void *close_one(void *argument)
{
    member *m = argument;
    hy_ompl_close(m->ompl);
    hy_job_close(m->job);
    hy_ompl_free(m->ompl);
    return NULL;
}

/* cmocka's assertions belong to the main thread: members tell by rc. */
static inline void in_threads(void *(*body)(void *), int expected)
{
    pthread_t threads[RANKS];
    for (int i = 0; i < RANKS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, body, &members[i]), 0);
    for (int i = 0; i < RANKS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < RANKS; i++) assert_code(members[i].rc, expected);
}

static inline void open_spaces(int endpoints)
{
    hy_team *team;
    setenv("HAYATE_HEAP", "1M", 1);
    assert_ok(hy_team_create(RANKS, &team));
    for (int i = 0; i < RANKS; i++)
        members[i] = (member){.team = team, .rank = i, .endpoints = endpoints};
    in_threads(open_one, HAYATE_OK);
    hy_team_drop(team);
}

static inline void close_spaces(void)
{
    for (int i = 0; i < RANKS; i++) members[i].rc = HAYATE_OK;
    in_threads(close_one, HAYATE_OK);
    for (int i = 0; i < RANKS; i++) hy_job_free(members[i].job);
}

#endif
