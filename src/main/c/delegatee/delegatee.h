/* SPDX-License-Identifier: Apache-2.0 */
/* The program hayate-delegatee: its words with the launcher that has started it, and with the
 * delegatees of the other nodes. */
#ifndef HY_DELEGATEE_DELEGATEE_H
#define HY_DELEGATEE_DELEGATEE_H

#include "boot/segment.h"
#include "boot/boot.h"
#include "boot/wire.h"

/* ---- delegatee_launcher.c: the delegatee's side of boot/wire.h ---- */

/* Says hello and waits for the order. LAUNCH. */
int hy_delegatee_join(int launcher, hy_order *order);
/* The node is ready: passes the segment on. */
int hy_delegatee_ready(int launcher, const hy_ready *ready, int segment_fd);
/* Tells why not, and waits until the launcher has told the user. */
void hy_delegatee_refuse(int launcher, int status, const char *reason);
/* Takes the launcher's last word, for which it waits. True: all ranks have ended in order. False:
 * the job must end with *code. */
bool hy_delegatee_released(int launcher, int *code);

/* ---- delegatee_members.c: what the nodes agree on ---- */

typedef struct hy_delegatee_members {
    int first, size;  /* this node's first rank, ranks of the job */
    uint64_t heap;    /* of every rank */
    int32_t *node_of; /* [size]; the caller frees it */
} hy_delegatee_members;

/* Collective: tells the other nodes how many ranks this one has and which heap it wants, and deals
 * out the numbers, node by node. The heap is the one that users of nodes asked for, which must be
 * the same, or else the smallest default. LAUNCH, NO_MEMORY, UNSUPPORTED (too many ranks). */
int hy_delegatee_meet(hy_boot *boot, const hy_order *order, hy_delegatee_members *members);

#endif
