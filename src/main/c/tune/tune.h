/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures all terms of the model in several passes, so that a moment of load on a shared machine
 * does not decide. A value is the median of the passes, its error half of their range.
 *
 * The hypervisor of a virtual machine may move its CPUs, and then the two members are nearer to
 * each other or farther apart for seconds. A round trip before and after each term detects this.
 * Terms from both distances together would fit neither: only values at the distance at which the
 * CPUs were most of the time count.
 */
#ifndef HY_TUNE_TUNE_H
#define HY_TUNE_TUNE_H

#include "tune/measure.h"

#define HY_TUNE_PASSES 5

typedef struct hy_tune hy_tune;

/* Collective over the job: makes a communicator of the two ranks that measure, rank 0 and the first
 * rank of another node if there is one, else rank 1; FMPL_COMM_NULL on all others. ARGUMENT: rank 0
 * is alone. */
int hy_tune_pair(hy_comms *comms, int *comm);

/* Collective over a communicator of two ranks. ARGUMENT, NO_MEMORY. */
int hy_tune_open(hy_comms *comms, int comm, hy_tune **tune);
void hy_tune_close(hy_tune *tune);

int hy_tune_steps(void); /* of all passes: step s measures term s % hy_measure_terms() */

/* Collective; each step once and in order. A term that cannot be measured here is not an error. */
int hy_tune_step(hy_tune *tune, int step, double seconds);

/* Why a term could not be measured; NULL if it could, or was not tried. */
const char *hy_tune_refused(const hy_tune *tune, int term);

/* Terms that cannot be measured keep the values of `model`, for example of the file to which the
 * result is written. By default these are the values that the job uses. */
void hy_tune_keep(hy_tune *tune, const hy_model *model);

/* Member 0's result, corrected to be plausible: no term is zero, and no curve falls with size.
 * Terms that could not be measured have the values of hy_tune_keep(), and error 0. errors: NULL if
 * not wanted. NO_MEMORY. */
int hy_tune_result(const hy_tune *tune, hy_model *model, hy_model *errors);

/* The percentage of the steps that were measured at the distance that counts; *trip: its round trip
 * in ns. */
double hy_tune_steady(const hy_tune *tune, double *trip);

/* The numbers of a model one by one, with `index` from 0; false: there is no such number. bytes: of
 * the point of a curve, 0: a scalar. */
typedef struct hy_tune_number {
    const char *name, *unit; /* "get", "ns" */
    uint64_t bytes;
    double value;
} hy_tune_number;
bool hy_tune_number_at(const hy_model *model, int index, hy_tune_number *number);

#endif
