/* SPDX-License-Identifier: Apache-2.0 */
#include "harness.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "lines.h"
#include "samples.h"

#define MAX_SIZES 64
#define BATCH_NS 100000u
#define MIN_SAMPLES 5
#define MAX_BATCH (1 << 20)
#define BLOCKED_SECONDS 5
#define WORK_SAMPLES 20

/* One case under measurement. `plan` lies in the library's memory: rank 0 tells the others through
 * it how many calls come next, outside the timed part; 0 ends the case. */
struct run {
    const struct bench_library *library;
    const char *bench;
    size_t bytes;
    int rank, size;
    uint64_t budget_ns;
    uint64_t turn; /* counts the calls, so that each has other data; the same on all ranks */
    int stale;
    int *plan;
    unsigned char *in, *out;
    void (*call)(struct run *run, int iteration);
    void (*check)(struct run *run);
};

struct bench_kind {
    const char *name;
    int calls_per_operation; /* a ping-pong iteration is two messages */
    void (*call)(struct run *run, int iteration);
    void (*check)(struct run *run);
};

static void complain(struct run *run, const char *what)
{
    fprintf(stderr, "%s: %s of %zu bytes: rank %d has wrong data after %s\n", run->library->impl,
            run->bench, run->bytes, run->rank, what);
    run->library->abort();
    _Exit(1);
}

static void fill(unsigned char *data, size_t bytes, int seed)
{
    for (size_t i = 0; i < bytes; i++) data[i] = (unsigned char)(i * 7 + (i >> 8) + (size_t)seed);
}

static int filled(const unsigned char *data, size_t bytes, int seed)
{
    for (size_t i = 0; i < bytes; i++)
        if (data[i] != (unsigned char)(i * 7 + (i >> 8) + (size_t)seed)) return 0;
    return 1;
}

static void write_data(struct run *run, void *data)
{
    if (!run->stale) lines_write(data, run->bytes, run->turn);
}

static void read_data(struct run *run, const void *data, int times)
{
    if (!run->stale && lines_read(data, run->bytes, run->turn, times) != 0)
        complain(run, "a measured call");
}

static void send_and_receive(struct run *run)
{
    run->library->send(run->out, run->bytes, 1 - run->rank);
    run->library->recv(run->in, run->bytes, 1 - run->rank);
}

static void receive_and_send(struct run *run)
{
    run->library->recv(run->in, run->bytes, 1 - run->rank);
    run->library->send(run->out, run->bytes, 1 - run->rank);
}

static void call_pingpong(struct run *run, int iteration)
{
    (void)iteration;
    if (run->rank == 0) {
        write_data(run, run->out);
        send_and_receive(run);
        read_data(run, run->in, 1);
    } else if (run->rank == 1) {
        run->library->recv(run->in, run->bytes, 0);
        read_data(run, run->in, 1);
        write_data(run, run->out);
        run->library->send(run->out, run->bytes, 0);
    }
}

static void check_pingpong(struct run *run)
{
    fill(run->out, run->bytes, run->rank);
    memset(run->in, 0xee, run->bytes);
    if (run->rank == 0) send_and_receive(run);
    else if (run->rank == 1) receive_and_send(run);
    if (run->rank < 2 && !filled(run->in, run->bytes, 1 - run->rank)) complain(run, "the message");
}

static void call_bcast(struct run *run, int iteration)
{
    int root = iteration % run->size;

    if (run->rank == root) write_data(run, run->in);
    run->library->bcast(run->in, run->bytes, root);
    if (run->rank != root) read_data(run, run->in, 1);
}

static void check_bcast(struct run *run)
{
    for (int root = 0; root < run->size; root++) {
        fill(run->in, run->bytes, run->rank);
        run->library->bcast(run->in, run->bytes, root);
        if (!filled(run->in, run->bytes, root)) complain(run, "the broadcast");
    }
}

static void call_reduce(struct run *run, int iteration)
{
    int root = iteration % run->size;
    double *result;

    write_data(run, run->in);
    result = run->library->reduce((double *)run->in, (double *)run->out,
                                  run->bytes / sizeof(double), root);
    if (run->rank == root) read_data(run, result, run->size);
}

static void call_allreduce(struct run *run, int iteration)
{
    double *result;

    (void)iteration;
    write_data(run, run->in);
    result = run->library->allreduce((double *)run->in, (double *)run->out,
                                     run->bytes / sizeof(double));
    read_data(run, result, run->size);
}

static void set_terms(struct run *run)
{
    double *in = (double *)run->in;

    for (size_t i = 0; i < run->bytes / sizeof *in; i++) in[i] = run->rank + 1 + (double)(i % 7);
}

