/* SPDX-License-Identifier: Apache-2.0 */
/* Names, and what is derived from the values. */
#include "tune/term_model.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

int hy_term_name(int term, char *text, size_t size)
{
    static const char *const scalars[HY_TERM_SCALARS] = {
        "signal",    "round trip", "take",           "step",       "turn",     "barrier",
        "bandwidth", "net signal", "net round trip", "net stream", "net byte",
    };
    static const char *const curves[HY_TERM_CURVES] = {
        "payload_out", "payload_in", "copy", "put", "get", "single", "reduce", "reduce_get",
    };
    if (term < HY_TERM_SCALARS) return snprintf(text, size, "%s", scalars[term]);
    int point = term - HY_TERM_SCALARS;
    return snprintf(text, size, "%s %llu", curves[point / HY_CURVE_POINTS],
                    (unsigned long long)hy_curve_bytes[point % HY_CURVE_POINTS]);
}

/* A one-way trip is o + L + o, half of the round trip, whatever the parts are; the NIC's time is a
 * part of L. If a message costs its sender more than half of the one-way time, its receiver has
 * less to do: o is the mean of both. The messages of one rank do not separate the NIC's time from
 * the rank's own: the longer of both counts for both, but no more than a one-way trip, because
 * consecutive messages cannot be slower than messages that are answered one by one. */
static void fill_net(const double *values, hy_net_model *net)
{
    double way = values[HY_TERM_NET_TRIP] / 2, own = values[HY_TERM_NET_SIGNAL];
    net->overhead = fmin(own, way / 2);
    net->gap = fmin(fmax(values[HY_TERM_NET_STREAM], own), way);
    net->byte = values[HY_TERM_NET_BYTE];
    net->latency = way - 2 * net->overhead;
}

static void take_value(double value, double *place)
{
    if (!isnan(value)) *place = value;
}

void hy_term_model_fill(const double *values, hy_model *model)
{
    hy_curve *const places[HY_TERM_CURVES] = {
        &model->payload_out, &model->payload_in, &model->copy,   &model->put,
        &model->get,         &model->single,     &model->reduce, &model->reduce_get};
    take_value(values[HY_TERM_SIGNAL], &model->signal);
    take_value(values[HY_TERM_TAKE], &model->take);
    take_value(values[HY_TERM_STEP], &model->step);
    take_value(values[HY_TERM_TURN], &model->turn);
    take_value(values[HY_TERM_BANDWIDTH], &model->bandwidth);
    if (!isnan(values[HY_TERM_NET_SIGNAL])) fill_net(values, &model->nets[model->net]);
    /* The rest of a one-way trip; at least 1, because the parts may overlap. */
    double flight = values[HY_TERM_TRIP] / 2 - model->signal - model->take;
    take_value(flight < 1 ? 1 : flight, &model->flight);
    double start = values[HY_TERM_BARRIER] - model->signal - model->flight - model->take;
    take_value(start < 1 ? 1 : start, &model->start);
    for (int i = 0; i < HY_TERM_CURVES * HY_CURVE_POINTS; i++)
        take_value(values[HY_TERM_SCALARS + i],
                   &places[i / HY_CURVE_POINTS]->ns[i % HY_CURVE_POINTS]);
    long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
    if (cache > 0) model->cached = (uint64_t)cache;
}
