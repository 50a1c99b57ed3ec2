/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "base/test.h"
#include "choose/simulate.h"
#include "choose/choose_fixture.h"
#include "sched/algorithms/algorithms.h"

/* ---- against brute force ---- */

static const int rank_counts[] = {2, 3, 4, 8};

#define RANK_COUNTS (sizeof rank_counts / sizeof rank_counts[0])

/* Short ones in a loop that is long enough to be steady, whatever the way. */
static hy_sim_result run_of(const hy_model *model, const hy_shape *shape, const hy_algorithm *a,
                            const hy_way *way)
{
    const hy_sim_setting loop = {.rounds = 1 + 2 * HY_WIRED_DEPTH_MOST};
    const hy_sim_setting apart = {.rounds = 2, .apart = true};
    const hy_sim_setting setting = shape->bytes > HY_CHOOSE_BRIEF ? apart : loop;
    hy_sim_result result = {0};
    assert_ok(hy_simulate(model, a, shape, way, &setting, &result));
    return result;
}

typedef struct rivals {
    double ns[256], first[256];
    int count;
} rivals;

static void add_rivals(rivals *r, const hy_model *model, const hy_shape *shape,
                       const hy_algorithm *algorithm)
{
    hy_way way = {0};
    if (algorithm->coll != shape->coll || !algorithm->applies(shape)) return;
    for (uint32_t i = 0; hy_way_at(i, &way); i++) {
        uint32_t possible = hy_way_possible(algorithm, shape);
        bool signalled = shape->bytes <= HY_SCHED_SIGNALLED && possible & HY_WAY_PUT_PREPARED;
        if (!(possible >> i & 1)) continue;
        if (way.transfer == HY_TRANSFER_GET && signalled)
            continue; /* not worth a line of its own */
        way.arity = 2;
        way.segment = HY_SEGMENT_NONE;
        hy_sim_result result = run_of(model, shape, algorithm, &way);
        r->ns[r->count] = result.ns;
        r->first[r->count++] = result.first;
    }
}

/* Of those whose first run is not hopelessly slow. */
static double least_of(const rivals *r)
{
    double first = r->first[0], least = -1;
    for (int i = 1; i < r->count; i++) first = r->first[i] < first ? r->first[i] : first;
    for (int i = 0; i < r->count; i++)
        if (r->first[i] <= 3 * first && (least < 0 || r->ns[i] < least)) least = r->ns[i];
    return least;
}

/* Whether the choice is the best or nearly so: of those about as fast it is the one whose ranks
 * wait least for each other. */
static bool check_cheapest(const hy_model *model, const hy_shape *shape)
{
    rivals r = {.count = 0};
    for (const hy_algorithm *const *a = hy_algorithms; *a; a++) add_rivals(&r, model, shape, *a);
    hy_choice choice = chosen(model, shape, NULL);
    double mine = run_of(model, shape, choice.algorithm, &choice.way).ns, least = least_of(&r);
    double most = shape->bytes > HY_CHOOSE_BRIEF ? 1.1 : 1.01;
    if (shape->size > model->cpus) most = 1.5;
    if (mine > most * least)
        fail_msg("%s of %d ranks on %d cores, %d B: %s takes %f (thought: %f), the best %f",
                 hy_coll_name(shape->coll), shape->size, model->cpus, (int)shape->bytes,
                 choice.algorithm->name, mine, choice.ns, least);
    return mine <= 1.1 * least;
}

/* On shared cores it depends on how many runs are simulated who has to wait for a turn. */
TEST(should_choose_what_is_cheapest_by_brute_force)
{
    int good = 0, cells = 0;
    for (int cpus = 2; cpus <= 8; cpus += 6) {
        const hy_model model = hy_model_default(cpus);
        for (int coll = 0; coll < HY_COLL_COUNT; coll++)
            for (size_t p = 0; p < RANK_COUNTS; p++)
                for (uint64_t bytes = 8; bytes <= 1 << 17; bytes *= 64) {
                    hy_shape shape = shape_of((hy_coll)coll, rank_counts[p], bytes);
                    good += check_cheapest(&model, &shape);
                    cells++;
                }
    }
    assert_true(good >= cells * 95 / 100);
}