static void check_sum(struct run *run, const double *result, const char *what)
{
    double ranks = run->size;

    for (size_t i = 0; i < run->bytes / sizeof *result; i++)
        if (result[i] != ranks * (ranks + 1) / 2 + ranks * (double)(i % 7)) complain(run, what);
}

static void check_reduce(struct run *run)
{
    for (int root = 0; root < run->size; root++) {
        set_terms(run);
        double *result = run->library->reduce((double *)run->in, (double *)run->out,
                                              run->bytes / sizeof(double), root);
        if (run->rank == root) check_sum(run, result, "the reduction");
    }
}

static void check_allreduce(struct run *run)
{
    set_terms(run);
    check_sum(
        run,
        run->library->allreduce((double *)run->in, (double *)run->out, run->bytes / sizeof(double)),
        "the reduction");
}

static void call_barrier(struct run *run, int iteration)
{
    (void)iteration;
    run->library->barrier();
}

static void check_barrier(struct run *run)
{
    run->library->barrier();
}

static const struct bench_kind kinds[] = {
    {"pingpong", 2, call_pingpong, check_pingpong},
    {"bcast", 1, call_bcast, check_bcast},
    {"reduce", 1, call_reduce, check_reduce},
    {"allreduce", 1, call_allreduce, check_allreduce},
    {"barrier", 1, call_barrier, check_barrier},
};

/* Rank 0 announces `calls`; all start together. Returns the elapsed time on this rank. */
static uint64_t run_batch(struct run *run, int calls)
{
    uint64_t start;

    *run->plan = calls;
    run->library->bcast(run->plan, sizeof *run->plan, 0);
    calls = *run->plan;
    run->library->barrier();
    start = samples_now_ns();
    for (int i = 0; i < calls; i++, run->turn++) run->call(run, i);
    return samples_now_ns() - start;
}

/* Rank 0: doubles the batch until it takes BATCH_NS, warming up on the way and for a fifth of the
 * budget after. Returns the batch. */
static int warm_up(struct run *run)
{
    uint64_t begin = samples_now_ns();
    int batch = 1;

    while (run_batch(run, batch) < BATCH_NS && batch < MAX_BATCH) batch *= 2;
    while (samples_now_ns() - begin < run->budget_ns / 5)
        if (run_batch(run, batch) < BATCH_NS && batch < MAX_BATCH) batch *= 2;
    return batch;
}

/* The shortest time in which this rank writes and reads the data of a call, in us. */
static double work_us(struct run *run, int batch)
{
    static struct samples alone;

    alone.count = 0;
    for (int i = 0; i < WORK_SAMPLES && !run->stale; i++) {
        uint64_t start = samples_now_ns();

        for (int k = 0; k < batch; k++) {
            write_data(run, run->out);
            read_data(run, run->out, 1);
        }
        samples_add(&alone, samples_now_ns() - start, batch);
    }
    return samples_percentile(&alone, 0.0);
}

static void measure(struct run *run, const struct bench_kind *kind, const char *buffers)
{
    static struct samples samples;
    struct sample_case what = {.impl = run->library->impl,
                               .bench = kind->name,
                               .path = run->library->path,
                               .buffers = buffers,
                               .bytes = run->bytes,
                               .ranks = run->size,
                               .stale = run->stale};
    uint64_t begin;

    samples.count = 0;
    what.batch = warm_up(run);
    begin = samples_now_ns();
    while (samples_now_ns() - begin < run->budget_ns || samples.count < MIN_SAMPLES)
        samples_add(&samples, run_batch(run, what.batch),
                    (double)what.batch * kind->calls_per_operation);
    if (kind->call != call_barrier) what.work_us = work_us(run, what.batch);
    *run->plan = 0;
    run->library->bcast(run->plan, sizeof *run->plan, 0);
    samples_print(&samples, &what);
}

static void follow(struct run *run)
{
    for (;;) {
        run->library->bcast(run->plan, sizeof *run->plan, 0);
        if (*run->plan == 0) return;
        run->library->barrier();
        for (int i = 0, calls = *run->plan; i < calls; i++, run->turn++) run->call(run, i);
    }
}

static void run_case(struct run *run, const struct bench_kind *kind, const char *buffers)
{
    run->bench = kind->name;
    run->call = kind->call;
    run->check = kind->check;
    kind->check(run);
    /* Zeros stay zeros however often they are summed. */
    memset(run->in, 0, run->bytes);
    memset(run->out, 0, run->bytes);
    if (run->rank == 0) measure(run, kind, buffers);
    else follow(run);
}

