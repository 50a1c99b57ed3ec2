/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long a blocking collective waits for the other members: until a time limit is over, or until
 * its thread is interrupted. The collective then fails, and breaks its communicator: the others
 * may be anywhere in it, so that it can neither go on nor begin again.
 *
 * Only slow turns ask, so that a collective that does not wait long pays nothing. A collective that
 * was started is not asked about: its wait may end, and it goes on.
 */
#ifndef HY_COLL_LIMITS_H
#define HY_COLL_LIMITS_H

#include "coll/comm.h"
#include "job/await.h"

/* Takes the limit from HAYATE_TIMEOUT. ARGUMENT. */
int hy_limits_open(hy_limits *limits);

/* For the collectives that begin to wait from now on; 0: no limit. Any thread. */
static inline void hy_limits_set(hy_limits *limits, uint64_t limit_ns)
{
    hy_store_relaxed(&limits->limit_ns, limit_ns);
}

/* In a slow turn of a blocking collective that waits for a member (-1: for no particular one),
 * after hy_comm_idle(). what: its name; NULL: that of the schedule. TIMED_OUT, INTERRUPTED, OK. */
int hy_limits_check(hy_comms *comms, hy_comm *comm, int member, const char *what);

/* INTERRUPTED, with the reason: the thread of a collective has been interrupted. */
int hy_limits_interrupted(hy_comms *comms, const hy_comm *comm);

/* The same for other waits: reads the limit for hy_await. NULL: none. `limit` is for the result. */
static inline const hy_limit *hy_limits_of(const hy_limits *limits, hy_limit *limit)
{
    *limit = (hy_limit){.ns = hy_load_relaxed(&limits->limit_ns)};
    return limit->ns ? limit : NULL;
}

#endif
