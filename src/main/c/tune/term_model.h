/* SPDX-License-Identifier: Apache-2.0 */
/* The names of measured terms, and the model that their values make. */
#ifndef HY_TUNE_TERM_MODEL_H
#define HY_TUNE_TERM_MODEL_H

#include <stddef.h>

#include "measure/terms.h"

/* Writes the name of a term, such as "get 4096"; returns like snprintf. */
int hy_term_name(int term, char *text, size_t size);

/* Stores the values of all terms in a model, and derives terms from sums of terms (flight, the
 * latency of a network). NaN: not measured, the model keeps its value. */
void hy_term_model_fill(const double *values, hy_model *model);

#endif
