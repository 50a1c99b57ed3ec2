/* SPDX-License-Identifier: Apache-2.0 */
#include "job/channel.h"

#include <stdlib.h>

void hy_channel_open(hy_channel *channel, hy_job *job, int peer, hy_slot *in, hy_match *match,
                     uint64_t out_offset, uint64_t peer_match_offset)
{
    hy_ep *ep = &job->eps[peer];
    *channel = (hy_channel){
        .ep = ep,
        .out = out_offset,
        .match = match,
        .in = in,
        .peer_match = (hy_match *)(void *)(ep->part + peer_match_offset),
        .job = job,
    };
}

void hy_channel_close(hy_channel *channel)
{
    hy_eager *eager = channel->eager;
    for (int i = 0; eager && i < HY_CHANNEL_DEPTH; i++) {
        if (eager->on_way[i]) hy_job_release(channel->job, eager->on_way[i]);
        if (i < (int)eager->free_count) hy_job_release(channel->job, eager->free[i]);
    }
    free(eager);
    channel->eager = NULL;
}

/* acked = the later of the two, if the sender can have sent as many. */
static void learn(hy_channel *channel, uint32_t count)
{
    if (count - channel->acked <= channel->sent - channel->acked) channel->acked = count;
}

/* Three sources: messages taken, the explicit count, and messages that have come but that nobody
 * has received yet; the peer may rely on the last and be silent otherwise. */
bool hy_channel_room_slow(hy_channel *channel)
{
    learn(channel, hy_load_relaxed(&channel->heard));
    if (channel->sent - channel->acked < HY_CHANNEL_DEPTH) return true;
    learn(channel, hy_load_acquire(&channel->match->acked));
    uint32_t taken = hy_load_relaxed(&channel->received);
    for (uint32_t i = 0; i < HY_CHANNEL_DEPTH; i++) {
        uint64_t head = hy_load_acquire(&channel->in[(taken + i) % HY_CHANNEL_DEPTH].head);
        if ((uint32_t)head != taken + i + 1) break;
        learn(channel, hy_head_acked(head, channel->acked));
    }
    return channel->sent - channel->acked < HY_CHANNEL_DEPTH;
}

void hy_channel_tell_acks(hy_channel *channel, uint32_t taken)
{
    hy_store_relaxed(&channel->acks_told, taken);
    hy_store_release(&channel->peer_match->acked, taken);
    hy_bell_ring(channel->ep->bell);
}

static void reclaim(hy_channel *channel, hy_eager *eager)
{
    learn(channel, hy_load_relaxed(&channel->heard));
    /* Messages without a buffer may have overtaken the count by more than a ring. */
    if (channel->acked - eager->reclaimed > HY_CHANNEL_DEPTH)
        eager->reclaimed = channel->acked - HY_CHANNEL_DEPTH;
    for (; eager->reclaimed != channel->acked; eager->reclaimed++) {
        uint8_t **buffer = &eager->on_way[eager->reclaimed % HY_CHANNEL_DEPTH];
        if (*buffer) eager->free[eager->free_count++] = *buffer;
        *buffer = NULL;
    }
}

uint8_t *hy_channel_eager_buffer(hy_channel *channel)
{
    if (hy_unlikely(!channel->eager)) {
        channel->eager = calloc(1, sizeof *channel->eager);
        if (!channel->eager) {
            hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a channel's eager buffers");
            return NULL;
        }
        channel->eager->reclaimed = channel->acked;
    }
    hy_eager *eager = channel->eager;
    reclaim(channel, eager);
    uint8_t *buffer = eager->free_count ? eager->free[--eager->free_count]
                                        : hy_job_alloc(channel->job, channel->job->eager_bytes);
    eager->on_way[channel->sent % HY_CHANNEL_DEPTH] = buffer;
    return buffer;
}

void hy_channel_post_eager(hy_channel *channel, size_t len, uint64_t flags)
{
    uint8_t *buffer = channel->eager->on_way[channel->sent % HY_CHANNEL_DEPTH];
    hy_parcel parcel = {
        .offset = (uint64_t)(buffer - channel->job->part), .len = len, .flags = flags};
    hy_channel_post(channel, HY_KIND_EAGER, &parcel, sizeof parcel);
}

const uint8_t *hy_channel_eager_payload(const hy_channel *channel, const hy_slot *slot, size_t *len)
{
    hy_parcel parcel;
    memcpy(&parcel, slot->payload, sizeof parcel);
    *len = (size_t)parcel.len;
    if (parcel.len <= channel->job->eager_bytes &&
        hy_ep_contains(channel->ep, parcel.offset, parcel.len))
        return channel->ep->part + parcel.offset;
    hy_fail_peer(HAYATE_ERR_CORRUPT, channel->ep->rank,
                 "rank %d sent an eager message outside of its memory", channel->ep->rank);
    return NULL;
}
