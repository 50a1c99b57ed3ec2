/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The launcher blocks its signals and reads them from a signalfd. It forwards most of them to all
 * ranks, and stops and continues the job as a whole.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "launch/launch.h"

static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
/* The failing write or read is reported instead. */
static const int ignored[HY_LAUNCH_IGNORED] = {SIGPIPE, SIGXFSZ, SIGTTIN};

static bool is_ignored(int signal)
{
    struct sigaction action;
    return sigaction(signal, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

/* A signal that was ignored when the launcher started (nohup, a background job) stays ignored, also
 * in the ranks. */
static void take_over(hy_launch *job, int signal)
{
    if (!is_ignored(signal)) sigaddset(&job->signals, signal);
}

/* Signals that arrive while a task is started with the ranks' mask: they are raised again once the
 * launcher can handle them. In the task, a caught signal has its default action, as after exec. */
static volatile sig_atomic_t came[NSIG];

static void launch_signals_note(int signal)
{
    came[signal] = 1;
}

static void note_signals(const hy_launch *job)
{
    struct sigaction noted = {.sa_handler = launch_signals_note, .sa_flags = SA_RESTART};
    sigfillset(&noted.sa_mask);
    for (int signal = 1; signal < NSIG; signal++)
        if (sigismember(&job->signals, signal) == 1) sigaction(signal, &noted, NULL);
}

int hy_launch_signals_open(hy_launch *job)
{
    struct sigaction usual = {.sa_handler = SIG_DFL}, ignore = {.sa_handler = SIG_IGN};
    sigemptyset(&job->signals);
    for (size_t i = 0; i < sizeof passed_on / sizeof *passed_on; i++) take_over(job, passed_on[i]);
    take_over(job, SIGTSTP);
    sigaddset(&job->signals, SIGCONT);
    sigprocmask(SIG_BLOCK, &job->signals, &job->inherited_mask);
    if (job->options.pvas) note_signals(job);
    sigaction(SIGCHLD, &usual, NULL); /* if it were ignored, children would vanish without a
                                       * status */
    for (int i = 0; i < HY_LAUNCH_IGNORED; i++) sigaction(ignored[i], &ignore, &job->inherited[i]);
    sigaction(SIGTTOU, &ignore, NULL); /* inherited: ranks are never in the terminal's foreground
                                        * group */
    job->signal_fd = signalfd(-1, &job->signals, SFD_CLOEXEC | SFD_NONBLOCK);
    if (job->signal_fd < 0)
        fprintf(stderr, "hayate: cannot create a signalfd: %s\n", strerror(errno));
    return job->signal_fd < 0 ? -1 : 0;
}

void hy_launch_signals_restore(const hy_launch *job)
{
    for (int i = 0; i < HY_LAUNCH_IGNORED; i++) sigaction(ignored[i], &job->inherited[i], NULL);
    sigprocmask(SIG_SETMASK, &job->inherited_mask, NULL);
}

void hy_launch_signals_regain(const hy_launch *job)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigprocmask(SIG_BLOCK, &job->signals, NULL);
    for (int i = 0; i < HY_LAUNCH_IGNORED; i++) sigaction(ignored[i], &ignore, NULL);
    for (int signal = 1; signal < NSIG; signal++) {
        if (!came[signal]) continue;
        came[signal] = 0;
        kill(getpid(), signal);
    }
}

void hy_launch_signal(const hy_launch_rank *rank, int signal)
{
    if (rank->pid) kill(-rank->pid, signal);
    if (rank->joined_outside && !rank->joined_ended && rank->joined_fd >= 0)
        syscall(SYS_pidfd_send_signal, rank->joined_fd, signal, NULL, 0);
}

void hy_launch_signal_all(hy_launch *job, int signal)
{
    for (int i = 0; i < job->options.ranks; i++) hy_launch_signal(&job->ranks[i], signal);
}

/* Time that passed while the whole job was stopped does not count. */
static void go_on(hy_launch *job)
{
    hy_launch_delegatee_signal(job, SIGCONT);
    hy_launch_signal_all(job, SIGCONT);
    job->delegatee.stopped_since = 0;
    for (int i = 0; i < job->options.ranks; i++) job->ranks[i].stopped_since = 0;
}

/* Stops ranks by SIGSTOP, not SIGTSTP: a rank that caught SIGTSTP would continue in a stopped
 * job. */
static void stop_all(hy_launch *job)
{
    hy_launch_signal_all(job, SIGSTOP);
    hy_launch_delegatee_signal(job, SIGSTOP);
    kill(getpid(), SIGSTOP);
    go_on(job);
}

static void pass_on(hy_launch *job, int signal)
{
    job->forwarded |= UINT32_C(1) << signal;
    if (signal != SIGUSR1 && signal != SIGUSR2) job->end_signal = signal;
    hy_launch_signal_all(job, signal);
    if (signal != SIGINT || ++job->interrupts < 2) return;
    if (job->phase == HY_RUNNING) job->exit_code = 128 + SIGINT;
    job->phase = HY_KILLED;
    job->deadline = 0;
}

static void take_signal(hy_launch *job, int index)
{
    struct signalfd_siginfo info;
    (void)index;
    while (read(job->signal_fd, &info, sizeof info) == (ssize_t)sizeof info) {
        int signal = (int)info.ssi_signo;
        if (signal == SIGTSTP) stop_all(job);
        else if (signal == SIGCONT) go_on(job);
        else pass_on(job, signal);
    }
}

void hy_launch_signals_watch(hy_launch *job)
{
    hy_launch_watch(job, job->signal_fd, POLLIN, take_signal, 0);
}
