/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A node of two ranks with a delegatee, and another node of two ranks, for targets that give the
 * delegatee what a rank of its node can write. The network is a fake: it accesses the local data of
 * an operation, requires that the remote ones lie in the parts of the other node, and completes
 * operations at once or later, as the offset says. Pages without access surround the parts.
 */
#ifndef HY_TEST_FUZZ_DELEG_NODE_H
#define HY_TEST_FUZZ_DELEG_NODE_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "deleg/deleg_state.h"

#define NODE_RANKS 4
#define NODE_PARTS 2
#define NODE_PAGE 4096
#define NODE_PART_BYTES (16 * NODE_PAGE)

static struct {
    uint8_t *memory;
    uint64_t bytes;
    hy_control *control;
    hy_deleg *deleg;
    uint64_t touched; /* keeps the reads of the fake network */
    uint32_t begun;   /* its operations under way */
} node;

static void require(bool truth)
{
    if (!truth) abort();
}

/* ---- the network ---- */

static void fake_move(const hy_path_op *op)
{
    uint8_t *local = op->local;
    bool reads = op->kind == HY_OP_PUT || op->kind == HY_OP_SIGNAL || op->kind == HY_OP_FLAG;
    if (op->kind == HY_OP_FLUSH) return;
    require(op->remote < (uint64_t)NODE_PARTS * NODE_PART_BYTES);
    if (op->kind == HY_OP_ATOMIC) {
        *op->before = op->operand;
        return;
    }
    require(op->len <= NODE_PARTS * NODE_PART_BYTES - op->remote);
    for (size_t i = 0; reads && i < op->len; i++) node.touched += local[i];
    if (!reads && op->len) memset(local, 0xa5, op->len);
}

static int fake_test(hy_ep *ep, hy_path_op *op)
{
    require(ep->rank == 1 && node.begun > 0 && op->path[0] > 0);
    fake_move(op);
    op->ordered = op->path[0] == 1;
    if (--op->path[0]) return HAYATE_IN_PROGRESS;
    node.begun--;
    return op->remote % 1024 == 1023 ? HAYATE_ERR_SYSTEM : HAYATE_OK;
}

static int fake_begin(hy_ep *ep, hy_path_op *op)
{
    require(ep->rank == 1 && (unsigned)op->kind <= HY_OP_FLAG);
    fake_move(op);
    op->path[0] = (op->remote ^ op->operand) >> 5 & 3;
    if (!op->path[0]) return HAYATE_OK;
    node.begun++;
    return HAYATE_IN_PROGRESS;
}

static void fake_signal(hy_ep *ep, uint64_t slot, uint64_t head, const void *payload, size_t len)
{
    (void)ep, (void)slot, (void)head, (void)payload, (void)len;
    abort(); /* it would wait */
}

static const hy_path_ops fake_row = {
    .name = "fake", .signal = fake_signal, .begin = fake_begin, .test = fake_test};

static void fake_attach(hy_net *net, hy_ep *ep, int rank, int lane)
{
    require(rank == 1 && lane == 0);
    ep->ops = &fake_row;
    ep->net = net;
    ep->rank = rank;
}

static int fake_progress(hy_net *net)
{
    (void)net;
    return 0;
}

static int fake_check(hy_ep *ep)
{
    require(ep->rank == 1);
    return HAYATE_OK;
}

static bool fake_has_left(hy_ep *ep)
{
    require(ep->rank == 1);
    return false;
}

static void fake_describe(const hy_net *net, char *text, size_t room)
{
    snprintf(text, room, "%s", net->ops->row->name);
}

static void fake_close(hy_net *net)
{
    (void)net;
}

static const hy_net_ops fake_ops = {.name = "fake",
                                    .row = &fake_row,
                                    .attach = fake_attach,
                                    .progress = fake_progress,
                                    .check = fake_check,
                                    .has_left = fake_has_left,
                                    .describe = fake_describe,
                                    .close = fake_close};

/* ---- the node ---- */

static uint8_t *node_part(int part)
{
    return node.memory + node.control->control_bytes + (uint64_t)part * NODE_PART_BYTES;
}

static hy_delegation *node_area(void)
{
    return hy_control_delegation(node.control);
}

static void node_map(uint64_t control_bytes)
{
    static uint8_t *mapped; /* the same for all inputs; it is zero again after the madvise() */
    if (!mapped) {
        uint64_t parts_end = control_bytes + NODE_PARTS * NODE_PART_BYTES;
        node.bytes = parts_end + NODE_PAGE;
        mapped = mmap(NULL, node.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        require(mapped != MAP_FAILED);
        require(mprotect(mapped + control_bytes - NODE_PAGE, NODE_PAGE, PROT_NONE) == 0);
        require(mprotect(mapped + parts_end, NODE_PAGE, PROT_NONE) == 0);
    }
    require(madvise(mapped, node.bytes, MADV_DONTNEED) == 0);
    node.memory = mapped;
}

static void node_open(void)
{
    static hy_net net = {.ops = &fake_ops};
    uint64_t at = hy_control_list_at(NODE_RANKS, NODE_PARTS);
    uint64_t area = hy_round_up(hy_delegation_bytes(NODE_PARTS, 2), HY_LINE);
    uint64_t control_bytes = hy_round_up(at + area, NODE_PAGE) + NODE_PAGE;
    node_map(control_bytes);
    hy_control *control = node.control = (hy_control *)(void *)node.memory;
    *control = (hy_control){.magic = HY_CONTROL_MAGIC,
                            .abi = HY_ABI,
                            .size = NODE_RANKS,
                            .control_bytes = control_bytes,
                            .part_bytes = NODE_PART_BYTES,
                            .delegation_at = at,
                            .delegation_bytes = area,
                            .cpus = 2,
                            .parts = NODE_PARTS,
                            .nodes = 2};
    hy_layout_find_rule(&control->layout, (const int32_t[]){0, 0, 1, 1}, NODE_RANKS, 2);
    hy_delegation_init(node.memory + at, NODE_PARTS, 2);
    const hy_boot boot = {.rank = 0, .size = 2, .control = control};
    require(hy_deleg_make(&node.deleg, &boot, control) == HAYATE_OK);
    node.deleg->job.net = &net;
    node.begun = 0;
    hy_deleg_start(node.deleg);
}

/* Until nothing is under way, or only runs that wait for a signal. */
static void node_turn(int turns)
{
    for (int i = 0; i < turns; i++) {
        hy_deleg_take(node.deleg);
        hy_deleg_advance(node.deleg);
        hy_deleg_run(node.deleg);
    }
}

static void node_close(void)
{
    hy_deleg_close(node.deleg);
}

/* Writes number `number` into the slot; everything else is `bytes`, or zero. */
static void node_post(uint32_t part, int ring, uint64_t number, const uint8_t *bytes, size_t size)
{
    hy_ring *shared = hy_delegation_ring(node_area(), NODE_PARTS, 2, part, ring);
    hy_command *slot = &shared->commands[(number - 1) % HY_RING_DEPTH];
    size_t from = offsetof(hy_command, kind), room = offsetof(hy_command, done) - from;
    memset(&slot->kind, 0, room);
    memcpy(&slot->kind, bytes, size < room ? size : room);
    hy_store_release(&slot->posted, number);
    hy_delegation_tell(node_area(), part, ring);
}

static uint64_t node_done(uint32_t part, int ring, uint64_t number)
{
    hy_ring *shared = hy_delegation_ring(node_area(), NODE_PARTS, 2, part, ring);
    return hy_load_acquire(&shared->commands[(number - 1) % HY_RING_DEPTH].done);
}

#endif
