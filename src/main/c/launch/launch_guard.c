/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The guard outlives the launcher for a moment and kills what is left of the job. PR_SET_PDEATHSIG
 * ends the direct children; only the guard reaches their descendants. Each child registers its
 * group with the guard before exec, so that the guard knows every running command.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launch/launch.h"

typedef struct guard_record {
    int32_t kind;
    int32_t pid;
} guard_record;

typedef struct guard_list {
    int *groups, *processes; /* group numbers; pidfds */
    int group_count, process_count;
} guard_list;

void hy_launch_guard_add(int guard_fd, int kind, pid_t pid)
{
    guard_record record = {kind, (int32_t)pid};
    (void)!write(guard_fd, &record, sizeof record); /* far below PIPE_BUF: written as a whole or
                                                     * not at all */
}

static void launch_guard_add(int **list, int *count, int value)
{
    if ((*count & (*count - 1)) == 0) {
        size_t room = *count ? 2 * (size_t)*count : 1;
        *list = hy_launch_grow(*list, room * sizeof **list);
    }
    (*list)[(*count)++] = value;
}

static void launch_guard_note(guard_list *list, const guard_record *record)
{
    if (record->pid <= 1) return;
    if (record->kind == HY_GUARD_GROUP) {
        launch_guard_add(&list->groups, &list->group_count, record->pid);
    } else {
        int fd = (int)syscall(SYS_pidfd_open, record->pid, 0);
        if (fd >= 0) launch_guard_add(&list->processes, &list->process_count, fd);
    }
}

static void close_all_but(int kept)
{
    if (kept > 0) syscall(SYS_close_range, 0u, (unsigned)kept - 1, 0);
    if (syscall(SYS_close_range, (unsigned)kept + 1, ~0u, 0) == 0) return;
    for (int fd = (int)sysconf(_SC_OPEN_MAX) - 1; fd >= 0; fd--)
        if (fd != kept) close(fd);
}

static void guard_main(int fd)
{
    guard_list list = {NULL, NULL, 0, 0};
    guard_record record;
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    setpgid(0, 0); /* a signal to the launcher's process group must not kill the guard */
    prctl(PR_SET_NAME, "hayate-guard");
    close_all_but(fd);
    for (;;) {
        ssize_t length = read(fd, &record, sizeof record);
        if (length == (ssize_t)sizeof record) launch_guard_note(&list, &record);
        else if (length >= 0 || errno != EINTR) break;
    }
    for (int i = 0; i < list.group_count; i++) kill(-list.groups[i], SIGKILL);
    for (int i = 0; i < list.process_count; i++)
        syscall(SYS_pidfd_send_signal, list.processes[i], SIGKILL, NULL, 0);
    _exit(0);
}

/* A guard that is started again is a copy of an address space that contains tasks. It unmaps their
 * memory, which would otherwise be copied whenever the tasks write to it. */
static void forget_tasks(const hy_launch *job)
{
    for (int i = 0; i < job->options.ranks; i++)
        if (job->ranks[i].partition) munmap(job->ranks[i].partition, job->ranks[i].partition_bytes);
}

static void tell_all(hy_launch *job)
{
    if (job->delegatee.pid) hy_launch_guard_add(job->guard_fd, HY_GUARD_GROUP, job->delegatee.pid);
    for (int i = 0; i < job->options.ranks; i++) {
        hy_launch_rank *rank = &job->ranks[i];
        if (rank->pid) hy_launch_guard_add(job->guard_fd, HY_GUARD_GROUP, rank->pid);
        if (rank->joined_outside && !rank->joined_ended)
            hy_launch_guard_add(job->guard_fd, HY_GUARD_PROCESS, rank->joined);
    }
}

int hy_launch_guard_start(hy_launch *job)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    job->guard = fork();
    if (job->guard == 0) {
        close(ends[1]);
        forget_tasks(job);
        guard_main(ends[0]);
    }
    close(ends[0]);
    job->guard_fd = ends[1];
    if (job->guard < 0) return -1;
    job->guard_pidfd = (int)syscall(SYS_pidfd_open, job->guard, 0);
    if (job->guard_pidfd >= 0) fcntl(job->guard_pidfd, F_SETFD, FD_CLOEXEC);
    tell_all(job);
    return 0;
}

void hy_launch_guard_stop(hy_launch *job)
{
    if (job->guard <= 0) return;
    kill(job->guard, SIGKILL);
    waitpid(job->guard, NULL, 0);
    close(job->guard_fd);
    if (job->guard_pidfd >= 0) close(job->guard_pidfd);
    job->guard = 0;
    job->guard_fd = job->guard_pidfd = -1;
}

static void guard_died(hy_launch *job, int index)
{
    (void)index;
    hy_launch_guard_stop(job);
    if (hy_launch_guard_start(job) != 0)
        fprintf(stderr,
                "hayate: warning: the guard process has ended and cannot be started again (%s); "
                "if this launcher is killed, ranks may keep running\n",
                strerror(errno));
}

void hy_launch_guard_watch(hy_launch *job)
{
    hy_launch_watch(job, job->guard_pidfd, POLLIN, guard_died, 0);
}
