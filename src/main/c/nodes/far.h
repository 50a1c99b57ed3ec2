/* SPDX-License-Identifier: Apache-2.0 */
/* Remote peers: ranks whose part of memory is not mapped here, so that the row of their path
 * does everything. The job makes progress on their paths in all waits, watches for their errors
 * (no control area reports their deaths), and completes all operations before all ranks meet. */
#ifndef HY_NODES_FAR_H
#define HY_NODES_FAR_H

#include "job/job.h"

/* Called when the endpoints exist. NO_MEMORY. */
int hy_far_open(hy_job *job);

/* Whether this remote rank has failed: OK, or the error of its network. */
int hy_far_check(hy_job *job, int peer);

/* Reports the end of a rank of another node to this node, unless it is known. state:
 * HY_RANK_LEFT or above. */
void hy_far_lost(hy_job *job, int rank, uint32_t state);

/* Tells the ranks with which this rank has communicated that it leaves. */
void hy_far_leave(hy_job *job);

/* Closes the networks. Only when no thread is in a call. */
void hy_far_close(hy_job *job);

/*
 * ---- far_lanes.c ----
 * A remote peer has an endpoint (hy_ep) on lane 0, in job->eps, and others on further lanes, for
 * threads that must not share one. These are made at their first use and stay until the job is
 * freed.
 */

/* The endpoint of a remote rank on a lane, 1 to HY_NET_LANES - 1. NO_MEMORY. */
int hy_far_end(hy_job *job, int lane, int rank, hy_ep **end);
/* NULL: it has never been used. */
hy_ep *hy_far_known_end(const hy_job *job, int lane, int rank);
/* Flushes the operations to a remote rank on all these lanes. Returns how many of them have been
 * used for it (0: nothing to do), or the first error. */
int hy_far_flush_lanes(hy_job *job, int rank);
int hy_far_open_lanes(hy_job *job);
void hy_far_free_lanes(hy_job *job);

#endif
