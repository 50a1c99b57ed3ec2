/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --delegate: the delegatee of this node, which is started before the ranks and ends after them. It
 * is the node's member at the cluster's launcher, so only its environment has that launcher's
 * variables. The ranks use the segment that it has made, and have the numbers that it tells.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "boot/wire.h"
#include "launch/launch.h"
#include "net/delegated/delegation.h"

/* How long the delegatee has after the last rank: to leave in order, or to ask the cluster's
 * launcher for the end of all nodes, which may not answer any more. */
#define LEAVE_MS 5000
#define FAIL_MS 500

/* The ranks are told within a second; waiting longer would only delay the end of the other nodes.
 */
#define GRACE_NS UINT64_C(1000000000)

/* Publishes why the ranks cannot reach other nodes any more, and ends the job. */
static void lose(hy_launch *job, uint32_t why, int exit_code)
{
    hy_delegation_end(hy_control_delegation(job->control), why);
    hy_control_ring_all(job->control);
    uint64_t grace = job->options.grace_ns < GRACE_NS ? job->options.grace_ns : GRACE_NS;
    if (job->phase == HY_RUNNING) hy_launch_end(job, exit_code, hy_now_ns() + grace);
}

static void print_end(const hy_launch_delegatee *delegatee, uint32_t why, const char *when)
{
    fprintf(stderr, "hayate: the delegatee (pid %d) ", (int)delegatee->pid);
    if (why > 256)
        fprintf(stderr, "was killed by signal %u (%s)\n", why - 256, strsignal((int)why - 256));
    else fprintf(stderr, "exited with status %u %s\n", why, when);
}

/* Leaves a zombie: its pid is the number of its group. False: it has not ended. */
static bool take_end(hy_launch_delegatee *delegatee, uint32_t *why)
{
    siginfo_t info = {.si_pid = 0};
    if (waitid(P_PID, (id_t)delegatee->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0) return false;
    if (info.si_pid != delegatee->pid) return false;
    *why = (info.si_code == CLD_EXITED ? 0 : 256) + (uint32_t)info.si_status;
    delegatee->ended = true;
    if (delegatee->pid_fd >= 0) close(delegatee->pid_fd);
    delegatee->pid_fd = -1;
    return true;
}

static void delegatee_ended(hy_launch *job, int index)
{
    uint32_t why;
    (void)index;
    if (job->delegatee.ended || !take_end(&job->delegatee, &why) || job->delegatee.told) return;
    if (job->phase == HY_RUNNING) print_end(&job->delegatee, why, "before its ranks");
    lose(job, why, why > 256 ? 128 + (int)why - 256 : why ? (int)why : 1);
}

void hy_launch_delegatee_watch(hy_launch *job)
{
    hy_launch_watch(job, job->delegatee.pid_fd, POLLIN, delegatee_ended, 0);
}

bool hy_launch_delegatee_lives(const hy_launch *job)
{
    return job->delegatee.pid && !job->delegatee.ended;
}

/* What no descriptor reports. */
void hy_launch_delegatee_look(hy_launch *job, uint64_t now)
{
    hy_launch_delegatee *delegatee = &job->delegatee;
    if (!hy_launch_delegatee_lives(job)) return;
    if (delegatee->pid_fd < 0) delegatee_ended(job, 0);
    if (job->phase != HY_RUNNING || delegatee->ended || !job->options.stop_timeout_ns ||
        !hy_launch_is_stopped_for(delegatee->pid, &delegatee->stopped_since, now,
                                  job->options.stop_timeout_ns))
        return;
    fprintf(stderr,
            "hayate: the delegatee (pid %d) has been stopped for longer than %g s "
            "(--stop-timeout)\n",
            (int)delegatee->pid, (double)job->options.stop_timeout_ns / 1e9);
    kill(-delegatee->pid, SIGKILL); /* it cannot leave in order any more */
    delegatee->told = true;
    lose(job, 0, 1);
}

void hy_launch_delegatee_signal(const hy_launch *job, int signal)
{
    if (job->delegatee.pid) kill(-job->delegatee.pid, signal);
}

void hy_launch_delegatee_fail(hy_launch *job)
{
    const hy_failed word = {HY_FAILED_MAGIC, job->exit_code ? job->exit_code : 1};
    if (!hy_launch_delegatee_lives(job) || job->delegatee.told) return;
    job->delegatee.told = true;
    (void)!send(job->delegatee.socket, &word, sizeof word, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void release(hy_launch *job)
{
    const hy_word word = {HY_BYE_MAGIC};
    job->delegatee.told = true;
    (void)!send(job->delegatee.socket, &word, sizeof word, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static bool await_end(hy_launch_delegatee *delegatee, int limit_ms, uint32_t *why)
{
    uint64_t deadline = hy_now_ns() + (uint64_t)limit_ms * 1000000u;
    while (!take_end(delegatee, why)) {
        if (hy_now_ns() > deadline) return false;
        poll(NULL, 0, 1);
    }
    return true;
}

/* An end that was announced to it is judged by its status only if it was to end in order. */
void hy_launch_delegatee_close(hy_launch *job)
{
    hy_launch_delegatee *delegatee = &job->delegatee;
    uint32_t why = 0;
    if (!delegatee->pid) return;
    bool in_order = !job->exit_code && hy_launch_delegatee_lives(job);
    if (in_order) release(job);
    else hy_launch_delegatee_fail(job);
    if (delegatee->socket >= 0) close(delegatee->socket);
    delegatee->socket = -1;
    bool ended = delegatee->ended || await_end(delegatee, in_order ? LEAVE_MS : FAIL_MS, &why);
    if (in_order && (!ended || why)) {
        if (ended) print_end(delegatee, why, "instead of leaving the job in order");
        else
            fprintf(
                stderr,
                "hayate: the delegatee (pid %d) has not left the job within %d s: it is killed\n",
                (int)delegatee->pid, LEAVE_MS / 1000);
        job->exit_code = 1;
    }
    kill(-delegatee->pid, SIGKILL);
    waitpid(delegatee->pid, NULL, 0);
    delegatee->pid = 0;
}
