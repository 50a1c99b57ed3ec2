/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Predicts the time of candidates by simulation or by their closed formulas, and sorts them. To
 * find only the best one, a simulation stops once it cannot win any more.
 */
#include "choose/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

/* A candidate whose first run takes longer than the fastest first run by this factor goes to the
 * end, however fast its later runs are: few programs only repeat one collective. */
#define TOO_SLOW 3

/* Candidates that take at most AS_FAST times the time of the fastest are about as fast: another
 * property decides between them. More on shared cores, where waiting for each other costs turns of
 * the scheduler, whose times are hardly predictable. */
#define AS_FAST 1.1
#define AS_FAST_SHARED 1.3

/* ---- the time of one ---- */

/* The number of runs by which a rank can be ahead of one that it sends to; 0 if it needs an answer
 * in each run. */
static uint32_t runs_ahead(const hy_search *s, const hy_way *way)
{
    uint64_t unit = way->transfer == HY_TRANSFER_GET ? way->segment : HY_SCHED_PAYLOAD;
    uint64_t pieces = s->shape.bytes / unit + (s->shape.bytes % unit > 0);
    if (way->buffers != HY_BUFFERS_PREPARED || pieces > HY_SCHED_DEPTH) return 1;
    if (s->shape.wired) return hy_wired_depth(&s->shape);
    if (way->transfer == HY_TRANSFER_GET) return HY_SCHED_BOXES / hy_box_units(&s->shape);
    return pieces ? HY_SCHED_DEPTH / (uint32_t)pieces : HY_SCHED_DEPTH;
}

/* Runs in a loop: one run is followed by as many as a rank can be ahead; on shared cores by more,
 * because a rank may do all of them in one turn before another rank runs. */
static uint32_t rounds_of_loop(const hy_search *s, const hy_way *way)
{
    uint32_t ahead = runs_ahead(s, way);
    if (hy_sim_crowd(&s->shape) > s->model->cpus) ahead *= ahead > 1 ? 2 : 4;
    return 1 + ahead;
}

static bool begin_together(const hy_search *s)
{
    return s->shape.bytes > HY_CHOOSE_BRIEF || s->shape.nodes || s->level >= 0;
}

/*
 * Sets what to simulate. Programs rarely move long data without using them in between, and then
 * all ranks are at the same run; the second run finds its data where the first one left them.
 * Between nodes the same holds for short data: being ahead hides a latency that is longer than a
 * reading of the clock. Short data on one node are moved in a loop.
 */
static void set_rounds(hy_search *s, const hy_way *way)
{
    s->setting.apart = begin_together(s);
    s->setting.rounds = s->setting.apart ? 2 : rounds_of_loop(s, way);
}

static bool is_simulated(const hy_search *s)
{
    return s->shape.size <= HY_SIM_NODE_RANKS;
}

double hy_choice_formula(const hy_choice *choice, const hy_model *model, const hy_shape *shape)
{
    bool work = shape->size > 1 && (shape->bytes > 0 || shape->coll == HY_COLL_BARRIER);
    bool across = shape->nodes && !(choice->algorithm->traits & HY_TRAIT_PARTS);
    const hy_model far = hy_model_across(model);
    return work ? choice->algorithm->formula(across ? &far : model, shape, &choice->way) : 0;
}

/* The formulas assume a core per rank. */
static double crowd(const hy_search *s)
{
    double ranks = hy_sim_crowd(&s->shape), cpus = s->model->cpus;
    return ranks > cpus && is_simulated(s) ? ranks / cpus : 1;
}

/* Simulated cores take turns in step with each other, but real ones do not: on shared cores, a rank
 * that must wait for one rank in order to answer another misses a part of a lap each time. Less if
 * not all ranks need all others, because ranks then run ahead of each other. */
#define MISSED 0.2
#define MISSED_AHEAD 0.05
static double loose_turns(const hy_search *s, const hy_sim_result *result)
{
    if (crowd(s) <= 1) return 0;
    double missed = hy_coll_has_root(s->shape.coll) ? MISSED_AHEAD : MISSED;
    return missed * s->model->turn * crowd(s) * result->answers;
}

