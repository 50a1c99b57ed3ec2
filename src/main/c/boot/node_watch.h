/* SPDX-License-Identifier: Apache-2.0 */
/* Notices deaths of ranks without `hayate run`: every rank watches other ranks of its node by
 * pidfds, all of them in one epoll descriptor, so that a look is one system call for any number
 * of ranks. What one rank has seen is written into the control area for all. */
#ifndef HY_BOOT_NODE_WATCH_H
#define HY_BOOT_NODE_WATCH_H

#include "boot/control.h"

typedef struct hy_node_watch hy_node_watch;

/* Watches the ranks behind `self` in the ring of ranks, as many as the limit of open files
 * permits, by the pids in the control area; a rank that has already ended is published.
 * `launcher`: a descriptor that hangs up when the launcher ends, or -1; it stays with the
 * caller. */
int hy_node_watch_open(hy_node_watch **watch, hy_control *control, int self, int launcher);

/* Publishes which ranks ended without leaving. PEER_FAILED: the launcher has been gone for three
 * seconds, in which the death of the rank that ended it can become known. Any thread. */
int hy_node_watch_look(hy_node_watch *watch);

void hy_node_watch_close(hy_node_watch *watch);

#endif
