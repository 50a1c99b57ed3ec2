/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures the terms of the cost model (sched/model.h) between the two members of a communicator.
 * If they run on different cores of one node, these are the terms of the node; if they are on
 * different nodes, those of the network between them. A *term* is one number: a time, or one point
 * of a curve. Both members measure the same terms in the same order; member 0 has the results.
 */
#ifndef HY_TUNE_MEASURE_H
#define HY_TUNE_MEASURE_H

#include "pcoll/pcoll.h"

typedef struct hy_measure hy_measure;

/* Collective over a communicator of two ranks. ARGUMENT (not two), NO_MEMORY. */
int hy_measure_open(hy_comms *comms, int comm, hy_measure **measure);
void hy_measure_close(hy_measure *measure);

#define HY_MEASURE_TRIP 1 /* the term that tells the distance between the two */

int hy_measure_terms(void); /* their number */

/* Writes the name of a term, such as "get 4096"; returns like snprintf. */
int hy_measure_name(int term, char *text, size_t size);

/* Measures one term for about `seconds`: *ns becomes the median (bytes per ns for the bandwidth),
 * *error half of the range that contains the middle half of the samples. Collective.
 * HAYATE_ERR_UNSUPPORTED: the term does not exist between these two (single copy refused, one core,
 * different nodes), and the model keeps its value. */
int hy_measure_term(hy_measure *measure, int term, double seconds, double *ns, double *error);

/* Stores the values of all terms in a model, and derives terms from sums of terms (flight, the
 * latency of a network). NaN: not measured, the model keeps its value. */
void hy_measure_fill(const double *values, hy_model *model);

#endif
