/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides when a rank has ended, whether it failed, and what happens to the others then: a grace
 * period, SIGTERM, SIGKILL.
 */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "launch/launch.h"

#define SECOND UINT64_C(1000000000)
/* How long to wait for the status of a rank that vanished behind a shell: the shell's status may
 * still tell why. Short against the second within which other ranks must learn of a death. */
#define DOUBT_NS (300 * UINT64_C(1000000))
#define LOOK_MS 200

static bool is_over(const hy_launch_rank *rank)
{
    return rank->ended && (!rank->joined || rank->joined == rank->pid || rank->joined_ended);
}

static const char *pid_text(const hy_launch_rank *rank, char *text, size_t size)
{
    snprintf(text, size, "pid %d", (int)(rank->joined ? rank->joined : rank->pid));
    return text;
}

static void report(hy_launch *job, int index, uint32_t state, uint32_t why)
{
    hy_launch_stdio_catch_up(job, index);
    int number = hy_launch_number(job, index);
    char pid[32];
    pid_text(&job->ranks[index], pid, sizeof pid);
    if (state == HY_RANK_STOPPED)
        fprintf(stderr,
                "hayate: rank %d (%s) has been stopped for longer than %g s "
                "(--stop-timeout)\n",
                number, pid, (double)job->options.stop_timeout_ns / 1e9);
    else if (state == HY_RANK_LEFT)
        fprintf(stderr, "hayate: rank %d (%s) exited with status 0, but had not left the job\n",
                number, pid);
    else if (why > 256)
        fprintf(stderr, "hayate: rank %d (%s) was killed by signal %u (%s)\n", number, pid,
                why - 256, strsignal((int)why - 256));
    else if (why) fprintf(stderr, "hayate: rank %d (%s) exited with status %u\n", number, pid, why);
    else fprintf(stderr, "hayate: rank %d (%s) ended without leaving the job\n", number, pid);
}

static int exit_code_of(uint32_t state, uint32_t why)
{
    if (state == HY_RANK_STOPPED || !why) return 1;
    return why > 256 ? 128 + (int)why - 256 : (int)why;
}

/* Whether the rank ended by a signal that the user sent through the launcher, which needs no
 * explanation. */
static bool was_asked_for(const hy_launch *job, int exit_code)
{
    return exit_code > 128 && exit_code < 160 && job->forwarded >> (exit_code - 128) & 1;
}

/* With --survive: the others go on. One that is stopped, and dead for them, must not continue. */
static void bury(hy_launch *job, int index, uint32_t state, int exit_code)
{
    if (!job->first_code) job->first_code = exit_code;
    if (state == HY_RANK_STOPPED) hy_launch_signal(&job->ranks[index], SIGKILL);
}

/* Ranks that meet at a store have their own memory, and tell each other of deaths. */
static void note_state(hy_launch *job, int index, uint32_t state, uint32_t why)
{
    if (job->control) hy_control_publish(job->control, hy_launch_number(job, index), state, why);
}

static void fail(hy_launch *job, int index, uint32_t state, uint32_t why)
{
    hy_launch_rank *rank = &job->ranks[index];
    if (rank->failed) return;
    rank->failed = true;
    if (!job->options.survive || !rank->bye) /* else it has left before, and nobody waits for it */
        note_state(job, index, state, why);
    if (job->phase != HY_RUNNING) return;
    int exit_code = exit_code_of(state, why);
    if (!was_asked_for(job, exit_code)) {
        if (rank->joined && job->quit_first) report(job, job->quit_first - 1, HY_RANK_LEFT, 0);
        report(job, index, state, why);
        if (!rank->joined) hy_launch_task_advise(job);
    }
    if (job->options.survive && !rank->aborts) bury(job, index, state, exit_code);
    else hy_launch_end(job, exit_code, hy_now_ns() + job->options.grace_ns);
}

void hy_launch_ranks_close(hy_launch *job)
{
    if (!job->survived && !job->exit_code) job->exit_code = job->first_code;
}

/* A rank with status 0 has left the job, with or without a bye; what it wrote about itself in the
 * segment is no evidence. If it gave none, a rank that fails later may fail because of it, and is
 * not named alone. A rank lives as long as a background process that joined for it. */
static void judge(hy_launch *job, int index, uint32_t why)
{
    hy_launch_rank *rank = &job->ranks[index];
    if (!why && !rank->failed) job->survived = true;
    if (why) fail(job, index, HY_RANK_DEAD, why);
    else if (is_over(rank) && !rank->bye && !rank->failed) {
        note_state(job, index, HY_RANK_LEFT, 0);
        if (!job->quit_first) job->quit_first = index + 1;
    }
    if (is_over(rank)) job->alive--;
}

