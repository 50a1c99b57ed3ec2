/* SPDX-License-Identifier: Apache-2.0 */
/* The terms of the model, measured for real: by 2 ranks. Run by measure_test.c. */
#include <math.h>
#include <sched.h>

#include "fmpl/scenario.h"
#include "measure/measure.h"
#include "tune/term_model.h"
#include "tune/tune.h"

#define BRIEF 0.001

/* ---- terms ---- */

SCENARIO_AS("two", should_refuse_any_number_of_ranks_but_two)
{
    hy_measure *measure = NULL;
    if (size == 2) return;
    CHECK(hy_measure_open(hy_process_comms(), FMPL_COMM_WORLD, &measure) == HAYATE_ERR_ARGUMENT);
    CHECK(strstr(hayate_error(), "expected 2"));
    CHECK(!measure);
}

/* Of three or more ranks the others have no part. */
SCENARIO_AS("pair", should_find_the_two_that_measure)
{
    const hy_job *job = hy_process_comms()->job;
    int comm, ier, other = 1, count = 0;
    while (hy_job_nodes(job) > 1 && hy_job_node_of(job, other) == hy_job_node_of(job, 0)) other++;
    CHECK(hy_measure_pair(hy_process_comms(), &comm) == HAYATE_OK);
    CHECK((comm != FMPL_COMM_NULL) == (rank == 0 || rank == other));
    if (comm == FMPL_COMM_NULL) return;
    fmpl_comm_size(comm, &count, &ier);
    CHECK(count == 2);
    CHECK(hy_comm_free(hy_process_comms(), comm) == HAYATE_OK);
}

SCENARIO_AS("terms", should_measure_each_term_or_say_why_not)
{
    hy_measure *measure;
    char name[40];
    if (size != 2) return;
    CHECK(hy_measure_open(hy_process_comms(), FMPL_COMM_WORLD, &measure) == HAYATE_OK);
    for (int term = 0; term < HY_TERMS; term++) {
        double ns = NAN;
        int rc = hy_measure_term(measure, term, BRIEF, &ns);
        CHECK(hy_term_name(term, name, sizeof name) > 0);
        CHECK(rc == HAYATE_OK || rc == HAYATE_ERR_UNSUPPORTED);
        if (rc) CHECK(isnan(ns) && hayate_error()[0] != '\0');
        else if (rank == 0) CHECK(isfinite(ns) && ns >= 0 && ns < 1e9);
    }
    double ns;
    CHECK(hy_measure_term(measure, HY_TERMS, BRIEF, &ns) == HAYATE_ERR_ARGUMENT);
    CHECK(hy_measure_term(measure, -1, BRIEF, &ns) == HAYATE_ERR_ARGUMENT);
    hy_measure_close(measure);
}

/* The network's between nodes, and no others. */
SCENARIO_AS("net", should_measure_the_network_between_nodes_only)
{
    hy_measure *measure;
    char name[40];
    bool far = hy_job_nodes(hy_process_comms()->job) == 2;
    if (size != 2) return;
    CHECK(hy_measure_open(hy_process_comms(), FMPL_COMM_WORLD, &measure) == HAYATE_OK);
    for (int term = 0; term < HY_TERMS; term++) {
        double ns;
        hy_term_name(term, name, sizeof name);
        bool net = strncmp(name, "net ", 4) == 0;
        if (!net && !far) continue;
        int rc = hy_measure_term(measure, term, BRIEF, &ns);
        if (net) CHECK(far == (rc == HAYATE_OK));
        else if (far) CHECK(rc == HAYATE_ERR_UNSUPPORTED);
        if (net && far && rank == 0) CHECK(ns >= 0 && ns < 1e9);
    }
    hy_measure_close(measure);
}

/* What is made of a network's values, ns. */
static hy_net_model filled(double signal, double trip, double stream, double byte)
{
    double values[HY_TERMS];
    hy_model model = hy_model_default(2);
    for (int term = 0; term < HY_TERMS; term++) values[term] = NAN;
    values[HY_TERM_NET_SIGNAL] = signal, values[HY_TERM_NET_TRIP] = trip;
    values[HY_TERM_NET_STREAM] = stream, values[HY_TERM_NET_BYTE] = byte;
    model.net = HY_NET_VERBS;
    const hy_net_model tcp = model.nets[HY_NET_TCP];
    hy_term_model_fill(values, &model);
    CHECK(memcmp(&tcp, &model.nets[HY_NET_TCP], sizeof tcp) == 0);
    return *hy_model_net(&model);
}

SCENARIO_AS("place", should_put_the_terms_of_a_network_in_its_place)
{
    const hy_net_model net = filled(100, 3000, 300, 0.5);
    CHECK(net.overhead == 100 && net.gap == 300 && net.byte == 0.5);
    CHECK(net.latency == 3000 / 2 - 2 * 100);
}

