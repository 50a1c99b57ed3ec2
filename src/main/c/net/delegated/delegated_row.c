/* SPDX-License-Identifier: Apache-2.0 */
/* The row of the delegated network: each operation is one command; those whose data the delegatee
 * cannot reach are several (delegated_staging.c). */
#include "base/clock.h"
#include "base/status.h"
#include "net/delegated/delegated_net.h"
#include "path/memory.h"

/* The offset of memory in this rank's part, if it is there. */
static bool lies_in_part(const hy_ep *ep, const void *memory, size_t len, uint64_t *offset)
{
    const hy_net_attr *attr = &delegated_of(ep->net)->attr;
    *offset = (uint64_t)((uintptr_t)memory - (uintptr_t)attr->part);
    return *offset < attr->part_bytes && len <= attr->part_bytes - *offset;
}

static hy_command command_to(const hy_ep *ep, hy_op_kind kind, uint64_t remote)
{
    return (hy_command){.kind = (uint8_t)kind, .rank = (uint32_t)ep->rank, .remote = remote};
}

static hy_command atomic_to(const hy_ep *ep, uint64_t remote, hy_atomic what, uint64_t operand,
                            uint64_t expected)
{
    hy_command command = command_to(ep, HY_OP_ATOMIC, remote);
    command.what = (uint8_t)what;
    command.operand = operand;
    command.expected = expected;
    return command;
}

/* ---- words ---- */

static void delegated_signal(hy_ep *ep, uint64_t slot, uint64_t head, const void *payload,
                             size_t len)
{
    hy_command command = command_to(ep, HY_OP_SIGNAL, slot);
    command.operand = head;
    command.bytes = (uint8_t)len;
    (void)delegated_send(ep, &command, payload, NULL); /* its failure shows in check() */
}

static int delegated_put_flag(hy_ep *ep, uint64_t remote, const hy_flag *flag)
{
    hy_command command = command_to(ep, HY_OP_FLAG, remote);
    if (hy_unlikely(!hy_ep_contains(ep, remote, sizeof *flag)))
        return hy_fail_outside(ep, remote, sizeof *flag);
    if (hy_unlikely(delegated_has_failed(ep))) return delegated_look(ep);
    command.operand = flag->value;
    command.bytes = sizeof flag->data;
    return delegated_send(ep, &command, (const uint8_t *)flag->data, NULL);
}

/* ---- data ---- */

/* What is written and short goes inside of the command: it is the delegatee's then. */
static bool is_carried(const hy_command *command)
{
    return command->kind == HY_OP_SIGNAL || command->kind == HY_OP_FLAG ||
           (command->kind == HY_OP_PUT && command->len <= HY_SLOT_PAYLOAD);
}

/* Fills in where the data are. False: they have to be staged. What is got is never written into the
 * process: the caller may have given the command up, and use the memory for something else. */
static bool find_local(const hy_ep *ep, hy_command *command, const void *local)
{
    if (is_carried(command)) {
        command->bytes = (uint8_t)command->len;
        return true;
    }
    command->where = HY_LOCAL_PART;
    if (lies_in_part(ep, local, command->len, &command->local)) return true;
    command->where = HY_LOCAL_ADDRESS;
    command->local = (uint64_t)(uintptr_t)local;
    return command->kind == HY_OP_PUT && command->len > HY_STAGING_BYTES / 2 &&
           hy_load_relaxed(&delegated_of(ep->net)->slot->reachable);
}

/* ---- non-blocking operations ---- */

typedef struct delegated_op {
    hy_command command;
    delegated_post post;
    bool staged, posted; /* posted: the delegatee has it, or a piece of it */
    hy_ratelimit look;
    delegated_staged move; /* if staged */
} delegated_op;

/* The words of op->path may be less aligned than a command: only its members are used. */
static delegated_op *delegated_op_of(hy_path_op *op)
{
    _Static_assert(sizeof(delegated_op) + HY_LINE <= sizeof op->path, "room in hy_path_op");
    uintptr_t at = hy_round_up((uintptr_t)op->path, HY_LINE);
    return (delegated_op *)at;
}

static int step_staged(hy_path_op *op, delegated_op *o)
{
    uint64_t begun;
    int rc = delegated_staged_test(&o->move, &begun);
    o->posted = begun > 0;
    op->ordered = begun == o->move.pieces;
    return rc;
}

/* A command in the ring is ordered: all of them keep their order. */
static int step(hy_ep *ep, hy_path_op *op)
{
    delegated_op *o = delegated_op_of(op);
    bool carried = is_carried(&o->command);
    if (o->staged) return step_staged(op, o);
    if (!o->posted) {
        int rc = delegated_try(ep, &o->command, op->local, carried ? NULL : &o->post);
        if (rc || carried) return rc;
        o->posted = op->ordered = true;
    }
    return delegated_result(ep, &o->post, op->kind == HY_OP_ATOMIC ? op->before : NULL);
}

static int delegated_test(hy_ep *ep, hy_path_op *op)
{
    delegated_op *o = delegated_op_of(op);
    int rc = step(ep, op);
    if (rc != HAYATE_IN_PROGRESS || !hy_ratelimit_pass(&o->look, hy_tick_ns())) return rc;
    rc = o->posted ? delegated_look_at_delegatee(ep) : delegated_look(ep);
    if (!rc) return HAYATE_IN_PROGRESS;
    if (o->staged) delegated_staged_forget(&o->move);
    else if (o->posted) delegated_forget(&o->post);
    return rc;
}

