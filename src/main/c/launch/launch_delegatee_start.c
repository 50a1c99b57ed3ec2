/* SPDX-License-Identifier: Apache-2.0 */
/* Decides whether this node has a delegatee, starts it, and waits until it has met those of the
 * other nodes. All of this is before the first rank and before the launcher handles signals: a
 * signal then ends the launcher, and the delegatee with it. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/settings.h"
#include "boot/boot.h"
#include "boot/rights.h"
#include "boot/wire.h"
#include <hayate/hayate.h>
#include "launch/launch.h"

#define PROGRAM "hayate-delegatee"
#define HELLO_MS 10000  /* to start it */
#define READY_MS 120000 /* the other nodes may still be starting */
#define END_MS 3000     /* after a refusal */

enum { AUTO, ON, OFF }; /* words of HAYATE_DELEGATE */

static int delegatee_start_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

static int delegatee_start_refuse(const char *format, ...)
{
    va_list arguments;
    fputs("hayate: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputs("\n", stderr);
    return -1;
}

/* ---- whether ---- */

/* Whether PMI_FD is the connection to mpiexec. A JVM, and a rank of MPI, close it for the programs
 * that they start, although these inherit the variable. True without PMI-1. */
static bool is_connected(void)
{
    const char *fd = getenv("PMI_FD");
    int domain;
    socklen_t length = sizeof domain;
    if (!fd || hy_boot_method() != &hy_boot_pmi1) return true;
    return getsockopt(atoi(fd), SOL_SOCKET, SO_DOMAIN, &domain, &length) == 0;
}

/* These variables tell how many members a launcher has started; PMIx itself has none. A rank of
 * `hayate run` is not such a member, although it may have inherited them. */
static bool is_one_of_several(void)
{
    static const char *const sizes[] = {"PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS"};
    const hy_boot_ops *method = hy_boot_method();
    if (method != &hy_boot_pmix && method != &hy_boot_pmi1) return false;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const char *size = getenv(sizes[i]);
        if (size && atoi(size) > 1) return is_connected();
    }
    return false;
}

int hy_launch_delegatee_decide(hy_launch_options *options)
{
    uint64_t choice;
    if (hy_setting_value(HY_SET(DELEGATE), &choice))
        return delegatee_start_refuse("%s", hayate_error());
    if (!options->delegate)
        options->delegate = choice == ON || (choice == AUTO && is_one_of_several());
    if (options->delegate && !is_connected())
        return delegatee_start_refuse(
            "--delegate: PMI_FD=%s is not the connection to mpiexec: let mpiexec start hayate-run "
            "itself, not through Java or a rank",
            getenv("PMI_FD"));
    cpu_set_t all;
    if (options->delegate_core < 0) return 0;
    if (!options->delegate)
        return delegatee_start_refuse("--delegate-core %d needs --delegate",
                                      options->delegate_core);
    if (sched_getaffinity(0, sizeof all, &all) == 0 && !CPU_ISSET(options->delegate_core, &all))
        return delegatee_start_refuse(
            "--delegate-core %d: this process may not use that CPU; see taskset -p $$",
            options->delegate_core);
    return 0;
}

/* ---- the process ---- */

static int find_program(char path[PATH_MAX])
{
    if (hy_launch_beside(PROGRAM, path) == 0 && access(path, X_OK) == 0) return 0;
    return delegatee_start_refuse("--delegate: %s: %s; it must lie next to the launcher", path,
                                  strerror(errno));
}

/* Runs in the child. Not even stdout is open: the delegatee would keep a pipe from ending. */
static void run_delegatee(const hy_launch *job, const char *path, int socket)
{
    char number[16];
    cpu_set_t one;
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (getppid() != job->pid) _exit(1);
    setpgid(0, 0);
    CPU_ZERO(&one);
    if (job->options.delegate_core >= 0) {
        CPU_SET(job->options.delegate_core, &one);
        sched_setaffinity(0, sizeof one, &one);
    }
    if (job->options.blacs) unsetenv("LD_PRELOAD");
    snprintf(number, sizeof number, "%d", job->boot_fd);
    if (dup2(job->null_fd, 0) == 0 && dup2(job->null_fd, 1) == 1 &&
        dup2(socket, job->boot_fd) == job->boot_fd)
        execl(path, PROGRAM, number, (char *)NULL);
    _exit(HY_EXIT_NOT_FOUND);
}

