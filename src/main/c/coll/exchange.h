/* SPDX-License-Identifier: Apache-2.0 */
/* An exchange of records: every member sends each other member one record over the
 * communicator's channels. */
#ifndef HY_COLL_EXCHANGE_H
#define HY_COLL_EXCHANGE_H

#include "coll/comm.h"

/* Records of at most this number of bytes take no memory of the heap. */
#define HY_EXCHANGE_SLOTS (HY_LINES_BYTES - sizeof(hy_tag))

/* mine, theirs: [size] records of `bytes` (at most HY_SCHED_PAYLOAD). mine[i] is for member i,
 * theirs[i] comes from it; theirs[rank] = mine[rank]. The caller has acquired the communicator.
 * `cookie` distinguishes this exchange from other collectives. MISMATCH, PEER_FAILED, CLOSED,
 * NO_MEMORY, TIMED_OUT, INTERRUPTED, BROKEN: the communicator is broken afterwards. */
int hy_exchange(hy_comms *comms, hy_comm *comm, const void *mine, void *theirs, size_t bytes,
                uint32_t cookie);
/* The same with one record for all members. */
int hy_exchange_same(hy_comms *comms, hy_comm *comm, const void *mine, void *theirs, size_t bytes,
                     uint32_t cookie);

#endif
