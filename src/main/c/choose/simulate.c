/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a simulation: decides which effects matter for the shape, generates the schedules window by
 * window, and drives the ranks through a queue, or in the order of time (simulate_cores.c).
 */
#include "choose/simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "choose/simulate_engine.h"

#define MAX_STEPS (UINT64_C(1) << 32)
#define KEPT_STEPS (UINT64_C(1) << 20) /* windows of all ranks together */
#define LEAST_WINDOW 16
#define MOST_WINDOW 65536
#define COUNT_CHEAP (UINT64_C(1) << 26)
#define NO_COUNT_RANKS 64 /* few enough to find out by trying */

static int simulate_no_memory(int ranks)
{
    return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to simulate %d ranks; use fewer", ranks);
}

/* ---- set-up ---- */

static bool reserve_ranks(hy_sim *sim, int ranks)
{
    if (ranks <= sim->capacity) return true;
    hy_sim_rank *grown = realloc(sim->ranks, (size_t)ranks * sizeof *grown);
    if (!grown) return false;
    sim->ranks = grown;
    memset(grown + sim->capacity, 0, (size_t)(ranks - sim->capacity) * sizeof *grown);
    int *queue = realloc(sim->queue, (size_t)ranks * sizeof *queue);
    if (!queue) return false;
    sim->queue = queue;
    sim->capacity = ranks;
    return true;
}

static bool reserve_over(hy_sim *sim, int ranks)
{
    if (!sim->guarded || ranks <= sim->over_capacity) return true;
    free(sim->over);
    sim->over = malloc((size_t)ranks * HY_WIRED_DEPTH_MOST * sizeof *sim->over);
    sim->over_capacity = sim->over ? ranks : 0;
    return sim->over != NULL;
}

/* Resets everything except the memory of its window. */
static void reset_rank(hy_sim_rank *rank)
{
    *rank = (hy_sim_rank){.steps = rank->steps, .capacity = rank->capacity};
}

static uint64_t window_of(const hy_sim_setting *setting, int ranks)
{
    uint64_t window = KEPT_STEPS / (uint64_t)ranks;
    if (setting->window) return setting->window;
    return window < LEAST_WINDOW ? LEAST_WINDOW : window > MOST_WINDOW ? MOST_WINDOW : window;
}

static int simulate_check(const hy_sim *sim, const hy_way *way)
{
    hy_way complete = *way;
    int rc = hy_shape_check(&sim->shape);
    if (!rc && sim->shape.uneven)
        rc = hy_fail(HAYATE_ERR_ARGUMENT,
                     "uneven blocks cannot be simulated; expected an even shape that "
                     "represents them");
    if (!rc && sim->setting.rounds < 1)
        rc = hy_fail(HAYATE_ERR_ARGUMENT, "0 rounds to simulate; expected 1 or more");
    if (!rc) rc = hy_way_complete(sim->algorithm, &sim->shape, &complete);
    return rc;
}

static void simulate_prepare(hy_sim *sim)
{
    int size = sim->shape.size;
    if (sim->setting.max_steps == 0) sim->setting.max_steps = MAX_STEPS;
    sim->steps_left = sim->setting.max_steps;
    sim->window = window_of(&sim->setting, size);
    sim->rank_steps = sim->tmp_bytes = sim->box_bytes = 0;
    memset(sim->costs, 0, sizeof sim->costs);
}

static bool reserve_lines(hy_sim *sim)
{
    if (sim->traced && !sim->lines) sim->lines = malloc(sizeof *sim->lines);
    return !sim->traced || sim->lines;
}

static void forget_lines(hy_sim *sim)
{
    if (sim->traced) hy_sim_lines_reset(sim->lines);
}

static bool same_but_peer(const hy_step *a, const hy_step *b)
{
    return a->kind == b->kind && a->flags == b->flags && a->local == b->local &&
           a->remote == b->remote && a->len == b->len;
}

