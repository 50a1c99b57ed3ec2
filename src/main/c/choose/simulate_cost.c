/* SPDX-License-Identifier: Apache-2.0 */
/* The cost of steps in nanoseconds, without contention. */
#include <math.h>

#include "choose/simulate_engine.h"

/* What another core wrote, read by a step whose curve is for data of its own core. */
static double fetch_cost(const hy_model *m, uint64_t len)
{
    double more = hy_curve_at(&m->reduce_get, len) - hy_curve_at(&m->reduce, len);
    return more > 0 ? more : 0;
}

/* model.copy and model.put are measured after a peer has read the destination, model.get without
 * this. */
static double call_back(const hy_model *m, uint64_t len)
{
    double more = hy_curve_at(&m->put, len) - hy_curve_at(&m->get, len);
    return more > 0 ? more : 0;
}

static double curves(const hy_model *m, int cost, uint64_t len)
{
    switch (cost) {
    case HY_SIM_PAYLOAD_OUT: return hy_curve_at(&m->payload_out, len);
    case HY_SIM_PAYLOAD_IN: return hy_curve_at(&m->payload_in, len);
    case HY_SIM_FOLD_IN: return hy_curve_at(&m->payload_in, len) + hy_curve_at(&m->reduce, len);
    case HY_SIM_COPY: return hy_curve_at(&m->copy, len);
    case HY_SIM_PUT: return hy_curve_at(&m->put, len);
    case HY_SIM_GET: return hy_curve_at(&m->get, len);
    case HY_SIM_FETCH: return fetch_cost(m, len);
    case HY_SIM_SINGLE: return hy_curve_at(&m->single, len);
    case HY_SIM_REDUCE: return hy_curve_at(&m->reduce, len);
    case HY_SIM_REDUCE_GET: return hy_curve_at(&m->reduce_get, len);
    case HY_SIM_REDUCE_SINGLE: return hy_curve_at(&m->single, len) + hy_curve_at(&m->reduce, len);
    default: return call_back(m, len);
    }
}

static double recall(const hy_sim *sim, hy_sim_cost *memo, int cost, uint64_t len)
{
    if (memo->len != len) *memo = (hy_sim_cost){len, curves(sim->model, cost, len)};
    return memo->ns;
}

static double cost_of(hy_sim *sim, int cost, uint64_t len)
{
    return recall(sim, &sim->costs[cost], cost, len);
}

#define PIECE_BYTES 4096

/* The same of a piece of `whole` bytes, which takes no longer than its share of it: data that were
 * written as a part of more lie in caches from which they are fetched faster. Not of short pieces,
 * which take what their first lines take. */
static double piece_cost(hy_sim *sim, int cost, uint64_t len, uint64_t whole)
{
    double alone = cost_of(sim, cost, len);
    if (whole <= len || len < PIECE_BYTES) return alone;
    double all = recall(sim, &sim->wholes[cost], cost, whole);
    return fmin(alone, all * (double)len / (double)whole);
}

double hy_sim_signal_cost(hy_sim *sim, const hy_step *step)
{
    double ns = sim->model->signal;
    return step->len ? ns + cost_of(sim, HY_SIM_PAYLOAD_OUT, step->len) : ns;
}

double hy_sim_wait_cost(hy_sim *sim, const hy_step *step, int rank)
{
    bool folds = step->flags & HY_STEP_FOLD, far = hy_sim_far(sim, rank, step);
    double ns = far ? hy_model_net(sim->model)->overhead : sim->model->take;
    return step->len ? ns + cost_of(sim, folds ? HY_SIM_FOLD_IN : HY_SIM_PAYLOAD_IN, step->len)
                     : ns;
}

double hy_sim_reduce_cost(hy_sim *sim, uint64_t len)
{
    return cost_of(sim, HY_SIM_REDUCE, len);
}

/* What a step does beyond its curve: bytes that it fetches from another core although it works in
 * the memory of this one, and bytes whose copies must be invalidated. */
typedef struct traffic {
    uint64_t fetched, back;
} traffic;

/* Records what the step reads and writes. The curves of GET and of a REDUCE from a peer contain
 * that the data are fetched. */
