/* SPDX-License-Identifier: Apache-2.0 */
/* What accumulates promise, rank to rank. Run by accumulate_test.c. */
#include <hayate/ompl.h>

#include "fmpl/scenario.h"

#include <pthread.h>
#include <signal.h>

#include "coll/reductions.h"

#define BYTES (UINT64_C(1) << 20)
#define THREADS 3
#define LOCK (BYTES) /* behind a part, whose size is a multiple of a line */

static void must(int line, int rc)
{
    if (rc) check_failed(line, "must succeed", rc);
}
#define MUST(call) must(__LINE__, (call))

static uint8_t *at(uint64_t offset)
{
    return (uint8_t *)ompl_memory() + offset;
}

static void open_space(void)
{
    MUST(ompl_init(BYTES));
    barrier();
}

static void close_space(void)
{
    barrier();
    MUST(ompl_finalize());
}

/* Over a network each takes its time. */
static int times(int near)
{
    return is_light() || getenv("HAYATE_NET_LOCAL") ? near / 10 : near;
}

static void in_threads(void *(*body)(void *))
{
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, body, (void *)i) == 0);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
}

/* ---- every reduction against a model ---- */

static uint64_t integer_of(int step, uint64_t x, uint64_t y)
{
    switch (step + FMPL_LONG_SUM) {
    case FMPL_LONG_SUM: return x + y;
    case FMPL_LONG_PROD: return x * y;
    case FMPL_LONG_MAX: return (int64_t)x > (int64_t)y ? x : y;
    case FMPL_LONG_MIN: return (int64_t)x < (int64_t)y ? x : y;
    case FMPL_LONG_LAND: return x && y;
    case FMPL_LONG_LOR: return x || y;
    case FMPL_LONG_LXOR: return !x != !y;
    case FMPL_LONG_BAND: return x & y;
    case FMPL_LONG_BOR: return x | y;
    default: return x ^ y;
    }
}

static double real_of(int step, double x, double y)
{
    switch (step + FMPL_DOUBLE_SUM) {
    case FMPL_DOUBLE_SUM: return x + y;
    case FMPL_DOUBLE_PROD: return x * y;
    case FMPL_DOUBLE_MAX: return x > y ? x : y;
    default: return x < y ? x : y;
    }
}

/* Operations of which the model knows nothing, as ABS_MAX or pairs, are those of the library, one
 * element at a time. */
static bool model_knows(int op, int first, int last)
{
    bool absolute = op - first == FMPL_INT_ABS_MAX || op - first == FMPL_INT_ABS_MIN;
    return op >= first && op <= last && !absolute;
}

static void combine(int op, void *to, const void *from)
{
    int32_t *i = to;
    int64_t *l = to;
    float *f = to;
    double *d = to;
    if (model_knows(op, FMPL_INT_SUM, FMPL_INT_BXOR))
        *i = (int32_t)integer_of(op - FMPL_INT_SUM, (uint64_t)*i,
                                 (uint64_t) * (const int32_t *)from);
    else if (model_knows(op, FMPL_LONG_SUM, FMPL_LONG_BXOR))
        *l = (int64_t)integer_of(op - FMPL_LONG_SUM, (uint64_t)*l, *(const uint64_t *)from);
    else if (model_knows(op, FMPL_FLOAT_SUM, FMPL_FLOAT_MIN))
        *f = (float)real_of(op - FMPL_FLOAT_SUM, *f, *(const float *)from);
    else if (model_knows(op, FMPL_DOUBLE_SUM, FMPL_DOUBLE_MIN))
        *d = real_of(op - FMPL_DOUBLE_SUM, *d, *(const double *)from);
    else hy_reductions[op].apply(to, from, 1, NULL);
}

static bool is_of(int op, int first, int last)
{
    return op >= first && op <= last;
}

