/* SPDX-License-Identifier: Apache-2.0 */
/* LogGP-like terms of the path a collective uses. Times in ns, per byte in ns. */
#ifndef HY_SCHED_COST_H
#define HY_SCHED_COST_H

#include "sched/schedule.h"

typedef struct hy_cost_model {
    double latency;      /* L + 2o: a signal until it is seen */
    double overhead;     /* o: the sender's (or receiver's) own time for a signal */
    double byte_payload; /* G of a payload: in and out of the channel */
    double byte_direct;  /* G of PUT, GET, or REDUCE from a peer: one pass */
    double byte_reduce;  /* extra for the arithmetic */
    double byte_local;   /* COPY */
    double switch_time;  /* giving the core to another rank; counts when ranks > cpus */
    int cpus;            /* shared by all the members */
} hy_cost_model;

/* Defaults that suit a node of today, for `cpus`; `hayate tune` will put measurements in their
 * place. */
hy_cost_model hy_cost_default(int cpus);

/* Rounds of waiting, each of which lets every rank of the node run once: latency of a phase in
 * which a rank waits for others. ranks <= cpus: model->latency; else + switches of a full round. */
double hy_cost_phase(const hy_cost_model *model, int ranks);

/* Time of `work` ns done by each of `ranks` at once on model->cpus. */
double hy_cost_parallel(const hy_cost_model *model, int ranks, double work);

#endif
