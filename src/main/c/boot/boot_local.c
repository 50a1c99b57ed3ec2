/* SPDX-License-Identifier: Apache-2.0 */
/* The rank's side of `hayate run`; boot/wire.h describes the protocol. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/status.h"
#include "base/task.h"
#include "boot/boot.h"
#include "boot/rights.h"
#include "boot/segment.h"
#include "boot/wire.h"

#define WELCOME_MS 30000

/* After a hello over the descriptor, this process has been a rank. */
static atomic_flag used = ATOMIC_FLAG_INIT;

static bool local_present(void)
{
    return getenv("HAYATE_BOOT_FD") != NULL;
}

static int boot_local_read_number(const char *name, long low, long high, int *value)
{
    const char *text = getenv(name);
    char *end = NULL;
    errno = 0;
    long number = text && *text >= '0' && *text <= '9' ? strtol(text, &end, 10) : -1;
    if (!end || *end || errno || number < low || number > high)
        return hy_fail(
            HAYATE_ERR_LAUNCH,
            "%s is %s%.40s, expected a number from %ld to %ld; start with hayate run and "
            "do not change its environment",
            name, text ? "" : "not set", text ? text : "", low, high);
    *value = (int)number;
    return HAYATE_OK;
}

static int read_environment(hy_boot *boot, int *fd)
{
    int local;
    int rc = boot_local_read_number("HAYATE_SIZE", 1, HY_MAX_RANKS, &boot->size);
    if (!rc) rc = boot_local_read_number("HAYATE_RANK", 0, (long)boot->size - 1, &boot->rank);
    if (!rc) rc = boot_local_read_number("HAYATE_LOCAL_RANK", 0, boot->rank, &local);
    if (!rc) rc = boot_local_read_number("HAYATE_BOOT_FD", 0, 1 << 24, fd);
    return rc;
}

/* 0: it is not in this pid namespace. */
static int launcher_pid(int fd)
{
    struct ucred credentials = {.pid = 0};
    socklen_t length = sizeof credentials;
    getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &length);
    return credentials.pid;
}

static int check_socket(int fd)
{
    int domain = 0, type = 0;
    socklen_t length = sizeof domain;
    int rc = getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &length);
    length = sizeof type;
    if (rc == 0) rc = getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &length);
    if (rc == 0 && domain == AF_UNIX && type == SOCK_SEQPACKET) {
        if (launcher_pid(fd)) return HAYATE_OK;
        return hy_fail(
            HAYATE_ERR_LAUNCH,
            "this rank is in another pid namespace than its launcher, which cannot watch "
            "it; start hayate run inside that namespace");
    }
    return hy_fail(HAYATE_ERR_LAUNCH,
                   "HAYATE_BOOT_FD=%d is %s; a process that a rank starts is not a rank: unset "
                   "HAYATE_BOOT_FD, HAYATE_RANK, HAYATE_SIZE and HAYATE_LOCAL_RANK for it",
                   fd, rc != 0 && errno == EBADF ? "not open" : "not the launcher's socket");
}

