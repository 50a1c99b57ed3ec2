/* SPDX-License-Identifier: Apache-2.0 */
/* Times of schedules made by hand, compared with sums done by hand. */
#include <stdlib.h>
#include <string.h>

#include "base/test.h"
#include "choose/simulate_hand_fixture.h"

TEST(should_add_up_a_chain_of_signals)
{
    hand_case c = case_of(ping_pong, 2, 2);
    hy_sim_result result = run(&c);
    assert_float_equal(result.ns, 7 + 10 + 50 + 20 + 10 + 50 + 20, 1e-9);
    assert_float_equal(result.first, result.ns, 0);
    assert_float_equal(event_of(1, 0, 0)->begin, 7, 1e-9);
    assert_float_equal(event_of(1, 0, 0)->end, 87, 1e-9);
    assert_float_equal(event_of(0, 0, 1)->begin, 17, 1e-9);
    assert_int_equal(event_count, 4);
    assert_int_equal(result.signals, 2);
    assert_int_equal(result.rank_signals, 1);
    assert_int_equal(result.bytes, 0);
    assert_int_equal(result.rank_steps, 2);
    assert_false(result.alike);
}

TEST(should_say_what_each_of_the_later_runs_adds)
{
    hand_case c = case_of(ping_pong, 2, 2);
    c.setting.rounds = 5;
    hy_sim_result result = run(&c);
    assert_float_equal(result.first, 167, 1e-9);
    assert_float_equal(result.ns, 167, 1e-9);
    assert_int_equal(result.signals, 2);
    assert_int_equal(event_count, 20);
}

static int put_and_tell(hy_schedule *s)
{
    if (s->shape.rank == 1) {
        hy_emit_wait(s, 0);
        return 0;
    }
    hy_emit_put(s, 1, HY_AT(HY_OUT, 0), HY_AT(HY_OUT, 0), 100);
    hy_emit_signal(s, 1);
    return 0;
}

/* What reading takes beyond its bytes: see plain(). */
#define FETCH (4.0 - 0.75)

/* At the end the caller of rank 1 reads what rank 0 has put. */
TEST(should_end_a_put_before_its_signal)
{
    const double read = 100 * FETCH;
    assert_float_equal(time_of(put_and_tell, 2, 2), 7 + 5 + 200 + 10 + 50 + 20 + read, 1e-9);
    hand_case c = case_of(put_and_tell, 2, 2);
    c.setting.outside = true;
    hy_sim_result result = run(&c);
    assert_float_equal(result.ns, 7 + 5 + 1000 + 10 + 50 + 20 + read, 1e-9);
    assert_int_equal(result.bytes, 100);
    assert_int_equal(result.rank_bytes, 100);
}

static int send_payload(hy_schedule *s)
{
    if (s->shape.rank == 0) hy_emit_send(s, 1, HY_AT(HY_OUT, 0), 100);
    else hy_emit_recv(s, 0, HY_AT(HY_OUT, 0), 100);
    return 0;
}

static int send_to_fold(hy_schedule *s)
{
    if (s->shape.rank == 0) hy_emit_send(s, 1, HY_AT(HY_OUT, 0), 100);
    else hy_emit_fold(s, 0, HY_AT(HY_OUT, 0), 100);
    return 0;
}

TEST(should_copy_payloads_on_both_sides)
{
    assert_float_equal(time_of(send_payload, 2, 2), 7 + 10 + 50 + 50 + 20 + 100, 1e-9);
    assert_float_equal(time_of(send_to_fold, 2, 2), 7 + 10 + 50 + 50 + 20 + 100 + 75, 1e-9);
}

static int one_of_each(hy_schedule *s)
{
    if (s->shape.rank == 1) return 0;
    hy_emit_get(s, 1, HY_AT(HY_OUT, 0), HY_AT(HY_OUT, 0), 100);
    hy_emit_get(s, 1, HY_AT(HY_BOX, 0), HY_AT(HY_OUT, 0), 100);
    hy_emit_copy(s, HY_AT(HY_OUT, 0), HY_AT(HY_TMP, 0), 100);
    hy_emit_reduce(s, 0, HY_AT(HY_TMP, 0), HY_AT(HY_OUT, 0), 80);
    hy_emit_reduce(s, 1, HY_AT(HY_IN, 0), HY_AT(HY_OUT, 0), 100);
    hy_emit_reduce(s, 1, HY_AT(HY_TMP, 0), HY_AT(HY_OUT, 0), 100);
    hy_emit_put(s, 1, HY_AT(HY_OUT, 0), HY_AT(HY_TMP, 0), 100);
    return 0;
}

