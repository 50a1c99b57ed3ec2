/* SPDX-License-Identifier: Apache-2.0 */
/* The table of schedules: chains for the search, an age for each entry to decide which one is
 * dropped. */
#include "coll/plans.h"

#include <stdlib.h>

#include "base/status.h"

static bool exposes(const hy_schedule *schedule)
{
    for (uint32_t i = 0; i < schedule->count; i++) {
        if (schedule->steps[i].kind == HY_STEP_SIGNAL &&
            (schedule->steps[i].flags & HY_STEP_EXPOSE))
            return true;
    }
    return false;
}

static hy_plan **find_oldest(hy_plans *plans)
{
    hy_plan **oldest = NULL;
    for (int i = 0; i < HY_PLANS_CHAINS; i++) {
        for (hy_plan **link = &plans->chains[i]; *link; link = &(*link)->next)
            if (!oldest || (*link)->used < (*oldest)->used) oldest = link;
    }
    return oldest;
}

static void drop(hy_plans *plans, hy_plan **link)
{
    hy_plan *plan = *link;
    *link = plan->next;
    plans->count--;
    plans->steps -= plan->schedule.count;
    hy_schedule_release(&plan->schedule);
    free(plan);
}

int hy_plans_add(hy_plans *plans, const hy_schedule *schedule, hy_plan_wish wish, hy_plan **result)
{
    while (plans->count >= HY_PLANS ||
           (plans->count > 0 && plans->steps + schedule->count > HY_PLANS_STEPS))
        drop(plans, find_oldest(plans));
    hy_plan *plan = malloc(sizeof *plan);
    if (!plan) {
        hy_schedule unused = *schedule;
        hy_schedule_release(&unused);
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a schedule");
    }
    hy_plan **chain = &plans->chains[hy_plan_hash(&schedule->shape) % HY_PLANS_CHAINS];
    *plan = (hy_plan){.schedule = *schedule,
                      .exposes = exposes(schedule),
                      .wish = wish,
                      .hash = hy_plan_mix(hy_plan_hash(&schedule->shape),
                                          hy_way_hash(schedule->algorithm, &schedule->way)),
                      .used = ++plans->uses,
                      .next = *chain};
    *chain = *result = plan;
    plans->count++;
    plans->steps += schedule->count;
    return HAYATE_OK;
}

void hy_plans_release(hy_plans *plans)
{
    for (int i = 0; i < HY_PLANS_CHAINS; i++)
        while (plans->chains[i]) drop(plans, &plans->chains[i]);
}
