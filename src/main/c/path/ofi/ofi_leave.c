/* SPDX-License-Identifier: Apache-2.0 */
/* Leaving: the last messages of a rank that leaves in order arrive, and its peers know that there
 * come no more. */
#include "base/clock.h"
#include "path/net_rest.h"
#include "path/ofi/ofi_net.h"

#define LEAVE_NS UINT64_C(1000000000)

static bool is_told(ofi_endpoint *endpoint, ofi_peer *peer)
{
    if (hy_net_failed(&peer->life) || !peer->life.known) return true;
    if (!peer->parted) peer->parted = ofi_say(endpoint, peer, HY_NET_BYE);
    return peer->parted && !peer->sending;
}

static bool are_all_told(ofi_endpoint *endpoint)
{
    bool all = true;
    ofi_peer *peer;
    pthread_mutex_lock(&endpoint->lock);
    for (int i = 0; (peer = hy_net_table_next(&endpoint->peers, &i)); i++)
        if (i != endpoint->net->wish.rank && !is_told(endpoint, peer)) all = false;
    pthread_mutex_unlock(&endpoint->lock);
    return all;
}

/* Nobody is waited for in particular: who takes no messages does not keep the others from theirs.
 */
static void tell_all(ofi_net *net, uint64_t end)
{
    for (uint32_t turns = 0; !are_all_told(net->endpoints[0]) && hy_now_ns() < end; turns++)
        if (ofi_try(net->endpoints[0]) == 0) hy_net_rest(turns);
}

void ofi_leave(hy_net *self)
{
    tell_all(ofi_of(self), hy_now_ns() + LEAVE_NS);
}

/* The peers answer that all has come, or say that they leave as well. */
static void finish(ofi_endpoint *endpoint, uint64_t end)
{
    uint64_t now;
    ofi_peer *peer;
    pthread_mutex_lock(&endpoint->lock);
    for (int i = 0; (peer = hy_net_table_next(&endpoint->peers, &i)) && (now = hy_now_ns()) < end;
         i++) {
        endpoint->net->silence = end - now;
        if (!hy_net_failed(&peer->life) && !peer->parted) (void)ofi_fence(endpoint, peer);
    }
    pthread_mutex_unlock(&endpoint->lock);
}

/* What waits for a peer now, the keeper for example, does so no longer than a leave may take. */
static void hurry(ofi_net *net)
{
    for (int i = 0; i < net->endpoints_wanted; i++) {
        ofi_endpoint *endpoint = net->endpoints[i];
        if (!endpoint) continue;
        pthread_mutex_lock(&endpoint->lock);
        if (net->silence > LEAVE_NS) net->silence = LEAVE_NS;
        pthread_mutex_unlock(&endpoint->lock);
    }
}

/* What went by endpoint 0 says so at the end. */
void ofi_close(hy_net *self)
{
    ofi_net *net = ofi_of(self);
    uint64_t end = hy_now_ns() + LEAVE_NS;
    net->leaving = true;
    hurry(net);
    hy_net_keeper_stop(net->keeper);
    for (int i = net->endpoints_wanted - 1; i > 0; i--)
        if (net->endpoints[i] && net->endpoints[i] != net->endpoints[0])
            finish(net->endpoints[i], end);
    finish(net->endpoints[0], end);
    tell_all(net, end);
    ofi_release(net);
}