static void check_lengths(const double *expected)
{
    for (uint64_t i = 0; i < 7; i++) {
        const hy_sim_event *event = event_of(0, 0, i);
        assert_float_equal(event->end - event->begin, expected[i], 1e-9);
        assert_int_equal(event->step->kind, i < 2   ? HY_STEP_GET
                                            : i < 3 ? HY_STEP_COPY
                                            : i < 6 ? HY_STEP_REDUCE
                                                    : HY_STEP_PUT);
    }
}

TEST(should_move_only_memory_of_the_caller_outside_the_heap)
{
    const double inside[] = {305, 305, 30, 65, 405, 405, 205};
    const double outside[] = {1005, 305, 30, 65, 1080, 405, 205};
    hand_case c = case_of(one_of_each, 2, 2);
    hy_sim_result result = run(&c);
    check_lengths(inside);
    assert_int_equal(result.bytes, 500);
    c = case_of(one_of_each, 2, 2);
    c.setting.outside = true;
    run(&c);
    check_lengths(outside);
}

/* ---- what holds a rank back ---- */

#define MANY 20

static int many_signals(hy_schedule *s)
{
    if (s->shape.rank == 1) hy_emit_copy(s, HY_AT(HY_OUT, 0), HY_AT(HY_TMP, 0), 4000);
    for (int i = 0; i < MANY; i++)
        if (s->shape.rank == 0) hy_emit_signal(s, 1);
        else hy_emit_wait(s, 0);
    return 0;
}

/* The copy takes 1005 from 7 on, each WAIT 20; what the sender learns of it, it learns 50 later. */
TEST(should_wait_with_a_signal_while_too_many_are_on_their_way)
{
    hand_case c = case_of(many_signals, 2, 2);
    hy_sim_result result = run(&c);
    for (int i = 0; i < HY_SCHED_DEPTH; i++)
        assert_float_equal(event_of(0, 0, (uint64_t)i)->end, 17 + 10 * i, 1e-9);
    for (int i = HY_SCHED_DEPTH; i < MANY; i++) {
        double taken = 1012 + 20 * (i - HY_SCHED_DEPTH + 1);
        assert_float_equal(event_of(0, 0, (uint64_t)i)->end, taken + 50 + 10, 1e-9);
    }
    assert_float_equal(result.ns, 1012 + 20 * MANY, 1e-9);
}

static int ten_signals(hy_schedule *s)
{
    if (s->shape.rank == 1) hy_emit_copy(s, HY_AT(HY_OUT, 0), HY_AT(HY_TMP, 0), 4000);
    for (int i = 0; i < 10; i++)
        if (s->shape.rank == 0) hy_emit_signal(s, 1);
        else hy_emit_wait(s, 0);
    return 0;
}

TEST(should_count_the_signals_of_wired_runs_apart)
{
    hand_case c = case_of(ten_signals, 2, 2);
    c.setting.rounds = 3;
    run(&c);
    assert_float_equal(event_of(0, 1, 6)->end, 1012 + 20 + 50 + 10, 1e-9);
    c = case_of(ten_signals, 2, 2);
    c.setting.rounds = 3;
    c.shape.wired = true;
    run(&c);
    assert_float_equal(event_of(0, 1, 6)->end, 7 + 100 + 7 + 70, 1e-9);
    assert_float_equal(event_of(0, 2, 9)->end, 3 * (7 + 100), 1e-9);
}

static int slow_receiver(hy_schedule *s)
{
    if (s->shape.rank == 0) {
        hy_emit_signal(s, 1);
        return 0;
    }
    hy_emit_wait(s, 0);
    hy_emit_copy(s, HY_AT(HY_OUT, 0), HY_AT(HY_TMP, 0), 4000);
    return 0;
}

