/* SPDX-License-Identifier: Apache-2.0 */
/* Calls are compared by their number on the communicator and by their cookie. */
#include "coll/compare.h"

#include "base/clock.h"

/* How long a member waits before it tells the others in which call it is. */
#define PATIENCE_NS UINT64_C(100000000)

/* The line of a match entry that only rendezvous uses otherwise: a communicator has none. */
typedef struct notice {
    uint8_t unused[offsetof(hy_match, behind)];
    /* Written by the peer: the number of a call << 32 | its cookie; 0: nothing was told. */
    _Atomic uint64_t call;
    _Atomic uint64_t failed; /* the code with which this call has failed there, negated; or 0 */
} notice;

HY_IS_FLAG(notice, call);
_Static_assert(sizeof(notice) <= sizeof(hy_match), "is in the entry");

/* ---- telling ---- */

static void tell_mapped(const hy_channel *channel, uint64_t call, uint64_t failed)
{
    notice *theirs = (notice *)(void *)channel->peer_match;
    hy_store_relaxed(&theirs->failed, failed);
    hy_store_release(&theirs->call, call); /* who sees the call sees whether it has failed */
    hy_bell_ring(channel->ep->bell);
}

/* The channel to a member that is told; NULL: it is not told. A remote member with which nothing
 * was exchanged may have freed its entry, unless messages belong to the rest of this call. It
 * learns of a failure from another one. */
static hy_channel *told_channel(hy_comm *comm, int member)
{
    hy_channel *channel = hy_group_known_channel(&comm->group, member);
    uint64_t head;
    int rc;
    if (channel && (hy_channel_is_in_use(channel) || hy_channel_peek(channel, &head)))
        return channel;
    if (!hy_exec_still_needs(&comm->exec, member)) return NULL;
    return hy_group_channel(&comm->group, member, &rc);
}

static void tell_all(hy_comm *comm, int rc)
{
    const hy_group *group = &comm->group;
    uint64_t call = hy_exec_call(&comm->exec), failed = (uint64_t)-rc;
    for (int i = 0; i < group->size; i++) {
        hy_channel *channel = i == group->rank ? NULL : told_channel(comm, i);
        if (!channel) continue;
        channel->noticed = true;
        if (!hy_channel_is_far(channel)) tell_mapped(channel, call, failed);
        else hy_channel_flag(channel, offsetof(notice, call), call, failed, 0, 0);
    }
}

int hy_comm_break(hy_comm *comm, int rc)
{
    const hy_failure failure = hy_failure_of(rc); /* a network may fail, too */
    bool gives_up = rc == HAYATE_ERR_TIMED_OUT || rc == HAYATE_ERR_INTERRUPTED;
    comm->broken = gives_up ? HAYATE_ERR_BROKEN : rc;
    if (rc != HAYATE_ERR_PEER_FAILED && rc != HAYATE_ERR_CLOSED) tell_all(comm, comm->broken);
    return hy_fail_again(&failure);
}

static void tell_if_late(hy_comm *comm)
{
    uint64_t now = hy_tick_ns();
    hy_waiting *waiting = &comm->waiting;
    if (waiting->call != comm->exec.number)
        *waiting = (hy_waiting){.call = comm->exec.number, .since_ns = now, .asked_ns = now};
    if (waiting->told || now - waiting->since_ns < PATIENCE_NS) return;
    waiting->told = true;
    tell_all(comm, HAYATE_OK);
}

/* ---- reading ---- */

static int given_up(int rank, uint64_t failed)
{
    if (failed == (uint64_t)-HAYATE_ERR_BROKEN)
        return hy_fail_peer(HAYATE_ERR_BROKEN, rank,
                            "rank %d has given up a collective of this communicator, which can no "
                            "longer be used: close it, and go on with another one",
                            rank);
    return hy_fail_peer(
        hy_status_told((int64_t)-failed), rank,
        "a collective of this communicator failed on rank %d: see the error of that "
        "rank",
        rank);
}

/* A member whose call is later has sent everything that belongs to this one. Over a network, what
 * it has told may arrive before what it has sent. */
static bool is_past(const hy_channel *channel, int32_t later)
{
    return later > 0 && !hy_channel_is_far(channel);
}

/* A member that has failed in a later call may have completed this one. */
static int compare_with(const hy_comm *comm, hy_channel *channel, int member, bool awaited)
{
    const notice *mine = (const notice *)(const void *)channel->match;
    uint64_t call = hy_load_acquire(&mine->call), failed = hy_load_relaxed(&mine->failed);
    if (hy_likely(call == 0)) return HAYATE_OK;
    channel->noticed = true;
    int32_t later = (int32_t)((uint32_t)(call >> 32) - (uint32_t)comm->exec.number);
    if (failed && later <= 0) return given_up(hy_group_member(&comm->group, member), failed);
    if ((later == 0 && (uint32_t)call != comm->exec.cookie) || (awaited && is_past(channel, later)))
        return hy_exec_mismatch(&comm->exec, member, later ? comm->exec.cookie : (uint32_t)call);
    return HAYATE_OK;
}

int hy_comm_idle(hy_comms *comms, hy_comm *comm, int member)
{
    int rc = hy_comms_idle_together(comms, member < 0 ? -1 : hy_group_member(&comm->group, member));
    if (rc) return rc;
    tell_if_late(comm);
    uint64_t place = 0;
    int other;
    for (hy_channel *channel; !rc && (channel = hy_group_next(&comm->group, &place, &other));)
        if (other != comm->group.rank) rc = compare_with(comm, channel, other, other == member);
    return rc;
}
