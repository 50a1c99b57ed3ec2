/* SPDX-License-Identifier: Apache-2.0 */
/* Puts of a schedule to members on other nodes, which may still be under way when the calls
 * return. A later signal to the same member arrives behind them (path/path.h). A signal to
 * another member may tell it, through further members, that the data have arrived, as in a
 * barrier: the puts are flushed before such a signal. */
#ifndef HY_EXEC_UNFLUSHED_H
#define HY_EXEC_UNFLUSHED_H

#include "net/net.h"
#include "wire/group.h"

/* A range of members [from, end), of which only some may have unflushed puts; end 0: none. */
typedef struct hy_unflushed {
    int from, end;
} hy_unflushed;

static inline void hy_unflushed_put(hy_unflushed *set, const hy_ep *ep, int member)
{
    if (hy_likely(!hy_ep_is_far(ep))) return;
    if (set->end == 0 || member < set->from) set->from = member;
    if (member >= set->end) set->end = member + 1;
}

/* The result of a flush to a remote member. One that has left in order has completed all its
 * collectives, so what was put for them has arrived, and it answers no more: OK. */
static inline int hy_unflushed_over(hy_ep *ep, int rc)
{
    return rc == HAYATE_ERR_PEER_FAILED && ep->net->ops->has_left(ep) ? HAYATE_OK : rc;
}

int hy_unflushed_flush(hy_unflushed *set, hy_group *group);

/* Whether they must be flushed before a signal to this member. */
static inline bool hy_unflushed_before(const hy_unflushed *set, int member)
{
    return hy_unlikely(set->end != 0) && !(set->from == member && set->end == member + 1);
}

/* Call before a signal to this member. */
static inline int hy_unflushed_signal(hy_unflushed *set, hy_group *group, int member)
{
    return hy_unflushed_before(set, member) ? hy_unflushed_flush(set, group) : HAYATE_OK;
}

#endif
