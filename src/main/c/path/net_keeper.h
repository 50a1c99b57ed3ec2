/* SPDX-License-Identifier: Apache-2.0 */
/* The keeper: a thread that lets a network work when nobody else of the process has for a while, so
 * that a rank that computes still answers. It has no work in a process that waits or communicates.
 */
#ifndef HY_PATH_NET_KEEPER_H
#define HY_PATH_NET_KEEPER_H

#include <stdint.h>

typedef struct hy_net_keeper hy_net_keeper;

/* Lets the network work if it has not since its counter of turns was `seen`; the counter now. */
typedef uint64_t (*hy_net_look)(void *net, uint64_t seen);

int hy_net_keeper_start(hy_net_keeper **keeper, hy_net_look look, void *net);

/* NULL: there is none. */
void hy_net_keeper_stop(hy_net_keeper *keeper);

#endif
