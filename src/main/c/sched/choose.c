/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists the candidates that agree with the hint, predicts the time of each by simulation or by its
 * closed formula, and sorts them. To find only the best one, a simulation stops once it cannot win
 * any more.
 */
#include "sched/choose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "sched/parts.h"
#include "sched/simulate_engine.h"
#include "sched/turn.h"

#define MAX_CANDIDATES 1024
/* Of a candidate; a longer simulation is not worth its time. */
#define MAX_STEPS (UINT64_C(1) << 22)
#define SHARED_SEGMENTS 16 /* on shared cores a pipeline gains little and needs turns */
#define MAX_SEGMENTS 64    /* shorter segments gain nothing */

/* A candidate whose first run takes longer than the fastest first run by this factor goes to the
 * end, however fast its later runs are: few programs only repeat one collective. */
#define TOO_SLOW 3

/* Candidates that take at most so many times the time of the fastest are about as fast: another
 * property decides between them. More on shared cores, where waiting for each other costs turns of
 * the scheduler, whose times are hardly predictable. */
#define AS_FAST 1.1
#define AS_FAST_SHARED 1.3

static const uint64_t segments[] = {HY_SEGMENT_NONE, 8192, 32768, 131072};
static const uint8_t arities[] = {2, 4, 8};

#define SEGMENTS (sizeof segments / sizeof segments[0])
#define ARITIES (sizeof arities / sizeof arities[0])

typedef struct candidate {
    hy_choice choice;
    int order;      /* in the table */
    double formula; /* ns */
    double first;   /* ns of the first run, 0: not simulated yet */
} candidate;

typedef struct search {
    const hy_model *model;
    hy_model across; /* with several nodes: the model for formulas, as if all ranks were on
                      * different nodes */
    hy_shape shape;
    hy_sim_setting setting;
    hy_way hint;
    bool uneven;
    bool forced; /* the algorithm was requested */
    int level;   /* of an algorithm of two levels; -1: the whole */
    hy_sim sim;
    candidate *list;
    int count;
} search;

/* ---- candidates ---- */

static void choose_add(search *s, const hy_algorithm *algorithm, const hy_way *way)
{
    if (s->count == MAX_CANDIDATES) return;
    bool work = s->shape.size > 1 && (s->shape.bytes > 0 || s->shape.coll == HY_COLL_BARRIER);
    bool across = s->shape.nodes && !(algorithm->traits & HY_TRAIT_PARTS);
    const hy_model *model = across ? &s->across : s->model;
    double formula = work ? algorithm->formula(model, &s->shape, way) : 0;
    s->list[s->count] = (candidate){{algorithm, *way, 0}, s->count, formula, 0};
    s->count++;
}

/* With arity 2 these are the binary and the binomial tree, which have separate rows: tried only if
 * no greater arity is possible, or if the algorithm is requested. */
static void add_arities(search *s, const hy_algorithm *algorithm, hy_way way)
{
    bool free = (algorithm->traits & HY_TRAIT_ARITY) && !s->hint.arity;
    size_t first = free && !s->forced && arities[1] < s->shape.size ? 1 : 0;
    way.arity = s->hint.arity ? s->hint.arity : arities[first];
    choose_add(s, algorithm, &way);
    for (size_t i = first + 1; free && i < ARITIES && arities[i] < s->shape.size; i++) {
        way.arity = arities[i];
        choose_add(s, algorithm, &way);
    }
}

/* Whether to try segments of that length, if they are not given. */
static bool worth_it(const search *s, uint64_t segment)
{
    uint64_t bytes = s->shape.bytes;
    if (segment == HY_SEGMENT_NONE) return true;
    if (bytes <= segment) return false;
    uint64_t most = hy_sim_crowd(&s->shape) > s->model->cpus ? SHARED_SEGMENTS : MAX_SEGMENTS;
    return bytes / segment <= most || segment == segments[SEGMENTS - 1];
}

static void add_segments(search *s, const hy_algorithm *algorithm, hy_way way)
{
    bool able = (algorithm->traits & HY_TRAIT_SEGMENTS) && way.sync == HY_SYNC_COUNTERS;
    way.segment = s->hint.segment ? s->hint.segment : HY_SEGMENT_NONE;
    if (s->hint.segment) {
        if (able || way.segment == HY_SEGMENT_NONE) add_arities(s, algorithm, way);
        return;
    }
    for (size_t i = 0; i < SEGMENTS && (able || i == 0); i++) {
        way.segment = segments[i];
        if (worth_it(s, way.segment)) add_arities(s, algorithm, way);
    }
}

