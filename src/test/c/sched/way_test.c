/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "base/test.h"
#include "base/status.h"
#include "sched/schedule.h"

#define WAYS 6

static const hy_shape small = {
    .coll = HY_COLL_ALLTOALL, .size = 4, .bytes = 64, .unit = 8, .wired = true};

/* All that the ways ask of an algorithm. */
static hy_algorithm able(uint32_t ways, uint32_t traits)
{
    return (hy_algorithm){
        .name = "made_up", .coll = HY_COLL_ALLTOALL, .ways = ways, .traits = traits};
}

static hy_way way_of(uint32_t index)
{
    hy_way way = {0};
    assert_true(hy_way_at(index, &way));
    return way;
}

TEST(should_number_the_ways_and_find_them_again)
{
    hy_way way;
    for (uint32_t i = 0; i < WAYS; i++) {
        way = way_of(i);
        assert_int_equal(hy_way_bit(&way), 1u << i);
        assert_int_equal(way.arity, 0);
        assert_int_equal(way.segment, 0);
    }
    assert_false(hy_way_at(WAYS, &way));
    assert_false(hy_way_at(UINT32_MAX, &way));
}

TEST(should_have_the_bits_that_the_header_names)
{
    const hy_way box = {
        .transfer = HY_TRANSFER_GET, .buffers = HY_BUFFERS_PREPARED, .sync = HY_SYNC_COUNTERS};
    const hy_way ordered = {
        .transfer = HY_TRANSFER_PUT, .buffers = HY_BUFFERS_STRAIGHT, .sync = HY_SYNC_BARRIER};
    assert_int_equal(hy_way_bit(&box), HY_WAY_GET_PREPARED);
    assert_int_equal(hy_way_bit(&ordered), HY_WAY_PUT_BARRIER);
}

TEST(should_have_no_bit_for_ways_that_do_not_exist)
{
    const hy_way prepared_barrier = {
        .transfer = HY_TRANSFER_PUT, .buffers = HY_BUFFERS_PREPARED, .sync = HY_SYNC_BARRIER};
    const hy_way open = {.transfer = HY_TRANSFER_PUT, .buffers = HY_BUFFERS_STRAIGHT};
    const hy_way none = {0};
    assert_int_equal(hy_way_bit(&prepared_barrier), 0);
    assert_int_equal(hy_way_bit(&open), 0);
    assert_int_equal(hy_way_bit(&none), 0);
}

TEST(should_keep_the_wired_ways_for_wired_shapes)
{
    const hy_algorithm all = able(HY_WAYS_ALL, 0), put = able(HY_WAY_PUT_STRAIGHT, 0);
    hy_shape shape = small;
    assert_int_equal(hy_way_possible(&all, &shape), HY_WAYS_ALL);
    assert_int_equal(hy_way_possible(&put, &shape), HY_WAY_PUT_STRAIGHT);
    shape.wired = false;
    const uint32_t ordinary = HY_WAYS_ALL & ~HY_WAYS_WIRED;
    assert_int_equal(hy_way_possible(&all, &shape), ordinary & ~HY_WAY_GET_PREPARED);
}

TEST(should_fetch_from_boxes_where_an_ordinary_collective_fits_into_them)
{
    const hy_algorithm all = able(HY_WAYS_ALL, 0);
    const uint32_t ordinary = HY_WAYS_ALL & ~HY_WAYS_WIRED;
    hy_shape shape = small;
    shape.wired = false;
    shape.boxes = (uint32_t)(4 * shape.bytes); /* of 4 ranks */
    assert_int_equal(hy_way_possible(&all, &shape), ordinary);
    shape.uneven = true;
    assert_int_equal(hy_way_possible(&all, &shape), ordinary & ~HY_WAY_GET_PREPARED);
    shape.uneven = false;
    shape.boxes--;
    assert_int_equal(hy_way_possible(&all, &shape), ordinary & ~HY_WAY_GET_PREPARED);
}

TEST(should_prepare_no_buffers_for_large_regions)
{
    const hy_algorithm all = able(HY_WAYS_ALL, 0);
    const uint32_t straight = HY_WAYS_ALL & ~(HY_WAY_PUT_PREPARED | HY_WAY_GET_PREPARED);
    hy_shape shape = small;
    shape.bytes = HY_PREPARED_MAX / 4;
    assert_int_equal(hy_way_possible(&all, &shape), HY_WAYS_ALL);
    shape.bytes += 8;
    assert_int_equal(hy_way_possible(&all, &shape), straight);
    shape.wired = false;
    assert_true(hy_way_possible(&all, &shape) & HY_WAY_PUT_PREPARED);
}