static int start_delegatee(hy_launch *job, const char *path)
{
    int pair[2];
    hy_launch_delegatee *delegatee = &job->delegatee;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return delegatee_start_refuse("cannot make a socket: %s", strerror(errno));
    delegatee->pid = fork();
    if (delegatee->pid == 0) run_delegatee(job, path, pair[1]);
    close(pair[1]);
    delegatee->socket = pair[0];
    if (delegatee->pid > 0) {
        setpgid(delegatee->pid, delegatee->pid);
        delegatee->pid_fd = (int)syscall(SYS_pidfd_open, delegatee->pid, 0);
        return 0;
    }
    delegatee->pid = 0;
    return delegatee_start_refuse("cannot start the delegatee: %s (check ulimit -u)",
                                  strerror(errno));
}

/* The environment of ranks has nothing of the cluster's launcher. The launcher of PMI-1 takes the
 * end of its connection for the death of its member. This process keeps it, closed to the ranks,
 * until it has ended its own job: if the delegatee dies, the ranks here still learn why. */
static void leave_cluster(void)
{
    const char *fd = getenv("PMI_FD");
    if (fd) fcntl(atoi(fd), F_SETFD, FD_CLOEXEC);
    for (char **at = environ; *at;) {
        char name[64];
        size_t length = strcspn(*at, "=");
        bool theirs = strncmp(*at, "PMI_", 4) == 0 || strncmp(*at, "PMIX_", 5) == 0;
        if (theirs && length < sizeof name) {
            memcpy(name, *at, length);
            name[length] = '\0';
            unsetenv(name); /* moves the rest up */
        } else at++;
    }
}

/* ---- the meeting ---- */

/* The length; 0: the delegatee has ended; -1: no message in that time. */
static ssize_t hear(const hy_launch *job, void *message, size_t bytes, int limit_ms, int *fd)
{
    struct pollfd socket = {.fd = job->delegatee.socket, .events = POLLIN};
    uint64_t deadline = hy_now_ns() + (uint64_t)limit_ms * 1000000u;
    *fd = -1;
    while (hy_now_ns() < deadline)
        if (poll(&socket, 1, 100) > 0) return hy_rights_receive(socket.fd, message, bytes, fd);
    return -1;
}

static int fail_ended(const hy_launch *job, const char *path)
{
    int status = 0;
    kill(-job->delegatee.pid, SIGKILL); /* it has closed its socket */
    waitpid(job->delegatee.pid, &status, 0);
    if (WIFEXITED(status))
        return delegatee_start_refuse("the delegatee %s ended with status %d before it was ready",
                                      path, WEXITSTATUS(status));
    return delegatee_start_refuse("the delegatee %s was killed by signal %d (%s) before it was "
                                  "ready",
                                  path, WTERMSIG(status), strsignal(WTERMSIG(status)));
}

static int take_hello(const hy_launch *job, const char *path)
{
    hy_hello hello;
    int fd;
    ssize_t length = hear(job, &hello, sizeof hello, HELLO_MS, &fd);
    if (fd >= 0) close(fd);
    if (length == 0) return fail_ended(job, path);
    if (length < 0)
        return delegatee_start_refuse("the delegatee %s says nothing for %d s", path,
                                      HELLO_MS / 1000);
    if (length != (ssize_t)sizeof hello || hello.magic != HY_HELLO_MAGIC)
        return delegatee_start_refuse("%s is no delegatee of this version (abi %u)", path, HY_ABI);
    if (hello.abi == HY_ABI) return 0;
    return delegatee_start_refuse(
        "the delegatee %s has abi %u, the launcher has abi %u; use one version", path, hello.abi,
        HY_ABI);
}

