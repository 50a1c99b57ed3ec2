/* SPDX-License-Identifier: Apache-2.0 */
/* Persistent collectives: every algorithm in every way it can do, several runs each with other data
 * every time; correct for every number of ranks and every setting. */
#include <hayate/pcoll.h>

#include "fmpl/scenario.h"

#include "sched/schedule.h"

#define RUNS 6
#define LIGHT_RUNS 3
#define MOST (UINT64_C(300) << 10)

typedef struct trial {
    hy_shape shape;
    bool heap;
    int64_t *in, *out;
    const char *options;
} trial;

static int64_t value(int from, int to, uint64_t i, int run)
{
    return from * 1000003 + to * 10007 + (int64_t)i * 7 + run * 131 + 1;
}

static int64_t sum(int ranks, int to, uint64_t i, int run)
{
    int64_t all = 0;
    for (int from = 0; from < ranks; from++) all += value(from, to, i, run);
    return all;
}

static int runs(void)
{
    return is_light() ? LIGHT_RUNS : RUNS;
}

/* ---- data ---- */

static int blocks_in(const hy_shape *s)
{
    return (int)(s->bytes ? hy_region_bytes(s, HY_IN) / s->bytes : 0);
}

static void give(const trial *t, int run)
{
    const hy_shape *s = &t->shape;
    uint64_t n = s->bytes / 8;
    bool in_place = s->coll == HY_COLL_BCAST || s->coll == HY_COLL_REDUCE ||
                    s->coll == HY_COLL_ALLREDUCE;
    for (int block = 0; block < blocks_in(s); block++)
        for (uint64_t i = 0; i < n; i++)
            t->in[(uint64_t)block * n + i] = value(rank, block, i, run);
    for (uint64_t i = 0; i < hy_region_bytes(s, HY_OUT) / 8; i++)
        t->out[i] = in_place ? value(rank, 0, i, run) : -1;
}

static int64_t expected(const hy_shape *s, int block, uint64_t i, int run)
{
    switch (s->coll) {
    case HY_COLL_BCAST: return value(s->root, 0, i, run);
    case HY_COLL_REDUCE: return rank == s->root ? sum(size, 0, i, run) : value(rank, 0, i, run);
    case HY_COLL_ALLREDUCE: return sum(size, 0, i, run);
    case HY_COLL_GATHER:
    case HY_COLL_ALLGATHER: return value(block, 0, i, run);
    case HY_COLL_SCATTER: return value(s->root, rank, i, run);
    case HY_COLL_ALLTOALL: return value(block, rank, i, run);
    case HY_COLL_SCAN: return sum(rank + 1, 0, i, run);
    case HY_COLL_EXSCAN: return rank ? sum(rank, 0, i, run) : -1;
    default: return sum(size, rank, i, run);
    }
}

static void check(const trial *t, int run)
{
    const hy_shape *s = &t->shape;
    uint64_t n = s->bytes / 8, total = hy_region_bytes(s, HY_OUT) / 8;
    for (uint64_t i = 0; i < total; i++) {
        int64_t want = expected(s, (int)(i / n), i % n, run);
        if (t->out[i] == want) continue;
        fprintf(stderr, "%s %s, %llu B, root %d, run %d: element %llu is %lld, expected %lld\n",
                hy_coll_name(s->coll), t->options, (unsigned long long)s->bytes, s->root, run,
                (unsigned long long)i, (long long)t->out[i], (long long)want);
        check_failed(__LINE__, "wrong data", 0);
    }
    CHECK(t->out[total] == 0x5a5a);
}

/* ---- operations ---- */

