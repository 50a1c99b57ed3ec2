/* SPDX-License-Identifier: Apache-2.0 */
/* Endpoints of a network: which lane uses which endpoint, how incoming messages are handled, and
 * how calls wait. */
#include "base/clock.h"
#include "base/handlers.h"
#include "base/log.h"
#include "base/status.h"
#include "net/provider.h"
#include "net/rest.h"

/* The lock is held for short times only: a thread that finds it taken spins before it sleeps. */
static void make_lock(hy_net_endpoint *endpoint)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ADAPTIVE_NP);
    pthread_mutex_init(&endpoint->lock, &attr);
    pthread_mutexattr_destroy(&attr);
}

int hy_net_endpoint_init(hy_net_endpoint *endpoint, hy_net_base *net, int number)
{
    endpoint->net = net;
    endpoint->number = number;
    make_lock(endpoint);
    hy_net_table_make(&endpoint->peers, net->attr.ranks);
    return HAYATE_OK;
}

void hy_net_endpoint_free(hy_net_endpoint *endpoint)
{
    hy_net_peers_free(endpoint);
    pthread_mutex_destroy(&endpoint->lock);
}

/* A lane keeps its endpoint, even if that is the first one because its own could not be opened. */
hy_net_endpoint *hy_net_endpoint_open(hy_net_base *net, int number)
{
    pthread_mutex_lock(&net->opening);
    hy_net_endpoint *endpoint = hy_load_relaxed(&net->endpoints[number]);
    hy_handlers_keep();
    if (!endpoint && net->provider->open_endpoint(net, number, &endpoint)) {
        hy_log(HY_LOG_INFO,
               "cannot open a further endpoint for threads, which now share the first: %s",
               hayate_error());
        endpoint = net->endpoints[0];
    }
    hy_handlers_put_back();
    hy_store_release(&net->endpoints[number], endpoint);
    if (number > hy_load_relaxed(&net->highest)) hy_store_release(&net->highest, number);
    pthread_mutex_unlock(&net->opening);
    hy_net_progress_wake(net->progress);
    return endpoint;
}

/* ---- incoming messages ---- */

/* The peer leaves, or has declared this rank failed. Threads that wait for it may sleep. */
static void part(hy_net_endpoint *endpoint, int rank, enum hy_net_peer_state fate)
{
    hy_net_peer *peer = hy_net_table_look(&endpoint->peers, rank);
    hy_net_decide(&endpoint->net->peer_states[rank], fate);
    if (peer) (void)hy_net_peer_failed(endpoint, peer);
    hy_bell_ring(endpoint->net->attr.bell);
}

bool hy_net_deliver(hy_net_endpoint *endpoint, const hy_net_message *message, hy_net_head *answer)
{
    const hy_net_head *head = &message->head;
    switch (head->kind) {
    case HY_NET_ANSWER:
        hy_net_answered(&endpoint->tickets, head);
        hy_bell_ring(endpoint->net->attr.bell); /* who tests an operation may sleep meanwhile */
        return false;
    case HY_NET_BYE: part(endpoint, (int)head->rank, HY_NET_LEFT); return false;
    case HY_NET_GIVEN_UP: part(endpoint, (int)head->rank, HY_NET_PARTED); return false;
    default: return hy_net_carry_out(&endpoint->net->attr, message, answer);
    }
}

/* ---- waiting ---- */

/* Progress elsewhere: the peer may be waiting for an answer of this rank as well. */
static void let_others(hy_net_endpoint *endpoint, hy_net_wait *wait, bool idle)
{
    const hy_net_provider *provider = endpoint->net->provider;
    pthread_mutex_unlock(&endpoint->lock);
    if (!provider->poll_others || provider->poll_others(endpoint) == 0)
        hy_net_rest(idle ? wait->idle_turns++ : HY_NET_SPINS);
    pthread_mutex_lock(&endpoint->lock);
}

/* However much arrives, other threads get their turn, and the peer is checked. */
int hy_net_turn(hy_net_endpoint *endpoint, hy_net_wait *wait)
{
    if (wait->since == 0) wait->since = hy_now_ns();
    bool idle = endpoint->net->provider->poll(endpoint) == 0, slow = ++wait->turns % 256 == 0;
    if (hy_net_peer_failed(endpoint, wait->peer)) return hy_net_fail_lost(&wait->peer->life);
    if (idle || slow) let_others(endpoint, wait, idle);
    /* Other threads, including the progress thread, may have seen the failure meanwhile. */
    if (hy_net_peer_failed(endpoint, wait->peer)) return hy_net_fail_lost(&wait->peer->life);
    return slow ? hy_net_peer_watch(endpoint, wait->peer, wait->since) : HAYATE_OK;
}
