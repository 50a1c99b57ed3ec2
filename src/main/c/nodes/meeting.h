/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How ranks of several nodes meet, in fences and with their records: within a node by its control
 * area, between the nodes their first ranks, the *leaders*, over the network.
 *
 * The leaders disseminate: in round k each tells the leader 2^k nodes before it that it has come,
 * and what it has heard so far; after log2(nodes) rounds everybody has heard of all. In an exchange
 * it tells one record, and whether those of the nodes it has heard of differ from it. Nearly always
 * they are all alike, and that is all, whatever the number of ranks; if not, all leaders know so,
 * and meet again with the records of all nodes that they have heard of, their own first. What comes
 * in lies in the leader's system area, at the same offset on all nodes: a flag for each round, and
 * notices and records in two halves in turn. A half is free when its turn comes again: nobody gets
 * two meetings further than who is still in one. Memory for records is touched only when they
 * differ.
 *
 * A leader that cannot come (a rank of its node is dead, or a leader does not answer) says so to
 * all it would have told, once and for ever, and they do the same.
 */
#ifndef HY_NODES_MEETING_H
#define HY_NODES_MEETING_H

#include "job/job.h"

/* Room in this rank's system area; the first thing taken there, so that all have it at the same
 * place. Nothing on one node. */
int hy_meeting_place(hy_job *job);

/* Offset, in the part of any rank, of the room for nodes/membership.h. */
uint64_t hy_meeting_membership_at(const hy_job *job);

/* When the networks are open: from here on the fences and exchanges of boot.h work. */
int hy_meeting_open(hy_job *job);
void hy_meeting_close(hy_job *job);

#endif
