/* SPDX-License-Identifier: Apache-2.0 */
/* The host's side: one poll loop over the listener and the connections, until all ranks of the
 * node have joined. */
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/status.h"
#include "boot/node.h"
#include "boot/rights.h"
#include "boot/wire.h"

/* The most connections that have not identified themselves yet, beyond those of ranks. */
#define UNIDENTIFIED 16

typedef struct connection {
    int fd, rank; /* rank -1: not identified yet */
    pid_t pid;
} connection;

typedef struct admission {
    hy_node_host *host;
    connection *connections;
    struct pollfd *polls; /* the listener, then the connections */
    int count, room, joined;
} admission;

int hy_node_listen(hy_node_host *host)
{
    struct sockaddr_un where;
    int rc = hy_node_address_make(&host->address);
    if (rc) return rc;
    host->listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (host->listener < 0) return hy_fail_errno("cannot make a socket for the node's ranks");
    socklen_t length = hy_node_address_socket(&host->address, &where);
    if (bind(host->listener, (struct sockaddr *)&where, length) != 0 ||
        listen(host->listener, SOMAXCONN) != 0)
        return hy_fail_errno("cannot listen for the node's ranks");
    return HAYATE_OK;
}

static void drop(admission *all, int index)
{
    close(all->connections[index].fd);
    all->connections[index] = all->connections[--all->count];
}

static int expected(const admission *all)
{
    return (int)all->host->control->parts - 1;
}

/* Drops a connection that has not identified itself. False: all are ranks. */
static bool node_host_make_room(admission *all)
{
    for (int i = 0; i < all->count; i++) {
        if (all->connections[i].rank >= 0) continue;
        drop(all, i);
        return true;
    }
    return false;
}

/* A connection that cannot be accepted stays in the queue, and would make the host poll without
 * end. */
static int fail_to_accept(admission *all)
{
    if (errno != EMFILE && errno != ENFILE && errno != ENOBUFS && errno != ENOMEM) return HAYATE_OK;
    int error = errno;
    if (node_host_make_room(all)) return HAYATE_OK;
    return hy_fail(HAYATE_ERR_SYSTEM,
                   "rank %d cannot admit the other %d ranks of its node: %s. Raise the limit of "
                   "open files (ulimit -n)",
                   all->host->rank, expected(all), strerror(error));
}

static int accept_connection(admission *all)
{
    struct ucred process = {.pid = 0};
    socklen_t length = sizeof process;
    int fd = accept4(all->host->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0) return fail_to_accept(all);
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &process, &length) != 0 ||
        process.uid != geteuid()) {
        close(fd);
        return HAYATE_OK;
    }
    if (all->count == all->room)
        node_host_make_room(all); /* drops an unidentified one: there is room for all ranks */
    all->connections[all->count++] = (connection){.fd = fd, .rank = -1, .pid = process.pid};
    return HAYATE_OK;
}

static hy_admit answer_for(const hy_node_host *host, const hy_join *join)
{
    return (hy_admit){.magic = HY_ADMIT_MAGIC,
                      .abi = HY_ABI,
                      .status = HAYATE_OK,
                      .rank = join->rank,
                      .size = (uint32_t)host->size,
                      .segment_bytes = host->segment_bytes};
}

static void node_host_refuse(const admission *all, int fd, const hy_join *join, const char *format,
                             ...) __attribute__((format(printf, 4, 5)));

