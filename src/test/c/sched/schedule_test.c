/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes, and building schedules of them. */
#include <stdlib.h>
#include <string.h>

#include "base/test.h"
#include "base/status.h"
#include "sched/builder.h"

static void says(const char *words)
{
    if (!strstr(hayate_error(), words))
        fail_msg("\"%s\" does not say \"%s\"", hayate_error(), words);
}

/* ---- names ---- */

TEST(should_name_collectives_and_find_them_again)
{
    for (int i = 0; i < HY_COLL_COUNT; i++) {
        hy_coll coll = HY_COLL_COUNT;
        assert_true(hy_coll_find(hy_coll_name((hy_coll)i), &coll));
        assert_int_equal(coll, i);
    }
    hy_coll coll = HY_COLL_BCAST;
    assert_false(hy_coll_find("", &coll));
    assert_false(hy_coll_find("ALLREDUCE", &coll));
    assert_int_equal(coll, HY_COLL_BCAST);
    assert_string_equal(hy_coll_name(HY_COLL_REDUCE_SCATTER), "reduce_scatter");
    assert_string_equal(hy_coll_name((hy_coll)77), "unknown collective");
    assert_string_equal(hy_coll_name((hy_coll)-1), "unknown collective");
}

TEST(should_know_which_collectives_have_roots_and_reductions)
{
    const char *const rooted = "bcast reduce gather scatter";
    const char *const reducing = "reduce allreduce reduce_scatter scan exscan";
    for (int i = 0; i < HY_COLL_COUNT; i++) {
        const char *name = hy_coll_name((hy_coll)i);
        bool listed = strstr(reducing, name) != NULL && i != HY_COLL_SCATTER;
        assert_int_equal(hy_coll_has_root((hy_coll)i), strstr(rooted, name) != NULL);
        assert_int_equal(hy_coll_reduces((hy_coll)i), listed);
    }
}

/* ---- shapes ---- */

typedef struct bad_shape {
    hy_shape shape;
    const char *words;
} bad_shape;

static const hy_block four_blocks[] = {{0, 8}, {8, 24}, {32, 0}, {40, 16}};
static const hy_block cut_blocks[] = {{0, 8}, {8, 12}};
static const hy_block off_blocks[] = {{0, 8}, {4, 8}};
static const hy_block far_blocks[] = {{0, 8}, {INT64_MAX - 7, 8}};

#define UNEVEN .unit = 8, .bytes = 8, .uneven = true

static const bad_shape bad_shapes[] = {
    {{.coll = HY_COLL_COUNT, .size = 2, .unit = 8}, "collective number 11 is unknown"},
    {{.coll = (hy_coll)-1, .size = 2, .unit = 8}, "collective number -1 is unknown"},
    {{.coll = HY_COLL_BCAST, .size = 0, .unit = 1}, "a communicator of 0"},
    {{.coll = HY_COLL_BCAST, .size = 2, .rank = 2, .unit = 1}, "rank 2 and root 0"},
    {{.coll = HY_COLL_BCAST, .size = 2, .rank = -1, .unit = 1}, "rank -1 and root 0"},
    {{.coll = HY_COLL_BCAST, .size = 2, .root = 2, .unit = 1}, "rank 0 and root 2"},
    {{.coll = HY_COLL_BCAST, .size = 2, .root = -1, .unit = 1}, "rank 0 and root -1"},
    {{.coll = HY_COLL_BCAST, .size = 2, .unit = 0}, "whole elements of 0 B"},
    {{.coll = HY_COLL_BCAST, .size = 2, .unit = 8, .bytes = 12}, "12 B are not whole elements"},
    {{.coll = HY_COLL_ALLTOALL, .size = 4, .unit = 1, .bytes = UINT64_C(1) << 61},
     "more than can be addressed"},
    {{.coll = HY_COLL_BCAST, .size = 2, UNEVEN}, "bcast has no blocks that could be uneven"},
    {{.coll = HY_COLL_ALLGATHER, .size = 4, .unit = 8, .bytes = 8, .out_blocks = four_blocks},
     "expected for uneven shapes only"},
    {{.coll = HY_COLL_ALLGATHER, .size = 4, UNEVEN}, "OUT has no blocks"},
    {{.coll = HY_COLL_ALLTOALL, .size = 4, UNEVEN, .out_blocks = four_blocks}, "IN has no blocks"},
    {{.coll = HY_COLL_SCATTER, .size = 4, UNEVEN}, "IN has no blocks"},
    {{.coll = HY_COLL_ALLGATHER, .size = 4, .rank = 1, UNEVEN, .out_blocks = four_blocks},
     "this rank's block 1 of OUT has 24 B, expected the 8 B"},
    {{.coll = HY_COLL_ALLGATHER, .size = 2, UNEVEN, .out_blocks = cut_blocks},
     "block 1 of OUT (12 B at 8)"},
    {{.coll = HY_COLL_REDUCE_SCATTER, .size = 2, UNEVEN, .in_blocks = off_blocks},
     "block 1 of IN (8 B at 4)"},
    {{.coll = HY_COLL_ALLGATHER, .size = 2, UNEVEN, .out_blocks = far_blocks}, "block 1 of OUT"},
};

