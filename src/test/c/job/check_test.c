/* SPDX-License-Identifier: Apache-2.0 */
/* tsan */
/* Asking over and over whether the job still goes on: what that costs, and that nobody is left
 * without the answer. */
#include "boot/launched_fixture.h"

#include <pthread.h>

#include "job/job.h"
#include "job/pair_fixture.h"

/* ---- two ranks of this process, whose launcher is made up ---- */

static hy_boot_ops launcher;
static _Atomic int asked, gone;

static int ask_launcher(hy_boot *boot)
{
    (void)boot;
    atomic_fetch_add(&asked, 1);
    return gone ? hy_fail(HAYATE_ERR_PEER_FAILED, "the launcher is gone") : HAYATE_OK;
}

static int set_up(void **state)
{
    (void)state;
    pair_open();
    launcher = *jobs[0]->boot.ops;
    launcher.check = ask_launcher;
    jobs[0]->boot.ops = &launcher;
    asked = gone = 0;
    return 0;
}

static void await_tick(void)
{
    uint64_t tick = hy_tick_ns();
    while (hy_tick_ns() == tick) continue;
}

/* At most 1000 ticks a second, and the two that the time begins and ends in. */
TEST_WITH(should_ask_the_launcher_once_per_tick, set_up, pair_close)
{
    uint64_t begun = hy_now_ns();
    for (int i = 0; i < 100000; i++) assert_ok(hy_job_check(jobs[0], 1));
    uint64_t ms = (hy_now_ns() - begun) / 1000000;
    assert_in_range(asked, 1, ms + 2);
    for (int i = 1; i <= 5; i++) {
        int before = asked;
        await_tick();
        assert_ok(hy_job_check(jobs[0], -1));
        assert_in_range(asked, before + 1, before + 1);
    }
}

/* Of those who ask at the same moment one asks for all; the others hear of it in a later tick. */
static void *check_some_ticks(void *rc)
{
    enum { TICKS = 20 };
    *(int *)rc = hy_job_check(jobs[0], -1);
    for (int i = 0; i < TICKS && *(int *)rc == HAYATE_OK; i++) {
        await_tick();
        *(int *)rc = hy_job_check(jobs[0], -1);
    }
    return NULL;
}

/* As virtual threads do, of which each asks a few times a second. */
TEST_WITH(should_tell_every_thread_that_the_launcher_is_gone, set_up, pair_close)
{
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    int rc[THREADS];
    assert_ok(hy_job_check(jobs[0], -1));
    gone = 1;
    await_tick();
    assert_code(hy_job_check(jobs[0], -1), HAYATE_ERR_PEER_FAILED);
    for (int i = 0; i < 100; i++) assert_code(hy_job_check(jobs[0], -1), HAYATE_ERR_PEER_FAILED);
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, check_some_ticks, &rc[i]);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++) assert_code(rc[i], HAYATE_ERR_PEER_FAILED);
    assert_code(hy_job_check(jobs[0], -1), HAYATE_ERR_PEER_FAILED);
}

/* The launcher writes it down, and rings: who wakes must not go to sleep again. */
TEST_WITH(should_see_a_death_that_is_written_down_in_the_same_tick, set_up, pair_close)
{
    for (int tries = 0; tries < 100; tries++) {
        uint64_t tick = hy_tick_ns();
        assert_ok(hy_job_check(jobs[0], 1));
        assert_ok(hy_job_check_all(jobs[0]));
        hy_control_publish(jobs[0]->boot.control, 1, HY_RANK_DEAD, 256 + 9);
        assert_code(hy_job_check(jobs[0], 1), HAYATE_ERR_PEER_FAILED);
        assert_ok(hy_job_check(jobs[0], -1));
        assert_code(hy_job_check_all(jobs[0]), HAYATE_ERR_PEER_FAILED);
        hy_store_release(&hy_control_live_of(jobs[0]->boot.control)->ranks[1].state,
                         HY_RANK_JOINED);
        hy_store_release(&hy_control_live_of(jobs[0]->boot.control)->failed_first, 0);
        if (hy_tick_ns() == tick) return;
    }
    fail_msg("no tick is long enough");
}

TEST_WITH(should_not_take_a_death_for_the_leaving_before_it, set_up, pair_close)
{
    hy_control *control = jobs[0]->boot.control;
    hy_control_publish(control, 1, HY_RANK_LEFT, 0);
    for (int i = 0; i < 3; i++) assert_ok(hy_job_check_all(jobs[0]));
    hy_control_publish(control, 1, HY_RANK_DEAD, 1);
    for (int i = 0; i < 3; i++) assert_code(hy_job_check_all(jobs[0]), HAYATE_ERR_PEER_FAILED);
    assert_int_equal(hayate_error_peer(), 1);
}

/* ---- ranks of each launcher ---- */

static void must_look_in_vain(const ranks_result *result)
{
    if (result->status == SKIPPED) skip();
    if (result->status != 0) fail_msg("exit %d\n%s", result->status, result->output);
}

TEST(should_look_in_vain_without_system_calls)
{
    ranks_result result = ranks_run("HAYATE_HEAP=64M", "-n 2 $HAYATE_TEST_BIN/job/check_program");
    must_look_in_vain(&result);
}

TEST(should_look_in_vain_without_system_calls_under_a_clusters_launcher)
{
    launched_need(HYDRA_PROBE);
    ranks_result result = launched_run("", "mpiexec.hydra -n 2 $HAYATE_TEST_BIN/job/check_program");
    must_look_in_vain(&result);
}

int main(void)
{
    return ranks_tests_run();
}
