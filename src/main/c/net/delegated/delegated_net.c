/* SPDX-License-Identifier: Apache-2.0 */
/* The delegated network of a rank: opening, closing, and whether the delegatee and the other nodes
 * live. Incoming messages need no action of this process: the delegatee carries them out in the
 * rank's part and rings its bell. */
#include "net/delegated/delegated_net.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/status.h"
#include "net/rest.h"

#define CLOSE_NS UINT64_C(1000000000)
/* A rank that has not looked for so long has not waited. */
#define PAUSE_NS UINT64_C(1000000000)

/* ---- failures ---- */

static int fail_ended(const hy_ep *ep, uint32_t why)
{
    char how[48] = "";
    if (why > 256) snprintf(how, sizeof how, ": it was killed by signal %u", why - 256);
    else if (why) snprintf(how, sizeof how, ": it exited with status %u", why);
    return hy_fail_peer(HAYATE_ERR_PEER_FAILED, ep->rank,
                        "rank %d cannot be reached, because the delegatee of this node has ended%s",
                        ep->rank, how);
}

/* The delegatee turns at least ten times a second. The time in which this rank did not look, or was
 * stopped itself, does not count. Silence is for good: memory that was given up with a command is
 * used for others, which a delegatee that goes on must not meet. */
static bool is_silent(delegated_net *net)
{
    uint64_t now = hy_now_ns(), beat = hy_load_relaxed(&net->delegation->beat);
    pthread_mutex_lock(&net->looking);
    if (beat != net->beat || now - net->looked > PAUSE_NS) net->beat_since = now;
    net->beat = beat;
    net->looked = now;
    if (now - net->beat_since > net->silence) hy_store_relaxed(&net->silent, true);
    pthread_mutex_unlock(&net->looking);
    return hy_load_relaxed(&net->silent);
}

int delegated_look_at_lost(const delegated_net *net)
{
    uint64_t lost = hy_load_acquire(&net->slot->lost);
    if (hy_likely(!lost)) return HAYATE_OK;
    int status = hy_status_told(hy_done_status(lost)), rank = hy_lost_rank(lost);
    return hy_fail_peer(
        status, rank,
        "the delegatee of this node could not carry out a command to rank %d, which "
        "would wait for ever: %s",
        rank, hayate_strerror(status));
}

static int node_of(const hy_ep *ep)
{
    const delegated_net *net = delegated_of(ep->net);
    return net->attr.node_of(net->attr.lookup_context, ep->rank);
}

static _Atomic uint32_t *state_of_node(const hy_ep *ep)
{
    return &delegated_of(ep->net)->states[node_of(ep)];
}

int delegated_fail_node(const hy_ep *ep)
{
    const hy_delegation *delegation = delegated_of(ep->net)->delegation;
    char why[sizeof delegation->lost_why];
    hy_delegation_why(delegation, node_of(ep), why, sizeof why);
    return hy_fail_peer(HAYATE_ERR_PEER_FAILED, ep->rank,
                        "rank %d, on another node, has ended, or the connection to its node is "
                        "lost%s%s",
                        ep->rank, *why ? ": " : "", why);
}

int delegated_look_at_delegatee(const hy_ep *ep)
{
    delegated_net *net = delegated_of(ep->net);
    const hy_delegation *delegation = net->delegation;
    if (hy_load_acquire(&delegation->state) == HY_DELEGATEE_ENDED)
        return fail_ended(ep, hy_load_relaxed(&delegation->why));
    if (is_silent(net))
        return hy_fail_peer(HAYATE_ERR_PEER_FAILED, ep->rank,
                            "rank %d cannot be reached, because the delegatee of this node "
                            "(process %d) did nothing for %.1f s: it was stopped, or had no "
                            "processor",
                            ep->rank, hy_load_relaxed(&delegation->pid),
                            (double)net->silence / 1e9);
    _Atomic uint32_t *state = state_of_node(ep);
    if (!hy_load_relaxed(state)) atomic_fetch_or(state, HY_NODE_WATCHED);
    return HAYATE_OK;
}

int delegated_look(const hy_ep *ep)
{
    int rc = delegated_look_at_lost(delegated_of(ep->net));
    if (hy_unlikely(rc)) return rc;
    uint32_t known = hy_load_acquire(state_of_node(ep));
    bool ended = hy_load_acquire(&delegated_of(ep->net)->delegation->state) == HY_DELEGATEE_ENDED;
    if (ended || !(known & HY_NODE_FAILED)) return delegated_look_at_delegatee(ep);
    if (!(known & HY_NODE_LEFT)) return delegated_fail_node(ep);
    return hy_fail_peer(HAYATE_ERR_PEER_FAILED, ep->rank,
                        "rank %d, on another node, has left the job", ep->rank);
}

static bool delegated_has_left(hy_ep *ep)
{
    return hy_load_acquire(state_of_node(ep)) & HY_NODE_LEFT;
}

static int delegated_check(hy_ep *ep)
{
    return delegated_look(ep);
}