/* Real numbers are small integers, without NaN. Every seventh element is 0. */
static void fill_elements(int op, void *memory, size_t bytes, uint64_t seed)
{
    bool floats = is_of(op, FMPL_FLOAT_SUM, FMPL_FLOAT_ABS_MIN_LOC) ||
                  is_of(op, FMPL_COMPLEX_FLOAT_SUM, FMPL_COMPLEX_FLOAT_ABS_MIN_LOC);
    bool doubles = is_of(op, FMPL_DOUBLE_SUM, FMPL_DOUBLE_ABS_MIN_LOC) ||
                   is_of(op, FMPL_COMPLEX_DOUBLE_SUM, FMPL_COMPLEX_DOUBLE_ABS_MIN_LOC);
    if (!floats && !doubles) fill(memory, bytes, seed);
    for (size_t i = 0; floats && i < bytes / sizeof(float); i++)
        ((float *)memory)[i] = (float)(word_at(seed, i) % 2001) - 1000;
    for (size_t i = 0; doubles && i < bytes / sizeof(double); i++)
        ((double *)memory)[i] = (double)(word_at(seed, i) % 2001) - 1000;
    uint32_t unit = hy_reductions[op].unit;
    for (size_t i = 0; i < bytes / unit; i += 7) memset((uint8_t *)memory + i * unit, 0, unit);
}

enum { ROOM = 60000 };
static _Alignas(64) uint8_t source[ROOM], model[ROOM], before[ROOM], bytes_of_source[ROOM + 1];

/* The target's elements are `from` bytes behind the start of its part. */
static void accumulate_once(int op, uint64_t from, size_t count, bool fetches, bool skewed)
{
    size_t bytes = count * hy_reductions[op].unit;
    uint64_t seed = (uint64_t)op * 100 + count;
    memset(ompl_memory(), 0x5a, ROOM + 4096);
    fill_elements(op, at(from), bytes, seed + (uint64_t)rank);
    barrier();
    fill_elements(op, source, bytes, seed + 50);
    memcpy(bytes_of_source + 1, source, bytes);
    const void *src = skewed ? bytes_of_source + 1 : source;
    if (fetches) MUST(ompl_get_accumulate(src, before, right(), from, count, op));
    else MUST(ompl_accumulate(src, right(), from, count, op));
    MUST(ompl_flush(right()));
    fill_elements(op, model, bytes, seed + (uint64_t)right());
    CHECK(!fetches || memcmp(before, model, bytes) == 0);
    barrier();
    fill_elements(op, model, bytes, seed + (uint64_t)rank);
    for (size_t i = 0; i < count; i++)
        combine(op, model + i * hy_reductions[op].unit, source + i * hy_reductions[op].unit);
    CHECK(memcmp(at(from), model, bytes) == 0);
    CHECK(all_are(ompl_memory(), from, 0x5a) && all_are(at(from + bytes), 256, 0x5a));
    barrier();
}

SCENARIO_AS("model", should_combine_like_a_model)
{
    open_space();
    for (int op = 0; op < FMPL_OP_COUNT; op++) {
        const uint32_t unit = hy_reductions[op].unit, align = hy_reductions[op].align;
        const size_t counts[] = {1, 2, 3, 100, 2041, ROOM / unit};
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            size_t count = counts[i] * unit > ROOM ? ROOM / unit : counts[i];
            accumulate_once(op, (uint64_t)align * (i * 5 + 1), count, i % 2, i % 3 == 0);
        }
    }
    close_space();
}

/* ---- all ranks and threads at once ---- */

enum { WIDE = 5000, ROUNDS = 200, LONGS = 0, DOUBLES = 65536, TICKETS = 131072 };

/* Ranges that overlap, of which some are longer than a piece; the sums do not depend on the order.
 */
static void *add_everywhere(void *argument)
{
    static const int64_t ones[WIDE] = {[0 ... WIDE - 1] = 1};
    static const double halves[WIDE] = {[0 ... WIDE - 1] = 0.5};
    int64_t old[3];
    for (int i = 0; i < times(ROUNDS); i++) {
        int to = (rank + i) % size;
        MUST(ompl_accumulate(ones, to, LONGS, WIDE, FMPL_LONG_SUM));
        MUST(ompl_accumulate(halves, to, DOUBLES + 8 * 100, 3, FMPL_DOUBLE_SUM));
        MUST(ompl_get_accumulate(ones, old, to, LONGS + 8 * 7, 3, FMPL_LONG_SUM));
        MUST(ompl_accumulate(halves, to, DOUBLES, WIDE, FMPL_DOUBLE_SUM));
    }
    return argument;
}

