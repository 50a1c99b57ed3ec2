/* SPDX-License-Identifier: Apache-2.0 */
/* The table of the names. */
#include "watchdog/awaited.h"

#include "sched/schedule.h"

const char *hy_awaited_kind_name(const hy_awaited *awaited)
{
    static const char *const names[HY_AWAITED_KINDS] = {
        [HY_AWAITED_SEND] = "send",
        [HY_AWAITED_RECEIVE] = "receive",
        [HY_AWAITED_REQUESTS] = "requests",
        [HY_AWAITED_SEND_BUFFER] = "send_buffer",
        [HY_AWAITED_COLLECTIVE] = "collective",
        [HY_AWAITED_PERSISTENT] = "persistent",
        [HY_AWAITED_RECORDS] = "records",
        [HY_AWAITED_WORD] = "word",
        [HY_AWAITED_TURN] = "turn",
        [HY_AWAITED_FENCE] = "fence",
        [HY_AWAITED_NODE] = "node",
        [HY_AWAITED_PROBE] = "probe",
        [HY_AWAITED_CHOICE] = "choice",
        [HY_AWAITED_PUT] = "put",
        [HY_AWAITED_GET] = "get",
        [HY_AWAITED_FLAG] = "flag",
        [HY_AWAITED_ATOMIC] = "atomic",
        [HY_AWAITED_FLUSH] = "flush",
        [HY_AWAITED_ACCUMULATE] = "accumulate",
    };
    return names[awaited->kind];
}

const char *hy_awaited_collective_of(const hy_awaited *awaited)
{
    return awaited->what < HY_COLL_COUNT ? hy_coll_name((hy_coll)awaited->what) : "collective";
}

const char *hy_awaited_collective(const hy_awaited *awaited)
{
    bool is_one = awaited->kind == HY_AWAITED_COLLECTIVE || awaited->kind == HY_AWAITED_PERSISTENT;
    return is_one ? hy_awaited_collective_of(awaited) : NULL;
}
