/* SPDX-License-Identifier: Apache-2.0 */
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

/* The child's ends of what connects it to the launcher. */
typedef struct child_ends {
    int socket;
    int in;     /* -1: inherited */
    int out[2]; /* -1: inherited */
} child_ends;

typedef struct spawn_report {
    int32_t rank, error, executing;
} spawn_report;

static void close_ends(const child_ends *ends)
{
    if (ends->socket >= 0) close(ends->socket);
    for (int i = 0; i < 2; i++)
        if (ends->out[i] >= 0) close(ends->out[i]);
}

static int open_pipe(hy_launch_stream *stream, int *child_end)
{
    int pipe_ends[2];
    if (pipe2(pipe_ends, O_CLOEXEC) != 0) return -1;
    fcntl(pipe_ends[0], F_SETFL, O_NONBLOCK); /* of the launcher's end only */
    stream->fd = pipe_ends[0];
    *child_end = pipe_ends[1];
    return 0;
}

static int open_ends(hy_launch *job, int index, child_ends *ends)
{
    int pair[2], on = 1;
    hy_launch_rank *rank = &job->ranks[index];
    *ends = (child_ends){.socket = -1, .in = index ? job->null_fd : -1, .out = {-1, -1}};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) return -1;
    rank->socket = pair[0];
    ends->socket = pair[1];
    if (setsockopt(pair[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof on) != 0) return -1;
    for (int i = 0; i < 2 && job->options.tag; i++)
        if (open_pipe(&rank->streams[i], &ends->out[i]) != 0) return -1;
    return 0;
}

static int connect_ends(const hy_launch *job, const child_ends *ends)
{
    if (ends->in >= 0 && dup2(ends->in, 0) < 0) return -1;
    for (int i = 0; i < 2; i++)
        if (ends->out[i] >= 0 && dup2(ends->out[i], i + 1) < 0) return -1;
    return dup2(ends->socket, job->boot_fd) < 0 ? -1 : 0; /* the copy is inherited by exec */
}

static int bind_core(const hy_launch *job, int rank)
{
    cpu_set_t one;
    int count = CPU_COUNT(&job->cpus);
    if (job->options.bind != HY_BIND_CORE || count == 0) return 0;
    int wanted = rank % count, cpu = -1;
    for (int seen = -1; seen < wanted;) seen += CPU_ISSET(++cpu, &job->cpus) != 0;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    return sched_setaffinity(0, sizeof one, &one);
}

/* In the child. If the launcher died before prctl, nobody would send the signal: look after it. */
static void run_child(hy_launch *job, int index, const child_ends *ends)
{
    spawn_report report = {.rank = index, .executing = 0};
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (getppid() != job->pid) _exit(1);
    setpgid(0, 0);
    hy_launch_guard_add(job->guard_fd, HY_GUARD_GROUP, getpid());
    if (connect_ends(job, ends) == 0 && bind_core(job, index) == 0) {
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

static int set_environment(const hy_launch *job, int rank)
{
    return set_number("HAYATE_RANK", rank) || set_number("HAYATE_LOCAL_RANK", rank) ||
           set_number("HAYATE_SIZE", job->options.ranks) ||
           set_number("HAYATE_BOOT_FD", job->boot_fd);
}

static int spawn_rank(hy_launch *job, int index, int stdin_fd)
{
    child_ends ends;
    hy_launch_rank *rank = &job->ranks[index];
    if (open_ends(job, index, &ends) || set_environment(job, index)) {
        close_ends(&ends);
        return -1;
    }
    if (index == 0) ends.in = stdin_fd;
    pid_t pid = fork();
    if (pid == 0) run_child(job, index, &ends);
    int error = errno;
    close_ends(&ends);
    errno = error;
    if (pid < 0) return -1;
    setpgid(pid, pid); /* whoever comes first; a signal must find the group */
    rank->pid = pid;
    rank->pid_fd = (int)syscall(SYS_pidfd_open, pid, 0); /* close-on-exec by itself */
    job->alive++;
    return 0;
}

void hy_launch_spawn(hy_launch *job)
{
    int ends[2], stdin_fd = -1;
    if (pipe2(ends, O_CLOEXEC) == 0) {
        job->exec_read = ends[0];
        job->exec_write = ends[1];
        fcntl(ends[0], F_SETFL, O_NONBLOCK);
    }
    hy_launch_terminal_open(job, &stdin_fd);
    for (int i = 0; i < job->options.ranks; i++) {
        if (spawn_rank(job, i, stdin_fd) == 0) continue;
        fprintf(stderr, "hayate: cannot start rank %d: %s (see ulimit -u and ulimit -n)\n", i,
                strerror(errno));
        hy_launch_abort(job, 1);
        break;
    }
    if (stdin_fd >= 0) close(stdin_fd);
    close(job->exec_write);
    job->exec_write = -1;
}

static void tell_failure(hy_launch *job, const spawn_report *report)
{
    const char *command = job->options.command[0];
    if (!report->executing) {
        fprintf(stderr, "hayate: cannot set up rank %d: %s\n", report->rank,
                strerror(report->error));
        hy_launch_abort(job, 1);
        return;
    }
    bool missing = report->error == ENOENT || report->error == ENOTDIR;
    fprintf(stderr, "hayate: cannot run '%s': %s%s\n", command, strerror(report->error),
            missing && !strchr(command, '/') ? " (looked for in PATH)" : "");
    hy_launch_abort(job, missing ? HY_EXIT_NOT_FOUND : HY_EXIT_NOT_EXECUTABLE);
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
        close(job->exec_read); /* every child has executed its command or given up */
        job->exec_read = -1;
    }
}

void hy_launch_spawn_watch(hy_launch *job)
{
    hy_launch_watch(job, job->exec_read, POLLIN, hy_launch_spawn_failed, 0);
}