/* ---- opening and closing ---- */

static void make_ring(delegated_net *net, int number)
{
    delegated_ring *ring = &net->rings[number];
    pthread_mutexattr_t adaptive;
    pthread_mutexattr_init(&adaptive);
    pthread_mutexattr_settype(&adaptive, PTHREAD_MUTEX_ADAPTIVE_NP);
    pthread_mutex_init(&ring->lock, &adaptive);
    pthread_mutexattr_destroy(&adaptive);
    pthread_mutex_init(&ring->staging, NULL);
    const hy_net_attr *attr = &net->attr;
    ring->shared = hy_delegation_ring(net->delegation, attr->parts, attr->nodes, attr->member,
                                      number);
    ring->next = 1;
}

static int delegated_open(const hy_net_attr *attr, hy_net **result)
{
    delegated_net *net = aligned_alloc(HY_LINE, sizeof *net);
    if (!net) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a network");
    *net = (delegated_net){
        .net = {.ops = &hy_net_delegated},
        .attr = *attr,
        .delegation = attr->delegation,
        .states = hy_delegation_states(attr->delegation, attr->parts),
        .slot = hy_delegation_rank_of(attr->delegation, attr->parts, attr->nodes, attr->member)};
    int rc = hy_wait_policy_choose(&net->policy, (int)attr->parts, attr->cpus);
    if (!rc && getrandom(&net->cookie, sizeof net->cookie, 0) != sizeof net->cookie)
        rc = hy_fail_errno("getrandom");
    if (rc) {
        free(net);
        return rc;
    }
    net->silence = UINT64_C(1000000) * (attr->silence_ms ? attr->silence_ms : HY_NET_SILENCE_MS);
    net->net.class = hy_load_relaxed(&attr->delegation->class);
    pthread_mutex_init(&net->looking, NULL);
    for (int i = 0; i < HY_RINGS; i++) make_ring(net, i);
    net->slot->cookie = net->cookie;
    net->slot->cookie_address = (uint64_t)(uintptr_t)&net->cookie;
    hy_store_release(&net->slot->pid, (int32_t)getpid());
    *result = &net->net;
    return HAYATE_OK;
}

/* The launcher knows where the delegatee is: no rank needs an address. */
static void delegated_address(const hy_net *self, void *address, size_t *len)
{
    (void)self, (void)address;
    *len = 0;
}

static void delegated_attach(hy_net *self, hy_ep *ep, int rank, int lane)
{
    ep->ops = &delegated_row;
    ep->net = self;
    ep->rank = rank;
    ep->lane = lane;
    ep->part_bytes = delegated_of(self)->attr.part_bytes;
}

static int delegated_progress(hy_net *self)
{
    (void)self;
    return 0;
}

static bool delegated_watches(hy_net *self)
{
    (void)self;
    return true;
}

/* The delegatee says so when all ranks of the node have left; the others see it in the states of
 * ranks, which the nodes tell each other. */
static void delegated_leave(hy_net *self)
{
    (void)self;
}

static void delegated_describe(const hy_net *self, char *text, size_t room)
{
    const hy_delegation *delegation = ((const delegated_net *)(const void *)self)->delegation;
    char network[sizeof delegation->network];
    hy_delegation_network(delegation, network, sizeof network);
    snprintf(text, room, "delegated to process %d, %s", hy_load_relaxed(&delegation->pid), network);
}

static bool are_over(const delegated_ring *ring)
{
    for (uint64_t i = 0; i < HY_RING_DEPTH && i + 1 < ring->next; i++) {
        uint64_t number = ring->next - 1 - i;
        const hy_command *slot = &ring->shared->commands[(number - 1) % HY_RING_DEPTH];
        if (hy_done_number(hy_load_acquire(&slot->done)) != number) return false;
    }
    return true;
}

/* What was posted is on its way when this returns: the caller's memory may go. */
static void delegated_close(hy_net *self)
{
    delegated_net *net = delegated_of(self);
    uint64_t end = hy_now_ns() + CLOSE_NS;
    for (int i = 0; i < HY_RINGS; i++) {
        delegated_ring *ring = &net->rings[i];
        for (uint32_t turns = 0; !are_over(ring) && hy_now_ns() < end &&
                                 hy_load_relaxed(&net->delegation->state) != HY_DELEGATEE_ENDED;
             turns++)
            hy_net_rest(turns);
        pthread_mutex_destroy(&ring->lock);
        pthread_mutex_destroy(&ring->staging);
    }
    pthread_mutex_destroy(&net->looking);
    free(net);
}

const hy_net_ops hy_net_delegated = {.name = "delegated",
                                     .row = &delegated_row,
                                     .open = delegated_open,
                                     .address = delegated_address,
                                     .attach = delegated_attach,
                                     .progress = delegated_progress,
                                     .watches = delegated_watches,
                                     .check = delegated_check,
                                     .has_left = delegated_has_left,
                                     .leave = delegated_leave,
                                     .describe = delegated_describe,
                                     .close = delegated_close};
