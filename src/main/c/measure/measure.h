/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures the terms of the cost model (measure/terms.h) between the two members of a communicator.
 * If they run on different cores of one node, these are the terms of the node; if they are on
 * different nodes, those of the network between them. Both members measure the same terms in the
 * same order; member 0 has the results.
 *
 * It is a part of libhayate.so because what it measures is: the rows of paths, copies and
 * reductions as the compiler has made them for collectives.
 */
#ifndef HY_MEASURE_MEASURE_H
#define HY_MEASURE_MEASURE_H

#include "measure/terms.h"
#include "pcoll/pcoll.h"

typedef struct hy_measure hy_measure;

/* Collective over the job: makes a communicator of the two ranks that measure, rank 0 and the first
 * rank of another node if there is one, else rank 1; FMPL_COMM_NULL on all others. ARGUMENT: rank 0
 * is alone. */
int hy_measure_pair(hy_comms *comms, int *comm);

/* Collective over a communicator of two ranks. ARGUMENT (not two), NO_MEMORY. */
int hy_measure_open(hy_comms *comms, int comm, hy_measure **measure);
void hy_measure_close(hy_measure *measure);

/* Measures one term for about `seconds`: *ns becomes the median (bytes per ns for the bandwidth).
 * Collective. HAYATE_ERR_UNSUPPORTED: the term does not exist between these two (single copy
 * refused, one core, different nodes), and the model keeps its value. */
int hy_measure_term(hy_measure *measure, int term, double seconds, double *ns);

/* The hypervisor of a virtual machine may move its CPUs, and then the two members are nearer to
 * each other or farther apart for seconds. A round trip before and after a term detects this. */
typedef struct hy_measured {
    double ns, before, after; /* round trips: NaN where there are none, as between nodes */
} hy_measured;

/* Measures one term, and the round trips. Collective. The errors of hy_measure_term(). */
int hy_measure_step(hy_measure *measure, int term, double seconds, hy_measured *result);

#endif
