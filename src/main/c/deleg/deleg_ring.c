/* SPDX-License-Identifier: Apache-2.0 */
/* Takes commands out of the rings, checks them, begins them, and gives their results. */
#include <stdlib.h>

#include "base/status.h"
#include "deleg/deleg_state.h"

/* At most this many commands of a ring in a turn: then it is another ring's turn. */
#define AT_ONCE 16

static void look_again(hy_deleg *deleg, const deleg_ring *ring)
{
    deleg->again[ring->index / 64] |= UINT64_C(1) << ring->index % 64;
}

/* ---- results ---- */

/* A flag that nobody will see, for example: its rank must not wait for the answer to it. */
static void note_lost(const deleg_ring *ring, const hy_command *command, int status)
{
    _Atomic uint64_t *lost = &ring->rank->shared->lost;
    if (command->forgotten && status != HAYATE_ERR_PEER_FAILED && !hy_load_relaxed(lost))
        hy_store_release(lost, hy_lost_command(command->rank, status));
}

/* The slot is the rank's again after the release. */
static void give_result(const deleg_ring *ring, const hy_command *command, uint64_t number,
                        int status, const uint64_t *before)
{
    hy_command *slot = &ring->shared->commands[(number - 1) % HY_RING_DEPTH];
    if (hy_unlikely(status)) note_lost(ring, command, status);
    if (before) memcpy(slot->payload, before, sizeof *before);
    hy_store_release(&slot->done, hy_command_done(number, status));
    hy_bell_ring(ring->rank->bell);
}

static void deleg_end(hy_deleg *deleg, deleg_op *op, int rc)
{
    deleg_ring *ring = op->ring;
    bool has_result = op->command.kind == HY_OP_ATOMIC || op->command.kind == HY_COMMAND_LOAD;
    if (hy_unlikely(rc == HAYATE_ERR_PEER_FAILED)) hy_deleg_lost(deleg, op->ep->rank);
    give_result(ring, &op->command, op->number, rc, has_result ? &op->before : NULL);
    ring->under_way--;
    if (ring->first == op) ring->first = NULL;
    look_again(deleg, ring);
    op->next = deleg->free;
    deleg->free = op;
}

/* ---- checks ---- */

static int refuse(const deleg_ring *ring, const char *what, uint64_t value)
{
    return hy_fail(HAYATE_ERR_ARGUMENT, "rank of part %u: a command with %s %llu", ring->rank->part,
                   what, (unsigned long long)value);
}

/* The bytes at the peer that a command accesses, and their alignment. */
static int extent(const deleg_ring *ring, const hy_command *command, uint64_t *len, uint64_t *align)
{
    *align = 1;
    switch (command->kind) {
    case HY_OP_PUT:
    case HY_OP_GET: *len = command->len; return HAYATE_OK;
    case HY_OP_SIGNAL: *len = *align = sizeof(hy_slot); return HAYATE_OK;
    case HY_OP_FLAG: *len = *align = sizeof(hy_flag); return HAYATE_OK;
    case HY_OP_ATOMIC: *len = *align = sizeof(uint64_t); return HAYATE_OK;
    case HY_OP_FLUSH: *len = 0; return HAYATE_OK;
    default: return refuse(ring, "the kind", command->kind);
    }
}

/* Where the local data of a put or get are. */
static int find_data(const hy_deleg *deleg, const deleg_ring *ring, deleg_op *op)
{
    const hy_command *command = &op->command;
    uint64_t room = command->where == HY_LOCAL_PART      ? deleg->part_bytes
                    : command->where == HY_LOCAL_STAGING ? HY_STAGING_BYTES
                                                         : 0;
    uint8_t *base = command->where == HY_LOCAL_PART ? ring->rank->memory : ring->shared->staging;
    if (command->where == HY_LOCAL_INLINE) {
        if (command->kind != HY_OP_PUT || command->len != command->bytes)
            return refuse(ring, "inline data of length", command->len);
        op->op.local = op->command.payload;
        return HAYATE_OK;
    }
    if (command->where == HY_LOCAL_ADDRESS && command->kind == HY_OP_PUT) return HAYATE_OK;
    if (!room) return refuse(ring, "data at the place", command->where);
    if (command->local > room || command->len > room - command->local)
        return refuse(ring, "data outside of its memory, of length", command->len);
    op->op.local = base + command->local;
    return HAYATE_OK;
}

/* Fills in op->op and op->ep. */
static int deleg_check(hy_deleg *deleg, const deleg_ring *ring, deleg_op *op)
{
    const hy_command *command = &op->command;
    uint64_t len = 0, align = 1;
    int rc = extent(ring, command, &len, &align);
    if (rc) return rc;
    if (command->rank >= deleg->layout.rule.by_node.count)
        return refuse(ring, "the rank", command->rank);
    uint32_t part;
    int node = (int)hy_layout_node(&deleg->layout, command->rank, &part);
    if (node == deleg->job.rank)
        return refuse(ring, "a rank that is not on another node:", command->rank);
    if (command->remote % align || command->remote > deleg->part_bytes ||
        len > deleg->part_bytes - command->remote)
        return refuse(ring, "the offset", command->remote);
    if (command->bytes > HY_SLOT_PAYLOAD) return refuse(ring, "a payload of", command->bytes);
    if (command->kind == HY_OP_FLAG && command->bytes != sizeof(hy_flag) - 8)
        return refuse(ring, "the data of a flag of length", command->bytes);
    if (command->kind == HY_OP_ATOMIC && command->what >= HY_ATOMICS)
        return refuse(ring, "the atomic", command->what);
    op->ep = hy_deleg_node(deleg, node);
    op->op.kind = (hy_op_kind)command->kind;
    op->op.ordered = false;
    op->op.remote = part * deleg->part_bytes + command->remote;
    op->op.local = op->command.payload;
    op->op.len = command->bytes;
    op->op.what = (hy_atomic)command->what;
    op->op.operand = command->operand;
    op->op.expected = command->expected;
    op->op.before = &op->before;
    if (command->kind != HY_OP_PUT && command->kind != HY_OP_GET) return HAYATE_OK;
    op->op.len = command->len;
    return find_data(deleg, ring, op);
}

