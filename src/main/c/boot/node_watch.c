/* SPDX-License-Identifier: Apache-2.0 */
/* An epoll descriptor over pidfds of other ranks; the look reads it and publishes ends. */
#include "boot/node_watch.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/status.h"

#define LAUNCHER UINT32_MAX
#define TURN 16
#define LAUNCHER_NS UINT64_C(3000000000) /* longer than a network asks a peer that refuses */

struct hy_node_watch {
    hy_control *control;
    int epoll;
    int count;
    bool refused;
    _Atomic uint64_t launcher_gone_at; /* when its hang-up was seen first; 0: it was not */
    int pidfds[];                      /* open until the end: other threads may use them */
};

/* A quarter of the descriptors that this process may have; each rank is watched by several
 * others in any case. */
static int count_to_watch(int others)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return others;
    rlim_t most = limit.rlim_cur / 4;
    return most < (rlim_t)others ? (int)most : others;
}

/* LEFT stays LEFT: a rank that leaves publishes this before it ends. */
static void publish_end(hy_control *control, int rank)
{
    hy_control_end(control, rank, HY_RANK_DEAD, 0);
}

static int node_watch_add(const hy_node_watch *watch, int fd, uint32_t events, uint32_t who)
{
    struct epoll_event event = {.events = events, .data.u32 = who};
    if (epoll_ctl(watch->epoll, EPOLL_CTL_ADD, fd, &event) == 0) return HAYATE_OK;
    return hy_fail_errno("cannot watch the node's ranks");
}

/* In an old sandbox, the job also runs without this, and its launcher ends it when a rank dies. */
static int refuse_all(hy_node_watch *watch)
{
    if (!watch->refused)
        hy_log(HY_LOG_WARN,
               "pidfd_open is not permitted (errno %d): deaths of ranks will not be noticed",
               errno);
    watch->refused = true;
    return HAYATE_OK;
}

static int watch_rank(hy_node_watch *watch, int rank)
{
    int32_t pid = hy_load_acquire(&hy_control_live_of(watch->control)->ranks[rank].pid);
    if (pid == getpid()) return HAYATE_OK; /* a thread of this process */
    int fd = (int)syscall(SYS_pidfd_open, pid, 0);
    if (fd < 0 && errno == ESRCH) {
        publish_end(watch->control, rank);
        return HAYATE_OK;
    }
    if (fd < 0 && (errno == ENOSYS || errno == EPERM)) return refuse_all(watch);
    if (fd < 0) return hy_fail_errno("cannot watch rank %d, process %d", rank, (int)pid);
    watch->pidfds[watch->count++] = fd;
    return node_watch_add(watch, fd, EPOLLIN | EPOLLONESHOT, (uint32_t)rank);
}

static int watch_all(hy_node_watch *watch, int self, int launcher)
{
    int size = (int)watch->control->size, others = (int)watch->control->parts - 1;
    int many = count_to_watch(others);
    watch->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (watch->epoll < 0) return hy_fail_errno("cannot watch the node's ranks");
    if (many < others)
        hy_log(HY_LOG_INFO, "rank %d watches %d of %d ranks: the limit of open files is low", self,
               many, others);
    int rc = launcher < 0 ? HAYATE_OK : node_watch_add(watch, launcher, EPOLLRDHUP, LAUNCHER);
    for (int i = 1; i < size && many > 0 && !rc; i++) {
        int rank = (self + i) % size;
        if (!hy_control_is_here(watch->control, rank)) continue;
        rc = watch_rank(watch, rank);
        many--;
    }
    return rc;
}

int hy_node_watch_open(hy_node_watch **result, hy_control *control, int self, int launcher)
{
    hy_node_watch *watch = malloc(sizeof *watch + control->parts * sizeof(int));
    if (!watch) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to watch %u ranks", control->parts);
    *watch = (hy_node_watch){.control = control, .epoll = -1};
    int rc = watch_all(watch, self, launcher);
    if (rc) hy_node_watch_close(watch);
    else *result = watch;
    return rc;
}

/* A launcher often ends because a rank died. Its hang-up is not reported at once, so that the death
 * of that rank, which another node may still have to report, comes first. */
static int report_launcher(hy_node_watch *watch)
{
    uint64_t now = hy_now_ns(), nobody = 0;
    if (atomic_compare_exchange_strong(&watch->launcher_gone_at, &nobody, now)) return HAYATE_OK;
    if (now < nobody + LAUNCHER_NS) return HAYATE_OK; /* nobody: the time of the first look now */
    return hy_fail(HAYATE_ERR_PEER_FAILED, "the launcher has ended");
}

int hy_node_watch_look(hy_node_watch *watch)
{
    struct epoll_event events[TURN];
    int count = epoll_wait(watch->epoll, events, TURN, 0);
    bool launcher_is_gone = false;
    for (int i = 0; i < count; i++) {
        if (events[i].data.u32 == LAUNCHER) launcher_is_gone = true;
        else publish_end(watch->control, (int)events[i].data.u32);
    }
    return launcher_is_gone ? report_launcher(watch) : HAYATE_OK;
}

void hy_node_watch_close(hy_node_watch *watch)
{
    if (!watch) return;
    for (int i = 0; i < watch->count; i++) close(watch->pidfds[i]);
    if (watch->epoll >= 0) close(watch->epoll);
    free(watch);
}
