/* SPDX-License-Identifier: Apache-2.0 */
/* A channel to a remote peer: flags and signals written into its memory, and the bounce buffer
 * of eager messages. */
#include <stdlib.h>

#include "wire/channel.h"

int hy_channel_flag(const hy_channel *channel, size_t field, uint64_t value, uint64_t first,
                    uint64_t second, uint64_t third)
{
    const hy_flag flag = {value, {first, second, third}};
    return channel->ep->ops->put_flag(channel->ep, channel->peer_match_at + field, &flag);
}

/* ---- the bounce buffer ---- */

static uint64_t bounce_bytes(const hy_channel *channel)
{
    return HY_CHANNEL_DEPTH * channel->job->eager_bytes;
}

static uint64_t channel_far_place_of(const hy_channel *channel, uint32_t index)
{
    return index % HY_CHANNEL_DEPTH * channel->job->eager_bytes;
}

/* 0: the peer has no bounce buffer into which this rank could put. */
static uint64_t bounce_offset(const hy_channel *channel)
{
    if (!channel->bounce) return 0;
    uint64_t offset = hy_job_heap_offset(channel->job, channel->bounce, bounce_bytes(channel));
    return offset == HY_NOT_IN_HEAP ? 0 : offset;
}

/* The path remembers an error; a wait for this peer will report it. */
void hy_channel_tell_far(const hy_channel *channel, uint64_t told)
{
    hy_channel_flag(channel, offsetof(hy_match, told), told, bounce_offset(channel), 0, 0);
}

/* If the heap is full, messages are fetched into private memory as long as the channel exists.
 * The next received message is acknowledged at once, which tells the peer where the bounce
 * buffer is. */
static int open_bounce(hy_channel *channel)
{
    if (channel->bounce) return HAYATE_OK;
    channel->bounce = hy_job_alloc(channel->job, bounce_bytes(channel));
    if (!channel->bounce) channel->bounce = aligned_alloc(HY_LINE, bounce_bytes(channel));
    if (!channel->bounce)
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for the messages of rank %d",
                       channel->ep->rank);
    uint32_t taken = hy_load_relaxed(&channel->received);
    hy_store_relaxed(&channel->acks_told, taken - HY_CHANNEL_DEPTH / 2);
    return HAYATE_OK;
}

/* A buffer in the bounce buffer is free again when its slot is: the peer may write both. */
void hy_channel_close_bounce(hy_channel *channel)
{
    if (!bounce_offset(channel)) free(channel->bounce);
    else if (hy_channel_is_left(channel)) hy_job_release(channel->job, channel->bounce);
    else hy_job_release_late(channel->job, channel->bounce);
    channel->bounce = NULL;
}

int hy_channel_land(hy_channel *channel, const uint8_t *buffer, size_t len, bool *bounced)
{
    hy_ep *ep = channel->ep;
    uint64_t bounce = hy_load_acquire(&channel->match->bounce);
    if (!bounce) return HAYATE_OK;
    if (!hy_ep_contains(ep, bounce, bounce_bytes(channel)))
        return hy_fail_peer(HAYATE_ERR_CORRUPT, ep->rank,
                            "rank %d gave a bounce buffer outside its memory", ep->rank);
    uint64_t place = bounce + channel_far_place_of(channel, hy_load_relaxed(&channel->sent));
    *bounced = true;
    return ep->ops->put_start(ep, place, buffer, len);
}

/* While this message is here, the peer does not use the buffer with its number in the bounce
 * buffer. */
int hy_channel_far_payload(hy_channel *channel, uint64_t head, const hy_descriptor *descriptor,
                           const uint8_t **payload)
{
    hy_ep *ep = channel->ep;
    bool bounced = hy_head_kind(head) == HY_KIND_BOUNCE;
    if (bounced && !bounce_offset(channel))
        return hy_fail_peer(HAYATE_ERR_CORRUPT, ep->rank,
                            "rank %d sent a message with an invalid location", ep->rank);
    int rc = bounced ? HAYATE_OK : open_bounce(channel);
    if (rc) return rc;
    uint8_t *place = channel->bounce + channel_far_place_of(channel, (uint32_t)head - 1);
    *payload = place;
    return bounced ? HAYATE_OK : ep->ops->get(ep, descriptor->offset, place, descriptor->len);
}