SCENARIO_AS("sums", should_lose_nothing_of_what_all_ranks_and_threads_add)
{
    open_space();
    in_threads(add_everywhere);
    MUST(ompl_flush_all());
    barrier();
    int64_t each = 0;
    for (int r = 0; r < size; r++)
        for (int i = 0; i < times(ROUNDS); i++) each += (r + i) % size == rank ? THREADS : 0;
    for (int i = 0; i < WIDE; i++) {
        CHECK(((const int64_t *)(void *)at(LONGS))[i] == each * (i >= 7 && i < 10 ? 2 : 1));
        double sum = (double)each * (i >= 100 && i < 103 ? 1.0 : 0.5);
        CHECK(((const double *)(void *)at(DOUBLES))[i] == sum);
    }
    close_space();
}

/* Every ticket is drawn once: that of `fetched`, one of each element of `row`. */
enum { ROW = 33, DRAWS = 300, DRAWN = TICKETS + 4096, LISTS = TICKETS + 8192 };

static void *draw(void *argument)
{
    static const int32_t ones[ROW] = {[0 ... ROW - 1] = 1};
    int32_t one = 1, ticket, row[ROW];
    for (int i = 0; i < times(DRAWS); i++) {
        MUST(ompl_fetch_and_op(&one, &ticket, 0, TICKETS, FMPL_INT_SUM));
        CHECK(ticket >= 0 && ticket < size * THREADS * times(DRAWS));
        MUST(ompl_accumulate(&one, 0, LISTS + 4 * (uint64_t)ticket, 1, FMPL_INT_SUM));
        MUST(ompl_get_accumulate(ones, row, 0, DRAWN, ROW, FMPL_INT_SUM));
        for (int k = 0; k < ROW; k++) {
            int64_t drawn = row[k];
            MUST(ompl_fetch_and_op(&drawn, NULL, size - 1, DOUBLES + 8 * (uint64_t)k,
                                   FMPL_LONG_SUM));
        }
    }
    return argument;
}

SCENARIO_AS("tickets", should_give_each_previous_value_to_one_only)
{
    open_space();
    in_threads(draw);
    MUST(ompl_flush_all());
    barrier();
    int64_t all = (int64_t)size * THREADS * times(DRAWS);
    for (int64_t i = 0; rank == 0 && i < all; i++)
        CHECK(((const int32_t *)(void *)at(LISTS))[i] == 1);
    for (int k = 0; rank == size - 1 && k < ROW; k++)
        CHECK(((const int64_t *)(void *)at(DOUBLES))[k] == all * (all - 1) / 2);
    close_space();
}

/* ---- compare and swap ---- */

enum { SWAPS = 100 };

static void add_by_swaps(uint64_t offset, size_t bytes)
{
    uint64_t seen = 0, expected, desired;
    do {
        expected = seen;
        desired = expected + 1;
        MUST(ompl_compare_and_swap(&expected, &desired, &seen, 0, offset, bytes));
    } while (memcmp(&seen, &expected, bytes) != 0);
}

static void *swap_often(void *argument)
{
    for (int i = 0; i < times(SWAPS); i++)
        for (size_t bytes = 1; bytes <= 8; bytes *= 2) add_by_swaps(64 * bytes + 8, bytes);
    return argument;
}

SCENARIO_AS("swaps", should_compare_and_swap_elements_of_each_size)
{
    open_space();
    in_threads(swap_often);
    MUST(ompl_flush_all());
    barrier();
    for (size_t bytes = 1; rank == 0 && bytes <= 8; bytes *= 2) {
        uint64_t all = (uint64_t)(size * THREADS * times(SWAPS)), seen = 0, one = 1;
        if (bytes == 1) all &= 0xff;
        CHECK(*(const uint64_t *)(const void *)at(64 * bytes + 8) == all);
        MUST(ompl_compare_and_swap(&one, &one, &seen, 0, 64 * bytes, bytes));
        CHECK(seen == 0 && *at(64 * bytes) == 0); /* it was not 1 */
    }
    close_space();
}

/* ---- exchanges ---- */

enum { BLOCK = 40000 };

/* All words of a block are of one value that some rank has put: each alone, not all the same. */
static bool are_values(const uint64_t *block)
{
    bool values = true;
    for (int i = 0; i < BLOCK / 8; i++)
        values &= block[i] % UINT64_C(0x0101010101010101) == 0 &&
                  (block[i] & 0xff) <= (unsigned)size;
    return values;
}