/* Clears what does not explain how the steps of rank 0 became those of rank P - 1. Only the peer
 * P/2 is renumbered equally by both, and it is its own mirror image in both. */
static void compare_steps(int size, const hy_sim_rank *a, const hy_sim_rank *b, bool *rotated,
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

/* Whether rank 0 can stand for all: true if the last rank's steps are those of rank 0 renumbered,
 * which also tells the two renumberings apart (sim->exclusive). Uses the memory of the first two
 * ranks. */
static int compare_ranks(hy_sim *sim, bool *alike)
{
    hy_sim_rank *a = &sim->ranks[0], *b = &sim->ranks[1];
    int size = sim->shape.size, rc = HAYATE_OK;
    bool rotated = true, xored = true, more = true;
    for (uint64_t first = 0; !rc && more; first += a->count) {
        rc = hy_sim_window(sim, 0, first, a);
        if (!rc) rc = hy_sim_window(sim, size - 1, first, b);
        if (!rc) compare_steps(size, a, b, &rotated, &xored);
        more = (rotated || xored) && !a->last;
    }
    sim->exclusive = !rotated;
    *alike = rotated || xored;
    return rc;
}

/* ---- counting ---- */

/* Counts up to about `most`. */
static int count_steps(hy_sim *sim, int rank, uint64_t most, uint64_t *count)
{
    hy_shape shape = sim->shape;
    hy_schedule *work = &sim->work;
    shape.rank = rank;
    uint64_t first = most > COUNT_CHEAP ? most : COUNT_CHEAP;
    int rc = hy_schedule_window(work, sim->algorithm, &shape, &sim->way, first, 1);
    *count = rc ? 0 : work->emitted;
    hy_schedule_release(work);
    return rc;
}

/* The root may be special; of two others, takes the one with fewer steps, so that nothing is
 * refused because of a few busy ranks. */
static int estimate_steps(hy_sim *sim, uint64_t most, uint64_t *steps)
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

/* ---- how to simulate ----
 * Few ranks on one machine share caches, cores and bandwidth, and all of this matters; a million
 * ranks are represented by one of them if their schedules permit it. What is left out is left out
 * to save time, and listed in simulate.h. */

/* It costs enough to simulate every rank: fetching lines, or invalidating copies of them. */
static bool caches_matter(const hy_model *model)
{
    for (int i = 0; i < HY_CURVE_POINTS; i++)
        if (model->put.ns[i] > model->get.ns[i] || model->reduce_get.ns[i] > model->reduce.ns[i])
            return true;
    return false;
}

/* Bytes of the callers' regions on all ranks. */
static double working_set(const hy_sim *sim)
{
    double bytes = 0;
    hy_shape shape = sim->shape;
    for (shape.rank = 0; shape.rank < shape.size; shape.rank++)
        bytes += (double)hy_region_bytes(&shape, HY_IN) + (double)hy_region_bytes(&shape, HY_OUT);
    return bytes;
}

static bool bandwidth_matters(const hy_sim *sim)
{
    int size = sim->shape.size, nodes = sim->shape.nodes ? sim->shape.nodes->count : 1;
    return size <= HY_SIM_NODE_RANKS && size > 1 && sim->model->cpus > 1 &&
           sim->model->bandwidth > 0 && working_set(sim) > (double)sim->model->cached * nodes;
}

static bool can_stand_for_all(const hy_sim *sim)
{
    int size = sim->shape.size;
    bool on_own_core = size <= sim->model->cpus || size > HY_SIM_NODE_RANKS;
    bool watched = sim->setting.watch && size <= HY_SIM_NODE_RANKS;
    return (sim->algorithm->traits & HY_TRAIT_ALIKE) && !sim->setting.each && !sim->traced &&
           size > 1 && !sim->shape.nodes && on_own_core && !watched;
}

/*
 *    traced   tracks which core's cache holds what (simulate_lines.h): few ranks.
 *    alike    one rank is simulated for all: each has its own core, and their steps are alike.
 *    fluid    moves slow each other down: more is moved than the caches hold.
 *    ordered  ranks share cores, bandwidth or NICs, so they advance in the order of time
 *             (simulate_cores.c); else each advances as far as it can, in any order.
 */
static int decide(hy_sim *sim)
{
    int size = sim->shape.size, rc = HAYATE_OK;
    sim->traced = size > 1 && size <= HY_SIM_LINES_RANKS && caches_matter(sim->model);
    sim->alike = false;
    if (!reserve_ranks(sim, 2)) return simulate_no_memory(size);
    reset_rank(&sim->ranks[0]);
    reset_rank(&sim->ranks[1]);
    if (can_stand_for_all(sim)) rc = compare_ranks(sim, &sim->alike);
    sim->fluid = bandwidth_matters(sim);
    sim->ordered = !sim->alike && size <= HY_SIM_NODE_RANKS &&
                   (sim->fluid || sim->shape.nodes || size > sim->model->cpus);
    sim->ranks_run = sim->alike ? 1 : size;
    sim->crowd = sim->alike && sim->fluid ? sim->model->bandwidth / size : INFINITY;
    return rc;
}

static int refuse_too_many(hy_sim *sim)
{
    uint64_t steps;
    if (sim->shape.size <= NO_COUNT_RANKS) return HAYATE_OK;
    uint64_t most = sim->setting.max_steps / sim->setting.rounds;
    int rc = estimate_steps(sim, most, &steps);
    if (rc || steps <= most) return rc;
    return hy_fail(
        HAYATE_ERR_UNSUPPORTED,
        "simulating %s %s on %d ranks takes at least %llu steps per run; the limit is %llu "
        "in %u runs; raise it, use fewer ranks, or use the closed formula",
        hy_coll_name(sim->shape.coll), sim->algorithm->name, sim->shape.size,
        (unsigned long long)steps, (unsigned long long)sim->setting.max_steps, sim->setting.rounds);
}

/* ---- ranks with a core each ---- */

static void enqueue(hy_sim *sim, int rank)
{
    uint64_t size = (uint64_t)sim->ranks_run, at = sim->queue_head + sim->queue_count++;
    sim->queue[at < size ? at : at - size] = rank;
}

static int dequeue(hy_sim *sim)
{
    int rank = sim->queue[sim->queue_head];
    if (++sim->queue_head == (uint64_t)sim->ranks_run) sim->queue_head = 0;
    sim->queue_count--;
    return rank;
}

void hy_sim_wake(hy_sim *sim, int number, double time)
{
    hy_sim_rank *rank = &sim->ranks[number];
    if (rank->ready < INFINITY) return; /* an earlier signal has woken it */
    rank->ready = time;
    if (sim->ordered) {
        hy_sim_cores_wake(sim, number);
        return;
    }
    rank->state = HY_SIM_RUNNING;
    enqueue(sim, number);
}

/* Advances all ranks through their next run as far as possible. A rank never needs what another
 * rank does in a later run. */
static int run_round(hy_sim *sim)
{
    int rc = HAYATE_OK;
    sim->queue_head = sim->queue_count = 0;
    for (int r = 0; r < sim->ranks_run && !rc; r++) {
        rc = hy_sim_begin(sim, r);
        enqueue(sim, r);
    }
    while (!rc && !sim->hopeless && sim->queue_count) rc = hy_sim_advance(sim, dequeue(sim));
    return rc;
}

static double limit_of_all(const hy_sim *sim, hy_sim_limit limit, double first)
{
    return first + limit.ns * (sim->setting.rounds - 1);
}

static bool all_at_round(const hy_sim *sim, uint32_t round)
{
    for (int r = 0; r < sim->ranks_run; r++)
        if (sim->ranks[r].round < round) return false;
    return true;
}

/* The first run does not depend on later runs. */
static int run_queue(hy_sim *sim, hy_sim_limit limit, double *first)
{
    int rc = HAYATE_OK;
    sim->end_limit = limit.first;
    for (uint32_t round = 0; !rc && !sim->hopeless && round < sim->rounds; round++) {
        rc = run_round(sim);
        if (!all_at_round(sim, round + 1)) break;
        if (round > 0) continue;
        *first = sim->last_end;
        sim->end_limit = limit_of_all(sim, limit, *first);
    }
    return rc;
}

/* ---- result ---- */

static int deadlock(const hy_sim *sim)
{
    const hy_sim_rank *rank = sim->ranks;
    while (rank->state == HY_SIM_OVER || rank->state == HY_SIM_PARKED) rank++;
    return hy_fail(HAYATE_ERR_CORRUPT,
                   "%s %s on %d ranks does not end: rank %d waits for rank %d at step %llu; its "
                   "generator is wrong",
                   hy_coll_name(sim->shape.coll), sim->algorithm->name, sim->shape.size,
                   (int)(rank - sim->ranks), rank->peer,
                   (unsigned long long)(rank->first + rank->at));
}

static void sum_up(const hy_sim *sim, hy_sim_result *result)
{
    uint64_t slots = 0, alike = result->alike ? (uint64_t)sim->shape.size : 1;
    for (int r = 0; r < sim->ranks_run; r++) {
        const hy_sim_rank *rank = &sim->ranks[r];
        result->signals += rank->signals * alike;
        result->bytes += rank->bytes * alike;
        if (rank->signals > result->rank_signals) result->rank_signals = rank->signals;
        if (rank->bytes > result->rank_bytes) result->rank_bytes = rank->bytes;
        if (rank->slots > slots) slots = rank->slots;
        if (rank->answers > result->answers) result->answers = rank->answers;
    }
    uint64_t depth = sim->shape.wired ? sim->depth : 1;
    result->rank_steps = sim->rank_steps;
    result->rank_memory = sim->rank_steps * HY_WIRED_STEP_BYTES + sim->tmp_bytes +
                          depth * (slots + sim->box_bytes);
    uint32_t rounds = sim->setting.rounds;
    result->ns = result->first;
    if (rounds > 1) result->ns = (sim->last_end - result->first) / (rounds - 1);
    if (sim->setting.apart) result->ns = sim->last_end;
    if (sim->hopeless) result->ns = INFINITY;
}

/* ---- all of it ---- */

static int reset(hy_sim *sim, uint32_t rounds)
{
    sim->rounds = rounds;
    sim->last_end = 0;
    sim->hopeless = false;
    bool boxed = sim->shape.wired || hy_way_bit(&sim->way) == HY_WAY_GET_PREPARED;
    sim->guarded = !sim->alike && boxed && rounds > sim->depth;
    int size = sim->shape.size;
    if (!reserve_ranks(sim, sim->ranks_run) || !reserve_over(sim, size) ||
        !hy_sim_pairs_reset(&sim->pairs, size) || (sim->shape.nodes && !hy_sim_nics_reset(sim)))
        return simulate_no_memory(size);
    for (int r = 0; r < sim->ranks_run; r++) {
        reset_rank(&sim->ranks[r]);
        sim->ranks[r].state = HY_SIM_PARKED;
    }
    return HAYATE_OK;
}

static int run_cores(hy_sim *sim, uint32_t rounds, double end_limit)
{
    int rc = reset(sim, rounds);
    sim->end_limit = end_limit;
    if (!rc) rc = hy_sim_cores_open(sim);
    return rc ? rc : hy_sim_cores_run(sim);
}

/* Simulates one run alone, then all: on shared cores the end of the first of several runs means
 * little, because ranks may be several runs ahead before another one has its turn. */
static int run_ordered(hy_sim *sim, hy_sim_limit limit, double *first)
{
    void (*watch)(void *context, const hy_sim_event *event) = sim->setting.watch;
    if (sim->setting.rounds > 1) sim->setting.watch = NULL;
    int rc = run_cores(sim, 1, limit.first);
    sim->setting.watch = watch;
    if (rc || sim->hopeless || !all_at_round(sim, 1)) return rc;
    *first = sim->last_end;
    if (sim->setting.rounds == 1) return HAYATE_OK;
    forget_lines(sim);
    return run_cores(sim, sim->setting.rounds, limit_of_all(sim, limit, *first));
}

static int run_one(hy_sim *sim, double end_limit)
{
    double ignored;
    if (sim->ordered) return run_cores(sim, 1, end_limit);
    int rc = reset(sim, 1);
    return rc ? rc : run_queue(sim, (hy_sim_limit){end_limit, 0}, &ignored);
}

/* All ranks begin each run at the same time, with what the runs before have left in the caches. */
static int run_apart(hy_sim *sim, hy_sim_limit limit, double *first)
{
    for (uint32_t round = 0; round < sim->setting.rounds; round++) {
        int rc = run_one(sim, round ? limit.ns : limit.first);
        if (rc || sim->hopeless || !all_at_round(sim, 1)) return rc;
        if (round == 0) *first = sim->last_end;
    }
    return HAYATE_OK;
}

static int simulate_run(hy_sim *sim, hy_sim_limit limit, double *first)
{
    int rc = sim->alike ? HAYATE_OK : refuse_too_many(sim);
    if (sim->setting.rounds == 1) limit.first = fmin(limit.first, limit.ns);
    if (!rc) rc = reserve_lines(sim) ? HAYATE_OK : simulate_no_memory(sim->shape.size);
    if (rc) return rc;
    forget_lines(sim);
    if (sim->setting.apart) {
        rc = run_apart(sim, limit, first);
    } else if (sim->ordered) {
        rc = run_ordered(sim, limit, first);
    } else {
        rc = reset(sim, sim->setting.rounds);
        if (!rc) rc = run_queue(sim, limit, first);
    }
    if (rc || sim->hopeless || all_at_round(sim, sim->rounds)) return rc;
    return deadlock(sim);
}

int hy_sim_run(hy_sim *sim, const hy_model *model, const hy_algorithm *algorithm,
               const hy_shape *shape, const hy_way *way, const hy_sim_setting *setting,
               hy_sim_limit limit, hy_sim_result *result)
{
    sim->model = model;
    sim->algorithm = algorithm;
    sim->shape = *shape;
    sim->depth = shape->wired ? hy_wired_depth(shape) : HY_SCHED_BOXES / hy_box_units(shape);
    sim->shape.rank = shape->root;
    sim->way = *way;
    sim->setting = *setting;
    memset(result, 0, sizeof *result);
    int rc = simulate_check(sim, way);
    if (rc) return rc;
    simulate_prepare(sim);
    rc = decide(sim);
    result->first = INFINITY;
    if (!rc) rc = simulate_run(sim, limit, &result->first);
    result->alike = sim->alike;
    if (!rc) sum_up(sim, result);
    return rc;
}

void hy_sim_release(hy_sim *sim)
{
    for (int r = 0; r < sim->capacity; r++) free(sim->ranks[r].steps);
    free(sim->ranks);
    free(sim->queue);
    free(sim->over);
    free(sim->lines);
    free(sim->nics);
    hy_sim_pairs_release(&sim->pairs);
    hy_sim_cores_release(sim);
    hy_schedule_release(&sim->work);
    memset(sim, 0, sizeof *sim);
}

int hy_simulate(const hy_model *model, const hy_algorithm *algorithm, const hy_shape *shape,
                const hy_way *way, const hy_sim_setting *setting, hy_sim_result *result)
{
    hy_sim sim = {0};
    int rc = hy_sim_run(&sim, model, algorithm, shape, way, setting, HY_SIM_NO_LIMIT, result);
    hy_sim_release(&sim);
    return rc;
}
