/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "sched/algorithms/algorithms.h"
#include "sched/cost.h"

/* Of equal costs the earlier one is chosen. */
const hy_algorithm *const hy_algorithms[] = {
    &hy_barrier_flat,
    &hy_barrier_dissemination,
    &hy_bcast_flat,
    &hy_bcast_binomial,
    &hy_bcast_flat_get,
    &hy_bcast_scatter_get,
    &hy_reduce_flat,
    &hy_reduce_binomial,
    &hy_reduce_slices,
    &hy_allreduce_exchange,
    &hy_allreduce_doubling,
    &hy_allreduce_slices,
    NULL,
};

const char *hy_coll_name(hy_coll coll)
{
    static const char *const names[HY_COLL_COUNT] = {"barrier", "bcast", "reduce", "allreduce"};
    return (unsigned)coll < HY_COLL_COUNT ? names[coll] : "unknown collective";
}

const hy_algorithm *hy_algorithm_find(hy_coll coll, const char *name)
{
    for (const hy_algorithm *const *a = hy_algorithms; *a; a++)
        if ((*a)->coll == coll && strcmp((*a)->name, name) == 0) return *a;
    return NULL;
}

const hy_algorithm *hy_algorithm_choose(const hy_cost_model *model, const hy_shape *shape)
{
    const hy_algorithm *best = NULL;
    double best_cost = 0;
    for (const hy_algorithm *const *a = hy_algorithms; *a; a++) {
        if ((*a)->coll != shape->coll || !(*a)->applies(shape)) continue;
        double cost = (*a)->cost(model, shape);
        if (!best || cost < best_cost) {
            best = *a;
            best_cost = cost;
        }
    }
    return best;
}

static int check_shape(const hy_shape *s)
{
    if ((unsigned)s->coll >= HY_COLL_COUNT)
        return hy_fail(HAYATE_ERR_ARGUMENT, "collective number %d is unknown, expected 0 .. %d",
                       (int)s->coll, HY_COLL_COUNT - 1);
    if (s->size < 1 || s->rank < 0 || s->rank >= s->size || s->root < 0 || s->root >= s->size)
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "%s: rank %d and root %d must be ranks of a communicator of %d",
                       hy_coll_name(s->coll), s->rank, s->root, s->size);
    if (s->unit < 1 || s->bytes % s->unit != 0)
        return hy_fail(HAYATE_ERR_ARGUMENT, "%s: %llu B are not whole elements of %u B",
                       hy_coll_name(s->coll), (unsigned long long)s->bytes, s->unit);
    return HAYATE_OK;
}

static int check_algorithm(const hy_algorithm *algorithm, const hy_shape *s)
{
    if (!algorithm)
        return hy_fail(HAYATE_ERR_ARGUMENT, "%s: no algorithm given", hy_coll_name(s->coll));
    if (algorithm->coll != s->coll)
        return hy_fail(HAYATE_ERR_ARGUMENT, "algorithm %s is for %s, not for %s", algorithm->name,
                       hy_coll_name(algorithm->coll), hy_coll_name(s->coll));
    if (!algorithm->applies(s))
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "%s algorithm %s does not apply to %d ranks and elements of %u B; "
                       "choose another one",
                       hy_coll_name(s->coll), algorithm->name, s->size, s->unit);
    return HAYATE_OK;
}

/* Nobody to talk to, or nothing to say: no generator has to think of these. */
static bool trivial(const hy_shape *s)
{
    return s->size == 1 || (s->coll != HY_COLL_BARRIER && s->bytes == 0);
}

int hy_schedule_build(hy_schedule *schedule, const hy_algorithm *algorithm, const hy_shape *shape)
{
    memset(schedule, 0, sizeof *schedule);
    int rc = check_shape(shape);
    if (rc == HAYATE_OK) rc = check_algorithm(algorithm, shape);
    if (rc != HAYATE_OK) return rc;
    schedule->shape = *shape;
    schedule->algorithm = algorithm;
    if (trivial(shape)) return HAYATE_OK;
    rc = algorithm->build(schedule);
    if (rc != HAYATE_OK) hy_schedule_release(schedule);
    return rc;
}

void hy_schedule_release(hy_schedule *schedule)
{
    free(schedule->steps);
    memset(schedule, 0, sizeof *schedule);
}
