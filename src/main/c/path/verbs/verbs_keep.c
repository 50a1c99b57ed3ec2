/* SPDX-License-Identifier: Apache-2.0 */
/* What the keeper does over verbs. All completion queues tell by one channel. */
#include <fcntl.h>

#include "path/verbs/verbs_net.h"

/* A burst that waited for it is taken whole. With the lock. */
static int take_all(verbs_endpoint *endpoint)
{
    int events = 0, some;
    for (int i = 0; i < 1000 && (some = verbs_drain(endpoint)) > 0; i++) events += some;
    if (endpoint->asking) verbs_ask_again(endpoint);
    return events;
}

static void look_at(verbs_endpoint *endpoint)
{
    pthread_mutex_lock(&endpoint->lock);
    if (endpoint->seen == endpoint->turns) take_all(endpoint);
    endpoint->seen = endpoint->turns;
    pthread_mutex_unlock(&endpoint->lock);
}

/* The others' turns are nobody's business but their own threads': each is looked at. */
static uint64_t look(void *of, uint64_t seen)
{
    verbs_net *net = of;
    for (int i = 0; i < net->endpoints_wanted; i++) {
        verbs_endpoint *endpoint = verbs_endpoint_at(net, i);
        if (endpoint) look_at(endpoint);
    }
    return seen;
}

/* It was called, or has waited for long: failures that nobody asked for are looked for as well. */
static int work_at(verbs_endpoint *endpoint)
{
    pthread_mutex_lock(&endpoint->lock);
    endpoint->turns |= VERBS_RARELY - 1;
    int events = take_all(endpoint);
    pthread_mutex_unlock(&endpoint->lock);
    return events;
}

static int work(void *of)
{
    verbs_net *net = of;
    int events = 0;
    for (int i = 0; i < net->endpoints_wanted; i++) {
        verbs_endpoint *endpoint = verbs_endpoint_at(net, i);
        if (endpoint) events += work_at(endpoint);
    }
    return events;
}

/* A queue tells once, of what comes behind the request: so it is looked at after that. */
static bool arm_endpoint(verbs_endpoint *endpoint)
{
    pthread_mutex_lock(&endpoint->lock);
    bool armed = ibv_req_notify_cq(endpoint->receives, 0) == 0 &&
                 ibv_req_notify_cq(endpoint->sends, 0) == 0;
    pthread_mutex_unlock(&endpoint->lock);
    return work_at(endpoint) == 0 && armed && !endpoint->replies;
}

static void forget_events(const verbs_net *net)
{
    struct ibv_cq *queue;
    void *context;
    while (net->calls->get_cq_event(net->channel, &queue, &context) == 0)
        net->calls->ack_cq_events(queue, 1);
}

static int arm(void *of, struct pollfd *descriptors)
{
    verbs_net *net = of;
    forget_events(net);
    for (int i = 0; i < net->endpoints_wanted; i++) {
        verbs_endpoint *endpoint = verbs_endpoint_at(net, i);
        if (endpoint && !arm_endpoint(endpoint)) return -1;
    }
    descriptors[0] = (struct pollfd){.fd = net->channel->fd, .events = POLLIN};
    return 1;
}

void verbs_channel_open(verbs_net *net)
{
    net->channel = net->calls->create_comp_channel(net->choice.context);
    if (!net->channel || fcntl(net->channel->fd, F_SETFL, O_NONBLOCK) == 0) return;
    net->calls->destroy_comp_channel(net->channel);
    net->channel = NULL;
}

int verbs_keep(verbs_net *net)
{
    const hy_net_duties duties = {.net = net,
                                  .bell = net->wish.bell,
                                  .look = look,
                                  .idle = net->wish.idle,
                                  .context = net->wish.lookup_context,
                                  .work = work,
                                  .arm = net->channel ? arm : NULL};
    return hy_net_keeper_start(&net->keeper, &duties);
}

bool verbs_watches(hy_net *net)
{
    return hy_net_keeper_watches(verbs_of(net)->keeper);
}