/* Only peeks at the status: the zombie keeps the pid from being reused. */
static void child_ended(hy_launch *job, int index)
{
    siginfo_t info = {.si_pid = 0};
    hy_launch_rank *rank = &job->ranks[index];
    if (rank->ended) return;
    if (waitid(P_PID, (id_t)rank->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0) return;
    if (info.si_pid != rank->pid) return;
    hy_launch_spawn_failed(job, 0);
    hy_launch_boot_read(job, index); /* a bye may be under way */
    rank->ended = true;
    if (rank->pid_fd >= 0) close(rank->pid_fd);
    rank->pid_fd = -1;
    uint32_t status = (uint32_t)info.si_status;
    judge(job, index, info.si_code == CLD_EXITED ? status : 256 + status);
}

static void joined_ended(hy_launch *job, int index)
{
    hy_launch_rank *rank = &job->ranks[index];
    if (rank->joined_ended) return;
    hy_launch_boot_read(job, index);
    rank->joined_ended = true;
    if (rank->joined_fd >= 0) close(rank->joined_fd);
    rank->joined_fd = -1;
    if (!rank->bye && !rank->doubt) rank->doubt = hy_now_ns();
    if (!rank->ended) return;
    if (!rank->bye) fail(job, index, HY_RANK_DEAD, 0);
    job->alive--;
}

void hy_launch_ranks_watch(hy_launch *job)
{
    for (int i = 0; i < job->options.ranks; i++) {
        hy_launch_watch(job, job->ranks[i].pid_fd, POLLIN, child_ended, i);
        hy_launch_watch(job, job->ranks[i].joined_fd, POLLIN, joined_ended, i);
    }
}

/* Fails the ranks that are stopped for too long. */
static void look_for_stopped(hy_launch *job, uint64_t now)
{
    uint64_t timeout = job->options.stop_timeout_ns;
    for (int i = 0; timeout && i < job->options.ranks; i++) {
        hy_launch_rank *rank = &job->ranks[i];
        bool alive = rank->joined && !rank->joined_ended && !rank->bye &&
                     !(rank->ended && rank->joined == rank->pid);
        if (!alive) rank->stopped_since = 0;
        else if (hy_launch_is_stopped_for(rank->joined, &rank->stopped_since, now, timeout))
            fail(job, i, HY_RANK_STOPPED, 0);
    }
}

/* Checks what no descriptor reports: ranks without a pidfd, ranks that vanished, stopped ranks. */
static void launch_ranks_look(hy_launch *job, uint64_t now)
{
    for (int i = 0; i < job->options.ranks; i++) {
        hy_launch_rank *rank = &job->ranks[i];
        if (rank->pid && !rank->ended && rank->pid_fd < 0) child_ended(job, i);
        if (rank->joined && rank->joined != rank->pid && !rank->joined_ended &&
            rank->joined_fd < 0 && kill(rank->joined, 0) != 0)
            joined_ended(job, i);
        if (rank->doubt && !rank->failed && !is_over(rank) && now - rank->doubt >= DOUBT_NS)
            fail(job, i, HY_RANK_DEAD, 0);
    }
    hy_launch_delegatee_look(job, now);
    if (job->phase == HY_RUNNING) look_for_stopped(job, now);
    if (job->phase == HY_RUNNING) hy_launch_idle_look(job, now);
}

static uint64_t look_interval(const hy_launch *job)
{
    int ms = job->options.ranks > LOOK_MS ? job->options.ranks : LOOK_MS;
    return (uint64_t)ms * 1000000;
}

/* Stopped processes handle SIGTERM only after they continue. */
static void launch_ranks_push(hy_launch *job, uint64_t now)
{
    if (job->phase == HY_FAILING) {
        job->phase = HY_ENDING;
        hy_launch_delegatee_fail(job);
        hy_launch_signal_all(job, SIGTERM);
        hy_launch_signal_all(job, SIGCONT);
    } else {
        job->phase = HY_KILLED;
        hy_launch_signal_all(job, SIGKILL);
    }
    job->deadline = now + SECOND;
}

void hy_launch_ranks_advance(hy_launch *job)
{
    uint64_t now = hy_now_ns();
    if (job->alive > 0 && job->phase != HY_RUNNING && now >= job->deadline)
        launch_ranks_push(job, now);
    if (now < job->next_look) return;
    job->next_look = now + look_interval(job);
    launch_ranks_look(job, now);
}

static bool needs_looks(const hy_launch *job)
{
    if (hy_launch_delegatee_lives(job)) return true;
    for (int i = 0; i < job->options.ranks; i++) {
        const hy_launch_rank *rank = &job->ranks[i];
        if (is_over(rank) || !rank->pid) continue;
        if (rank->joined || rank->doubt || (!rank->ended && rank->pid_fd < 0)) return true;
    }
    return false;
}

int hy_launch_ranks_timeout(const hy_launch *job)
{
    uint64_t now = hy_now_ns(), next = hy_launch_stdio_due(job);
    if (job->alive == 0) return -1;
    if (needs_looks(job) && job->next_look < next) next = job->next_look;
    if (job->phase != HY_RUNNING && job->deadline < next) next = job->deadline;
    if (next == UINT64_MAX) return -1;
    return next <= now ? 0 : (int)((next - now + 999999) / 1000000);
}
