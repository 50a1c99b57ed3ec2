/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Far peers: ranks whose part of memory is not mapped here, so that all is done by the rows of
 * their path. What the job owes them: it lets their paths work in all waits, it looks at their
 * errors (no control area tells of their death), and it lets nothing be on its way when all ranks
 * meet.
 */
#ifndef HY_NODES_FAR_H
#define HY_NODES_FAR_H

#include "job/job.h"

/* When the endpoints are there. NO_MEMORY. */
int hy_far_open(hy_job *job);

/* Has this far rank failed? OK, or the error of its network. */
int hy_far_check(hy_job *job, int peer);

/* Tells this node of the end of a rank of another one, unless it knows. state: from HY_RANK_LEFT
 * on. */
void hy_far_lost(hy_job *job, int rank, uint32_t state);

/* Says to the ranks that were used that this one leaves. */
void hy_far_leave(hy_job *job);

/* Closes the networks. When no thread is in a call. */
void hy_far_close(hy_job *job);

/* ---- far_lanes.c ----
 * Far peers have an end in job->eps, on lane 0, and others on further lanes: for threads that are
 * not to share one. These are made on their first use and stay until the job is freed. */

/* The end of a far rank on a lane, 1 to HY_NET_LANES - 1. NO_MEMORY. */
int hy_far_end(hy_job *job, int lane, int rank, hy_ep **end);
/* NULL: it was never used. */
hy_ep *hy_far_known_end(const hy_job *job, int lane, int rank);
/* Flushes what went to a far rank by these lanes. How many of them were ever used for it (0: there
 * was nothing to do), or the first error. */
int hy_far_flush_lanes(hy_job *job, int rank);
int hy_far_open_lanes(hy_job *job);
void hy_far_free_lanes(hy_job *job);

#endif
