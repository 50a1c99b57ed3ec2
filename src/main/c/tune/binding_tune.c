/* SPDX-License-Identifier: Apache-2.0 */
/* `hayate tune`, for JNA: the model of what was measured, and the tuning file. A tune is
 * represented by its address; results below 0 are error codes. A text is valid until the next one
 * is requested: the command line uses one thread. */
#include <stdio.h>
#include <unistd.h>

#include "base/status.h"
#include "choose/tuning.h"
#include "tune/term_model.h"
#include "tune/tune.h"

static char text[4096];

/* Whether standard error is a terminal. */
HAYATE_API int hayate_binding_tune_terminal(void)
{
    return isatty(STDERR_FILENO) == 1;
}

/* NULL: there is none, see the error; empty: no file is used. */
HAYATE_API const char *hayate_binding_tune_path(void)
{
    return hy_tuning_path(text, sizeof text) ? NULL : text;
}

HAYATE_API const char *hayate_binding_tune_machine(void)
{
    hy_tuning_machine(text, sizeof text);
    return text;
}

/* model: that the job uses. */
HAYATE_API int64_t hayate_binding_tune_open(const hy_model *model)
{
    hy_tune *tune = NULL;
    int rc = hy_tune_open(model, &tune);
    return rc ? rc : (int64_t)(intptr_t)tune;
}

HAYATE_API void hayate_binding_tune_close(hy_tune *tune)
{
    hy_tune_close(tune);
}

HAYATE_API int hayate_binding_tune_steps(void)
{
    return hy_tune_steps();
}

HAYATE_API int hayate_binding_tune_add(hy_tune *tune, int step, double ns, double before,
                                       double after)
{
    return hy_tune_add(tune, step, ns, before, after);
}

/* NULL if there is none. */
HAYATE_API const char *hayate_binding_tune_term(int term)
{
    if (term < 0 || term >= HY_TERMS) return NULL;
    hy_term_name(term, text, sizeof text);
    return text;
}

/* Terms that were not measured keep the values of the existing file, if there is one. */
static void result_for(hy_tune *tune, const char *path, hy_model *model, hy_model *errors)
{
    hy_model old;
    if (path && hy_tuning_load(path, 0, &old) == HAYATE_OK) hy_tune_keep(tune, &old);
    hy_tune_result(tune, model, errors);
}

/* Name and unit of a number of the model; NULL if there is none. result: bytes of its point on a
 * curve or 0, value, error, and its value in the file `before` (NULL or not readable: the
 * default). */
HAYATE_API const char *hayate_binding_tune_number(hy_tune *tune, int index, const char *before,
                                                  double *result)
{
    hy_model model, errors, old = hy_model_default(0);
    hy_tune_number value, error, earlier;
    result_for(tune, before, &model, &errors);
    if (before && hy_tuning_load(before, model.cpus, &old)) old = hy_model_default(model.cpus);
    if (!hy_tune_number_at(&model, index, &value) || !hy_tune_number_at(&errors, index, &error) ||
        !hy_tune_number_at(&old, index, &earlier))
        return NULL;
    result[0] = (double)value.bytes;
    result[1] = value.value;
    result[2] = error.value;
    result[3] = earlier.value;
    snprintf(text, sizeof text, "%s\t%s", value.name, value.unit);
    return text;
}

/* The percentage of the steps at the usual distance of the CPUs; *trip: its round trip in ns. */
HAYATE_API double hayate_binding_tune_steady(const hy_tune *tune, double *trip)
{
    return hy_tune_steady(tune, trip);
}

/* Whether there is a tuning file for this machine. */
HAYATE_API int hayate_binding_tune_load(const char *path)
{
    hy_model model;
    return hy_tuning_load(path, 0, &model);
}

HAYATE_API int hayate_binding_tune_store(hy_tune *tune, const char *path)
{
    hy_model model, errors;
    result_for(tune, path, &model, &errors);
    return hy_tuning_store(path, &model, &errors);
}
