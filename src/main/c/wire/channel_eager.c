/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The eager buffers of a channel. The list grows when a message finds no free buffer. It shrinks at
 * the end of a window of eager messages, by the least number of buffers that were free at any time
 * within the window. The free buffers form a stack, so these are the ones at its bottom, which the
 * window did not touch.
 *
 * A channel that again needs what it has returned doubles its window: traffic whose bursts are
 * further apart than a window keeps its buffers after a few rounds, and a steady state touches
 * neither the heap nor its lock. An idle channel has no windows; hy_channel_trim() serves it.
 */
#include <stdlib.h>

#include "wire/channel.h"

#define WINDOW 64
#define WINDOW_MOST 65536

struct hy_eager {
    uint8_t *on_way[HY_CHANNEL_DEPTH]; /* by message number; NULL: the message had no buffer */
    uint8_t *free[HY_CHANNEL_DEPTH];   /* a stack */
    uint32_t free_count;
    uint32_t reclaimed;    /* messages whose buffers are free again */
    uint32_t spare;        /* buffers that this window has not needed so far */
    uint32_t left, window; /* eager messages until its end; its length */
    bool shrunk;           /* shrunk at the end of a window, and not grown since */
};

static void reclaim(hy_channel *channel, hy_eager *eager)
{
    hy_channel_learn(channel);
    /* Messages without a buffer may have advanced the count by more than a ring. */
    if (channel->acked - eager->reclaimed > HY_CHANNEL_DEPTH)
        eager->reclaimed = channel->acked - HY_CHANNEL_DEPTH;
    for (; eager->reclaimed != channel->acked; eager->reclaimed++) {
        uint8_t **buffer = &eager->on_way[eager->reclaimed % HY_CHANNEL_DEPTH];
        if (*buffer) eager->free[eager->free_count++] = *buffer;
        *buffer = NULL;
    }
}

static void begin_window(hy_eager *eager)
{
    eager->spare = HY_CHANNEL_DEPTH;
    eager->left = eager->window;
}

static hy_eager *channel_eager_begin(hy_channel *channel)
{
    hy_eager *eager = calloc(1, sizeof *eager);
    if (!eager) {
        hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a channel's eager buffers");
        return NULL;
    }
    eager->reclaimed = channel->acked;
    eager->window = WINDOW;
    begin_window(eager);
    hy_store_relaxed(&channel->eager, eager);
    return eager;
}

static uint8_t *pop(hy_eager *eager)
{
    uint32_t left = --eager->free_count;
    if (left < eager->spare) eager->spare = left;
    return eager->free[left];
}

/* Uses acknowledgements in messages that have arrived but have not been received yet. */
static uint8_t *last_resort(hy_channel *channel, hy_eager *eager)
{
    hy_channel_room_slow(channel, HY_CHANNEL_DEPTH);
    reclaim(channel, eager);
    return eager->free_count ? pop(eager) : NULL;
}

static uint8_t *channel_eager_grow(hy_channel *channel, hy_eager *eager)
{
    eager->spare = 0;
    uint8_t *buffer = hy_job_alloc(channel->job, channel->job->eager_bytes);
    if (!buffer) return last_resort(channel, eager);
    hy_gauge_add(channel->job->counters, HY_COUNT_EAGER_HELD, channel->job->eager_bytes);
    if (eager->shrunk && eager->window < WINDOW_MOST) eager->window *= 2;
    eager->shrunk = false;
    return buffer;
}

static void no_longer_held(const hy_channel *channel)
{
    hy_gauge_sub(channel->job->counters, HY_COUNT_EAGER_HELD, channel->job->eager_bytes);
}

/* Frees the lowest `count` buffers of the stack. */
static void channel_eager_give_back(hy_channel *channel, hy_eager *eager, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        hy_job_release(channel->job, eager->free[i]);
        no_longer_held(channel);
    }
    eager->free_count -= count;
    memmove(eager->free, eager->free + count, eager->free_count * sizeof *eager->free);
}

static void end_window(hy_channel *channel, hy_eager *eager)
{
    if (eager->spare) {
        channel_eager_give_back(channel, eager, eager->spare);
        eager->shrunk = true;
    }
    begin_window(eager);
}

