/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
/* tsan */
/* Endpoints have one user at a time, and none is lost. What each does is counted in plain words, so
 * that TSan sees two users at once. */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/test.h"
#include "ompl/ompl.h"
#include "init/join.h"

#define BYTES 65536
#define THREADS 6

#ifdef __SANITIZE_THREAD__
#define EACH 200
#else
#define EACH 4000
#endif

static hy_job *job;
static hy_ompl *ompl;

static void open_space(int endpoints)
{
    hy_team *team;
    setenv("HAYATE_HEAP", "1M", 1);
    assert_ok(hy_team_create(1, &team));
    assert_ok(hy_job_open_in(&job, team, 0));
    hy_team_drop(team);
    assert_ok(hy_ompl_open(&ompl, job, BYTES, endpoints));
}

static void close_space(void)
{
    hy_ompl_close(ompl);
    hy_job_close(job);
    hy_ompl_free(ompl);
    hy_job_free(job);
}

static void in_threads(int count, void *(*body)(void *))
{
    pthread_t threads[64];
    for (intptr_t i = 0; i < count; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, body, (void *)i), 0);
    for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
}

static int free_ones(void)
{
    return __builtin_popcountll(hy_load_relaxed(&ompl->endpoints->free));
}

/* ---- one user at a time ---- */

static uint64_t uses[HY_ENDPOINTS];
static _Atomic int failures;

static void *use_many_times(void *unused)
{
    (void)unused;
    for (int i = 0; i < EACH; i++) {
        int number;
        if (hy_endpoint_take(ompl->endpoints, &number)) atomic_fetch_add(&failures, 1);
        uses[number]++;
        hy_endpoint_give(ompl->endpoints, number);
    }
    return NULL;
}

static uint64_t all_uses(int count)
{
    uint64_t sum = 0;
    for (int i = 0; i < count; i++) sum += uses[i];
    return sum;
}

TEST(should_have_one_user_at_a_time)
{
    static const int lists[] = {1, 2, 3, HY_ENDPOINTS};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        memset(uses, 0, sizeof uses);
        open_space(lists[i]);
        in_threads(THREADS, use_many_times);
        assert_int_equal(failures, 0);
        assert_int_equal(all_uses(lists[i]), THREADS * EACH);
        assert_int_equal(free_ones(), lists[i]);
        close_space();
    }
}

/* The threads beyond those with one of their own share the last. */
TEST(should_serve_more_threads_than_there_are_own_ones)
{
    memset(uses, 0, sizeof uses);
    open_space(0);
    in_threads(HY_STRIPES + 8, use_many_times);
    assert_int_equal(failures, 0);
    assert_int_equal(all_uses(HY_STRIPES), (HY_STRIPES + 8) * EACH);
    assert_int_equal(free_ones(), 1);
    close_space();
}

/* ---- runs ---- */

static uint64_t word = 7;

static hy_buffer buffer(void)
{
    return (hy_buffer){.address = (uint8_t *)&word};
}

static int start(void)
{
    const hy_buffer from = buffer();
    return hy_ompl_put_start(ompl, &from, 0, 64, sizeof word);
}

static int put(void)
{
    const hy_buffer from = buffer();
    return hy_ompl_put(ompl, &from, 0, 128, sizeof word);
}

static int flush(void)
{
    return hy_ompl_flush(ompl, 0);
}

static int flush_all(void)
{
    return hy_ompl_flush(ompl, -1);
}

static int flag(void)
{
    const hy_flag one = {.value = 1};
    return hy_ompl_put_flag(ompl, 0, 256, &one);
}

static int put_and_flag(void)
{
    const hy_flag one = {.value = 1};
    const hy_buffer from = buffer();
    return hy_ompl_put_signal(ompl, &from, 0, 64, sizeof word, 256, &one);
}

static int add(void)
{
    uint64_t before;
    return hy_ompl_atomic(ompl, 0, 512, HY_ATOMIC_ADD, 1, 0, &before);
}

