/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks incoming messages and carries them out on the part of this rank; tickets pair questions
 * with their answers.
 */
#include "net/message.h"

#include "base/log.h"
#include "net/piggyback.h"
#include "path/memory.h"

static bool lies_in(const hy_net_attr *attr, uint64_t offset, uint64_t bytes, uint64_t align)
{
    return offset % align == 0 && offset <= attr->part_bytes && bytes <= attr->part_bytes - offset;
}

static bool may_carry(const hy_net_head *head)
{
    return head->kind == HY_NET_SIGNAL || head->kind == HY_NET_FLAG || head->kind == HY_NET_PUT;
}

/* Length of the piggyback. */
static size_t ridden(const hy_net_head *head)
{
    return may_carry(head) && head->what ? sizeof(uint64_t) + head->what : 0;
}

bool hy_net_mount(hy_net_message *message, size_t *bytes, uint64_t offset, const void *data,
                  size_t len)
{
    uint8_t *place = message->payload + *bytes;
    size_t more = sizeof offset + len;
    if (!may_carry(&message->head) || len == 0 || len > HY_NET_PIGGYBACK ||
        *bytes + more > sizeof message->payload)
        return false;
    memcpy(place, &offset, sizeof offset);
    memcpy(place + sizeof offset, data, len);
    message->head.what = (uint8_t)len;
    *bytes += more;
    return true;
}

static uint64_t offset_of_piggyback(const hy_net_message *message)
{
    uint64_t offset;
    memcpy(&offset, message->payload + message->head.bytes - ridden(&message->head), sizeof offset);
    return offset;
}

static bool piggyback_is_valid(const hy_net_attr *attr, const hy_net_message *message)
{
    const hy_net_head *head = &message->head;
    if (head->what == 0 || head->kind == HY_NET_ATOMIC) return true;
    return may_carry(head) && head->bytes >= ridden(head) &&
           lies_in(attr, offset_of_piggyback(message), head->what, 1);
}

static bool has_sense(const hy_net_attr *attr, const hy_net_message *message)
{
    const hy_net_head *head = &message->head;
    if (head->rank >= (uint32_t)attr->ranks || !piggyback_is_valid(attr, message)) return false;
    switch (head->kind) {
    case HY_NET_SIGNAL: return lies_in(attr, head->offset, sizeof(hy_slot), HY_LINE);
    case HY_NET_FLAG:
        return head->bytes == sizeof(hy_flag) - 8 + ridden(head) &&
               lies_in(attr, head->offset, sizeof(hy_flag), sizeof(hy_flag));
    case HY_NET_ATOMIC:
        return head->bytes == 16 && head->what < HY_ATOMICS && lies_in(attr, head->offset, 8, 8);
    case HY_NET_ASK:
    case HY_NET_ANSWER:
    case HY_NET_BYE:
    case HY_NET_GIVEN_UP: return head->bytes == 0;
    case HY_NET_PUT: return head->what && head->bytes == ridden(head);
    case HY_NET_ENDPOINT: return head->bytes > 0 && head->endpoint > 0;
    default: return false;
    }
}

bool hy_net_is_sound(const hy_net_attr *attr, uint64_t token, const hy_net_message *message,
                     size_t bytes, hy_net_dropped *dropped)
{
    const hy_net_head *head = &message->head;
    if (bytes < sizeof *head || bytes > sizeof *message || head->token != token) {
        if (dropped->strangers++ == 0)
            hy_log(HY_LOG_WARN, "a message of %zu bytes without this job's token was dropped",
                   bytes);
        return false;
    }
    if (head->bytes == bytes - sizeof *head && has_sense(attr, message)) return true;
    if (dropped->senseless++ == 0)
        hy_log(HY_LOG_WARN, "an invalid message of rank %u was dropped (kind %u)", head->rank,
               head->kind);
    return false;
}

static void *at(const hy_net_attr *attr, uint64_t offset)
{
    return (uint8_t *)attr->part + offset;
}

static void do_piggyback(const hy_net_attr *attr, const hy_net_message *message)
{
    const hy_net_head *head = &message->head;
    if (ridden(head))
        memcpy(at(attr, offset_of_piggyback(message)), message->payload + head->bytes - head->what,
               head->what);
}

static void do_signal(const hy_net_attr *attr, const hy_net_message *message)
{
    hy_slot *slot = at(attr, message->head.offset);
    hy_copy_slot(slot->payload, message->payload, message->head.bytes - ridden(&message->head));
    hy_store_release(&slot->head, message->head.value);
}

static void do_flag(const hy_net_attr *attr, const hy_net_message *message)
{
    _Atomic uint64_t *to = at(attr, message->head.offset);
    for (int i = 0; i < 3; i++) {
        uint64_t word;
        memcpy(&word, message->payload + 8 * i, sizeof word);
        hy_store_relaxed(&to[i + 1], word);
    }
    hy_store_release(&to[0], message->head.value);
}

static void do_atomic(const hy_net_attr *attr, const hy_net_message *message, hy_net_head *answer)
{
    uint64_t expected;
    memcpy(&answer->offset, message->payload, 8);
    memcpy(&expected, message->payload + 8, 8);
    answer->value = hy_atomic_apply(at(attr, message->head.offset), message->head.what,
                                    message->head.value, expected);
}

static void tell(const hy_net_attr *attr, uint64_t offset)
{
    if (hy_likely(!attr->arrived)) hy_bell_ring(attr->bell);
    else attr->arrived(attr->lookup_context, offset);
}

bool hy_net_carry_out(const hy_net_attr *attr, const hy_net_message *message, hy_net_head *answer)
{
    const hy_net_head *head = &message->head;
    *answer = (hy_net_head){
        .offset = head->offset, .rank = (uint32_t)attr->rank, .kind = HY_NET_ANSWER};
    do_piggyback(attr, message);
    if (head->kind == HY_NET_PUT) return false;
    if (head->kind == HY_NET_SIGNAL) do_signal(attr, message);
    else if (head->kind == HY_NET_FLAG) do_flag(attr, message);
    else if (head->kind == HY_NET_ATOMIC) do_atomic(attr, message, answer);
    else return head->kind == HY_NET_ASK;
    if (head->kind != HY_NET_ATOMIC || head->what != HY_ATOMIC_FETCH) tell(attr, head->offset);
    return head->kind == HY_NET_ATOMIC;
}

hy_net_ticket *hy_net_ticket_take(hy_net_tickets *tickets, int rank, hy_net_message *message)
{
    for (uint64_t i = 0; i < HY_NET_TICKETS; i++) {
        hy_net_ticket *ticket = &tickets->all[i];
        if (ticket->taken) continue;
        *ticket = (hy_net_ticket){
            .taken = true, .rank = rank, .number = ++tickets->asked * HY_NET_TICKETS + i};
        if (message->head.kind == HY_NET_ASK) message->head.offset = ticket->number;
        else memcpy(message->payload, &ticket->number, sizeof ticket->number);
        return ticket;
    }
    return NULL;
}

void hy_net_answered(hy_net_tickets *tickets, const hy_net_head *head)
{
    hy_net_ticket *ticket = &tickets->all[head->offset % HY_NET_TICKETS];
    if (!ticket->taken || ticket->answered || ticket->number != head->offset ||
        ticket->rank != (int)head->rank)
        return;
    ticket->value = head->value;
    ticket->answered = true;
}
