/* SPDX-License-Identifier: Apache-2.0 */
/* A channel to a far peer: what is written into its memory, and the landing of eager messages. */
#include <stdlib.h>

#include "wire/channel.h"

int hy_channel_flag(const hy_channel *channel, size_t field, uint64_t value, uint64_t first,
                    uint64_t second, uint64_t third)
{
    const hy_flag flag = {value, {first, second, third}};
    return channel->ep->ops->put_flag(channel->ep, channel->peer_match_at + field, &flag);
}

/* ---- the landing ---- */

static uint64_t landing_bytes(const hy_channel *channel)
{
    return HY_CHANNEL_DEPTH * channel->job->eager_bytes;
}

static uint64_t place_of(const hy_channel *channel, uint32_t index)
{
    return index % HY_CHANNEL_DEPTH * channel->job->eager_bytes;
}

/* 0: there is none that the peer could put into. */
static uint64_t landing_offset(const hy_channel *channel)
{
    if (!channel->landing) return 0;
    uint64_t offset = hy_job_heap_offset(channel->job, channel->landing, landing_bytes(channel));
    return offset == HY_NOT_IN_HEAP ? 0 : offset;
}

/* An error is the path's to remember: a wait for this peer will ask. */
void hy_channel_tell_far(const hy_channel *channel, uint64_t told)
{
    hy_channel_flag(channel, offsetof(hy_match, told), told, landing_offset(channel), 0, 0);
}

/* Where the heap has no room messages are fetched into memory of our own as long as the channel
 * exists. The next one that is taken is acknowledged at once, and so tells of the landing. */
static int open_landing(hy_channel *channel)
{
    if (channel->landing) return HAYATE_OK;
    channel->landing = hy_job_alloc(channel->job, landing_bytes(channel));
    if (!channel->landing) channel->landing = aligned_alloc(HY_LINE, landing_bytes(channel));
    if (!channel->landing)
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for the messages of rank %d",
                       channel->ep->rank);
    uint32_t taken = hy_load_relaxed(&channel->received);
    hy_store_relaxed(&channel->acks_told, taken - HY_CHANNEL_DEPTH / 2);
    return HAYATE_OK;
}

/* A buffer of the landing is free again when its slot is: the peer may write both. */
void hy_channel_close_landing(hy_channel *channel)
{
    if (landing_offset(channel)) hy_job_release_late(channel->job, channel->landing);
    else free(channel->landing);
    channel->landing = NULL;
}

int hy_channel_land(hy_channel *channel, const uint8_t *buffer, size_t len, bool *landed)
{
    hy_ep *ep = channel->ep;
    uint64_t landing = hy_load_acquire(&channel->match->landing);
    if (!landing) return HAYATE_OK;
    if (!hy_ep_contains(ep, landing, landing_bytes(channel)))
        return hy_fail_peer(HAYATE_ERR_CORRUPT, ep->rank,
                            "rank %d wants messages outside of its memory", ep->rank);
    uint64_t place = landing + place_of(channel, hy_load_relaxed(&channel->sent));
    *landed = true;
    return ep->ops->put_start(ep, place, buffer, len);
}

/* The peer does not use the buffer of a number in the landing while that message is here. */
int hy_channel_far_payload(hy_channel *channel, uint64_t head, const hy_parcel *parcel,
                           const uint8_t **payload)
{
    hy_ep *ep = channel->ep;
    bool landed = hy_head_kind(head) == HY_KIND_LANDED;
    if (landed && !landing_offset(channel))
        return hy_fail_peer(HAYATE_ERR_CORRUPT, ep->rank,
                            "rank %d says that a message is where it cannot be", ep->rank);
    int rc = landed ? HAYATE_OK : open_landing(channel);
    if (rc) return rc;
    uint8_t *place = channel->landing + place_of(channel, (uint32_t)head - 1);
    *payload = place;
    return landed ? HAYATE_OK : ep->ops->get(ep, parcel->offset, place, parcel->len);
}
