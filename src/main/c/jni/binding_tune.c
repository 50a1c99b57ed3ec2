/* SPDX-License-Identifier: Apache-2.0 */
/* `hayate tune`, for JNA. A tune and a trial are represented by addresses; results below 0 are
 * error codes. A text is valid until the next one is requested: the command line uses one
 * thread. */
#include <stdio.h>
#include <unistd.h>

#include "choose/tuning.h"
#include "fmpl/fmpl.h"
#include "pcoll/trial.h"
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

/* The number of CPUs that all ranks of the job share. */
HAYATE_API int hayate_binding_tune_cpus(const hy_fmpl *fmpl)
{
    return fmpl->comms->model.cpus;
}

/* ---- terms ---- */

/* 0 on ranks that do not take part. */
HAYATE_API int64_t hayate_binding_tune_open(hy_fmpl *fmpl)
{
    hy_tune *tune = NULL;
    int comm, rc = hy_tune_pair(fmpl->comms, &comm);
    if (!rc && comm != FMPL_COMM_NULL) rc = hy_tune_open(fmpl->comms, comm, &tune);
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

HAYATE_API int hayate_binding_tune_step(hy_tune *tune, int step, double seconds)
{
    return hy_tune_step(tune, step, seconds);
}

/* NULL if there is none. */
HAYATE_API const char *hayate_binding_tune_term(int term)
{
    if (term < 0 || term >= hy_measure_terms()) return NULL;
    hy_measure_name(term, text, sizeof text);
    return text;
}

/* Why the term could not be measured, or NULL. */
HAYATE_API const char *hayate_binding_tune_refused(const hy_tune *tune, int term)
{
    return hy_tune_refused(tune, term);
}

/* Terms that were not measured keep the values of the existing file, if there is one. */
static int result_for(hy_tune *tune, const char *path, hy_model *model, hy_model *errors)
{
    hy_model old;
    if (path && hy_tuning_load(path, 0, &old) == HAYATE_OK) hy_tune_keep(tune, &old);
    return hy_tune_result(tune, model, errors);
}

/* Name and unit of a number of the model; NULL if there is none. result: bytes of its point on a
 * curve or 0, value, error, and its value in the file `before` (NULL or not readable: the
 * default). */
HAYATE_API const char *hayate_binding_tune_number(hy_tune *tune, int index, const char *before,
                                                  double *result)
{
    hy_model model, errors, old = hy_model_default(0);
    hy_tune_number value, error, earlier;
    if (result_for(tune, before, &model, &errors)) return NULL;
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
    int rc = result_for(tune, path, &model, &errors);
    return rc ? rc : hy_tuning_store(path, &model, &errors);
}

/* ---- trials ---- */

HAYATE_API int64_t hayate_binding_trial_open(hy_fmpl *fmpl, const char *name, int64_t bytes,
                                             int fresh)
{
    hy_coll coll;
    hy_trial *trial = NULL;
    if (!hy_coll_find(name, &coll) || bytes < 0)
        return hy_fail(HAYATE_ERR_ARGUMENT, "%s of %lld B: there is no such collective", name,
                       (long long)bytes);
    int rc = hy_trial_open(fmpl->comms, FMPL_COMM_WORLD, coll, (uint64_t)bytes, fresh != 0, &trial);
    return rc ? rc : (int64_t)(intptr_t)trial;
}

HAYATE_API void hayate_binding_trial_close(hy_trial *trial)
{
    hy_trial_close(trial);
}

HAYATE_API int hayate_binding_trial_count(const hy_trial *trial)
{
    return hy_trial_count(trial);
}

/* The index of the chosen candidate for a hy_transfer; -1: none. */
HAYATE_API int hayate_binding_trial_chosen(const hy_trial *trial, int transfer)
{
    if (transfer < HY_TRANSFER_AUTO || transfer > HY_TRANSFER_GET) return -1;
    return hy_trial_chosen(trial, (hy_transfer)transfer);
}

/* Collective: the chosen ones are those by measurement from now on. */
HAYATE_API int hayate_binding_trial_measure(hy_trial *trial)
{
    return hy_trial_choose_by_measurement(trial);
}

/* The candidate's options; *predicted: ns. NULL: there is no such candidate. */
HAYATE_API const char *hayate_binding_trial_candidate(const hy_trial *trial, int index,
                                                      double *predicted)
{
    if (index < 0 || index >= hy_trial_count(trial)) return NULL;
    *predicted = hy_trial_candidate(trial, index)->ns;
    hy_trial_options(trial, index, text, sizeof text);
    return text;
}

/* result: ns of a run, and seconds by rank 0's clock. */
HAYATE_API int hayate_binding_trial_run(hy_trial *trial, int index, int warm, int batches, int runs,
                                        double *result)
{
    hy_trial_time time = {0};
    if (warm < 0 || batches < 1 || runs < 1)
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "%d warm-up runs, %d batches of %d runs: expected at least 0, 1 and 1", warm,
                       batches, runs);
    int rc = hy_trial_run(trial, index, (uint32_t)warm, (uint32_t)batches, (uint32_t)runs, &time);
    result[0] = time.ns;
    result[1] = time.clock;
    return rc;
}
