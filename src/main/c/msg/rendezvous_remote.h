/* SPDX-License-Identifier: Apache-2.0 */
/* What the protocols with remote peers have in common: see rendezvous_remote.c */
#ifndef HY_MSG_RENDEZVOUS_REMOTE_H
#define HY_MSG_RENDEZVOUS_REMOTE_H

#include "msg/rendezvous_ops.h"

/* Sender: how many bytes of the message the receiver has fetched, from its `done`. 0 while the
 * end of an earlier message that was given up is still to come. */
static inline uint64_t hy_rendezvous_taken(const hy_op *send, uint64_t done)
{
    return (int64_t)(done - send->start) < 0 ? 0 : done - send->start;
}

/* Sender: tells how much is in the stage. `gone`: 0, or the mark of a message that it has given
 * up. */
int hy_rendezvous_tell_produced(const hy_op *send, uint64_t gone);

/* Sender: claims the header of the receive for this message, and prepares to push the data there.
 * False: there is none, or its memory or the message's cannot be put to. */
bool hy_rendezvous_claim_header(hy_op *send);

/* Sender, of a message that is pushed: waits until the peer has it, or the path has failed. */
void hy_rendezvous_end_push(hy_op *send);

/* Receiver: whether the header of its buffer lets the sender put the data there. */
static inline bool hy_rendezvous_offers_memory(const hy_op *recv)
{
    return recv->buffer.address &&
           hy_job_heap_offset(hy_op_job(recv), recv->buffer.address, recv->size) != HY_NOT_IN_HEAP;
}

/* Receiver: fetches the next `len` bytes of the message from offset `from` in the sender's part:
 * directly into native memory, or through the bounce buffer (at most HY_STAGE_BYTES) into memory
 * without an address. */
int hy_rendezvous_get(hy_op *recv, uint64_t from, uint64_t len);

#endif