static int init(const trial *t, pcoll_t *op)
{
    const hy_shape *s = &t->shape;
    const char *o = t->options;
    size_t bytes = s->bytes, n = bytes / 8;
    const int world = FMPL_COMM_WORLD;
    switch (s->coll) {
    case HY_COLL_BARRIER: return pcoll_barrier_init(world, o, op);
    case HY_COLL_BCAST: return pcoll_bcast_init(t->out, bytes, s->root, world, o, op);
    case HY_COLL_REDUCE: return pcoll_reduce_init(t->out, n, FMPL_LONG_SUM, s->root, world, o, op);
    case HY_COLL_ALLREDUCE: return pcoll_allreduce_init(t->out, n, FMPL_LONG_SUM, world, o, op);
    case HY_COLL_GATHER: return pcoll_gather_init(t->in, bytes, t->out, s->root, world, o, op);
    case HY_COLL_SCATTER: return pcoll_scatter_init(t->in, t->out, bytes, s->root, world, o, op);
    case HY_COLL_ALLGATHER: return pcoll_allgather_init(t->in, bytes, t->out, world, o, op);
    case HY_COLL_ALLTOALL: return pcoll_alltoall_init(t->in, t->out, bytes, world, o, op);
    case HY_COLL_SCAN: return pcoll_scan_init(t->in, t->out, n, FMPL_LONG_SUM, world, o, op);
    case HY_COLL_EXSCAN: return pcoll_exscan_init(t->in, t->out, n, FMPL_LONG_SUM, world, o, op);
    default: return pcoll_reduce_scatter_init(t->in, t->out, n, FMPL_LONG_SUM, world, o, op);
    }
}

static void run(const trial *t)
{
    pcoll_t op = PCOLL_NULL;
    int rc = init(t, &op);
    if (rc) fprintf(stderr, "%s %s\n", hy_coll_name(t->shape.coll), t->options);
    CHECK_OK(rc);
    for (int i = 0; i < runs(); i++) {
        give(t, i);
        t->out[hy_region_bytes(&t->shape, HY_OUT) / 8] = 0x5a5a;
        CHECK_OK(pcoll_start(op));
        CHECK_OK(pcoll_wait(op));
        check(t, i);
    }
    CHECK_OK(pcoll_free(&op));
}

/* The way of bit `index` as options, false when this algorithm cannot do it here. */
static bool options_of(const hy_algorithm *algorithm, const hy_shape *shape, uint32_t index,
                       char *text, size_t bytes)
{
    hy_way way;
    if (!algorithm->applies(shape) || !hy_way_at(index, &way) ||
        !(hy_way_possible(algorithm, shape) >> index & 1))
        return false;
    snprintf(text, bytes, "algorithm=%s transfer=%s buffers=%s sync=%s%s", algorithm->name,
             way.transfer == HY_TRANSFER_GET ? "get" : "put",
             way.buffers == HY_BUFFERS_PREPARED ? "prepared" : "straight",
             way.sync == HY_SYNC_BARRIER ? "barrier" : "counters",
             (algorithm->traits & HY_TRAIT_SEGMENTS) && way.sync == HY_SYNC_COUNTERS &&
                     shape->bytes > 20000
                 ? " segment=8K"
                 : "");
    return true;
}

static void try_all(hy_coll coll, uint64_t bytes, int root, bool heap)
{
    static char text[200];
    trial t = {.heap = heap, .options = text};
    t.in = (int64_t *)(void *)memory_of(heap, bytes * (uint64_t)size + 16);
    t.out = (int64_t *)(void *)memory_of(heap, bytes * (uint64_t)size + 16);
    t.shape = (hy_shape){.coll = coll,
                         .rank = rank,
                         .size = size,
                         .root = root,
                         .bytes = bytes,
                         .unit = hy_coll_reduces(coll) ? 8 : 1,
                         .wired = true};
    for (const hy_algorithm *const *a = hy_algorithms; *a; a++) {
        for (uint32_t way = 0; (*a)->coll == coll && way < 6; way++)
            if (options_of(*a, &t.shape, way, text, sizeof text)) run(&t);
    }
    memory_free(heap, t.in);
    memory_free(heap, t.out);
}

/* light: out of the heap, and in it, also if messages take long */
static const struct {
    uint64_t bytes;
    bool light[2];
} sizes[] = {{8, {false, true}},     {56, {false, false}},   {64, {true, false}},
             {4096, {false, false}}, {40000, {true, false}}, {MOST, {false, true}}};

