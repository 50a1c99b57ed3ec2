/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Long messages. Both sides make themselves known: the sender posts a LONG message (where its data
 * are), the receiver writes the header of its buffer into the sender's match entry, whichever comes
 * first. Then the data travel by one of several *protocols*. Each is a row of functions in a file
 * of its own (msg/rendezvous_ops.h); of the rows whose probe agrees the one of least cost is taken,
 * once per message.
 *
 *   direct, heap  loads and stores, where one side's buffer is mapped at the other: in the
 *                 symmetric heap, or anywhere if all ranks live in one address space
 *   single copy   between any two native buffers, by a path of that kind (path/path.h)
 *   pipeline      through a stage of the sender, the two copies overlapped
 *   fetch         remote peers: the receiver gets the data from the sender's heap
 *   fetch staged  remote peers: it gets them from the sender's stage
 *
 * By the first two *whoever has time* moves blocks: a side that can reach the other's buffer claims
 * the next block by a compare-and-swap of match.claim and moves it. Two ranks that both wait in
 * their calls therefore copy with two cores, and a sender that computes meanwhile is not needed at
 * all.
 *
 * `claim`   63        32 31        24 23          0
 *           | number    | generation | next block  |      next block == HY_CLAIM_WITHDRAWN: no
 * header
 *
 * number is that of the message, so a claim can never hit another message; generation tells the
 * header of a receive from that of a withdrawn one before it. `done` counts bytes over all messages
 * and is never reset. Both are in the sender's memory.
 *
 * A remote peer's header says no more than that it is there: see rendezvous_remote.c.
 *
 * Memory order: data are written before `done` is advanced (release) and read after it was seen
 * (acquire); the header before claim is stored (release).
 */
#ifndef HY_MSG_RENDEZVOUS_H
#define HY_MSG_RENDEZVOUS_H

#include "msg/op.h"

/* What the lanes with peers of one kind have in common: those whose part is mapped, or the remote
 * ones. */
void hy_rendezvous_open(hy_rendezvous *rendezvous, bool remote, const hy_job *job);

/* HAYATE_RENDEZVOUS forces a single copy; its word is the name of the path then. */
bool hy_rendezvous_forces_single(const hy_job *job);

/* How long messages with `rank` travel, and why, in words. */
void hy_rendezvous_explain(const hy_job *job, int rank, char *text, size_t room);

/* Sender: posts the LONG message. Only when the channel has room. With a remote peer NO_MEMORY, and
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

#endif