/* Run n of the receiver is over at 87 + 1005, then every 7 + 20 + 1005. */
TEST(should_not_be_more_wired_runs_ahead_than_there_are_boxes)
{
    for (uint32_t window = 0; window < 2; window++) {
        hand_case c = case_of(slow_receiver, 2, 2);
        c.setting.window = window;
        c.shape.wired = true;
        const uint32_t depth = hy_wired_depth(&c.shape);
        c.setting.rounds = depth + 4;
        hy_sim_result result = run(&c);
        for (uint32_t round = 0; round < depth; round++)
            assert_float_equal(event_of(0, round, 0)->end, 17 * (round + 1), 1e-9);
        for (uint32_t round = depth; round < depth + 4; round++) {
            double over = 1092 + 1032 * (round - depth);
            assert_float_equal(event_of(0, round, 0)->end, over + 50 + 7 + 10, 1e-9);
        }
        assert_float_equal(result.ns, 1032, 1e-9);
    }
}

/* The sender would be ahead; apart, each run takes what the first one takes. */
TEST(should_begin_runs_that_are_apart_together)
{
    hand_case c = case_of(slow_receiver, 2, 2);
    c.shape.wired = true;
    c.setting.rounds = 3;
    c.setting.apart = true;
    hy_sim_result result = run(&c);
    assert_float_equal(result.first, 1092, 1e-9);
    assert_float_equal(result.ns, 1092, 1e-9);
    assert_int_equal(event_count, 9);
}

static int put_the_same(hy_schedule *s)
{
    if (s->shape.rank == 1) {
        hy_emit_wait(s, 0);
        hy_emit_signal(s, 0);
        return 0;
    }
    hy_emit_put(s, 1, HY_AT(HY_OUT, 0), HY_AT(HY_OUT, 0), 1000);
    hy_emit_signal(s, 1);
    hy_emit_wait(s, 1);
    return 0;
}

/* Only the second run finds lines that the peer has read since they were written. */
TEST(should_remember_the_caches_in_runs_that_are_apart)
{
    hand_case c = case_of(put_the_same, 2, 2);
    for (int i = 0; i < HY_CURVE_POINTS; i++) c.model.get.ns[i] = c.model.put.ns[i] / 2;
    c.setting.rounds = 2;
    c.setting.apart = true;
    hy_sim_result result = run(&c);
    double call_back = hy_curve_at(&c.model.put, 1000) - hy_curve_at(&c.model.get, 1000);
    assert_true(call_back > 1);
    assert_float_equal(result.ns - result.first, call_back, 1e-9);
}

static int put_and_copy_twice(hy_schedule *s)
{
    if (s->shape.rank == 0) {
        hy_emit_put(s, 1, HY_AT(HY_OUT, 0), HY_AT(HY_TMP, 0), 1000);
        hy_emit_signal(s, 1);
        return 0;
    }
    hy_emit_wait(s, 0);
    for (int i = 0; i < 2; i++) hy_emit_copy(s, HY_AT(HY_TMP, 0), HY_AT(HY_OUT, 0), 1000);
    return 0;
}

TEST(should_fetch_what_a_peer_has_put_when_it_is_read_first)
{
    hand_case c = case_of(put_and_copy_twice, 2, 2);
    run(&c);
    assert_float_equal(event_of(1, 0, 1)->end - event_of(1, 0, 1)->begin, 5 + 250 + 1000 * FETCH,
                       1e-9);
    assert_float_equal(event_of(1, 0, 2)->end - event_of(1, 0, 2)->begin, 5 + 250, 1e-9);
    c = case_of(put_and_copy_twice, 2, 1);
    run(&c);
    assert_float_equal(event_of(1, 0, 1)->end - event_of(1, 0, 1)->begin, 5 + 250, 1e-9);
}

TEST(should_copy_within_its_own_caches_as_fast_as_it_reduces)
{
    hand_case c = case_of(put_and_copy_twice, 2, 2);
    c.model.reduce = (hy_curve)LINE(0.125);
    c.model.reduce_get = (hy_curve)LINE(0.125 + FETCH);
    run(&c);
    assert_float_equal(event_of(1, 0, 1)->end - event_of(1, 0, 1)->begin, 5 + 250 + 1000 * FETCH,
                       1e-9);
    assert_float_equal(event_of(1, 0, 2)->end - event_of(1, 0, 2)->begin, 5 + 125, 1e-9);
}

