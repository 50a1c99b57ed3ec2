/* SPDX-License-Identifier: Apache-2.0 */
/* The other nodes: their endpoints, and whether they live. */
#include <string.h>

#include "base/log.h"
#include "deleg/deleg_state.h"

/* All lanes of all ranks share one connection. How long the part of a node is, its address tells:
 * the network checks each offset. */
hy_ep *hy_deleg_node(hy_deleg *deleg, int node)
{
    hy_ep *ep = &deleg->nodes[node];
    if (hy_likely(ep->ops)) return ep;
    deleg->job.net->ops->attach(deleg->job.net, ep, node, 0);
    ep->part_bytes = UINT64_MAX;
    hy_store_relaxed(&deleg->area->connections, ++deleg->connections);
    return ep;
}

/* The network counts nodes as ranks: what it says of the number is left out. */
static const char *reason(void)
{
    const char *said = hayate_error(), *why = strstr(said, ": ");
    return why ? why + 2 : said;
}

void hy_deleg_lost(hy_deleg *deleg, int node)
{
    _Atomic uint32_t *state = &deleg->states[node];
    if (hy_load_relaxed(state) & HY_NODE_FAILED) return;
    hy_ep *ep = hy_deleg_node(deleg, node);
    uint32_t how = ep->net->ops->has_left(ep) ? HY_NODE_FAILED | HY_NODE_LEFT : HY_NODE_FAILED;
    hy_log(HY_LOG_INFO, "node %d is lost: %s", node, reason());
    if (!(how & HY_NODE_LEFT)) hy_delegation_lose(deleg->area, node, reason());
    atomic_fetch_or_explicit(state, how, memory_order_release);
    hy_control_ring_all(deleg->control);
}

void hy_deleg_watch(hy_deleg *deleg)
{
    for (int node = 0; node < deleg->job.size; node++) {
        _Atomic uint32_t *state = &deleg->states[node];
        if (hy_likely(hy_load_relaxed(state) != HY_NODE_WATCHED)) continue;
        if (node == deleg->job.rank) continue; /* a rank wrote rubbish */
        atomic_fetch_and(state, ~(uint32_t)HY_NODE_WATCHED);
        hy_ep *ep = hy_deleg_node(deleg, node);
        if (ep->net->ops->check(ep)) hy_deleg_lost(deleg, node);
    }
}
