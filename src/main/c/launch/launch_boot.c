/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers the messages of ranks on the boot sockets. A message counts only with the credentials
 * that the kernel attached to it; a process that does not belong to the job gets a refusal with a
 * reason.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "boot/rights.h"
#include "boot/wire.h"
#include <hayate/hayate.h>
#include "launch/launch.h"

/* At most this many messages of one rank are read before the others get their turn. */
#define TURN 16

static hy_welcome welcome_for(const hy_launch *job, int index, pid_t pid)
{
    return (hy_welcome){.magic = HY_WELCOME_MAGIC,
                        .abi = HY_ABI,
                        .status = HAYATE_OK,
                        .rank = (uint32_t)hy_launch_number(job, index),
                        .size = (uint32_t)job->size,
                        .pid = (uint32_t)pid};
}

static void send_refusal(hy_launch *job, int index, pid_t pid, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void send_refusal(hy_launch *job, int index, pid_t pid, const char *format, ...)
{
    hy_welcome refusal = welcome_for(job, index, pid);
    va_list arguments;
    refusal.status = HAYATE_ERR_LAUNCH;
    va_start(arguments, format);
    vsnprintf(refusal.reason, sizeof refusal.reason, format, arguments);
    va_end(arguments);
    send(job->ranks[index].socket, &refusal, sizeof refusal, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static void send_welcome(hy_launch *job, int index, pid_t pid)
{
    hy_welcome welcome = welcome_for(job, index, pid);
    welcome.segment_bytes = job->segment_bytes;
    if (job->options.pvas) {
        welcome.mapped = (uint64_t)(uintptr_t)job->control;
        memcpy(welcome.space, job->space_id, sizeof welcome.space);
    }
    hy_rights_send(job->ranks[index].socket, &welcome, sizeof welcome, job->segment_fd);
}

/* The process may be a descendant of the child (such as a JVM started by a shell script): a pidfd
 * of its own reports its end. */
static void note_process(hy_launch *job, int index, pid_t pid)
{
    hy_launch_rank *rank = &job->ranks[index];
    rank->joined = pid;
    hy_store_release(&hy_control_live_of(job->control)->ranks[hy_launch_number(job, index)].pid,
                     (int32_t)pid);
    if (pid == rank->pid) return;
    rank->joined_fd = (int)syscall(SYS_pidfd_open, pid, 0);
    if (rank->joined_fd < 0 && errno == ESRCH) {
        rank->joined_ended = true;
        rank->doubt = hy_now_ns();
        return;
    }
    rank->joined_outside = getpgid(pid) != rank->pid;
    if (rank->joined_outside) hy_launch_guard_add(job->guard_fd, HY_GUARD_PROCESS, pid);
}

static void take_hello(hy_launch *job, int index, const hy_hello *hello, const struct ucred *who)
{
    hy_launch_rank *rank = &job->ranks[index];
    pid_t pid = who->pid;
    if (who->uid != getuid())
        send_refusal(job, index, pid, "it belongs to user %u, but the job to user %u", who->uid,
                     getuid());
    else if (hello->abi != HY_ABI)
        send_refusal(job, index, pid, "it has abi %u, the launcher has abi %u; use one version",
                     hello->abi, HY_ABI);
    else if (rank->joined)
        send_refusal(job, index, pid,
                     rank->bye ? "rank %d was process %d, which left the job"
                               : "rank %d is process %d already",
                     hy_launch_number(job, index), (int)rank->joined);
    else if (rank->ended || job->phase > HY_FAILING) /* in HY_FAILING it is admitted, and learns
                                                      * who failed */
        send_refusal(job, index, pid,
                     rank->ended ? "rank %d has ended already" : "the job of rank %d is ending",
                     hy_launch_number(job, index));
    else {
        note_process(job, index, pid);
        send_welcome(job, index, pid);
    }
}

/* Returns whether the message is known. */
static bool take_word(hy_launch *job, int index, uint32_t magic, pid_t pid)
{
    if (magic != HY_APART_MAGIC && magic != HY_BYE_MAGIC && magic != HY_ABORT_MAGIC) return false;
    if (pid != job->ranks[index].joined) return true;
    if (magic == HY_BYE_MAGIC) job->ranks[index].bye = true;
    else if (magic == HY_ABORT_MAGIC) job->ranks[index].aborts = true;
    else hy_launch_task_apart(job, index);
    return true;
}

static void take_message(hy_launch *job, int index, const void *data, size_t length,
                         const struct ucred *who)
{
    hy_hello hello;
    hy_word word;
    if (who->pid <= 0) return; /* outside of this pid namespace: it cannot be watched */
    if (length == sizeof hello) {
        memcpy(&hello, data, sizeof hello);
        if (hello.magic == HY_HELLO_MAGIC) {
            take_hello(job, index, &hello, who);
            return;
        }
    } else if (length == sizeof word) {
        memcpy(&word, data, sizeof word);
        if (take_word(job, index, word.magic, who->pid)) return;
    }
    send_refusal(job, index, who->pid, "its message is not one of this version (abi %u)", HY_ABI);
}

/* A message always carries credentials, the end of file never does; so an empty message is not an
 * end of file. */
static bool find_credentials(struct msghdr *message, struct ucred *who)
{
    for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c; c = CMSG_NXTHDR(message, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_CREDENTIALS) continue;
        memcpy(who, CMSG_DATA(c), sizeof *who);
        return true;
    }
    return false;
}

static void end_of_file(hy_launch *job, int index)
{
    hy_launch_rank *rank = &job->ranks[index];
    close(rank->socket);
    rank->socket = -1;
    if (rank->joined && !rank->bye && !rank->doubt) rank->doubt = hy_now_ns();
}

/* The control buffer has room for the credentials only: the kernel drops any descriptors that a
 * rank sends. */
static bool read_message(hy_launch *job, int index)
{
    char data[64];
    struct ucred who;
    _Alignas(struct cmsghdr) char space[CMSG_SPACE(sizeof who)];
    struct iovec vector = {data, sizeof data};
    struct msghdr message = {
        .msg_iov = &vector, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
    ssize_t length = recvmsg(job->ranks[index].socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (length < 0 && (errno == EAGAIN || errno == EINTR)) return false;
    if (length < 0 || !find_credentials(&message, &who)) {
        end_of_file(job, index);
        return false;
    }
    take_message(job, index, data, (size_t)length, &who);
    return true;
}

void hy_launch_boot_read(hy_launch *job, int rank)
{
    for (int i = 0; i < TURN && job->ranks[rank].socket >= 0; i++)
        if (!read_message(job, rank)) break;
}

void hy_launch_boot_watch(hy_launch *job)
{
    for (int i = 0; i < job->options.ranks; i++)
        hy_launch_watch(job, job->ranks[i].socket, POLLIN, hy_launch_boot_read, i);
}
