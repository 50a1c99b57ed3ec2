/* SPDX-License-Identifier: Apache-2.0 */
/* What the protocols with remote peers share: see rendezvous_remote.c */
#ifndef HY_MSG_RENDEZVOUS_REMOTE_H
#define HY_MSG_RENDEZVOUS_REMOTE_H

#include "msg/rendezvous_ops.h"

/* Sender: bytes of the message that the receiver has fetched, where it has told `done`. 0 as long
 * as the end of a message that was given up is still to come. */
static inline uint64_t hy_rendezvous_taken(const hy_op *send, uint64_t done)
{
    return (int64_t)(done - send->start) < 0 ? 0 : done - send->start;
}

/* Sender: tells how much is in the stage. `gone`: 0, or the mark of a message that it gives up. */
int hy_rendezvous_tell_produced(const hy_op *send, uint64_t gone);

/* Receiver: fetches the next `len` bytes of the message from `from` in the sender's part: straight
 * into memory, through the bounce buffer (at most HY_STAGE_BYTES) into what has no address. */
int hy_rendezvous_get(hy_op *recv, uint64_t from, uint64_t len);

#endif
