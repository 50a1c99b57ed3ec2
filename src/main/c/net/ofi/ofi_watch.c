/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Watches whether a peer lives. A thread that waits for a peer keeps a read of a few bytes of its
 * part under way, a *watch*: every provider ends it with an error when the connection breaks, and
 * it completes while the peer's process does anything at all, at least by its progress thread. A
 * watch that does not complete means that the peer is silent: stopped, or cut off.
 */
#include "base/status.h"
#include "net/ofi/ofi_net.h"

#define WATCHED 8 /* bytes */

/* The first watch is a question, by which the peer learns whom to tell when it leaves. Other
 * operations under way to a peer watch it as well, but a message is complete when it has left. */
static void set_watch(ofi_endpoint *endpoint, ofi_peer *peer)
{
    hy_net_endpoint *base = &endpoint->base;
    if (peer->pending || peer->sending) return;
    if (base->number == 0 && !peer->told && (peer->told = ofi_say(base, &peer->conn, HY_NET_ASK)))
        return;
    ofi_op *op = peer->base.part_bytes < WATCHED ? NULL : ofi_op_try(endpoint, peer, OFI_WATCH);
    if (!op) return;
    long result = fi_read(endpoint->ep, op->data, WATCHED, ofi_desc(endpoint->own_mr),
                          peer->address, peer->base.base, peer->key, op);
    if (ofi_posted(endpoint, peer, "fi_read", result)) ofi_op_give(endpoint, op);
    else ofi_under_way(endpoint, &peer->sending);
}

/* A peer that has not accepted a connection of this endpoint may be gone or only slow; both return
 * "try again". The first endpoint may have reached it before, and then finds out. */
static void ask_first_endpoint(hy_net_base *net, int rank)
{
    hy_net_endpoint *first = net->endpoints[0];
    if (pthread_mutex_trylock(&first->lock) != 0) return;
    hy_net_peer *same = hy_net_table_look(&first->peers, rank);
    if (same && same->life.known) (void)hy_net_peer_watch(first, same, 0);
    pthread_mutex_unlock(&first->lock);
}

void ofi_watch(hy_net_endpoint *endpoint, hy_net_peer *peer, bool wanted)
{
    if (endpoint->number > 0 && !peer->life.known)
        ask_first_endpoint(endpoint->net, peer->life.rank);
    if (wanted) set_watch(ofi_endpoint_of(endpoint), ofi_from(peer));
}
