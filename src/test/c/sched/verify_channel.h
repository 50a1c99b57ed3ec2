/* SPDX-License-Identifier: Apache-2.0 */
/* Signals on their way, of every ordered pair of ranks, first in first out; a signal carries the
 * sender's vector clock and, when it has a payload, its symbolic values. A pair has one *line* for
 * all that is not wired, and HY_WIRED_DEPTH of them for each wired collective. */
#ifndef HY_SCHED_VERIFY_CHANNEL_H
#define HY_SCHED_VERIFY_CHANNEL_H

#include "sched/verify_memory.h"

typedef struct hy_message {
    uint32_t run; /* of the sender's steps */
    uint32_t step;
    uint8_t exposed; /* hy_region */
    uint64_t len;    /* bytes of payload */
} hy_message;

typedef struct hy_channel {
    uint32_t count; /* signals on their way */
    uint32_t first, last;
} hy_channel;

typedef struct hy_channels {
    int size;
    uint32_t lines;
    size_t cells;      /* of a payload, at most */
    hy_channel *pairs; /* [line][to][from] */
    hy_message *messages;
    uint32_t *nexts;  /* [message], in its channel or the free list */
    uint32_t *clocks; /* [message][rank] */
    hy_value *values; /* [message][cells] */
    uint32_t count, capacity, free;
} hy_channels;

int hy_channels_open(hy_channels *c, int size, uint32_t lines, size_t cells);
void hy_channels_reset(hy_channels *c); /* no signal on its way */
void hy_channels_close(hy_channels *c);

static inline hy_channel *hy_channel_of(const hy_channels *c, uint32_t line, int from, int to)
{
    size_t ranks = (size_t)c->size;
    return &c->pairs[(line * ranks + (size_t)to) * ranks + (size_t)from];
}

/* Index of a new message at the end of a channel, or UINT32_MAX: memory is out. */
uint32_t hy_channel_post(hy_channels *c, hy_channel *channel);

/* Takes the oldest message, channel->first, away; there is one. */
void hy_channel_drop(hy_channels *c, hy_channel *channel);

#endif