static void node_host_refuse(const admission *all, int fd, const hy_join *join, const char *format,
                             ...)
{
    hy_admit refusal = answer_for(all->host, join);
    va_list arguments;
    refusal.status = HAYATE_ERR_LAUNCH;
    va_start(arguments, format);
    vsnprintf(refusal.reason, sizeof refusal.reason, format, arguments);
    va_end(arguments);
    (void)!send(fd, &refusal, sizeof refusal, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* Takes a time that does not depend on how much of the token was right. */
static bool is_token(const hy_node_host *host, const uint8_t token[16])
{
    unsigned different = 0;
    for (int i = 0; i < 16; i++) different |= (unsigned)(host->address.token[i] ^ token[i]);
    return different == 0;
}

static bool is_taken(const admission *all, int rank)
{
    for (int i = 0; i < all->count; i++)
        if (all->connections[i].rank == rank) return true;
    return false;
}

static bool is_of_node(const hy_node_host *host, uint32_t rank)
{
    return rank < (uint32_t)host->size && hy_control_is_here(host->control, (int)rank);
}

/* False: the connection is closed. The process knows the token, so it gets the reason. */
static bool identify(admission *all, connection *from, const hy_join *join)
{
    const hy_node_host *host = all->host;
    if (join->abi != HY_ABI)
        node_host_refuse(all, from->fd, join,
                         "it has abi %u, rank %d has abi %u; use the same version", join->abi,
                         host->rank, HY_ABI);
    else if (!is_of_node(host, join->rank) || (int)join->rank == host->rank)
        node_host_refuse(all, from->fd, join,
                         "rank %u: expected a rank other than %d among the %d of this node",
                         join->rank, host->rank, expected(all) + 1);
    else if (is_taken(all, (int)join->rank))
        node_host_refuse(all, from->fd, join, "rank %u is already another process", join->rank);
    else if ((pid_t)join->pid != from->pid)
        node_host_refuse(
            all, from->fd, join,
            "its pid is %u, but %d as seen by rank %d: start all ranks of a node in one pid "
            "namespace",
            join->pid, (int)from->pid, host->rank);
    else {
        from->rank = (int)join->rank;
        hy_store_release(&hy_control_live_of(host->control)->ranks[join->rank].pid,
                         (int32_t)from->pid);
        all->joined++;
        return true;
    }
    return false;
}

/* False: the connection is closed, without an answer if it is not a rank of the job. The kernel
 * discards descriptors that come with the message, because no room is given for them. */
static bool read_join(admission *all, connection *from)
{
    hy_join join;
    ssize_t length = recv(from->fd, &join, sizeof join, MSG_DONTWAIT | MSG_TRUNC);
    if (length < 0 && (errno == EAGAIN || errno == EINTR)) return true;
    if (length != (ssize_t)sizeof join || join.magic != HY_JOIN_MAGIC) return false;
    return is_token(all->host, join.token) && identify(all, from, &join);
}

static int fail_gone(const admission *all, int rank)
{
    return hy_fail_peer(
        HAYATE_ERR_PEER_FAILED, rank, "rank %d (process %d) ended before all ranks had joined",
        rank, (int)hy_load_relaxed(&hy_control_live_of(all->host->control)->ranks[rank].pid));
}

/* From the last to the first: a closed one is replaced by one that has already been visited. */
static int read_joins(admission *all)
{
    for (int i = all->count - 1; i >= 0; i--) {
        if (!all->polls[i + 1].revents) continue;
        connection *from = &all->connections[i];
        if (from->rank >= 0) return fail_gone(all, from->rank);
        if (!read_join(all, from)) drop(all, i);
    }
    return HAYATE_OK;
}

static int poll_all(admission *all)
{
    all->polls[0] = (struct pollfd){.fd = all->host->listener, .events = POLLIN};
    for (int i = 0; i < all->count; i++) {
        short events = all->connections[i].rank < 0 ? POLLIN : POLLRDHUP;
        all->polls[i + 1] = (struct pollfd){.fd = all->connections[i].fd, .events = events};
    }
    if (poll(all->polls, (nfds_t)all->count + 1, 100) <= 0) return HAYATE_OK;
    int rc = read_joins(all);
    return !rc && all->polls[0].revents ? accept_connection(all) : rc;
}

static int fail_missing(const admission *all)
{
    int rank = 0;
    while (rank == all->host->rank || is_taken(all, rank) || !is_of_node(all->host, (uint32_t)rank))
        rank++;
    return hy_fail_peer(HAYATE_ERR_PEER_FAILED, rank,
                        "rank %d and %d more did not connect to rank %d, the first of this node, "
                        "although all ranks had begun to join",
                        rank, expected(all) - 1 - all->joined, all->host->rank);
}

static int admit_all(const admission *all)
{
    for (int i = 0; i < all->count; i++) {
        const connection *from = &all->connections[i];
        if (from->rank < 0) continue;
        hy_join join = {.rank = (uint32_t)from->rank};
        hy_admit answer = answer_for(all->host, &join);
        if (hy_rights_send(from->fd, &answer, sizeof answer, all->host->segment_fd) !=
            (ssize_t)sizeof answer)
            return fail_gone(all, from->rank);
    }
    return HAYATE_OK;
}

/* A rank that dies on its way is only seen by this. */
static int check_dead(const admission *all)
{
    if (!all->host->watch) return HAYATE_OK;
    int rc = hy_node_watch_look(all->host->watch),
        dead = hy_control_failed_first(all->host->control);
    return rc || dead < 0 ? rc : fail_gone(all, dead);
}

static int gather(admission *all, int limit_ms)
{
    uint64_t deadline = hy_now_ns() + (uint64_t)limit_ms * 1000000u;
    int rc = HAYATE_OK;
    while (!rc && all->joined < expected(all)) {
        if (hy_now_ns() > deadline) rc = fail_missing(all);
        else rc = poll_all(all);
        if (!rc) rc = check_dead(all);
    }
    return rc ? rc : admit_all(all);
}

int hy_node_serve(hy_node_host *host, int limit_ms)
{
    admission all = {.host = host, .room = (int)host->control->parts - 1 + UNIDENTIFIED};
    all.connections = malloc((size_t)all.room * sizeof *all.connections);
    all.polls = malloc(((size_t)all.room + 1) * sizeof *all.polls);
    hy_store_release(&hy_control_live_of(host->control)->ranks[host->rank].pid, (int32_t)getpid());
    int rc = all.connections && all.polls
                 ? gather(&all, limit_ms)
                 : hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for %d ranks", host->size);
    while (all.count > 0) drop(&all, all.count - 1);
    free(all.connections);
    free(all.polls);
    return rc;
}