/* Uses the closed formula if a simulation would take too long. */
static int judge(hy_search *s, hy_candidate *c, hy_sim_limit limit)
{
    hy_sim_result result = {0};
    int rc = HAYATE_ERR_UNSUPPORTED;
    set_rounds(s, &c->choice.way);
    if (is_simulated(s))
        rc = hy_sim_run(&s->sim, s->model, c->choice.algorithm, &s->shape, &c->choice.way,
                        &s->setting, limit, &result);
    if (rc && rc != HAYATE_ERR_UNSUPPORTED) return rc;
    if (rc)
        result.ns = result.first = hy_choice_formula(&c->choice, s->model, &s->shape) * crowd(s);
    c->choice.ns = result.ns + loose_turns(s, &result);
    c->first = result.first;
    return HAYATE_OK;
}

/* Without prepared buffers no candidate lets ranks run ahead; between nodes programs do not. */
static bool may_run_ahead(const hy_search *s)
{
    return is_simulated(s) && begin_together(s) && !s->shape.nodes && s->level < 0 &&
           !hy_search_is_long(s);
}

static double as_fast(const hy_search *s)
{
    if (!may_run_ahead(s)) return 1;
    return crowd(s) > 1 ? AS_FAST_SHARED : AS_FAST;
}

static bool too_slow(const hy_candidate *c, double least)
{
    return c->first > TOO_SLOW * least;
}

/* ---- all of them ---- */

/* the fastest first run, for compare() */
static double least_first(const hy_search *s)
{
    double least = INFINITY;
    for (int i = 0; i < s->count; i++) least = fmin(least, s->list[i].first);
    return least;
}

static int compare(const void *left, const void *right, void *least)
{
    const hy_candidate *a = left, *b = right;
    bool slow_a = too_slow(a, *(double *)least), slow_b = too_slow(b, *(double *)least);
    if (slow_a != slow_b) return slow_a ? 1 : -1;
    if (a->choice.ns != b->choice.ns) return a->choice.ns < b->choice.ns ? -1 : 1;
    return a->order - b->order;
}

/* ---- of those that are as fast ---- */

static bool about_as_fast(const hy_search *s, const hy_candidate *c, const hy_candidate *best,
                          double least)
{
    return !too_slow(c, least) && c->choice.ns <= as_fast(s) * best->choice.ns;
}

/* The time of a run in a loop. */
static int judge_loop(hy_search *s, const hy_candidate *c, double limit, double *ns)
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

static bool better(const hy_candidate *c, double ns, const hy_candidate *best, double best_ns)
{
    if (!best) return true;
    if (ns != best_ns) return ns < best_ns;
    return c->choice.ns != best->choice.ns ? c->choice.ns < best->choice.ns
                                           : c->order < best->order;
}

/* Replaces the fastest one by the one of those as fast that takes least in a loop of nothing else,
 * if it takes clearly less there: in a loop ranks are as far ahead of each other as the schedule
 * lets them, and wait least for one that comes late or has no core. */
static int prefer_free_running(hy_search *s, double least, hy_candidate **best)
{
    const hy_candidate *fastest = *best;
    hy_candidate *freest = NULL;
    double its = INFINITY, fastest_loop = INFINITY;
    if (!may_run_ahead(s)) return HAYATE_OK;
    for (int i = 0; i < s->count; i++) {
        hy_candidate *c = &s->list[i];
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

int hy_judge_all(hy_search *s)
{
    int rc = HAYATE_OK;
    for (int i = 0; i < s->count && !rc; i++) rc = judge(s, &s->list[i], HY_SIM_NO_LIMIT);
    if (rc) return rc;
    double least = least_first(s);
    qsort_r(s->list, (size_t)s->count, sizeof *s->list, compare, &least);
    hy_candidate *best = s->list;
    rc = prefer_free_running(s, least, &best);
    const hy_candidate chosen = *best;
    memmove(s->list + 1, s->list, (size_t)(best - s->list) * sizeof chosen);
    s->list[0] = chosen;
    return rc;
}

/* ---- the best one ---- */

/* One pass over the candidates; each is simulated only as long as it can still become the best. */
static int pass(hy_search *s, double *least, hy_candidate **best)
{
    const double margin = 1 + 1e-9; /* candidates of equal time are not cut off */
    *best = NULL;
    for (int i = 0; i < s->count; i++) {
        hy_candidate *c = &s->list[i];
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

/* The best candidate may turn out to be too slow when a faster first run is found later; then those
 * that were cut off because of it are tried again. */
int hy_judge_best(hy_search *s, hy_candidate **best)
{
    double least = INFINITY;
    int rc = pass(s, &least, best);
    if (!rc && too_slow(*best, least)) rc = pass(s, &least, best);
    return rc ? rc : prefer_free_running(s, least, best);
}
