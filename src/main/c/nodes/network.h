/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The network to ranks of other nodes: which one, and how its addresses are found. One network
 * serves a job; all ranks choose the same, the first of hy_nets[] that every node can use.
 */
#ifndef HY_NODES_NETWORK_H
#define HY_NODES_NETWORK_H

#include "job/job.h"
#include "path/net.h"

/* Those to choose from: hy_nets, but for tests, which put their own there. */
extern const hy_net_ops *const *hy_network_rows;

/* Opens it, makes its address known and the endpoints of all ranks of other nodes. Nothing on one
 * node. Collective. UNSUPPORTED (with what each network lacks), LAUNCH (the ranks want different
 * ones), ARGUMENT, and the errors of hy_net_ops.open(). */
int hy_network_open(hy_job *job);

/* ---- network_local.c ---- */
/* What HAYATE_NET_LOCAL says: 0, none, or 1 + a place in hy_network_rows. ARGUMENT. */
int hy_network_local_choose(int *choice);

/* When the ends of all ranks of the node are there: replaces them by those of this network. The
 * same choice on all ranks. Collective. UNSUPPORTED, and the errors of hy_net_ops.open(). */
int hy_network_local_open(hy_job *job, int choice);

#endif
