/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who notices deaths where no `hayate run` does: every rank watches other ranks of its node by
 * pidfds, all of them behind one epoll descriptor, so that a look is one system call whatever their
 * number. What one has seen stands in the control area for all.
 */
#ifndef HY_BOOT_NODE_WATCH_H
#define HY_BOOT_NODE_WATCH_H

#include "boot/control.h"

typedef struct hy_node_watch hy_node_watch;

/* Watches the ranks behind `self` in the ring of ranks, as many as the limit of open files allows
 * for, by the pids in the control area; one that has ended already is published. `launcher`: a
 * descriptor whose hang-up means that the launcher is gone, or -1; it stays the caller's. */
int hy_node_watch_open(hy_node_watch **watch, hy_control *control, int self, int launcher);

/* Publishes which ranks ended without leaving. PEER_FAILED: the launcher has been gone for half a
 * second, in which the death of the rank that ended it can become known. Any thread. */
int hy_node_watch_look(hy_node_watch *watch);

void hy_node_watch_close(hy_node_watch *watch);

#endif
