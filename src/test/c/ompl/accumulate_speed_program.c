/* SPDX-License-Identifier: Apache-2.0 */
/* What accumulates of doubles cost beside puts and atomics, and beside a compare-and-swap for each
 * element instead of a lock: `accumulate_speed_program [ROUNDS]` on two ranks or more. Rank 0
 * measures: alone, and then while the others accumulate into the same part. Printed is the median
 * over rounds, in nanoseconds for each element. */
#include <hayate/ompl.h>

#include "fmpl/scenario.h"

#include "init/join.h"

#define MANY 100000
#define BYTES (UINT64_C(1) << 20)
#define STOP (BYTES - 64)
#define MOST_ROUNDS 1000

static double source[MANY], before[MANY];
static _Atomic uint64_t *theirs; /* the part of rank 1, if it is mapped */

static void put(size_t count)
{
    CHECK_OK(ompl_put(source, 1, 0, count * sizeof *source));
}

static void add(size_t count)
{
    CHECK_OK(ompl_accumulate(source, 1, 0, count, FMPL_DOUBLE_SUM));
}

static void get_add(size_t count)
{
    CHECK_OK(ompl_get_accumulate(source, before, 1, 0, count, FMPL_DOUBLE_SUM));
}

static void exchange(size_t count)
{
    CHECK_OK(ompl_exchange(source, before, 1, 0, count * sizeof *source));
}

static void fetch_add(size_t count)
{
    for (size_t i = 0; i < count; i++) CHECK_OK(ompl_fetch_add(1, 8 * i, 1, NULL));
}

static void swap_each(size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t old = atomic_load_explicit(&theirs[i], memory_order_relaxed), new;
        do {
            double sum;
            memcpy(&sum, &old, sizeof sum);
            sum += source[i];
            memcpy(&new, &sum, sizeof new);
        } while (!atomic_compare_exchange_weak(&theirs[i], &old, new));
    }
}

static const struct {
    const char *name;
    void (*run)(size_t count);
} kinds[] = {
    {"put", put},           {"accumulate", add},      {"get_accumulate", get_add},
    {"exchange", exchange}, {"fetch_add", fetch_add}, {"compare-and-swap each", swap_each}};

#define KINDS (sizeof kinds / sizeof *kinds)

static double series(void (*run)(size_t count), size_t count, int calls)
{
    run(count);
    uint64_t start = hy_now_ns();
    for (int i = 0; i < calls; i++) run(count);
    return (double)(hy_now_ns() - start) / calls / (double)count;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool is_measured(void (*run)(size_t count), size_t count)
{
    return run == swap_each ? theirs != NULL : run != fetch_add || count == 1;
}

static void measure(const char *how, size_t count, int calls, int rounds)
{
    static double times[KINDS][MOST_ROUNDS];
    for (int i = 0; i < rounds; i++)
        for (size_t k = 0; k < KINDS; k++)
            if (is_measured(kinds[k].run, count)) times[k][i] = series(kinds[k].run, count, calls);
    for (size_t k = 0; k < KINDS; k++) {
        if (!is_measured(kinds[k].run, count)) continue;
        qsort(times[k], (size_t)rounds, sizeof(double), compare);
        printf("%-6s %6zu doubles  %-22s %10.2f ns\n", how, count, kinds[k].name,
               times[k][rounds / 2]);
        fflush(stdout);
    }
}

static void find_part(void)
{
    hy_job *job = hy_process_job();
    uint64_t place = hy_job_heap_offset(job, ompl_memory(), BYTES);
    if (rank == 1) CHECK_OK(ompl_put(&place, 0, STOP - 64, sizeof place));
    CHECK_OK(ompl_flush_all());
    barrier();
    memcpy(&place, (uint8_t *)ompl_memory() + STOP - 64, sizeof place);
    const hy_ep *ep = hy_job_ep(job, 1);
    if (rank == 0 && ep->part) theirs = (_Atomic uint64_t *)(void *)(ep->part + place);
    barrier();
}

/* The others do what rank 0 does, until it has measured. */
static void disturb(size_t count)
{
    while (!ompl_poll(STOP)) add(count);
}

static void measure_both(size_t count, int calls, int rounds)
{
    if (rank == 0) measure("alone", count, calls, rounds);
    barrier();
    if (rank != 0) disturb(count);
    else {
        measure("busy", count, calls, rounds);
        for (int r = 1; r < size; r++) CHECK_OK(ompl_put_word(r, STOP));
    }
    CHECK_OK(ompl_clear(STOP));
    barrier();
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 50;
    start_ranks(2);
    CHECK(size >= 2 && rounds >= 1 && rounds <= MOST_ROUNDS);
    CHECK_OK(ompl_init(BYTES));
    find_part();
    measure_both(1, 2000, rounds);
    measure_both(MANY, 2, rounds);
    CHECK_OK(ompl_finalize());
    end_ranks();
    return 0;
}