static bool agrees(const hy_way *way, const hy_way *hint)
{
    return (!hint->transfer || hint->transfer == way->transfer) &&
           (!hint->buffers || hint->buffers == way->buffers) &&
           (!hint->sync || hint->sync == way->sync);
}

static bool is_long(const search *s)
{
    uint64_t in = hy_region_bytes(&s->shape, HY_IN), out = hy_region_bytes(&s->shape, HY_OUT);
    return (in > out ? in : out) > HY_PREPARED_MAX;
}

/* Sending long data in payloads is slow, and takes long to simulate, if a straight method is
 * possible. */
static bool choose_too_long(const search *s, const hy_way *way)
{
    return way->buffers == HY_BUFFERS_PREPARED && !s->hint.buffers && !s->forced && is_long(s);
}

/* Methods that are possible both for the shape that represents uneven blocks and for uneven
 * blocks. */
static uint32_t possible_ways(const search *s, const hy_algorithm *algorithm)
{
    hy_shape meant = s->shape;
    meant.uneven = s->uneven;
    uint32_t possible = hy_way_possible(algorithm, &s->shape);
    if (s->level >= 0) possible &= hy_part_possible(algorithm, &meant, s->level);
    return possible & hy_way_possible(algorithm, &meant);
}

static void add_ways(search *s, const hy_algorithm *algorithm)
{
    uint32_t possible = possible_ways(s, algorithm);
    hy_way way = {0};
    for (uint32_t i = 0; hy_way_at(i, &way); i++)
        if ((possible >> i & 1) && agrees(&way, &s->hint) && !choose_too_long(s, &way))
            add_segments(s, algorithm, way);
}

/* ---- two levels ---- */

static int choose_for_level(const search *s, int level, hy_part *part);

/* Leaders of an alltoall hold the data of their whole node, which could fill their heap. */
static bool too_large(const search *s)
{
    return s->shape.coll == HY_COLL_ALLTOALL && !s->forced &&
           2 * hy_turn_area(&s->shape) > HY_CHOOSE_HELD;
}

static bool is_open(const hy_way *hint)
{
    return !hint->transfer && !hint->buffers && !hint->sync && !hint->arity && !hint->segment;
}

/* Adds one candidate: the best choice at each level gives the best whole. A hint for a transfer
 * method does not name a level; together with a hint for the algorithm it applies inside the
 * nodes. */
static int add_parts(search *s, const hy_algorithm *algorithm)
{
    hy_way way = {0};
    hy_coll coll;
    int rc = HAYATE_OK;
    if (!s->forced && !is_open(&s->hint)) return HAYATE_OK;
    if (too_large(s)) return HAYATE_OK;
    for (int level = 0; level < HY_LEVELS && !rc; level++)
        if (hy_part_coll(s->shape.coll, level, &coll))
            rc = choose_for_level(s, level, &way.parts[level]);
    if (!rc) rc = hy_way_complete(algorithm, &s->shape, &way);
    if (!rc) choose_add(s, algorithm, &way);
    return rc;
}

static int add_algorithm(search *s, const hy_algorithm *algorithm)
{
    if (algorithm->traits & HY_TRAIT_PARTS) return add_parts(s, algorithm);
    add_ways(s, algorithm);
    return HAYATE_OK;
}

static bool choose_fits(const search *s, const hy_algorithm *algorithm)
{
    return algorithm->coll == s->shape.coll && algorithm->applies(&s->shape) &&
           (!s->uneven || (algorithm->traits & HY_TRAIT_UNEVEN));
}

/* Adds a requested algorithm, or fails with the reason why it does not fit. */
static int add_forced(search *s, const hy_algorithm *algorithm)
{
    hy_schedule probe = {0};
    const hy_way *way = algorithm->traits & HY_TRAIT_PARTS ? NULL : &s->hint;
    int rc = hy_schedule_window(&probe, algorithm, &s->shape, way, 0, 1);
    hy_schedule_release(&probe);
    if (rc) return rc;
    if (!choose_fits(s, algorithm))
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "%s algorithm %s needs blocks of equal length; choose another one",
                       hy_coll_name(s->shape.coll), algorithm->name);
    return add_algorithm(s, algorithm);
}

