/* SPDX-License-Identifier: Apache-2.0 */
/* One candidate with other numbers of ranks, up to a million and more. */
#include <math.h>

#include "base/clock.h"
#include "base/status.h"
#include "choose/simulate_engine.h"
#include "explain/state.h"

#define SIMULATED (UINT64_C(1) << 26) /* steps of all runs; about ten seconds */
/* Steps of a rank's part that are kept when it is generated. */
#define HELD_STEPS (UINT64_C(1) << 22)
#define COUNTED (UINT64_MAX - 1) /* no generator reaches it */
#define PATIENCE 20e9            /* ns that the generators of all ranks may take together */

typedef struct scaled {
    hy_nodes *nodes;
    const hy_choice *choice;
    hy_shape shape;
    hy_model model;
    double formula;
    hy_sim_result result;
    double simulated; /* time of the simulation, ns */
    double generated; /* NAN: not requested */
    uint64_t own;
} scaled;

/* The shape without its nodes. */
static hy_shape shape_for(const hy_explain *e, int32_t ranks)
{
    hy_shape shape = e->shape;
    shape.size = ranks;
    if (shape.root >= ranks) shape.root = 0;
    shape.rank = shape.root;
    shape.nodes = NULL;
    shape.boxes = hy_boxes_of(ranks, e->nodes);
    return shape;
}

static int scale_fits(const scaled *s)
{
    const hy_algorithm *algorithm = s->choice->algorithm;
    hy_way way = s->choice->way;
    int rc = hy_shape_check(&s->shape);
    if (rc) return rc;
    if (!algorithm->applies(&s->shape))
        return hy_fail(HAYATE_ERR_UNSUPPORTED, "it needs %s",
                       algorithm->needs ? algorithm->needs : "something else");
    return hy_way_complete(algorithm, &s->shape, &way);
}

/* ---- a rank's own part ---- */

static int scale_count(const scaled *s, int32_t rank, uint64_t *steps)
{
    hy_schedule work = {0};
    hy_shape shape = s->shape;
    shape.rank = rank;
    int rc = hy_schedule_window(&work, s->choice->algorithm, &shape, &s->choice->way, COUNTED, 1);
    *steps = rc ? 0 : work.emitted;
    hy_schedule_release(&work);
    return rc;
}

/* Generates like a member does in the preparation. If there are too many steps, they are generated
 * but not kept. */
static int generate(const scaled *s, int32_t rank, uint64_t *steps, double *ns)
{
    hy_schedule work = {0};
    hy_shape shape = s->shape;
    shape.rank = rank;
    uint64_t begin = hy_now_ns();
    int rc = scale_count(s, rank, steps);
    if (rc == HAYATE_OK && *steps <= HELD_STEPS) {
        begin = hy_now_ns();
        rc = hy_schedule_build(&work, s->choice->algorithm, &shape, &s->choice->way);
    }
    *ns = (double)(hy_now_ns() - begin);
    hy_schedule_release(&work);
    return rc;
}

/* The longest of three ranks that differ: the root, the rank after it, and the last. */
static int generate_own(scaled *s)
{
    const int32_t size = s->shape.size, root = s->shape.root;
    const int32_t ranks[] = {root, (root + 1) % size, size - 1};
    int rc = HAYATE_OK;
    s->generated = 0;
    for (int i = 0; i < 3 && !rc; i++) {
        uint64_t steps;
        double ns;
        rc = generate(s, ranks[i], &steps, &ns);
        if (steps > s->own) s->own = steps;
        s->generated = fmax(s->generated, ns);
    }
    return rc;
}

/* ---- all ranks ---- */

/* Whether rank 0 can stand for all ranks; the simulator finds out before it checks the limit. */
static bool is_alike(const scaled *s)
{
    const hy_sim_setting setting = {.rounds = 1, .max_steps = 1};
    hy_sim_result result = {0};
    if (!(s->choice->algorithm->traits & HY_TRAIT_ALIKE)) return false;
    hy_simulate(&s->model, s->choice->algorithm, &s->shape, &s->choice->way, &setting, &result);
    return result.alike;
}

/* A generator may look at all ranks although it has few steps, such as a ring of slices most of
 * which are empty. Such a simulation would take too long. */
static int check_effort(const scaled *s)
{
    const int32_t ranks = s->shape.size;
    uint64_t steps, begin = hy_now_ns();
    int rc = scale_count(s, (s->shape.root + 1) % ranks, &steps);
    double ns = (double)(hy_now_ns() - begin);
    if (rc || ns * ranks <= PATIENCE || is_alike(s)) return rc;
    return hy_fail(
        HAYATE_ERR_UNSUPPORTED,
        "a rank's generator takes %.1f ms, those of %d ranks %.0f s; use fewer ranks, or "
        "the closed formula",
        ns / 1e6, ranks, ns * ranks / 1e9);
}

static int simulate(scaled *s, uint32_t rounds, bool outside)
{
    hy_sim_setting setting = {.rounds = rounds, .outside = outside, .max_steps = SIMULATED};
    uint64_t begin = hy_now_ns();
    int rc = hy_simulate(&s->model, s->choice->algorithm, &s->shape, &s->choice->way, &setting,
                         &s->result);
    s->simulated = (double)(hy_now_ns() - begin);
    return rc;
}

/* ---- records ---- */

static void put_head(hy_records *r, const char *kind, const scaled *s)
{
    fputs(kind, r->out);
    hy_records_text(r, s->choice->algorithm->name);
    hy_records_number(r, (uint64_t)s->shape.size);
    hy_records_time(r, s->formula);
}

static void put_scale(hy_records *r, const scaled *s, uint32_t rounds)
{
    const hy_sim_result *result = &s->result;
    put_head(r, "scale", s);
    hy_records_time(r, result->ns);
    hy_records_counts(r, result);
    hy_records_number(r, rounds);
    if (isnan(s->generated)) hy_records_none(r);
    else hy_records_number(r, s->own);
    hy_records_time(r, s->generated);
    hy_records_time(r, s->simulated);
    fputc('\n', r->out);
}

static void put_unscaled(hy_records *r, const scaled *s)
{
    put_head(r, "unscaled", s);
    hy_records_text(r, hayate_error());
    fputc('\n', r->out);
}

int hy_explain_scale(hy_explain *e, int index, int32_t ranks, uint32_t rounds, bool generated,
                     char **text)
{
    scaled s = {.formula = NAN, .generated = NAN};
    hy_records r;
    if (index < 0 || index >= e->count || ranks < 1 || rounds < 1)
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "candidate %d on %d ranks, %u runs: expected 0 to %d, 1 or more, 1 or more",
                       index, ranks, rounds, e->count - 1);
    s.choice = &e->choices[index];
    s.shape = shape_for(e, ranks);
    s.model = hy_explain_model(e, ranks);
    int rc = hy_explain_nodes(e, ranks, &s.nodes);
    s.shape.nodes = s.nodes;
    if (!rc) rc = scale_fits(&s);
    if (!rc) s.formula = hy_choice_formula(s.choice, &s.model, &s.shape);
    if (!rc && generated) rc = generate_own(&s);
    if (!rc) rc = check_effort(&s);
    if (!rc) rc = simulate(&s, rounds, e->outside);
    hy_nodes_free(s.nodes);
    if (rc && rc != HAYATE_ERR_UNSUPPORTED && rc != HAYATE_ERR_ARGUMENT) return rc;
    int opened = hy_records_open(&r);
    if (opened) return opened;
    if (rc) put_unscaled(&r, &s);
    else put_scale(&r, &s, rounds);
    return hy_records_close(&r, HAYATE_OK, text);
}
