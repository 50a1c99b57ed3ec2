/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The guard is a clone in the spawner's address space. It waits for the end of the spawner by a
 * pidfd and a pipe, and then kills every task that a registered table names.
 */
#include "pvas/guard.h"

#if defined(__x86_64__)

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/status.h"
#include "pvas/descriptors.h"
#include "pvas/region.h"

#define STACK_BYTES (UINT64_C(64) << 10)

/* Shared with the guard, which lives in the same address space. */
static struct {
    hy_table *_Atomic tables[HY_REGIONS_MAX];
    _Atomic int living; /* thread id; the kernel clears it when the guard ends */
    int spawner;
    int read_end, write_end; /* the spawner's descriptors; read_end is also the guard's */
    pid_t pid;
    void *stack;
} guard = {.read_end = -1, .write_end = -1};

HY_BARE static void kill_member(const hy_member *member)
{
    int pid = atomic_load_explicit(&member->pid, memory_order_relaxed);
    if (pid <= 1) return;
    if (atomic_load_explicit(&member->leads_group, memory_order_relaxed))
        hy_sys2(SYS_kill, (uint64_t)(int64_t)-pid, SIGKILL);
    hy_sys2(SYS_kill, (uint64_t)pid, SIGKILL);
}

/* Kills all tasks. The spawner is gone, so only tasks still access the tables. An entry holds the
 * pid of a process until that process has been waited for. A process that has ended before is
 * another's child by now, but its pid is not reused within the short time that this takes. */
HY_BARE static void kill_all(void)
{
    for (int i = 0; i < HY_REGIONS_MAX; i++) {
        hy_table *table = atomic_load_explicit(&guard.tables[i], memory_order_acquire);
        for (uint32_t k = 0; table && k < table->partitions; k++) kill_member(&table->members[k]);
    }
}

/* Waits for the end or an exec of the spawner. A pidfd reports its end, the pipe its exec; the pipe
 * alone would also wait for children of the spawner's fork(). Without a pidfd, the guard checks
 * from time to time who its parent is. */
HY_BARE static void wait_for_spawner(int pipe)
{
    struct pollfd wanted[2] = {{.fd = pipe, .events = POLLIN}, {.fd = -1, .events = POLLIN}};
    long pidfd = hy_sys2(SYS_pidfd_open, (uint64_t)guard.spawner, 0);
    if (!hy_sys_failed(pidfd)) wanted[1].fd = (int)pidfd;
    int patience = wanted[1].fd >= 0 ? -1 : 1000;
    while (hy_sys2(SYS_getppid, 0, 0) == guard.spawner) {
        long ready = hy_sys4(SYS_poll, hy_address(wanted), 2, (uint64_t)(int64_t)patience, 0);
        if (ready != 0 && ready != -EINTR) return;
    }
}

HY_BARE static void guard_main(void *argument)
{
    int pipe = (int)(intptr_t)argument;
    hy_sys2(SYS_setpgid, 0, 0); /* a signal to the spawner's process group must not kill the
                                 * guard */
    hy_sys2(SYS_chdir, hy_address("/"), 0);
    hy_sys6(SYS_prctl, PR_SET_NAME, hy_address("hayate-guard"), 0, 0, 0, 0);
    hy_descriptors_close_but(pipe);
    wait_for_spawner(pipe);
    kill_all();
    for (;;) hy_sys2(SYS_exit_group, 0, 0);
}

bool hy_guard_alive(void)
{
    return atomic_load_explicit(&guard.living, memory_order_relaxed) != 0;
}

static int open_pipe(void)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return hy_fail_errno("cannot create a pipe for the guard process");
    guard.read_end = ends[0];
    guard.write_end = ends[1];
    return HAYATE_OK;
}

static int make_stack(void)
{
    guard.stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (guard.stack != MAP_FAILED) return HAYATE_OK;
    guard.stack = NULL;
    return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for the stack of the guard process");
}

/* Blocks all signals for good. The guard has no exit signal, so a thread of the spawner that waits
 * for any child of its own does not see this one. */
static int guard_start(void)
{
    uint64_t all = ~UINT64_C(0), mask;
    guard.spawner = getpid();
    hy_sys4(SYS_rt_sigprocmask, SIG_SETMASK, hy_address(&all), hy_address(&mask), 8);
    /* The child stores its id itself (CHILD_SETTID); until it runs, the word must say that it
     * lives. */
    atomic_store_explicit(&guard.living, 1, memory_order_relaxed);
    long pid = hy_bare_clone(CLONE_VM | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID,
                             (char *)guard.stack + STACK_BYTES, NULL, (int *)&guard.living,
                             guard_main, (void *)(intptr_t)guard.read_end);
    hy_sys4(SYS_rt_sigprocmask, SIG_SETMASK, hy_address(&mask), 0, 8);
    if (!hy_sys_failed(pid)) {
        guard.pid = (pid_t)pid;
        return HAYATE_OK;
    }
    atomic_store_explicit(&guard.living, 0, memory_order_relaxed);
    errno = (int)-pid;
    return hy_fail_errno("cannot start the guard process of the tasks");
}

int hy_guard_ensure(void)
{
    if (hy_guard_alive()) return HAYATE_OK;
    hy_guard_stop();
    int code = open_pipe();
    if (!code) code = make_stack();
    if (!code) code = guard_start();
    if (guard.read_end >= 0) close(guard.read_end);
    guard.read_end = -1;
    if (code) hy_guard_stop();
    return code;
}

/* The child of a fork() has the descriptor, but no guard to stop. */
void hy_guard_stop(void)
{
    if (guard.pid > 0) {
        kill(guard.pid, SIGKILL);
        while (waitpid(guard.pid, NULL, __WALL) < 0 && errno == EINTR) {}
    }
    if (guard.write_end >= 0) close(guard.write_end);
    if (guard.stack) munmap(guard.stack, STACK_BYTES);
    guard.stack = NULL;
    guard.write_end = -1;
    guard.pid = 0;
    atomic_store_explicit(&guard.living, 0, memory_order_relaxed);
}

bool hy_guard_add(hy_table *table)
{
    for (int i = 0; i < HY_REGIONS_MAX; i++) {
        hy_table *none = NULL;
        if (atomic_compare_exchange_strong(&guard.tables[i], &none, table)) return true;
    }
    return false;
}

void hy_guard_remove(hy_table *table)
{
    for (int i = 0; i < HY_REGIONS_MAX; i++) {
        hy_table *expected = table;
        if (atomic_compare_exchange_strong(&guard.tables[i], &expected, NULL)) return;
    }
}

#endif
