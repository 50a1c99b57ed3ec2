/* SPDX-License-Identifier: Apache-2.0 */
/* The table of schedules: chains for the search, an age for each entry to decide which one is
 * dropped. */
#include "coll/plans.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "coll/arguments.h"

static uint32_t exposes(const hy_schedule *schedule)
{
    uint32_t regions = 0;
    for (uint32_t i = 0; i < schedule->count; i++) {
        if (schedule->steps[i].kind == HY_STEP_SIGNAL &&
            (schedule->steps[i].flags & HY_STEP_EXPOSE))
            regions |= 1u << schedule->steps[i].local;
    }
    return regions;
}

/* ---- uneven shapes ---- */

static uint32_t hash_blocks(uint32_t hash, const hy_block *blocks, int count)
{
    for (int i = 0; blocks && i < count; i++)
        hash = hy_plan_mix(hy_plan_mix(hash, blocks[i].off), blocks[i].len);
    return hash;
}

/* Of the lengths that are the same on all members. */
static uint32_t hash_lengths(const hy_shape *shape)
{
    if (!shape->uneven) return hy_plan_mix(shape->bytes, shape->unit);
    if (hy_shape_is_private(shape)) return true;
    uint32_t hash = hash_blocks(true, shape->in_blocks, shape->size);
    return hash_blocks(hash, shape->out_blocks, shape->size);
}

static uint32_t chain_of(const hy_shape *shape)
{
    uint32_t hash = hy_plan_hash(shape->coll, shape->root, shape->unit, shape->bytes);
    if (!shape->uneven) return hash % HY_PLANS_CHAINS;
    hash = hash_blocks(hash, shape->in_blocks, shape->size);
    hash = hash_blocks(hash, shape->out_blocks, shape->size);
    return HY_PLANS_CHAINS + hash % HY_PLANS_UNEVEN;
}

static bool same_blocks(const hy_block *a, const hy_block *b, int count)
{
    if (!a || !b) return a == b;
    return memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

static bool is_uneven(const hy_plan *plan, const hy_shape *shape, hy_plan_wish wish)
{
    const hy_shape *its = &plan->schedule.shape;
    return hy_plan_is(plan, shape->coll, shape->root, shape->unit, shape->bytes, wish) &&
           same_blocks(its->in_blocks, shape->in_blocks, shape->size) &&
           same_blocks(its->out_blocks, shape->out_blocks, shape->size);
}

hy_plan *hy_plans_find_uneven(hy_plans *plans, const hy_shape *shape, hy_plan_wish wish)
{
    hy_plan *plan = plans->chains[chain_of(shape)];
    while (plan && !is_uneven(plan, shape, wish)) plan = plan->next;
    if (plan) plan->used = ++plans->uses;
    return plan;
}

/* ---- the table ---- */

static hy_plan **find_oldest(hy_plans *plans)
{
    hy_plan **oldest = NULL;
    for (int i = 0; i < HY_PLANS_CHAINS + HY_PLANS_UNEVEN; i++) {
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
    if (plans->latest == plan) plans->latest = NULL;
    hy_schedule_release(&plan->schedule);
    free(plan);
}

/* A plan with room for the blocks of the shape, which it then refers to. */
static hy_plan *make_plan(hy_shape *shape)
{
    size_t size = (size_t)shape->size,
           sides = (shape->in_blocks != NULL) + (shape->out_blocks != NULL);
    hy_plan *plan = malloc(sizeof *plan + sides * size * sizeof(hy_block));
    if (!plan) return NULL;
    hy_block *blocks = (hy_block *)(void *)(plan + 1);
    if (shape->in_blocks) {
        shape->in_blocks = memcpy(blocks, shape->in_blocks, size * sizeof *blocks);
        blocks += size;
    }
    if (shape->out_blocks)
        shape->out_blocks = memcpy(blocks, shape->out_blocks, size * sizeof *blocks);
    return plan;
}

int hy_plans_add(hy_plans *plans, const hy_schedule *schedule, hy_plan_wish wish, hy_plan **result)
{
    hy_schedule own = *schedule;
    while (plans->count >= HY_PLANS ||
           (plans->count > 0 && plans->steps + schedule->count > HY_PLANS_STEPS))
        drop(plans, find_oldest(plans));
    hy_plan *plan = make_plan(&own.shape);
    if (!plan) {
        hy_schedule_release(&own);
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a schedule");
    }
    hy_plan **chain = &plans->chains[chain_of(&own.shape)];
    uint32_t lengths = hash_lengths(&own.shape);
    uint32_t cookie = hy_cookie(own.shape.coll, 0, own.shape.root, lengths, 0);
    uint32_t hash = hy_plan_mix(hy_plan_mix(cookie, lengths), (uint32_t)own.shape.root);
    *plan = (hy_plan){.schedule = own,
                      .in_bytes = hy_arguments_bytes(&own.shape, HY_IN),
                      .out_bytes = hy_arguments_bytes(&own.shape, HY_OUT),
                      .exposes = exposes(&own),
                      .wish = wish,
                      .cookie = cookie,
                      .hash = hy_plan_mix(hash, hy_way_hash(own.algorithm, &own.way)),
                      .used = ++plans->uses,
                      .next = *chain};
    *chain = *result = plan;
    plans->count++;
    plans->steps += own.count;
    return HAYATE_OK;
}

void hy_plans_release(hy_plans *plans)
{
    for (int i = 0; i < HY_PLANS_CHAINS + HY_PLANS_UNEVEN; i++)
        while (plans->chains[i]) drop(plans, &plans->chains[i]);
}
