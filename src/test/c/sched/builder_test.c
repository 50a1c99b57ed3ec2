/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "base/test.h"
#include "base/status.h"
#include "sched/builder.h"

static hy_schedule empty(uint32_t unit)
{
    return (hy_schedule){.shape = {.coll = HY_COLL_ALLGATHER, .size = 5, .rank = 3, .unit = unit},
                         .limit = UINT64_MAX};
}

static void expect(const hy_step *is, hy_step wanted)
{
    assert_memory_equal(is, &wanted, sizeof wanted);
}

TEST(should_name_both_ends_of_every_move)
{
    hy_schedule s = empty(8);
    hy_emit_put(&s, 1, HY_AT(HY_IN, 8), HY_AT(HY_OUT, 16), 24);
    hy_emit_get(&s, 1, HY_AT(HY_IN, 8), HY_AT(HY_OUT, 16), 24);
    hy_emit_copy(&s, HY_AT(HY_IN, 8), HY_AT(HY_OUT, 16), 24);
    hy_emit_reduce(&s, 2, HY_AT(HY_BOX, 8), HY_AT(HY_TMP, 16), 24);
    assert_int_equal(s.count, 4);
    expect(&s.steps[0], (hy_step){HY_STEP_PUT, 0, HY_IN, HY_OUT, 1, 8, 16, 24});
    expect(&s.steps[1], (hy_step){HY_STEP_GET, 0, HY_OUT, HY_IN, 1, 16, 8, 24});
    expect(&s.steps[2], (hy_step){HY_STEP_COPY, 0, HY_OUT, HY_IN, 3, 16, 8, 24});
    expect(&s.steps[3], (hy_step){HY_STEP_REDUCE, 0, HY_TMP, HY_BOX, 2, 16, 8, 24});
    hy_schedule_release(&s);
}

TEST(should_tell_and_expose_by_signals)
{
    hy_schedule s = empty(8);
    hy_emit_signal(&s, 4);
    hy_emit_wait(&s, 4);
    hy_emit_expose(&s, 4, HY_OUT);
    hy_emit_learn(&s, 4, HY_OUT);
    assert_int_equal(s.count, 4);
    expect(&s.steps[0], (hy_step){.kind = HY_STEP_SIGNAL, .peer = 4});
    expect(&s.steps[1], (hy_step){.kind = HY_STEP_WAIT, .peer = 4});
    expect(&s.steps[2],
           (hy_step){.kind = HY_STEP_SIGNAL, .flags = HY_STEP_EXPOSE, .local = HY_OUT, .peer = 4});
    expect(&s.steps[3],
           (hy_step){.kind = HY_STEP_WAIT, .flags = HY_STEP_EXPOSE, .remote = HY_OUT, .peer = 4});
    hy_schedule_release(&s);
}

TEST(should_emit_nothing_for_no_bytes_or_no_distance)
{
    hy_schedule s = empty(8);
    hy_place in = HY_AT(HY_IN, 0), out = HY_AT(HY_OUT, 8);
    hy_emit_put(&s, 1, in, out, 0);
    hy_emit_get(&s, 1, in, out, 0);
    hy_emit_copy(&s, in, out, 0);
    hy_emit_reduce(&s, 1, in, out, 0);
    hy_emit_send(&s, 1, in, 0);
    hy_emit_recv(&s, 1, out, 0);
    hy_emit_fold(&s, 1, out, 0);
    hy_emit_copy(&s, out, out, 64);
    assert_int_equal(s.emitted, 0);
    assert_null(s.steps);
    hy_emit_copy(&s, out, HY_AT(HY_OUT, 16), 64);
    hy_emit_copy(&s, HY_AT(HY_IN, 8), out, 64);
    assert_int_equal(s.count, 2);
    hy_schedule_release(&s);
}

TEST(should_cut_payloads_into_pieces_of_whole_elements)
{
    const uint64_t len = 24 * 400;
    hy_schedule s = empty(24);
    hy_emit_send(&s, 1, HY_AT(HY_OUT, 48), len);
    hy_emit_recv(&s, 1, HY_AT(HY_OUT, 48), len);
    hy_emit_fold(&s, 1, HY_AT(HY_OUT, 48), len);
    assert_ok(hy_emit_end(&s));
    assert_int_equal(s.count, 9);
    for (uint32_t i = 0; i < s.count; i++) {
        const uint64_t lengths[] = {4080, 4080, len - 2 * 4080};
        assert_int_equal(s.steps[i].kind, i < 3 ? HY_STEP_SIGNAL : HY_STEP_WAIT);
        assert_int_equal(s.steps[i].flags, i < 6 ? 0 : HY_STEP_FOLD);
        assert_int_equal(s.steps[i].local_off, 48 + i % 3 * 4080);
        assert_int_equal(s.steps[i].len, lengths[i % 3]);
    }
    hy_schedule_release(&s);
}