static int wait_in_vain(void)
{
    uint64_t seen;
    const hy_watch watch = {.at = 1024, .value = 1, .comparison = OMPL_EQ, .timeout_us = 1000};
    return hy_ompl_watch(ompl, &watch, &seen) == HAYATE_IN_PROGRESS ? HAYATE_OK : -1;
}

TEST(should_keep_an_endpoint_until_the_run_is_over)
{
    static int (*const ends[])(void) = {flush, flush_all, flag, put_and_flag, add, wait_in_vain};
    open_space(2);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        assert_ok(start());
        assert_int_equal(free_ones(), 1);
        assert_ok(put());
        assert_ok(start());
        assert_int_equal(free_ones(), 1);
        assert_ok(ends[i]());
        assert_int_equal(free_ones(), 2);
    }
    close_space();
}

/* A call that is refused neither begins a run nor ends one. */
TEST(should_not_lose_an_endpoint_to_a_wrong_call)
{
    const hy_buffer from = buffer();
    const hy_flag one = {.value = 1};
    open_space(1);
    assert_code(hy_ompl_put_start(ompl, &from, 0, BYTES, 8), HAYATE_ERR_ARGUMENT);
    assert_int_equal(free_ones(), 1);
    assert_ok(start());
    assert_code(hy_ompl_put_flag(ompl, 1, 0, &one), HAYATE_ERR_ARGUMENT);
    assert_code(hy_ompl_put_signal(ompl, &from, 0, BYTES, 8, 0, &one), HAYATE_ERR_ARGUMENT);
    assert_int_equal(free_ones(), 0);
    assert_ok(flush());
    assert_int_equal(free_ones(), 1);
    close_space();
}

static void *start_and_end(void *unused)
{
    (void)unused;
    if (start()) atomic_fetch_add(&failures, 1);
    return NULL;
}

TEST(should_give_back_what_a_thread_had_that_ended)
{
    open_space(1);
    for (int i = 0; i < 20; i++) in_threads(3, start_and_end);
    assert_int_equal(failures, 0);
    assert_int_equal(free_ones(), 1);
    close_space();
}

/* What a thread remembers of a space that is gone must not touch another. */
TEST(should_forget_a_space_that_is_gone)
{
    for (int i = 0; i < 3; i++) {
        open_space(1);
        assert_ok(start());
        close_space();
    }
    open_space(1);
    assert_ok(put());
    assert_int_equal(free_ones(), 1);
    assert_ok(start());
    assert_int_equal(free_ones(), 0);
    assert_ok(flush());
    close_space();
}

/* The run in one space goes on; in the other all is over at once. */
TEST(should_have_one_run_at_a_time)
{
    hy_ompl *second;
    open_space(1);
    assert_ok(hy_ompl_open(&second, job, 4096, 1));
    const hy_buffer from = buffer();
    assert_ok(start());
    assert_ok(hy_ompl_put_start(second, &from, 0, 0, 8));
    assert_int_equal(hy_load_relaxed(&second->endpoints->free), 1);
    assert_int_equal(free_ones(), 0);
    assert_ok(flush());
    assert_int_equal(free_ones(), 1);
    hy_ompl_close(second);
    hy_ompl_free(second);
    close_space();
}

static _Atomic int over;

static void *put_beside_a_run(void *unused)
{
    (void)unused;
    if (put()) atomic_fetch_add(&failures, 1);
    atomic_store(&over, 1);
    return NULL;
}

TEST(should_wait_for_an_endpoint_and_count_that)
{
    pthread_t thread;
    open_space(1);
    assert_ok(start());
    assert_int_equal(pthread_create(&thread, NULL, put_beside_a_run, NULL), 0);
    while (hy_counter_sum(job->counters, HY_COUNT_ENDPOINT_WAITS) == 0) sched_yield();
    assert_int_equal(over, 0);
    assert_ok(flush());
    pthread_join(thread, NULL);
    assert_int_equal(over, 1);
    assert_int_equal(failures, 0);
    close_space();
}

