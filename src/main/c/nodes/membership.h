/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What nodes tell each other of ends. Within a node the launcher or the ranks themselves see who
 * dies or leaves, and write it into the control area; between nodes only who waits for a certain
 * rank asks its network about that one, and a rank that has closed its job says so to those alone
 * that it knows. For all other waits: who finds an end that other nodes have not been told of tells
 * their first ranks, by a flag in the system area, where each rank of theirs sees it; and each
 * node's first rank watches that of the next node, so that a node which is lost as a whole, or was
 * left by all, is noticed as well. There is a flag for every rank of the job, but it is looked at
 * only when the one of its block of ranks has changed: so flags of ranks that live take no memory.
 */
#ifndef HY_NODES_MEMBERSHIP_H
#define HY_NODES_MEMBERSHIP_H

#include "job/job.h"

/* Room that nodes/meeting.h takes in every rank's system area. */
uint64_t hy_membership_bytes(const hy_job *job);

/* Now and then in waits (job/check.c). What is heard is in the control area afterwards. Any thread.
 */
void hy_membership(hy_job *job);

/* Has the rank failed, as far as this node was told? Looks at memory alone. Any thread. */
bool hy_membership_lost(hy_job *job, int rank);

/* Is there more to tell, by the next looks? */
bool hy_membership_left(const hy_job *job);

#endif
