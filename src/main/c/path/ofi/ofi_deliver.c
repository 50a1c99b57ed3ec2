/* SPDX-License-Identifier: Apache-2.0 */
/* Messages that come in. */
#include "base/log.h"
#include "base/status.h"
#include "path/ofi/ofi_net.h"

/* The answer takes the place of the question. */
static bool answer(ofi_net *net, ofi_op *op, uint32_t rank, const hy_net_head *head)
{
    hy_net_message *message = (hy_net_message *)(void *)op->data;
    if (ofi_peer_find(net, (int)rank, &op->peer)) {
        hy_log(HY_LOG_INFO, "no answer to rank %u: %s", rank, hayate_error());
        return false;
    }
    message->head = *head;
    message->head.token = op->peer->token;
    return true;
}

bool ofi_deliver(ofi_net *net, ofi_op *op, size_t bytes)
{
    const hy_net_message *message = (const hy_net_message *)(const void *)op->data;
    hy_net_head reply;
    if (!hy_net_is_sound(&net->wish, net->token, message, bytes, &net->dropped)) return false;
    uint32_t rank = message->head.rank;
    ofi_peer *peer = hy_net_table_look(&net->peers, (int)rank); /* NULL: nothing was sent to it */
    if (peer) hy_net_heard(&peer->life);
    switch (message->head.kind) {
    case HY_NET_ANSWER: hy_net_answered(&net->tickets, &message->head); return false;
    case HY_NET_BYE:
        if (peer && hy_net_leaves(&peer->life)) hy_net_lost(&peer->life, "it has left the job");
        return false;
    default: return hy_net_carry_out(&net->wish, message, &reply) && answer(net, op, rank, &reply);
    }
}
