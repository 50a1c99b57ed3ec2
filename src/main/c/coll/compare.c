/* SPDX-License-Identifier: Apache-2.0 */
/* Calls are compared by their number on the communicator and by their cookie. */
#include "coll/compare.h"

#include "base/clock.h"

/* How long a member waits before it tells the others in which call it is. */
#define PATIENCE_NS UINT64_C(100000000)

/* The cookie of a communicator's end, which is told as the call after the last one. */
#define END (HY_COOKIE_SETUP | 0x656e64)

/* The line of a match entry that only rendezvous uses otherwise: a communicator has none, unless
 * its group has messages instead of collectives. */
typedef struct notice {
    uint8_t unused[offsetof(hy_match, behind)];
    /* Written by the peer: the number of a call << 32 | its cookie; 0: nothing was told. */
    _Atomic uint64_t call;
    _Atomic uint64_t failed; /* the code with which this call has failed there, negated; or 0 */
    _Atomic uint64_t before; /* of an end: exec.history; 0: it is not compared */
} notice;

HY_IS_FLAG(notice, call);
_Static_assert(sizeof(notice) <= sizeof(hy_match), "is in the entry");

/* ---- telling ---- */

static void tell_mapped(const hy_channel *channel, uint64_t call, uint64_t failed, uint64_t before)
{
    notice *theirs = (notice *)(void *)channel->peer_match;
    hy_store_relaxed(&theirs->failed, failed);
    hy_store_relaxed(&theirs->before, before);
    hy_store_release(&theirs->call, call); /* who sees the call sees what belongs to it */
    hy_bell_ring(channel->ep->bell);
}

/* A remote member with which nothing was exchanged may have freed its entry. */
static bool has_entry(hy_channel *channel)
{
    uint64_t head;
    return hy_channel_is_in_use(channel) || hy_channel_peek(channel, &head);
}

static void tell_member(hy_channel *channel, uint64_t call, int rc, uint64_t before)
{
    uint64_t failed = (uint64_t)-rc;
    channel->noticed = true;
    if (!hy_channel_is_far(channel)) tell_mapped(channel, call, failed, before);
    else hy_channel_flag(channel, offsetof(notice, call), call, failed, before, 0);
}

/* Also members to which messages of the rest of this call belong, so that they have an entry. Other
 * remote members learn of a failure from another one. */
static void tell_all(hy_comm *comm, uint64_t call, int rc)
{
    const hy_group *group = &comm->group;
    int opened;
    for (int i = 0; i < group->size; i++) {
        if (i == group->rank) continue;
        hy_channel *channel = hy_group_known_channel(group, i);
        if (channel && !has_entry(channel)) channel = NULL;
        if (!channel && hy_exec_still_needs(&comm->exec, i))
            channel = hy_group_channel(&comm->group, i, &opened);
        if (channel) tell_member(channel, call, rc, 0);
    }
}

/* It ends before, or instead of, the collective of this number. */
static void tell_end(hy_comm *comm, uint64_t number, uint64_t before)
{
    uint64_t place = 0;
    int other;
    if (!hy_group_may_write(&comm->group)) return;
    for (hy_channel *channel; (channel = hy_group_next(&comm->group, &place, &other));)
        if (other != comm->group.rank && has_entry(channel))
            tell_member(channel, number << 32 | END, HAYATE_OK, before);
}

