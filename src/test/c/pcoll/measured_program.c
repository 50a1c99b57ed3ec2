/* SPDX-License-Identifier: Apache-2.0 */
/* Operations that choose by measurement. Run by trial_test.c on 2 to 4 ranks. */
#include <hayate/pcoll.h>

#include "fmpl/scenario.h"

#include "coll/comm.h"

#define WORLD FMPL_COMM_WORLD
#define N 3000

static void must(int line, int rc)
{
    if (rc) check_failed(line, "must succeed", rc);
}
#define MUST(call) must(__LINE__, (call))

static bool is_measured(pcoll_t op)
{
    return strstr(pcoll_describe(op), " us measured") != NULL;
}

/* Its result is right in several runs. */
static void check_sum(pcoll_t op, int64_t *memory, int count)
{
    for (int run = 0; run < 3; run++) {
        for (int i = 0; i < count; i++) memory[i] = (int64_t)rank * 100 + i + run;
        MUST(pcoll_start(op));
        MUST(pcoll_wait(op));
        int64_t first = (int64_t)size * (size - 1) / 2 * 100 + (int64_t)run * size;
        CHECK(memory[0] == first && memory[count - 1] == first + (int64_t)(count - 1) * size);
    }
}

static void sum_in(bool heap, int count)
{
    int64_t *memory = (int64_t *)(void *)memory_of(heap, (uint64_t)count * sizeof *memory);
    pcoll_t op = PCOLL_NULL;
    MUST(pcoll_allreduce_init(memory, (size_t)count, FMPL_LONG_SUM, WORLD, "choice=measured", &op));
    CHECK(is_measured(op));
    check_sum(op, memory, count);
    MUST(pcoll_free(&op));
    memory_free(heap, memory);
}

SCENARIO_AS("memory", should_measure_in_the_heap_and_outside)
{
    sum_in(true, 1);
    sum_in(true, N);
    sum_in(false, 1);
    sum_in(false, N);
}

SCENARIO_AS("all", should_measure_every_collective)
{
    uint8_t *in = memory_of(true, (uint64_t)size * 256),
            *out = memory_of(true, (uint64_t)size * 256);
    pcoll_t ops[5];
    memset(in, rank + 1, (size_t)size * 256);
    MUST(pcoll_barrier_init(WORLD, "choice=measured", &ops[0]));
    MUST(pcoll_bcast_init(out, 256, 1, WORLD, "choice=measured", &ops[1]));
    MUST(pcoll_gather_init(in, 256, out, 0, WORLD, "choice=measured", &ops[2]));
    MUST(pcoll_allgather_init(in, 256, out, WORLD, "choice=measured", &ops[3]));
    MUST(pcoll_alltoall_init(in, out, 256, WORLD, "choice=measured", &ops[4]));
    for (int i = 0; i < 5; i++) {
        memset(out, i == 1 ? rank : 0, (size_t)size * 256);
        MUST(pcoll_start(ops[i]));
        MUST(pcoll_wait(ops[i]));
        if (i == 1) CHECK(out[0] == 1 && out[255] == 1);
        if (i > 2 || (i == 2 && rank == 0))
            for (int from = 0; from < size; from++)
                CHECK(out[from * 256] == from + 1 && out[from * 256 + 255] == from + 1);
        MUST(pcoll_free(&ops[i]));
    }
    memory_free(true, in);
    memory_free(true, out);
}

/* As long as no rank measures, it takes microseconds. */
SCENARIO_AS("once", should_measure_a_size_once_on_a_communicator)
{
    uint32_t before = hy_comm_find(hy_process_comms(), WORLD)->measured.count;
    sum_in(true, 500);
    uint32_t after = hy_comm_find(hy_process_comms(), WORLD)->measured.count;
    sum_in(true, 500);
    sum_in(true, 450);
    CHECK(after == before + 1);
    CHECK(hy_comm_find(hy_process_comms(), WORLD)->measured.count == after);
}

SCENARIO_AS("keep", should_keep_to_what_else_is_requested)
{
    int64_t *memory = (int64_t *)(void *)memory_of(true, N * sizeof *memory);
    pcoll_t op = PCOLL_NULL;
    MUST(pcoll_allreduce_init(memory, N, FMPL_LONG_SUM, WORLD,
                              "choice=measured algorithm=ring transfer=get", &op));
    CHECK(strstr(pcoll_describe(op), "allreduce ring"));
    CHECK(strstr(pcoll_describe(op), "get"));
    CHECK(is_measured(op)); /* its variants were compared */
    check_sum(op, memory, N);
    MUST(pcoll_free(&op));
    memory_free(true, memory);
}

static int calls;

static void longest(void *inout, const void *in, size_t count, void *context)
{
    (void)context;
    int64_t *mine = inout;
    const int64_t *theirs = in;
    calls++;
    for (size_t i = 0; i < count; i++)
        if (theirs[i] > mine[i]) mine[i] = theirs[i];
}

SCENARIO_AS("function", should_not_call_a_function_of_the_program_to_measure)
{
    int64_t *memory = (int64_t *)(void *)memory_of(true, N * sizeof *memory);
    pcoll_t op = PCOLL_NULL;
    fmpl_op_t function;
    int ier;
    CALL_OK(fmpl_function_create(longest, sizeof(int64_t), NULL, &function, &ier));
    calls = 0;
    MUST(pcoll_allreduce_init(memory, N, function, WORLD, "choice=measured", &op));
    CHECK(calls == 0 && is_measured(op));
    for (int i = 0; i < N; i++) memory[i] = rank + i;
    MUST(pcoll_start(op));
    MUST(pcoll_wait(op));
    CHECK(memory[0] == size - 1 && memory[N - 1] == size - 1 + N - 1);
    MUST(pcoll_free(&op));
    memory_free(true, memory);
}

/* It goes on as if nothing had happened. */
SCENARIO_AS("refuse", should_refuse_members_that_choose_differently)
{
    int64_t *memory = (int64_t *)(void *)memory_of(true, N * sizeof *memory);
    pcoll_t op = PCOLL_NULL;
    int rc = pcoll_allreduce_init(memory, N, FMPL_LONG_SUM, WORLD,
                                  rank == 0 ? "choice=measured" : "choice=predicted", &op);
    CHECK(rc == HAYATE_ERR_MISMATCH && strstr(hayate_error(), "passes other options"));
    MUST(pcoll_allreduce_init(memory, N, FMPL_LONG_SUM, WORLD, "choice=predicted", &op));
    CHECK(!is_measured(op));
    check_sum(op, memory, N);
    MUST(pcoll_free(&op));
    CHECK(pcoll_allreduce_init(memory, N, FMPL_LONG_SUM, WORLD, "choice=guessed", &op) ==
              HAYATE_ERR_ARGUMENT &&
          strstr(hayate_error(), "expected one of auto, predicted, measured"));
    memory_free(true, memory);
}

int main(int argc, char **argv)
{
    return ranks_run_scenarios(2, argc, argv);
}
