/* SPDX-License-Identifier: Apache-2.0 */
/* tsan */
/* Collectives in the background, which other threads of the rank step. */
#include "coll/creation_fixture.h"

#include "coll/background.h"
#include "fmpl/fmpl_started.h"

typedef struct stepper {
    int rank;
    _Atomic uint32_t ended;
    pthread_t thread;
} stepper;

static hy_comms *comms_of(int rank)
{
    return members[rank].fmpl->comms;
}

static void *step_on(void *argument)
{
    stepper *s = argument;
    while (!hy_load_acquire(&s->ended)) {
        hy_progress(members[s->rank].job);
        sched_yield();
    }
    return NULL;
}

static hy_arguments sum_of(int64_t *value)
{
    return (hy_arguments){.coll = HY_COLL_ALLREDUCE,
                          .out = {.address = (uint8_t *)value},
                          .count = 1,
                          .op = FMPL_LONG_SUM,
                          .in_limit = -1,
                          .out_limit = -1};
}

/* In turn by C's requests and by the calls below them. */
static void *sum_again_and_again(void *argument)
{
    creation *c = argument;
    hy_comms *comms = comms_of(c->rank);
    for (int round = 0; round < ROUNDS && !c->rc; round++) {
        int64_t value = c->rank + round;
        const hy_arguments call = sum_of(&value);
        fmpl_request_t request;
        if (round % 2) {
            c->rc = hy_background_start(comms, 0, &call);
            if (c->rc == HAYATE_IN_PROGRESS) c->rc = hy_background_wait(comms, 0, 0, NULL);
        } else {
            c->rc = hy_started_begin(comms, 0, &call, &request);
            if (!c->rc && request) c->rc = hy_started_wait(comms, request, 0);
        }
        if (!c->rc && value != 1 + 2 * round) c->rc = HAYATE_ERR_CORRUPT;
        /* Who has ended it has let go: the communicator may be freed now. */
        if (hy_load_relaxed(&hy_comm_find(comms, 0)->started.work.claimed)) c->rc = HAYATE_ERR_BUSY;
    }
    snprintf(c->said, sizeof c->said, "%s", hayate_error());
    return NULL;
}

TEST(should_complete_whoever_steps)
{
    stepper steppers[RANKS] = {{.rank = 0}, {.rank = 1}};
    creation callers[RANKS] = {{.rank = 0}, {.rank = 1}};
    for (int i = 0; i < RANKS; i++) {
        pthread_create(&steppers[i].thread, NULL, step_on, &steppers[i]);
        pthread_create(&callers[i].thread, NULL, sum_again_and_again, &callers[i]);
    }
    for (int i = 0; i < RANKS; i++) finish(&callers[i], HAYATE_OK);
    for (int i = 0; i < RANKS; i++) {
        hy_store_release(&steppers[i].ended, 1);
        pthread_join(steppers[i].thread, NULL);
    }
}

static void *meet_late(void *argument)
{
    creation *c = argument;
    int64_t value = 5;
    const hy_arguments call = sum_of(&value);
    c->rc = hy_collective_two_sided(comms_of(1), c->comm, &call, 0);
    return NULL;
}

TEST(should_refuse_calls_in_a_wrong_order)
{
    creation made[] = {{.rank = 0}, {.rank = 1}}, late = {.rank = 1};
    hy_comms *comms = comms_of(0);
    int64_t value = 2;
    const hy_arguments call = sum_of(&value);
    fmpl_request_t request, second, stale;
    int index = 7;
    create_on_both(made);
    late.comm = made[0].comm;
    assert_code(hy_background_wait(comms, late.comm, 0, NULL), HAYATE_ERR_STATE);
    assert_code(hy_started_begin(comms, 99, &call, &request), HAYATE_ERR_ARGUMENT);
    assert_code(hy_started_begin(comms, late.comm, &call, NULL), HAYATE_ERR_ARGUMENT);
    assert_ok(hy_started_begin(comms, late.comm, &call, &request));
    assert_true(hy_is_started(request));
    assert_code(hy_started_begin(comms, late.comm, &call, &second), HAYATE_ERR_BUSY);
    assert_true(second == FMPL_REQUEST_NULL);
    assert_code(hy_collective_two_sided(comms, late.comm, &call, 0), HAYATE_ERR_BUSY);
    assert_code(hy_comm_free(comms, late.comm), HAYATE_ERR_BUSY);
    assert_code(hy_started_wait(comms, request, 1), HAYATE_IN_PROGRESS);
    assert_int_equal(pthread_create(&late.thread, NULL, meet_late, &late), 0);
    const fmpl_request_t several[] = {FMPL_REQUEST_NULL, request};
    assert_ok(hy_started_wait_any(comms, &members[0].fmpl->msg, 2, several, &index));
    assert_int_equal(index, 1);
    assert_int_equal(value, 7);
    finish(&late, HAYATE_OK);
    stale = request;
    assert_code(hy_started_wait(comms, stale, 0), HAYATE_ERR_ARGUMENT);
    assert_ok(hy_comm_free(comms, late.comm));
    assert_code(hy_started_wait(comms, stale, 0), HAYATE_ERR_ARGUMENT);
}

int main(void)
{
    tests_each(members_set_up, members_tear_down);
    return tests_run();
}