static void check_list(const hy_model *model, const hy_shape *shape)
{
    hy_choice list[HY_CHOICES_MAX], best = chosen(model, shape, NULL);
    int count = hy_choose_all(model, &(hy_request){.shape = *shape}, list);
    assert_true(count > 0 && count <= HY_CHOICES_MAX);
    assert_same(&best, &list[0]);
    for (int i = 0; i < count; i++) {
        assert_ptr_equal(hy_algorithm_find(shape->coll, list[i].algorithm->name),
                         list[i].algorithm);
        assert_true(hy_way_bit(&list[i].way) & hy_way_possible(list[i].algorithm, shape));
        for (int j = 0; j < i; j++)
            assert_false(list[i].algorithm == list[j].algorithm &&
                         same_way(&list[i].way, &list[j].way));
    }
}

TEST(should_find_the_first_of_the_list_without_the_others)
{
    const hy_model shared = hy_model_default(2), free = hy_model_default(64);
    for (int coll = 0; coll < HY_COLL_COUNT; coll++)
        for (size_t p = 0; p < RANK_COUNTS; p++)
            for (uint64_t bytes = 0; bytes <= 1 << 20; bytes = bytes ? bytes * 16 : 64) {
                hy_shape shape = shape_of((hy_coll)coll, rank_counts[p], bytes);
                check_list(&shared, &shape);
                check_list(&free, &shape);
                shape.wired = false;
                check_list(&shared, &shape);
            }
}

static double in_loop(const hy_model *model, const hy_shape *shape, const hy_choice *choice)
{
    const hy_sim_setting loop = {.rounds = 1 + 2 * HY_WIRED_DEPTH_MOST};
    hy_sim_result result;
    assert_ok(hy_simulate(model, choice->algorithm, shape, &choice->way, &loop, &result));
    return result.ns;
}

/* The fastest if all ranks come together would make them wait for each other in each run. */
TEST(should_let_ranks_run_ahead_where_that_costs_little)
{
    const hy_model shared = hy_model_default(2);
    const hy_coll rooted[] = {HY_COLL_BCAST, HY_COLL_REDUCE, HY_COLL_GATHER};
    int dearer = 0;
    for (size_t i = 0; i < sizeof rooted / sizeof rooted[0]; i++) {
        const hy_shape shape = shape_of(rooted[i], 8, 4096);
        const hy_way straight = {.buffers = HY_BUFFERS_STRAIGHT};
        hy_choice choice = chosen(&shared, &shape, NULL);
        hy_choice fastest = chosen(&shared, &shape, &straight);
        assert_int_equal(choice.way.buffers, HY_BUFFERS_PREPARED);
        assert_true(choice.ns <= 1.3 * fastest.ns);
        assert_true(in_loop(&shared, &shape, &choice) < in_loop(&shared, &shape, &fastest) / 2);
        dearer += fastest.ns < choice.ns;
    }
    assert_true(dearer > 0);
}

TEST(should_prefer_latency_for_short_data_and_bandwidth_for_long)
{
    const hy_model model = hy_model_default(64);
    hy_shape barrier = shape_of(HY_COLL_BARRIER, 64, 0);
    hy_shape brief = shape_of(HY_COLL_ALLREDUCE, 64, 8);
    hy_shape bulky = shape_of(HY_COLL_ALLREDUCE, 64, 4 << 20);
    assert_string_equal(chosen(&model, &barrier, NULL).algorithm->name, "dissemination");
    assert_string_equal(chosen(&model, &brief, NULL).algorithm->name, "recursive_doubling");
    assert_string_not_equal(chosen(&model, &bulky, NULL).algorithm->name, "recursive_doubling");
}

/* ---- hints ---- */

TEST(should_honour_a_hint_for_an_algorithm)
{
    const hy_model model = hy_model_default(2);
    for (const hy_algorithm *const *a = hy_algorithms; *a; a++) {
        hy_shape shape = shape_of((*a)->coll, 8, 4096);
        hy_choice choice;
        if ((*a)->traits & HY_TRAIT_PARTS) continue;
        assert_ok(hy_choose(&model, &(hy_request){.shape = shape, .algorithm = *a}, &choice));
        assert_ptr_equal(choice.algorithm, *a);
        assert_true(choice.ns > 0);
    }
}