static double cpu_us(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* What a blocked receive costs: rank 1 waits in recv while rank 0 sleeps and then sends. */
static void run_blocked(struct run *run, const char *buffers)
{
    double *share = (double *)run->in;

    run->library->barrier();
    if (run->rank == 1) {
        uint64_t begin = samples_now_ns();
        double before = cpu_us();

        run->library->recv(run->in, sizeof *share, 0);
        ((double *)run->out)[0] = cpu_us() - before;
        ((double *)run->out)[1] = (double)(samples_now_ns() - begin) / 1000.0;
        run->library->send(run->out, 2 * sizeof *share, 0);
    } else if (run->rank == 0) {
        sleep(BLOCKED_SECONDS);
        run->library->send(run->out, sizeof *share, 1);
        run->library->recv(run->in, 2 * sizeof *share, 1);
        printf("{\"impl\":\"%s\",\"bench\":\"blocked\",\"bytes\":0,\"ranks\":%d,\"path\":\"%s\","
               "\"buffers\":\"%s\",\"min_us\":%.1f,\"median_us\":%.1f,\"p99_us\":%.1f,"
               "\"mb_per_s\":0,\"cpu_percent\":%.3f}\n",
               run->library->impl, run->size, run->library->path, buffers, share[1], share[1],
               share[1], 100.0 * share[0] / share[1]);
    }
    run->library->barrier();
}

struct options {
    const struct bench_kind *kind; /* NULL: "blocked" */
    size_t sizes[MAX_SIZES];
    int count;
    const char *buffers;
    long ms;
    int stale;
};

static int accepts(const struct bench_library *library, const char *buffers)
{
    for (int i = 0; library->buffer_kinds[i]; i++)
        if (strcmp(library->buffer_kinds[i], buffers) == 0) return 1;
    return 0;
}

static int parse_kind(struct options *options, const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].name, name) == 0) {
            options->kind = &kinds[i];
            return 0;
        }
    return strcmp(name, "blocked");
}

static int parse_options(struct options *options, const struct bench_library *library, int argc,
                         char **argv)
{
    if (argc < 2 || parse_kind(options, argv[1]) != 0) return -1;
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0) continue;
        if (strcmp(argv[i], "--stale") == 0) {
            options->stale = 1;
            continue;
        }
        if (i + 1 == argc) return -1;
        if (strcmp(argv[i], "--bytes") == 0)
            options->count = samples_parse_sizes(argv[++i], options->sizes, MAX_SIZES);
        else if (strcmp(argv[i], "--buffers") == 0) options->buffers = argv[++i];
        else if (strcmp(argv[i], "--ms") == 0) options->ms = strtol(argv[++i], NULL, 10);
        else return -1;
    }
    return options->count > 0 && options->ms > 0 && accepts(library, options->buffers) ? 0 : -1;
}

static size_t largest(const struct options *options)
{
    size_t bytes = 64;

    for (int i = 0; i < options->count; i++)
        bytes = options->sizes[i] > bytes ? options->sizes[i] : bytes;
    return bytes;
}

static void run_all(const struct bench_library *library, const struct options *options)
{
    struct run run = {.library = library,
                      .rank = library->rank(),
                      .size = library->size(),
                      .budget_ns = (uint64_t)options->ms * 1000000u,
                      .stale = options->stale};

    run.plan = library->alloc(64, options->buffers);
    run.in = library->alloc(largest(options), options->buffers);
    run.out = library->alloc(largest(options), options->buffers);
    if (!options->kind) {
        run_blocked(&run, options->buffers);
        return;
    }
    if (options->kind->call == call_barrier) {
        run_case(&run, options->kind, options->buffers);
        return;
    }
    for (int i = 0; i < options->count; i++) {
        run.bytes = options->sizes[i];
        run_case(&run, options->kind, options->buffers);
    }
}

int harness_main(const struct bench_library *library, int argc, char **argv)
{
    struct options options = {
        .kind = NULL, .sizes = {8}, .count = 1, .buffers = library->buffer_kinds[0], .ms = 250};

    if (parse_options(&options, library, argc, argv) != 0) {
        fprintf(stderr,
                "usage: %s pingpong|bcast|reduce|allreduce|barrier|blocked "
                "[--bytes a:b|list] [--buffers KIND] [--ms N] [--stale] [--json]\n",
                library->impl);
        return 2;
    }
    if (library->size() < 2) {
        fprintf(stderr, "%s: needs at least 2 ranks, has %d\n", library->impl, library->size());
        return 2;
    }
    run_all(library, &options);
    return 0;
}
