/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Members that are in different calls, or whose collective has failed, tell each other.
 *
 * A member that receives a message of another call sees that at once. But others may wait for
 * messages that nobody will send: from a member that has given up, or in a circle. So a member
 * whose collective fails tells all others, and a member that waits for long tells in which call it
 * is. Both are one store into the match entry of each other member, and are read in slow turns
 * only: a collective in which nothing is wrong does not pay for it.
 *
 * Remote members are told if a message was exchanged with them, or belongs to the rest of the call:
 * others may have freed their entry. So a remote member that waits for one that has given up, and
 * that was not to hear from it, may wait until that one leaves.
 */
#ifndef HY_COLL_COMPARE_H
#define HY_COLL_COMPARE_H

#include "coll/comm.h"

/* The slow turn of a wait for a member (-1: for no particular one), with the communicator acquired.
 * Like hy_comms_idle_together(); also MISMATCH if another member is in another call, and the error
 * of another member's collective that has failed. */
int hy_comm_idle(hy_comms *comms, hy_comm *comm, int member);

/* A collective has failed, with the communicator acquired: nobody can use it any more. Tells the
 * other members, unless they learn of it as this one did, or this one was closed. If this member
 * has given up (coll/limits.h), the others, and later calls, get BROKEN. Returns rc. */
int hy_comm_break(hy_comm *comm, int rc);

/* The communicator is being closed here, with it acquired: tells the other members, of which those
 * that wait in a later call get PEER_FAILED. MISMATCH: a member has passed other arguments to one
 * of the calls, or made more or fewer. Of two members that differ, the one that closes it later
 * gets that; a remote one may miss it. */
int hy_comm_end(hy_comm *comm);

#endif
