/* SPDX-License-Identifier: Apache-2.0 */
/* Hayate's persistent collectives, beside Fmpl's collectives that are called afresh each time. */
#include <hayate/fmpl.h>
#include <hayate/hayate.h>
#include <hayate/pcoll.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "player.h"

#define WORLD FMPL_COMM_WORLD

static void player_abort(void)
{
    fflush(NULL);
    _Exit(1); /* the launcher ends the other ranks */
}

static void need(int code, const char *call)
{
    if (code == HAYATE_OK) return;
    fprintf(stderr, "hayate: %s: %s: %s\n", call, hayate_strerror(code), hayate_error());
    player_abort();
}

static void *player_alloc(size_t bytes, const char *memory)
{
    size_t rounded = (bytes + 4095) / 4096 * 4096;
    void *data = strcmp(memory, "heap") == 0 ? hayate_alloc(rounded) : aligned_alloc(4096, rounded);

    if (!data) need(HAYATE_ERR_NO_MEMORY, "allocation of a buffer");
    return memset(data, 0, rounded);
}

static void player_release(void *data, const char *memory)
{
    if (strcmp(memory, "heap") == 0) need(hayate_free(data), "hayate_free");
    else free(data);
}

static void player_barrier(void)
{
    int ier;

    fmpl_barrier(WORLD, &ier);
    need(ier, "fmpl_barrier");
}

static fmpl_op_t sum_of(const struct player_case *one)
{
    return one->floats ? FMPL_FLOAT_SUM : FMPL_DOUBLE_SUM;
}

/* Sums over one buffer, and broadcasts, work in place. */
static void set_result(struct player_case *one)
{
    if (one->op == OP_BCAST || one->op == OP_REDUCE || one->op == OP_ALLREDUCE)
        one->result = one->in;
}

static int fmpl_open(struct player_case *one)
{
    set_result(one);
    return one->op == OP_INIT ? -1 : 0;
}

static void fmpl_finish(struct player_case *one)
{
    int ier = HAYATE_OK;

    switch (one->op) {
    case OP_ALLREDUCE:
        fmpl_allreduce(one->in, one->count, sum_of(one), WORLD, one->out, &ier);
        break;
    case OP_REDUCE:
        fmpl_reduce(one->in, one->count, sum_of(one), PLAYER_ROOT, WORLD, one->out, &ier);
        break;
    case OP_BCAST: fmpl_bcast(one->in, one->bytes, PLAYER_ROOT, WORLD, &ier); break;
    case OP_GATHER: fmpl_gather(one->in, one->bytes, one->out, PLAYER_ROOT, WORLD, &ier); break;
    case OP_SCATTER: fmpl_scatter(one->in, one->out, one->bytes, PLAYER_ROOT, WORLD, &ier); break;
    case OP_ALLGATHER: fmpl_allgather(one->in, one->bytes, one->out, WORLD, &ier); break;
    case OP_ALLTOALL: fmpl_alltoall(one->in, one->out, one->bytes, WORLD, &ier); break;
    case OP_REDUCE_SCATTER:
        fmpl_reduce_scatter(one->in, one->out, one->count, sum_of(one), WORLD, &ier);
        break;
    default: fmpl_barrier(WORLD, &ier);
    }
    need(ier, "a collective of Fmpl");
}

static pcoll_t operation(const struct player_case *one)
{
    return one->handles[0];
}

static int pcoll_init(struct player_case *one, const char *options, pcoll_t *made)
{
    size_t bytes = one->bytes, count = one->count;

    switch (one->op) {
    case OP_INIT:
    case OP_ALLREDUCE:
        return pcoll_allreduce_init(one->in, count, sum_of(one), WORLD, options, made);
    case OP_BCAST: return pcoll_bcast_init(one->in, bytes, PLAYER_ROOT, WORLD, options, made);
    case OP_ALLTOALL: return pcoll_alltoall_init(one->in, one->out, bytes, WORLD, options, made);
    case OP_ALLGATHER: return pcoll_allgather_init(one->in, bytes, one->out, WORLD, options, made);
    case OP_REDUCE:
        return pcoll_reduce_init(one->in, count, sum_of(one), PLAYER_ROOT, WORLD, options, made);
    case OP_GATHER:
        return pcoll_gather_init(one->in, bytes, one->out, PLAYER_ROOT, WORLD, options, made);
    case OP_SCATTER:
        return pcoll_scatter_init(one->in, one->out, bytes, PLAYER_ROOT, WORLD, options, made);
    case OP_REDUCE_SCATTER:
        return pcoll_reduce_scatter_init(one->in, one->out, count, sum_of(one), WORLD, options,
                                         made);
    default: return pcoll_barrier_init(WORLD, options, made);
    }
}