TEST(should_refuse_shapes_that_make_no_sense_in_words)
{
    const hy_algorithm *any = hy_algorithms[0];
    for (size_t i = 0; i < sizeof bad_shapes / sizeof *bad_shapes; i++) {
        hy_schedule schedule;
        assert_refused(hy_shape_check(&bad_shapes[i].shape), HAYATE_ERR_ARGUMENT,
                       bad_shapes[i].words);
        assert_code(hy_schedule_build(&schedule, any, &bad_shapes[i].shape, NULL),
                    HAYATE_ERR_ARGUMENT);
        assert_null(schedule.steps);
    }
}

TEST(should_not_ask_for_blocks_of_a_side_that_is_another_rank_s)
{
    hy_shape shape = {.coll = HY_COLL_SCATTER, .size = 4, .root = 1, .unit = 8, .uneven = true};
    assert_ok(hy_shape_check(&shape));
    shape.coll = HY_COLL_GATHER;
    assert_ok(hy_shape_check(&shape));
    shape.rank = 1;
    assert_code(hy_shape_check(&shape), HAYATE_ERR_ARGUMENT);
    shape.out_blocks = four_blocks;
    shape.bytes = 24;
    assert_ok(hy_shape_check(&shape));
}

typedef struct region_row {
    hy_coll coll;
    uint64_t root_in, root_out, other_in, other_out;
} region_row;

TEST(should_know_how_much_the_caller_gives)
{
    const region_row rows[] = {
        {HY_COLL_BARRIER, 0, 0, 0, 0},
        {HY_COLL_BCAST, 0, 24, 0, 24},
        {HY_COLL_REDUCE, 0, 24, 0, 24},
        {HY_COLL_ALLREDUCE, 0, 24, 0, 24},
        {HY_COLL_GATHER, 24, 120, 24, 0},
        {HY_COLL_SCATTER, 120, 24, 0, 24},
        {HY_COLL_ALLGATHER, 24, 120, 24, 120},
        {HY_COLL_ALLTOALL, 120, 120, 120, 120},
        {HY_COLL_REDUCE_SCATTER, 120, 24, 120, 24},
        {HY_COLL_SCAN, 24, 24, 24, 24},
        {HY_COLL_EXSCAN, 24, 24, 24, 24},
    };
    assert_int_equal(sizeof rows / sizeof *rows, HY_COLL_COUNT);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hy_shape shape = {.coll = rows[i].coll, .size = 5, .root = 3, .bytes = 24, .unit = 8};
        assert_int_equal(hy_region_bytes(&shape, HY_IN), rows[i].other_in);
        assert_int_equal(hy_region_bytes(&shape, HY_OUT), rows[i].other_out);
        shape.rank = 3;
        assert_int_equal(hy_region_bytes(&shape, HY_IN), rows[i].root_in);
        assert_int_equal(hy_region_bytes(&shape, HY_OUT), rows[i].root_out);
        assert_int_equal(hy_region_bytes(&shape, HY_TMP), 0);
    }
}

TEST(should_end_uneven_regions_with_the_last_block_that_has_data)
{
    static const hy_block blocks[] = {{16, 8}, {80, 0}, {0, 8}, {48, 16}};
    hy_shape shape = {.coll = HY_COLL_ALLTOALL, .size = 4, .bytes = 8, .unit = 8, .uneven = true};
    shape.in_blocks = four_blocks;
    shape.out_blocks = blocks;
    assert_int_equal(hy_region_bytes(&shape, HY_IN), 56);
    assert_int_equal(hy_region_bytes(&shape, HY_OUT), 64);
}

/* ---- building ---- */

TEST(should_refuse_algorithms_that_do_not_fit_in_words)
{
    const hy_algorithm *doubling = hy_algorithm_find(HY_COLL_ALLGATHER, "recursive_doubling");
    hy_shape shape = {.coll = HY_COLL_ALLGATHER, .size = 6, .bytes = 8, .unit = 8};
    hy_schedule schedule;
    assert_refused(hy_schedule_build(&schedule, NULL, &shape, NULL), HAYATE_ERR_ARGUMENT,
                   "allgather: no algorithm given");
    assert_refused(hy_schedule_build(&schedule, doubling, &shape, NULL), HAYATE_ERR_ARGUMENT,
                   "recursive_doubling does not apply to 6 ranks");
    says("a power of two of ranks");
    shape.size = 4;
    assert_ok(hy_schedule_build(&schedule, doubling, &shape, NULL));
    hy_schedule_release(&schedule);
    shape.uneven = true;
    shape.out_blocks = four_blocks;
    assert_refused(hy_schedule_build(&schedule, doubling, &shape, NULL), HAYATE_ERR_ARGUMENT,
                   "needs blocks of equal length");
    shape = (hy_shape){.coll = HY_COLL_ALLTOALL, .size = 4, .bytes = 8, .unit = 8};
    assert_refused(hy_schedule_build(&schedule, doubling, &shape, NULL), HAYATE_ERR_ARGUMENT,
                   "is for allgather, not for alltoall");
}

