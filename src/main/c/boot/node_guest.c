/* SPDX-License-Identifier: Apache-2.0 */
/* The guest's side: connects to the host, checks its user, sends the token, receives the
 * segment. */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/status.h"
#include "boot/node.h"
#include "boot/rights.h"
#include "boot/wire.h"

static int fail_gone(int host)
{
    return hy_fail_peer(HAYATE_ERR_PEER_FAILED, host,
                        "rank %d, the first of this node, ended or failed before it admitted this "
                        "rank: see the error of that rank",
                        host);
}

static int fail_silent(int host, int limit_ms)
{
    return hy_fail_peer(HAYATE_ERR_PEER_FAILED, host,
                        "no answer from rank %d, the first of this node, within %d s; it or "
                        "another rank may be stopped",
                        host, limit_ms / 1000);
}

/* When too many connections wait for a host that is stopped, the next connect() blocks: this
 * limits it. */
static int bound_connect(int fd, int limit_ms)
{
    const struct timeval limit = {limit_ms / 1000, limit_ms % 1000 * 1000};
    if (setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) == 0) return HAYATE_OK;
    return hy_fail_errno("SO_SNDTIMEO");
}

/* The listening process must belong to the same user; no other process may learn the token. */
static int reach(const hy_node_address *address, int host, int fd, int limit_ms)
{
    struct sockaddr_un where;
    struct ucred who = {.pid = 0};
    socklen_t length = hy_node_address_socket(address, &where);
    int rc = bound_connect(fd, limit_ms), result;
    if (rc) return rc;
    uint64_t deadline = hy_now_ns() + (uint64_t)limit_ms * 1000000u;
    do result = connect(fd, (struct sockaddr *)&where, length);
    while (result != 0 && errno == EINTR &&
           hy_now_ns() < deadline); /* signal(7): connect() is not restarted */
    if (result != 0) {
        if (errno == ECONNREFUSED) return fail_gone(host);
        if (errno == EAGAIN || errno == EINTR) return fail_silent(host, limit_ms);
        return hy_fail_errno("cannot connect to rank %d, the first of this node", host);
    }
    length = sizeof who;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &length) == 0 && who.uid == geteuid())
        return HAYATE_OK;
    return hy_fail(
        HAYATE_ERR_LAUNCH,
        "the process that listens for the ranks of this node belongs to user %u, expected user %u",
        who.uid, geteuid());
}

static int node_guest_ask(const hy_node_address *address, int host, int rank, int fd)
{
    hy_join join = {
        .magic = HY_JOIN_MAGIC, .abi = HY_ABI, .rank = (uint32_t)rank, .pid = (uint32_t)getpid()};
    memcpy(join.token, address->token, sizeof join.token);
    if (send(fd, &join, sizeof join, MSG_NOSIGNAL) == (ssize_t)sizeof join) return HAYATE_OK;
    return fail_gone(host);
}

static int await(int fd, int host, int limit_ms)
{
    struct pollfd answer = {.fd = fd, .events = POLLIN};
    uint64_t deadline = hy_now_ns() + (uint64_t)limit_ms * 1000000u;
    while (hy_now_ns() < deadline)
        if (poll(&answer, 1, 100) > 0) return HAYATE_OK;
    return fail_silent(host, limit_ms);
}

static int node_guest_check(hy_admit *answer, int host, int rank)
{
    answer->reason[sizeof answer->reason - 1] = '\0';
    if (answer->magic != HY_ADMIT_MAGIC || answer->abi != HY_ABI)
        return hy_fail(HAYATE_ERR_LAUNCH, "the answer of rank %d is not of this version (abi %u)",
                       host, HY_ABI);
    if (answer->status != HAYATE_OK)
        return hy_fail(HAYATE_ERR_LAUNCH, "rank %d refused this process: %s", host, answer->reason);
    if (answer->rank == (uint32_t)rank) return HAYATE_OK;
    return hy_fail(HAYATE_ERR_LAUNCH,
                   "the launcher gave this process rank %d, but rank %d gave it rank %u", rank,
                   host, answer->rank);
}

static int receive(int fd, int host, int rank, hy_admit *answer, int *segment)
{
    ssize_t length = hy_rights_receive(fd, answer, sizeof *answer, segment);
    if (length <= 0) return fail_gone(host);
    if (length != (ssize_t)sizeof *answer)
        return hy_fail(HAYATE_ERR_LAUNCH, "rank %d answered %zd bytes, expected %zu", host, length,
                       sizeof *answer);
    int rc = node_guest_check(answer, host, rank);
    if (!rc && *segment < 0)
        rc = hy_fail(HAYATE_ERR_LAUNCH,
                     "rank %d sent no segment; the limit of open files "
                     "(ulimit -n) may be reached",
                     host);
    return rc;
}

int hy_node_visit(const hy_node_address *address, int host, int rank, int limit_ms, int *segment,
                  uint64_t *bytes)
{
    hy_admit answer;
    *segment = -1;
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (fd < 0) return hy_fail_errno("cannot make a socket to rank %d", host);
    int rc = reach(address, host, fd, limit_ms);
    if (!rc) rc = node_guest_ask(address, host, rank, fd);
    if (!rc) rc = await(fd, host, limit_ms);
    if (!rc) rc = receive(fd, host, rank, &answer, segment);
    close(fd);
    if (!rc) *bytes = answer.segment_bytes;
    if (rc && *segment >= 0) {
        close(*segment);
        *segment = -1;
    }
    return rc;
}