static int open_with(struct player_case *one, const char *options)
{
    pcoll_t made = PCOLL_NULL;

    set_result(one);
    if (one->op == OP_INIT) return 0;
    need(pcoll_init(one, options, &made), "init of a persistent collective");
    one->handles[0] = made;
    one->choice = pcoll_describe(made);
    return 0;
}

static int open_auto(struct player_case *one)
{
    return open_with(one, NULL);
}

static int open_caller(struct player_case *one)
{
    return open_with(one, "progress=caller");
}

static int open_calls(struct player_case *one)
{
    return open_with(one, "progress=calls");
}

static int open_thread(struct player_case *one)
{
    return open_with(one, "progress=thread");
}

static int open_delegated(struct player_case *one)
{
    return open_with(one, "progress=delegated");
}

static void start(struct player_case *one)
{
    if (one->op != OP_INIT) need(pcoll_start(operation(one)), "pcoll_start");
}

static void poll(struct player_case *one)
{
    (void)one;
    need(pcoll_progress(), "pcoll_progress");
}

static void finish(struct player_case *one)
{
    pcoll_t made = PCOLL_NULL;

    if (one->op != OP_INIT) {
        need(pcoll_wait(operation(one)), "pcoll_wait");
        return;
    }
    need(pcoll_init(one, NULL, &made), "init of a persistent collective");
    one->handles[one->inits++] = made;
}

static void free_at(struct player_case *one, int index)
{
    pcoll_t made = one->handles[index];

    need(pcoll_free(&made), "pcoll_free");
    one->handles[index] = NULL;
}

static void settle(struct player_case *one)
{
    for (int i = 0; i < one->inits; i++) free_at(one, i);
}

static void close_operation(struct player_case *one)
{
    if (one->op != OP_INIT) free_at(one, 0);
}

#define PERSISTENT(series_name, series_memory, series_open) \
    .name = series_name, .memory = series_memory, .open = series_open, .start = start, \
    .finish = finish, .settle = settle, .close = close_operation

static const struct player_series series[] = {
    {PERSISTENT("pcoll-heap", "heap", open_auto)},
    {PERSISTENT("pcoll-malloc", "malloc", open_auto)},
    {.name = "fmpl-heap", .memory = "heap", .open = fmpl_open, .finish = fmpl_finish},
    {PERSISTENT("pcoll-caller", "heap", open_caller)},
    {PERSISTENT("pcoll-calls", "heap", open_calls), .poll = poll},
    {PERSISTENT("pcoll-thread", "heap", open_thread)},
    {.name = NULL},
};

/* One for each BENCH_WAY: of jobs that are started so that data take this way. */
static const struct player_series of_ways[] = {
    {PERSISTENT("pcoll-pipeline", "malloc", open_auto)},
    {PERSISTENT("pcoll-cma", "malloc", open_auto)},
    {PERSISTENT("pcoll-direct", "malloc", open_auto)},
    {PERSISTENT("pcoll-delegated", "heap", open_delegated)},
};

static const struct player_series *series_of(const char *way)
{
    static struct player_series one[2];

    for (size_t i = 0; i < sizeof of_ways / sizeof *of_ways; i++)
        if (strcmp(of_ways[i].name + strlen("pcoll-"), way) == 0) one[0] = of_ways[i];
    return one;
}

static struct player_library library = {
    .impl = "hayate",
    .series = series,
    .rank = hayate_rank,
    .size = hayate_size,
    .alloc = player_alloc,
    .release = player_release,
    .barrier = player_barrier,
    .abort = player_abort,
};

int main(int argc, char **argv)
{
    const char *way = getenv("BENCH_WAY");
    int code, ier;

    if (way) library.series = series_of(way);
    need(hayate_init(), "hayate_init");
    fmpl_init(NULL, NULL, FMPL_DEFAULT_COUNT, &ier);
    need(ier, "fmpl_init");
    code = player_main(&library, argc, argv);
    fmpl_finalize(&ier);
    need(ier, "fmpl_finalize");
    hayate_finalize();
    return code;
}
