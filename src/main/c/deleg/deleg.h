/* SPDX-License-Identifier: Apache-2.0 */
/* The server of a node: the one process that has a network, for all ranks of the node. */
#ifndef HY_DELEG_DELEG_H
#define HY_DELEG_DELEG_H

#include "boot/boot.h"

typedef struct hy_deleg hy_deleg;

/* Collective over the delegatees of the job: opens the network and publishes its address. boot: the
 * delegatee's own, whose rank is the number of the node. control: the node's segment, wholly
 * mapped. Both must stay until hy_deleg_close(). On one node there is no network to open. */
int hy_deleg_open(hy_deleg **deleg, hy_boot *boot, hy_control *control);

/* Serves the ranks until something can be read from the launcher's socket, or it hangs up: the
 * caller reads it. An error: the cluster's launcher has ended, or the network has failed. */
int hy_deleg_serve(hy_deleg *deleg, int launcher);

void hy_deleg_close(hy_deleg *deleg);

#endif
