/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/status.h"
#include "sched/builder.h"
#include "sched/cost.h"

static const char *choice(hy_coll coll, int ranks, int cpus, uint64_t bytes)
{
    const hy_cost_model model = hy_cost_default(cpus);
    const hy_shape shape = {.coll = coll, .size = ranks, .bytes = bytes, .unit = 8};
    return hy_algorithm_choose(&model, &shape)->name;
}

static void should_choose_the_cheapest_algorithm_on_cores_of_their_own(void **state)
{
    (void)state;
    assert_string_equal(choice(HY_COLL_ALLREDUCE, 2, 2, 8), "exchange");
    assert_string_equal(choice(HY_COLL_ALLREDUCE, 2, 2, 8192), "slices");
    assert_string_equal(choice(HY_COLL_ALLREDUCE, 2, 2, 262144), "slices");
    assert_string_equal(choice(HY_COLL_ALLREDUCE, 64, 64, 8), "recursive_doubling");
    assert_string_equal(choice(HY_COLL_BCAST, 2, 2, 64), "flat");
    assert_string_equal(choice(HY_COLL_BCAST, 2, 2, 8192), "flat_get");
    assert_string_equal(choice(HY_COLL_BCAST, 4, 4, 8192), "flat_get");
    assert_string_equal(choice(HY_COLL_BCAST, 64, 64, 8), "binomial");
    assert_string_equal(choice(HY_COLL_BCAST, 64, 64, 8 << 20), "scatter_get");
    assert_string_equal(choice(HY_COLL_REDUCE, 64, 64, 8), "binomial");
    assert_string_equal(choice(HY_COLL_REDUCE, 4, 4, 1 << 20), "slices");
    assert_string_equal(choice(HY_COLL_BARRIER, 64, 64, 0), "dissemination");
}

static void should_choose_few_phases_when_ranks_share_cores(void **state)
{
    (void)state;
    assert_string_equal(choice(HY_COLL_BARRIER, 4, 2, 0), "flat");
    assert_string_equal(choice(HY_COLL_BARRIER, 8, 2, 0), "flat");
    assert_string_equal(choice(HY_COLL_ALLREDUCE, 4, 2, 8), "exchange");
    assert_string_equal(choice(HY_COLL_ALLREDUCE, 8, 2, 8), "exchange");
    assert_string_equal(choice(HY_COLL_ALLREDUCE, 8, 2, 262144), "slices");
    assert_string_equal(choice(HY_COLL_BCAST, 8, 2, 8), "flat");
    assert_string_equal(choice(HY_COLL_REDUCE, 8, 2, 8), "flat");
}

static void should_find_an_applicable_algorithm_for_every_shape(void **state)
{
    (void)state;
    const uint32_t units[] = {1, 8, 4096, 4097, 1u << 20};
    for (int coll = 0; coll < HY_COLL_COUNT; coll++)
        for (int size = 1; size < 40; size++)
            for (size_t u = 0; u < sizeof units / sizeof *units; u++)
                for (uint64_t elements = 0; elements < 3; elements++) {
                    const hy_shape shape = {.coll = (hy_coll)coll,
                                            .rank = size / 2,
                                            .size = size,
                                            .root = size - 1,
                                            .bytes = elements * units[u],
                                            .unit = units[u]};
                    const hy_cost_model model = hy_cost_default(3);
                    const hy_algorithm *algorithm = hy_algorithm_choose(&model, &shape);
                    assert_non_null(algorithm);
                    hy_schedule schedule;
                    assert_int_equal(hy_schedule_build(&schedule, algorithm, &shape), HAYATE_OK);
                    hy_schedule_release(&schedule);
                }
}

static void should_find_algorithms_by_collective_and_name(void **state)
{
    (void)state;
    for (const hy_algorithm *const *a = hy_algorithms; *a; a++) {
        assert_ptr_equal(hy_algorithm_find((*a)->coll, (*a)->name), *a);
        assert_true(strlen((*a)->title) > 0);
    }
    assert_ptr_not_equal(hy_algorithm_find(HY_COLL_BCAST, "flat"),
                         hy_algorithm_find(HY_COLL_BARRIER, "flat"));
    assert_null(hy_algorithm_find(HY_COLL_BARRIER, "slices"));
    assert_null(hy_algorithm_find(HY_COLL_BCAST, ""));
    assert_string_equal(hy_coll_name(HY_COLL_ALLREDUCE), "allreduce");
    assert_string_equal(hy_coll_name((hy_coll)77), "unknown collective");
}

static void should_cut_slices_that_cover_everything_once(void **state)
{
    (void)state;
    for (uint64_t elements = 0; elements < 30; elements++)
        for (int parts = 1; parts < 20; parts++) {
            uint64_t next = 0, off, len, most = 0, least = UINT64_MAX;
            for (int i = 0; i < parts; i++) {
                hy_slice(elements * 24, 24, parts, i, &off, &len);
                assert_int_equal(off, next);
                assert_int_equal(len % 24, 0);
                most = len > most ? len : most;
                least = len < least ? len : least;
                next = off + len;
            }
            assert_int_equal(next, elements * 24);
            assert_true(most - least <= 24);
        }
}

