/* SPDX-License-Identifier: Apache-2.0 */
/* Messages that come in. */
#include "base/log.h"
#include "base/status.h"
#include "path/ofi/ofi_net.h"

/* The answer takes the place of the question. */
static bool answer(ofi_endpoint *endpoint, ofi_op *op, uint32_t rank, const hy_net_head *head)
{
    hy_net_message *message = (hy_net_message *)(void *)op->data;
    uint8_t number = message->head.endpoint;
    if (ofi_peer_find(endpoint, (int)rank, &op->peer)) {
        hy_log(HY_LOG_INFO, "no answer to rank %u: %s", rank, hayate_error());
        return false;
    }
    hy_net_heard(&op->peer->life);
    op->to = ofi_peer_endpoint(op->peer, number);
    if (op->to == FI_ADDR_UNSPEC) return false;
    message->head = *head;
    message->head.token = op->peer->token;
    return true;
}

/* Who waits for it may sleep. */
static void part(ofi_net *net, uint32_t rank, uint32_t fate)
{
    hy_net_decide(&net->fates[rank], fate);
    hy_bell_ring(net->wish.bell);
}

bool ofi_deliver(ofi_endpoint *endpoint, ofi_op *op, size_t bytes)
{
    const hy_net_message *message = (const hy_net_message *)(const void *)op->data;
    hy_net_head reply;
    if (!hy_net_is_sound(&endpoint->net->wish, endpoint->net->token, message, bytes,
                         &endpoint->dropped))
        return false;
    uint32_t rank = message->head.rank;
    ofi_peer *peer = hy_net_table_look(&endpoint->peers,
                                       (int)rank); /* NULL: nothing was sent to it */
    if (peer) hy_net_heard(&peer->life);
    switch (message->head.kind) {
    case HY_NET_ANSWER: hy_net_answered(&endpoint->tickets, &message->head); return false;
    case HY_NET_ENDPOINT: ofi_peer_has_endpoint(endpoint, message); return false;
    case HY_NET_BYE: part(endpoint->net, rank, HY_NET_LEFT); return false;
    case HY_NET_GIVEN_UP: part(endpoint->net, rank, HY_NET_PARTED); return false;
    default:
        return hy_net_carry_out(&endpoint->net->wish, message, &reply) &&
               answer(endpoint, op, rank, &reply);
    }
}
