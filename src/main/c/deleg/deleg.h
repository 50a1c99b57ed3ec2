/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The delegatee: it owns the network of a node and carries out the commands of the node's ranks
 * (net/delegated/delegation.h). It is a member of a job of delegatees, in which each node is one
 * rank: so it opens the network as any rank does, but for the parts of all ranks of its node, as
 * one region. Offset `x` of the part number `p` of a node is offset p * part_bytes + x there.
 *
 * It has one thread. In each turn it begins what is new in the rings, tests what is under way, and
 * lets the network work; if all of that was in vain, it waits as any rank does (base/wait.h). No
 * operation waits, so a slow peer delays nobody but the rings whose next commands are for it.
 *
 * A rank's memory is reached in the segment, or else by single copy. The delegatee never writes to
 * a rank's memory on behalf of another rank of its node.
 */
#ifndef HY_DELEG_DELEG_H
#define HY_DELEG_DELEG_H

#include "boot/boot.h"

typedef struct hy_deleg hy_deleg;

/* boot: the delegatee's own, whose rank is the number of the node; it belongs to the caller.
 * control: the segment of the node, wholly mapped. Collective over the delegatees: opens the
 * network and publishes its address, if there is more than one node. The errors of
 * hy_network_open(); NO_MEMORY. */
int hy_deleg_open(hy_deleg **deleg, hy_boot *boot, hy_control *control);

/* Serves the ranks until something can be read from the launcher's socket, or it hangs up: the
 * caller reads it. An error: the cluster's launcher has ended. */
int hy_deleg_serve(hy_deleg *deleg, int launcher);

/* Leaves the other nodes in order, in two seconds at most. */
void hy_deleg_close(hy_deleg *deleg);

#endif
