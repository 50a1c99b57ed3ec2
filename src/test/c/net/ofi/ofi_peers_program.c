/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the connections of one process to 100 others take, over libfabric's tcp: all of them are
 * processes of this machine. Prints the connections by number of sockets, and the growth of the
 * resident memory, and computes what a node takes whose 16 ranks have such connections each, or
 * which has a delegatee: `ofi_peers_program`.
 */
#define MOST 101
#include "net/fixture.h"
#include "net/sockets_fixture.h"

#define NODE_RANKS 16

static void use(member *me, int peer)
{
    uint64_t before, word = (uint64_t)peer, back = 0;
    hy_ep *ep = &me->eps[peer];
    CHECK_OK(ep->ops->put(ep, 128, &word, sizeof word));
    CHECK_OK(ep->ops->atomic(ep, 64, HY_ATOMIC_ADD, 1, 0, &before));
    CHECK_OK(ep->ops->get(ep, 128, &back, sizeof back));
    CHECK(back == word);
}

static void measure(member *me)
{
    long start = resident_kib(getpid());
    join(me);
    long network = resident_kib(getpid()), sockets = sockets_connected(getpid());
    while (hy_load_acquire(&me->w->arrived[0]) < MOST - 1) usleep(1000);
    use(me, 1);
    long first = resident_kib(getpid());
    for (int peer = 2; peer < MOST; peer++) use(me, peer);
    long all = resident_kib(getpid());
    sockets = sockets_connected(getpid()) - sockets;
    double each = (double)(all - first) / (MOST - 2), peers = MOST - 1;
    printf("measured: %ld connections to %d processes; the network %ld KiB, the first peer %ld KiB,"
           " each further one %.1f KiB\n",
           sockets, MOST - 1, network - start, first - network, each);
    printf(
        "calculated, a node of %d ranks, each of which sends to %.0f other nodes of as many: %.0f"
        " connections and %.1f MiB without a delegatee, %.0f and %.1f MiB with it\n",
        NODE_RANKS, peers, NODE_RANKS * NODE_RANKS * peers,
        NODE_RANKS * ((double)(first - start) + (NODE_RANKS * peers - 1) * each) / 1024, peers,
        ((double)(first - start) + (peers - 1) * each) / 1024);
    fflush(stdout);
}

/* The others sleep between looks: they share few cores. */
static void be_peer(member *me)
{
    join(me);
    atomic_fetch_add(&me->w->arrived[0], 1);
    while (!hy_load_acquire(&me->w->note[0]))
        if (me->net->ops->progress(me->net) == 0) usleep(1000);
    leave(me);
}

static void be_measured(member *me)
{
    if (me->rank) {
        be_peer(me);
        return;
    }
    measure(me);
    hy_store_release(&me->w->note[0], 1);
    leave(me);
}

int main(void)
{
    tested = &hy_net_ofi;
    setenv("HAYATE_OFI_PROVIDER", "tcp;ofi_rxm", 0);
    need_network();
    run_stories(MOST, be_measured);
    return 0;
}
