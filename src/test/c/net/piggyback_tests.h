/* SPDX-License-Identifier: Apache-2.0 */
/* Short puts, which may ride in the message behind them, over any network: they come, before that,
 * and pass nothing that they must not pass. */
#ifndef HY_TEST_NET_PIGGYBACK_TESTS_H
#define HY_TEST_NET_PIGGYBACK_TESTS_H

#include "net/fixture.h"

enum { RIDES_AT = 0, ANSWERED_AT = 64 }; /* flags, and a slot */

#define MOST_RIDING 60 /* bytes, more than may ride */

/* The last of them ends with the part. */
static void hand_over_piggybacks(member *me, uint64_t turn, uint64_t len, uint64_t payload)
{
    hy_ep *ep = &me->eps[1];
    uint8_t data[MOST_RIDING];
    fill(data, len, turn);
    CHECK_OK(ep->ops->put(ep, PART - len, data, len));
    memset(data, 0, len); /* it is the caller's again */
    if (payload) ep->ops->signal(ep, RIDES_AT, turn, data, payload);
    else put_flag(ep, RIDES_AT, turn);
    await(me, ANSWERED_AT, turn);
}

static void look_at_piggybacks(member *me, uint64_t turn, uint64_t len)
{
    await(me, RIDES_AT, turn);
    CHECK(holds(me->part + PART - len, len, turn));
    CHECK(me->part[PART - len - 1] == 0);
    memset(me->part + PART - len, 0, len);
    put_flag(&me->eps[0], ANSWERED_AT, turn);
}

LIFE_TEST(should_bring_short_puts_of_any_length_before_what_follows, 2)
{
    uint64_t turn = 0;
    for (uint64_t len = 1; len <= MOST_RIDING; len++)
        for (uint64_t payload = 0; payload <= HY_SLOT_PAYLOAD; payload += 7) {
            turn++;
            if (me->rank == 0) hand_over_piggybacks(me, turn, len, payload);
            else look_at_piggybacks(me, turn, len);
        }
}

/* The other computes: it looks at nothing until its progress thread does. */
LIFE_TEST(should_not_let_a_put_or_get_pass_an_older_piggyback_to_the_same_bytes, 2)
{
    enum { ROUNDS = 6 };
    hy_ep *ep = &me->eps[1];
    uint8_t data[5000], back[5000];
    for (uint64_t i = 1; i <= ROUNDS && me->rank == 0; i++) {
        size_t len = i % 2 ? sizeof data : 16, at = DATA_AT + 4;
        fill(data, sizeof data, 2 * i);
        CHECK_OK(ep->ops->put(ep, DATA_AT, data, 24));
        put_flag(ep, RIDES_AT, 2 * i - 1);
        if (i % 3 == 0) {
            CHECK_OK(ep->ops->get(ep, DATA_AT, back, 24));
            CHECK(holds(back, 24, 2 * i));
        }
        fill(data, sizeof data, 2 * i + 1);
        if (i % 3 == 1) CHECK_OK(ep->ops->put_start(ep, at, data, len));
        else CHECK_OK(ep->ops->put(ep, at, data, len));
        if (i > 3) me->net->ops->progress(me->net);
        put_flag(ep, RIDES_AT, 2 * i);
        await(me, ANSWERED_AT, i);
    }
    for (uint64_t i = 1; i <= ROUNDS && me->rank == 1; i++) {
        usleep(20000);
        await(me, RIDES_AT, 2 * i);
        CHECK(holds(me->part + DATA_AT + 4, i % 2 ? sizeof data : 16, 2 * i + 1));
        put_flag(&me->eps[0], ANSWERED_AT, i);
    }
}

/* And again to bytes to which a piggyback is on its way. */
LIFE_TEST(should_bring_a_short_put_of_who_calls_nothing_more, 2)
{
    hy_ep *ep = &me->eps[1];
    if (me->rank == 1) {
        await(me, DATA_AT, 7);
        put_flag(&me->eps[0], ANSWERED_AT, 1);
        await(me, DATA_AT, 9);
        me->w->note[0] = 1;
        return;
    }
    CHECK_OK(ep->ops->put(ep, DATA_AT, &(uint64_t){7}, 8));
    while (hy_load_acquire((const _Atomic uint64_t *)(void *)(me->part + ANSWERED_AT)) != 1)
        usleep(1000);
    CHECK_OK(ep->ops->put(ep, DATA_AT, &(uint64_t){8}, 8));
    put_flag(ep, RIDES_AT, 1);
    CHECK_OK(ep->ops->put(ep, DATA_AT, &(uint64_t){9}, 8));
    while (!me->w->note[0]) usleep(1000);
}

#endif
