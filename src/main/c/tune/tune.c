/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Repeats hy_measure_term() in HY_TUNE_PASSES passes, drops values that were measured at another
 * distance of the CPUs, and merges the passes into a model.
 */
#include "tune/tune.h"

#include <math.h>
#include <stdlib.h>

#define LEAST 1 /* ns, or bytes in 1000 ns */
#define TRIP_SECONDS 0.001
#define ALIKE 1.3 /* round trips at the same distance differ by less */

struct hy_tune {
    hy_measure *measure;
    int terms;
    hy_model before;
    double *values;  /* [pass][term], NaN: none */
    double *trips;   /* [pass][term], ns, NaN: the distance changed meanwhile */
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

static int partner(const hy_job *job)
{
    for (int rank = 1; rank < job->size; rank++)
        if (hy_job_node_of(job, rank) != hy_job_node_of(job, 0)) return rank;
    return 1;
}

int hy_tune_pair(hy_comms *comms, int *comm)
{
    const hy_job *job = comms->job;
    if (job->size < 2)
        return hy_fail(
            HAYATE_ERR_ARGUMENT,
            "a job of one rank: expected 2 or more, because terms are measured between two ranks");
    return hy_comm_create(comms, job->rank == 0 || job->rank == partner(job), comm);
}

int hy_tune_steps(void)
{
    return HY_TUNE_PASSES * hy_measure_terms();
}

static int take_memory(hy_tune *tune)
{
    size_t steps = (size_t)hy_tune_steps();
    tune->values = malloc(steps * sizeof *tune->values);
    tune->trips = malloc(steps * sizeof *tune->trips);
    tune->refusals = calloc((size_t)tune->terms, sizeof *tune->refusals);
    if (!tune->values || !tune->trips || !tune->refusals)
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to measure with");
    for (size_t i = 0; i < steps; i++) tune->values[i] = tune->trips[i] = NAN;
    return HAYATE_OK;
}

int hy_tune_open(hy_comms *comms, int comm, hy_tune **result)
{
    hy_tune *tune = calloc(1, sizeof *tune);
    if (!tune) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to measure with");
    tune->terms = hy_measure_terms();
    tune->before = comms->model;
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
    free(tune->trips);
    free(tune->values);
    free(tune);
}

/* ---- measuring ---- */

static int trip(hy_tune *tune, double *ns)
{
    double error;
    *ns = NAN;
    int rc = hy_measure_term(tune->measure, HY_MEASURE_TRIP, TRIP_SECONDS, ns, &error);
    return rc == HAYATE_ERR_UNSUPPORTED ? HAYATE_OK : rc;
}

static bool alike(double a, double b)
{
    return a < ALIKE * b && b < ALIKE * a;
}

static int measure(hy_tune *tune, int step, double seconds, double *value)
{
    double error, before, after;
    int rc = trip(tune, &before);
    if (!rc) rc = hy_measure_term(tune->measure, step % tune->terms, seconds, value, &error);
    if (!rc) rc = trip(tune, &after);
    if (!rc && alike(before, after)) tune->trips[step] = after;
    return rc;
}

int hy_tune_step(hy_tune *tune, int step, double seconds)
{
    if (step < 0 || step >= hy_tune_steps())
        return hy_fail(HAYATE_ERR_ARGUMENT, "step %d: expected 0 to %d", step, hy_tune_steps() - 1);
    int term = step % tune->terms;
    double value = NAN;
    int rc = measure(tune, step, seconds, &value);
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
    int steps = hy_tune_steps(), count = 0;
    double *trips = malloc((size_t)steps * sizeof *trips);
    for (int i = 0; trips && i < steps; i++)
        if (!isnan(tune->trips[i])) trips[count++] = tune->trips[i];
    double usual = trips ? middle(trips, count) : NAN;
    free(trips);
    return usual;
}

double hy_tune_steady(const hy_tune *tune, double *trip)
{
    int steps = hy_tune_steps(), steady = 0;
    *trip = usual_trip(tune);
    for (int i = 0; i < steps; i++) steady += alike(tune->trips[i], *trip);
    return isnan(*trip) ? 100 : 100.0 * steady / steps;
}

/* For a term that was never measured at the usual distance, all passes count. */
static int tune_collect(const hy_tune *tune, int term, double usual, double *values)
{
    int count = 0;
    for (int strict = 1; strict >= 0 && count == 0; strict--)
        for (int i = term; i < hy_tune_steps(); i += tune->terms)
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
    for (int term = 0; term < tune->terms; term++) {
        int count = tune_collect(tune, term, usual, some);
        memcpy(sorted, some, sizeof sorted);
        double median = middle(sorted, count);
        for (int i = 0; i < HY_TUNE_PASSES; i++)
            values[i * tune->terms + term] = i < count ? some[i] : median;
    }
    for (int i = 0; i < HY_TUNE_PASSES; i++) {
        passes[i] = tune->before;
        hy_measure_fill(values + i * tune->terms, &passes[i]);
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

int hy_tune_result(const hy_tune *tune, hy_model *model, hy_model *errors)
{
    hy_model passes[HY_TUNE_PASSES], spread = {0};
    double *values = malloc((size_t)hy_tune_steps() * sizeof *values);
    if (!values) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for the result");
    fill_passes(tune, passes, values);
    free(values);
    *model = passes[0]; /* for the members that are not times */
    for (int f = 0; f < FIELDS; f++) {
        double *numbers = number_of(model, &fields[f]);
        for (int i = 0; i < numbers_of(&fields[f]); i++)
            merge(passes, &fields[f], i, &numbers[i], &number_of(&spread, &fields[f])[i]);
        make_sane(&fields[f], numbers);
    }
    model->measured = true;
    if (errors) *errors = spread;
    return HAYATE_OK;
}
