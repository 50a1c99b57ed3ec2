/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules that were built before are found again, and do not become ever more. */
#include <stdlib.h>

#include "base/test.h"
#include "coll/collective.h"
#include "init/join.h"

static hy_plans plans;

static int tear_down(void **state)
{
    (void)state;
    hy_plans_release(&plans);
    assert_int_equal(plans.count, 0);
    assert_int_equal(plans.steps, 0);
    return 0;
}

static hy_shape shape_of(uint64_t bytes, int root)
{
    return (hy_shape){.coll = HY_COLL_BCAST, .size = 8, .root = root, .bytes = bytes, .unit = 1};
}

static hy_plan *add(const hy_shape *shape, const char *algorithm, bool shared)
{
    hy_schedule schedule;
    hy_plan *plan = NULL;
    assert_null(hy_plans_find(&plans, shape, (hy_plan_wish){.shared = shared}));
    assert_ok(hy_schedule_build(&schedule, hy_algorithm_find(shape->coll, algorithm), shape,
                                &(hy_way){0}));
    assert_ok(hy_plans_add(&plans, &schedule, (hy_plan_wish){.shared = shared}, &plan));
    assert_ptr_equal(hy_plans_find(&plans, shape, (hy_plan_wish){.shared = shared}), plan);
    return plan;
}

/* As many as fit, all of one chain. */
TEST(should_keep_shapes_that_fall_into_one_chain)
{
    static hy_plan *found[HY_PLANS];
    static hy_shape shapes[HY_PLANS];
    int count = 0;
    for (uint64_t bytes = 1; count < HY_PLANS; bytes++) {
        hy_shape shape = shape_of(bytes, 3);
        if (hy_plan_hash(shape.coll, shape.root, shape.unit, shape.bytes) % HY_PLANS_CHAINS != 5)
            continue;
        shapes[count] = shape;
        found[count++] = add(&shape, "binomial", false);
    }
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < HY_PLANS; i++)
            assert_ptr_equal(hy_plans_find(&plans, &shapes[i], (hy_plan_wish){0}), found[i]);
    }
    assert_int_equal(plans.count, HY_PLANS);
}

TEST(should_tell_apart_all_that_a_schedule_depends_on)
{
    hy_shape first = shape_of(64, 0), root = shape_of(64, 1), bytes = shape_of(72, 0), unit = first,
             coll = first;
    unit.unit = 8;
    coll.coll = HY_COLL_ALLREDUCE;
    const hy_plan *made[] = {add(&first, "binomial", false), add(&root, "binomial", false),
                             add(&bytes, "binomial", false), add(&unit, "binomial", false),
                             add(&coll, "ring", false),      add(&first, "linear", true)};
    const hy_shape *shapes[] = {&first, &root, &bytes, &unit, &coll, &first};
    for (int i = 0; i < 6; i++)
        assert_ptr_equal(hy_plans_find(&plans, shapes[i], (hy_plan_wish){.shared = i == 5}),
                         made[i]);
}

TEST(should_make_room_for_a_shape_by_the_one_used_longest_ago)
{
    for (int i = 0; i < HY_PLANS; i++) {
        hy_shape shape = shape_of((uint64_t)i + 1, 0);
        add(&shape, "binomial", false);
    }
    hy_shape first = shape_of(1, 0), second = shape_of(2, 0), third = shape_of(3, 0);
    assert_non_null(hy_plans_find(&plans, &first, (hy_plan_wish){0}));
    hy_shape more = shape_of(100000, 0);
    add(&more, "binomial", false);
    assert_int_equal(plans.count, HY_PLANS);
    assert_non_null(hy_plans_find(&plans, &first, (hy_plan_wish){0}));
    assert_null(hy_plans_find(&plans, &second, (hy_plan_wish){0}));
    assert_non_null(hy_plans_find(&plans, &third, (hy_plan_wish){0}));
}

/* Of many ranks a schedule is long. */
TEST(should_bound_the_steps_of_all)
{
    uint64_t longest = 0;
    for (int i = 0; i < HY_PLANS; i++) {
        const hy_shape shape = {
            .coll = HY_COLL_ALLREDUCE, .size = 512, .bytes = 4096 + 8 * (uint64_t)i, .unit = 8};
        const hy_plan *plan = add(&shape, "ring", false);
        longest = plan->schedule.count;
        assert_true(plans.steps <= HY_PLANS_STEPS);
    }
    assert_true(plans.count < HY_PLANS);
    assert_true(plans.steps + longest > HY_PLANS_STEPS); /* it is used */
    const hy_shape huge = {
        .coll = HY_COLL_ALLREDUCE, .size = 1 << 16, .bytes = UINT64_C(8) << 16, .unit = 8};
    assert_true(add(&huge, "ring", false)->schedule.count > HY_PLANS_STEPS);
    assert_int_equal(plans.count, 1);
}

