/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Long messages. Both sides make themselves known: the sender posts a LONG message (where its data
 * are), the receiver writes the header of its buffer into the sender's match entry, whichever comes
 * first. From then on *whoever has time* moves blocks:
 *
 *   - a side that can reach the other's buffer (symmetric heap: loads and stores; any memory:
 * single copy by the kernel) claims the next block by a compare-and-swap of match.claim and moves
 * it; two ranks that both wait in their calls therefore copy with two cores, and a sender that
 *     computes meanwhile is not needed at all;
 *   - where neither can reach the other's buffer, the blocks go through a stage of the sender, the
 *     two copies overlapped (pipeline).
 *
 * `claim`   63        32 31        24 23          0
 *           | number    | generation | next block  |      next block == HY_CLAIM_WITHDRAWN: no
 * header
 *
 * number is that of the message, so a claim can never hit another message; generation tells the
 * header of a receive from that of a withdrawn one before it. `done` counts bytes over all messages
 * and is never reset. Both are in the sender's memory.
 *
 * Between far peers (path/path.h) the receiver alone moves: it fetches the data from the sender's
 * heap, or, where they lie elsewhere, from the sender's stage, and tells how far it has come. Its
 * header says no more than that it is there. See rendezvous_far.c.
 *
 * Memory order: data are written before `done` is advanced (release) and read after it was seen
 * (acquire); the header before claim is stored (release).
 */
#ifndef HY_MSG_RENDEZVOUS_H
#define HY_MSG_RENDEZVOUS_H

#include "msg/op.h"

#define HY_CLAIM_WITHDRAWN UINT64_C(0xffffff)

/* flags of a parcel and of a header */
#define HY_REACHES_PEER 1u /* this side's single copy reaches the other's process */

/* Sender: posts the LONG message. Only when the channel has room. Between far peers NO_MEMORY, and
 * the errors of the path. */
int hy_rendezvous_announce(hy_op *send);

/* Receiver: writes the header of its buffer into the sender's match entry. */
void hy_rendezvous_offer(hy_op *recv);

/* Receiver: takes the header back. False: blocks were claimed already. */
bool hy_rendezvous_withdraw(hy_op *recv);

/* Sender: is the receive of its next message (or of the one announced) posted? */
bool hy_rendezvous_offered(const hy_op *send, uint32_t number);

/* Receiver: takes over what the sender announced. TRUNCATE, CORRUPT, or OK. */
int hy_rendezvous_accept(hy_op *recv, const hy_slot *slot);

/* Either side of an announced message that has failed: the peer does not touch its buffer after it.
 * Waits for a living one that is at a block of it, for a second at most. */
void hy_rendezvous_revoke(hy_op *op);

/* Either side: moves what it can. IN_PROGRESS until all bytes have arrived. */
int hy_rendezvous_move(hy_op *op);

/* ---- what rendezvous.c and rendezvous_far.c have in common ---- */

/* What `failed`, `revoked` and `gone` say of a message; never 0, which they hold at first. */
static inline uint64_t hy_rendezvous_mark(const hy_op *op)
{
    return UINT64_C(1) << 32 | op->number;
}

/* Bytes of the next piece that goes through a stage. */
uint64_t hy_rendezvous_piece(const hy_op *op);

/* lane->stage is there. NO_MEMORY. */
int hy_rendezvous_open_stage(hy_lane *lane);

int hy_rendezvous_corrupt(const hy_op *op, const char *what);
int hy_rendezvous_gave_up(const hy_op *op); /* the peer did */

/* A sender's message is over: one more that went that way. */
void hy_rendezvous_count(const hy_op *send, uint8_t way);

/* Forms of the above between far peers. */
int hy_rendezvous_announce_far(hy_op *send);
void hy_rendezvous_offer_far(const hy_op *recv, uint64_t claim);
void hy_rendezvous_accept_far(hy_op *recv);
int hy_rendezvous_move_far(hy_op *op);
void hy_rendezvous_revoke_far(hy_op *op);

#endif
