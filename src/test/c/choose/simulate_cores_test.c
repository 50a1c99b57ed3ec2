/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks that share cores, and the memory's bandwidth. */
#include <string.h>

#include "base/test.h"
#include "choose/simulate_hand_fixture.h"

/* Rank 0 blocks at 17, polls 100, yields; rank 1 begins at 1117, is over at 1117 + 7 + 20 + 10;
 * then rank 0 runs a turn later. */
TEST(should_take_turns_on_one_core)
{
    assert_float_equal(time_of(ping_pong, 2, 1), 1154 + 1000 + 20, 1e-9);
}

/* Rank 2 of 3 on one core has nothing to do until rank 0 runs for the second time. */
static int relay(hy_schedule *s)
{
    switch (s->shape.rank) {
    case 0:
        hy_emit_wait(s, 1);
        hy_emit_signal(s, 2);
        break;
    case 1: hy_emit_signal(s, 0); break;
    default: hy_emit_wait(s, 0);
    }
    return 0;
}

/* 0 polls until 107; 1 begins at 1107, leaves at 1124; 2 begins at 2124, has nothing at 2131, polls
 * until 2231; 0 begins at 3231, leaves at 3261; 2 goes on a turn later. */
TEST(should_charge_a_turn_for_a_rank_that_has_nothing_to_do)
{
    assert_float_equal(time_of(relay, 3, 1), 3261 + 1000 + 20, 1e-9);
}

static int ping_pong_of_two(hy_schedule *s)
{
    return s->shape.rank < 2 ? ping_pong(s) : 0;
}

/* Ranks 2 and 3 would have the cores of 0 and 1 if these yielded. */
TEST(should_not_yield_while_polling)
{
    hand_case c = case_of(ping_pong_of_two, 4, 2);
    c.model.signal = c.model.take = 1;
    c.model.flight = 30;
    run(&c);
    assert_float_equal(event_of(0, 0, 1)->end, 7 + 2 * (1 + 30 + 1), 1e-9);
    c.model.flight = 60;
    event_count = 0;
    run(&c);
    assert_true(event_of(0, 0, 1)->end > 1000);
}

static int all_put(hy_schedule *s)
{
    hy_emit_put(s, (s->shape.rank + 1) % s->shape.size, HY_AT(HY_OUT, 0), HY_AT(HY_OUT, 0),
                s->shape.rank == 1 ? 3000 : 1000);
    return 0;
}

/* A move of 1000 bytes takes 2005 alone, one of 3000 takes 6005. */
static hand_case moves_alone(void)
{
    hand_case c = case_of(all_put, 2, 2);
    c.model.reduce_get = c.model.reduce; /* nothing is fetched when it is read */
    return c;
}

TEST(should_share_the_bandwidth_while_several_move)
{
    hand_case c = moves_alone();
    c.model.bandwidth = 0.5;
    c.model.cached = 1999;
    c.shape.bytes = 1000;
    run(&c);
    double asked = 1000 / 2005.0 + 3000 / 6005.0, both = 2005 * asked / 0.5;
    assert_float_equal(event_of(0, 0, 0)->end, 7 + both, 1e-6);
    assert_float_equal(event_of(1, 0, 0)->end, 7 + both + 4000, 1e-6);
}

TEST(should_not_limit_what_the_caches_hold)
{
    hand_case c = moves_alone();
    c.model.bandwidth = 0.5;
    c.model.cached = 2000;
    assert_float_equal(run(&c).ns, 7 + 6005, 1e-9);
    c = moves_alone();
    c.model.bandwidth = 1.5;
    c.model.cached = 0;
    assert_float_equal(run(&c).ns, 7 + 6005, 1e-9);
}

int main(void)
{
    return tests_run();
}
