/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Starts ranks by fork and exec, each with its descriptors, environment, CPUs and process group, or
 * lets launch_task.c start them as tasks.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "launch/launch.h"

typedef struct spawn_report {
    int32_t rank, error, executing;
} spawn_report;

static void close_ends(const hy_launch_ends *ends)
{
    if (ends->socket >= 0) close(ends->socket);
    for (int i = 0; i < 2; i++)
        if (ends->out[i] >= 0) close(ends->out[i]);
}

static int open_socket(hy_launch_rank *rank, hy_launch_ends *ends)
{
    int pair[2], on = 1;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) return -1;
    rank->socket = pair[0];
    ends->socket = pair[1];
    return setsockopt(pair[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof on);
}

static int open_ends(hy_launch *job, int index, hy_launch_ends *ends)
{
    bool reads = hy_launch_number(job, index) == 0;
    *ends = (hy_launch_ends){.socket = -1, .in = reads ? -1 : job->null_fd, .out = {-1, -1}};
    if (!job->options.store && open_socket(&job->ranks[index], ends) != 0) return -1;
    return hy_launch_stdio_pipes(job, index, ends);
}

static int connect_ends(const hy_launch *job, const hy_launch_ends *ends)
{
    if (ends->in >= 0 && dup2(ends->in, 0) < 0) return -1;
    for (int i = 0; i < 2; i++)
        if (ends->out[i] >= 0 && dup2(ends->out[i], i + 1) < 0) return -1;
    if (ends->socket < 0) return 0;
    return dup2(ends->socket, job->boot_fd) < 0 ? -1 : 0; /* exec passes the copy on */
}

/* Runs in the child. If the launcher ended before prctl, no signal comes: check for that. */
static void run_child(hy_launch *job, int index, const hy_launch_ends *ends)
{
    spawn_report report = {.rank = hy_launch_number(job, index), .executing = 0};
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (getppid() != job->pid) _exit(1);
    setpgid(0, 0);
    hy_launch_guard_add(job->guard_fd, HY_GUARD_GROUP, getpid());
    if (connect_ends(job, ends) == 0 && hy_launch_bind(job, index) == 0) {
        report.executing = 1;
        setrlimit(RLIMIT_NOFILE, &job->inherited_files);
        hy_launch_signals_restore(job);
        execvp(job->options.command[0], job->options.command);
    }
    report.error = errno;
    (void)!write(job->exec_write, &report, sizeof report);
    _exit(HY_EXIT_NOT_FOUND);
}

static int set_number(const char *name, int number)
{
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    return setenv(name, text, 1);
}

static int set_environment(const hy_launch *job, int index)
{
    return set_number("HAYATE_RANK", hy_launch_number(job, index)) ||
           set_number("HAYATE_LOCAL_RANK", index) || set_number("HAYATE_SIZE", job->size) ||
           (!job->options.store && set_number("HAYATE_BOOT_FD", job->boot_fd));
}

static int cannot_start(const hy_launch *job, int index)
{
    fprintf(stderr, "hayate: cannot start rank %d: %s (check ulimit -u and ulimit -n)\n",
            hy_launch_number(job, index), strerror(errno));
    return 1;
}

static int start_process(hy_launch *job, int index, const hy_launch_ends *ends)
{
    pid_t pid = fork();
    if (pid == 0) run_child(job, index, ends);
    if (pid < 0) return cannot_start(job, index);
    job->ranks[index].pid = pid;
    return 0;
}

/* 0, or the exit code of the launcher. */
static int spawn_rank(hy_launch *job, int index, int stdin_fd)
{
    hy_launch_ends ends;
    hy_launch_rank *rank = &job->ranks[index];
    bool ready = open_ends(job, index, &ends) == 0 && set_environment(job, index) == 0;
    int code = ready ? 0 : cannot_start(job, index);
    if (hy_launch_number(job, index) == 0) ends.in = stdin_fd;
    hy_launch_mpi_number(job, index);
    if (!code)
        code = job->options.pvas ? hy_launch_task_start(job, index, &ends)
                                 : start_process(job, index, &ends);
    close_ends(&ends);
    if (code) return code;
    setpgid(rank->pid, rank->pid); /* parent and child both do it: a signal must find the group */
    rank->pid_fd = (int)syscall(SYS_pidfd_open, rank->pid, 0); /* is close-on-exec */
    job->alive++;
    return 0;
}

/* Children report through this pipe what failed between fork and exec. */
static void open_reports(hy_launch *job)
{
    int ends[2];
    if (job->options.pvas || pipe2(ends, O_CLOEXEC) != 0) return;
    job->exec_read = ends[0];
    job->exec_write = ends[1];
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
}

void hy_launch_spawn(hy_launch *job)
{
    int stdin_fd = -1, code = 0;
    open_reports(job);
    if (job->first == 0) hy_launch_terminal_open(job, &stdin_fd);
    for (int i = 0; i < job->options.ranks && !code; i++) code = spawn_rank(job, i, stdin_fd);
    if (code) hy_launch_end(job, code, 0);
    if (stdin_fd >= 0) close(stdin_fd);
    if (job->exec_write >= 0) close(job->exec_write);
    job->exec_write = -1;
}

static void tell_failure(hy_launch *job, const spawn_report *report)
{
    if (!report->executing) {
        fprintf(stderr, "hayate: cannot set up rank %d: %s\n", report->rank,
                strerror(report->error));
        hy_launch_end(job, 1, 0);
        return;
    }
    hy_launch_end(job, hy_launch_command_failed(job, report->error), 0);
}

void hy_launch_spawn_failed(hy_launch *job, int index)
{
    spawn_report report;
    (void)index;
    while (job->exec_read >= 0) {
        ssize_t length = read(job->exec_read, &report, sizeof report);
        if (length == (ssize_t)sizeof report) {
            if (job->phase == HY_RUNNING) tell_failure(job, &report);
            continue;
        }
        if (length < 0 && errno == EAGAIN) return;
        close(job->exec_read); /* every child has executed its command or has failed */
        job->exec_read = -1;
    }
}

void hy_launch_spawn_watch(hy_launch *job)
{
    hy_launch_watch(job, job->exec_read, POLLIN, hy_launch_spawn_failed, 0);
}