static int give_order(const hy_launch *job)
{
    hy_order order = {.magic = HY_ORDER_MAGIC,
                      .ranks = (uint32_t)job->options.ranks,
                      .heap_bytes = job->options.heap_bytes};
    if (!order.heap_bytes && hy_setting_value_or(HY_SET(HEAP), 0, &order.heap_bytes))
        return delegatee_start_refuse("%s", hayate_error());
    (void)!send(job->delegatee.socket, &order, sizeof order, MSG_NOSIGNAL);
    return 0; /* if it was not sent, there is no answer either */
}

static int check_ready(const hy_launch *job, hy_ready *ready, ssize_t length, const char *path)
{
    if (length == 0) return fail_ended(job, path);
    if (length < 0)
        return delegatee_start_refuse(
            "the delegatees of all nodes did not meet within %d s: start hayate run --delegate as "
            "each process of the cluster's launcher, or set HAYATE_DELEGATE=off",
            READY_MS / 1000);
    if (length != (ssize_t)sizeof *ready || ready->magic != HY_READY_MAGIC)
        return delegatee_start_refuse("the answer of %s is not of this version (abi %u)", path,
                                      HY_ABI);
    ready->reason[sizeof ready->reason - 1] = '\0';
    if (ready->status != HAYATE_OK)
        return delegatee_start_refuse("the delegatee: %s", ready->reason);
    uint32_t ranks = (uint32_t)job->options.ranks;
    if (job->segment_fd >= 0 && ready->size <= HY_MAX_RANKS && ranks <= ready->size &&
        ready->first <= ready->size - ranks)
        return 0;
    return delegatee_start_refuse("the delegatee gave %u ranks the numbers from %u of %u%s", ranks,
                                  ready->first, ready->size,
                                  job->segment_fd < 0 ? ", and no segment" : "");
}

/* Whether the parts of the segment are those of this launcher's ranks, in their order. */
static int check_parts(const hy_launch *job)
{
    const hy_control *control = job->control;
    bool sound = control->parts == (uint32_t)job->options.ranks && control->delegation_bytes;
    for (int i = 0; i < job->options.ranks && sound; i++)
        sound = hy_control_part_number(control, job->first + i) == i;
    return sound ? 0 : delegatee_start_refuse("the segment of the delegatee is for other ranks");
}

static int meet(hy_launch *job, const char *path)
{
    hy_ready ready;
    if (take_hello(job, path) || give_order(job)) return -1;
    ssize_t length = hear(job, &ready, sizeof ready, READY_MS, &job->segment_fd);
    if (check_ready(job, &ready, length, path)) return -1;
    job->first = (int)ready.first;
    job->size = (int)ready.size;
    job->segment_bytes = ready.segment_bytes;
    return hy_launch_map(job) ? -1 : check_parts(job);
}

/* It may have to end the job of the other nodes. */
static void give_up(hy_launch *job)
{
    hy_launch_delegatee *delegatee = &job->delegatee;
    if (delegatee->socket >= 0) close(delegatee->socket);
    if (!delegatee->pid) return;
    uint64_t deadline = hy_now_ns() + END_MS * UINT64_C(1000000);
    while (hy_now_ns() < deadline) {
        if (waitpid(delegatee->pid, NULL, WNOHANG) != 0) return; /* also if it was reaped before */
        poll(NULL, 0, 1);
    }
    kill(-delegatee->pid, SIGKILL);
    waitpid(delegatee->pid, NULL, 0);
}

int hy_launch_delegatee_open(hy_launch *job)
{
    static const char *const names[] = {"HAYATE_RANK", "HAYATE_SIZE", "HAYATE_LOCAL_RANK",
                                        "HAYATE_BOOT_FD"};
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) unsetenv(names[i]);
    if (find_program(path) || start_delegatee(job, path)) return -1;
    leave_cluster();
    if (meet(job, path) == 0) return 0;
    give_up(job);
    return -1;
}
