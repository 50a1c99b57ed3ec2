/* SPDX-License-Identifier: Apache-2.0 */
/* `shrink_program SEED`: ranks make collectives, some of them die by the seed, in collectives, at
 * any moment of a shrink, or after it, and the others shrink and go on. Each says how it ends. A
 * wrong result, a member that is missing though it lives, and a hang end the rank with an error. */
#include <signal.h>
#include <sys/time.h>

#include "base/random_fixture.h"
#include "coll/collective.h"
#include "coll/shrink.h"
#include "fmpl/fmpl.h"
#include "fmpl/scenario.h"

#define MOST 64
#define MAIS 16
#define WORK 60 /* collectives on each communicator */

/* When a rank dies. */
typedef enum moment { NEVER, AT_WORK, IN_SHRINK, AFTER_SHRINK } moment;

static struct plan {
    moment moment;
    int shrink;  /* in or after which; AT_WORK: after so many */
    int step;    /* AT_WORK: the collective */
    unsigned us; /* IN_SHRINK: after its begin */
} plans[MOST];

static int shrinks; /* of this rank that have returned */

static hy_comms *comms(void)
{
    return hy_process_comms();
}

/* Of any but the last rank. */
static void plan_deaths(uint64_t seed)
{
    int deaths = 1 + (int)random_below(&seed, size > 3 ? 3 : (unsigned)size - 1);
    for (int i = 0; i < deaths; i++) {
        struct plan *p = &plans[random_below(&seed, (unsigned)size - 1)];
        p->moment = i == 0 ? AT_WORK : AT_WORK + (moment)random_below(&seed, 3);
        p->shrink = i == 0 ? 0 : (int)random_below(&seed, 2);
        p->step = (int)random_below(&seed, WORK);
        p->us = (unsigned)random_below(&seed, random_below(&seed, 2) ? 200 : 3000);
    }
    if (random_below(&seed, 4) == 0) plans[0] = (struct plan){AT_WORK, 0, WORK / 2, 0};
}

static void die_if(moment moment, int step)
{
    const struct plan *p = &plans[rank];
    if (p->moment != moment || p->shrink != shrinks) return;
    if (moment == AT_WORK && p->step != step) return;
    if (moment != IN_SHRINK || p->us == 0) raise(SIGKILL);
    struct itimerval after = {.it_value = {.tv_usec = p->us}};
    signal(SIGALRM, SIG_DFL);
    setitimer(ITIMER_REAL, &after, NULL);
}

static bool is_broken(int rc)
{
    return rc == HAYATE_ERR_PEER_FAILED || rc == HAYATE_ERR_BROKEN;
}

/* One that is missing has died by its plan, or left after its work. */
static void check_members(int comm)
{
    const hy_comm *found = hy_comm_find(comms(), comm);
    CHECK(found != NULL);
    bool there[MOST] = {false};
    for (int i = 0; i < found->group.size; i++) there[hy_group_member(&found->group, i)] = true;
    for (int i = 0; i < size; i++) {
        uint32_t state = hy_control_state(comms()->job->boot.control, i);
        if (!there[i]) CHECK(state == HY_RANK_LEFT || plans[i].moment != NEVER);
    }
    CHECK(there[rank]);
}

static int shrink(int comm)
{
    int made = FMPL_COMM_NULL;
    scenario_now = "shrink";
    die_if(IN_SHRINK, 0);
    CHECK_OK(hy_comm_shrink(comms(), comm, &made));
    shrinks++;
    check_members(made);
    CHECK(hy_comm_free(comms(), comm) == (comm == FMPL_COMM_WORLD ? HAYATE_ERR_ARGUMENT : 0));
    scenario_now = "work";
    shrinks--;
    die_if(AFTER_SHRINK, 0);
    shrinks++;
    return made;
}

/* The sum tells whether all have the same list of members. */
static int add_up(int comm)
{
    const hy_group *group = &hy_comm_find(comms(), comm)->group;
    int64_t sum = INT64_C(1) << 2 * rank % 60, expected = 0;
    const hy_collective_call call = {.coll = HY_COLL_ALLREDUCE,
                                     .buffer = {.address = (uint8_t *)&sum},
                                     .count = 1,
                                     .op = FMPL_LONG_SUM};
    for (int i = 0; i < group->size; i++)
        expected += INT64_C(1) << 2 * hy_group_member(group, i) % 60;
    int rc = hy_collective(comms(), comm, &call, false);
    if (!rc) CHECK(sum == expected);
    return rc;
}

static int pass_around(int comm, int step)
{
    const hy_group *group = &hy_comm_find(comms(), comm)->group;
    uint8_t data[9000];
    int root = step % group->size;
    if (root == group->rank) fill(data, sizeof data, (uint64_t)step);
    const hy_collective_call call = {
        .coll = HY_COLL_BCAST, .buffer = {.address = data}, .count = sizeof data, .root = root};
    int rc = hy_collective(comms(), comm, &call, false);
    if (!rc) CHECK(holds(data, sizeof data, (uint64_t)step));
    return rc;
}

/* A message to each neighbour among the members, by a mai that those before the shrink did not use:
 * not all members need have shrunk equally often. */
static int greet(int comm)
{
    const hy_comm *found = hy_comm_find(comms(), comm);
    const hy_group *group = &found->group;
    int mai = (int)(found->generation % MAIS), ier = 1;
    int to = hy_group_member(group, (group->rank + 1) % group->size);
    int from = hy_group_member(group, (group->rank + group->size - 1) % group->size);
    int64_t out = rank, in = -1;
    if (group->size == 1) return HAYATE_OK;
    fmpl_send(&out, sizeof out, to, mai, &ier);
    if (!ier) fmpl_recv(&in, sizeof in, from, mai, &ier);
    if (!ier) CHECK(in == from);
    return ier;
}

static int halve(int comm)
{
    int half = FMPL_COMM_NULL;
    const hy_group *group = &hy_comm_find(comms(), comm)->group;
    int rc = hy_comm_split(comms(), comm, group->rank % 2, group->rank, &half);
    if (rc) return rc;
    for (int i = 0; i < 3 && !rc; i++) rc = add_up(half);
    if (!rc) CHECK_OK(hy_comm_free(comms(), half));
    return rc;
}

static int work(int comm)
{
    int rc = HAYATE_OK;
    for (int step = 0; step < WORK && !rc; step++) {
        die_if(AT_WORK, step);
        rc = step % 20 == 7   ? halve(comm)
             : step % 10 == 3 ? greet(comm)
             : step % 3 == 1  ? pass_around(comm, step)
                              : add_up(comm);
    }
    return rc;
}

int main(int argc, char **argv)
{
    int comm = FMPL_COMM_WORLD, rc;
    start_ranks(MAIS);
    CHECK(size <= MOST);
    plan_deaths(argc > 1 ? word_at(strtoull(argv[1], NULL, 10), 0) : 1);
    scenario_now = "work";
    while ((rc = work(comm))) {
        if (!is_broken(rc)) CHECK_OK(rc);
        comm = shrink(comm);
    }
    int ier = 1;
    scenario_now = "end";
    CALL_OK(fmpl_finalize(&ier));
    CHECK_OK(hayate_finalize());
    printf("rank %d went on with %d shrinks\n", rank, shrinks);
    return 0;
}
