/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How nodes tell each other which ranks have ended. Within a node, the launcher or the ranks see
 * which ranks die or leave, and write it into the control area. Between nodes, only a rank that
 * waits for a certain other rank asks its network about that one, and a rank that closes its job
 * tells only the ranks that it knows.
 *
 * For all other waits: a rank that finds an end of which other nodes have not been told tells their
 * leaders, by a flag in the system area that every rank of their node can see. Each node's leader
 * watches the leader of the next node, so that the loss of a whole node, or a node whose ranks have
 * all left, is noticed as well. There is a flag for every rank of the job, but it is read only when
 * the digest of its block of ranks has changed: the flags of live ranks take no memory.
 *
 * Telling is in membership_tell.c, hearing in membership.c.
 */
#ifndef HY_NODES_MEMBERSHIP_H
#define HY_NODES_MEMBERSHIP_H

#include "job/job.h"

/* The room that nodes/meeting.h takes in every rank's system area. */
uint64_t hy_membership_bytes(const hy_job *job);

/* Tells and learns of ends; called now and then in waits (job/check.c). What is told is in the
 * control area afterwards. Any thread. */
void hy_membership(hy_job *job);

/* Whether the rank has failed, as far as this node has been told. Reads memory only. Any thread. */
bool hy_membership_lost(hy_job *job, int rank);

/* Whether more is to be told, in the next calls. */
bool hy_membership_left(const hy_job *job);

/* Of hy_membership(): tells, without waiting: it begins what is to be told, and advances what is
 * under way; later calls go on. Does nothing while another thread is in it. Any thread. */
void hy_membership_tell(hy_job *job);

/* Gives what is being told a second in all, before the networks are left. Any thread. */
void hy_membership_finish(hy_job *job);

/* Gives up what is not told yet. Only when no thread is in a call. */
void hy_membership_close(hy_job *job);

#endif
