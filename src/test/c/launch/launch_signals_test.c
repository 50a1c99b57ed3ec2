/* SPDX-License-Identifier: Apache-2.0 */
/* Signals to the launcher, and what is left when it is killed itself. */
#include "launch_fixture.h"

/* Two ranks that have joined and wait. */
static launched *start_pair(const char *command, pid_t pids[2])
{
    launched *job = start(command);
    await(job, "[0] pid ");
    await(job, "[1] pid ");
    pids[0] = number_after(job->out, "[0] pid ");
    pids[1] = number_after(job->out, "[1] pid ");
    return job;
}

#define PAIR "exec $RUN -n 2 --tag-output --grace 0.5 $SELF --rank pause"
#define PAIR_BEHIND_SHELLS \
    "exec $RUN -n 2 --tag-output sh -c '$SELF --rank pause; echo shell goes on; sleep 100'"

TEST(should_pass_on_sigterm_and_sigint)
{
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        pid_t pids[2];
        launched *job = start_pair(PAIR, pids);
        end_by(job, signals[i]);
        assert_int_equal(job->status, 128 + signals[i]);
        assert_string_equal(job->err, "");
        assert_false(is_alive(pids[0]) || is_alive(pids[1]));
    }
}

TEST(should_pass_on_user_signals_and_take_the_ranks_own_end)
{
    pid_t pids[2];
    launched *job = start_pair(PAIR, pids);
    end_by(job, SIGUSR1);
    assert_int_equal(job->status, 0);
    assert_says(job->out, "[0] told to go");
    assert_says(job->out, "[1] told to go");
}

TEST(should_kill_at_the_second_sigint)
{
    pid_t pids[2];
    launched *job = start_pair("exec $RUN -n 2 --tag-output $SELF --rank stubborn", pids);
    kill(job->pid, SIGINT);
    await(job, "[0] no");
    await(job, "[1] no");
    end_by(job, SIGINT);
    assert_int_equal(job->status, 130);
}

TEST(should_keep_an_ignored_signal_ignored)
{
    pid_t pids[2];
    launched *job = start_pair("trap '' HUP; " PAIR, pids);
    kill(job->pid, SIGHUP);
    end_by(job, SIGUSR1);
    assert_int_equal(job->status, 0);
}

static void await_state(pid_t pid, char wanted)
{
    for (int i = 0; i < PATIENCE_MS && state_of(pid) != wanted; i++) poll(NULL, 0, 1);
    assert_int_equal(state_of(pid), wanted);
}

TEST(should_stop_and_go_on_as_a_whole)
{
    pid_t pids[2];
    launched *job = start_pair("exec $RUN -n 2 --tag-output --stop-timeout 0.5 $SELF --rank pause",
                               pids);
    kill(job->pid, SIGTSTP);
    await_state(job->pid, 'T');
    await_state(pids[0], 'T');
    await_state(pids[1], 'T');
    poll(NULL, 0, 1000); /* longer than the stop timeout, which must not count here */
    kill(job->pid, SIGCONT);
    await_state(pids[0], 'S');
    await_state(pids[1], 'S');
    end_by(job, SIGUSR1);
    assert_int_equal(job->status, 0);
    assert_string_equal(job->err, "");
}

TEST(should_leave_nothing_when_the_launcher_is_killed)
{
    pid_t pids[2];
    launched *job = start_pair(PAIR, pids);
    end_by(job, SIGKILL);
    for (int i = 0; i < 2; i++) await_death(pids[i]);
}

TEST(should_leave_nothing_behind_shells_either)
{
    pid_t pids[2];
    launched *job = start_pair(PAIR_BEHIND_SHELLS, pids);
    pid_t shells[2] = {getpgid(pids[0]), getpgid(pids[1])};
    assert_int_not_equal(shells[0], pids[0]);
    end_by(job, SIGKILL);
    for (int i = 0; i < 2; i++) {
        await_death(pids[i]);
        await_death(shells[i]);
    }
    assert_silent_about(job->out, "shell goes on");
}

TEST(should_reach_a_rank_that_left_its_process_group)
{
    pid_t pids[2];
    launched *job = start_pair(
        "exec $RUN -n 2 --tag-output sh -c 'setsid $SELF --rank pause; true'", pids);
    end_by(job, SIGKILL);
    for (int i = 0; i < 2; i++) await_death(pids[i]);
}

/* All that the job starts holds the pipe's other end open. */
static void assert_gone(int pipe_end)
{
    struct pollfd end = {.fd = pipe_end, .events = 0};
    assert_int_equal(poll(&end, 1, PATIENCE_MS), 1);
    assert_true(end.revents & POLLHUP);
    close(pipe_end);
}

TEST(should_end_at_a_signal_that_comes_while_it_starts)
{
    static const int signals[] = {SIGTERM, SIGKILL};
    unsigned seed = 20;
    for (int round = 0; round < 24; round++) {
        int ends[2], sent = signals[round % 2];
        assert_int_equal(pipe(ends), 0);
        launched *job = start("exec $RUN -n 40 --grace 0.1 sleep 1000");
        close(ends[1]);
        seed = seed * 1103515245 + 12345;
        usleep((seed >> 16) % 40000);
        end_by(job, sent);
        assert_int_equal(job->status, 128 + sent);
        assert_gone(ends[0]);
    }
}

static pid_t find_guard(pid_t launcher)
{
    char path[64], text[256] = "";
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)launcher, (int)launcher);
    FILE *file = fopen(path, "re");
    if (!file) return 0;
    char *read = fgets(text, sizeof text, file);
    fclose(file);
    for (char *at = read; at && *at; at += strspn(at, " ")) {
        pid_t pid = (pid_t)strtol(at, &at, 10);
        char name[32] = "";
        snprintf(path, sizeof path, "/proc/%d/comm", (int)pid);
        file = fopen(path, "re");
        if (file && fgets(name, sizeof name, file) && strcmp(name, "hayate-guard\n") == 0) {
            fclose(file);
            return pid;
        }
        if (file) fclose(file);
    }
    return 0;
}

TEST(should_replace_a_guard_that_died)
{
    pid_t pids[2];
    launched *job = start_pair(PAIR_BEHIND_SHELLS, pids);
    pid_t guard = find_guard(job->pid), next = guard;
    if (!guard) { /* a kernel without /proc/PID/task/TID/children */
        end_by(job, SIGKILL);
        skip_now();
    }
    kill(guard, SIGKILL);
    for (int i = 0; i < PATIENCE_MS && (next == guard || !next); i++) {
        next = find_guard(job->pid);
        poll(NULL, 0, 1);
    }
    assert_int_not_equal(next, guard);
    end_by(job, SIGKILL);
    for (int i = 0; i < 2; i++) await_death(pids[i]);
}

TEST(should_end_what_ranks_leave_in_the_background)
{
    launched *job = run_to(0, "exec $RUN -n 2 --tag-output sh -c 'sleep 1000 & echo pid $!'");
    await_death(number_after(job->out, "[0] pid "));
    await_death(number_after(job->out, "[1] pid "));
}

LAUNCH_TEST_MAIN()