/* ---- commands ---- */

static deleg_op *new_op(hy_deleg *deleg)
{
    deleg_op *op = deleg->free;
    if (op) deleg->free = op->next;
    else op = aligned_alloc(HY_LINE, hy_round_up(sizeof *op, HY_LINE));
    return op;
}

static void copy_command(hy_command *to, const hy_command *from)
{
    memcpy(&to->kind, &from->kind, offsetof(hy_command, payload) - offsetof(hy_command, kind));
    if (to->bytes) memcpy(to->payload, from->payload, sizeof to->payload);
}

static bool in_process(const deleg_op *op)
{
    return op->op.kind == HY_OP_PUT && op->command.where == HY_LOCAL_ADDRESS;
}

/* The next command, of a ring in which it may begin. */
static void deleg_begin(hy_deleg *deleg, deleg_ring *ring, const hy_command *slot)
{
    deleg_op *op = new_op(deleg);
    if (!op) { /* out of memory: the command fails, the ring goes on */
        give_result(ring, slot, ring->next++, HAYATE_ERR_NO_MEMORY, NULL);
        return;
    }
    copy_command(&op->command, slot);
    op->ring = ring;
    op->piece = NULL;
    op->number = ring->next++;
    ring->under_way++;
    if (op->command.kind >= HY_COMMAND_LOAD && op->command.kind <= HY_COMMAND_UNLOAD) {
        deleg_end(deleg, op, hy_deleg_offload(deleg, ring->rank, &op->command, &op->before));
        return;
    }
    int rc = deleg_check(deleg, ring, op);
    hy_delegation_count(&ring->rank->shared->taken, rc ? 0 : op->op.len);
    if (!rc)
        rc = in_process(op) ? hy_deleg_pieces_begin(op) : hy_op_begin(op->ep->ops, op->ep, &op->op);
    if (rc != HAYATE_IN_PROGRESS) {
        deleg_end(deleg, op, rc);
        return;
    }
    bool orders = op->op.kind == HY_OP_PUT || op->op.kind == HY_OP_SIGNAL ||
                  op->op.kind == HY_OP_FLAG;
    if (orders && !op->op.ordered) ring->first = op;
    op->next = deleg->active;
    deleg->active = op;
}

/* A flush completes everything that the ring has begun: it waits until nothing is under way. */
static bool may_begin(const deleg_ring *ring, const hy_command *slot)
{
    return !ring->first && !(slot->kind == HY_OP_FLUSH && ring->under_way);
}

/* Acquire order: the command was written before `posted`. */
static int take_ring(hy_deleg *deleg, deleg_ring *ring)
{
    int taken = 0;
    for (;;) {
        const hy_command *slot = &ring->shared->commands[(ring->next - 1) % HY_RING_DEPTH];
        if (hy_load_acquire(&slot->posted) != ring->next || !may_begin(ring, slot)) return taken;
        if (taken == AT_ONCE) break;
        deleg_begin(deleg, ring, slot);
        taken++;
    }
    look_again(deleg, ring);
    return taken;
}

int hy_deleg_take(hy_deleg *deleg)
{
    int taken = 0;
    for (uint32_t i = 0; i < hy_delegation_words(deleg->parts); i++) {
        uint64_t bits = deleg->again[i];
        deleg->again[i] = 0;
        if (hy_load_relaxed(&deleg->area->work[i])) {
            bits |= atomic_exchange(&deleg->area->work[i], 0);
            /* The exchange is before the loads of `posted`: see delegation.h. C11 does not order
             * them by the exchange alone. */
            atomic_thread_fence(memory_order_seq_cst);
        }
        for (; bits; bits &= bits - 1) {
            uint32_t index = i * 64 + (uint32_t)__builtin_ctzll(bits);
            if (index >= deleg->parts * HY_RINGS) break; /* a rank wrote rubbish */
            deleg_rank *rank = &deleg->ranks[index / HY_RINGS];
            taken += take_ring(deleg, &rank->rings[index % HY_RINGS]);
        }
    }
    return taken;
}

int hy_deleg_advance(hy_deleg *deleg)
{
    int ended = 0;
    for (deleg_op **place = &deleg->active; *place;) {
        deleg_op *op = *place;
        int rc = op->piece ? hy_deleg_pieces_test(op) : hy_op_test(op->ep->ops, op->ep, &op->op);
        if (rc != HAYATE_IN_PROGRESS) {
            *place = op->next;
            deleg_end(deleg, op, rc);
            ended++;
            continue;
        }
        if (op->ring->first == op && op->op.ordered) {
            op->ring->first = NULL;
            look_again(deleg, op->ring);
        }
        place = &op->next;
    }
    return ended;
}
