/* SPDX-License-Identifier: Apache-2.0 */
/* Agreement of all ranks on the cost model by which collectives are chosen. */
#ifndef HY_COLL_AGREE_H
#define HY_COLL_AGREE_H

#include "coll/comm.h"

/* All ranks must make the same choices. The ranks of a node have one tuning file, those of other
 * nodes may have another one: in a job on several nodes, all ranks take the cost model of rank
 * 0, for the network that connects them. Collective over `world`, the communicator of all ranks. */
int hy_comms_agree(hy_comms *comms, int world);

#endif
