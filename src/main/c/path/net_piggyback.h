/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Piggybacks: short puts that travel in the message behind them (hy_net_mount()), so that data and
 * flag are one packet.
 *
 * A put of its own lands by RMA, a piggyback when the peer's processor carries out its message,
 * which may be later than what was put after it. So nothing passes piggybacks on their way that may
 * write the same bytes: a short put rides as well, by itself if no message follows (HY_NET_PUT),
 * and all else waits until the peer has answered.
 *
 * Operations to the peer are numbered from 1; all up to `there` are known to be carried out.
 */
#ifndef HY_PATH_NET_PIGGYBACK_H
#define HY_PATH_NET_PIGGYBACK_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes of a put that rides, at most: so many have room beside a flag. */
#define HY_NET_PIGGYBACK 24

/* What those on their way to one peer may write lies between these offsets. */
typedef struct hy_net_piggybacks {
    uint64_t from, to;
    uint64_t last; /* number of the message of the last of them */
} hy_net_piggybacks;

static inline void hy_net_rides(hy_net_piggybacks *piggybacks, uint64_t there, uint64_t number,
                                uint64_t offset, uint64_t len)
{
    bool alone = piggybacks->last <= there;
    if (alone || offset < piggybacks->from) piggybacks->from = offset;
    if (alone || offset + len > piggybacks->to) piggybacks->to = offset + len;
    piggybacks->last = number;
}

/* May one on its way write any of these bytes? */
static inline bool hy_net_rides_to(const hy_net_piggybacks *piggybacks, uint64_t there,
                                   uint64_t offset, uint64_t len)
{
    return piggybacks->last > there && offset < piggybacks->to && piggybacks->from < offset + len;
}

#endif
