/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages of 8 bytes from one node to another, for a tool that counts instructions of functions
 * (scripts/bench/instructions.sh). Both nodes, their delegatees and the rank that sends are one
 * thread of this process, which takes each step once it is due: no wait is counted, and each run
 * counts the same. Between them is libfabric's tcp, over loopback. Usage: MESSAGES
 */
#include <hayate/hayate.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "base/status.h"
#include "deleg/deleg_state.h"

#define NODES 2
#define PART (UINT64_C(1) << 20)
#define WARM_UP 100
#define LIMIT_NS UINT64_C(60000000000)
#define STEP __attribute__((noipa)) /* by its name in the profile, though others are alike */

#define CHECK(what) \
    do { \
        if (!(what)) { \
            fprintf(stderr, "line %d: not so: %s (%s)\n", __LINE__, #what, hayate_error()); \
            exit(1); \
        } \
    } while (0)

static struct node {
    hy_control *control;
    uint8_t *part;
    hy_bell *bell; /* of its rank */
    hy_deleg *deleg;
    hy_net *net; /* of the delegatee, or of the rank without one */
    uint8_t address[HY_NET_ADDRESS];
    size_t address_bytes;
} nodes[NODES];

static uint64_t sent;
static uint64_t turns[2]; /* of the receiver: in vain, and with a message */

static int look_up(void *context, int rank, void *address, size_t *len)
{
    (void)context;
    memcpy(address, nodes[rank].address, *len = nodes[rank].address_bytes);
    return HAYATE_OK;
}

static int node_of(void *context, int rank)
{
    (void)context;
    return rank;
}

/* ---- the nodes ---- */

/* The segment of a node with one rank. */
static void make_node(struct node *node, int number)
{
    uint64_t at = hy_control_list_at(NODES, 1);
    uint64_t area = hy_round_up(hy_delegation_bytes(1, NODES), HY_LINE);
    uint64_t control_bytes = hy_round_up(at + area, 4096);
    uint8_t *memory = mmap(NULL, control_bytes + PART, PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(memory != MAP_FAILED);
    node->control = (hy_control *)(void *)memory;
    *node->control = (hy_control){.magic = HY_CONTROL_MAGIC,
                                  .abi = HY_ABI,
                                  .size = NODES,
                                  .control_bytes = control_bytes,
                                  .part_bytes = PART,
                                  .delegation_at = at,
                                  .delegation_bytes = area,
                                  .cpus = 2,
                                  .parts = 1,
                                  .node = number,
                                  .nodes = NODES,
                                  .leader = number};
    hy_layout_find_rule(&node->control->layout, (const int32_t[]){0, 1}, NODES, NODES);
    hy_delegation_init(memory + at, 1, NODES);
    node->part = memory + control_bytes;
    node->bell = &hy_control_entry_at(node->control, 0)->bell;
}

static void open_node(struct node *node, int number, bool delegated)
{
    hy_net_attr attr = {.rank = number,
                        .ranks = NODES,
                        .part = node->part,
                        .part_bytes = PART,
                        .bell = node->bell,
                        .one_node = true,
                        .lookup = look_up};
    if (delegated) {
        const hy_boot boot = {.rank = number, .size = NODES, .control = node->control};
        CHECK(hy_deleg_make(&node->deleg, &boot, node->control) == HAYATE_OK);
        attr.bell = node->deleg->job.bell;
        attr.arrived = hy_deleg_arrived;
        attr.lookup_context = node->deleg;
    }
    CHECK(hy_net_ofi.open(&attr, &node->net) == HAYATE_OK);
    hy_net_ofi.address(node->net, node->address, &node->address_bytes);
    if (!delegated) return;
    node->deleg->job.net = node->net;
    hy_deleg_start(node->deleg);
}

static void close_node(struct node *node)
{
    if (node->deleg) hy_deleg_close(node->deleg);
    else node->net->ops->close(node->net);
}

/* ---- steps that are counted ---- */

static void send_one(hy_ep *ep)
{
    ep->ops->signal(ep, 0, ++sent, &sent, sizeof sent);
}

STEP static void plain_send(hy_ep *ep)
{
    send_one(ep);
}

STEP static void delegated_post(hy_ep *ep)
{
    send_one(ep);
}

/* One turn of a delegatee: hy_deleg_serve() without its looks at the launcher. */
static void one_turn(struct node *node)
{
    hy_deleg *deleg = node->deleg;
    hy_deleg_take(deleg);
    if (deleg->active) hy_deleg_advance(deleg);
    node->net->ops->progress(node->net);
}

STEP static void delegated_carry(struct node *node)
{
    one_turn(node);
}

STEP static void delegated_arrive(struct node *node)
{
    one_turn(node);
}

STEP static void plain_complete(struct node *node)
{
    node->net->ops->progress(node->net);
}

STEP static void plain_arrive(struct node *node)
{
    node->net->ops->progress(node->net);
}

static bool has_arrived(const struct node *node)
{
    const hy_slot *slot = (const hy_slot *)(const void *)node->part;
    return hy_load_acquire(&slot->head) == sent;
}

/* Until its network has nothing more to do. */
static void send_and_carry(hy_ep *ep)
{
    if (nodes[0].deleg) {
        delegated_post(ep);
        delegated_carry(&nodes[0]);
    } else {
        plain_send(ep);
        plain_complete(&nodes[0]);
    }
}

static void receive(void)
{
    for (uint64_t end = hy_now_ns() + LIMIT_NS; !has_arrived(&nodes[1]);) {
        CHECK(hy_now_ns() < end);
        if (nodes[1].deleg) delegated_arrive(&nodes[1]);
        else plain_arrive(&nodes[1]);
        turns[has_arrived(&nodes[1])]++;
        if (!has_arrived(&nodes[1])) nodes[0].net->ops->progress(nodes[0].net);
        if (!has_arrived(&nodes[1]) && nodes[0].deleg) hy_deleg_advance(nodes[0].deleg);
    }
}

static void exchange(hy_ep *ep, uint64_t messages)
{
    for (uint64_t i = 0; i < messages; i++) {
        send_and_carry(ep);
        receive();
    }
}

/* Its name is what the tool looks for: only what is below it is counted. */
STEP static void counted(hy_ep *ep, uint64_t messages)
{
    turns[0] = turns[1] = 0;
    exchange(ep, messages);
}

static void measure(bool delegated, uint64_t messages)
{
    hy_net *net;
    hy_ep ep = {.ops = NULL};
    memset(nodes, 0, sizeof nodes);
    sent = 0;
    for (int i = 0; i < NODES; i++) make_node(&nodes[i], i);
    for (int i = 0; i < NODES; i++) open_node(&nodes[i], i, delegated);
    net = nodes[0].net;
    if (delegated) {
        const hy_net_attr attr = {.ranks = NODES,
                                  .part = nodes[0].part,
                                  .part_bytes = PART,
                                  .bell = nodes[0].bell,
                                  .delegation = hy_control_delegation(nodes[0].control),
                                  .parts = 1,
                                  .nodes = NODES,
                                  .cpus = hy_cpus(),
                                  .node_of = node_of};
        CHECK(hy_net_delegated.open(&attr, &net) == HAYATE_OK);
    }
    net->ops->attach(net, &ep, 1, 0);
    exchange(&ep, WARM_UP);
    counted(&ep, messages);
    printf("%s: %llu messages, %llu turns of the receiver in vain\n",
           delegated ? "delegated" : "plain", (unsigned long long)turns[1],
           (unsigned long long)turns[0]);
    if (delegated) net->ops->close(net);
    for (int i = 0; i < NODES; i++) close_node(&nodes[i]);
}

int main(int argc, char **argv)
{
    uint64_t messages = argc == 2 ? strtoull(argv[1], NULL, 10) : 0;
    CHECK(messages > 0);
    setenv("HAYATE_OFI_PROVIDER", "tcp;ofi_rxm", 1);
    hy_wait_setup();
    CHECK(hy_net_ofi.row->probe() == HAYATE_OK);
    measure(false, messages);
    measure(true, messages);
    return 0;
}
