/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/cost.h"

hy_cost_model hy_cost_default(int cpus)
{
    return (hy_cost_model){
        .latency = 150,
        .overhead = 30,
        .byte_payload = 0.12,
        .byte_direct = 0.06,
        .byte_reduce = 0.03,
        .byte_local = 0.03,
        .switch_time = 1200,
        .cpus = cpus > 0 ? cpus : 1,
    };
}

static int cpus_of(const hy_cost_model *model)
{
    return model->cpus > 0 ? model->cpus : 1;
}

/* A waiting rank yields; by the time it runs again, every rank of its core has run once. */
double hy_cost_phase(const hy_cost_model *model, int ranks)
{
    int cpus = cpus_of(model);
    if (ranks <= cpus) return model->latency;
    return model->latency + model->switch_time * ((ranks - 1) / cpus + 1);
}

double hy_cost_parallel(const hy_cost_model *model, int ranks, double work)
{
    int cpus = cpus_of(model);
    return ranks <= cpus ? work : work * ranks / cpus;
}
