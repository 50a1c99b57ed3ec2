/* SPDX-License-Identifier: Apache-2.0 */
/* The wait of a collective is counted from its first slow turn (coll/compare.h). */
#include "coll/limits.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/settings.h"

#define SECOND UINT64_C(1000000000)
/* How often a waiting thread asks whether it was interrupted. */
#define ASK_NS UINT64_C(50000000)

int hy_limits_open(hy_limits *limits)
{
    uint64_t seconds;
    int rc = hy_setting_value(HY_SET(TIMEOUT), &seconds);
    if (!rc) hy_limits_set(limits, seconds == HY_TIMEOUT_OFF ? 0 : seconds * SECOND);
    return rc;
}

static int limits_give_up(hy_comms *comms, const hy_comm *comm, int member, const char *what,
                          int code, const char *why)
{
    char whom[48] = "";
    hy_awaited awaited = {.peer = -1};
    hy_comm_tell(comms, comm, member, &awaited);
    if (member >= 0) snprintf(whom, sizeof whom, " while it waited for rank %d", awaited.peer);
    if (!what) what = hy_coll_name(comm->exec.schedule->shape.coll);
    return hy_fail_peer(
        code, awaited.peer,
        "%s: %s number %llu on communicator %d was given up%s. The communicator can "
        "no longer be used: close it, and go on with another one",
        why, what, (unsigned long long)comm->exec.number, (int)awaited.place, whom);
}

static int interrupted(hy_comms *comms, const hy_comm *comm, int member, const char *what)
{
    return limits_give_up(comms, comm, member, what, HAYATE_ERR_INTERRUPTED,
                          "the thread was interrupted");
}

int hy_limits_interrupted(hy_comms *comms, const hy_comm *comm)
{
    return interrupted(comms, comm, hy_exec_peer(&comm->exec), NULL);
}

static bool is_interrupted(const hy_limits *limits, hy_waiting *waiting, uint64_t now)
{
    if (!limits->interrupted || now - waiting->asked_ns < ASK_NS) return false;
    waiting->asked_ns = now;
    return limits->interrupted();
}

int hy_limits_check(hy_comms *comms, hy_comm *comm, int member, const char *what)
{
    const hy_limits *limits = &comms->limits;
    uint64_t now = hy_tick_ns(), limit = hy_load_relaxed(&limits->limit_ns);
    hy_waiting *waiting = &comm->waiting;
    if (hy_unlikely(limit && now - waiting->since_ns >= limit)) {
        char why[64];
        snprintf(why, sizeof why, "the time limit of %.3g s is over", (double)limit / SECOND);
        return limits_give_up(comms, comm, member, what, HAYATE_ERR_TIMED_OUT, why);
    }
    if (hy_unlikely(is_interrupted(limits, waiting, now)))
        return interrupted(comms, comm, member, what);
    return HAYATE_OK;
}
