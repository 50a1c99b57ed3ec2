/* SPDX-License-Identifier: Apache-2.0 */
/* The creation of a communicator: the steps, and all of them for ranks in a collective set-up. */
#ifndef HY_COLL_CREATE_H
#define HY_COLL_CREATE_H

#include "coll/comm.h"

/* A communicator that is being created; comm NULL: this rank does not join, or cannot. */
typedef struct hy_creation {
    hy_comm *comm;
    int number; /* reserved; nobody can find the communicator yet */
} hy_creation;

/* Takes a number and memory, if this rank joins. NO_MEMORY. */
int hy_creation_begin(hy_comms *comms, bool join, hy_creation *made);
/* Makes what else belongs to a communicator whose group is open. NO_MEMORY. */
int hy_creation_fill(hy_comm *comm);
/* The communicator can be found. */
void hy_creation_publish(hy_comms *comms, const hy_creation *made);
/* Frees it after a failure. */
void hy_creation_abandon(hy_comms *comms, const hy_creation *made);

/* As hy_comm_create(), for a caller that has entered the set-up. */
int hy_comm_make(hy_comms *comms, bool join, int *comm);

#endif
