/* SPDX-License-Identifier: Apache-2.0 */
/* The fields of a matching area entry (hy_match) that rendezvous uses: both sides access them. */
#ifndef HY_MSG_RENDEZVOUS_MATCH_H
#define HY_MSG_RENDEZVOUS_MATCH_H

#include "wire/channel.h"

/* Written by the sender: the blocks of a pipelined message that are in its stage. */
typedef struct hy_produced {
    _Alignas(sizeof(hy_flag)) _Atomic uint64_t bytes;
    _Atomic uint64_t stage_offset, stage_bytes;
    _Atomic uint64_t gone; /* of a remote sender: like `revoked` */
} hy_produced;

_Static_assert(sizeof(hy_produced) == sizeof(hy_flag), "is written as a flag");

typedef struct hy_rendezvous_match {
    /* Written by the receiver: the header of its buffer. It is valid for message `claim.number`
     * while claim holds that number and is not withdrawn. The sender reads it, and the
     * compare-and-swap of claim then shows whether it was still that message. */
    HY_ALIGNED _Atomic uint64_t address; /* in the receiver's process; 0: not accessible */
    _Atomic uint64_t offset;             /* in the receiver's part, or HY_NOT_IN_HEAP */
    _Atomic uint64_t capacity;
    _Atomic uint64_t flags;
    /* Which side moves the next block: see msg/rendezvous.h. Both sides compare-and-swap it. */
    _Atomic uint64_t claim;
    _Atomic uint64_t section[3]; /* part of the header if its flags say so: a hy_section */
    /* Bytes moved by rendezvous since the channel was opened; both sides add to it. */
    HY_ALIGNED _Atomic uint64_t done;
    /* 2^32 + the number of a message: one with a block that could not be moved, and one whose
     * sender or receiver takes its buffer back */
    _Atomic uint64_t failed, revoked;
    HY_ALIGNED uint8_t channel[HY_LINE]; /* used by the channel */
    /* If the peer is remote, this is not used, but the flag behind the first slot of the
     * receiver. */
    HY_ALIGNED hy_produced produced;
} hy_rendezvous_match;

HY_IS_FLAG(hy_rendezvous_match, claim);
HY_IS_FLAG(hy_rendezvous_match, done);

_Static_assert(sizeof(hy_rendezvous_match) == sizeof(hy_match), "is the same entry");
_Static_assert(offsetof(hy_rendezvous_match, done) < sizeof((hy_match){0}.before) &&
                   offsetof(hy_rendezvous_match, channel) == offsetof(hy_match, told) &&
                   offsetof(hy_rendezvous_match, produced) == offsetof(hy_match, behind),
               "leaves the channel its line");

/* This rank's entry of a channel, and the entry of a peer whose part is mapped. */
static inline hy_rendezvous_match *hy_rendezvous_mine(const hy_channel *channel)
{
    return (hy_rendezvous_match *)(void *)channel->match;
}
static inline hy_rendezvous_match *hy_rendezvous_theirs(const hy_channel *channel)
{
    return (hy_rendezvous_match *)(void *)channel->peer_match;
}

#endif
