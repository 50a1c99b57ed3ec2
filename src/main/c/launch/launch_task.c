/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Starts ranks as tasks of the launcher's address space. After a fork(), a child can set up its
 * mask, actions, CPUs and limits before exec; a task inherits them. Therefore the launcher sets
 * them for itself, starts the task, and then restores its own.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <hayate/pvas.h>

#include "base/line.h"
#include "base/task.h"
#include "launch/launch.h"

/* ZGC reserves a multiple of the largest heap, which is a fraction of the memory. */
#define PARTITION_USUAL (UINT64_C(256) << 30)
#define PARTITION_LEAST (UINT64_C(1) << 30)

/* Without a setting, divides the address space among the tasks: only touched pages use memory. */
static int launch_task_create(hy_launch *job)
{
    unsigned tasks = (unsigned)job->options.ranks;
    uint64_t bytes = job->options.partition_bytes;
    if (bytes) return pvas_create(tasks, bytes, &job->space);
    for (bytes = PARTITION_USUAL;; bytes /= 2) {
        int rc = pvas_create(tasks, bytes, &job->space);
        if (rc != HAYATE_ERR_NO_MEMORY || bytes == PARTITION_LEAST) return rc;
    }
}

int hy_launch_tasks_open(hy_launch *job)
{
    if (launch_task_create(job) == HAYATE_OK) return 0;
    job->space = -1;
    fprintf(stderr, "hayate: cannot run %d ranks as tasks: %s\n", job->options.ranks,
            hayate_error());
    return -1;
}

void hy_launch_tasks_close(hy_launch *job)
{
    if (job->space >= 0) pvas_destroy(job->space);
    job->space = -1;
}

/* Sets the affinity of the calling thread, so that the rank's first pages come from its own NUMA
 * node. */
static int lend(const hy_launch *job, int index)
{
    if (hy_launch_bind(job, index) != 0) {
        fprintf(stderr, "hayate: cannot set up rank %d: %s\n", hy_launch_number(job, index),
                strerror(errno));
        return 1;
    }
    hy_launch_signals_restore(job);
    return 0;
}

static void regain(const hy_launch *job)
{
    hy_launch_signals_regain(job);
    hy_launch_bind_undo(job);
}

/* Distinguishes programs that cannot be tasks, which the user can change, from errors of the
 * system. */
static int tell_failure(const hy_launch *job, int index, int rc, int error)
{
    if (rc == HAYATE_ERR_SYSTEM && (error == ENOENT || error == ENOTDIR || error == EACCES))
        return hy_launch_command_failed(job, error);
    if (rc == HAYATE_ERR_UNSUPPORTED) {
        fprintf(stderr, "hayate: cannot run '%s' as a task: %s\n", job->options.command[0],
                hayate_error());
        return HY_EXIT_NOT_EXECUTABLE;
    }
    bool limit = rc == HAYATE_ERR_SYSTEM && (error == EAGAIN || error == EMFILE);
    fprintf(stderr, "hayate: cannot start rank %d: %s%s\n", hy_launch_number(job, index),
            hayate_error(), limit ? " (check ulimit -u and ulimit -n)" : "");
    return 1;
}

static int spawn(hy_launch *job, int index, const hy_launch_ends *ends, int *task)
{
    int descriptors[3] = {ends->in >= 0 ? ends->in : 0, ends->out[0] >= 0 ? ends->out[0] : 1,
                          ends->out[1] >= 0 ? ends->out[1] : 2};
    int boot[2] = {ends->socket, job->boot_fd};
    pvas_spawning spawning = {.descriptors = descriptors,
                              .inherited = boot,
                              .inherited_count = 1,
                              .new_group = 1,
                              .files = &job->inherited_files};
    hy_launch_program *program = &job->program;
    int rc = pvas_spawn(job->space, program->path, program->arguments, environ, &spawning, task,
                        &job->ranks[index].pid);
    if (rc) job->ranks[index].pid = 0;
    return rc;
}

/* Records where the task lives, for the guard, and in which address space, which its welcome tells
 * it. */
static void note_place(hy_launch *job, int index, int task)
{
    hy_launch_rank *rank = &job->ranks[index];
    if (pvas_partition(job->space, task, &rank->partition, &rank->partition_bytes)) return;
    const hy_task *self = rank->partition;
    if (self->magic == HY_TASK_MAGIC) memcpy(job->space_id, self->space, sizeof job->space_id);
}

int hy_launch_task_start(hy_launch *job, int index, const hy_launch_ends *ends)
{
    int task, error = index == 0 ? hy_launch_command_find(job) : 0;
    if (error) return hy_launch_command_failed(job, error);
    if (lend(job, index)) return 1;
    errno = 0;
    int rc = spawn(job, index, ends, &task);
    error = errno;
    regain(job);
    if (rc) return tell_failure(job, index, rc, error);
    hy_launch_guard_add(job->guard_fd, HY_GUARD_GROUP, job->ranks[index].pid);
    note_place(job, index, task);
    return 0;
}

static bool mentions_zgc(const hy_launch *job)
{
    static const char *const names[] = {"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"};
    for (char **word = job->options.command; *word; word++)
        if (strstr(*word, "+UseZGC")) return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *options = getenv(names[i]);
        if (options && strstr(options, "+UseZGC")) return true;
    }
    return false;
}

void hy_launch_task_advise(const hy_launch *job)
{
    if (job->options.pvas && mentions_zgc(job))
        fputs("hayate: non-generational ZGC (as in JDK 17) needs its heap at fixed "
              "addresses and cannot run in a task: use -XX:+UseG1GC, -XX:+UseSerialGC or JDK 25, "
              "or omit --pvas\n",
              stderr);
}

/* Reads what the shim of a task has noted in its partition, which outlives its program. */
static const char *why_left(const hy_launch_rank *rank)
{
    const hy_task *self = rank->partition;
    switch (self ? hy_load_relaxed(&self->left) : HY_LEFT_NOT) {
    case HY_LEFT_PROGRAM: return "the program that it executed (exec) cannot be a task";
    case HY_LEFT_THREADS: return "it executed a program (exec) while it had several threads";
    case HY_LEFT_KNOWN: return "it executed a program (exec) after it had joined or exported";
    default: return "it executed a program (exec) that could not take its place";
    }
}

void hy_launch_task_apart(hy_launch *job, int index)
{
    const hy_launch_rank *rank = &job->ranks[index];
    if (!job->options.pvas || job->told_apart) return;
    job->told_apart = true;
    fprintf(stderr, "hayate: warning: rank %d (pid %d) is a separate process, not a task: ",
            hy_launch_number(job, index), (int)rank->joined);
    if (rank->joined == rank->pid) fputs(why_left(rank), stderr);
    else fprintf(stderr, "'%s' started it as a child", job->options.command[0]);
    fputs(
        "; other ranks cannot access its memory directly. Use as COMMAND the program itself, or a "
        "script that ends in 'exec PROGRAM': see hayate-pvas(7)\n",
        stderr);
}
