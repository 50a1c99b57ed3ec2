/* SPDX-License-Identifier: Apache-2.0 */
/* What the keeper does over verbs. All completion queues tell by one channel. */
#include <fcntl.h>

#include "path/verbs/verbs_net.h"

/* A burst that waited for it is taken whole. With the lock. */
static int take_all(verbs_port *port)
{
    int events = 0, some;
    for (int i = 0; i < 1000 && (some = verbs_drain(port)) > 0; i++) events += some;
    if (port->asking) verbs_ask_again(port);
    return events;
}

static void look_at(verbs_port *port)
{
    pthread_mutex_lock(&port->lock);
    if (port->seen == port->turns) take_all(port);
    port->seen = port->turns;
    pthread_mutex_unlock(&port->lock);
}

/* The others' turns are nobody's business but their own threads': each is looked at. */
static uint64_t look(void *of, uint64_t seen)
{
    verbs_net *net = of;
    for (int i = 0; i < net->ports_wanted; i++) {
        verbs_port *port = verbs_port_at(net, i);
        if (port) look_at(port);
    }
    return seen;
}

/* It was called, or has waited for long: failures that nobody asked for are looked for as well. */
static int work_at(verbs_port *port)
{
    pthread_mutex_lock(&port->lock);
    port->turns |= VERBS_RARELY - 1;
    int events = take_all(port);
    pthread_mutex_unlock(&port->lock);
    return events;
}

static int work(void *of)
{
    verbs_net *net = of;
    int events = 0;
    for (int i = 0; i < net->ports_wanted; i++) {
        verbs_port *port = verbs_port_at(net, i);
        if (port) events += work_at(port);
    }
    return events;
}

/* A queue tells once, of what comes behind the request: so it is looked at after that. */
static bool arm_port(verbs_port *port)
{
    pthread_mutex_lock(&port->lock);
    bool armed = ibv_req_notify_cq(port->receives, 0) == 0 &&
                 ibv_req_notify_cq(port->sends, 0) == 0;
    pthread_mutex_unlock(&port->lock);
    return work_at(port) == 0 && armed && !port->replies;
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
    for (int i = 0; i < net->ports_wanted; i++) {
        verbs_port *port = verbs_port_at(net, i);
        if (port && !arm_port(port)) return -1;
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