static int choose_check(const search *s)
{
    int rc = hy_shape_check(&s->shape);
    if (!rc && s->shape.uneven)
        rc = hy_fail(HAYATE_ERR_ARGUMENT, "expected an even shape that represents the blocks "
                                          "of unequal length");
    if (!rc && s->hint.arity && (s->hint.arity < 2 || s->hint.arity > 64))
        rc = hy_fail(HAYATE_ERR_ARGUMENT, "arity %u: expected 2 to 64", s->hint.arity);
    return rc;
}

static int gather(search *s, const hy_algorithm *algorithm)
{
    int rc = choose_check(s);
    if (rc) return rc;
    s->list = malloc(MAX_CANDIDATES * sizeof *s->list);
    if (!s->list) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to choose an algorithm");
    s->forced = algorithm != NULL;
    if (algorithm) rc = add_forced(s, algorithm);
    for (const hy_algorithm *const *a = hy_algorithms; !algorithm && *a && !rc; a++)
        if (choose_fits(s, *a)) rc = add_algorithm(s, *a);
    if (rc || s->count) return rc;
    hy_algorithm any = {.name = "of any kind"};
    char way[120];
    hy_way_text(&any, &s->hint, way, sizeof way);
    return hy_fail(HAYATE_ERR_ARGUMENT,
                   "no %s algorithm for %d ranks%s and %llu B can do what is requested (%s%s); "
                   "request less",
                   hy_coll_name(s->shape.coll), s->shape.size, s->uneven ? ", uneven blocks" : "",
                   (unsigned long long)s->shape.bytes, way,
                   s->hint.segment && s->hint.segment != HY_SEGMENT_NONE ? ", segments" : "");
}

/* ---- judging ---- */

/* The number of runs by which a rank can be ahead of one that it sends to; 0 if it needs an answer
 * in each run. */
static uint32_t runs_ahead(const search *s, const hy_way *way)
{
    uint64_t unit = way->transfer == HY_TRANSFER_GET ? way->segment : HY_SCHED_PAYLOAD;
    uint64_t pieces = s->shape.bytes / unit + (s->shape.bytes % unit > 0);
    if (way->buffers != HY_BUFFERS_PREPARED || pieces > HY_SCHED_DEPTH) return 1;
    if (s->shape.wired) return hy_wired_depth(&s->shape);
    return pieces ? HY_SCHED_DEPTH / (uint32_t)pieces : HY_SCHED_DEPTH;
}

/* Runs in a loop: one run is followed by as many as a rank can be ahead; on shared cores by more,
 * because a rank may do all of them in one turn before another rank runs. */
static uint32_t rounds_of_loop(const search *s, const hy_way *way)
{
    uint32_t ahead = runs_ahead(s, way);
    if (hy_sim_crowd(&s->shape) > s->model->cpus) ahead *= ahead > 1 ? 2 : 4;
    return 1 + ahead;
}

static bool begin_together(const search *s)
{
    return s->shape.bytes > HY_CHOOSE_BRIEF || s->shape.nodes || s->level >= 0;
}

/*
 * Sets what to simulate. Programs rarely move long data without using them in between, and then
 * all ranks are at the same run; the second run finds its data where the first one left them.
 * Between nodes the same holds for short data: being ahead hides a latency that is longer than a
 * reading of the clock. Short data on one node are moved in a loop.
 */
static void set_rounds(search *s, const hy_way *way)
{
    s->setting.apart = begin_together(s);
    s->setting.rounds = s->setting.apart ? 2 : rounds_of_loop(s, way);
}

/* The formulas assume a core per rank. */
static double crowd(const search *s)
{
    double ranks = hy_sim_crowd(&s->shape), cpus = s->model->cpus;
    return ranks > cpus && s->shape.size <= HY_SIM_NODE_RANKS ? ranks / cpus : 1;
}

/* Simulated cores take turns in step with each other, but real ones do not: on shared cores, a rank
 * that must wait for one rank in order to answer another misses a part of a turn each time. This
 * holds if all ranks need all others; otherwise ranks run ahead of each other. */
#define MISSED 0.2
static double loose_turns(const search *s, const hy_sim_result *result)
{
    if (crowd(s) <= 1 || hy_coll_has_root(s->shape.coll)) return 0;
    return MISSED * s->model->turn * result->answers;
}

/* Uses the closed formula if a simulation would take too long. */
static int judge(search *s, candidate *c, hy_sim_limit limit)
{
    hy_sim_result result = {.ns = c->formula, .first = c->formula};
    int rc = HAYATE_OK;
    set_rounds(s, &c->choice.way);
    if (s->shape.size <= HY_SIM_NODE_RANKS)
        rc = hy_sim_run(&s->sim, s->model, c->choice.algorithm, &s->shape, &c->choice.way,
                        &s->setting, limit, &result);
    if (rc && rc != HAYATE_ERR_UNSUPPORTED) return rc;
    if (rc) result.ns = result.first = c->formula * crowd(s);
    c->choice.ns = result.ns + loose_turns(s, &result);
    c->first = result.first;
    return HAYATE_OK;
}