static traffic trace(hy_sim *sim, const hy_step *step, int rank)
{
    hy_sim_lines *lines = sim->lines;
    int core = hy_sim_core_of(sim, rank);
    traffic t;
    if (step->kind == HY_STEP_PUT) {
        t.fetched = hy_sim_lines_read(lines, core, rank, step->local, step->local_off, step->len);
        t.back = hy_sim_lines_write(lines, core, step->peer, step->remote, step->remote_off,
                                    step->len);
        return t;
    }
    bool own = step->kind == HY_STEP_COPY || step->peer == rank;
    t.fetched = hy_sim_lines_read(lines, core, own ? rank : step->peer, step->remote,
                                  step->remote_off, step->len);
    if (!own) t.fetched = 0;
    t.back = hy_sim_lines_write(lines, core, rank, step->local, step->local_off, step->len);
    return t;
}

static double fetch(hy_sim *sim, uint64_t bytes)
{
    return bytes ? cost_of(sim, HY_SIM_FETCH, bytes) : 0;
}

/* The cost of putting and copying if no copies must be invalidated. A copy from and to lines of the
 * core's own caches takes no longer than reducing them there. */
static double at_best(hy_sim *sim, int cost, uint64_t len, uint64_t whole, const traffic *t)
{
    double ns = piece_cost(sim, cost, len, whole);
    if (cost != HY_SIM_PUT && cost != HY_SIM_COPY) return ns;
    ns = fmin(ns, piece_cost(sim, HY_SIM_GET, len, whole));
    if (cost == HY_SIM_PUT || t->fetched || t->back) return ns;
    return fmin(ns, piece_cost(sim, HY_SIM_REDUCE, len, whole));
}

static hy_shape shape_of(const hy_sim *sim, int rank)
{
    hy_shape shape = sim->shape;
    shape.rank = rank;
    return shape;
}

void hy_sim_write_input(hy_sim *sim, int rank)
{
    if (!sim->traced) return;
    const hy_shape shape = shape_of(sim, rank);
    int core = hy_sim_core_of(sim, rank);
    uint64_t in = hy_region_bytes(&shape, HY_IN), out = hy_region_bytes(&shape, HY_OUT);
    bool in_place = shape.coll == HY_COLL_REDUCE || shape.coll == HY_COLL_ALLREDUCE ||
                    (shape.coll == HY_COLL_BCAST && rank == shape.root);
    if (in) hy_sim_lines_write(sim->lines, core, rank, HY_IN, 0, in);
    if (out && in_place) hy_sim_lines_write(sim->lines, core, rank, HY_OUT, 0, out);
}

double hy_sim_read_result(hy_sim *sim, int rank)
{
    if (!sim->traced) return 0;
    const hy_shape shape = shape_of(sim, rank);
    uint64_t out = hy_region_bytes(&shape, HY_OUT);
    if (!out) return 0;
    return fetch(sim,
                 hy_sim_lines_read(sim->lines, hy_sim_core_of(sim, rank), rank, HY_OUT, 0, out));
}

double hy_sim_move_cost(hy_sim *sim, const hy_step *step, int rank)
{
    /* A peer's TMP and BOX belong to the run-time, so they are in the heap. */
    bool user = step->peer != rank && (step->remote == HY_IN || step->remote == HY_OUT),
         single = user && sim->setting.outside;
    int cost = HY_SIM_COPY;
    if (step->kind == HY_STEP_PUT) cost = single ? HY_SIM_SINGLE : HY_SIM_PUT;
    if (step->kind == HY_STEP_GET) cost = single ? HY_SIM_SINGLE : HY_SIM_GET;
    if (step->kind == HY_STEP_REDUCE && step->peer == rank) cost = HY_SIM_REDUCE;
    if (step->kind == HY_STEP_REDUCE && step->peer != rank)
        cost = single ? HY_SIM_REDUCE_SINGLE : HY_SIM_REDUCE_GET;
    uint64_t whole = user && !single ? sim->shape.bytes : step->len;
    double ns = sim->model->step;
    if (!sim->traced) return ns + piece_cost(sim, cost, step->len, whole);
    const traffic t = trace(sim, step, rank);
    ns += at_best(sim, cost, step->len, whole, &t) + fetch(sim, t.fetched);
    return t.back ? ns + cost_of(sim, HY_SIM_CALL_BACK, t.back) : ns;
}
