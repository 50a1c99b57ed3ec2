/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Piggybacks: short puts that travel in the message that follows them (hy_net_mount()), so that
 * data and flag are one packet.
 *
 * An ordinary put arrives by RMA, but a piggyback arrives when the peer's processor carries out its
 * message, possibly later than puts that follow it. Therefore no operation may pass a piggyback
 * under way that may write the same bytes: a short put becomes a piggyback as well, alone if no
 * message follows (HY_NET_PUT), and all other operations wait until the peer has answered.
 *
 * Operations to the peer are numbered from 1; all up to `there` are known to be carried out.
 */
#ifndef HY_NET_PIGGYBACK_H
#define HY_NET_PIGGYBACK_H

#include <stdbool.h>
#include <stdint.h>

/* Maximal length of a put that becomes a piggyback: there is room for this many bytes beside a
 * flag. */
#define HY_NET_PIGGYBACK 24

/* All bytes that piggybacks under way to one peer may write lie between these offsets. */
typedef struct hy_net_piggybacks {
    uint64_t from, to;
    uint64_t last; /* number of the message with the last piggyback */
} hy_net_piggybacks;

/* A put of these bytes is a piggyback of message `number`. */
static inline void hy_net_piggybacks_add(hy_net_piggybacks *piggybacks, uint64_t there,
                                         uint64_t number, uint64_t offset, uint64_t len)
{
    bool alone = piggybacks->last <= there;
    if (alone || offset < piggybacks->from) piggybacks->from = offset;
    if (alone || offset + len > piggybacks->to) piggybacks->to = offset + len;
    piggybacks->last = number;
}

/* Whether a piggyback under way may write any of these bytes. */
static inline bool hy_net_piggybacks_overlap(const hy_net_piggybacks *piggybacks, uint64_t there,
                                             uint64_t offset, uint64_t len)
{
    return piggybacks->last > there && offset < piggybacks->to && piggybacks->from < offset + len;
}

#endif
