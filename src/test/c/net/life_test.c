/* SPDX-License-Identifier: Apache-2.0 */
/* Who lives, who is silent, and who has failed. */
#include "base/test.h"

#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/status.h"
#include "net/life.h"

#define MS UINT64_C(1000000)
#define SILENCE (300 * MS)

static bool look(hy_net_life *life)
{
    (void)hy_net_wants_watch(life);
    return hy_net_silent(life, SILENCE, 0);
}

/* Looks all the time; after how many ms it was found silent. */
static uint64_t wait_in_vain(hy_net_life *life)
{
    uint64_t start = hy_now_ns();
    while (!look(life)) usleep(1000);
    return (hy_now_ns() - start) / MS;
}

TEST(should_find_silent_who_shows_nothing_while_it_is_waited_for)
{
    hy_net_life life = {.rank = 1};
    assert_true(hy_net_wants_watch(&life));
    assert_in_range(wait_in_vain(&life), 299, 20000);
    hy_net_note_sign(&life);
    assert_false(hy_net_wants_watch(&life));
    assert_false(look(&life));
}

/* Perhaps nothing was asked at that first look, so nothing could be answered. */
TEST(should_not_count_the_time_in_which_nobody_waited)
{
    hy_net_life life = {.rank = 1};
    assert_false(look(&life));
    usleep(1200000);
    assert_false(look(&life));
    assert_in_range(wait_in_vain(&life), 200, 20000);
}

TEST(should_count_the_silence_of_a_certain_wait_from_its_beginning)
{
    hy_net_life life = {.rank = 1};
    uint64_t now = hy_now_ns();
    assert_true(hy_net_silent(&life, SILENCE, now - SILENCE - 1));
    assert_false(hy_net_silent(&life, 10000 * MS, now));
    hy_net_note_sign(&life);
    assert_false(hy_net_silent(&life, 10000 * MS, now - 10001 * MS));
}

TEST(should_keep_the_first_reason)
{
    hy_net_life life = {.rank = 7};
    hy_net_lost(&life, "the cable is %s", "cut");
    hy_net_lost(&life, "no answer");
    assert_true(hy_net_failed(&life));
    assert_int_equal(hy_net_fail_lost(&life), HAYATE_ERR_PEER_FAILED);
    assert_int_equal(hayate_error_peer(), 7);
    assert_string_equal(hayate_error(), "rank 7 cannot be reached: the cable is cut");
}

TEST(should_share_one_fate)
{
    _Atomic uint32_t lost = HY_NET_ALIVE, left = HY_NET_ALIVE;
    hy_net_life one = {.peer_state = &lost}, other = {.peer_state = &lost},
                gone = {.peer_state = &left};
    assert_false(hy_net_failed(&other));
    hy_net_lost(&one, "no answer");
    assert_true(hy_net_failed(&other) && !other.left);
    hy_net_decide(&lost, HY_NET_LEFT);
    assert_int_equal(lost, HY_NET_LOST);
    hy_net_decide(&left, HY_NET_LEFT);
    assert_true(hy_net_failed(&gone) && gone.left);
}

int main(void)
{
    return tests_run();
}
