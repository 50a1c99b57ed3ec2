/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the layout of the control area over, and checks it. */
#include "nodes/node_map.h"

int hy_node_map_open(hy_job *job)
{
    const hy_control *control = job->boot.control;
    const hy_layout_rule rule = control->layout;
    int rc = hy_layout_check_rule(&rule, (uint32_t)job->size, (uint32_t)control->nodes);
    if (!rc) rc = hy_layout_open(&job->layout, &rule, hy_control_list(control));
    if (rc || hy_node_map_leader(job, control->node) == control->leader) return rc;
    return hy_fail(HAYATE_ERR_CORRUPT, "the segment gives rank %d as the first of node %d",
                   (int)control->leader, (int)control->node);
}