TEST(should_fill_payloads_with_as_many_elements_as_fit)
{
    const uint32_t units[] = {1, 8, 24, 1000, 2049, 4096};
    const uint64_t pieces[] = {4096, 4096, 4080, 4000, 2049, 4096};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const hy_shape shape = {.unit = units[i]};
        assert_int_equal(hy_piece(&shape), pieces[i]);
    }
}

TEST(should_need_the_most_room_that_was_asked_for)
{
    hy_schedule s = empty(8);
    hy_emit_tmp(&s, 100);
    hy_emit_tmp(&s, 40);
    hy_emit_box(&s, 7);
    hy_emit_box(&s, 70);
    assert_int_equal(s.tmp_bytes, 100);
    assert_int_equal(s.box_bytes, 70);
}

TEST(should_keep_the_steps_of_the_window_only)
{
    hy_schedule s = empty(8);
    s.first = 3;
    s.limit = 2;
    for (int i = 0; i < 5; i++) {
        assert_false(hy_emit_enough(&s));
        hy_emit_signal(&s, i);
    }
    assert_true(hy_emit_enough(&s));
    hy_emit_signal(&s, 5);
    assert_int_equal(s.count, 2);
    assert_int_equal(s.steps[0].peer, 3);
    assert_int_equal(s.steps[1].peer, 4);
    hy_schedule_release(&s);
}

TEST(should_stop_cutting_payloads_behind_the_window)
{
    hy_schedule s = empty(8);
    s.first = 2;
    s.limit = 1;
    hy_emit_send(&s, 1, HY_AT(HY_OUT, 0), UINT64_C(1) << 60); /* else: years */
    assert_int_equal(s.count, 1);
    assert_int_equal(s.steps[0].local_off, 2 * 4096);
    assert_int_equal(s.emitted, 3);
    hy_schedule_release(&s);
}

TEST(should_remember_that_memory_ran_out)
{
    hy_schedule s = empty(1);
    hy_emit_signal(&s, 1);
    free(s.steps);
    s.steps = NULL;
    s.count = s.capacity = 1u << 30; /* as if that many steps had been emitted */
    hy_emit_signal(&s, 1);
    assert_true(hy_emit_enough(&s));
    hy_emit_send(&s, 1, HY_AT(HY_OUT, 0), UINT64_MAX);
    assert_code(hy_emit_end(&s), HAYATE_ERR_NO_MEMORY);
    assert_null(s.steps);
    assert_int_equal(s.count, 0);
    hy_schedule_release(&s);
}

TEST(should_cut_slices_that_cover_everything_once)
{
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

TEST(should_count_ranks_around_without_overflow)
{
    const hy_shape far = {.rank = INT32_MAX - 2, .size = INT32_MAX, .root = INT32_MAX - 3};
    assert_int_equal(hy_next_rank(&far, 1), INT32_MAX - 1);
    assert_int_equal(hy_next_rank(&far, 2), 0);
    assert_int_equal(hy_next_rank(&far, INT32_MAX - 1), INT32_MAX - 3);
    assert_int_equal(hy_to_rank(&far, INT32_MAX - 1), INT32_MAX - 4);
    for (int root = 0; root < 7; root++)
        for (int rank = 0; rank < 7; rank++) {
            const hy_shape shape = {.size = 7, .root = root};
            assert_int_equal(hy_to_rank(&shape, hy_from_root(&shape, rank)), rank);
            assert_int_equal(hy_from_root(&shape, root), 0);
        }
}

TEST(should_find_blocks_where_they_are)
{
    static const hy_block blocks[] = {{40, 8}, {0, 16}, {16, 24}};
    const hy_shape even = {.rank = 2, .size = 3, .bytes = 24, .unit = 8};
    const hy_shape uneven = {
        .rank = 2, .size = 3, .bytes = 24, .unit = 8, .uneven = true, .in_blocks = blocks};
    assert_int_equal(hy_in_block(&even, 1).off, 24);
    assert_int_equal(hy_out_block(&even, 1).len, 24);
    assert_int_equal(hy_my_block_at_peer(&even), 48);
    assert_int_equal(hy_in_block(&uneven, 0).off, 40);
    assert_int_equal(hy_in_block(&uneven, 1).len, 16);
    assert_int_equal(hy_my_block_at_peer(&uneven), 0);
}

int main(void)
{
    return tests_run();
}
