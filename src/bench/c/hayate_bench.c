/* SPDX-License-Identifier: Apache-2.0 */
/* Adapter for Hayate's own C API: beside `hayate perf` it tells what Java costs over C. */
#include <hayate/fmpl.h>
#include <hayate/hayate.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

#define MAI 0

static void hayate_abort(void)
{
    fflush(NULL);
    _Exit(1); /* the launcher ends the other ranks */
}

static void need(int code, const char *call)
{
    if (code == HAYATE_OK) return;
    fprintf(stderr, "hayate-c: %s: %s: %s\n", call, hayate_strerror(code), hayate_error());
    hayate_abort();
}

static void *bench_alloc(size_t bytes, const char *kind)
{
    size_t rounded = (bytes + 4095) / 4096 * 4096;
    void *memory = strcmp(kind, "heap") == 0 ? hayate_alloc(rounded) : aligned_alloc(4096, rounded);

    if (!memory) need(HAYATE_ERR_NO_MEMORY, "allocation of a buffer");
    return memset(memory, 0, rounded);
}

static void bench_send(const void *data, size_t bytes, int peer)
{
    int ier;

    fmpl_send(data, bytes, peer, MAI, &ier);
    need(ier, "fmpl_send");
}

static void bench_recv(void *data, size_t bytes, int peer)
{
    int ier;

    fmpl_recv(data, bytes, peer, MAI, &ier);
    need(ier, "fmpl_recv");
}

static void bench_bcast(void *data, size_t bytes, int root)
{
    int ier;

    fmpl_bcast(data, bytes, root, FMPL_COMM_WORLD, &ier);
    need(ier, "fmpl_bcast");
}

static double *bench_reduce(double *in, double *out, size_t count, int root)
{
    int ier;

    fmpl_reduce(in, count, FMPL_DOUBLE_SUM, root, FMPL_COMM_WORLD, out, &ier);
    need(ier, "fmpl_reduce");
    return in;
}

static double *bench_allreduce(double *in, double *out, size_t count)
{
    int ier;

    fmpl_allreduce(in, count, FMPL_DOUBLE_SUM, FMPL_COMM_WORLD, out, &ier);
    need(ier, "fmpl_allreduce");
    return in;
}

static void bench_barrier(void)
{
    int ier;

    fmpl_barrier(FMPL_COMM_WORLD, &ier);
    need(ier, "fmpl_barrier");
}

static const struct bench_library library = {
    .impl = "hayate-c",
    .path = "auto",
    .buffer_kinds = {"heap", "direct", NULL},
    .rank = hayate_rank,
    .size = hayate_size,
    .alloc = bench_alloc,
    .send = bench_send,
    .recv = bench_recv,
    .bcast = bench_bcast,
    .reduce = bench_reduce,
    .allreduce = bench_allreduce,
    .barrier = bench_barrier,
    .abort = hayate_abort,
};

int main(int argc, char **argv)
{
    int code, ier;

    need(hayate_init(), "hayate_init");
    fmpl_init(NULL, NULL, FMPL_DEFAULT_COUNT, &ier);
    need(ier, "fmpl_init");
    code = harness_main(&library, argc, argv);
    fmpl_finalize(&ier);
    need(ier, "fmpl_finalize");
    hayate_finalize();
    return code;
}
