/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures the terms of the model (sched/model.h) between the two members of a communicator, which
 * run on different cores of a node: those of the node, or on different nodes: those of the network
 * that connects them. One *term* is one number: a time, or one point of a curve. Both members
 * measure the same terms in the same order; member 0 has the results.
 */
#ifndef HY_TUNE_MEASURE_H
#define HY_TUNE_MEASURE_H

#include "pcoll/pcoll.h"

typedef struct hy_measure hy_measure;

/* Collective over a communicator of two. ARGUMENT (not two), NO_MEMORY. */
int hy_measure_open(hy_comms *comms, int comm, hy_measure **measure);
void hy_measure_close(hy_measure *measure);

#define HY_MEASURE_TRIP 1 /* the term that tells how far the two are apart */

int hy_measure_terms(void); /* how many there are */

/* "get 4096", as snprintf. */
int hy_measure_name(int term, char *text, size_t size);

/* Measures one term for about `seconds`: median in *ns (bytes per ns for the bandwidth), half of
 * the range in which the middle half of the samples lies in *error. Collective.
 * HAYATE_ERR_UNSUPPORTED: there is no such thing between these two (single copy refused, one core,
 * another node): what the model has stays. */
int hy_measure_term(hy_measure *measure, int term, double seconds, double *ns, double *error);

/* Puts values of all terms into a model, and makes terms out of sums of terms (flight, a network's
 * latency). NaN: not measured, what the model has stays. */
void hy_measure_fill(const double *values, hy_model *model);

/* Nanoseconds of a look at the clock. */
double hy_clock_cost(void);

#endif
