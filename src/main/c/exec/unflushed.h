/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Puts of a schedule to far members, which may be on their way when they return. A signal to the
 * same member comes behind them by itself (path/path.h). One to another member says by way of third
 * ones that they are there, as in a barrier: so they are flushed before it.
 */
#ifndef HY_EXEC_UNFLUSHED_H
#define HY_EXEC_UNFLUSHED_H

#include "wire/group.h"

/* Members [from, end), not all of them perhaps; end 0: none. */
typedef struct hy_unflushed {
    int from, end;
} hy_unflushed;

static inline void hy_unflushed_put(hy_unflushed *loose, const hy_ep *ep, int member)
{
    if (hy_likely(!hy_ep_is_far(ep))) return;
    if (loose->end == 0 || member < loose->from) loose->from = member;
    if (member >= loose->end) loose->end = member + 1;
}

int hy_unflushed_flush(hy_unflushed *loose, hy_group *group);

/* Before a signal to this member. */
static inline int hy_unflushed_signal(hy_unflushed *loose, hy_group *group, int member)
{
    if (hy_likely(loose->end == 0)) return HAYATE_OK;
    if (loose->from == member && loose->end == member + 1) return HAYATE_OK;
    return hy_unflushed_flush(loose, group);
}

#endif