TEST(should_send_no_elements_that_do_not_fit_into_a_payload)
{
    const hy_algorithm all = able(HY_WAYS_ALL, 0);
    hy_shape shape = small;
    shape.unit = HY_SCHED_PAYLOAD;
    shape.bytes = 2 * shape.unit;
    assert_true(hy_way_possible(&all, &shape) & HY_WAY_PUT_PREPARED);
    shape.unit++;
    shape.bytes = 2 * shape.unit;
    assert_int_equal(hy_way_possible(&all, &shape), HY_WAYS_ALL & ~HY_WAY_PUT_PREPARED);
}

/* Only a rooted collective's root has the large side; all must come to the same answer. */
TEST(should_allow_the_same_ways_on_all_ranks)
{
    hy_algorithm all = able(HY_WAYS_ALL, 0);
    for (int coll = 0; coll < HY_COLL_COUNT; coll++)
        for (uint64_t bytes = HY_PREPARED_MAX / 8; bytes <= 2 * HY_PREPARED_MAX; bytes *= 2) {
            hy_shape shape = {
                .coll = (hy_coll)coll, .size = 5, .root = 2, .unit = 8, .wired = true};
            shape.bytes = bytes;
            all.coll = shape.coll;
            uint32_t first = hy_way_possible(&all, &shape);
            for (shape.rank = 1; shape.rank < 5; shape.rank++)
                assert_int_equal(hy_way_possible(&all, &shape), first);
        }
}

TEST(should_not_fetch_from_boxes_whose_layout_only_the_owner_knows)
{
    static const hy_block blocks[4] = {{0, 64}, {64, 64}, {128, 64}, {192, 64}};
    const hy_algorithm all = able(HY_WAYS_ALL, HY_TRAIT_UNEVEN);
    const hy_coll colls[] = {HY_COLL_GATHER, HY_COLL_SCATTER, HY_COLL_ALLGATHER, HY_COLL_ALLTOALL,
                             HY_COLL_REDUCE_SCATTER};
    for (size_t i = 0; i < sizeof colls / sizeof *colls; i++) {
        hy_shape shape = small;
        shape.coll = colls[i];
        shape.uneven = true;
        shape.in_blocks = shape.out_blocks = blocks;
        bool known = colls[i] != HY_COLL_SCATTER && colls[i] != HY_COLL_ALLTOALL;
        assert_int_equal((hy_way_possible(&all, &shape) & HY_WAY_GET_PREPARED) != 0, known);
    }
}

TEST(should_fill_what_is_open_with_what_the_algorithm_likes_best)
{
    const uint32_t sets[] = {HY_WAYS_ALL, HY_WAY_GET_STRAIGHT | HY_WAY_GET_BARRIER,
                             HY_WAY_PUT_PREPARED | HY_WAY_GET_PREPARED, HY_WAY_PUT_BARRIER};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        const hy_algorithm algorithm = able(sets[i], 0);
        hy_way way = {0};
        assert_ok(hy_way_complete(&algorithm, &small, &way));
        assert_int_equal(hy_way_bit(&way), sets[i] & -sets[i]);
        assert_int_equal(way.arity, 4);
        assert_true(way.segment == HY_SEGMENT_NONE);
    }
}

TEST(should_leave_alone_what_is_hinted)
{
    const hy_algorithm all = able(HY_WAYS_ALL, HY_TRAIT_SEGMENTS | HY_TRAIT_ARITY);
    hy_way get = {.transfer = HY_TRANSFER_GET, .arity = 7, .segment = 4096};
    hy_way prepared = {.buffers = HY_BUFFERS_PREPARED};
    hy_way barrier = {.transfer = HY_TRANSFER_GET, .sync = HY_SYNC_BARRIER};
    assert_ok(hy_way_complete(&all, &small, &get));
    assert_int_equal(hy_way_bit(&get), HY_WAY_GET_STRAIGHT);
    assert_int_equal(get.arity, 7);
    assert_int_equal(get.segment, 4096);
    assert_ok(hy_way_complete(&all, &small, &prepared));
    assert_int_equal(hy_way_bit(&prepared), HY_WAY_PUT_PREPARED);
    assert_ok(hy_way_complete(&all, &small, &barrier));
    assert_int_equal(hy_way_bit(&barrier), HY_WAY_GET_BARRIER);
}