int hy_comm_break(hy_comm *comm, int rc)
{
    const hy_failure failure = hy_failure_of(rc); /* a network may fail, too */
    bool gives_up = rc == HAYATE_ERR_TIMED_OUT || rc == HAYATE_ERR_INTERRUPTED;
    comm->broken = gives_up ? HAYATE_ERR_BROKEN : rc;
    if (rc == HAYATE_ERR_CLOSED) tell_end(comm, comm->exec.number, 0);
    else if (rc != HAYATE_ERR_PEER_FAILED) tell_all(comm, hy_exec_call(&comm->exec), comm->broken);
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
    tell_all(comm, hy_exec_call(&comm->exec), HAYATE_OK);
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

/* How many calls a member that has told of this one is ahead of this rank. */
static int32_t calls_ahead(const hy_comm *comm, uint64_t call)
{
    return (int32_t)((uint32_t)(call >> 32) - (uint32_t)comm->exec.number);
}

/* Whether a member that has ended after the last call of this rank has made other ones. */
static bool is_other(const hy_comm *comm, const notice *mine)
{
    uint64_t before = hy_load_relaxed(&mine->before);
    return before && before != comm->exec.history;
}

static int has_closed(const hy_comm *comm, int member)
{
    int rank = hy_group_member(&comm->group, member);
    return hy_fail_peer(HAYATE_ERR_PEER_FAILED, rank,
                        "rank %d has closed the communicator, on which this rank waits in another "
                        "collective: all members must make the same calls before they close it",
                        rank);
}

/* A member that has failed in a later call may have completed this one. */
static int compare_with(const hy_comm *comm, hy_channel *channel, int member, bool awaited)
{
    const notice *mine = (const notice *)(const void *)channel->match;
    uint64_t call = hy_load_acquire(&mine->call), failed = hy_load_relaxed(&mine->failed);
    if (hy_likely(call == 0)) return HAYATE_OK;
    channel->noticed = true;
    int32_t later = calls_ahead(comm, call);
    bool end = (uint32_t)call == END, past = awaited && is_past(channel, later);
    if (end && later <= 0) return has_closed(comm, member);
    if (past || (end && later == 1 && is_other(comm, mine)))
        return hy_exec_mismatch_before(&comm->exec, member);
    if (failed && later <= 0) return given_up(hy_group_member(&comm->group, member), failed);
    if (later == 0 && (uint32_t)call != comm->exec.cookie)
        return hy_exec_mismatch(&comm->exec, member, (uint32_t)call);
    return HAYATE_OK;
}

/* What members have told comes before that they have left since. */
int hy_comm_idle(hy_comms *comms, hy_comm *comm, int member)
{
    int rc = hy_comms_check(comms), other;
    if (rc) return rc;
    tell_if_late(comm);
    uint64_t place = 0;
    for (hy_channel *channel; !rc && (channel = hy_group_next(&comm->group, &place, &other));)
        if (other != comm->group.rank) rc = compare_with(comm, channel, other, other == member);
    if (!rc && member >= 0 && comm->waiting.told) rc = hy_exec_compare(&comm->exec, member);
    if (rc) return rc;
    return hy_comms_idle_together(comms, comm,
                                  member < 0 ? -1 : hy_group_member(&comm->group, member));
}

/* ---- the end ---- */

/* Whether a member has made other calls than this rank, which makes no more. That one has failed,
 * or given up, was told there. */
static bool made_others(const hy_comm *comm, hy_channel *channel)
{
    const notice *mine = (const notice *)(const void *)channel->match;
    uint64_t head, call = hy_load_acquire(&mine->call);
    if (hy_channel_peek(channel, &head)) return true; /* nobody awaits it */
    if (call == 0 || hy_load_relaxed(&mine->failed)) return false;
    channel->noticed = true;
    int32_t later = calls_ahead(comm, call);
    if ((uint32_t)call == END) return later != 1 || is_other(comm, mine);
    return later > 0 || (later == 0 && (uint32_t)call != comm->exec.cookie);
}

static int compare_end(const hy_comm *comm, hy_channel *channel, int member)
{
    if (!made_others(comm, channel)) return HAYATE_OK;
    hy_job *job = comm->group.job;
    int rank = hy_group_member(&comm->group, member);
    hy_job_check(job, rank);
    if (hy_job_check_all(job)) return HAYATE_OK; /* not all calls were possible */
    int rc = hy_exec_compare(&comm->exec, member);
    if (rc) return rc;
    return hy_fail_peer(HAYATE_ERR_MISMATCH, rank,
                        "rank %d has made other collectives than this rank on a communicator that "
                        "is closed now, or more, or fewer: all members must make the same calls",
                        rank);
}

int hy_comm_end(hy_comm *comm)
{
    uint64_t place = 0;
    int rc = HAYATE_OK, other;
    if (comm->broken || !hy_group_may_write(&comm->group)) return rc; /* what failed was told */
    if (hy_comm_is_replaced(comm)) return rc;
    if (comm->group.has_messages) return rc; /* its entries hold no notices */
    tell_end(comm, comm->exec.number + 1, comm->exec.history);
    atomic_thread_fence(memory_order_seq_cst); /* of two members, one sees what the other tells */
    for (hy_channel *channel; !rc && (channel = hy_group_next(&comm->group, &place, &other));)
        if (other != comm->group.rank) rc = compare_end(comm, channel, other);
    return rc;
}
