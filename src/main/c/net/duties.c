/* SPDX-License-Identifier: Apache-2.0 */
/* The work of a network's progress thread for the endpoints of the network. */
#include "net/provider.h"

/* Handles a burst that has queued up completely, and also looks for failures that no operation asks
 * for. */
static int take_all(hy_net_endpoint *endpoint)
{
    int events = 0, some;
    endpoint->turns |= HY_NET_RARELY - 1;
    for (int i = 0; i < 1000 && (some = endpoint->net->provider->poll(endpoint)) > 0; i++)
        events += some;
    return events;
}

/* The turns of further endpoints concern only their own threads: each endpoint is checked for
 * itself. */
static uint64_t look_at_endpoints(void *of, uint64_t seen)
{
    hy_net_base *net = of;
    for (int i = 0; i < net->endpoints_wanted; i++) {
        hy_net_endpoint *endpoint = hy_net_endpoint_at(net, i);
        if (!endpoint) continue;
        pthread_mutex_lock(&endpoint->lock);
        if (endpoint->seen == endpoint->turns) take_all(endpoint);
        endpoint->seen = endpoint->turns;
        pthread_mutex_unlock(&endpoint->lock);
    }
    return seen;
}

static int work_on_endpoints(void *of)
{
    hy_net_base *net = of;
    int events = 0;
    for (int i = 0; i < net->endpoints_wanted; i++) {
        hy_net_endpoint *endpoint = hy_net_endpoint_at(net, i);
        if (!endpoint) continue;
        pthread_mutex_lock(&endpoint->lock);
        events += take_all(endpoint);
        pthread_mutex_unlock(&endpoint->lock);
    }
    return events;
}

int hy_net_keep(hy_net_base *net, bool has_descriptors)
{
    const hy_net_duties duties = {.net = net,
                                  .bell = net->attr.bell,
                                  .look = look_at_endpoints,
                                  .idle = net->attr.idle,
                                  .context = net->attr.lookup_context,
                                  .work = work_on_endpoints,
                                  .arm = has_descriptors ? net->provider->arm : NULL};
    return hy_net_progress_start(&net->progress, &duties);
}

bool hy_net_watches(hy_net *self)
{
    return hy_net_progress_watches(hy_net_base_of(self)->progress);
}
