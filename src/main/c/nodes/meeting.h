/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How ranks of several nodes meet, for fences and for exchanges of records. The ranks of a node use
 * its control area; between the nodes, their first ranks, the *leaders*, use the network.
 *
 * The leaders use a dissemination algorithm: in round k, each sets a flag at the leader 2^k nodes
 * before it. The flag says that this leader and all whose flags have reached it, directly or
 * through others, are there. After log2(nodes) rounds, that is all of them. In an exchange, a
 * *summary* goes before the flag: one record, and whether the records of those nodes differ from
 * it. Nearly always all records are equal, and nothing more is sent, whatever the number of ranks.
 * Otherwise all leaders know it and meet again, with the records of those nodes, starting with
 * their own.
 *
 * Received data lie in the leader's system area, at the same offset on all nodes: a flag for each
 * round, and summaries and records in two alternating halves. A half is free when its turn comes
 * again: no leader can be two meetings ahead of another. Memory for records is touched only if they
 * differ.
 *
 * If a leader cannot come (a rank of its node is dead, or a leader does not answer), its flags
 * say so to all leaders for whom they are, once and permanently, and those do the same.
 */
#ifndef HY_NODES_MEETING_H
#define HY_NODES_MEETING_H

#include "job/job.h"

/* Takes room in this rank's system area. Must be the first to do so, so that the offset is the
 * same everywhere. Does nothing in a job on one node. */
int hy_meeting_place(hy_job *job);

/* The offset, in the part of any rank, of the room for nodes/membership.h. */
uint64_t hy_meeting_membership_at(const hy_job *job);

/* Called when the networks are open. From then on, the fences and exchanges of boot.h work. */
int hy_meeting_open(hy_job *job);
void hy_meeting_close(hy_job *job);

#endif
