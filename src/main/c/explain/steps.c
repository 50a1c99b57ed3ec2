/* SPDX-License-Identifier: Apache-2.0 */
/* Lists what the ranks do, and when. */
#include <inttypes.h>
#include <math.h>

#include "base/status.h"
#include "choose/simulate_engine.h"
#include "explain/state.h"
#include "explain/step_text.h"

#define SIMULATED (UINT64_C(1) << 27) /* limit of steps; about ten seconds */
#define MOST_ROUNDS 1000
#define PAGE 4096 /* steps of a schedule that are generated at first */

typedef struct listing {
    hy_records r;
    int rank; /* -1: all */
    uint64_t most, count;
} listing;

static const char *kind_name(uint8_t kind)
{
    static const char *const names[] = {"signal", "wait", "put", "get", "copy", "reduce"};
    return kind < sizeof names / sizeof names[0] ? names[kind] : "?";
}

static void put_step(hy_records *r, const hy_sim_event *event)
{
    char text[160];
    hy_step_text(event->step, text, sizeof text);
    fputs("step", r->out);
    hy_records_number(r, (uint64_t)event->rank);
    hy_records_number(r, event->round);
    hy_records_number(r, event->index);
    hy_records_text(r, kind_name(event->step->kind));
    hy_records_number(r, (uint64_t)event->step->peer);
    hy_records_number(r, event->step->len);
    hy_records_time(r, event->begin);
    hy_records_time(r, event->end);
    hy_records_text(r, text);
    fputc('\n', r->out);
}

static void watch(void *context, const hy_sim_event *event)
{
    listing *l = context;
    if (l->rank >= 0 && event->rank != l->rank) return;
    if (l->count++ < l->most) put_step(&l->r, event);
}

static void put_run(hy_records *r, const hy_sim_result *result, uint32_t rounds)
{
    fputs("run", r->out);
    hy_records_time(r, result->ns);
    hy_records_time(r, result->first);
    hy_records_counts(r, result);
    hy_records_number(r, rounds);
    fputc('\n', r->out);
}

/* ---- the schedule alone ---- */

typedef struct totals {
    uint64_t steps, signals, bytes, tmp, box;
} totals;

static void add_up(const hy_schedule *s, totals *t)
{
    for (uint32_t i = 0; i < s->count; i++) {
        const hy_step *step = &s->steps[i];
        if (step->kind == HY_STEP_WAIT || step->peer == s->shape.rank) continue;
        t->signals += step->kind == HY_STEP_SIGNAL;
        t->bytes += step->len;
    }
    t->steps += s->count;
    if (s->tmp_bytes > t->tmp) t->tmp = s->tmp_bytes;
    if (s->box_bytes > t->box) t->box = s->box_bytes;
}

static void list_page(const hy_schedule *s, listing *l)
{
    for (uint32_t i = 0; i < s->count; i++) {
        const hy_sim_event event = {.rank = s->shape.rank,
                                    .index = s->first + i,
                                    .step = &s->steps[i],
                                    .begin = NAN,
                                    .end = NAN};
        watch(l, &event);
    }
}

/* Walks through one rank's schedule page by page; each page is as long as all before it
 * together. */
static int walk(const hy_explain *e, int rank, listing *l, bool list, totals *t)
{
    const hy_choice *choice = &e->choices[0];
    hy_shape shape = e->shape;
    hy_schedule s = {0};
    uint64_t limit = PAGE;
    int rc;
    shape.rank = rank;
    *t = (totals){0};
    do {
        if (t->steps > limit) limit = t->steps;
        rc = hy_schedule_window(&s, choice->algorithm, &shape, &choice->way, t->steps, limit);
        if (rc) return rc;
        if (list) list_page(&s, l);
        add_up(&s, t);
    } while (s.count == limit);
    hy_schedule_release(&s);
    return HAYATE_OK;
}

static int put_rank(const hy_explain *e, int rank, listing *l, bool list)
{
    totals t;
    int rc = walk(e, rank, l, list, &t);
    if (rc) return rc;
    fputs("rank", l->r.out);
    hy_records_number(&l->r, (uint64_t)rank);
    hy_records_number(&l->r, t.steps);
    hy_records_number(&l->r, t.signals);
    hy_records_number(&l->r, t.bytes);
    hy_records_number(&l->r, t.tmp);
    hy_records_number(&l->r, t.box);
    fputc('\n', l->r.out);
    return HAYATE_OK;
}

/* ---- both ---- */

/* Lists steps with their simulated times; *listed: there were some of the rank. */
static int simulate(const hy_explain *e, uint32_t rounds, listing *l, bool *listed)
{
    const hy_model model = hy_explain_model(e, e->shape.size);
    const hy_choice *choice = &e->choices[0];
    hy_sim_setting setting = {.rounds = rounds,
                              .outside = e->outside,
                              .max_steps = SIMULATED,
                              .watch = watch,
                              .context = l};
    hy_sim_result result;
    int rc = hy_simulate(&model, choice->algorithm, &e->shape, &choice->way, &setting, &result);
    *listed = l->count > 0 || result.rank_steps == 0;
    if (rc == HAYATE_ERR_UNSUPPORTED) return *listed = false, HAYATE_OK;
    if (rc == HAYATE_OK) put_run(&l->r, &result, rounds);
    return rc;
}

static int steps_check(const hy_explain *e, int rank, uint32_t rounds)
{
    if (rank < -1 || rank >= e->shape.size)
        return hy_fail(HAYATE_ERR_ARGUMENT, "rank %d: expected 0 to %d", rank, e->shape.size - 1);
    if (rounds < 1 || rounds > MOST_ROUNDS)
        return hy_fail(HAYATE_ERR_ARGUMENT, "%u runs: expected 1 to %d", rounds, MOST_ROUNDS);
    if (rank < 0 && e->shape.size > HY_SIM_NODE_RANKS)
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "the steps of %d ranks are too many to list; use one rank, or %d at most",
                       e->shape.size, HY_SIM_NODE_RANKS);
    return HAYATE_OK;
}

int hy_explain_steps(hy_explain *e, int rank, uint32_t rounds, uint64_t most, char **text)
{
    listing l = {.rank = rank, .most = most};
    bool listed;
    int first = rank < 0 ? 0 : rank, last = rank < 0 ? e->shape.size - 1 : rank;
    int rc = steps_check(e, rank, rounds);
    if (!rc) rc = hy_records_open(&l.r);
    if (rc) return rc;
    rc = simulate(e, rounds, &l, &listed);
    for (int r = first; r <= last && !rc; r++) rc = put_rank(e, r, &l, !listed);
    if (l.count > most) fprintf(l.r.out, "more\t%" PRIu64 "\n", l.count - most);
    return hy_records_close(&l.r, rc, text);
}