uint8_t *hy_channel_eager_buffer(hy_channel *channel)
{
    hy_eager *eager = hy_load_relaxed(&channel->eager);
    if (hy_unlikely(!eager) && !(eager = channel_eager_begin(channel))) return NULL;
    reclaim(channel, eager);
    uint8_t *buffer = hy_likely(eager->free_count) ? pop(eager)
                                                   : channel_eager_grow(channel, eager);
    eager->on_way[hy_load_relaxed(&channel->sent) % HY_CHANNEL_DEPTH] = buffer;
    if (hy_unlikely(--eager->left == 0)) end_window(channel, eager);
    return buffer;
}

static int not_posted(hy_eager *eager, uint8_t **buffer, int rc)
{
    eager->free[eager->free_count++] = *buffer;
    *buffer = NULL;
    return rc;
}

int hy_channel_post_eager(hy_channel *channel, size_t len, uint64_t flags)
{
    hy_eager *eager = hy_load_relaxed(&channel->eager);
    uint8_t **place = &eager->on_way[hy_load_relaxed(&channel->sent) % HY_CHANNEL_DEPTH];
    uint8_t *buffer = *place;
    hy_descriptor descriptor = {
        .offset = (uint64_t)(buffer - channel->job->part), .len = len, .flags = flags};
    int kind = HY_KIND_EAGER;
    if (hy_unlikely(hy_channel_is_far(channel))) {
        bool bounced = false;
        int rc = hy_channel_land(channel, buffer, len, &bounced);
        if (rc) return not_posted(eager, place, rc);
        if (bounced) kind = HY_KIND_BOUNCE;
    }
    hy_channel_post(channel, kind, &descriptor, sizeof descriptor);
    return HAYATE_OK;
}

uint64_t hy_channel_trim(hy_channel *channel)
{
    hy_eager *eager = hy_load_relaxed(&channel->eager);
    if (!eager) return 0;
    hy_channel_room_slow(channel, HY_CHANNEL_DEPTH); /* learns of all received messages */
    reclaim(channel, eager);
    uint32_t count = eager->free_count;
    channel_eager_give_back(channel, eager, count);
    eager->spare = 0;
    return count * channel->job->eager_bytes;
}

/* A buffer whose message may not have been read yet must not be reused. A peer that has left reads
 * none, whether it has acknowledged the message or not. */
void hy_channel_close(hy_channel *channel)
{
    hy_eager *eager = hy_load_relaxed(&channel->eager);
    if (channel->bounce) hy_channel_close_bounce(channel);
    if (!eager) return;
    if (hy_channel_is_left(channel)) channel->acked = hy_load_relaxed(&channel->sent);
    reclaim(channel, eager);
    channel_eager_give_back(channel, eager, eager->free_count);
    for (int i = 0; i < HY_CHANNEL_DEPTH; i++) {
        if (!eager->on_way[i]) continue;
        hy_job_release_late(channel->job, eager->on_way[i]);
        no_longer_held(channel);
    }
    free(eager);
    hy_store_relaxed(&channel->eager, NULL);
}

int hy_channel_eager_payload(hy_channel *channel, const hy_slot *slot, uint64_t head,
                             const uint8_t **payload, size_t *len)
{
    hy_descriptor descriptor;
    hy_copy_once(&descriptor, slot->payload, sizeof descriptor);
    *len = (size_t)descriptor.len;
    bool far = hy_channel_is_far(channel);
    if (descriptor.len <= channel->job->eager_bytes &&
        hy_ep_contains(channel->ep, descriptor.offset, descriptor.len) &&
        (far || hy_head_kind(head) == HY_KIND_EAGER)) {
        if (hy_unlikely(far)) return hy_channel_far_payload(channel, head, &descriptor, payload);
        *payload = channel->ep->part + descriptor.offset;
        return HAYATE_OK;
    }
    return hy_fail_peer(HAYATE_ERR_CORRUPT, channel->ep->rank,
                        "rank %d sent an eager message outside its memory", channel->ep->rank);
}
