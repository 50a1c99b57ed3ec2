/* SPDX-License-Identifier: Apache-2.0 */
/* What the keeper does for libfabric. */
#include "path/ofi/ofi_net.h"

/* A burst that waited for it is taken whole. */
static int take_all(ofi_endpoint *endpoint)
{
    int events = 0, some;
    pthread_mutex_lock(&endpoint->lock);
    for (int i = 0; i < 1000 && (some = ofi_drain(endpoint)) > 0; i++) events += some;
    pthread_mutex_unlock(&endpoint->lock);
    return events;
}

/* NULL: it is not open, or is endpoint 0 again. */
static ofi_endpoint *further(ofi_net *net, int number)
{
    ofi_endpoint *endpoint = hy_load_acquire(&net->endpoints[number]);
    return endpoint == net->endpoints[0] ? NULL : endpoint;
}

static int take_further(ofi_net *net)
{
    int events = 0;
    for (int i = 1; i < net->endpoints_wanted; i++) {
        ofi_endpoint *endpoint = further(net, i);
        if (endpoint) events += take_all(endpoint);
    }
    return events;
}

/* The others' turns are nobody's business but their own threads': each is looked at. */
static uint64_t look(void *of, uint64_t seen)
{
    ofi_net *net = of;
    ofi_endpoint *first = net->endpoints[0];
    take_further(net);
    if (seen == hy_load_relaxed(&first->turns)) take_all(first);
    return hy_load_relaxed(&first->turns);
}

static int work(void *of)
{
    ofi_net *net = of;
    return take_all(net->endpoints[0]) + take_further(net);
}

/* False: something is there, or what the provider had no room for is to be tried again. */
static bool arm_endpoint(ofi_endpoint *endpoint, struct pollfd *descriptor)
{
    struct fid *queue = &endpoint->cq->fid;
    pthread_mutex_lock(&endpoint->lock);
    bool armed = !endpoint->unsent && !endpoint->unposted && !endpoint->held_for &&
                 fi_trywait(endpoint->net->fabric, &queue, 1) == 0;
    pthread_mutex_unlock(&endpoint->lock);
    *descriptor = (struct pollfd){.fd = endpoint->descriptor, .events = POLLIN};
    return armed;
}

/* What others send comes to endpoint 0; by the further ones one's own may be under way. */
static int arm(void *of, struct pollfd *descriptors)
{
    ofi_net *net = of;
    int count = 0;
    if (!arm_endpoint(net->endpoints[0], &descriptors[count++])) return -1;
    for (int i = 1; i < net->endpoints_wanted; i++) {
        ofi_endpoint *endpoint = further(net, i);
        if (endpoint && !arm_endpoint(endpoint, &descriptors[count++])) return -1;
    }
    return count;
}

int ofi_keep(ofi_net *net)
{
    const hy_net_duties duties = {.net = net,
                                  .bell = net->wish.bell,
                                  .look = look,
                                  .idle = net->wish.idle,
                                  .context = net->wish.lookup_context,
                                  .work = work,
                                  .arm = net->wait_object == FI_WAIT_NONE ? NULL : arm};
    return hy_net_keeper_start(&net->keeper, &duties);
}

bool ofi_watches(hy_net *net)
{
    return hy_net_keeper_watches(ofi_of(net)->keeper);
}
