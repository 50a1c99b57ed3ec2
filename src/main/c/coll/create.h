/* SPDX-License-Identifier: Apache-2.0 */
/* The creation of a communicator by ranks that are in a collective set-up. */
#ifndef HY_COLL_CREATE_H
#define HY_COLL_CREATE_H

#include "coll/comm.h"

/* As hy_comm_create(), for a caller that has entered the set-up. */
int hy_comm_make(hy_comms *comms, bool join, int *comm);

#endif
