/* SPDX-License-Identifier: Apache-2.0 */
/* What steps cost, in nanoseconds, when nobody is in the way. */
#include "sched/simulate_engine.h"

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
    default: return hy_curve_at(&m->single, len) + hy_curve_at(&m->reduce, len);
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

double hy_sim_wait_cost(hy_sim *sim, const hy_step *step)
{
    bool folds = step->flags & HY_STEP_FOLD;
    double ns = sim->model->take;
    return step->len ? ns + cost_of(sim, folds ? HY_SIM_FOLD_IN : HY_SIM_PAYLOAD_IN, step->len)
                     : ns;
}

double hy_sim_move_cost(hy_sim *sim, const hy_step *step, int rank)
{
    /* A peer's TMP and BOX are the run-time's, so in the heap. */
    bool single = sim->setting.outside && step->peer != rank &&
                  (step->remote == HY_IN || step->remote == HY_OUT);
    int cost = HY_SIM_COPY;
    if (step->kind == HY_STEP_PUT) cost = single ? HY_SIM_SINGLE : HY_SIM_PUT;
    if (step->kind == HY_STEP_GET) cost = single ? HY_SIM_SINGLE : HY_SIM_GET;
    if (step->kind == HY_STEP_REDUCE && step->peer == rank) cost = HY_SIM_REDUCE;
    if (step->kind == HY_STEP_REDUCE && step->peer != rank)
        cost = single ? HY_SIM_REDUCE_SINGLE : HY_SIM_REDUCE_GET;
    return sim->model->step + cost_of(sim, cost, step->len);
}
