/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules of many ranks, made piece by piece. */
#include "base/status.h"
#include "sched/simulate_engine.h"

static hy_shape shape_of(const hy_sim *sim, int rank)
{
    hy_shape shape = sim->shape;
    shape.rank = rank;
    return shape;
}

/* A window begins where the one before ended; each is as long as all before it together, so that
 * making them all costs no more than a few times the schedule. */
int hy_sim_window(hy_sim *sim, int number, uint64_t first, hy_sim_rank *rank)
{
    const hy_shape shape = shape_of(sim, number);
    hy_schedule *work = &sim->work;
    uint64_t limit = first > sim->window ? first : sim->window;
    work->steps = rank->steps;
    work->capacity = rank->capacity;
    int rc = hy_schedule_window(work, sim->algorithm, &shape, &sim->way, first, limit);
    rank->steps = work->steps;
    rank->capacity = work->capacity;
    rank->first = first;
    rank->count = work->count;
    rank->at = 0;
    rank->last = work->count < limit;
    work->steps = NULL;
    work->capacity = 0;
    if (rc) return rc;
    if (work->tmp_bytes > sim->tmp_bytes) sim->tmp_bytes = work->tmp_bytes;
    if (work->box_bytes > sim->box_bytes) sim->box_bytes = work->box_bytes;
    if (first + work->count > sim->rank_steps) sim->rank_steps = first + work->count;
    return HAYATE_OK;
}

/* ---- one rank for all ---- */

static bool same_but_peer(const hy_step *a, const hy_step *b)
{
    return a->kind == b->kind && a->flags == b->flags && a->local == b->local &&
           a->remote == b->remote && a->len == b->len;
}

/* Clears what does not explain how the steps of rank 0 became those of rank P - 1. Only the peer
 * P/2 is renumbered equally by both, and it is its own mirror image in both. */
static void compare(int size, const hy_sim_rank *a, const hy_sim_rank *b, bool *rotated,
                    bool *xored)
{
    bool same = a->count == b->count && a->last == b->last;
    for (uint32_t i = 0; same && i < a->count && (*rotated || *xored); i++) {
        const hy_step *s = &a->steps[i], *t = &b->steps[i];
        same = same_but_peer(s, t);
        *rotated = *rotated && t->peer == (s->peer + size - 1) % size;
        *xored = *xored && t->peer == (s->peer ^ (size - 1));
    }
    *rotated = *rotated && same;
    *xored = *xored && same;
}

/* Into the memory of the first two ranks. */
int hy_sim_alike(hy_sim *sim, bool *alike)
{
    hy_sim_rank *a = &sim->ranks[0], *b = &sim->ranks[1];
    int size = sim->shape.size, rc = HAYATE_OK;
    bool rotated = true, xored = true, more = true;
    for (uint64_t first = 0; !rc && more; first += a->count) {
        rc = hy_sim_window(sim, 0, first, a);
        if (!rc) rc = hy_sim_window(sim, size - 1, first, b);
        if (!rc) compare(size, a, b, &rotated, &xored);
        more = (rotated || xored) && !a->last;
    }
    sim->exclusive = !rotated;
    *alike = rotated || xored;
    return rc;
}

/* ---- counting ---- */

#define COUNT_CHEAP (UINT64_C(1) << 26)

/* Counts up to about `most`. */
static int count_steps(hy_sim *sim, int rank, uint64_t most, uint64_t *count)
{
    const hy_shape shape = shape_of(sim, rank);
    hy_schedule *work = &sim->work;
    uint64_t first = most > COUNT_CHEAP ? most : COUNT_CHEAP;
    int rc = hy_schedule_window(work, sim->algorithm, &shape, &sim->way, first, 1);
    *count = rc ? 0 : work->emitted;
    hy_schedule_release(work);
    return rc;
}

/* The root may be special; of the others take the one with less of two, so that nothing is refused
 * for the sake of a few busy ranks. */
int hy_sim_estimate(hy_sim *sim, uint64_t most, uint64_t *steps)
{
    int64_t size = sim->shape.size, root = sim->shape.root;
    uint64_t top, middle, end, each = most / (uint64_t)size;
    int rc = count_steps(sim, (int)root, most, &top);
    if (!rc) rc = count_steps(sim, (int)((root + size / 2) % size), each, &middle);
    if (!rc) rc = count_steps(sim, (int)((root + size - 1) % size), each, &end);
    if (rc) return rc;
    uint64_t others = middle < end ? middle : end;
    bool huge = __builtin_mul_overflow(others, (uint64_t)(size - 1), steps) ||
                __builtin_add_overflow(*steps, top, steps);
    if (huge) *steps = UINT64_MAX;
    return HAYATE_OK;
}
