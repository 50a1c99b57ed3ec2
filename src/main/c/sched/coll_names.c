/* SPDX-License-Identifier: Apache-2.0 */
/* The names of collectives, for programs that run none, too. */
#include <string.h>

#include "sched/schedule.h"

static const char *const names[HY_COLL_COUNT] = {
    [HY_COLL_BARRIER] = "barrier",
    [HY_COLL_BCAST] = "bcast",
    [HY_COLL_REDUCE] = "reduce",
    [HY_COLL_ALLREDUCE] = "allreduce",
    [HY_COLL_GATHER] = "gather",
    [HY_COLL_SCATTER] = "scatter",
    [HY_COLL_ALLGATHER] = "allgather",
    [HY_COLL_ALLTOALL] = "alltoall",
    [HY_COLL_REDUCE_SCATTER] = "reduce_scatter",
    [HY_COLL_SCAN] = "scan",
    [HY_COLL_EXSCAN] = "exscan",
};

const char *hy_coll_name(hy_coll coll)
{
    return (unsigned)coll < HY_COLL_COUNT ? names[coll] : "unknown collective";
}

bool hy_coll_find(const char *name, hy_coll *coll)
{
    for (int i = 0; i < HY_COLL_COUNT; i++) {
        if (strcmp(names[i], name) != 0) continue;
        *coll = (hy_coll)i;
        return true;
    }
    return false;
}
