/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses and builds the schedule of a call for which the communicator has none. */
#ifndef HY_COLL_PLANNING_H
#define HY_COLL_PLANNING_H

#include "coll/comm.h"

/* The plan is added to those of the communicator, which the caller has acquired. All members choose
 * alike: by what all of them know of the shape. ARGUMENT, NO_MEMORY. */
int hy_plan_make(hy_comms *comms, hy_comm *comm, const hy_shape *shape, hy_plan_wish wish,
                 hy_plan **plan);

#endif
