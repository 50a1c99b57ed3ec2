/* SPDX-License-Identifier: Apache-2.0 */
/* Messages that come in. What they say is checked before anything is done: anybody may have sent
 * them until the token is seen, and any member afterwards. */
#include "base/clock.h"
#include "base/log.h"
#include "base/status.h"
#include "path/ofi/ofi_net.h"

static bool lies_in(const ofi_net *net, uint64_t offset, uint64_t bytes, uint64_t align)
{
    return offset % align == 0 && offset <= net->wish.part_bytes &&
           bytes <= net->wish.part_bytes - offset;
}

static bool is_sound(const ofi_net *net, const ofi_message *message)
{
    const ofi_head *head = &message->head;
    if (head->rank >= (uint32_t)net->wish.ranks) return false;
    switch (head->kind) {
    case OFI_SIGNAL: return lies_in(net, head->offset, sizeof(hy_slot), HY_LINE);
    case OFI_FLAG:
        return head->bytes == sizeof(hy_flag) - 8 &&
               lies_in(net, head->offset, sizeof(hy_flag), sizeof(hy_flag));
    case OFI_ATOMIC:
        return head->bytes == 16 && head->what < HY_ATOMICS && lies_in(net, head->offset, 8, 8);
    case OFI_ASK:
    case OFI_ANSWER:
    case OFI_BYE: return head->bytes == 0;
    default: return false;
    }
}

static void *at(const ofi_net *net, uint64_t offset)
{
    return (uint8_t *)net->wish.part + offset;
}

static void deliver_signal(const ofi_net *net, const ofi_message *message)
{
    hy_slot *slot = at(net, message->head.offset);
    hy_copy_slot(slot->payload, message->payload, message->head.bytes);
    hy_store_release(&slot->head, message->head.value);
}

static void deliver_flag(const ofi_net *net, const ofi_message *message)
{
    _Atomic uint64_t *to = at(net, message->head.offset);
    for (int i = 0; i < 3; i++) {
        uint64_t word;
        memcpy(&word, message->payload + 8 * i, sizeof word);
        hy_store_relaxed(&to[i + 1], word);
    }
    hy_store_release(&to[0], message->head.value);
}

static uint64_t change(_Atomic uint64_t *word, uint8_t what, uint64_t operand, uint64_t expected)
{
    switch (what) {
    case HY_ATOMIC_ADD: return atomic_fetch_add(word, operand);
    case HY_ATOMIC_AND: return atomic_fetch_and(word, operand);
    case HY_ATOMIC_OR: return atomic_fetch_or(word, operand);
    case HY_ATOMIC_SWAP: return atomic_exchange(word, operand);
    case HY_ATOMIC_COMPARE_SWAP:
        atomic_compare_exchange_strong(word, &expected, operand);
        return expected;
    default: return hy_load_acquire(word);
    }
}

/* The answer takes the place of the question. */
static bool answer(ofi_net *net, ofi_op *op, uint64_t ticket, uint64_t value)
{
    ofi_message *message = (ofi_message *)(void *)op->data;
    if (ofi_peer_find(net, (int)message->head.rank, &op->peer)) {
        hy_log(HY_LOG_INFO, "no answer to rank %u: %s", message->head.rank, hayate_error());
        return false;
    }
    message->head = (ofi_head){.token = op->peer->token,
                               .value = value,
                               .offset = ticket,
                               .rank = (uint32_t)net->wish.rank,
                               .kind = OFI_ANSWER};
    return true;
}

static bool deliver_atomic(ofi_net *net, ofi_op *op, const ofi_message *message)
{
    uint64_t ticket, expected;
    memcpy(&ticket, message->payload, 8);
    memcpy(&expected, message->payload + 8, 8);
    uint64_t before = change(at(net, message->head.offset), message->head.what, message->head.value,
                             expected);
    if (message->head.what != HY_ATOMIC_FETCH) hy_bell_ring(net->wish.bell);
    return answer(net, op, ticket, before);
}

/* Late ones (their ticket was given up) and forged ones find no ticket of that number and rank. */
static void deliver_answer(ofi_net *net, const ofi_head *head)
{
    ofi_ticket *ticket = &net->tickets[head->offset % OFI_TICKETS];
    if (!ticket->peer || ticket->number != head->offset || ticket->answered ||
        ticket->peer->rank != (int)head->rank)
        return;
    ticket->value = head->value;
    ticket->answered = true;
}

/* NULL: nothing was ever sent to it. */
static ofi_peer *known_peer(const ofi_net *net, int rank)
{
    ofi_peer **page = net->pages[rank / OFI_PAGE];
    return page ? page[rank % OFI_PAGE] : NULL;
}

static void hear(ofi_net *net, int rank)
{
    ofi_peer *peer = known_peer(net, rank);
    if (peer) ofi_heard(peer);
}

static void part_from(ofi_net *net, int rank)
{
    ofi_peer *peer = known_peer(net, rank);
    if (!peer || peer->failed) return;
    peer->left = true;
    ofi_peer_lost(peer, "it has left the job");
}

static bool carry_out(ofi_net *net, ofi_op *op, const ofi_message *message)
{
    switch (message->head.kind) {
    case OFI_SIGNAL:
        deliver_signal(net, message);
        hy_bell_ring(net->wish.bell);
        return false;
    case OFI_FLAG:
        deliver_flag(net, message);
        hy_bell_ring(net->wish.bell);
        return false;
    case OFI_ATOMIC: return deliver_atomic(net, op, message);
    case OFI_ASK: return answer(net, op, message->head.offset, 0);
    case OFI_ANSWER: deliver_answer(net, &message->head); return false;
    default: part_from(net, (int)message->head.rank); return false;
    }
}

bool ofi_deliver(ofi_net *net, ofi_op *op, size_t bytes)
{
    const ofi_message *message = (const ofi_message *)(const void *)op->data;
    const ofi_head *head = &message->head;
    if (bytes < sizeof *head || bytes > sizeof *message || head->token != net->token) {
        if (net->strangers++ == 0)
            hy_log(HY_LOG_WARN, "a message of %zu bytes without this job's token was dropped",
                   bytes);
        return false;
    }
    if (head->bytes != bytes - sizeof *head || !is_sound(net, message)) {
        if (net->refused++ == 0)
            hy_log(HY_LOG_WARN, "a message of rank %u makes no sense and was dropped (kind %u)",
                   head->rank, head->kind);
        return false;
    }
    hear(net, (int)head->rank);
    return carry_out(net, op, message);
}
