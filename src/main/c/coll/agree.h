/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HY_COLL_AGREE_H
#define HY_COLL_AGREE_H

#include "coll/comm.h"

/* Whatever is chosen must be chosen alike on all ranks. Those of a node have one tuning file, those
 * of other nodes may have another: on several nodes all take the model of rank 0, for the network
 * that connects them. Collective over `world`, the communicator of all ranks. */
int hy_comms_agree(hy_comms *comms, int world);

#endif