static void check_hint(const hy_shape *shape, const hy_way *hint)
{
    const hy_model model = hy_model_default(4);
    hy_choice list[HY_CHOICES_MAX];
    int count = hy_choose_all(&model, &(hy_request){.shape = *shape, .way = *hint}, list);
    assert_true(count > 0);
    for (int i = 0; i < count; i++) {
        const hy_way *way = &list[i].way;
        assert_true(!hint->transfer || way->transfer == hint->transfer);
        assert_true(!hint->buffers || way->buffers == hint->buffers);
        assert_true(!hint->sync || way->sync == hint->sync);
        assert_true(!hint->arity || way->arity == hint->arity);
        assert_true(!hint->segment || way->segment == hint->segment);
    }
}

TEST(should_honour_a_hint_for_a_way)
{
    const hy_shape shape = shape_of(HY_COLL_BCAST, 8, 65536);
    const hy_way hints[] = {
        {.transfer = HY_TRANSFER_GET},
        {.transfer = HY_TRANSFER_PUT, .buffers = HY_BUFFERS_STRAIGHT},
        {.buffers = HY_BUFFERS_PREPARED},
        {.sync = HY_SYNC_BARRIER},
        {.segment = 16384},
        {.segment = HY_SEGMENT_NONE},
        {.arity = 3},
        {.transfer = HY_TRANSFER_GET, .segment = 4096, .arity = 5},
    };
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) check_hint(&shape, &hints[i]);
}

TEST(should_try_segments_and_arities_by_itself)
{
    const hy_model model = hy_model_default(8);
    const hy_shape shape = shape_of(HY_COLL_BCAST, 6, 65536);
    const hy_algorithm *knomial = hy_algorithm_find(HY_COLL_BCAST, "knomial");
    const hy_way hint = {
        .transfer = HY_TRANSFER_PUT, .buffers = HY_BUFFERS_STRAIGHT, .sync = HY_SYNC_COUNTERS};
    hy_choice list[HY_CHOICES_MAX];
    bool seen[9][3] = {{false}};
    int count = hy_choose_all(
        &model, &(hy_request){.shape = shape, .algorithm = knomial, .way = hint}, list);
    assert_int_equal(count, 2 * 3);
    for (int i = 0; i < count; i++) {
        uint64_t segment = list[i].way.segment;
        int s = segment == 8192 ? 0 : segment == 32768 ? 1 : 2;
        assert_true(s < 2 || segment == HY_SEGMENT_NONE);
        seen[list[i].way.arity][s] = true;
    }
    for (int s = 0; s < 3; s++) assert_true(seen[2][s] && seen[4][s]);
}

TEST(should_choose_for_blocks_of_unequal_length_only_what_can_do_them)
{
    const hy_model model = hy_model_default(2);
    const hy_shape shape = shape_of(HY_COLL_ALLTOALL, 8, 8);
    hy_choice list[HY_CHOICES_MAX];
    int all = hy_choose_all(&model, &(hy_request){.shape = shape}, list);
    int count = hy_choose_all(&model, &(hy_request){.shape = shape, .uneven = true}, list);
    assert_true(count > 0 && count < all);
    for (int i = 0; i < count; i++) assert_true(list[i].algorithm->traits & HY_TRAIT_UNEVEN);
}

TEST(should_reckon_with_memory_outside_the_heap)
{
    const hy_model model = hy_model_default(4);
    const hy_shape shape = shape_of(HY_COLL_BCAST, 4, 4096);
    const hy_way straight = {.buffers = HY_BUFFERS_STRAIGHT};
    hy_choice inside, outside;
    assert_ok(hy_choose(&model, &(hy_request){.shape = shape, .way = straight}, &inside));
    assert_ok(hy_choose(&model, &(hy_request){.shape = shape, .outside = true, .way = straight},
                        &outside));
    assert_true(outside.ns > inside.ns);
}

TEST(should_use_the_formulas_for_very_many_ranks)
{
    const hy_model model = hy_model_default(2);
    const hy_shape shape = shape_of(HY_COLL_ALLREDUCE, 1 << 20, 64);
    hy_choice choice = chosen(&model, &shape, NULL);
    double formula = choice.algorithm->formula(&model, &shape, &choice.way);
    assert_float_equal(choice.ns, formula, 1e-6 * formula);
    const hy_shape many = shape_of(HY_COLL_BCAST, 5000, 4096);
    hy_choice list[HY_CHOICES_MAX];
    assert_true(hy_choose_all(&model, &(hy_request){.shape = many}, list) > 1);
    assert_true(list[0].ns <= list[1].ns); /* and no loop was simulated that decides otherwise */
}

