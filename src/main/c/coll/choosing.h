/* SPDX-License-Identifier: Apache-2.0 */
/* How a communicator chooses: one rank of the node for all (choose/board.h). */
#ifndef HY_COLL_CHOOSING_H
#define HY_COLL_CHOOSING_H

#include "coll/comm.h"

/* hy_choices_get() with the choices of the communicator, which the caller has acquired. Waits while
 * another rank of the node is choosing, but not after ten seconds, the time limit of collectives or
 * an interrupt. If that rank is gone, this one is closed or the wait is over, chooses by itself: so
 * this call never fails for what others do. ARGUMENT, NO_MEMORY. */
int hy_comm_choose(hy_comms *comms, hy_comm *comm, const hy_request *request, hy_choice *choice);

#endif
