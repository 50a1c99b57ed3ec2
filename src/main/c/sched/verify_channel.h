/* SPDX-License-Identifier: Apache-2.0 */
/* Signals on their way, of every ordered pair of ranks, first in first out; a signal carries the
 * sender's vector clock and, when it has a payload, its symbolic values. */
#ifndef HY_SCHED_VERIFY_CHANNEL_H
#define HY_SCHED_VERIFY_CHANNEL_H

#include "sched/verify_memory.h"

typedef struct hy_message {
    uint32_t run; /* of the sender's steps */
    uint32_t step;
    uint8_t exposed; /* hy_region */
    uint64_t len;    /* bytes of payload */
    uint32_t next;   /* in the free list */
} hy_message;

typedef struct hy_channel {
    uint32_t taken, posted; /* counts since the start */
    uint32_t ring[HY_SCHED_DEPTH];
} hy_channel;

typedef struct hy_channels {
    int size;
    size_t cells;      /* of a payload, at most */
    hy_channel *pairs; /* [to][from] */
    hy_message *messages;
    uint32_t *clocks; /* [message][rank] */
    hy_value *values; /* [message][cells] */
    uint32_t count, capacity, free;
} hy_channels;

int hy_channels_open(hy_channels *c, int size, size_t cells);
void hy_channels_reset(hy_channels *c); /* no signal on its way */
void hy_channels_close(hy_channels *c);

static inline hy_channel *hy_channel_of(const hy_channels *c, int from, int to)
{
    return &c->pairs[(size_t)to * (size_t)c->size + (size_t)from];
}

/* Index of a new message at the end of a channel that has room, or UINT32_MAX: memory is out. */
uint32_t hy_channel_post(hy_channels *c, int from, int to);

/* Index of the oldest message, UINT32_MAX when there is none; it stays until hy_channel_drop(). */
uint32_t hy_channel_head(const hy_channels *c, int from, int to);
void hy_channel_drop(hy_channels *c, int from, int to);

#endif
