/* SPDX-License-Identifier: Apache-2.0 */
/* Collectives that the delegatee of this node runs whole, in jobs on one node or several. `net` is
 * the delegated network of this rank. PEER_FAILED: the delegatee has ended. Any thread. */
#ifndef HY_NET_DELEGATED_OFFLOAD_H
#define HY_NET_DELEGATED_OFFLOAD_H

#include "net/net.h"

/* Hands over the image (exec/wired_image.h) at this offset of the rank's part. Waits for the
 * delegatee. CORRUPT, NO_MEMORY. */
int hy_offload_load(hy_net *net, uint64_t offset, uint64_t bytes, uint64_t *handle);

/* Starts the next run; the one before has finished. Does not wait for the delegatee: if that cannot
 * start it, hy_offload_check() tells. */
int hy_offload_start(hy_net *net, uint64_t handle);

/* The delegatee forgets the image. Waits for it: then the image and what it refers to are no longer
 * used, unless a run was given up that has an operation under way. */
int hy_offload_unload(hy_net *net, uint64_t handle);

/* OK, or why the delegatee will not finish anything, or has not even begun it. Called in slow turns
 * of waits. */
int hy_offload_check(hy_net *net);

/* OK, or the error of a command of this rank that the delegatee could not carry out, and whose
 * result nobody wanted: what a peer waits for will not come. Called in slow turns of all waits. */
int hy_offload_lost(hy_net *net);

#endif