static void boot_local_say(int fd, uint32_t magic)
{
    hy_word word = {magic};
    (void)!send(fd, &word, sizeof word, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static int say_hello(int fd)
{
    hy_hello hello = {HY_HELLO_MAGIC, HY_ABI};
    if (send(fd, &hello, sizeof hello, MSG_NOSIGNAL) == (ssize_t)sizeof hello) return HAYATE_OK;
    return hy_fail(HAYATE_ERR_LAUNCH, "the launcher does not listen any more (errno %d)", errno);
}

/* Looks at the answer without taking it: it may be for another process that holds the same
 * socket. */
static int peek(int fd, bool *mine)
{
    hy_welcome welcome = {.magic = 0};
    ssize_t length = recv(fd, &welcome, sizeof welcome, MSG_PEEK | MSG_DONTWAIT);
    *mine = false;
    if (length < 0 && (errno == EAGAIN || errno == EINTR)) return HAYATE_OK;
    if (length <= 0)
        return hy_fail(HAYATE_ERR_LAUNCH, "the launcher ended before it admitted this rank");
    if (length != (ssize_t)sizeof welcome || welcome.magic != HY_WELCOME_MAGIC)
        return hy_fail(HAYATE_ERR_LAUNCH,
                       "the answer on HAYATE_BOOT_FD is not from a launcher of this version");
    *mine = welcome.pid == (uint32_t)getpid();
    return HAYATE_OK;
}

static int await_welcome(int fd)
{
    uint64_t deadline = hy_now_ns() + WELCOME_MS * UINT64_C(1000000);
    struct pollfd socket = {.fd = fd, .events = POLLIN};
    while (hy_now_ns() < deadline) {
        bool mine;
        if (poll(&socket, 1, 100) <= 0) continue;
        int rc = peek(fd, &mine);
        if (rc || mine) return rc;
        usleep(1000);
    }
    return hy_fail(HAYATE_ERR_LAUNCH, "no answer from the launcher within %d s; it may be stopped",
                   WELCOME_MS / 1000);
}

static int receive_welcome(int fd, hy_welcome *welcome, int *segment)
{
    int rc = await_welcome(fd);
    if (rc) return rc;
    if (hy_rights_receive(fd, welcome, sizeof *welcome, segment) != (ssize_t)sizeof *welcome)
        return hy_fail(HAYATE_ERR_LAUNCH,
                       "another process took this rank's answer from the launcher; start only one "
                       "Hayate program per rank");
    welcome->reason[sizeof welcome->reason - 1] = '\0';
    if (welcome->status != HAYATE_OK)
        return hy_fail(HAYATE_ERR_LAUNCH, "the launcher refused this process: %s", welcome->reason);
    if (welcome->abi != HY_ABI)
        return hy_fail(HAYATE_ERR_LAUNCH, "the launcher has abi %u, this library has abi %u",
                       welcome->abi, HY_ABI);
    if (*segment < 0) return hy_fail(HAYATE_ERR_LAUNCH, "the launcher sent no segment");
    return HAYATE_OK;
}

static int check_welcome(const hy_boot *boot, const hy_welcome *welcome)
{
    if (welcome->rank == (uint32_t)boot->rank && welcome->size == (uint32_t)boot->size)
        return HAYATE_OK;
    return hy_fail(HAYATE_ERR_LAUNCH,
                   "the environment gives rank %d of %d, the launcher rank %u of %u; do not "
                   "change HAYATE_RANK or HAYATE_SIZE",
                   boot->rank, boot->size, welcome->rank, welcome->size);
}

static int take_place(hy_boot *boot)
{
    hy_control_rank *self = &hy_control_live_of(boot->control)->ranks[boot->rank];
    uint32_t expected = HY_RANK_EXPECTED;
    hy_store_relaxed(&self->pid, (int32_t)getpid());
    if (atomic_compare_exchange_strong(&self->state, &expected, HY_RANK_JOINED)) return HAYATE_OK;
    return hy_fail(HAYATE_ERR_LAUNCH, "rank %d is already taken (state %u)", boot->rank, expected);
}

/* The address in a welcome is valid only in the launcher's address space. The ids are random
 * numbers that nobody else knows; if they agree, the launcher has sent it. */
static hy_task *task_of(const hy_welcome *welcome)
{
    hy_task *self = welcome->mapped ? hy_task_self() : NULL;
    if (!self || memcmp(self->space, welcome->space, sizeof self->space) != 0) return NULL;
    return self;
}

/* A rank of a job of tasks that is not a task (it came by exec or fork) maps the segment as
 * usual. */
static int reach_segment(hy_boot *boot, const hy_welcome *welcome)
{
    hy_task *self = task_of(welcome);
    if (self) {
        hy_store_relaxed(&self->joined, 1); /* before any peer learns of memory of this process */
        memcpy(boot->space, self->space, sizeof boot->space);
        boot->borrowed = true;
        return hy_segment_borrow(boot->segment_fd, welcome->size, welcome->segment_bytes,
                                 welcome->mapped, &boot->control);
    }
    if (boot->tasks)
        boot_local_say(boot->socket, HY_APART_MAGIC); /* the launcher warns once for all ranks */
    return hy_segment_map(boot->segment_fd, welcome->size, welcome->segment_bytes, &boot->control);
}

static int join(hy_boot *boot)
{
    hy_welcome welcome;
    int rc = say_hello(boot->socket);
    if (!rc) rc = receive_welcome(boot->socket, &welcome, &boot->segment_fd);
    if (!rc) rc = check_welcome(boot, &welcome);
    if (rc) return rc;
    boot->segment_bytes = welcome.segment_bytes;
    boot->tasks = welcome.mapped != 0;
    rc = reach_segment(boot, &welcome);
    return rc ? rc : take_place(boot);
}

static int local_open(hy_boot *boot)
{
    int fd;
    int rc = read_environment(boot, &fd);
    if (rc) return rc;
    if (atomic_flag_test_and_set(&used))
        return hy_fail(HAYATE_ERR_STATE,
                       "this process has already been a rank of its job: a job that hayate run "
                       "started can be opened only once");
    rc = check_socket(fd);
    if (rc) {
        atomic_flag_clear(&used); /* nothing was sent: the environment may be corrected */
        return rc;
    }
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    boot->socket = fd;
    /* Yama permits a declared tracer and its descendants, and so the other ranks, to read this
     * memory. A kernel without Yama does not know the call and does not need it. */
    prctl(PR_SET_PTRACER, (unsigned long)launcher_pid(fd), 0, 0, 0);
    return join(boot);
}

static int local_check(hy_boot *boot)
{
    struct pollfd socket = {.fd = boot->socket, .events = POLLRDHUP};
    if (boot->socket < 0 || poll(&socket, 1, 0) <= 0) return HAYATE_OK;
    if (!(socket.revents & (POLLHUP | POLLRDHUP | POLLERR | POLLNVAL))) return HAYATE_OK;
    return hy_fail(HAYATE_ERR_PEER_FAILED, "the launcher (pid %d) has ended",
                   launcher_pid(boot->socket));
}

/* LEFT is published before the bye: then the launcher knows that it need not publish anything. */
static void local_close(hy_boot *boot)
{
    hy_control_publish(boot->control, boot->rank, HY_RANK_LEFT, 0);
    boot_local_say(boot->socket, HY_BYE_MAGIC);
    close(boot->socket);
    boot->socket = -1;
}

/* The caller ends its process, of which the launcher learns later. */
static void local_abort(hy_boot *boot, int code)
{
    (void)code;
    boot_local_say(boot->socket, HY_ABORT_MAGIC);
}

const hy_boot_ops hy_boot_local = {.name = "local",
                                   .present = local_present,
                                   .open = local_open,
                                   .check = local_check,
                                   .close = local_close,
                                   .abort = local_abort};