/* Without prepared buffers no candidate lets ranks run ahead; between nodes programs do not. */
static bool may_run_ahead(const search *s)
{
    return begin_together(s) && !s->shape.nodes && s->level < 0 && !is_long(s);
}

static double as_fast(const search *s)
{
    if (!may_run_ahead(s)) return 1;
    return crowd(s) > 1 ? AS_FAST_SHARED : AS_FAST;
}

static bool too_slow(const candidate *c, double least)
{
    return c->first > TOO_SLOW * least;
}

/* ---- all of them ---- */

/* the fastest first run, for compare() */
static double least_first(const search *s)
{
    double least = INFINITY;
    for (int i = 0; i < s->count; i++) least = fmin(least, s->list[i].first);
    return least;
}

static int compare(const void *left, const void *right, void *least)
{
    const candidate *a = left, *b = right;
    bool slow_a = too_slow(a, *(double *)least), slow_b = too_slow(b, *(double *)least);
    if (slow_a != slow_b) return slow_a ? 1 : -1;
    if (a->choice.ns != b->choice.ns) return a->choice.ns < b->choice.ns ? -1 : 1;
    return a->order - b->order;
}

/* ---- of those that are as fast ---- */

static bool about_as_fast(const search *s, const candidate *c, const candidate *best, double least)
{
    return !too_slow(c, least) && c->choice.ns <= as_fast(s) * best->choice.ns;
}

/* The time of a run in a loop. */
static int judge_loop(search *s, const candidate *c, double limit, double *ns)
{
    const hy_sim_limit limits = {INFINITY, limit};
    const hy_sim_setting loop = {.rounds = rounds_of_loop(s, &c->choice.way),
                                 .outside = s->setting.outside,
                                 .max_steps = s->setting.max_steps};
    hy_sim_result result;
    int rc = hy_sim_run(&s->sim, s->model, c->choice.algorithm, &s->shape, &c->choice.way, &loop,
                        limits, &result);
    *ns = rc ? INFINITY : result.ns;
    return rc == HAYATE_ERR_UNSUPPORTED ? HAYATE_OK : rc;
}

static bool better(const candidate *c, double ns, const candidate *best, double best_ns)
{
    if (!best || ns != best_ns) return !best || ns < best_ns;
    return c->choice.ns != best->choice.ns ? c->choice.ns < best->choice.ns
                                           : c->order < best->order;
}

/* Replaces the fastest one by the one of those as fast that takes least in a loop of nothing else,
 * if it takes clearly less there: in a loop ranks are as far ahead of each other as the schedule
 * lets them, so that it waits least for a rank that comes late or has no core. */
static int prefer_free_running(search *s, double least, candidate **best)
{
    const candidate *fastest = *best;
    candidate *freest = NULL;
    double its = INFINITY, fastest_loop = INFINITY;
    if (!may_run_ahead(s)) return HAYATE_OK;
    for (int i = 0; i < s->count; i++) {
        candidate *c = &s->list[i];
        double ns;
        if (!about_as_fast(s, c, fastest, least)) continue;
        int rc = judge_loop(s, c, c == fastest ? INFINITY : its, &ns);
        if (rc) return rc;
        if (c == fastest) fastest_loop = ns;
        if (!better(c, ns, freest, its)) continue;
        freest = c;
        its = ns;
    }
    if (as_fast(s) * its < fastest_loop) *best = freest;
    return HAYATE_OK;
}

static int judge_all(search *s)
{
    int rc = HAYATE_OK;
    for (int i = 0; i < s->count && !rc; i++) rc = judge(s, &s->list[i], HY_SIM_NO_LIMIT);
    if (rc) return rc;
    double least = least_first(s);
    qsort_r(s->list, (size_t)s->count, sizeof *s->list, compare, &least);
    candidate *best = s->list;
    rc = prefer_free_running(s, least, &best);
    const candidate chosen = *best;
    memmove(s->list + 1, s->list, (size_t)(best - s->list) * sizeof chosen);
    s->list[0] = chosen;
    return rc;
}

/* ---- the best one ---- */

