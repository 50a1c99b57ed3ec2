/* SPDX-License-Identifier: Apache-2.0 */
/* Choices between algorithms of one level and of two, where there are several nodes. */
#include <stdlib.h>
#include <string.h>

#include "base/test.h"
#include "choose/choose_fixture.h"
#include "sched/maps_fixture.h"

static const hy_coll levelled[] = {HY_COLL_BARRIER,   HY_COLL_BCAST,  HY_COLL_REDUCE,
                                   HY_COLL_ALLREDUCE, HY_COLL_GATHER, HY_COLL_SCATTER,
                                   HY_COLL_ALLGATHER};

#define LEVELLED (sizeof levelled / sizeof levelled[0])

/* The first of the list, and of two levels if it is so much better than the best of one. */
static bool check_levels(const hy_model *model, const hy_shape *shape)
{
    hy_choice list[HY_CHOICES_MAX], best = chosen(model, shape, NULL);
    int count = hy_choose_all(model, &(hy_request){.shape = *shape}, list), both = 0;
    assert_same(&best, &list[0]);
    for (int i = 0; i < count; i++) both += (list[i].algorithm->traits & HY_TRAIT_PARTS) != 0;
    assert_int_equal(both, 1);
    return best.algorithm->traits & HY_TRAIT_PARTS;
}

TEST(should_let_one_rank_of_each_node_speak_where_that_is_cheaper)
{
    hy_nodes *blocks = nodes_of(32, 8), *cyclic = nodes_by(CYCLIC_ON_5, 32);
    hy_model model = hy_model_default(8);
    for (int net = 0; net < HY_NETS; net++)
        for (size_t i = 0; i < LEVELLED; i++)
            for (int map = 0; map < 2; map++) {
                hy_shape shape = shape_of(levelled[i], 32, 64);
                shape.nodes = map ? cyclic : blocks;
                model.net = (hy_net_class)net;
                assert_true(check_levels(&model, &shape));
                shape.wired = false;
                check_levels(&model, &shape);
                shape.bytes = 1 << 20;
                check_levels(&model, &shape);
            }
    hy_nodes_free(blocks);
    hy_nodes_free(cyclic);
}

/* Leaders of an alltoall copy every block twice more. */
TEST(should_let_leaders_exchange_short_blocks_only)
{
    hy_nodes *blocks = nodes_of(32, 8), *cyclic = nodes_by(CYCLIC_ON_5, 32);
    hy_model model = hy_model_default(8);
    for (int net = 0; net < HY_NETS; net++)
        for (int map = 0; map < 2; map++) {
            hy_shape shape = shape_of(HY_COLL_ALLTOALL, 32, 8);
            shape.nodes = map ? cyclic : blocks;
            model.net = (hy_net_class)net;
            assert_true(check_levels(&model, &shape));
            shape.bytes = 1 << 14;
            assert_false(check_levels(&model, &shape));
        }
    hy_nodes_free(blocks);
    hy_nodes_free(cyclic);
}

TEST(should_wait_for_a_hint_where_leaders_would_hold_much)
{
    const uint64_t most = HY_CHOOSE_HELD / (2 * 32 * 8);
    hy_nodes *nodes = nodes_of(32, 8);
    const hy_model model = hy_model_default(8);
    const hy_algorithm *both = hy_algorithm_find(HY_COLL_ALLTOALL, "two_level");
    hy_choice list[HY_CHOICES_MAX];
    for (int over = 0; over < 2; over++) {
        hy_shape shape = shape_of(HY_COLL_ALLTOALL, 32, most + 8 * (uint64_t)over);
        shape.nodes = nodes;
        int count = hy_choose_all(&model, &(hy_request){.shape = shape}, list), found = 0;
        for (int i = 0; i < count; i++) found += list[i].algorithm == both;
        assert_int_equal(found, !over);
        assert_ok(hy_choose(&model, &(hy_request){.shape = shape, .algorithm = both}, list));
    }
    hy_nodes_free(nodes);
}

/* Leaders would not know how long those of their nodes are. */
TEST(should_have_one_level_for_an_alltoall_of_uneven_blocks)
{
    hy_nodes *nodes = nodes_of(32, 8);
    const hy_model model = hy_model_default(8);
    hy_shape shape = shape_of(HY_COLL_ALLTOALL, 32, 8);
    hy_choice list[HY_CHOICES_MAX];
    shape.nodes = nodes;
    int count = hy_choose_all(&model, &(hy_request){.shape = shape, .uneven = true}, list);
    assert_true(count > 0);
    for (int i = 0; i < count; i++) assert_false(list[i].algorithm->traits & HY_TRAIT_PARTS);
    hy_nodes_free(nodes);
}

