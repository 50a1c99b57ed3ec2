/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All terms of the model, in several passes: a shared machine has bad moments, and one of them must
 * not decide. A value is the median of the passes, its error half of their range.
 *
 * A virtual machine moves its CPUs about, and then the two are nearer to each other, or farther
 * away, for seconds. A round trip before and after each term tells. Terms of both together would
 * fit neither: what counts is measured at the distance at which the CPUs were most of the time.
 */
#ifndef HY_TUNE_TUNE_H
#define HY_TUNE_TUNE_H

#include "tune/measure.h"

#define HY_TUNE_PASSES 5

typedef struct hy_tune hy_tune;

/* Collective over the job: a communicator of the two that measure, rank 0 and the first rank of
 * another node, where there is one, else rank 1; FMPL_COMM_NULL on all others. ARGUMENT: rank 0 is
 * alone. */
int hy_tune_pair(hy_comms *comms, int *comm);

/* Collective over a communicator of two. ARGUMENT, NO_MEMORY. */
int hy_tune_open(hy_comms *comms, int comm, hy_tune **tune);
void hy_tune_close(hy_tune *tune);

int hy_tune_steps(void); /* of all passes: step s measures term s % hy_measure_terms() */

/* Collective, each step once and in order. What cannot be measured here is no error. */
int hy_tune_step(hy_tune *tune, int step, double seconds);

/* Why a term could not be measured; NULL when it could, or was not tried. */
const char *hy_tune_refused(const hy_tune *tune, int term);

/* What is refused stays as it is there, such as in the file that the result goes to. At first it is
 * what the job chooses by. */
void hy_tune_keep(hy_tune *tune, const hy_model *model);

/* Member 0's result, made sane: nothing is for nothing, and no curve falls with size. What was
 * refused is as hy_tune_keep() said, its error 0. errors: NULL if
 * not wanted. NO_MEMORY. */
int hy_tune_result(const hy_tune *tune, hy_model *model, hy_model *errors);

/* Percent of the steps that were measured at the distance that counts; *trip: its round trip, ns.
 */
double hy_tune_steady(const hy_tune *tune, double *trip);

/* The numbers of a model one by one, `index` from 0; false: there is no such one. bytes: of the
 * curve's point, 0: a scalar. */
typedef struct hy_tune_number {
    const char *name, *unit; /* "get", "ns" */
    uint64_t bytes;
    double value;
} hy_tune_number;
bool hy_tune_number_at(const hy_model *model, int index, hy_tune_number *number);

#endif
