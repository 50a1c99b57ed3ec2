/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/verify_channel.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

#define HY_NO_MESSAGE UINT32_MAX

static size_t pairs_of(const hy_channels *c)
{
    return (size_t)c->lines * (size_t)c->size * (size_t)c->size;
}

int hy_channels_open(hy_channels *c, int size, uint32_t lines, size_t cells)
{
    memset(c, 0, sizeof *c);
    c->size = size;
    c->lines = lines;
    c->cells = cells;
    c->free = HY_NO_MESSAGE;
    c->pairs = calloc(pairs_of(c), sizeof *c->pairs);
    if (!c->pairs)
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for the signals of %d ranks", size);
    return HAYATE_OK;
}

void hy_channels_reset(hy_channels *c)
{
    memset(c->pairs, 0, pairs_of(c) * sizeof *c->pairs);
    c->count = 0;
    c->free = HY_NO_MESSAGE;
}

void hy_channels_close(hy_channels *c)
{
    free(c->pairs);
    free(c->messages);
    free(c->nexts);
    free(c->clocks);
    free(c->values);
    memset(c, 0, sizeof *c);
}

/* What could not grow stays where it is, for hy_channels_close(). */
static bool grow(hy_channels *c)
{
    size_t capacity = c->capacity ? (size_t)c->capacity * 2 : 64;
    hy_message *messages = realloc(c->messages, capacity * sizeof *messages);
    if (messages) c->messages = messages;
    uint32_t *nexts = realloc(c->nexts, capacity * sizeof *nexts);
    if (nexts) c->nexts = nexts;
    uint32_t *clocks = realloc(c->clocks, capacity * (size_t)c->size * sizeof *clocks);
    if (clocks) c->clocks = clocks;
    hy_value *values = realloc(c->values, capacity * (c->cells + 1) * sizeof *values);
    if (values) c->values = values;
    if (!messages || !nexts || !clocks || !values) return false;
    c->capacity = (uint32_t)capacity;
    return true;
}

static uint32_t allocate(hy_channels *c)
{
    uint32_t message = c->free;
    if (message != HY_NO_MESSAGE) {
        c->free = c->nexts[message];
        return message;
    }
    if (c->count == c->capacity && !grow(c)) return HY_NO_MESSAGE;
    return c->count++;
}

uint32_t hy_channel_post(hy_channels *c, hy_channel *channel)
{
    uint32_t message = allocate(c);
    if (message == HY_NO_MESSAGE) return message;
    if (channel->count++ == 0) channel->first = message;
    else c->nexts[channel->last] = message;
    channel->last = message;
    return message;
}

void hy_channel_drop(hy_channels *c, hy_channel *channel)
{
    uint32_t message = channel->first;
    channel->first = c->nexts[message];
    channel->count--;
    c->nexts[message] = c->free;
    c->free = message;
}
