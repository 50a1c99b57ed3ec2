/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Long messages. Both sides announce themselves, in any order: the sender posts a LONG message
 * (RTS, where its data are), the receiver writes the header of its buffer (RTR) into the sender's
 * match entry. Then the data are transferred by one of several *protocols*. Each is a row of
 * functions in a separate file (msg/rendezvous_ops.h). Of the rows whose probe succeeds, the one
 * with the least cost is chosen, once per message. Between the pipeline and a single copy by the
 * kernel measurements decide (msg/crossover.h).
 *
 *    direct, heap  loads and stores, if one side's buffer is mapped at the other: in the
 *                  symmetric heap, or anywhere if all ranks are in one address space
 *    single copy   between any two native buffers, by a path of that kind (path/path.h)
 *    pipeline      through a stage of the sender, the two copies overlapped
 *    push          remote peers: the sender puts the data into the receiver's heap
 *    fetch         remote peers: the receiver gets the data from the sender's heap
 *    fetch staged  remote peers: it gets them from the sender's stage
 *
 * With the first two, *either side* moves blocks: a side that can access the other's buffer claims
 * the next block by a compare-and-swap of match.claim and moves it. Therefore two ranks that both
 * wait in their calls copy with two cores, and a sender that computes meanwhile is not needed at
 * all.
 *
 *    claim     63        32 31        24 23          0
 *              | number    | generation | next block  |  HY_CLAIM_WITHDRAWN: no header
 *
 * number is the number of the message, so a claim can never be for another message. generation
 * distinguishes the header of a receive from that of a withdrawn receive before it. `done` counts
 * bytes over all messages and is never reset. Both are in the sender's memory.
 *
 * A remote peer's header is shorter: see rendezvous_remote.c.
 *
 * Memory order: data are written before `done` is advanced (release), and read after it was seen
 * (acquire). The header is written before claim is stored (release).
 */
#ifndef HY_MSG_RENDEZVOUS_H
#define HY_MSG_RENDEZVOUS_H

#include "msg/op.h"

/* The common state of the lanes with peers of one kind: those whose part is mapped, or the
 * remote ones. */
void hy_rendezvous_open(hy_rendezvous *rendezvous, bool remote, const hy_job *job);

/* Whether HAYATE_RENDEZVOUS forces a single copy; its value is then the name of the path. */
bool hy_rendezvous_forces_single(const hy_job *job);

/* Describes in words how long messages with `rank` are transferred, and why. */
void hy_rendezvous_explain(const hy_job *job, int rank, char *text, size_t room);

/* Sender: posts the LONG message. Only if the channel has room. With a remote peer also
 * NO_MEMORY and the errors of the path. */
int hy_rendezvous_announce(hy_op *send);

/* Receiver: writes the header of its buffer into the sender's match entry. */
void hy_rendezvous_offer(hy_op *recv);

/* Receiver: withdraws the header. False: blocks were claimed already. */
bool hy_rendezvous_withdraw(hy_op *recv);

/* Sender: whether the receive of its next message (or of the announced one) is posted. */
bool hy_rendezvous_offered(const hy_op *send, uint32_t number);

/* Receiver: takes over what the sender has announced, from a copy of which the caller knows that it
 * fits. CORRUPT, or OK. */
int hy_rendezvous_accept(hy_op *recv, const hy_told_buffer *source);

/* Either side, when an announced message has failed: afterwards the peer does not access its
 * buffer. Waits at most one second for a live peer that is moving a block of it. */
void hy_rendezvous_revoke(hy_op *op);

/* Either side: moves what can be moved. IN_PROGRESS until all bytes have arrived. */
int hy_rendezvous_move(hy_op *op);

#endif
