/* SPDX-License-Identifier: Apache-2.0 */
/* tsan */
/* Two ranks, threads of this process, that wait for each other until the test lets them go: what
 * waits tell, and what the watchdog writes to the log. */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/status.h"
#include "job/await.h"
#include "job/pair_fixture.h"
#include "observe/stat.h"
#include "watchdog/look.h"
#include "watchdog/watchdog.h"

#define RANKS 2
#define MS UINT64_C(1000000)
#define LONG_MS 20000 /* more than any of these waits takes on a busy machine */

static pthread_t threads[RANKS];
static _Atomic uint32_t released, looks[RANKS];
static int peers[RANKS]; /* for whom a rank waits */

static int set_up(void **state)
{
    (void)state;
    pair_open();
    for (int i = 0; i < RANKS; i++) {
        jobs[i]->policy = (hy_wait_policy){.spins = 3, .yields = 3, .limit = {.us = 2000}};
        peers[i] = 1 - i;
        looks[i] = 0;
    }
    hy_store_release(&released, 0);
    return 0;
}

/* ---- a wait that the test ends ---- */

static int step(void *context)
{
    (void)context;
    return hy_load_acquire(&released) ? HAYATE_OK : HAYATE_IN_PROGRESS;
}

static int idle(void *context)
{
    hy_job *const *job = context;
    atomic_fetch_add(&looks[job - jobs], 1);
    return HAYATE_OK;
}

static void tell(const void *context, hy_awaited *awaited)
{
    hy_job *const *job = context;
    awaited->kind = HY_AWAITED_RECEIVE;
    awaited->peer = peers[job - jobs];
    awaited->place = 5;
    awaited->bytes = 64;
}

static void *wait_as(void *context)
{
    hy_job **job = context;
    hy_job_await(
        &(hy_await){.job = *job, .step = step, .idle = idle, .tell = tell, .context = context});
    return NULL;
}

static void begin_waits(void)
{
    for (int i = 0; i < RANKS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, wait_as, &jobs[i]), 0);
}

static void end_waits(void)
{
    hy_store_release(&released, 1);
    for (int i = 0; i < RANKS; i++) pthread_join(threads[i], NULL);
}

/* ---- the log of the ranks ---- */

static int log_fd, stderr_fd;

/* Appending: two threads that write to a memfd at the same time otherwise write to one place. */
static void catch_log(void)
{
    log_fd = memfd_create("log", MFD_CLOEXEC);
    fcntl(log_fd, F_SETFL, O_APPEND);
    stderr_fd = dup(2);
    dup2(log_fd, 2);
}

/* How often the text is in the log now. */
static int times_in_log(const char *text)
{
    static char log[1 << 16];
    ssize_t length = pread(log_fd, log, sizeof log - 1, 0);
    int times = 0;
    log[length < 0 ? 0 : length] = '\0';
    for (const char *at = log; (at = strstr(at, text)); at++) times++;
    return times;
}

static bool log_gets(const char *text)
{
    for (int i = 0; i < LONG_MS && !times_in_log(text); i++) usleep(1000);
    return times_in_log(text) > 0;
}

static void release_log(void)
{
    dup2(stderr_fd, 2);
    close(stderr_fd);
    close(log_fd);
}

/* ---- tests ---- */

TEST_WITH(should_be_seen_from_outside_while_it_lasts, set_up, pair_close)
{
    hy_view *stat;
    char text[300];
    assert_ok(hy_stat_open(getpid(), &stat));
    begin_waits();
    hy_look *look = NULL;
    for (int i = 0; i < LONG_MS && (!look || look->wait_count < RANKS); i++) {
        hy_look_free(look);
        usleep(1000);
        look = hy_look_settled(stat);
        assert_non_null(look);
    }
    assert_int_equal(look->wait_count, RANKS);
    hy_look_print_wait(look, &look->waits[1], text, sizeof text);
    assert_non_null(strstr(text, "waits for rank 0, receive with mai 5, 64 bytes"));
    assert_int_equal(hy_look_cycle(look, 0), 0);
    assert_true(hy_look_is_certain(look, 0));
    hy_look_free(look);
    end_waits();
    look = hy_look_settled(stat);
    assert_int_equal(look->wait_count, 0);
    hy_look_free(look);
    hy_stat_close(stat);
}