static int begin_command(hy_ep *ep, hy_path_op *op, const hy_command *command, bool staged)
{
    delegated_op *o = delegated_op_of(op);
    o->command = *command;
    o->staged = staged;
    o->posted = op->ordered = false;
    o->look = (hy_ratelimit){0};
    if (staged) delegated_stage(&o->move, ep, &o->command, op->local);
    return delegated_test(ep, op);
}

static int begin_move(hy_ep *ep, hy_path_op *op)
{
    hy_command command = command_to(ep, op->kind, op->remote);
    if (!hy_ep_contains(ep, op->remote, op->len)) return hy_fail_outside(ep, op->remote, op->len);
    if (hy_unlikely(delegated_has_failed(ep))) return delegated_look(ep);
    command.len = op->len;
    bool staged = !find_local(ep, &command, op->local);
    return begin_command(ep, op, &command, staged);
}

static int begin_atomic(hy_ep *ep, hy_path_op *op)
{
    if (!hy_ep_contains(ep, op->remote, sizeof op->operand))
        return hy_fail_outside(ep, op->remote, sizeof op->operand);
    const hy_command command = atomic_to(ep, op->remote, op->what, op->operand, op->expected);
    return begin_command(ep, op, &command, false);
}

static int begin_word(hy_ep *ep, hy_path_op *op)
{
    bool flag = op->kind == HY_OP_FLAG;
    uint64_t bytes = flag ? sizeof(hy_flag) : sizeof(hy_slot);
    hy_command command = command_to(ep, op->kind, op->remote);
    if (!hy_ep_contains(ep, op->remote, bytes)) return hy_fail_outside(ep, op->remote, bytes);
    command.operand = op->operand;
    command.bytes = (uint8_t)(flag ? sizeof((hy_flag *)NULL)->data : op->len);
    return begin_command(ep, op, &command, false);
}

static int delegated_begin(hy_ep *ep, hy_path_op *op)
{
    hy_command flush = command_to(ep, HY_OP_FLUSH, 0);
    switch (op->kind) {
    case HY_OP_PUT:
    case HY_OP_GET: return begin_move(ep, op);
    case HY_OP_ATOMIC: return begin_atomic(ep, op);
    case HY_OP_FLUSH: return begin_command(ep, op, &flush, false);
    default: return begin_word(ep, op);
    }
}

/* ---- blocking operations on data ---- */

static int move_staged(hy_ep *ep, const hy_command *command, void *local)
{
    delegated_net *net = delegated_of(ep->net);
    hy_path_op op = {.kind = (hy_op_kind)command->kind, .local = local};
    int rc = begin_command(ep, &op, command, true);
    if (rc != HAYATE_IN_PROGRESS) return rc;
    hy_wait wait = hy_wait_begin(&net->policy, net->attr.bell);
    while ((rc = delegated_test(ep, &op)) == HAYATE_IN_PROGRESS) hy_wait_once(&wait);
    hy_wait_end(&wait);
    return rc;
}

/* waits: until the caller may use `local`. */
static int move(hy_ep *ep, hy_op_kind kind, uint64_t remote, void *local, size_t len, bool waits)
{
    delegated_post post;
    hy_command command = command_to(ep, kind, remote);
    if (hy_unlikely(!hy_ep_contains(ep, remote, len))) return hy_fail_outside(ep, remote, len);
    if (hy_unlikely(delegated_has_failed(ep))) return delegated_look(ep);
    command.len = len;
    if (!find_local(ep, &command, local)) return move_staged(ep, &command, local);
    waits = waits && !is_carried(&command);
    int rc = delegated_send(ep, &command, local, waits ? &post : NULL);
    return rc || !waits ? rc : delegated_await(ep, &post, NULL);
}

static int delegated_put(hy_ep *ep, uint64_t remote, const void *local, size_t len)
{
    return move(ep, HY_OP_PUT, remote, (void *)(uintptr_t)local, len, true);
}

static int delegated_get(hy_ep *ep, uint64_t remote, void *local, size_t len)
{
    return move(ep, HY_OP_GET, remote, local, len, true);
}

static int delegated_put_start(hy_ep *ep, uint64_t remote, const void *local, size_t len)
{
    return move(ep, HY_OP_PUT, remote, (void *)(uintptr_t)local, len, false);
}

static int delegated_get_start(hy_ep *ep, uint64_t remote, void *local, size_t len)
{
    return move(ep, HY_OP_GET, remote, local, len, false);
}

/* ---- questions ---- */

static int ask(hy_ep *ep, const hy_command *command, uint64_t *before)
{
    delegated_post post;
    int rc = delegated_send(ep, command, NULL, &post);
    return rc ? rc : delegated_await(ep, &post, before);
}

static int delegated_atomic(hy_ep *ep, uint64_t remote, hy_atomic what, uint64_t operand,
                            uint64_t expected, uint64_t *before)
{
    if (hy_unlikely(!hy_ep_contains(ep, remote, sizeof operand)))
        return hy_fail_outside(ep, remote, sizeof operand);
    const hy_command command = atomic_to(ep, remote, what, operand, expected);
    return ask(ep, &command, before);
}

static int delegated_flush(hy_ep *ep)
{
    const hy_command command = command_to(ep, HY_OP_FLUSH, 0);
    return ask(ep, &command, NULL);
}

static int delegated_probe(void)
{
    return HAYATE_OK;
}

const hy_path_ops delegated_row = {.name = "delegated",
                                   .probe = delegated_probe,
                                   .put = delegated_put,
                                   .get = delegated_get,
                                   .signal = delegated_signal,
                                   .put_start = delegated_put_start,
                                   .get_start = delegated_get_start,
                                   .put_flag = delegated_put_flag,
                                   .atomic = delegated_atomic,
                                   .flush = delegated_flush,
                                   .begin = delegated_begin,
                                   .test = delegated_test};
