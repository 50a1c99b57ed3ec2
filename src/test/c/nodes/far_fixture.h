/* SPDX-License-Identifier: Apache-2.0 */
/* Two ranks of one process that are far from each other: the ends a and b of a channel over the
 * path of net/fault. */
#ifndef HY_TEST_FAR_FIXTURE_H
#define HY_TEST_FAR_FIXTURE_H

#include "base/test.h"
#include "job/world_fixture.h"
#include "net/fault/fault_path.h"

static world w;
static hy_net *nets[2];
static hy_channel *a, *b;
static _Atomic uint32_t broken[2];

/* The plan, for the next set-up. */
static fault_plan far_plan = {.seed = 1, .delay = 50};

static inline int set_up_far(void **state)
{
    (void)state;
    w = (world){.size = 2};
    for (int i = 0; i < 2; i++) w.jobs[i] = world_job(UINT64_C(1) << 20);
    for (int i = 0; i < 2; i++) world_eps(&w, i);
    for (int i = 0; i < 2; i++) {
        fault_plan plan = far_plan;
        plan.seed = plan.seed * 2 + (uint64_t)i;
        broken[i] = 0;
        nets[i] = fault_net(&plan, 2);
    }
    for (int i = 0; i < 2; i++)
        fault_path_wrap(nets[i], &w.jobs[i]->eps[1 - i], &broken[i], &broken[1 - i]);
    for (int i = 0; i < 2; i++) world_group(&w, i);
    for (int i = 0; i < 2; i++) world_channels(&w, i);
    a = &w.groups[0].channels[1];
    b = &w.groups[1].channels[0];
    return 0;
}

static inline int tear_down_far(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) nets[i]->ops->close(nets[i]);
    world_close(&w);
    return 0;
}

/* All that either has written is there. */
static inline void settle(void)
{
    assert_ok(a->ep->ops->flush(a->ep));
    assert_ok(b->ep->ops->flush(b->ep));
}

#endif