TEST_WITH(should_not_be_told_if_it_is_a_test, set_up, pair_close)
{
    uint32_t before[HY_WAITS];
    for (int i = 0; i < HY_WAITS; i++) before[i] = jobs[0]->waits->entries[i].sequence;
    hy_await await = {
        .job = jobs[0], .step = step, .idle = idle, .tell = tell, .context = &jobs[0], .turns = 99};
    assert_code(hy_job_await(&await), HAYATE_IN_PROGRESS);
    for (int i = 0; i < HY_WAITS; i++)
        assert_int_equal(jobs[0]->waits->entries[i].sequence, before[i]);
}

TEST_WITH(should_report_each_long_wait_and_a_deadlock_once, set_up, pair_close)
{
    for (int i = 0; i < RANKS; i++) assert_ok(hy_watchdog_start(jobs[i], 30 * MS));
    catch_log();
    begin_waits();
    bool one = log_gets("watchdog: rank 1, thread"), zero = log_gets("watchdog: rank 0, thread"),
         deadlock = log_gets("watchdog: deadlock: rank 0 -> rank 1 -> rank 0");
    uint32_t before = hy_load_relaxed(&looks[0]); /* and no more of it */
    while (hy_load_relaxed(&looks[0]) - before < 100) usleep(1000);
    int all = times_in_log("watchdog: ");
    end_waits();
    release_log();
    assert_true(one && zero && deadlock);
    assert_int_equal(all, 3);
}

TEST_WITH(should_stay_silent_for_shorter_waits, set_up, pair_close)
{
    for (int i = 0; i < RANKS; i++) assert_ok(hy_watchdog_start(jobs[i], 3600 * 1000 * MS));
    catch_log();
    begin_waits();
    while (hy_load_relaxed(&looks[0]) < 100 || hy_load_relaxed(&looks[1]) < 100) usleep(1000);
    end_waits();
    int all = times_in_log("watchdog: ");
    release_log();
    assert_int_equal(all, 0);
}

TEST_WITH(should_name_no_deadlock_in_a_chain, set_up, pair_close)
{
    peers[0] = -1;
    assert_ok(hy_watchdog_start(jobs[1], 10 * MS));
    catch_log();
    begin_waits();
    bool told = log_gets("watchdog: rank 1, thread");
    uint32_t before = hy_load_relaxed(&looks[1]);
    while (hy_load_relaxed(&looks[1]) - before < 200) usleep(1000); /* several times two looks */
    end_waits();
    int deadlocks = times_in_log("deadlock");
    release_log();
    assert_true(told);
    assert_int_equal(deadlocks, 0);
}

TEST(should_take_seconds_with_and_without_their_unit)
{
    static const struct {
        const char *text;
        uint64_t after_s;
    } good[] = {{"", 0}, {"off", 0}, {"30", 30}, {"30s", 30}, {"86400s", 86400}};
    static const char *const bad[] = {"0", "0s", "-1", "30m", "s", "30ss", "on", "86401"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        setenv("HAYATE_WATCHDOG", good[i].text, 1);
        hy_job job = {0};
        assert_ok(hy_watchdog_open(&job));
        assert_int_equal(job.watchdog ? job.watchdog->after_ns : 0, good[i].after_s * 1000 * MS);
        hy_watchdog_close(&job);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        setenv("HAYATE_WATCHDOG", bad[i], 1);
        hy_job job = {0};
        assert_code(hy_watchdog_open(&job), HAYATE_ERR_ARGUMENT);
        assert_null(job.watchdog);
        assert_non_null(strstr(hayate_error(), "off or a number from 1 to 86400 seconds"));
    }
    unsetenv("HAYATE_WATCHDOG");
}

int main(void)
{
    return tests_run();
}
