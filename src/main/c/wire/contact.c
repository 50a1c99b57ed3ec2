/* SPDX-License-Identifier: Apache-2.0 */
/* Takes places in the inboxes of peers, and finds what peers took in this rank's. */
#include "wire/contact.h"

/* record.value */
enum { WRITTEN = 1, TAKEN = 2 };

/* Records that a call looks at: a wait hears in each of its turns. */
#define AT_ONCE 64

/* Offsets in a inbox. */
static uint64_t record_at(const hy_inbox *inbox, uint64_t place)
{
    return inbox->at + HY_LINE + place * sizeof(hy_flag);
}

static uint64_t slots_at(const hy_inbox *inbox, uint64_t place)
{
    return hy_round_up(record_at(inbox, inbox->places), 4096) + place * HY_CHANNEL_FLAG_BYTES;
}

/* With room to align the slots, wherever the inbox is. */
uint64_t hy_inbox_bytes(uint64_t places)
{
    uint64_t each = sizeof(hy_flag) + HY_CHANNEL_FLAG_BYTES + sizeof(hy_match);
    return hy_round_up(HY_LINE + 4096 + places * each, sizeof(hy_match));
}

/* Nobody writes here, and no head is 0. */
static HY_ALIGNED uint8_t no_slots[HY_CHANNEL_FLAG_BYTES];

void hy_contact_open(hy_channel *channel, hy_contact *contact, hy_job *job, int peer)
{
    hy_match *match = (hy_match *)(void *)(job->part + contact->match_offset);
    hy_channel_open(channel, job, peer, no_slots, match, 0, 0);
    channel->contact = contact;
    channel->acked = (uint32_t)-HY_CHANNEL_DEPTH; /* there is no room: hy_channel_room_slow() */
}

/* ---- sending ---- */

static int take_place(hy_channel *channel, uint64_t *place)
{
    const hy_contact *contact = channel->contact;
    hy_ep *ep = channel->ep;
    int rc = ep->ops->atomic(ep, contact->theirs.at, HY_ATOMIC_ADD, 1, 0, place);
    return rc;
}

static int fail_full(const hy_channel *channel)
{
    const hy_contact *contact = channel->contact;
    const hy_ep *ep = channel->ep;
    return hy_fail_peer(HAYATE_ERR_NO_MEMORY, ep->rank,
                        "rank %d has room for messages from %llu lanes of other ranks, and all are "
                        "taken: open FMPL with fewer entries",
                        ep->rank, (unsigned long long)contact->theirs.places);
}

static int write_record(hy_channel *channel, uint64_t place)
{
    const hy_contact *contact = channel->contact;
    const hy_flag record = {WRITTEN,
                            {(uint64_t)channel->job->rank, contact->number, contact->match_offset}};
    return channel->ep->ops->put_flag(channel->ep, record_at(&contact->theirs, place), &record);
}

int hy_channel_connect(hy_channel *channel)
{
    hy_contact *contact = channel->contact;
    uint64_t place = 0;
    if (contact->full) return fail_full(channel);
    int rc = take_place(channel, &place);
    contact->full = !rc && place >= contact->theirs.places;
    if (contact->full) return fail_full(channel);
    if (!rc) rc = write_record(channel, place);
    if (rc) return rc; /* final: the path returns it from now on */
    channel->out = slots_at(&contact->theirs, place);
    channel->acked = 0;
    channel->contact = NULL;
    return HAYATE_OK;
}

/* ---- receiving ---- */

void hy_contact_accept(hy_channel *channel, uint8_t *slots, uint64_t match_offset)
{
    hy_ep *ep = channel->ep;
    if (hy_ep_is_far(ep)) channel->peer_match_at = match_offset;
    else channel->peer_match = (hy_match *)(void *)(ep->part + match_offset);
    __atomic_store_n(&channel->in, slots, __ATOMIC_RELEASE); /* who polls them sees the entry */
}

bool hy_contact_is_accepted(const hy_channel *channel)
{
    return __atomic_load_n(&channel->in, __ATOMIC_ACQUIRE) != no_slots;
}

/* A place may be taken whose record has not come yet, or never comes because its sender has died:
 * the places from `taken_before` on are looked at again and again, some in each call. */
void hy_inbox_scan(hy_job *job, const hy_inbox *inbox, hy_inbox_cursor *cursor,
                   bool (*found)(void *context, const hy_inbox_record *what), void *context)
{
    const _Atomic uint64_t *next = (const _Atomic uint64_t *)(const void *)(job->part + inbox->at);
    uint64_t end = hy_load_acquire(next);
    if (end > inbox->places) end = inbox->places;
    if (cursor->at >= end) cursor->at = cursor->taken_before;
    if (end > cursor->at + AT_ONCE) end = cursor->at + AT_ONCE;
    for (; cursor->at < end; cursor->at++) {
        hy_flag *record = (hy_flag *)(void *)(job->part + record_at(inbox, cursor->at));
        uint64_t value = __atomic_load_n(&record->value, __ATOMIC_ACQUIRE);
        if (value == WRITTEN) {
            const hy_inbox_record what = {record->data[0], record->data[1], record->data[2],
                                          job->part + slots_at(inbox, cursor->at)};
            if (!found(context, &what)) continue;
            __atomic_store_n(&record->value, TAKEN, __ATOMIC_RELAXED);
        } else if (value != TAKEN) {
            continue;
        }
        if (cursor->taken_before == cursor->at) cursor->taken_before++;
    }
}

void hy_inbox_scan_all(hy_job *job, const hy_inbox *inbox, hy_inbox_cursor *cursor,
                       bool (*found)(void *context, const hy_inbox_record *what), void *context)
{
    const _Atomic uint64_t *next = (const _Atomic uint64_t *)(const void *)(job->part + inbox->at);
    uint64_t end = hy_load_acquire(next);
    if (end > inbox->places) end = inbox->places;
    cursor->at = cursor->taken_before;
    while (cursor->at < end) hy_inbox_scan(job, inbox, cursor, found, context);
}