/* A network that costs nothing: what is far is nearer than what is here. */
TEST(should_not_let_them_where_it_is_not)
{
    hy_nodes *nodes = nodes_of(8, 2);
    hy_model model = hy_model_default(8);
    model.nets[HY_NET_TCP] = (hy_net_model){1, 1, 0, 0};
    for (size_t i = 1; i < LEVELLED; i++) {
        hy_shape shape = shape_of(levelled[i], 8, 4096);
        shape.nodes = nodes;
        assert_false(check_levels(&model, &shape));
    }
    hy_nodes_free(nodes);
}

TEST(should_have_the_choice_of_one_node_where_nodes_have_one_rank)
{
    hy_nodes *each = nodes_of(8, 1);
    const hy_model model = hy_model_default(8);
    for (size_t i = 0; i < LEVELLED; i++) {
        hy_shape shape = shape_of(levelled[i], 8, 512);
        shape.nodes = each;
        hy_choice list[HY_CHOICES_MAX];
        int count = hy_choose_all(&model, &(hy_request){.shape = shape}, list);
        assert_true(count > 0);
        for (int k = 0; k < count; k++) assert_false(list[k].algorithm->traits & HY_TRAIT_PARTS);
        assert_true(list[0].ns > hy_model_net(&model)->latency);
    }
    hy_nodes_free(each);
}

TEST(should_grant_a_hint_for_two_levels_and_their_way_inside_the_nodes)
{
    hy_nodes *nodes = nodes_of(12, 4);
    const hy_model model = hy_model_default(4);
    hy_shape shape = shape_of(HY_COLL_ALLREDUCE, 12, 4096);
    const hy_algorithm *both = hy_algorithm_find(HY_COLL_ALLREDUCE, "two_level");
    const hy_way get = {.transfer = HY_TRANSFER_GET, .buffers = HY_BUFFERS_STRAIGHT};
    hy_choice choice;
    shape.nodes = nodes;
    assert_ok(
        hy_choose(&model, &(hy_request){.shape = shape, .algorithm = both, .way = get}, &choice));
    assert_ptr_equal(choice.algorithm, both);
    for (int level = 0; level < HY_LEVELS; level++) {
        assert_non_null(choice.way.parts[level].algorithm);
        if (level == HY_LEVEL_ACROSS) continue;
        assert_int_equal(choice.way.parts[level].transfer, HY_TRANSFER_GET);
        assert_int_equal(choice.way.parts[level].buffers, HY_BUFFERS_STRAIGHT);
    }
    choice = chosen(&model, &shape, &get); /* of one level: it would not get everywhere */
    assert_false(choice.algorithm->traits & HY_TRAIT_PARTS);
    shape.nodes = NULL;
    assert_refused(hy_choose(&model, &(hy_request){.shape = shape, .algorithm = both}, &choice),
                   HAYATE_ERR_ARGUMENT, "several nodes");
    hy_nodes_free(nodes);
}

TEST(should_choose_for_more_ranks_on_nodes_than_are_simulated)
{
    const hy_model model = hy_model_default(64);
    int32_t size = 1 << 16, *of = malloc((size_t)size * sizeof *of);
    hy_nodes *nodes = NULL;
    for (int32_t rank = 0; rank < size; rank++) of[rank] = rank / 64;
    assert_ok(hy_nodes_make(of, size, &nodes));
    hy_shape shape = shape_of(HY_COLL_ALLREDUCE, size, 64);
    shape.nodes = nodes;
    assert_string_equal(chosen(&model, &shape, NULL).algorithm->name, "two_level");
    hy_nodes_free(nodes);
    free(of);
}

/* What was found for one map is not for another, and fits roots and lengths that come later. */
TEST(should_remember_choices_of_two_levels)
{
    hy_nodes *nodes = nodes_of(8, 4);
    const hy_model model = hy_model_default(8);
    hy_choices choices = {0};
    for (uint64_t bytes = 8; bytes <= 4096; bytes *= 8)
        for (int root = 0; root < 8; root += 5) {
            hy_shape shape = shape_of(HY_COLL_BCAST, 8, bytes);
            hy_choice here, far;
            shape.root = root;
            assert_int_equal(hy_choices_get(&choices, &model, &(hy_request){.shape = shape}, &here),
                             0);
            shape.nodes = nodes;
            assert_int_equal(hy_choices_get(&choices, &model, &(hy_request){.shape = shape}, &far),
                             0);
            assert_string_not_equal(here.algorithm->name, "two_level");
            assert_string_equal(far.algorithm->name, "two_level");
        }
    hy_choices_release(&choices);
    hy_nodes_free(nodes);
}

int main(void)
{
    return tests_run();
}