/* ---- errors ---- */

TEST(should_say_what_an_algorithm_needs)
{
    const hy_model model = hy_model_default(2);
    hy_choice choice, list[HY_CHOICES_MAX];
    int refused = 0;
    for (const hy_algorithm *const *a = hy_algorithms; *a; a++) {
        const hy_shape shape = shape_of((*a)->coll, 7, 8);
        if ((*a)->applies(&shape)) continue;
        assert_refused(hy_choose(&model, &(hy_request){.shape = shape, .algorithm = *a}, &choice),
                       HAYATE_ERR_ARGUMENT, (*a)->needs);
        assert_code(hy_choose_all(&model, &(hy_request){.shape = shape, .algorithm = *a}, list),
                    HAYATE_ERR_ARGUMENT);
        refused++;
    }
    assert_true(refused > 0);
}

TEST(should_refuse_hints_that_nobody_can_grant)
{
    const hy_model model = hy_model_default(2);
    hy_shape shape = shape_of(HY_COLL_BCAST, 4, 64);
    const hy_algorithm *linear = hy_algorithm_find(HY_COLL_BCAST, "linear");
    const hy_way barrier = {.sync = HY_SYNC_BARRIER};
    const hy_way both = {.sync = HY_SYNC_BARRIER, .segment = 8};
    const hy_way arity = {.arity = 1};
    hy_choice choice;
    assert_code(hy_choose(&model, &(hy_request){.shape = shape, .way = both}, &choice),
                HAYATE_ERR_ARGUMENT);
    assert_code(hy_choose(&model, &(hy_request){.shape = shape, .way = arity}, &choice),
                HAYATE_ERR_ARGUMENT);
    shape.wired = false;
    assert_refused(hy_choose(&model, &(hy_request){.shape = shape, .way = barrier}, &choice),
                   HAYATE_ERR_ARGUMENT, "barrier");
    assert_refused(hy_choose(&model,
                             &(hy_request){.shape = shape, .algorithm = linear, .way = barrier},
                             &choice),
                   HAYATE_ERR_ARGUMENT, "it supports");
    shape.coll = HY_COLL_REDUCE;
    assert_code(hy_choose(&model, &(hy_request){.shape = shape, .algorithm = linear}, &choice),
                HAYATE_ERR_ARGUMENT);
    shape.root = 4;
    assert_code(hy_choose(&model, &(hy_request){.shape = shape}, &choice), HAYATE_ERR_ARGUMENT);
}

/* ---- the table ---- */

static hy_choice got(hy_choices *choices, const hy_shape *shape)
{
    const hy_model model = hy_model_default(2);
    hy_choice choice = {0};
    int rc = hy_choices_get(choices, &model, &(hy_request){.shape = *shape}, &choice);
    if (rc) fail_msg("%s", hayate_error());
    return choice;
}

TEST(should_choose_the_same_for_neighbours_and_all_ranks)
{
    hy_choices choices = {0};
    hy_shape shape = shape_of(HY_COLL_BCAST, 4, 1024);
    hy_choice first = got(&choices, &shape);
    for (uint64_t bytes = 520; bytes <= 1024; bytes += 8)
        for (int rank = 0; rank < 4; rank++) {
            shape.bytes = bytes;
            shape.rank = rank;
            shape.root = (int)(bytes / 8 % 4);
            hy_choice other = got(&choices, &shape);
            assert_same(&other, &first);
        }
    assert_int_equal(choices.count, 1);
    shape.bytes = 512;
    got(&choices, &shape);
    assert_int_equal(choices.count, 2);
    shape.bytes = 8;
    got(&choices, &shape);
    shape.bytes = 64;
    got(&choices, &shape);
    assert_int_equal(choices.count, 3);
    hy_choices_release(&choices);
    assert_int_equal(choices.count, 0);
}

TEST(should_remember_many_choices_apart)
{
    hy_choices choices = {0};
    uint32_t count = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int coll = 0; coll < HY_COLL_COUNT; coll++)
            for (int ranks = 2; ranks <= 5; ranks++)
                for (uint64_t bytes = 64; bytes <= 4096; bytes *= 8) {
                    const hy_shape shape = shape_of((hy_coll)coll, ranks, bytes);
                    const hy_model model = hy_model_default(2);
                    hy_choice remembered = got(&choices, &shape);
                    hy_choice fresh = chosen(&model, &shape, NULL);
                    assert_same(&remembered, &fresh);
                }
        if (pass) assert_int_equal(choices.count, count);
        count = choices.count;
    }
    assert_int_equal(count, (HY_COLL_COUNT - 1) * 4 * 3 + 4); /* a barrier has no bytes */
    hy_choices_release(&choices);
}

