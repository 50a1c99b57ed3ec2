/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Does a peer live? Whoever waits for one has a read of a few bytes of its part under way, a
 * *watch*: any provider ends that with an error when the connection breaks, and it comes back while
 * the peer's process does anything at all, if only its keeper. A watch that stays away says that
 * the peer is silent: stopped, or cut off.
 *
 * A broken connection is made again by some providers at the next post, behind the scenes, and
 * while nobody listens there any more they say "try again" for ever. So to be refused for a while
 * by a peer that was known, with nothing to it under way, is to have lost it.
 */
#include "base/clock.h"
#include "base/status.h"
#include "path/ofi/ofi_net.h"

#define REFUSED_NS UINT64_C(2000000000) /* many turns of a keeper, on a machine that is busy */
#define WATCHED 8                       /* bytes */

void ofi_accepted(ofi_peer *peer)
{
    peer->refused = 0;
}

void ofi_refused(ofi_peer *peer)
{
    uint64_t now = hy_now_ns();
    if (!peer->life.known || peer->pending || peer->sending) peer->refused = 0;
    else if (peer->refused == 0) peer->refused = now;
    else if (now > peer->refused + REFUSED_NS)
        hy_net_lost(&peer->life, "the connection is broken, and another cannot be made");
}

/* The first is a question, by which the peer learns whom to tell when it leaves. */
static void set_watch(ofi_endpoint *endpoint, ofi_peer *peer)
{
    if (endpoint->number == 0 && !peer->told && (peer->told = ofi_say(endpoint, peer, HY_NET_ASK)))
        return;
    ofi_op *op = peer->part_bytes < WATCHED ? NULL : ofi_op_try(endpoint, peer, OFI_WATCH);
    if (!op) return;
    long result = fi_read(endpoint->ep, op->data, WATCHED, ofi_desc(endpoint->own_mr),
                          peer->address, peer->base, peer->key, op);
    if (result == 0) {
        ofi_under_way(endpoint, &peer->sending);
        ofi_accepted(peer);
        return;
    }
    ofi_op_give(endpoint, op);
    if (result == -FI_EAGAIN) ofi_refused(peer);
    else hy_net_lost(&peer->life, "fi_read: %s", endpoint->net->calls->error((int)-result));
}

/* It hears so when it wakes, or else it would wait for answers for ever; or that this rank leaves
 * and had no time for it. */
static void give_up(ofi_endpoint *endpoint, ofi_peer *peer)
{
    hy_net_lost(&peer->life, "no answer for %.1f s", (double)endpoint->net->silence / 1e9);
    (void)ofi_say(endpoint, peer, endpoint->net->leaving ? HY_NET_BYE : HY_NET_GIVEN_UP);
}

/* Who has not let this endpoint in may be gone, or only slow, and both say "try again". The first
 * endpoint may have met it before, and then finds out. */
static void ask_first_endpoint(ofi_net *net, int rank)
{
    ofi_endpoint *first = net->endpoints[0];
    if (pthread_mutex_trylock(&first->lock) != 0) return;
    ofi_peer *same = hy_net_table_look(&first->peers, rank);
    if (same && same->life.known) ofi_watch(first, same, 0);
    pthread_mutex_unlock(&first->lock);
}

/* What is under way to a peer watches it as well; but a message is over when it has left. */
int ofi_watch(ofi_endpoint *endpoint, ofi_peer *peer, uint64_t since)
{
    const hy_net_wish *wish = &endpoint->net->wish;
    if (hy_net_failed(&peer->life)) return hy_net_fail_lost(&peer->life);
    if (wish->is_lost && wish->is_lost(wish->lookup_context, peer->life.rank))
        hy_net_lost(&peer->life, HY_NET_TOLD);
    if (endpoint->number > 0 && !peer->life.known)
        ask_first_endpoint(endpoint->net, peer->life.rank);
    if (hy_net_wants_watch(&peer->life) && !peer->pending && !peer->sending)
        set_watch(endpoint, peer);
    if (hy_net_silent(&peer->life, endpoint->net->silence, since)) give_up(endpoint, peer);
    return hy_net_failed(&peer->life) ? hy_net_fail_lost(&peer->life) : HAYATE_OK;
}
