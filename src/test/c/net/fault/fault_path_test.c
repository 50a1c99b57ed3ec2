/* SPDX-License-Identifier: Apache-2.0 */
/* The path that tests rely on: it is as bad as path.h allows, and no worse. */
#include "nodes/far_fixture.h"

#define PLACE (WORLD_SYSTEM + 4096)
#define ROUNDS 2000

static uint64_t *theirs(uint64_t offset)
{
    return (uint64_t *)(void *)(w.jobs[1]->part + offset);
}

/* 0: it has not come */
static uint64_t flag_of(uint64_t offset)
{
    return hy_load_acquire((_Atomic uint64_t *)(void *)theirs(offset));
}

TEST(should_show_all_puts_to_who_sees_the_flag)
{
    const hy_path_ops *ops = a->ep->ops;
    uint64_t data[8];
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        const hy_flag flag = {round, {round, round, round}};
        for (uint64_t i = 0; i < 8; i++) {
            data[i] = round * 8 + i;
            assert_ok(ops->put_start(a->ep, PLACE + 64 + 8 * i, &data[i], 8));
        }
        assert_ok(ops->put_flag(a->ep, PLACE, &flag));
        while (flag_of(PLACE) != round) nets[0]->ops->progress(nets[0]);
        for (uint64_t i = 0; i < 8; i++) assert_int_equal(*theirs(PLACE + 64 + 8 * i), data[i]);
        for (uint64_t i = 1; i < 4; i++) assert_int_equal(theirs(PLACE)[i], round);
    }
}

TEST(should_bring_puts_in_another_order_than_they_were_made)
{
    const uint64_t one = 1, zero = 0;
    int inversions = 0, late = 0;
    const hy_path_ops *ops = a->ep->ops;
    for (int round = 0; round < ROUNDS; round++) {
        ops->put(a->ep, PLACE, &zero, 8);
        ops->put(a->ep, PLACE + 64, &zero, 8);
        settle();
        assert_ok(ops->put_start(a->ep, PLACE, &one, 8));
        assert_ok(ops->put_start(a->ep, PLACE + 64, &one, 8));
        late += flag_of(PLACE) == 0;
        while (flag_of(PLACE + 64) == 0) nets[0]->ops->progress(nets[0]);
        inversions += flag_of(PLACE) == 0;
        settle();
        assert_int_equal(*theirs(PLACE), 1);
    }
    assert_true(late > ROUNDS / 10);
    assert_true(inversions > ROUNDS / 20);
}

TEST(should_keep_the_order_of_signals_and_flags)
{
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        const hy_flag flag = {round, {0}};
        a->ep->ops->signal(a->ep, PLACE, round, &round, sizeof round);
        a->ep->ops->put_flag(a->ep, PLACE + 64, &flag);
        while (flag_of(PLACE + 64) != round) nets[0]->ops->progress(nets[0]);
        assert_int_equal(*theirs(PLACE), round);
        assert_int_equal(*theirs(PLACE + 8), round);
    }
}

TEST(should_fail_for_good_and_on_both_sides)
{
    const hy_path_ops *ops = a->ep->ops;
    const hy_flag flag = {1, {0}};
    uint64_t word = 0;
    assert_ok(ops->put_flag(a->ep, PLACE, &flag));
    assert_ok(nets[1]->ops->check(b->ep));
    fault_path_break(a->ep);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(ops->put(a->ep, PLACE, &word, 8), HAYATE_ERR_PEER_FAILED);
        assert_int_equal(ops->get(a->ep, PLACE, &word, 8), HAYATE_ERR_PEER_FAILED);
        assert_int_equal(ops->put_start(a->ep, PLACE, &word, 8), HAYATE_ERR_PEER_FAILED);
        assert_int_equal(ops->put_flag(a->ep, PLACE, &flag), HAYATE_ERR_PEER_FAILED);
        assert_int_equal(ops->flush(a->ep), HAYATE_ERR_PEER_FAILED);
        assert_int_equal(nets[0]->ops->check(a->ep), HAYATE_ERR_PEER_FAILED);
        assert_int_equal(nets[1]->ops->check(b->ep), HAYATE_ERR_PEER_FAILED);
        assert_int_equal(hayate_error_peer(), 0);
        assert_int_equal(b->ep->ops->get(b->ep, PLACE, &word, 8), HAYATE_ERR_PEER_FAILED);
    }
}

/* It is lost: nobody sees it, and nobody who does not wait is told. */
TEST(should_lose_all_behind_a_cut_and_tell_who_waits)
{
    const hy_path_ops *ops = a->ep->ops;
    const hy_flag flag = {2, {0}};
    uint64_t word = 0;
    fault_path_cut(a->ep);
    assert_ok(ops->put_flag(a->ep, PLACE, &flag));
    assert_ok(ops->put(a->ep, PLACE + 64, &flag, 8));
    assert_ok(nets[1]->ops->check(b->ep));
    assert_int_equal(b->ep->ops->get(b->ep, PLACE, &word, 8), HAYATE_ERR_PEER_FAILED);
    assert_int_equal(ops->flush(a->ep), HAYATE_ERR_PEER_FAILED);
    assert_int_equal(flag_of(PLACE), 0);
    assert_int_equal(flag_of(PLACE + 64), 0);
}

TEST(should_refuse_memory_outside_of_the_peers_part)
{
    uint64_t word = 0;
    assert_int_equal(a->ep->ops->put(a->ep, w.jobs[1]->part_bytes - 4, &word, 8),
                     HAYATE_ERR_CORRUPT);
    assert_int_equal(a->ep->ops->get(a->ep, UINT64_MAX, &word, 8), HAYATE_ERR_CORRUPT);
}

int main(void)
{
    tests_each(set_up_far, tear_down_far);
    return tests_run();
}
