/* SPDX-License-Identifier: Apache-2.0 */
/* The trials of `hayate tune --check`, for JNA. A trial is represented by its address; results
 * below 0 are error codes. A text is valid until the next one is requested: the command line uses
 * one thread. */
#include "fmpl/fmpl.h"
#include "pcoll/trial.h"

static char text[160];

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
