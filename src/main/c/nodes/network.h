/* SPDX-License-Identifier: Apache-2.0 */
/* The network to ranks of other nodes: its choice, and how addresses are found. A job has one
 * such network; all ranks choose the same, the first of hy_nets[] that every node can use. */
#ifndef HY_NODES_NETWORK_H
#define HY_NODES_NETWORK_H

#include "job/job.h"
#include "net/net.h"

/* The networks to choose from: hy_nets, or those of a test. */
extern const hy_net_ops *const *hy_network_rows;

/* Opens the network, publishes its address, and makes the endpoints of all ranks of other nodes. In
 * a job on one node, opens only the way to the delegatee, if there is one. Collective. UNSUPPORTED
 * (the reason tells what each network lacks), LAUNCH (the ranks require different networks),
 * ARGUMENT, and the errors of hy_net_ops.open(). */
int hy_network_open(hy_job *job);

/* Prints what this process could use between nodes, before it is known whether there are several:
 * see hy_boot_ops.offered. ARGUMENT: HAYATE_NET is invalid. */
int hy_network_offer(char text[HY_BOOT_TEXT]);

/* Closes the way to the delegatee in a job on one node. Networks are closed by hy_far_close(). */
void hy_network_close(hy_job *job);

/* The same for a job on several nodes, but the caller may have set arrived(), is_lost() and idle()
 * in the attr, whose context is the job; job->part, part_bytes and bell describe the memory. */
int hy_network_open_with(hy_job *job, hy_net_attr *attr);

/* ---- network_local.c ---- */
/* The choice of HAYATE_NET_LOCAL: 0 for none, or 1 + an index in hy_network_rows. ARGUMENT. */
int hy_network_local_choose(int *choice);

/* Called when the endpoints of all ranks of the node exist: replaces them by endpoints of this
 * network. The same choice on all ranks. Collective. UNSUPPORTED, and the errors of
 * hy_net_ops.open(). */
int hy_network_local_open(hy_job *job, int choice);

#endif