TEST(should_leave_a_complete_way_as_it_is)
{
    const hy_algorithm all = able(HY_WAYS_ALL, 0);
    for (uint32_t i = 0; i < WAYS; i++) {
        hy_way way = way_of(i);
        assert_ok(hy_way_complete(&all, &small, &way));
        hy_way again = way;
        assert_ok(hy_way_complete(&all, &small, &again));
        assert_memory_equal(&again, &way, sizeof way);
    }
}

static void refuses(const hy_algorithm *algorithm, const hy_shape *shape, hy_way way,
                    const char *words)
{
    assert_code(hy_way_complete(algorithm, shape, &way), HAYATE_ERR_ARGUMENT);
    if (!strstr(hayate_error(), words))
        fail_msg("\"%s\" does not say \"%s\"", hayate_error(), words);
}

TEST(should_say_what_is_possible_when_a_way_is_not)
{
    const hy_algorithm algorithm = able(HY_WAY_PUT_STRAIGHT | HY_WAY_GET_BARRIER, 0);
    const hy_algorithm box = able(HY_WAY_GET_PREPARED, 0);
    const hy_way prepared = {.buffers = HY_BUFFERS_PREPARED};
    const hy_way get = {.transfer = HY_TRANSFER_GET};
    hy_shape shape = small;
    refuses(&algorithm, &shape, prepared,
            "made_up does not support auto transfers, prepared buffers");
    refuses(&algorithm, &shape, prepared,
            "it supports: put straight counters, get straight barrier");
    shape.wired = false;
    refuses(&algorithm, &shape, get, "it supports: put straight counters");
    refuses(&box, &shape, get, "it supports: nothing");
}

TEST(should_refuse_segments_and_arities_that_make_no_sense)
{
    const hy_algorithm plain = able(HY_WAYS_ALL, 0), cuts = able(HY_WAYS_ALL, HY_TRAIT_SEGMENTS);
    refuses(&plain, &small, (hy_way){.segment = 8}, "has no segments");
    refuses(&cuts, &small, (hy_way){.segment = 8, .sync = HY_SYNC_BARRIER}, "not barriers");
    refuses(&plain, &small, (hy_way){.arity = 1}, "expected 2 to 64");
    refuses(&plain, &small, (hy_way){.arity = 65}, "expected 2 to 64");
    hy_way fine = {.segment = HY_SEGMENT_NONE, .sync = HY_SYNC_BARRIER, .arity = 64};
    assert_ok(hy_way_complete(&plain, &small, &fine));
}

TEST(should_refuse_numbers_that_name_no_way)
{
    const hy_algorithm all = able(HY_WAYS_ALL, 0);
    refuses(&all, &small, (hy_way){.transfer = 3}, "transfer 3");
    refuses(&all, &small, (hy_way){.buffers = 200}, "buffers 200");
    refuses(&all, &small, (hy_way){.sync = 255}, "synchronisation 255");
}

static const char *text_of(const hy_algorithm *algorithm, const hy_way *way)
{
    static char text[80];
    int length = hy_way_text(algorithm, way, text, sizeof text);
    assert_int_equal(length, strlen(text));
    return text;
}

TEST(should_put_into_words_what_means_something_to_the_algorithm)
{
    const hy_algorithm plain = able(HY_WAYS_ALL, 0);
    const hy_algorithm both = able(HY_WAYS_ALL, HY_TRAIT_SEGMENTS | HY_TRAIT_ARITY);
    hy_way way = way_of(1);
    way.arity = 8;
    way.segment = 32768;
    assert_string_equal(text_of(&plain, &way), "get straight counters");
    assert_string_equal(text_of(&both, &way), "get straight counters arity 8 segment 32768");
    way.segment = HY_SEGMENT_NONE;
    assert_string_equal(text_of(&both, &way), "get straight counters arity 8");
    way = (hy_way){.segment = HY_SEGMENT_NONE};
    assert_string_equal(text_of(&plain, &way), "auto auto auto");
}

TEST(should_cut_texts_to_the_room_there_is)
{
    const hy_algorithm plain = able(HY_WAYS_ALL, 0);
    const hy_way way = way_of(4);
    char text[8];
    assert_int_equal(hy_way_text(&plain, &way, text, sizeof text), strlen("put straight barrier"));
    assert_string_equal(text, "put str");
}

int main(void)
{
    return tests_run();
}
