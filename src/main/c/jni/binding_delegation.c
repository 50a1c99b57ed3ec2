/* SPDX-License-Identifier: Apache-2.0 */
/* What users see of a delegatee, for JNA: io.hayate.Delegation, `hayate info` and `hayate stat`. */
#include <string.h>

#include "job/job.h"
#include "watchdog/view.h"

/* numbers[0..9]; DelegationBinding has the same list. */
static void write_view(const hy_delegation_view *view, int64_t *numbers, char *network, int room)
{
    const int64_t all[] = {view->pid,
                           view->state,
                           view->why,
                           view->waiting,
                           (int64_t)view->commands,
                           (int64_t)view->bytes,
                           (int64_t)view->sleeps,
                           (int64_t)view->turns,
                           (int64_t)view->connections,
                           (int64_t)view->registered};
    memcpy(numbers, all, sizeof all);
    strncpy(network, view->network, (size_t)room - 1);
    network[room - 1] = '\0';
}

/* 1: `numbers` and `network` are written, the latter in UTF-8 with a final 0; numbers[10..14] are
 * the node, the number of nodes, whether the delegatee reaches all memory of this rank, its
 * commands and their bytes. 0: this rank's node has no delegatee. */
HAYATE_API int hayate_binding_delegation_of_job(const hy_job *job, int64_t *numbers, char *network,
                                                int room)
{
    hy_control *control = job->boot.control;
    hy_delegation *area = control ? hy_control_delegation(control) : NULL;
    if (!area || room < 1) return 0;
    uint32_t parts = control->parts, nodes = (uint32_t)control->nodes;
    uint32_t part = (uint32_t)hy_control_part_number(control, job->rank); /* not -1: it is here */
    if (hy_delegation_verify(area, control->delegation_bytes, parts, nodes) || part >= parts)
        return 0;
    hy_delegation_view view;
    hy_delegation_see(area, parts, nodes, &view);
    write_view(&view, numbers, network, room);
    const hy_delegation_rank *own = hy_delegation_rank_of(area, parts, nodes, part);
    numbers[10] = control->node;
    numbers[11] = nodes;
    numbers[12] = hy_load_relaxed(&own->reachable) != 0;
    numbers[13] = (int64_t)hy_load_relaxed(&own->taken.commands);
    numbers[14] = (int64_t)hy_load_relaxed(&own->taken.bytes);
    return 1;
}

/* The same for an observed job, without numbers[10..14]. */
HAYATE_API int hayate_binding_delegation_of_stat(const hy_view *job, int64_t *numbers,
                                                 char *network, int room)
{
    const hy_delegation *area = hy_view_delegation(job);
    hy_delegation_view view;
    if (room < 1 || !area) return 0;
    hy_delegation_see(area, job->header.parts, (uint32_t)job->header.nodes, &view);
    write_view(&view, numbers, network, room);
    return 1;
}
