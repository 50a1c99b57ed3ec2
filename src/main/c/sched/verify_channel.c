/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/verify_channel.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

#define HY_NO_MESSAGE UINT32_MAX

int hy_channels_open(hy_channels *c, int size, size_t cells)
{
    memset(c, 0, sizeof *c);
    c->size = size;
    c->cells = cells;
    c->free = HY_NO_MESSAGE;
    c->pairs = calloc((size_t)size * (size_t)size, sizeof *c->pairs);
    if (!c->pairs)
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for the signals of %d ranks", size);
    return HAYATE_OK;
}

void hy_channels_reset(hy_channels *c)
{
    memset(c->pairs, 0, (size_t)c->size * (size_t)c->size * sizeof *c->pairs);
    c->count = 0;
    c->free = HY_NO_MESSAGE;
}

void hy_channels_close(hy_channels *c)
{
    free(c->pairs);
    free(c->messages);
    free(c->clocks);
    free(c->values);
    memset(c, 0, sizeof *c);
}

/* NULL leaves the old memory where it is, for hy_channels_close(). */
static bool grow(hy_channels *c)
{
    size_t capacity = c->capacity ? (size_t)c->capacity * 2 : 64;
    hy_message *messages = realloc(c->messages, capacity * sizeof *messages);
    if (messages) c->messages = messages;
    uint32_t *clocks = realloc(c->clocks, capacity * (size_t)c->size * sizeof *clocks);
    if (clocks) c->clocks = clocks;
    hy_value *values = realloc(c->values, capacity * (c->cells + 1) * sizeof *values);
    if (values) c->values = values;
    if (!messages || !clocks || !values) return false;
    c->capacity = (uint32_t)capacity;
    return true;
}

static uint32_t allocate(hy_channels *c)
{
    uint32_t message = c->free;
    if (message != HY_NO_MESSAGE) {
        c->free = c->messages[message].next;
        return message;
    }
    if (c->count == c->capacity && !grow(c)) return HY_NO_MESSAGE;
    return c->count++;
}

uint32_t hy_channel_post(hy_channels *c, int from, int to)
{
    hy_channel *channel = hy_channel_of(c, from, to);
    uint32_t message = allocate(c);
    if (message != HY_NO_MESSAGE) channel->ring[channel->posted++ % HY_SCHED_DEPTH] = message;
    return message;
}

uint32_t hy_channel_head(const hy_channels *c, int from, int to)
{
    const hy_channel *channel = hy_channel_of(c, from, to);
    if (channel->taken == channel->posted) return HY_NO_MESSAGE;
    return channel->ring[channel->taken % HY_SCHED_DEPTH];
}

void hy_channel_drop(hy_channels *c, int from, int to)
{
    hy_channel *channel = hy_channel_of(c, from, to);
    uint32_t message = channel->ring[channel->taken++ % HY_SCHED_DEPTH];
    c->messages[message].next = c->free;
    c->free = message;
}
