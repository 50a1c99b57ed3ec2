/* SPDX-License-Identifier: Apache-2.0 */
#include "pcoll/tune.h"

#include <math.h>
#include <stdlib.h>

#define LEAST 1 /* ns, or bytes in 1000 ns */

struct hy_tune {
    hy_measure *measure;
    int terms, cpus;
    double *values;  /* [pass][term], NaN: none */
    char **refusals; /* [term] */
};

/* ---- the numbers of a model ---- */

typedef struct field {
    const char *name, *unit;
    size_t offset;
    bool curve;
} field;

#define SCALAR(name_, unit_) \
    { \
#name_, unit_, offsetof(hy_model, name_), false \
    }
#define CURVE(name_) \
    { \
#name_, "ns", offsetof(hy_model, name_), true \
    }

static const field fields[] = {
    SCALAR(signal, "ns"), SCALAR(flight, "ns"), SCALAR(take, "ns"),
    SCALAR(step, "ns"),   SCALAR(turn, "ns"),   SCALAR(start, "ns"),
    CURVE(payload_out),   CURVE(payload_in),    CURVE(copy),
    CURVE(put),           CURVE(get),           CURVE(single),
    CURVE(reduce),        CURVE(reduce_get),    SCALAR(bandwidth, "B/ns"),
};

#define FIELDS ((int)(sizeof fields / sizeof fields[0]))

static double *number_of(hy_model *model, const field *field)
{
    return (double *)(void *)((char *)model + field->offset);
}

static int numbers_of(const field *field)
{
    return field->curve ? HY_CURVE_POINTS : 1;
}

bool hy_tune_number_at(const hy_model *model, int index, hy_tune_number *number)
{
    for (int i = 0; i < FIELDS && index >= 0; index -= numbers_of(&fields[i++])) {
        const field *f = &fields[i];
        if (index >= numbers_of(f)) continue;
        const char *at = (const char *)model + f->offset;
        *number = (hy_tune_number){.name = f->name,
                                   .unit = f->unit,
                                   .bytes = f->curve ? hy_curve_bytes[index] : 0,
                                   .value = ((const double *)(const void *)at)[index]};
        return true;
    }
    return false;
}

/* ---- open and close ---- */

int hy_tune_steps(void)
{
    return HY_TUNE_PASSES * hy_measure_terms();
}

static int take_memory(hy_tune *tune)
{
    size_t steps = (size_t)hy_tune_steps();
    tune->values = malloc(steps * sizeof *tune->values);
    tune->refusals = calloc((size_t)tune->terms, sizeof *tune->refusals);
    if (!tune->values || !tune->refusals)
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to measure with");
    for (size_t i = 0; i < steps; i++) tune->values[i] = NAN;
    return HAYATE_OK;
}

int hy_tune_open(hy_comms *comms, int comm, hy_tune **result)
{
    hy_tune *tune = calloc(1, sizeof *tune);
    if (!tune) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to measure with");
    tune->terms = hy_measure_terms();
    tune->cpus = comms->model.cpus;
    int rc = take_memory(tune);
    if (!rc) rc = hy_measure_open(comms, comm, &tune->measure);
    if (rc) hy_tune_close(tune);
    else *result = tune;
    return rc;
}

void hy_tune_close(hy_tune *tune)
{
    if (tune->measure) hy_measure_close(tune->measure);
    for (int i = 0; tune->refusals && i < tune->terms; i++) free(tune->refusals[i]);
    free(tune->refusals);
    free(tune->values);
    free(tune);
}

/* ---- measuring ---- */

int hy_tune_step(hy_tune *tune, int step, double seconds)
{
    if (step < 0 || step >= hy_tune_steps())
        return hy_fail(HAYATE_ERR_ARGUMENT, "step %d: expected 0 to %d", step, hy_tune_steps() - 1);
    int term = step % tune->terms;
    double value = NAN, error;
    int rc = hy_measure_term(tune->measure, term, seconds, &value, &error);
    if (rc == HAYATE_OK) tune->values[step] = value;
    if (rc != HAYATE_ERR_UNSUPPORTED) return rc;
    if (!tune->refusals[term]) tune->refusals[term] = strdup(hayate_error());
    return HAYATE_OK;
}

const char *hy_tune_refused(const hy_tune *tune, int term)
{
    return term >= 0 && term < tune->terms ? tune->refusals[term] : NULL;
}

/* ---- the result ---- */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void merge(hy_model *passes, const field *field, int index, double *value, double *error)
{
    double all[HY_TUNE_PASSES];
    for (int i = 0; i < HY_TUNE_PASSES; i++) all[i] = number_of(&passes[i], field)[index];
    qsort(all, HY_TUNE_PASSES, sizeof *all, ascending);
    *value = all[HY_TUNE_PASSES / 2];
    *error = (all[HY_TUNE_PASSES - 1] - all[0]) / 2;
}

/* The nearest curve that does not fall (Ayer and others, 1955): neighbours in the wrong order are
 * replaced by their mean, until there are none. */
static void never_fall(double *ns, int count)
{
    double mean[HY_CURVE_POINTS];
    int length[HY_CURVE_POINTS], pools = 0;
    for (int i = 0; i < count; i++) {
        mean[pools] = ns[i];
        length[pools++] = 1;
        for (; pools > 1 && mean[pools - 2] > mean[pools - 1]; pools--) {
            int both = length[pools - 2] + length[pools - 1];
            mean[pools - 2] = (mean[pools - 2] * length[pools - 2] +
                               mean[pools - 1] * length[pools - 1]) /
                              both;
            length[pools - 2] = both;
        }
    }
    for (int pool = 0, i = 0; pool < pools; pool++)
        for (int j = 0; j < length[pool]; j++) ns[i++] = mean[pool];
}

static void make_sane(const field *field, double *numbers)
{
    double least = strcmp(field->unit, "ns") == 0 ? LEAST : LEAST / 1000.0;
    for (int i = 0; i < numbers_of(field); i++)
        if (!(numbers[i] >= least)) numbers[i] = least;
    if (field->curve) never_fall(numbers, HY_CURVE_POINTS);
}

void hy_tune_result(const hy_tune *tune, hy_model *model, hy_model *errors)
{
    hy_model passes[HY_TUNE_PASSES], spread = {0};
    for (int i = 0; i < HY_TUNE_PASSES; i++) {
        passes[i] = hy_model_default(tune->cpus);
        hy_measure_fill(tune->values + (size_t)i * (size_t)tune->terms, &passes[i]);
    }
    *model = passes[0]; /* what is not a time */
    for (int f = 0; f < FIELDS; f++) {
        double *numbers = number_of(model, &fields[f]);
        for (int i = 0; i < numbers_of(&fields[f]); i++)
            merge(passes, &fields[f], i, &numbers[i], &number_of(&spread, &fields[f])[i]);
        make_sane(&fields[f], numbers);
    }
    model->measured = true;
    if (errors) *errors = spread;
}
