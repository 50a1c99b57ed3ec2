/* SPDX-License-Identifier: Apache-2.0 */
/* The table of algorithms, and what all generators have to keep to; whether their schedules are
 * right is verify_test's. */
#include <stdlib.h>
#include <string.h>

#include "base/test.h"
#include "base/status.h"
#include "sched/builder.h"
#include "sched/model.h"

#define MAX_RANKS 33

/* ---- rows ---- */

TEST(should_find_algorithms_by_collective_and_name)
{
    for (const hy_algorithm *const *a = hy_algorithms; *a; a++)
        assert_ptr_equal(hy_algorithm_find((*a)->coll, (*a)->name), *a); /* so names are unique */
    assert_ptr_not_equal(hy_algorithm_find(HY_COLL_ALLGATHER, "ring"),
                         hy_algorithm_find(HY_COLL_ALLGATHER, "linear"));
    assert_ptr_not_equal(hy_algorithm_find(HY_COLL_ALLGATHER, "bruck"),
                         hy_algorithm_find(HY_COLL_ALLTOALL, "bruck"));
    assert_null(hy_algorithm_find(HY_COLL_BARRIER, "ring"));
    assert_null(hy_algorithm_find(HY_COLL_ALLGATHER, ""));
}

/* Names are typed by users, and stand in rules files and environment variables. */
TEST(should_fill_every_row_of_the_table)
{
    for (const hy_algorithm *const *a = hy_algorithms; *a; a++) {
        const hy_algorithm *row = *a;
        size_t length = strlen(row->name);
        assert_in_range(length, 1, 31);
        assert_int_equal(strspn(row->name, "abcdefghijklmnopqrstuvwxyz0123456789_"), length);
        assert_true(strlen(row->title) > 0);
        assert_true((unsigned)row->coll < HY_COLL_COUNT);
        assert_true(row->ways != 0 && (row->ways & ~(uint32_t)HY_WAYS_ALL) == 0);
        assert_true(row->traits < 2 * HY_TRAIT_TO_ALL);
        assert_true(!(row->traits & HY_TRAIT_UNEVEN) || hy_coll_has_blocks(row->coll));
        assert_true(row->applies && row->build && row->formula);
    }
}

/* ---- every algorithm in every way ---- */

/* Calls `with` for every algorithm in every way that is possible on so many ranks. */
typedef void (*visit)(const hy_algorithm *algorithm, const hy_shape *shape, const hy_way *way);

static void for_every_way(int size, uint64_t bytes, uint32_t unit, visit with)
{
    for (const hy_algorithm *const *a = hy_algorithms; *a; a++)
        for (int wired = 0; wired < 2; wired++) {
            hy_shape shape = {.coll = (*a)->coll, .rank = size / 2, .size = size, .root = size - 1};
            shape.unit = unit;
            shape.bytes = bytes;
            shape.wired = wired;
            if (!(*a)->applies(&shape)) continue;
            uint32_t possible = hy_way_possible(*a, &shape);
            hy_way way;
            for (uint32_t i = 0; hy_way_at(i, &way); i++)
                if (possible >> i & 1) with(*a, &shape, &way);
        }
}

static void builds(const hy_algorithm *algorithm, const hy_shape *shape, const hy_way *way)
{
    hy_schedule schedule;
    int rc = hy_schedule_build(&schedule, algorithm, shape, way);
    if (rc != HAYATE_OK) fail_msg("%s: %s", algorithm->name, hayate_error());
    assert_int_equal(hy_way_bit(&schedule.way), hy_way_bit(way));
    assert_ptr_equal(schedule.algorithm, algorithm);
    assert_int_equal(schedule.count, schedule.emitted);
    hy_schedule_release(&schedule);
    assert_null(schedule.steps);
}

TEST(should_build_on_any_number_of_ranks_or_say_what_is_needed)
{
    for (int size = 1; size <= MAX_RANKS; size++) {
        for_every_way(size, 48, 8, builds);
        for (const hy_algorithm *const *a = hy_algorithms; *a; a++) {
            const hy_shape shape = {.coll = (*a)->coll, .size = size, .bytes = 48, .unit = 8};
            hy_schedule schedule;
            if ((*a)->applies(&shape)) continue;
            assert_non_null((*a)->needs);
            assert_refused(hy_schedule_build(&schedule, *a, &shape, NULL), HAYATE_ERR_ARGUMENT,
                           (*a)->needs);
        }
    }
}

