/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
/* tsan */
/* A user's function of one persistent operation that waits, or calls, while another thread works on
 * its run: nothing else is held up by it. */
#include "fmpl/members_fixture.h"

#include <sched.h>

#include "job/progress.h"
#include "pcoll/operation.h"
#include "pcoll/pcoll.h"

typedef struct prepared {
    int rank, op, rc;
    int64_t value;
    hy_pcoll *sum, *other;
    pthread_t thread;
} prepared;

static prepared ranks[RANKS];
static _Atomic int inside, may_go;
static hy_pcoll *to_close; /* by the function; NULL: it waits */
static int closed;

/* Of rank 0 alone. */
static void add(void *inout, const void *in, size_t count, void *context)
{
    int64_t *sums = inout;
    const int64_t *others = in;
    if (context == &ranks[0]) {
        inside = 1;
        if (to_close) closed = hy_pcoll_free(to_close);
        while (!to_close && !may_go) sched_yield();
    }
    for (size_t i = 0; i < count; i++) sums[i] += others[i];
}

static void *prepare(void *argument)
{
    prepared *p = argument;
    hy_comms *comms = members[p->rank].fmpl->comms;
    p->rc = hy_function_create(comms, add, sizeof p->value, p, &p->op);
    const hy_pcoll_call sum = {.arguments = {.coll = HY_COLL_ALLREDUCE,
                                             .out = {.address = (uint8_t *)&p->value},
                                             .out_limit = sizeof p->value,
                                             .count = 1,
                                             .op = p->op},
                               .options = "progress=calls"};
    const hy_pcoll_call barrier = {.arguments.coll = HY_COLL_BARRIER, .options = "progress=calls"};
    if (!p->rc) p->rc = hy_pcoll_init(comms, FMPL_COMM_WORLD, &sum, &p->sum);
    if (!p->rc) p->rc = hy_pcoll_init(comms, FMPL_COMM_WORLD, &barrier, &p->other);
    return NULL;
}

static void on_both(void *(*body)(void *))
{
    for (int i = 0; i < RANKS; i++)
        assert_int_equal(pthread_create(&ranks[i].thread, NULL, body, &ranks[i]), 0);
    for (int i = 0; i < RANKS; i++) pthread_join(ranks[i].thread, NULL);
    for (int i = 0; i < RANKS; i++) assert_ok(ranks[i].rc);
}

static void *progress(void *unused)
{
    while (!inside) hy_pcoll_progress(members[0].fmpl->comms);
    return unused;
}

/* Both ranks are in a run of the sum; for rank 0 a thread comes by that has nothing to do with it.
 */
static void start(bool closes, pthread_t *thread)
{
    inside = may_go = 0;
    for (int i = 0; i < RANKS; i++) ranks[i] = (prepared){.rank = i, .value = i + 1};
    on_both(prepare);
    to_close = closes ? ranks[0].other : NULL;
    for (int i = 0; i < RANKS; i++) assert_ok(hy_pcoll_start(ranks[i].sum));
    assert_int_equal(pthread_create(thread, NULL, progress, NULL), 0);
    while (!inside) hy_pcoll_progress(members[1].fmpl->comms);
}

static void *finish(void *argument)
{
    prepared *p = argument;
    p->rc = hy_pcoll_wait(p->sum, false);
    if (!p->rc && p->value != 3) p->rc = HAYATE_ERR_MISMATCH;
    return NULL;
}

static bool is_over(hy_pcoll *op)
{
    return hy_load_acquire(&op->state) == HY_PCOLL_DONE;
}

/* Who is at it now may let go of it unfinished. */
TEST(should_not_forget_a_run_that_another_thread_is_at)
{
    pthread_t thread;
    hy_job *job = members[0].job;
    start(false, &thread);
    hy_progress_all(job);
    assert_true(hy_worklist_is_pending(&job->background));
    may_go = 1;
    pthread_join(thread, NULL);
    on_both(finish);
    hy_progress_all(job);
    assert_false(hy_worklist_is_pending(&job->background));
}

static void *prepare_another(void *argument)
{
    prepared *p = argument;
    const hy_pcoll_call barrier = {.arguments.coll = HY_COLL_BARRIER};
    p->rc = hy_pcoll_init(members[p->rank].fmpl->comms, FMPL_COMM_WORLD, &barrier, &p->other);
    return NULL;
}

TEST(should_hold_up_nobody_while_a_function_waits)
{
    pthread_t thread;
    start(false, &thread);
    for (int i = 0; i < RANKS; i++) assert_ok(hy_pcoll_start(ranks[i].other));
    for (int i = 0; !is_over(ranks[0].other) || !is_over(ranks[1].other); i = !i)
        hy_pcoll_progress(members[i].fmpl->comms);
    for (int i = 0; i < RANKS; i++) assert_ok(hy_pcoll_wait(ranks[i].other, false));
    assert_code(hy_pcoll_free(ranks[0].sum), HAYATE_ERR_BUSY);
    for (int i = 0; i < RANKS; i++) assert_ok(hy_pcoll_free(ranks[i].other));
    on_both(prepare_another);
    may_go = 1;
    pthread_join(thread, NULL);
    on_both(finish);
}

TEST(should_let_a_function_close_another_operation)
{
    pthread_t thread;
    closed = 77;
    start(true, &thread);
    pthread_join(thread, NULL);
    on_both(finish);
    assert_ok(closed);
}

TEST(should_close_all_while_a_function_waits)
{
    pthread_t thread;
    start(false, &thread);
    hy_fmpl_close(members[0].fmpl);
    assert_ok(hy_pcoll_free(ranks[0].sum));
    may_go = 1;
    pthread_join(thread, NULL);
}

int main(void)
{
    tests_each(members_set_up, members_tear_down);
    return tests_run();
}
