/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks that are threads of this process, each with an FMPL, in `members`: two, or as many as
 * RANKS says before this. What hangs is ended by the alarm. */
#ifndef HY_TEST_MEMBERS_FIXTURE_H
#define HY_TEST_MEMBERS_FIXTURE_H

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/test.h"
#include "fmpl/fmpl.h"
#include "init/join.h"

#ifndef RANKS
#define RANKS 2
#endif
#define LIMIT_S 600

typedef struct member {
    hy_team *team;
    int rank, rc;
    hy_job *job;
    hy_fmpl *fmpl;
    pthread_t thread;
} member;

static member members[RANKS];

static inline void *members_open_one(void *argument)
{
    member *m = argument;
    if (!m->job) m->rc = hy_job_open_in(&m->job, m->team, m->rank);
    if (!m->rc) m->rc = hy_fmpl_open(&m->fmpl, m->job, NULL, NULL, 1);
    return NULL;
}

static inline void members_open(void)
{
    for (int i = 0; i < RANKS; i++)
        assert_int_equal(pthread_create(&members[i].thread, NULL, members_open_one, &members[i]),
                         0);
    for (int i = 0; i < RANKS; i++) pthread_join(members[i].thread, NULL);
    for (int i = 0; i < RANKS; i++) assert_ok(members[i].rc);
}

static inline int members_set_up(void **state)
{
    (void)state;
    hy_team *team;
    alarm(LIMIT_S);
    setenv("HAYATE_HEAP", "1M", 1);
    assert_ok(hy_team_create(RANKS, &team));
    for (int i = 0; i < RANKS; i++) members[i] = (member){.team = team, .rank = i};
    members_open();
    hy_team_drop(team);
    return 0;
}

static inline void members_close_fmpls(void)
{
    for (int i = 0; i < RANKS; i++) {
        hy_fmpl_close(members[i].fmpl);
        hy_fmpl_free(members[i].fmpl);
    }
}

static inline int members_tear_down(void **state)
{
    (void)state;
    members_close_fmpls();
    for (int i = 0; i < RANKS; i++) hy_job_close(members[i].job);
    for (int i = 0; i < RANKS; i++) hy_job_free(members[i].job);
    return 0;
}

#endif