SCENARIO_AS("exchanges", should_replace_whole_elements)
{
    static uint64_t mine[BLOCK / 8], seen[BLOCK / 8];
    open_space();
    memset(mine, rank + 1, sizeof mine);
    for (int i = 0; i < times(200); i++) {
        MUST(ompl_put_atomic(mine, 0, 64, sizeof mine));
        memset(seen, 0xff, sizeof seen);
        MUST(ompl_get_atomic(seen, 0, 64, sizeof seen));
        CHECK(are_values(seen) && seen[0] != 0);
        memset(seen, 0xff, sizeof seen);
        MUST(ompl_exchange(mine, seen, 0, 64, sizeof mine));
        CHECK(are_values(seen) && seen[0] != 0);
    }
    close_space();
}

/* Nothing is lost if everybody exchanges: what was there, and what all still have. */
SCENARIO_AS("circulation", should_exchange_without_loss)
{
    int64_t mine = rank + 1, other;
    open_space();
    for (int i = 0; i < times(1000); i++) {
        MUST(ompl_exchange(&mine, &other, 0, 128, sizeof mine));
        mine = other;
    }
    MUST(ompl_accumulate(&mine, 0, 128, 1, FMPL_LONG_SUM));
    MUST(ompl_flush_all());
    barrier();
    if (rank == 0) CHECK(*(const int64_t *)(const void *)at(128) == (int64_t)size * (size + 1) / 2);
    close_space();
}

/* ---- the lock ---- */

#define HELD_US 30000

static void hold(uint64_t holder)
{
    __atomic_store_n((uint64_t *)(void *)at(LOCK), holder, __ATOMIC_RELEASE);
}

/* Rank 0 has the lock of its part for a while, and writes before it lets go. */
SCENARIO_AS("held", should_wait_for_the_holder)
{
    int32_t one = 1, written = 0;
    open_space();
    if (rank == 0) hold(1);
    barrier();
    if (rank == 0) {
        pause_us(HELD_US);
        __atomic_store_n((int32_t *)(void *)at(192), 1, __ATOMIC_RELEASE);
        hold(0);
    } else {
        MUST(ompl_accumulate(&one, 0, 64, 1, FMPL_INT_SUM));
        MUST(ompl_get(&written, 0, 192, sizeof written));
        CHECK(written == 1);
        MUST(ompl_flush(0));
    }
    barrier();
    if (rank == 0) CHECK(*(const int32_t *)(const void *)at(64) == size - 1);
    close_space();
}

/* An accumulate is ordered before a flag, like a put. */
SCENARIO_AS("flag", should_show_an_accumulate_before_its_flag)
{
    int64_t one = 1;
    open_space();
    for (int64_t round = 1; round <= times(500); round++) {
        const ompl_flag_t flag = {(uint64_t)round, {0, 0, 0}};
        MUST(ompl_accumulate(&one, right(), 64, 1, FMPL_LONG_SUM));
        MUST(ompl_put_flag(right(), 128, &flag));
        MUST(ompl_wait_until(128, OMPL_GE, (uint64_t)round, 40000000, 0, NULL));
        CHECK(__atomic_load_n((int64_t *)(void *)at(64), __ATOMIC_RELAXED) >= round);
    }
    close_space();
}

/* Not among the scenarios of all: the last rank dies, as if it held the lock of rank 0's part. */
static void die_as_holder(void)
{
    int32_t one = 1;
    MUST(ompl_init(BYTES));
    if (rank == 0) hold((uint64_t)size);
    barrier();
    if (rank == size - 1) {
        usleep(100000);
        printf("event at %llu\n", (unsigned long long)hy_now_ns());
        fflush(stdout);
        kill(getpid(), SIGKILL);
    }
    int rc = ompl_accumulate(&one, 0, 64, 1, FMPL_INT_SUM);
    printf("code %d peer %d told at %llu: %s\n", rc, hayate_error_peer(),
           (unsigned long long)hy_now_ns(), rc < 0 ? hayate_error() : "");
    fflush(stdout);
    _exit(0);
}

int main(int argc, char **argv)
{
    if (argc != 2 || strcmp(argv[1], "death") != 0) return ranks_run_scenarios(2, argc, argv);
    start_ranks(1);
    die_as_holder();
    return 1;
}