static void try_sizes(hy_coll coll)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint64_t bytes = coll == HY_COLL_BARRIER ? 0 : sizes[i].bytes;
        for (int heap = 0; heap < 2; heap++)
            if (!is_light() || sizes[i].light[heap])
                try_all(coll, bytes, hy_coll_has_root(coll) ? (int)i % size : 0, heap);
        if (bytes == 0) break;
    }
}

#define RUN_EVERY(name, coll) \
    SCENARIO_AS(#name, should_run_every_##name) \
    { \
        try_sizes(coll); \
    }

RUN_EVERY(barrier, HY_COLL_BARRIER)
RUN_EVERY(bcast, HY_COLL_BCAST)
RUN_EVERY(reduce, HY_COLL_REDUCE)
RUN_EVERY(allreduce, HY_COLL_ALLREDUCE)
RUN_EVERY(gather, HY_COLL_GATHER)
RUN_EVERY(scatter, HY_COLL_SCATTER)
RUN_EVERY(allgather, HY_COLL_ALLGATHER)
RUN_EVERY(alltoall, HY_COLL_ALLTOALL)
RUN_EVERY(reduce_scatter, HY_COLL_REDUCE_SCATTER)
RUN_EVERY(scan, HY_COLL_SCAN)
RUN_EVERY(exscan, HY_COLL_EXSCAN)

/* Elements of 24 bytes: pieces of messages and slices end at whole elements. Rank i has the largest
 * absolute value of the elements whose index is i modulo the size. */
static void reduce_pairs(const char *options, fmpl_complex_double_int_t *pairs, size_t n)
{
    pcoll_t op = PCOLL_NULL;
    int rc = pcoll_allreduce_init(pairs, n, FMPL_COMPLEX_DOUBLE_ABS_MAX_LOC, FMPL_COMM_WORLD,
                                  options, &op);
    CHECK_OK(rc);
    for (int run = 0; run < runs(); run++) {
        for (size_t i = 0; i < n; i++) {
            bool wins = (i + (size_t)run) % (size_t)size == (size_t)rank;
            pairs[i].value = (fmpl_complex_double_t){wins ? -(double)i - 9 : 8, run};
            pairs[i].location = 100 * rank + (int)(i % 100);
        }
        CHECK_OK(pcoll_start(op));
        CHECK_OK(pcoll_wait(op));
        for (size_t i = 0; i < n; i++) {
            int winner = (int)((i + (size_t)run) % (size_t)size);
            CHECK(pairs[i].value.re == -(double)i - 9 && pairs[i].value.im == run);
            CHECK(pairs[i].location == 100 * winner + (int)(i % 100));
        }
    }
    CHECK_OK(pcoll_free(&op));
}

SCENARIO_AS("pairs", should_reduce_pairs_by_every_algorithm)
{
    static const size_t counts[] = {1, 3, 170, 3000};
    static char text[200];
    for (int i = is_light() ? 2 : 0; i < 4; i++) {
        uint64_t bytes = counts[i] * sizeof(fmpl_complex_double_int_t);
        void *pairs = memory_of(i % 2, bytes);
        const hy_shape shape = {.coll = HY_COLL_ALLREDUCE,
                                .rank = rank,
                                .size = size,
                                .bytes = bytes,
                                .unit = sizeof(fmpl_complex_double_int_t),
                                .wired = true};
        for (const hy_algorithm *const *a = hy_algorithms; *a; a++) {
            for (uint32_t way = 0; (*a)->coll == HY_COLL_ALLREDUCE && way < 6; way++)
                if (options_of(*a, &shape, way, text, sizeof text))
                    reduce_pairs(text, pairs, counts[i]);
        }
        memory_free(i % 2, pairs);
    }
}

int main(int argc, char **argv)
{
    return ranks_run_scenarios(1, argc, argv);
}
