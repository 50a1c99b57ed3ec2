/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Choice by measurement (choice=measured), as FFTW's planner does with FFTW_MEASURE: the most
 * promising candidates of the model are timed while the operation is prepared, on buffers of their
 * own that have the same size, and the fastest is taken. The result is kept for further operations
 * of about this size on the communicator.
 */
#ifndef HY_PCOLL_MEASURED_H
#define HY_PCOLL_MEASURED_H

#include "pcoll/operation.h"

/* Collective; no member has acquired the communicator. even: of this member, the same size on all;
 * wanted: what all members have agreed to ask for. *best: the fastest candidate, with its measured
 * time; without an algorithm if there is nothing to choose from. NO_MEMORY, PEER_FAILED, MISMATCH
 * and whatever a run returns. */
int hy_measured_choose(const hy_pcoll *op, int number, const hy_pcoll_call *call,
                       const hy_shape *even, bool outside, const hy_hint *wanted, hy_choice *best);

#endif
