/* SPDX-License-Identifier: Apache-2.0 */
/* How large the BOX of an algorithm is. Ordinary collectives have boxes as long as the larger one
 * of IN and OUT. */
#include "base/test.h"
#include "base/status.h"
#include "sched/schedule.h"

#define MAX_RANKS 17

static const hy_way from_boxes = {.transfer = HY_TRANSFER_GET,
                                  .buffers = HY_BUFFERS_PREPARED,
                                  .sync = HY_SYNC_COUNTERS,
                                  .segment = HY_SEGMENT_NONE,
                                  .arity = 3};

static uint64_t larger_side(hy_shape shape)
{
    shape.rank = shape.root;
    uint64_t in = hy_region_bytes(&shape, HY_IN), out = hy_region_bytes(&shape, HY_OUT);
    return in > out ? in : out;
}

static uint64_t largest_box(const hy_algorithm *algorithm, hy_shape shape)
{
    uint64_t most = 0;
    for (shape.rank = 0; shape.rank < shape.size; shape.rank++) {
        hy_schedule schedule = {0};
        assert_ok(hy_schedule_build(&schedule, algorithm, &shape, &from_boxes));
        if (schedule.box_bytes > most) most = schedule.box_bytes;
        hy_schedule_release(&schedule);
    }
    return most;
}

static bool fetches_from_boxes(const hy_algorithm *algorithm, const hy_shape *shape)
{
    return algorithm->applies(shape) &&
           (hy_way_possible(algorithm, shape) & HY_WAY_GET_PREPARED) != 0;
}

/* In how many of some shapes it is larger. */
static int larger_boxes(const hy_algorithm *algorithm)
{
    int larger = 0;
    for (int size = 2; size <= MAX_RANKS; size++)
        for (uint64_t elements = 1; elements < 40; elements += 1 + elements / 3) {
            hy_shape shape = {.coll = algorithm->coll,
                              .size = size,
                              .bytes = elements * 8,
                              .unit = 8,
                              .wired = true};
            if (hy_coll_has_root(shape.coll)) shape.root = size / 2;
            if (fetches_from_boxes(algorithm, &shape))
                larger += largest_box(algorithm, shape) > larger_side(shape);
        }
    return larger;
}

TEST(should_say_of_each_algorithm_whether_its_box_is_larger_than_a_side)
{
    int large = 0;
    for (const hy_algorithm *const *a = hy_algorithms; *a; a++) {
        bool said = (*a)->traits & HY_TRAIT_LARGE_BOX, is = larger_boxes(*a) > 0;
        if (said != is) fail_msg("%s %s: %d", hy_coll_name((*a)->coll), (*a)->name, is);
        large += is;
    }
    assert_true(large > 0);
}

TEST(should_have_fewer_boxes_the_longer_they_are)
{
    hy_shape shape = {.coll = HY_COLL_ALLREDUCE, .size = 4, .bytes = 2048, .unit = 8};
    assert_int_equal(hy_box_units(&shape), 1);
    shape.bytes += 8;
    assert_int_equal(hy_box_units(&shape), 2);
    shape.bytes = 4096 + 8;
    assert_int_equal(hy_box_units(&shape), 4);
    shape.bytes = HY_SCHED_BOX;
    assert_int_equal(hy_box_units(&shape), 8);
    shape.coll = HY_COLL_ALLGATHER; /* OUT is what counts */
    shape.bytes = 520;
    assert_int_equal(hy_box_units(&shape), 2);
}

int main(void)
{
    return tests_run();
}