static void *put_and_be_told(void *unused)
{
    (void)unused;
    if (put() != HAYATE_IN_PROGRESS || put_and_flag() != HAYATE_IN_PROGRESS ||
        start() != HAYATE_IN_PROGRESS || add() != HAYATE_IN_PROGRESS)
        atomic_fetch_add(&failures, 1);
    return NULL;
}

TEST(should_come_back_without_having_done_anything)
{
    open_space(1);
    ompl->endpoints->comes_back = true;
    assert_ok(start());
    in_threads(1, put_and_be_told);
    assert_int_equal(failures, 0);
    for (int at = 128; at < BYTES; at++) assert_int_equal(ompl->memory[at], 0);
    assert_ok(flush());
    assert_ok(put_and_flag());
    close_space();
}

static void *put_until_closed(void *unused)
{
    (void)unused;
    if (put() != HAYATE_ERR_CLOSED) atomic_fetch_add(&failures, 1);
    return NULL;
}

TEST(should_end_the_wait_for_an_endpoint_when_closed)
{
    pthread_t thread;
    open_space(1);
    assert_ok(start());
    assert_int_equal(pthread_create(&thread, NULL, put_until_closed, NULL), 0);
    while (hy_counter_sum(job->counters, HY_COUNT_ENDPOINT_WAITS) == 0) sched_yield();
    hy_ompl_close(ompl);
    pthread_join(thread, NULL);
    assert_int_equal(failures, 0);
    close_space();
}

/* ---- how many ---- */

static int count_with(const char *setting, int wanted)
{
    hy_endpoints *all = NULL;
    hy_ompl space = {0};
    setenv("HAYATE_ENDPOINTS", setting, 1);
    int rc = hy_endpoints_create(&all, &space, wanted);
    int count = rc ? rc : all->count;
    hy_endpoints_free(all);
    unsetenv("HAYATE_ENDPOINTS");
    return count;
}

TEST(should_let_the_environment_choose)
{
    assert_int_equal(count_with("", 0), 0);
    assert_int_equal(count_with("", 5), 5);
    assert_int_equal(count_with("thread", 5), 0);
    assert_int_equal(count_with("64", 5), 64);
    static const char *const wrong[] = {"0", "65", "-1", "threads", "4 ", "99999999999999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_refused(count_with(wrong[i], 0), HAYATE_ERR_ARGUMENT,
                       "expected auto, thread or a number from 1 to 64");
    }
    assert_code(count_with("", -1), HAYATE_ERR_ARGUMENT);
    assert_refused(count_with("", 65), HAYATE_ERR_ARGUMENT, "65 endpoints");
}

/* ---- a thread that ends in the middle of a run, and has to wait for its target ---- */

static _Atomic int in_flush, may_end, freed;

static int wait_in_flush(hy_ep *ep)
{
    (void)ep;
    in_flush = 1;
    while (!may_end) sched_yield();
    return HAYATE_OK;
}

static void *free_space(void *unused)
{
    hy_ompl_close(ompl);
    hy_ompl_free(ompl);
    freed = 1;
    return unused;
}

TEST(should_hold_up_no_other_thread_where_one_ends)
{
    pthread_t ending, freeing;
    hy_ompl *another;
    open_space(1);
    hy_path_ops slow = *job->eps[0].ops;
    slow.flush = wait_in_flush;
    job->eps[0].ops = &slow;
    in_flush = may_end = freed = 0;
    assert_int_equal(pthread_create(&ending, NULL, start_and_end, NULL), 0);
    while (!in_flush) sched_yield();
    assert_ok(hy_ompl_open(&another, job, BYTES, 1));
    hy_ompl_close(another);
    hy_ompl_free(another);
    assert_int_equal(pthread_create(&freeing, NULL, free_space, NULL), 0);
    for (int i = 0; i < 1000; i++) sched_yield();
    assert_false(freed); /* the thread is still in it */
    may_end = 1;
    pthread_join(ending, NULL);
    pthread_join(freeing, NULL);
    assert_int_equal(failures, 0);
    hy_job_close(job);
    hy_job_free(job);
}

int main(void)
{
    alarm(300); /* what is held up is so for ever */
    return tests_run();
}