/* Many ranks on few cores: each signals as few others as possible, unless that is requested. */
TEST(should_not_signal_all_others_where_many_share_cores)
{
    const hy_coll colls[] = {HY_COLL_BARRIER, HY_COLL_ALLREDUCE};
    const hy_algorithm *to_all[] = {hy_algorithm_find(HY_COLL_BARRIER, "flat"),
                                    hy_algorithm_find(HY_COLL_ALLREDUCE, "exchange")};
    const hy_model few = hy_model_default(2), enough = hy_model_default(128);
    const hy_way prepared = {.buffers = HY_BUFFERS_PREPARED};
    for (int i = 0; i < 2; i++) {
        hy_choice list[HY_CHOICES_MAX];
        hy_shape shape = shape_of(colls[i], HY_CHOOSE_TO_ALL + 1, 8);
        assert_ptr_not_equal(chosen(&few, &shape, NULL).algorithm, to_all[i]);
        const hy_request requests[] = {
            {.shape = shape}, {.shape = shape}, {.shape = shape, .way = prepared}};
        for (int c = 0; c < 3; c++) { /* crowded, with a core for each, crowded but with a hint */
            bool listed = false;
            int count = hy_choose_all(c == 1 ? &enough : &few, &requests[c], list);
            for (int j = 0; j < count; j++) listed |= list[j].algorithm == to_all[i];
            assert_int_equal(listed, c > 0);
        }
        hy_choice choice;
        assert_ok(hy_choose(&few, &(hy_request){.shape = shape, .algorithm = to_all[i]}, &choice));
        assert_ptr_equal(choice.algorithm, to_all[i]);
    }
    const hy_shape barrier = shape_of(HY_COLL_BARRIER, 8, 0);
    assert_ptr_equal(chosen(&few, &barrier, NULL).algorithm, to_all[0]);
}

/* What suits 8 elements, or more than there may be in prepared buffers, may not fit fewer. */
TEST(should_let_one_rank_release_all_where_many_share_cores)
{
    const hy_model few = hy_model_default(2), many = hy_model_default(128);
    hy_shape barrier = shape_of(HY_COLL_BARRIER, 128, 0);
    for (int wired = 0; wired < 2; wired++) {
        barrier.wired = wired;
        assert_string_equal(chosen(&few, &barrier, NULL).algorithm->name, "linear");
        assert_string_equal(chosen(&many, &barrier, NULL).algorithm->name, "dissemination");
    }
}

TEST(should_only_give_choices_that_fit_the_shape_itself)
{
    const hy_model model = hy_model_default(8);
    const hy_way prepared = {.buffers = HY_BUFFERS_PREPARED};
    hy_choices choices = {0};
    for (int coll = 0; coll < HY_COLL_COUNT; coll++)
        for (uint64_t elements = 1; elements <= 8; elements++) {
            hy_shape shape = shape_of((hy_coll)coll, 8, elements * 8);
            hy_choice choice = got(&choices, &shape);
            hy_schedule schedule;
            assert_ok(hy_schedule_build(&schedule, choice.algorithm, &shape, &choice.way));
            hy_schedule_release(&schedule);
        }
    hy_shape shape = shape_of(HY_COLL_BCAST, 4, 480000);
    shape.unit = 24;
    hy_choice choice;
    assert_ok(
        hy_choices_get(&choices, &model, &(hy_request){.shape = shape, .way = prepared}, &choice));
    assert_int_equal(choice.way.buffers, HY_BUFFERS_PREPARED);
    shape.bytes = 960000;
    assert_code(
        hy_choices_get(&choices, &model, &(hy_request){.shape = shape, .way = prepared}, &choice),
        HAYATE_ERR_ARGUMENT);
    shape.unit = 0;
    assert_code(hy_choices_get(&choices, &model, &(hy_request){.shape = shape}, &choice),
                HAYATE_ERR_ARGUMENT);
    hy_choices_release(&choices);
}

int main(void)
{
    return tests_run();
}
