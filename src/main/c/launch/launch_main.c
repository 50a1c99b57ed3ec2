/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The main program of `hayate run`: opens the descriptors and the segment of the job, starts the
 * ranks, and runs the poll() loop until the job has ended.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/status.h"
#include "boot/boot.h"
#include "boot/segment.h"
#include "launch/launch.h"

/* Descriptors from this number on do not collide with those that shell scripts use by number. */
#define BOOT_FD_LOW 64
/* How long output waits for a reader that reads nothing, once the end was asked for. */
#define UNREAD_NS UINT64_C(1000000000)

static int open_descriptors(hy_launch *job)
{
    int fd;
    do fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= 2); /* a descriptor 0, 1 or 2 that was closed stays /dev/null */
    if (fd < 0) return -1;
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    job->null_fd = fd;
    getrlimit(RLIMIT_NOFILE, &job->inherited_files);
    struct rlimit most = {job->inherited_files.rlim_max, job->inherited_files.rlim_max};
    setrlimit(RLIMIT_NOFILE, &most);
    job->boot_fd = fcntl(fd, F_DUPFD_CLOEXEC, BOOT_FD_LOW);
    if (job->boot_fd < 0) job->boot_fd = fcntl(fd, F_DUPFD_CLOEXEC, 10);
    if (job->boot_fd < 0 && errno == EINVAL) errno = EMFILE; /* the number was above the limit */
    return job->boot_fd < 0 ? -1 : 0;
}

static int print_error(int rc)
{
    if (rc) fprintf(stderr, "hayate: %s\n", hayate_error());
    return rc ? -1 : 0;
}

/* All tasks use this one mapping, because page tables grow with the number of mappings. */
int hy_launch_map(hy_launch *job)
{
    int (*map)(int, uint32_t, uint64_t, hy_control **) = job->options.pvas ? hy_segment_map
                                                                           : hy_segment_map_control;
    return print_error(
        map(job->segment_fd, (uint32_t)job->size, job->segment_bytes, &job->control));
}

static int open_segment(hy_launch *job)
{
    uint64_t heap = job->options.heap_bytes;
    int rc = HAYATE_OK;
    job->size = job->options.ranks;
    if (!heap) rc = hy_setting_value_or(HY_SET(HEAP), hy_heap_default(job->size), &heap);
    if (!rc) rc = hy_segment_create(job->size, heap, &job->segment_fd, &job->segment_bytes);
    return rc ? print_error(rc) : hy_launch_map(job);
}

static int open_job(hy_launch *job)
{
    size_t bytes = (size_t)job->options.ranks * sizeof *job->ranks;
    job->pid = getpid();
    job->ranks = hy_launch_grow(NULL, bytes);
    for (int i = 0; i < job->options.ranks; i++)
        job->ranks[i] = (hy_launch_rank){
            .pid_fd = -1, .joined_fd = -1, .socket = -1, .streams = {{.fd = -1}, {.fd = -1}}};
    job->signal_fd = job->exec_read = job->exec_write = job->guard_fd = job->guard_pidfd = -1;
    job->terminal_fd = job->pump_fd = job->space = -1;
    job->segment_fd = job->delegatee.socket = job->delegatee.pid_fd = -1;
    if (open_descriptors(job) != 0) {
        fprintf(stderr, "hayate: cannot open descriptors: %s (see ulimit -n)\n", strerror(errno));
        return -1;
    }
    hy_wait_setup();
    if (job->options.store) hy_launch_store_number(job);
    else if (job->options.delegate ? hy_launch_delegatee_open(job) : open_segment(job)) return -1;
    if (hy_launch_signals_open(job)) return -1;
    hy_launch_stdio_open(job);
    if (hy_launch_guard_start(job) != 0) {
        fprintf(stderr, "hayate: cannot start the guard process: %s (see ulimit -u)\n",
                strerror(errno));
        return -1;
    }
    if (job->options.pvas && hy_launch_tasks_open(job)) return -1;
    return hy_launch_flight_open(job);
}

static void turn(hy_launch *job)
{
    hy_launch_signals_watch(job);
    hy_launch_spawn_watch(job);
    hy_launch_guard_watch(job);
    hy_launch_delegatee_watch(job);
    hy_launch_boot_watch(job);
    hy_launch_ranks_watch(job);
    hy_launch_stdio_watch(job);
    hy_launch_terminal_watch(job);
    hy_launch_poll(job, job->hurried ? (int)(UNREAD_NS / 1000000) : hy_launch_ranks_timeout(job));
    hy_launch_ranks_advance(job);
    hy_launch_stdio_advance(job);
}

/* Reaps the zombies, and only now: their pids are the numbers of the groups. */
static void reap_all(hy_launch *job)
{
    hy_launch_guard_stop(job);
    hy_launch_tasks_close(job);
    for (int i = 0; i < job->options.ranks && !job->options.pvas; i++)
        if (job->ranks[i].pid) waitpid(job->ranks[i].pid, NULL, 0);
}

/* Writes the output that is left when no rank runs any more. A signal that asks for the end drops
 * it. One that came before gives the reader as long as it reads, except for SIGINT, which a reader
 * at the same terminal, such as less, may have outlived to show the output. */
static void write_rest(hy_launch *job)
{
    int before = job->end_signal;
    size_t left = hy_launch_stdio_pending(job);
    uint64_t since = hy_now_ns();
    job->end_signal = 0;
    job->hurried = before && before != SIGINT;
    while (left && !job->end_signal && !(job->hurried && hy_now_ns() - since >= UNREAD_NS)) {
        turn(job);
        size_t now = hy_launch_stdio_pending(job);
        if (now < left) since = hy_now_ns();
        left = now;
    }
    if (left) job->output_code = 128 + (job->end_signal ? job->end_signal : before);
}

/* Processes that ranks left running in their groups end with the job. */
static int launch_main_run(hy_launch *job)
{
    if (job->options.verbose) hy_launch_bind_tell(job);
    hy_launch_spawn(job);
    while (job->alive > 0) turn(job);
    hy_launch_ranks_close(job);
    hy_launch_signal_all(job, SIGKILL);
    hy_launch_stdio_finish(job);
    write_rest(job);
    hy_launch_delegatee_close(job);
    reap_all(job);
    hy_launch_flight_close(job);
    return job->exit_code ? job->exit_code : job->output_code;
}

int main(int argc, char **argv)
{
    static hy_launch job;
    if (hy_launch_parse(argc, argv, &job.options)) return HY_EXIT_USAGE;
    if (job.options.help) return hy_launch_usage();
    if (hy_launch_store_decide(&job.options)) return HY_EXIT_USAGE;
    if (!job.options.store && hy_launch_delegatee_decide(&job.options)) return HY_EXIT_USAGE;
    if (hy_launch_bind_choose(&job)) return HY_EXIT_USAGE;
    if (hy_launch_mpi_add(&job)) return HY_EXIT_USAGE;
    hy_launch_java_quiet(&job);
    return open_job(&job) ? 1 : launch_main_run(&job);
}
