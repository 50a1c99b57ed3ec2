/* SPDX-License-Identifier: Apache-2.0 */
/* Messages between the members of a grid: in order, from one member to another, and buffered, so
 * that a send never waits for its receive. */
#ifndef HY_BLACS_LANES_H
#define HY_BLACS_LANES_H

#include "base/buffer.h"
#include "coll/comm.h"

struct hy_blacs;
typedef struct hy_lanes hy_lanes;

/* Collective over the job, in the set-up of the BLACS. */
int hy_lanes_begin(hy_comms *comms);
/* Waits until everything is sent. */
void hy_lanes_end(void);

/* Collective over the members of the communicator. */
int hy_lanes_open(hy_comms *comms, int comm, hy_lanes **lanes);
void hy_lanes_close(hy_lanes *lanes);

/* member: of the communicator. Returns when the buffer may be changed. */
int hy_lanes_send(hy_lanes *lanes, int member, hy_buffer buffer, uint64_t bytes);
/* TRUNCATE: the message is longer; *received says how long it was. */
int hy_lanes_receive(hy_lanes *lanes, int member, hy_buffer buffer, uint64_t bytes,
                     uint64_t *received);

#endif