/* Over loopback a message is the work of processors, most of it its sender's. */
SCENARIO_AS("busy", should_keep_the_trip_of_a_network_that_is_busy_processors)
{
    hy_net_model net = filled(400, 2000, 700, 0.5); /* not 400 + 700 + 400 in half a trip */
    CHECK(net.overhead == 400 && net.gap == 700 && net.latency == 1000 - 2 * 400);
    net = filled(800, 2000, 900, 0.5);
    CHECK(net.overhead == 500 && net.gap == 900 && net.latency == 0);
    net = filled(300, 2000, 5000, 0.5); /* a bad moment */
    CHECK(net.overhead == 300 && net.gap == 1000 && net.latency == 400);
}

SCENARIO_AS("fill", should_leave_alone_what_was_not_measured)
{
    double values[HY_TERMS];
    for (int i = 0; i < HY_TERMS; i++) values[i] = NAN;
    hy_model model = hy_model_default(2), before = model;
    hy_term_model_fill(values, &model);
    model.cached = before.cached;
    CHECK(memcmp(&model, &before, sizeof model) == 0);
}

/* ---- all of them ---- */

static void check_sane(const hy_tune *tune)
{
    hy_model model, errors;
    hy_tune_number now, error, last = {.name = ""};
    hy_tune_result(tune, &model, &errors);
    CHECK(model.measured);
    int count = 0;
    for (; hy_tune_number_at(&model, count, &now); count++) {
        CHECK(now.value > 0 && now.value < 1e9);
        CHECK(hy_tune_number_at(&errors, count, &error) && error.value >= 0 && error.value < 1e9);
        if (now.bytes && strcmp(now.name, last.name) == 0)
            CHECK(now.bytes > last.bytes && now.value >= last.value);
        last = now;
    }
    CHECK(count == 7 + 8 * HY_CURVE_POINTS + 4 * HY_NETS);
    CHECK(!hy_tune_number_at(&model, -1, &now));
}

/* Between nodes all but their network, on one node all networks; but not what this job is like. */
static void check_kept(hy_tune *tune)
{
    const hy_comms *comms = hy_process_comms();
    bool far = hy_job_nodes(comms->job) == 2;
    hy_model model, known = hy_model_default(comms->model.cpus + 1);
    known.signal = 12345;
    known.nets[HY_NET_VERBS].latency = known.nets[HY_NET_TCP].latency = 54321;
    known.net = HY_NET_VERBS;
    hy_tune_keep(tune, &known);
    hy_tune_result(tune, &model, NULL);
    CHECK(model.nets[HY_NET_VERBS].latency == 54321 && model.net == HY_NET_TCP);
    CHECK((model.nets[HY_NET_TCP].latency == 54321) == !far);
    if (far) CHECK(model.signal == 12345);
    CHECK(model.cpus == comms->model.cpus);
}

SCENARIO_AS("model", should_make_a_sane_model_of_all_passes)
{
    hy_measure *measure;
    hy_tune *tune;
    hy_measured seen;
    double trip;
    if (size != 2) return;
    CHECK(hy_measure_open(hy_process_comms(), FMPL_COMM_WORLD, &measure) == HAYATE_OK);
    CHECK(hy_tune_open(&hy_process_comms()->model, &tune) == HAYATE_OK);
    for (int step = 0; step < hy_tune_steps(); step++) {
        int rc = hy_measure_step(measure, step % HY_TERMS, BRIEF, &seen);
        CHECK(rc == HAYATE_OK || rc == HAYATE_ERR_UNSUPPORTED);
        if (!rc) CHECK(hy_tune_add(tune, step, seen.ns, seen.before, seen.after) == HAYATE_OK);
    }
    CHECK(hy_tune_add(tune, hy_tune_steps(), 1, 1, 1) == HAYATE_ERR_ARGUMENT);
    if (rank == 0) check_sane(tune);
    if (rank == 0) check_kept(tune);
    if (rank == 0) CHECK(hy_tune_steady(tune, &trip) > 0);
    hy_tune_close(tune);
    hy_measure_close(measure);
}

/* ---- one CPU ---- */

SCENARIO_AS("one_cpu", should_keep_defaults_where_both_share_a_cpu)
{
    cpu_set_t before, one;
    hy_measure *measure;
    double ns;
    if (size != 2) return;
    CHECK(sched_getaffinity(0, sizeof before, &before) == 0);
    CPU_ZERO(&one);
    CPU_SET(0, &one);
    bool bound = sched_setaffinity(0, sizeof one, &one) == 0;
    CHECK(hy_measure_open(hy_process_comms(), FMPL_COMM_WORLD, &measure) == HAYATE_OK);
    int rc = hy_measure_term(measure, HY_TERM_TRIP, BRIEF, &ns);
    if (bound) CHECK(rc == HAYATE_ERR_UNSUPPORTED);
    if (bound && hy_job_nodes(hy_process_comms()->job) == 1)
        CHECK(strstr(hayate_error(), "only one CPU"));
    hy_measure_close(measure);
    if (bound) CHECK(sched_setaffinity(0, sizeof before, &before) == 0);
}

int main(int argc, char **argv)
{
    return ranks_run_scenarios(2, argc, argv);
}
