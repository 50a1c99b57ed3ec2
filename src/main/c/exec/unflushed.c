/* SPDX-License-Identifier: Apache-2.0 */
/* Flushes the puts to a range of members, of which only some may have been used. */
#include "exec/unflushed.h"

int hy_unflushed_flush(hy_unflushed *set, hy_group *group)
{
    for (int member = set->from; member < set->end; member++) {
        hy_ep *ep = hy_job_known_ep(group->job, hy_group_member(group, member));
        if (!ep || !hy_ep_is_far(ep)) continue;
        int rc = hy_unflushed_over(ep, ep->ops->flush(ep));
        if (rc) return rc;
    }
    *set = (hy_unflushed){0, 0};
    return HAYATE_OK;
}
