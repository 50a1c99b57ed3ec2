/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens an explanation: finds the collective, the shape, the nodes, the model and the hints,
 * chooses, and writes the candidates as records.
 */
#include "explain/explain.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/wait.h"
#include "choose/simulate_engine.h"
#include "choose/tuning.h"
#include "explain/state.h"
#include "sched/algorithms/algorithms.h"

#define MOST_RANKS (1 << 24)
#define MOST_STEPS (UINT64_C(1) << 22) /* limit of steps for simulating a first run as well */

/* ---- open ---- */

static int find_collective(const char *name, hy_coll *coll)
{
    char able[160] = "";
    if (name && hy_coll_find(name, coll)) return HAYATE_OK;
    for (int i = 0; i < HY_COLL_COUNT; i++) {
        size_t used = strlen(able);
        snprintf(able + used, sizeof able - used, "%s%s", i ? ", " : "", hy_coll_name((hy_coll)i));
    }
    return hy_fail(HAYATE_ERR_ARGUMENT, "collective \"%.40s\": expected one of %s",
                   name ? name : "", able);
}

static int set_shape(hy_explain *e, const hy_explain_ask *ask)
{
    hy_coll coll;
    int rc = find_collective(ask->coll, &coll);
    if (rc) return rc;
    if (ask->ranks < 1 || ask->ranks > MOST_RANKS)
        return hy_fail(HAYATE_ERR_ARGUMENT, "%d ranks: expected 1 to %d", ask->ranks, MOST_RANKS);
    if (ask->root && !hy_coll_has_root(coll))
        return hy_fail(HAYATE_ERR_ARGUMENT, "root %d: %s has no root; omit it", ask->root,
                       hy_coll_name(coll));
    e->shape = (hy_shape){.coll = coll,
                          .rank = ask->root,
                          .size = ask->ranks,
                          .root = ask->root,
                          .bytes = coll == HY_COLL_BARRIER ? 0 : ask->bytes,
                          .unit = ask->unit               ? ask->unit
                                  : hy_coll_reduces(coll) ? 8
                                                          : 1,
                          .wired = !ask->ordinary};
    return hy_shape_check(&e->shape);
}

int hy_explain_nodes(const hy_explain *e, int32_t ranks, hy_nodes **nodes)
{
    *nodes = NULL;
    if (e->on_nodes == 1) return HAYATE_OK;
    int64_t each = (e->shape.size + (int64_t)e->on_nodes - 1) / e->on_nodes;
    int32_t count = ranks == e->shape.size ? e->on_nodes : (int32_t)((ranks + each - 1) / each);
    int32_t *of = malloc((size_t)ranks * sizeof *of);
    if (!of) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for the nodes of %d ranks", ranks);
    for (int32_t rank = 0; rank < ranks; rank++)
        of[rank] = e->cyclic ? rank % count : (int32_t)((int64_t)rank * count / ranks);
    int rc = hy_nodes_make(of, ranks, nodes);
    free(of);
    return rc;
}

static int set_nodes(hy_explain *e, const hy_explain_ask *ask)
{
    e->on_nodes = ask->nodes > 1 ? ask->nodes : 1;
    e->cyclic = ask->cyclic;
    if (ask->nodes < 0 || e->on_nodes > ask->ranks)
        return hy_fail(HAYATE_ERR_ARGUMENT, "%d nodes: expected 1 to %d, the number of ranks",
                       ask->nodes, ask->ranks);
    int rc = hy_explain_nodes(e, ask->ranks, &e->nodes);
    e->shape.nodes = e->nodes;
    e->shape.boxes = hy_boxes_of(ask->ranks, e->nodes);
    return rc;
}

static int set_net(hy_explain *e, const hy_explain_ask *ask)
{
    if (!ask->net || hy_net_class_find(ask->net, &e->model.net)) return HAYATE_OK;
    return hy_fail(HAYATE_ERR_ARGUMENT, "network \"%.40s\": expected tcp or verbs", ask->net);
}

static void set_model(hy_explain *e, const hy_explain_ask *ask)
{
    e->outside = ask->outside;
    e->spread = ask->spread;
    e->cpus = hy_cpus();
    e->model = hy_tuning_model(ask->cpus > 0 ? ask->cpus : e->cpus);
    hy_tuning_warn();
}

hy_model hy_explain_model(const hy_explain *e, int32_t ranks)
{
    hy_model model = e->model;
    if (e->on_nodes > 1) ranks = (ranks + e->on_nodes - 1) / e->on_nodes;
    if (!e->spread || ranks <= e->cpus) return model;
    model.bandwidth *= (double)ranks / e->cpus;
    model.cached *= (uint64_t)(ranks / e->cpus);
    model.cpus = ranks;
    return model;
}

static int explain_choose(hy_explain *e)
{
    const hy_model model = hy_explain_model(e, e->shape.size);
    const hy_request request = {e->shape, .outside = e->outside, .algorithm = e->algorithm,
                                .way = e->hint.way};
    int count = hy_choose_all(&model, &request, e->choices);
    if (count < 0) return count;
    e->count = count;
    return HAYATE_OK;
}