static bool can_do(const hy_algorithm *algorithm, const hy_shape *shape)
{
    return algorithm->coll == shape->coll && algorithm->applies(shape) &&
           (!shape->uneven || algorithm->traits & HY_TRAIT_UNEVEN) &&
           hy_way_possible(algorithm, shape);
}

TEST(should_have_an_algorithm_for_every_shape)
{
    const uint32_t units[] = {1, 8, HY_SCHED_PAYLOAD, HY_SCHED_PAYLOAD + 1, 1u << 20};
    for (int coll = 0; coll < HY_COLL_COUNT; coll++)
        for (int size = 1; size <= MAX_RANKS; size++)
            for (int i = 0; i < 20; i++) {
                hy_shape shape = {.coll = (hy_coll)coll, .size = size, .unit = units[i % 5]};
                shape.wired = i / 5 % 2;
                shape.uneven = i / 10 && hy_coll_has_blocks(coll);
                shape.bytes = 3 * shape.unit;
                const hy_algorithm *const *a = hy_algorithms;
                while (*a && !can_do(*a, &shape)) a++;
                if (!*a)
                    fail_msg("no %s%s on %d ranks with elements of %u B", hy_coll_name(shape.coll),
                             shape.uneven ? ", uneven," : "", size, shape.unit);
            }
}

static void has_nothing_to_do(const hy_algorithm *a, const hy_shape *shape, const hy_way *way)
{
    hy_schedule schedule;
    assert_ok(hy_schedule_build(&schedule, a, shape, way));
    assert_int_equal(schedule.count > 0, a->coll == HY_COLL_BARRIER);
    hy_schedule_release(&schedule);
}

TEST(should_build_nothing_for_no_data_but_barriers)
{
    for_every_way(4, 0, 8, has_nothing_to_do);
    for_every_way(7, 0, 8, has_nothing_to_do);
}

static void copies_its_own_block(const hy_algorithm *a, const hy_shape *shape, const hy_way *way)
{
    hy_schedule schedule;
    assert_ok(hy_schedule_build(&schedule, a, shape, way));
    assert_int_equal(schedule.count, hy_coll_has_blocks(a->coll) || a->coll == HY_COLL_SCAN);
    if (schedule.count) {
        const hy_step *step = schedule.steps;
        assert_int_equal(step->kind, HY_STEP_COPY);
        assert_int_equal(step->local, HY_OUT);
        assert_int_equal(step->remote, HY_IN);
        assert_int_equal(step->local_off + step->remote_off, 0);
        assert_int_equal(step->len, shape->bytes);
    }
    hy_schedule_release(&schedule);
}

TEST(should_give_a_rank_alone_its_own_block)
{
    for_every_way(1, 64, 8, copies_its_own_block);
}

/* ---- windows ---- */

#define WINDOW 7

/* The windows one after the other are the whole, and the most room that one needs is the room. */
static void comes_in_windows(const hy_algorithm *a, const hy_shape *shape, const hy_way *way)
{
    hy_schedule whole, part = {0};
    assert_ok(hy_schedule_build(&whole, a, shape, way));
    uint64_t first = 0, tmp = 0, box = 0;
    do {
        assert_ok(hy_schedule_window(&part, a, shape, way, first, WINDOW));
        uint64_t left = whole.count - first;
        if (part.count != (left < WINDOW ? left : WINDOW) ||
            (part.count &&
             memcmp(part.steps, whole.steps + first, part.count * sizeof *part.steps)))
            fail_msg("%s %s: steps %u .. of %u differ in a window", hy_coll_name(a->coll), a->name,
                     (unsigned)first, whole.count);
        tmp = part.tmp_bytes > tmp ? part.tmp_bytes : tmp;
        box = part.box_bytes > box ? part.box_bytes : box;
        first += WINDOW;
    } while (part.count == WINDOW);
    assert_int_equal(tmp, whole.tmp_bytes);
    assert_int_equal(box, whole.box_bytes);
    hy_schedule_release(&part);
    hy_schedule_release(&whole);
}

static void comes_in_windows_with_segments(const hy_algorithm *a, const hy_shape *shape,
                                           const hy_way *way)
{
    hy_way cut = *way;
    cut.segment = 16;
    if ((a->traits & HY_TRAIT_SEGMENTS) && way->sync == HY_SYNC_COUNTERS)
        comes_in_windows(a, shape, &cut);
}