static int compare_formula(const void *left, const void *right)
{
    const candidate *a = left, *b = right;
    if (a->formula != b->formula) return a->formula < b->formula ? -1 : 1;
    return a->order - b->order;
}

/* One pass over the candidates; each is simulated only as long as it can still become the best. */
static int pass(search *s, double *least, candidate **best)
{
    const double margin = 1 + 1e-9; /* candidates of equal time are not cut off */
    *best = NULL;
    for (int i = 0; i < s->count; i++) {
        candidate *c = &s->list[i];
        if (too_slow(c, *least)) continue;
        hy_sim_limit limit = {TOO_SLOW * *least * margin,
                              *best ? as_fast(s) * (*best)->choice.ns * margin : INFINITY};
        int rc = judge(s, c, limit);
        if (rc) return rc;
        *least = fmin(*least, c->first);
        if (too_slow(c, *least)) continue;
        if (!*best || better(c, c->choice.ns, *best, (*best)->choice.ns)) *best = c;
    }
    return HAYATE_OK;
}

/* The formulas give a good initial order. The best candidate may turn out to be too slow when a
 * faster first run is found later; then those that were cut off because of it are tried again. */
static int judge_best(search *s, candidate **best)
{
    double least = INFINITY;
    qsort(s->list, (size_t)s->count, sizeof *s->list, compare_formula);
    int rc = pass(s, &least, best);
    if (!rc && too_slow(*best, least)) rc = pass(s, &least, best);
    return rc ? rc : prefer_free_running(s, least, best);
}

/* ---- calls ---- */

static search search_for(const hy_model *model, const hy_shape *shape, bool uneven, bool outside,
                         const hy_way *way)
{
    search s = {
        .model = model,
        .shape = *shape,
        .setting = {.outside = outside, .max_steps = MAX_STEPS},
        .uneven = uneven,
        .level = -1,
    };
    if (shape->nodes) s.across = hy_model_across(model);
    if (way) s.hint = *way;
    s.shape.rank = s.shape.root; /* all ranks must make the same choice */
    if (shape->coll == HY_COLL_BARRIER) s.shape.bytes = 0;
    return s;
}

static void release(search *s)
{
    hy_sim_release(&s->sim);
    free(s->list);
}

/* The node map of the leaders, with one leader per node. */
static int make_leaders(int32_t count, hy_nodes **nodes)
{
    int32_t *of = malloc((size_t)count * sizeof *of);
    if (!of) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to choose an algorithm");
    for (int32_t i = 0; i < count; i++) of[i] = i;
    int rc = hy_nodes_make(of, count, nodes);
    free(of);
    return rc;
}

static int choose_for_level(const search *s, int level, hy_part *part)
{
    bool across = level == HY_LEVEL_ACROSS;
    hy_shape shape = hy_part_largest(&s->shape, level);
    bool uneven = shape.uneven || (s->uneven && hy_coll_has_blocks(shape.coll));
    hy_nodes *leaders = NULL;
    candidate *best = NULL;
    int rc = across ? make_leaders(shape.size, &leaders) : HAYATE_OK;
    shape.nodes = leaders;
    shape.uneven = false;
    search its = search_for(s->model, &shape, uneven, s->setting.outside, across ? NULL : &s->hint);
    its.level = level;
    if (!rc) rc = gather(&its, NULL);
    if (!rc) rc = judge_best(&its, &best);
    if (!rc) *part = hy_part_of(best->choice.algorithm, &best->choice.way);
    release(&its);
    hy_nodes_free(leaders);
    return rc;
}

int hy_choose_all(const hy_model *model, const hy_shape *shape, bool uneven, bool outside,
                  const hy_algorithm *algorithm, const hy_way *way, hy_choice *list)
{
    search s = search_for(model, shape, uneven, outside, way);
    int rc = gather(&s, algorithm);
    if (!rc) rc = judge_all(&s);
    int count = s.count < HY_CHOICES_MAX ? s.count : HY_CHOICES_MAX;
    for (int i = 0; i < count && !rc; i++) list[i] = s.list[i].choice;
    release(&s);
    return rc ? rc : count;
}

int hy_choose(const hy_model *model, const hy_shape *shape, bool uneven, bool outside,
              const hy_algorithm *algorithm, const hy_way *way, hy_choice *choice)
{
    search s = search_for(model, shape, uneven, outside, way);
    candidate *best = NULL;
    int rc = gather(&s, algorithm);
    if (!rc) rc = judge_best(&s, &best);
    if (!rc) *choice = best->choice;
    release(&s);
    return rc;
}
