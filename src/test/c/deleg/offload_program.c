/* SPDX-License-Identifier: Apache-2.0 */
/* Persistent collectives with progress=delegated: they end although their ranks, once they have
 * started them, do nothing but look at their memory. */
#include <hayate/pcoll.h>

#include "fmpl/scenario.h"

#define LONGS (1 << 17)
#define RUNS 5
#define LIMIT_NS UINT64_C(60000000000)

static int64_t sum_of(uint64_t i, int run)
{
    int64_t sum = 0;
    for (int r = 0; r < size; r++) sum += (int64_t)(word_at((uint64_t)r, i) >> 8) + run;
    return sum;
}

static void give(int64_t *data, uint64_t longs, int run)
{
    for (uint64_t i = 0; i < longs; i++) data[i] = (int64_t)(word_at((uint64_t)rank, i) >> 8) + run;
}

/* No call of the library: only the memory is looked at. */
static void watch(const int64_t *data, uint64_t longs, int run)
{
    uint64_t end = hy_now_ns() + LIMIT_NS;
    for (uint64_t i = 0; i < longs; i++)
        while (__atomic_load_n(&data[i], __ATOMIC_RELAXED) != sum_of(i, run)) {
            CHECK(hy_now_ns() < end);
            usleep(100);
        }
}

static void sum_alone(uint64_t longs)
{
    pcoll_t op = PCOLL_NULL;
    int64_t *data = hayate_alloc(longs * sizeof *data);
    CHECK(data);
    int rc = pcoll_allreduce_init(data, longs, FMPL_LONG_SUM, FMPL_COMM_WORLD, "progress=delegated",
                                  &op);
    CHECK_OK(rc);
    CHECK(strstr(pcoll_describe(op), "progress delegated"));
    for (int run = 0; run < RUNS; run++) {
        give(data, longs, run);
        rc = pcoll_start(op);
        CHECK_OK(rc);
        watch(data, longs, run);
        rc = pcoll_wait(op);
        CHECK_OK(rc);
    }
    rc = pcoll_free(&op);
    CHECK_OK(rc);
    rc = hayate_free(data);
    CHECK_OK(rc);
}

static void should_sum_without_the_ranks(void)
{
    sum_alone(1);
    sum_alone(1000);
    sum_alone(LONGS);
}

/* Memory outside of the heap has a stand-in there, which a wait copies back. */
static void should_reach_memory_outside_of_the_heap(void)
{
    static int64_t data[5000];
    pcoll_t op = PCOLL_NULL;
    int rc = pcoll_allreduce_init(data, 5000, FMPL_LONG_SUM, FMPL_COMM_WORLD, "progress=delegated",
                                  &op);
    CHECK_OK(rc);
    CHECK(strstr(pcoll_describe(op), "progress delegated"));
    for (int run = 0; run < RUNS; run++) {
        give(data, 5000, run);
        rc = pcoll_start(op);
        CHECK_OK(rc);
        rc = pcoll_wait(op);
        CHECK_OK(rc);
        for (uint64_t i = 0; i < 5000; i++) CHECK(data[i] == sum_of(i, run));
    }
    rc = pcoll_free(&op);
    CHECK_OK(rc);
}

static void add(void *into, const void *from, size_t count, void *context)
{
    (void)context;
    for (size_t i = 0; i < count; i++) ((int64_t *)into)[i] += ((const int64_t *)from)[i];
}

/* A function of the program runs in the program. */
static void should_keep_functions_of_the_program_with_the_rank(void)
{
    int64_t value = rank;
    fmpl_op_t own = 0;
    pcoll_t op = PCOLL_NULL;
    int ier = 1;
    fmpl_function_create(add, sizeof value, NULL, &own, &ier);
    CHECK_OK(ier);
    int rc = pcoll_allreduce_init(&value, 1, own, FMPL_COMM_WORLD, "progress=delegated", &op);
    CHECK_OK(rc);
    CHECK(strstr(pcoll_describe(op), "not delegated: its reduction is a function of the program"));
    rc = pcoll_free(&op);
    CHECK_OK(rc);
}

int main(int argc, char **argv)
{
    static const scenario all[] = {
        {"should_sum_without_the_ranks", should_sum_without_the_ranks},
        {"should_reach_memory_outside_of_the_heap", should_reach_memory_outside_of_the_heap},
        {"should_keep_functions_of_the_program_with_the_rank",
         should_keep_functions_of_the_program_with_the_rank},
    };
    start_ranks(1);
    int rc = run_scenarios(all, sizeof all / sizeof *all, argc, argv);
    end_ranks();
    return rc;
}