TEST(should_refuse_ways_that_the_algorithm_has_not)
{
    const hy_algorithm *linear = hy_algorithm_find(HY_COLL_ALLGATHER, "linear");
    const hy_shape shape = {.coll = HY_COLL_ALLGATHER, .size = 4, .bytes = 8, .unit = 8};
    const hy_way boxed = {.transfer = HY_TRANSFER_GET, .buffers = HY_BUFFERS_PREPARED};
    hy_schedule schedule;
    assert_refused(
        hy_schedule_build(&schedule, linear, &shape, &boxed), HAYATE_ERR_ARGUMENT,
        "it supports: put straight counters, get straight counters, put prepared counters");
    assert_null(schedule.steps);
}

TEST(should_put_the_own_uneven_block_in_its_place)
{
    static const hy_block in = {16, 24}, out = {8, 24};
    const hy_shape shape = {.coll = HY_COLL_ALLTOALL,
                            .size = 1,
                            .bytes = 24,
                            .unit = 8,
                            .uneven = true,
                            .in_blocks = &in,
                            .out_blocks = &out};
    hy_schedule schedule;
    const hy_algorithm *linear = hy_algorithm_find(HY_COLL_ALLTOALL, "linear");
    assert_ok(hy_schedule_build(&schedule, linear, &shape, NULL));
    assert_int_equal(schedule.count, 1);
    assert_int_equal(schedule.steps[0].local_off, 8);
    assert_int_equal(schedule.steps[0].remote_off, 16);
    hy_schedule_release(&schedule);
}

TEST(should_leave_long_schedules_early)
{
    const hy_algorithm *ring = hy_algorithm_find(HY_COLL_ALLGATHER, "ring");
    const hy_shape shape = {
        .coll = HY_COLL_ALLGATHER, .rank = 77, .size = 1000000, .bytes = 1 << 20, .unit = 8};
    const hy_way way = {.segment = 8}; /* 10^11 steps */
    hy_schedule schedule = {0};
    assert_ok(hy_schedule_window(&schedule, ring, &shape, &way, 1000, 100));
    assert_int_equal(schedule.count, 100);
    assert_in_range(schedule.emitted, 1100, 1110);
    hy_schedule_release(&schedule);
}

TEST(should_keep_the_memory_from_window_to_window)
{
    const hy_algorithm *ring = hy_algorithm_find(HY_COLL_ALLGATHER, "ring");
    const hy_shape shape = {.coll = HY_COLL_ALLGATHER, .size = 100, .bytes = 8, .unit = 8};
    hy_schedule schedule = {0};
    assert_ok(hy_schedule_window(&schedule, ring, &shape, NULL, 0, 16));
    const hy_step *steps = schedule.steps;
    assert_ok(hy_schedule_window(&schedule, ring, &shape, NULL, 16, 16));
    assert_ptr_equal(schedule.steps, steps);
    assert_code(hy_schedule_window(&schedule, NULL, &shape, NULL, 32, 16), HAYATE_ERR_ARGUMENT);
    assert_ptr_equal(schedule.steps, steps); /* still its owner's */
    hy_schedule_release(&schedule);
}

/* ---- runs ahead ---- */

TEST(should_let_ranks_run_further_ahead_with_less_data)
{
    const struct {
        hy_coll coll;
        int ranks;
        uint64_t bytes;
        uint32_t depth;
    } cases[] = {
        {HY_COLL_BCAST, 8, 4, 32},      {HY_COLL_BCAST, 8, 4096, 32},
        {HY_COLL_BCAST, 8, 4104, 16},   {HY_COLL_BCAST, 8, 8192, 16},
        {HY_COLL_REDUCE, 8, 16384, 8},  {HY_COLL_REDUCE, 8, 32768, 4},
        {HY_COLL_GATHER, 8, 512, 32},   {HY_COLL_GATHER, 8, 1024, 16},
        {HY_COLL_SCATTER, 8, 1, 32},    {HY_COLL_SCATTER, 8, UINT64_C(1) << 61, 4},
        {HY_COLL_BARRIER, 8, 0, 4},     {HY_COLL_ALLREDUCE, 8, 8, 4},
        {HY_COLL_REDUCE, 64, 8, 32},    {HY_COLL_REDUCE, 128, 8, 16},
        {HY_COLL_BCAST, 1 << 20, 8, 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const hy_shape shape = {
            .coll = cases[i].coll, .size = cases[i].ranks, .bytes = cases[i].bytes, .unit = 1};
        assert_int_equal(hy_wired_depth(&shape), cases[i].depth);
    }
    const hy_shape uneven = {
        .coll = HY_COLL_GATHER, .size = 8, .bytes = 8, .unit = 8, .uneven = true};
    assert_int_equal(hy_wired_depth(&uneven), HY_WIRED_DEPTH);
}

int main(void)
{
    return tests_run();
}
