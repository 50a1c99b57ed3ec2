/* SPDX-License-Identifier: Apache-2.0 */
/* The schedules that a communicator has built, in a bounded hash table with chains. A new
 * schedule replaces the least recently used one. Used by one thread at a time, the one that has
 * acquired the communicator. */
#ifndef HY_COLL_PLANS_H
#define HY_COLL_PLANS_H

#include "base/line.h"
#include "exec/cookie.h"

#define HY_PLANS 128 /* as many, and */
#define HY_PLANS_STEPS \
    (UINT32_C(1) << 16) /* as many steps of all together, but of one at least \
                         */
#define HY_PLANS_CHAINS 64
#define HY_PLANS_UNEVEN 16 /* further chains, for uneven shapes */

/* What a caller requests of a schedule, besides its shape; the hint is compared by its address. */
typedef struct hy_plan_wish {
    bool shared; /* by fmpl_hbcast() */
    const void *hint;
} hy_plan_wish;

/* The native memory of a call, and what else its checks depend on. */
typedef struct hy_plan_memory {
    const void *in, *out, *work;
    int64_t count, in_limit, out_limit;
    int op;
} hy_plan_memory;

typedef struct hy_plan {
    hy_schedule schedule;         /* its blocks, if it is uneven, belong to the plan */
    uint64_t in_bytes, out_bytes; /* of the sides that this rank has */
    uint32_t exposes;             /* bits 1 << hy_region: peers access these regions */
    hy_plan_wish wish;
    uint32_t cookie;      /* what all members know of the shape, without reduction and rest */
    uint32_t hash;        /* of that, and of the algorithm */
    uint64_t used;        /* value of hy_plans.uses at the last use */
    hy_plan_memory last;  /* of its last run */
    bool checked;         /* `last` has passed all checks and needs no shadow */
    struct hy_plan *next; /* in its chain */
} hy_plan;

/* Starts as {0}. */
typedef struct hy_plans {
    hy_plan *chains[HY_PLANS_CHAINS + HY_PLANS_UNEVEN];
    uint64_t uses;
    uint64_t steps; /* of all */
    int count;
    hy_plan *latest; /* of the last run, if what that used can be used again; else NULL */
} hy_plans;

/* Whether a call passes what the last one passed: most do. Always inlined, so that what the call
 * passes stays in registers. */
static inline __attribute__((always_inline)) bool hy_plan_has_checked(const hy_plan *plan,
                                                                      const hy_plan_memory *memory)
{
    const hy_plan_memory *last = &plan->last;
    return plan->checked && last->out == memory->out && last->in == memory->in &&
           last->work == memory->work && last->op == memory->op &&
           last->in_limit == memory->in_limit && last->out_limit == memory->out_limit;
}

/* Whether a call passes what the last one of all has passed, as most do in loops. `running`: the
 * schedule that was started last. */
static inline bool hy_plans_repeat(const hy_plans *plans, const hy_schedule *running, hy_coll coll,
                                   int root, hy_plan_wish wish, const hy_plan_memory *memory)
{
    const hy_plan *plan = plans->latest;
    if (!plan || running != &plan->schedule) return false;
    return plan->schedule.shape.coll == coll && plan->schedule.shape.root == root &&
           plan->last.count == memory->count && plan->wish.shared == wish.shared &&
           plan->wish.hint == wish.hint && hy_plan_has_checked(plan, memory);
}

static inline uint32_t hy_plan_mix(uint64_t a, uint64_t b)
{
    uint64_t x = (a ^ b * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xbf58476d1ce4e5b9);
    return (uint32_t)(x ^ x >> 32);
}

/* Hashes the fields that differ between the shapes of one communicator. Few additions: nothing of a
 * call can begin before. */
static inline uint32_t hy_plan_hash(hy_coll coll, int root, uint32_t unit, uint64_t bytes)
{
    return (uint32_t)coll * 5 + (uint32_t)root + unit + (uint32_t)(bytes >> 3) +
           (uint32_t)(bytes >> 9) + (uint32_t)(bytes >> 15);
}

/* Lets messages of this run differ from those of others, where members know only their own blocks
 * and no hash of them can be compared. */
static inline void hy_plan_number(hy_plan *plan, uint64_t number)
{
    const hy_shape *shape = &plan->schedule.shape;
    if (hy_shape_is_private(shape))
        plan->cookie = hy_cookie(shape->coll, 0, shape->root, (uint32_t)number, 0);
}

/* Of a run. */
static inline uint32_t hy_plan_cookie(const hy_plan *plan, int op)
{
    return plan->cookie | hy_cookie(0, op, 0, 0, plan->hash ^ (uint32_t)op);
}

static inline bool hy_plan_is(const hy_plan *plan, hy_coll coll, int root, uint32_t unit,
                              uint64_t bytes, hy_plan_wish wish)
{
    const hy_shape *its = &plan->schedule.shape;
    return its->bytes == bytes && its->coll == coll && its->root == root && its->unit == unit &&
           plan->wish.shared == wish.shared && plan->wish.hint == wish.hint;
}

/* NULL: not built yet, or dropped. For even shapes, by the fields that differ between them: a
 * caller need not have a shape. */
static inline hy_plan *hy_plans_find_by(hy_plans *plans, hy_coll coll, int root, uint32_t unit,
                                        uint64_t bytes, hy_plan_wish wish)
{
    hy_plan *plan = plans->chains[hy_plan_hash(coll, root, unit, bytes) % HY_PLANS_CHAINS];
    while (plan && hy_unlikely(!hy_plan_is(plan, coll, root, unit, bytes, wish))) plan = plan->next;
    if (hy_likely(plan != NULL)) plan->used = ++plans->uses;
    return plan;
}

static inline hy_plan *hy_plans_find(hy_plans *plans, const hy_shape *shape, hy_plan_wish wish)
{
    return hy_plans_find_by(plans, shape->coll, shape->root, shape->unit, shape->bytes, wish);
}

/* The same for uneven shapes, whose blocks are compared. */
hy_plan *hy_plans_find_uneven(hy_plans *plans, const hy_shape *shape, hy_plan_wish wish);

/* Adds a schedule that the table does not contain; the table then owns it, even after an error, and
 * has a copy of its blocks.
 * Schedules that are dropped are released: no run of them is under way. */
int hy_plans_add(hy_plans *plans, const hy_schedule *schedule, hy_plan_wish wish, hy_plan **plan);

void hy_plans_release(hy_plans *plans);

#endif
