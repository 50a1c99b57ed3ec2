/* SPDX-License-Identifier: Apache-2.0 */
/* Trials: which candidates there are, and that all of them can be timed, alike on all ranks. Run by
 * trial_test.c on 2 to 4 ranks. */
#include <math.h>

#include "fmpl/scenario.h"
#include "pcoll/trial.h"

static hy_trial *trial_of(hy_coll coll, uint64_t bytes, bool fresh)
{
    hy_trial *trial = NULL;
    CHECK(hy_trial_open(hy_process_comms(), FMPL_COMM_WORLD, coll, bytes, fresh, &trial) ==
          HAYATE_OK);
    return trial;
}

static double least_on_all(double value)
{
    int ier;
    CALL_OK(fmpl_allreduce(&value, 1, FMPL_DOUBLE_ABS_MIN, FMPL_COMM_WORLD, NULL, &ier));
    return value;
}

static void time_all(hy_coll coll, uint64_t bytes, bool fresh)
{
    hy_trial *trial = trial_of(coll, bytes, fresh);
    hy_trial_time time;
    for (int i = 0; i < hy_trial_count(trial); i++) {
        CHECK(hy_trial_run(trial, i, 1, 3, 2, &time) == HAYATE_OK);
        CHECK(isfinite(time.ns) && time.ns > 0 && time.clock > 0);
        CHECK(least_on_all(time.ns) == time.ns && -least_on_all(-time.ns) == time.ns);
    }
    hy_trial_close(trial);
}

SCENARIO_AS("all", should_time_every_candidate_alike_on_all_ranks)
{
    for (int coll = 0; coll < HY_COLL_COUNT; coll++) time_all((hy_coll)coll, 64, coll % 2);
    time_all(HY_COLL_ALLREDUCE, 4, true);
    time_all(HY_COLL_BCAST, 40000, true);
    time_all(HY_COLL_ALLREDUCE, 40000, false);
}

SCENARIO_AS("list", should_list_the_fastest_first_and_none_twice)
{
    char one[160], other[160];
    hy_trial *trial = trial_of(HY_COLL_ALLGATHER, 4096, true);
    int count = hy_trial_count(trial);
    CHECK(count > 1);
    for (int i = 0; i < count; i++) {
        CHECK(hy_trial_options(trial, i, one, sizeof one) > 0);
        CHECK(i == 0 || hy_trial_candidate(trial, i - 1)->ns <= hy_trial_candidate(trial, i)->ns);
        for (int j = 0; j < i; j++) {
            hy_trial_options(trial, j, other, sizeof other);
            CHECK(strcmp(one, other) != 0);
        }
    }
    hy_trial_close(trial);
}

SCENARIO_AS("chosen", should_know_what_init_would_choose)
{
    const char *words[] = {NULL, "transfer=put", "transfer=get"};
    hy_trial *trial = trial_of(HY_COLL_BCAST, 10000, true);
    uint8_t *memory = memory_of(true, 10000);
    for (int transfer = 0; transfer < 3; transfer++) {
        hy_pcoll *op;
        const hy_pcoll_call call = {.arguments = {.coll = HY_COLL_BCAST,
                                                  .out = {.address = memory},
                                                  .count = 10000,
                                                  .in_limit = -1,
                                                  .out_limit = -1},
                                    .options = words[transfer]};
        int chosen = hy_trial_chosen(trial, (hy_transfer)transfer);
        CHECK(chosen >= 0 && chosen < hy_trial_count(trial));
        const hy_choice *choice = hy_trial_candidate(trial, chosen);
        CHECK(!transfer || choice->way.transfer == transfer);
        CHECK(hy_pcoll_init(hy_process_comms(), FMPL_COMM_WORLD, &call, &op) == HAYATE_OK);
        CHECK(strstr(hy_pcoll_describe(op), choice->algorithm->name));
        CHECK(hy_pcoll_free(op) == HAYATE_OK);
    }
    hy_trial_close(trial);
}

SCENARIO_AS("refuse", should_refuse_what_is_no_candidate)
{
    hy_trial_time time;
    hy_trial *trial = trial_of(HY_COLL_BARRIER, 0, true);
    CHECK(hy_trial_run(trial, -1, 1, 1, 1, &time) == HAYATE_ERR_ARGUMENT);
    CHECK(hy_trial_run(trial, hy_trial_count(trial), 1, 1, 1, &time) == HAYATE_ERR_ARGUMENT);
    CHECK(hy_trial_run(trial, 0, 1, 0, 1, &time) == HAYATE_ERR_ARGUMENT);
    CHECK(hy_trial_run(trial, 0, 1, HY_TRIAL_BATCHES + 1, 1, &time) == HAYATE_ERR_ARGUMENT);
    CHECK(hy_trial_run(trial, 0, 1, 1, 0, &time) == HAYATE_ERR_ARGUMENT);
    hy_trial_close(trial);
    CHECK(hy_trial_open(hy_process_comms(), FMPL_COMM_WORLD, HY_COLL_ALLREDUCE, 6, true, &trial) ==
          HAYATE_ERR_ARGUMENT);
}

static uint64_t heap_used(void)
{
    return hy_process_comms()->job->heap.used;
}

SCENARIO_AS("heap", should_leave_nothing_in_the_heap)
{
    time_all(HY_COLL_ALLTOALL, 3000, true); /* what stays is there from now on */
    uint64_t before = heap_used();
    for (int i = 0; i < 5; i++) time_all(HY_COLL_ALLTOALL, 3000, true);
    CHECK(heap_used() <= before + 65536); /* the last ones wait for their peers */
}

int main(int argc, char **argv)
{
    return ranks_run_scenarios(2, argc, argv);
}
