/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes a model of terms that two ranks have measured (measure/measure.h) in several passes, so
 * that a moment of load on a shared machine does not decide. A value is the median of the passes,
 * its error half of their range.
 *
 * Terms from two distances of the CPUs together would fit neither: only values at the distance at
 * which the CPUs were most of the time count, by the round trips before and after each term.
 */
#ifndef HY_TUNE_TUNE_H
#define HY_TUNE_TUNE_H

#include "sched/model.h"

#define HY_TUNE_PASSES 5

typedef struct hy_tune hy_tune;

/* before: the values of terms that cannot be measured: those that the job uses. NO_MEMORY. */
int hy_tune_open(const hy_model *before, hy_tune **tune);
void hy_tune_close(hy_tune *tune);

int hy_tune_steps(void); /* of all passes: step s measures term s % HY_TERMS */

/* Adds what a step has measured, and the round trips before and after it; NaN: there is none. Not
 * called for a term that cannot be measured here. ARGUMENT. */
int hy_tune_add(hy_tune *tune, int step, double ns, double before, double after);

/* Terms that cannot be measured keep the values of `model`, for example of the file to which the
 * result is written. */
void hy_tune_keep(hy_tune *tune, const hy_model *model);

/* The result, corrected to be plausible: no term is zero, and no curve falls with size. Terms that
 * could not be measured have the values of hy_tune_keep(), and error 0. errors: NULL if not wanted.
 */
void hy_tune_result(const hy_tune *tune, hy_model *model, hy_model *errors);

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