static void should_refuse_shapes_that_make_no_sense(void **state)
{
    (void)state;
    const hy_algorithm *flat = hy_algorithm_find(HY_COLL_BCAST, "flat");
    const hy_shape bad[] = {
        {.coll = HY_COLL_BCAST, .size = 0, .unit = 1},
        {.coll = HY_COLL_BCAST, .size = 2, .rank = 2, .unit = 1},
        {.coll = HY_COLL_BCAST, .size = 2, .rank = -1, .unit = 1},
        {.coll = HY_COLL_BCAST, .size = 2, .root = 2, .unit = 1},
        {.coll = HY_COLL_BCAST, .size = 2, .root = -1, .unit = 1},
        {.coll = HY_COLL_BCAST, .size = 2, .unit = 0},
        {.coll = HY_COLL_BCAST, .size = 2, .unit = 8, .bytes = 12},
        {.coll = HY_COLL_REDUCE, .size = 2, .unit = 8},
        {.coll = HY_COLL_COUNT, .size = 2, .unit = 8},
        {.coll = HY_COLL_BCAST, .size = 2, .unit = HY_SCHED_PAYLOAD + 1},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        hy_schedule schedule;
        assert_int_equal(hy_schedule_build(&schedule, flat, &bad[i]), HAYATE_ERR_ARGUMENT);
        assert_null(schedule.steps);
        assert_true(strlen(hayate_error()) > 0);
    }
    hy_schedule schedule;
    const hy_shape good = {.coll = HY_COLL_BCAST, .size = 2, .unit = 8, .bytes = 8};
    assert_int_equal(hy_schedule_build(&schedule, NULL, &good), HAYATE_ERR_ARGUMENT);
}

static void should_build_nothing_for_one_rank_or_no_data(void **state)
{
    (void)state;
    for (const hy_algorithm *const *a = hy_algorithms; *a; a++) {
        hy_shape shape = {.coll = (*a)->coll, .size = 1, .bytes = 64, .unit = 8};
        hy_schedule schedule;
        if ((*a)->applies(&shape)) {
            assert_int_equal(hy_schedule_build(&schedule, *a, &shape), HAYATE_OK);
            assert_int_equal(schedule.count, 0);
            hy_schedule_release(&schedule);
        }
        shape.size = 4;
        shape.bytes = 0;
        assert_int_equal(hy_schedule_build(&schedule, *a, &shape), HAYATE_OK);
        assert_int_equal(schedule.count > 0, shape.coll == HY_COLL_BARRIER);
        hy_schedule_release(&schedule);
    }
}

static void should_cut_payloads_into_pieces_of_whole_elements(void **state)
{
    (void)state;
    hy_schedule s = {.shape = {.size = 2, .unit = 24}};
    hy_emit_send(&s, 1, HY_AT(HY_OUT, 48), 24 * 400);
    hy_emit_send(&s, 1, HY_AT(HY_OUT, 0), 0);
    assert_int_equal(hy_emit_end(&s), HAYATE_OK);
    assert_int_equal(s.count, 3);
    assert_int_equal(s.steps[0].len, 4080);
    assert_int_equal(s.steps[1].local_off, 48 + 4080);
    assert_int_equal(s.steps[2].len, 24 * 400 - 2 * 4080);
    hy_schedule_release(&s);
}

static void should_remember_that_memory_ran_out(void **state)
{
    (void)state;
    hy_schedule s = {.shape = {.coll = HY_COLL_BCAST, .size = 2, .unit = 1}};
    hy_emit_signal(&s, 1);
    free(s.steps);
    s.steps = NULL;
    s.count = s.capacity = 1u << 30; /* as if that many steps had been emitted */
    hy_emit_signal(&s, 1);
    hy_emit_send(&s, 1, HY_AT(HY_OUT, 0), UINT64_MAX);
    assert_int_equal(hy_emit_end(&s), HAYATE_ERR_NO_MEMORY);
    assert_null(s.steps);
    assert_int_equal(s.count, 0);
    hy_schedule_release(&s);
}

static void should_charge_phases_and_work_for_shared_cores(void **state)
{
    (void)state;
    const hy_cost_model model = hy_cost_default(2);
    assert_true(hy_cost_phase(&model, 2) == model.latency);
    assert_true(hy_cost_phase(&model, 4) == model.latency + 2 * model.switch_time);
    assert_true(hy_cost_phase(&model, 5) == model.latency + 3 * model.switch_time);
    assert_true(hy_cost_parallel(&model, 2, 100) == 100);
    assert_true(hy_cost_parallel(&model, 8, 100) == 400);
    assert_int_equal(hy_cost_default(0).cpus, 1);
}

static void should_cost_more_for_more_bytes(void **state)
{
    (void)state;
    const hy_cost_model model = hy_cost_default(8);
    for (const hy_algorithm *const *a = hy_algorithms; *a; a++) {
        hy_shape shape = {.coll = (*a)->coll, .size = 6, .unit = 8};
        double last = 0;
        for (uint64_t bytes = 8; bytes <= 8 << 20; bytes *= 8) {
            shape.bytes = bytes;
            double cost = (*a)->cost(&model, &shape);
            assert_true(shape.coll == HY_COLL_BARRIER ? cost > 0 : cost > last);
            last = cost;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_choose_the_cheapest_algorithm_on_cores_of_their_own),
        cmocka_unit_test(should_choose_few_phases_when_ranks_share_cores),
        cmocka_unit_test(should_find_an_applicable_algorithm_for_every_shape),
        cmocka_unit_test(should_find_algorithms_by_collective_and_name),
        cmocka_unit_test(should_cut_slices_that_cover_everything_once),
        cmocka_unit_test(should_refuse_shapes_that_make_no_sense),
        cmocka_unit_test(should_build_nothing_for_one_rank_or_no_data),
        cmocka_unit_test(should_cut_payloads_into_pieces_of_whole_elements),
        cmocka_unit_test(should_remember_that_memory_ran_out),
        cmocka_unit_test(should_charge_phases_and_work_for_shared_cores),
        cmocka_unit_test(should_cost_more_for_more_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
