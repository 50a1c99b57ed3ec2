/* SPDX-License-Identifier: Apache-2.0 */
/* Drops values that were measured at another distance of the CPUs, and merges the passes. */
#include "tune/tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "tune/term_model.h"

#define LEAST 1   /* ns, or bytes in 1000 ns */
#define ALIKE 1.3 /* round trips at the same distance differ by less */
#define STEPS (HY_TUNE_PASSES * HY_TERMS)

struct hy_tune {
    hy_model before;
    double values[STEPS]; /* [pass][term], NaN: none */
    double trips[STEPS];  /* [pass][term], ns, NaN: the distance changed meanwhile */
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

#define NET_TERM(name_, kind_, term_, unit_) \
    { \
#name_ "_" #term_, unit_, offsetof(hy_model, nets[kind_].term_), false \
    }
#define NET(name_, kind_) \
    NET_TERM(name_, kind_, latency, "ns"), NET_TERM(name_, kind_, overhead, "ns"), \
        NET_TERM(name_, kind_, gap, "ns"), NET_TERM(name_, kind_, byte, "ns/B")

static const field fields[] = {
    SCALAR(signal, "ns"),
    SCALAR(flight, "ns"),
    SCALAR(take, "ns"),
    SCALAR(step, "ns"),
    SCALAR(turn, "ns"),
    SCALAR(start, "ns"),
    CURVE(payload_out),
    CURVE(payload_in),
    CURVE(copy),
    CURVE(put),
    CURVE(get),
    CURVE(single),
    CURVE(reduce),
    CURVE(reduce_get),
    SCALAR(bandwidth, "B/ns"),
    NET(tcp, HY_NET_TCP),
    NET(verbs, HY_NET_VERBS),
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
    return STEPS;
}

int hy_tune_open(const hy_model *before, hy_tune **result)
{
    hy_tune *tune = malloc(sizeof *tune);
    if (!tune) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to measure with");
    tune->before = *before;
    for (int i = 0; i < STEPS; i++) tune->values[i] = tune->trips[i] = NAN;
    *result = tune;
    return HAYATE_OK;
}

void hy_tune_close(hy_tune *tune)
{
    free(tune);
}

/* ---- adding ---- */

static bool alike(double a, double b)
{
    return a < ALIKE * b && b < ALIKE * a;
}

int hy_tune_add(hy_tune *tune, int step, double ns, double before, double after)
{
    if (step < 0 || step >= STEPS)
        return hy_fail(HAYATE_ERR_ARGUMENT, "step %d: expected 0 to %d", step, STEPS - 1);
    tune->values[step] = ns;
    if (alike(before, after)) tune->trips[step] = after;
    return HAYATE_OK;
}

/* ---- the result ---- */

static int tune_ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double middle(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, tune_ascending);
    return count ? values[count / 2] : NAN;
}

/* Of member 0; NAN if there are no two CPUs. */
static double usual_trip(const hy_tune *tune)
{
    double trips[STEPS];
    int count = 0;
    for (int i = 0; i < STEPS; i++)
        if (!isnan(tune->trips[i])) trips[count++] = tune->trips[i];
    return middle(trips, count);
}

double hy_tune_steady(const hy_tune *tune, double *trip)
{
    int steady = 0;
    *trip = usual_trip(tune);
    for (int i = 0; i < STEPS; i++) steady += alike(tune->trips[i], *trip);
    return isnan(*trip) ? 100 : 100.0 * steady / STEPS;
}

/* For a term that was never measured at the usual distance, all passes count. */
static int tune_collect(const hy_tune *tune, int term, double usual, double *values)
{
    int count = 0;
    for (int strict = 1; strict >= 0 && count == 0; strict--)
        for (int i = term; i < STEPS; i += HY_TERMS)
            if (!strict || alike(tune->trips[i], usual)) values[count++] = tune->values[i];
    return count;
}

void hy_tune_keep(hy_tune *tune, const hy_model *model)
{
    const hy_model here = tune->before;
    tune->before = *model;
    tune->before.cpus = here.cpus;
    tune->before.net = here.net;
}

/* A pass at the wrong distance gets the median of the others instead. */
static void fill_passes(const hy_tune *tune, hy_model *passes, double *values)
{
    double usual = usual_trip(tune), some[HY_TUNE_PASSES], sorted[HY_TUNE_PASSES];
    for (int term = 0; term < HY_TERMS; term++) {
        int count = tune_collect(tune, term, usual, some);
        memcpy(sorted, some, sizeof sorted);
        double median = middle(sorted, count);
        for (int i = 0; i < HY_TUNE_PASSES; i++)
            values[i * HY_TERMS + term] = i < count ? some[i] : median;
    }
    for (int i = 0; i < HY_TUNE_PASSES; i++) {
        passes[i] = tune->before;
        hy_term_model_fill(values + i * HY_TERMS, &passes[i]);
    }
}

static void merge(hy_model *passes, const field *field, int index, double *value, double *error)
{
    double all[HY_TUNE_PASSES];
    for (int i = 0; i < HY_TUNE_PASSES; i++) all[i] = number_of(&passes[i], field)[index];
    *value = middle(all, HY_TUNE_PASSES);
    *error = (all[HY_TUNE_PASSES - 1] - all[0]) / 2;
}

/* The nearest curve that does not fall (Ayer and others, 1955): neighbours in the wrong order are
 * replaced by their mean until there are none. */
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
    double values[STEPS];
    fill_passes(tune, passes, values);
    *model = passes[0]; /* for the members that are not times */
    for (int f = 0; f < FIELDS; f++) {
        double *numbers = number_of(model, &fields[f]);
        for (int i = 0; i < numbers_of(&fields[f]); i++)
            merge(passes, &fields[f], i, &numbers[i], &number_of(&spread, &fields[f])[i]);
        make_sane(&fields[f], numbers);
    }
    model->measured = true;
    if (errors) *errors = spread;
}