int hy_explain_open(const hy_explain_ask *ask, hy_explain **explain)
{
    hy_explain *e = calloc(1, sizeof *e);
    if (!e) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to explain a collective");
    int rc = set_shape(e, ask);
    if (!rc) set_model(e, ask);
    if (!rc) rc = set_net(e, ask);
    if (!rc) rc = set_nodes(e, ask);
    if (!rc) rc = hy_explain_hints(e, ask);
    if (!rc) rc = explain_choose(e);
    if (rc) hy_explain_close(e);
    else *explain = e;
    return rc;
}

void hy_explain_close(hy_explain *explain)
{
    hy_nodes_free(explain->nodes);
    free(explain);
}

/* ---- choice ---- */

static void put_ask(hy_records *r, const hy_explain *e)
{
    const hy_shape *s = &e->shape;
    fputs("ask", r->out);
    hy_records_text(r, hy_coll_name(s->coll));
    hy_records_number(r, (uint64_t)s->size);
    hy_records_number(r, (uint64_t)s->root);
    hy_records_number(r, s->bytes);
    hy_records_number(r, s->unit);
    hy_records_text(r, s->wired ? "persistent" : "ordinary");
    hy_records_text(r, e->outside ? "outside" : "heap");
    hy_records_number(r, (uint64_t)(e->nodes ? e->nodes->count : 1));
    hy_records_text(r, hy_net_class_name(e->model.net));
    fputc('\n', r->out);
}

static void put_model(hy_records *r, const hy_explain *e)
{
    char path[PATH_MAX] = "";
    if (hy_tuning_path(path, sizeof path) != HAYATE_OK) path[0] = '\0';
    fputs("model", r->out);
    hy_records_text(r, e->model.measured ? "tuned" : "default");
    hy_records_number(r, (uint64_t)hy_explain_model(e, e->shape.size).cpus);
    hy_records_text(r, path);
    fputc('\n', r->out);
}

static void put_note(hy_records *r, const char *text)
{
    fputs("note", r->out);
    hy_records_text(r, text);
    fputc('\n', r->out);
}

static void put_hints(hy_records *r, const hy_explain *e)
{
    char text[160];
    for (int i = 0; i < e->source_count; i++) {
        hy_hint_text(&e->sources[i].hint, text, sizeof text);
        fputs("hint", r->out);
        hy_records_text(r, e->sources[i].whose);
        hy_records_text(r, text);
        fputc('\n', r->out);
    }
    if (e->note[0]) put_note(r, e->note);
    if (!e->nodes) return;
    put_note(r, "times are without delegatees; with hayate run --delegate, the delegatee of a node "
                "carries out what crosses the network");
    if (e->shape.wired)
        put_note(r, "with progress=delegated, it runs the whole collective without the ranks");
}

/* NAN: not simulated, because candidates are not compared by it. */
static int first_run(const hy_explain *e, const hy_model *model, const hy_choice *choice,
                     double *ns)
{
    hy_sim_setting setting = {.rounds = 1, .outside = e->outside, .max_steps = MOST_STEPS};
    hy_sim_result result;
    *ns = NAN;
    if (e->shape.size > HY_SIM_NODE_RANKS) return HAYATE_OK;
    int rc = hy_simulate(model, choice->algorithm, &e->shape, &choice->way, &setting, &result);
    if (rc == HAYATE_OK) *ns = result.ns;
    return rc == HAYATE_ERR_UNSUPPORTED ? HAYATE_OK : rc;
}

static void put_paper(hy_records *r, const hy_explain *e, const hy_model *model,
                      const hy_choice *choice)
{
    hy_way way = choice->way;
    if (choice->algorithm != &hy_bcast_binomial || e->shape.bytes == 0) {
        hy_records_none(r);
        hy_records_none(r);
        return;
    }
    way.transfer = HY_TRANSFER_PUT;
    hy_records_time(r, hy_formula_paper(model, &e->shape, &way));
    way.transfer = HY_TRANSFER_GET;
    hy_records_time(r, hy_formula_paper(model, &e->shape, &way));
}

static int put_candidate(hy_records *r, const hy_explain *e, int index)
{
    const hy_model model = hy_explain_model(e, e->shape.size);
    const hy_choice *choice = &e->choices[index];
    const hy_algorithm *algorithm = choice->algorithm;
    char way[400];
    double first;
    int rc = first_run(e, &model, choice, &first);
    if (rc) return rc;
    double formula = hy_choice_formula(choice, &model, &e->shape);
    hy_way_text(algorithm, &choice->way, way, sizeof way);
    fputs("candidate", r->out);
    hy_records_number(r, (uint64_t)index);
    hy_records_text(r, algorithm->name);
    hy_records_text(r, way);
    hy_records_text(r, algorithm->title);
    hy_records_time(r, choice->ns);
    hy_records_text(r, choice->ns == formula ? "formula" : "simulated");
    hy_records_time(r, first);
    hy_records_time(r, formula);
    put_paper(r, e, &model, choice);
    fputc('\n', r->out);
    return HAYATE_OK;
}

int hy_explain_choice(hy_explain *e, int most, char **text)
{
    hy_records r;
    int rc = hy_records_open(&r);
    if (rc) return rc;
    put_ask(&r, e);
    put_model(&r, e);
    put_hints(&r, e);
    fprintf(r.out, "total\t%d\n", e->count);
    for (int i = 0; i < e->count && i < most && !rc; i++) rc = put_candidate(&r, e, i);
    return hy_records_close(&r, rc, text);
}
