/* SPDX-License-Identifier: Apache-2.0 */
/* The cost of steps in nanoseconds, without contention. */
#include "sched/simulate_engine.h"

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
    case HY_SIM_SINGLE: return hy_curve_at(&m->single, len);
    case HY_SIM_REDUCE: return hy_curve_at(&m->reduce, len);
    case HY_SIM_REDUCE_GET: return hy_curve_at(&m->reduce_get, len);
    case HY_SIM_REDUCE_SINGLE: return hy_curve_at(&m->single, len) + hy_curve_at(&m->reduce, len);
    default: return call_back(m, len);
    }
}

static double cost_of(hy_sim *sim, int cost, uint64_t len)
{
    hy_sim_cost *memo = &sim->costs[cost];
    if (memo->len != len) *memo = (hy_sim_cost){len, curves(sim->model, cost, len)};
    return memo->ns;
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

/* Records what the step reads and writes; returns the bytes whose copies must be invalidated. */
static uint64_t trace(hy_sim *sim, const hy_step *step, int rank)
{
    hy_sim_lines *lines = sim->lines;
    int core = hy_sim_core_of(sim, rank);
    if (step->kind == HY_STEP_PUT) {
        hy_sim_lines_read(lines, core, rank, step->local, step->local_off, step->len);
        return hy_sim_lines_write(lines, core, step->peer, step->remote, step->remote_off,
                                  step->len);
    }
    int from = step->kind == HY_STEP_COPY ? rank : step->peer;
    hy_sim_lines_read(lines, core, from, step->remote, step->remote_off, step->len);
    return hy_sim_lines_write(lines, core, rank, step->local, step->local_off, step->len);
}

/* The cost of putting and copying if no copies must be invalidated. */
static double at_best(hy_sim *sim, int cost, uint64_t len)
{
    double ns = cost_of(sim, cost, len);
    if (!sim->traced || (cost != HY_SIM_PUT && cost != HY_SIM_COPY)) return ns;
    double get = cost_of(sim, HY_SIM_GET, len);
    return get < ns ? get : ns;
}

void hy_sim_use_buffers(hy_sim *sim, int rank)
{
    if (!sim->traced) return;
    hy_shape shape = sim->shape;
    shape.rank = rank;
    int core = hy_sim_core_of(sim, rank);
    uint64_t in = hy_region_bytes(&shape, HY_IN), out = hy_region_bytes(&shape, HY_OUT);
    bool in_place = shape.coll == HY_COLL_REDUCE || shape.coll == HY_COLL_ALLREDUCE ||
                    (shape.coll == HY_COLL_BCAST && rank == shape.root);
    if (in) hy_sim_lines_write(sim->lines, core, rank, HY_IN, 0, in);
    if (out) hy_sim_lines_read(sim->lines, core, rank, HY_OUT, 0, out);
    if (out && in_place) hy_sim_lines_write(sim->lines, core, rank, HY_OUT, 0, out);
}

double hy_sim_move_cost(hy_sim *sim, const hy_step *step, int rank)
{
    /* A peer's TMP and BOX belong to the run-time, so they are in the heap. */
    bool single = sim->setting.outside && step->peer != rank &&
                  (step->remote == HY_IN || step->remote == HY_OUT);
    int cost = HY_SIM_COPY;
    if (step->kind == HY_STEP_PUT) cost = single ? HY_SIM_SINGLE : HY_SIM_PUT;
    if (step->kind == HY_STEP_GET) cost = single ? HY_SIM_SINGLE : HY_SIM_GET;
    if (step->kind == HY_STEP_REDUCE && step->peer == rank) cost = HY_SIM_REDUCE;
    if (step->kind == HY_STEP_REDUCE && step->peer != rank)
        cost = single ? HY_SIM_REDUCE_SINGLE : HY_SIM_REDUCE_GET;
    double ns = sim->model->step + at_best(sim, cost, step->len);
    uint64_t back = sim->traced ? trace(sim, step, rank) : 0;
    return back ? ns + cost_of(sim, HY_SIM_CALL_BACK, back) : ns;
}
