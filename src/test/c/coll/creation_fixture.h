/* SPDX-License-Identifier: Apache-2.0 */
/* Creations of communicators, and splits, in threads of the two ranks of members_fixture.h. */
#ifndef HY_TEST_CREATION_FIXTURE_H
#define HY_TEST_CREATION_FIXTURE_H

#include "base/scarce_fixture.h"
#include "fmpl/members_fixture.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "coll/collective.h"
#include "init/join.h"

#ifdef __SANITIZE_THREAD__
#define ROUNDS 40
#else
#define ROUNDS 400
#endif

/* A creation, or a split of `from`, in a thread of its own. */
typedef struct creation {
    int rank;
    bool stays_out, splits;
    int from, key, scarce;
    int comm, rc, peer;
    char said[256];
    pthread_t thread;
} creation;

static inline void *create(void *argument)
{
    creation *c = argument;
    hy_comms *comms = members[c->rank].fmpl->comms;
    scarce = c->scarce;
    c->rc = c->splits ? hy_comm_split(comms, c->from, c->stays_out ? -1 : 0, c->key, &c->comm)
                      : hy_comm_create(comms, !c->stays_out, &c->comm);
    c->peer = hayate_error_peer();
    snprintf(c->said, sizeof c->said, "%s", hayate_error());
    return NULL;
}

static inline void begin(creation *c)
{
    assert_int_equal(pthread_create(&c->thread, NULL, create, c), 0);
}

static inline void finish(creation *c, int expected)
{
    pthread_join(c->thread, NULL);
    if (c->rc != expected) fail_msg("rank %d: code %d, %s", c->rank, c->rc, c->said);
}

static inline void await_arrival(void)
{
    while (hy_control_arrived(members[0].job->boot.control) == 0) sched_yield();
}

static inline void create_on_both_expecting(creation made[RANKS], int expected)
{
    for (int i = 0; i < RANKS; i++) begin(made + i);
    for (int i = 0; i < RANKS; i++) finish(made + i, expected);
}

static inline void create_on_both(creation made[RANKS])
{
    create_on_both_expecting(made, HAYATE_OK);
}

static inline void *meet(void *argument)
{
    creation *c = argument;
    const hy_collective_call barrier = {.coll = HY_COLL_BARRIER};
    c->rc = hy_collective(members[c->rank].fmpl->comms, c->comm, &barrier, false);
    return NULL;
}

static inline void assert_works(creation made[RANKS])
{
    for (int i = 0; i < RANKS; i++)
        assert_int_equal(pthread_create(&made[i].thread, NULL, meet, &made[i]), 0);
    for (int i = 0; i < RANKS; i++) finish(made + i, HAYATE_OK);
}

#endif