/* ---- uneven shapes ---- */

static hy_shape uneven_shape(const hy_block *blocks)
{
    return (hy_shape){.coll = HY_COLL_ALLGATHER,
                      .size = 4,
                      .unit = 1,
                      .bytes = blocks[0].len,
                      .uneven = true,
                      .out_blocks = blocks};
}

static hy_plan *add_uneven(const hy_shape *shape)
{
    hy_schedule schedule;
    hy_plan *plan = NULL;
    assert_null(hy_plans_find_uneven(&plans, shape, (hy_plan_wish){0}));
    assert_ok(hy_schedule_build(&schedule, hy_algorithm_find(shape->coll, "linear"), shape,
                                &(hy_way){0}));
    assert_ok(hy_plans_add(&plans, &schedule, (hy_plan_wish){0}, &plan));
    return plan;
}

/* The caller's blocks may change as soon as the plan is there. */
TEST(should_compare_copies_of_uneven_blocks)
{
    hy_block blocks[] = {{0, 8}, {8, 16}, {24, 0}, {24, 8}},
             others[] = {{0, 8}, {8, 16}, {24, 0}, {32, 8}};
    const hy_shape shape = uneven_shape(blocks), other = uneven_shape(others);
    hy_plan *first = add_uneven(&shape), *second = add_uneven(&other);
    assert_ptr_not_equal(first->schedule.shape.out_blocks, blocks);
    assert_ptr_equal(hy_plans_find_uneven(&plans, &shape, (hy_plan_wish){0}), first);
    assert_int_not_equal(first->hash, second->hash); /* all members know these blocks */
    blocks[3].off = 32;
    assert_ptr_equal(hy_plans_find_uneven(&plans, &shape, (hy_plan_wish){0}), second);
    blocks[3].off = 40;
    assert_null(hy_plans_find_uneven(&plans, &shape, (hy_plan_wish){0}));
}

/* The cookie is made of it, so it must be the same on members that know other blocks. */
TEST(should_hash_what_all_members_know)
{
    static const hy_block to[] = {{0, 8}, {8, 16}}, from[] = {{0, 8}, {8, 0}};
    const hy_block *sides[] = {to, from};
    uint32_t hashes[2];
    for (int rank = 0; rank < 2; rank++) {
        const hy_shape shape = {.coll = HY_COLL_ALLTOALL,
                                .size = 2,
                                .unit = 1,
                                .bytes = 8,
                                .uneven = true,
                                .in_blocks = sides[rank],
                                .out_blocks = sides[rank]};
        hashes[rank] = add_uneven(&shape)->hash;
    }
    assert_int_equal(hashes[0], hashes[1]);
}

TEST(should_bound_the_number_of_uneven_shapes)
{
    for (uint64_t i = 0; i < 2 * HY_PLANS; i++) {
        const hy_block blocks[] = {{0, 8}, {8, i}, {8 + i, 0}, {8 + i, 8}};
        const hy_shape shape = uneven_shape(blocks);
        add_uneven(&shape);
        assert_true(plans.count <= HY_PLANS);
    }
}

/* ---- of a communicator ---- */

static void broadcast(hy_comms *comms, int64_t bytes)
{
    static uint8_t data[4096];
    const hy_collective_call call = {
        .coll = HY_COLL_BCAST, .buffer = {.address = data}, .count = bytes};
    assert_ok(hy_collective(comms, FMPL_COMM_WORLD, &call, false));
}

TEST(should_build_each_shape_once_however_they_alternate)
{
    enum { SHAPES = 100, ROUNDS = 20 };
    const hy_schedule *made[SHAPES];
    hy_comms *comms;
    hy_job *job;
    setenv("HAYATE_HEAP", "4M", 1);
    assert_ok(hy_job_open(&job));
    assert_ok(hy_comms_open(&comms, job, 100));
    hy_comm *world = hy_comm_find(comms, FMPL_COMM_WORLD);
    int before = world->plans.count;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < SHAPES; i++) {
            broadcast(comms, 8 + 8 * i);
            if (round == 0) made[i] = world->exec.schedule;
            assert_ptr_equal(world->exec.schedule, made[i]);
        }
        assert_int_equal(world->plans.count, before + SHAPES);
    }
    hy_comms_close(comms);
    hy_comms_free(comms);
    hy_job_close(job);
    hy_job_free(job);
}

int main(void)
{
    tests_each(NULL, tear_down);
    return tests_run();
}