static int get_pieces(hy_schedule *s)
{
    if (s->shape.rank == 0) return 0;
    hy_emit_get(s, 0, HY_AT(HY_OUT, 0), HY_AT(HY_OUT, 0), 8192);
    hy_emit_get(s, 0, HY_AT(HY_OUT, 8192), HY_AT(HY_OUT, 8192), 64);
    hy_emit_get(s, 0, HY_AT(HY_BOX, 0), HY_AT(HY_OUT, 0), 8192);
    return 0;
}

static double took(uint64_t step)
{
    return event_of(1, 0, step)->end - event_of(1, 0, step)->begin;
}

TEST(should_move_a_piece_at_the_rate_of_the_whole)
{
    hand_case c = case_of(get_pieces, 2, 2);
    for (int i = 0; i < HY_CURVE_POINTS; i++) c.model.get.ns[i] += 10000;
    c.shape.bytes = 65536;
    run(&c);
    assert_float_equal(took(0), 5 + (10000 + 3 * 65536) / 8.0, 1e-6);
    assert_float_equal(took(1), 5 + 10000 + 3 * 64, 1e-6);
    assert_float_equal(took(2), 5 + 10000 + 3 * 8192, 1e-6); /* that box is no piece */
    c.setting.outside = true;                                /* the kernel begins each copy anew */
    event_count = 0;
    run(&c);
    assert_float_equal(took(0), 5 + 10 * 8192, 1e-6);
}

/* ---- errors ---- */

static int both_wait(hy_schedule *s)
{
    hy_emit_wait(s, 1 - s->shape.rank);
    return 0;
}

static int simulate_hand_case(const hand_case *c)
{
    hy_sim_result result;
    return hy_simulate(&c->model, &hand_made, &c->shape, &put_prepared, &c->setting, &result);
}

TEST(should_name_who_waits_for_whom_in_a_deadlock)
{
    for (int cpus = 1; cpus <= 2; cpus++) {
        hand_case c = case_of(both_wait, 2, cpus);
        assert_refused(simulate_hand_case(&c), HAYATE_ERR_CORRUPT,
                       "rank 0 waits for rank 1 at step 0");
    }
}

TEST(should_give_up_when_there_are_too_many_steps)
{
    hand_case c = case_of(many_signals, 2, 2);
    c.setting.max_steps = 2 * MANY + 1;
    assert_ok(simulate_hand_case(&c));
    c.setting.max_steps = 2 * MANY;
    assert_refused(simulate_hand_case(&c), HAYATE_ERR_UNSUPPORTED, "40 steps");
    const hy_algorithm *linear = hy_algorithm_find(HY_COLL_REDUCE, "linear");
    const hy_shape huge = {.coll = HY_COLL_REDUCE, .size = 1000000, .bytes = 8, .unit = 8};
    const hy_sim_setting setting = {.rounds = 1, .max_steps = 100000};
    hy_sim_result result;
    assert_refused(hy_simulate(&c.model, linear, &huge, &put_prepared, &setting, &result),
                   HAYATE_ERR_UNSUPPORTED, "the limit is 100000");
}

TEST(should_refuse_what_cannot_be_simulated)
{
    hand_case c = case_of(ping_pong, 2, 2);
    c.setting.rounds = 0;
    assert_code(simulate_hand_case(&c), HAYATE_ERR_ARGUMENT);
    c = case_of(ping_pong, 2, 2);
    c.shape.root = 2;
    assert_code(simulate_hand_case(&c), HAYATE_ERR_ARGUMENT);
    c = case_of(ping_pong, 2, 2);
    c.shape.coll = HY_COLL_GATHER;
    assert_code(simulate_hand_case(&c), HAYATE_ERR_ARGUMENT);
    c = case_of(ping_pong, 2, 2);
    c.shape.uneven = true;
    assert_code(simulate_hand_case(&c), HAYATE_ERR_ARGUMENT);
}

int main(void)
{
    return tests_run();
}