TEST(should_be_the_same_in_windows_as_in_one)
{
    const int sizes[] = {1, 2, 3, 4, 7, 8, 13};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for_every_way(sizes[i], 120, 8, comes_in_windows);
        for_every_way(sizes[i], 120, 8, comes_in_windows_with_segments);
    }
    for_every_way(4, 20 * HY_SCHED_PAYLOAD + 8, 8, comes_in_windows); /* long payloads */
    for_every_way(5, 20 * HY_SCHED_PAYLOAD + 8, 8, comes_in_windows);
}

static const hy_block four_blocks[] = {{0, 8}, {8, 24}, {32, 0}, {40, 16}};

TEST(should_be_the_same_in_windows_where_blocks_are_uneven)
{
    for (const hy_algorithm *const *a = hy_algorithms; *a; a++) {
        hy_shape shape = {.coll = (*a)->coll, .rank = 1, .size = 4, .root = 1, .unit = 8};
        shape.uneven = true;
        shape.bytes = 24;
        shape.in_blocks = shape.out_blocks = four_blocks;
        if (!((*a)->traits & HY_TRAIT_UNEVEN) || !(*a)->applies(&shape)) continue;
        hy_way way;
        for (shape.wired = false;; shape.wired = true) {
            uint32_t possible = hy_way_possible(*a, &shape);
            for (uint32_t i = 0; hy_way_at(i, &way); i++)
                if (possible >> i & 1) comes_in_windows(*a, &shape, &way);
            if (shape.wired) break;
        }
    }
}

/* ---- claims ---- */

/* What goes between ranks is the same but for who the peers are. */
static bool are_alike(const hy_schedule *a, const hy_schedule *b)
{
    for (uint32_t i = 0, k = 0;; i++, k++) {
        while (i < a->count && a->steps[i].kind == HY_STEP_COPY) i++;
        while (k < b->count && b->steps[k].kind == HY_STEP_COPY) k++;
        if (i == a->count || k == b->count) return i == a->count && k == b->count;
        const hy_step *x = &a->steps[i], *y = &b->steps[k];
        if (x->kind != y->kind || x->flags != y->flags || x->len != y->len) return false;
    }
}

/* Powers of two are all alike. Of other sizes, where the last rank does as rank 0, all others must,
 * because the simulation goes by these two. */
static void is_alike(const hy_algorithm *a, const hy_shape *shape, const hy_way *way)
{
    hy_shape mine = *shape;
    hy_schedule first, other;
    bool must = (mine.size & (mine.size - 1)) == 0;
    if (!(a->traits & HY_TRAIT_ALIKE)) return;
    mine.rank = 0;
    assert_ok(hy_schedule_build(&first, a, &mine, way));
    for (mine.rank = mine.size - 1; mine.rank > 0; mine.rank--) {
        assert_ok(hy_schedule_build(&other, a, &mine, way));
        bool alike = are_alike(&first, &other);
        hy_schedule_release(&other);
        if (mine.rank == mine.size - 1) must |= alike;
        if (must && !alike)
            fail_msg("%s %s: rank %d of %d does not do as rank 0", hy_coll_name(a->coll), a->name,
                     mine.rank, mine.size);
    }
    hy_schedule_release(&first);
}

TEST(should_do_alike_on_all_ranks_where_that_is_claimed)
{
    for (int size = 2; size <= 17; size++) for_every_way(size, (uint64_t)size * 24, 8, is_alike);
}

static void grows(const hy_algorithm *a, const hy_shape *shape, const hy_way *way)
{
    const hy_model model = hy_model_default(16);
    hy_shape larger = *shape;
    hy_way full = *way;
    assert_ok(hy_way_complete(a, shape, &full));
    double last = 0;
    for (int i = 0; i < 6; i++, larger.bytes *= 8) {
        double ns = a->formula(&model, &larger, &full);
        if (!(a->coll == HY_COLL_BARRIER ? ns > 0 : ns > last) || ns > 1e12)
            fail_msg("%s %s: %g ns for %llu B after %g", hy_coll_name(a->coll), a->name, ns,
                     (unsigned long long)larger.bytes, last);
        last = ns;
    }
}

TEST(should_take_longer_for_more_bytes_by_the_formula)
{
    for_every_way(2, 128, 8, grows);
    for_every_way(6, 128, 8, grows);
    for_every_way(16, 128, 8, grows);
}

int main(void)
{
    return tests_run();
}
