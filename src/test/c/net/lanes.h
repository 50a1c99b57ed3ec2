/* SPDX-License-Identifier: Apache-2.0 */
/* Threads of two ranks, each pair of which talks on a lane of its own. Who includes it defines
 * ROUNDS. */
#ifndef HY_TEST_NET_LANES_H
#define HY_TEST_NET_LANES_H

#include "net/fixture.h"

#include <pthread.h>

#define LANES 6
#define LONG 9000
#define COUNTED 4000

typedef struct talker {
    member *me;
    int lane;
    hy_ep ep;
} talker;

static uint64_t data_of(int lane)
{
    return DATA_AT + (uint64_t)lane * 65536;
}

static uint64_t flag_of(int lane, int which)
{
    return 64 * (uint64_t)(2 * lane + which);
}

/* Short and long puts, then a flag; the other side looks at all when it sees that. */
static void send_round(talker *t, uint64_t round)
{
    static _Thread_local uint8_t data[LONG];
    hy_ep *ep = &t->ep;
    uint64_t to = data_of(t->lane), tail = to + LONG;
    fill(data, LONG, round * 64 + (uint64_t)t->lane);
    if (round % 2) CHECK_OK(ep->ops->put(ep, to, data, LONG));
    else CHECK_OK(ep->ops->put_start(ep, to, data, LONG));
    CHECK_OK(ep->ops->put(ep, tail, &round, sizeof round));
    put_flag(ep, flag_of(t->lane, 0), round);
}

static void receive_round(talker *t, uint64_t round)
{
    const uint8_t *data = t->me->part + data_of(t->lane);
    uint64_t tail;
    await(t->me, flag_of(t->lane, 0), round);
    memcpy(&tail, data + LONG, sizeof tail);
    CHECK(tail == round);
    CHECK(holds(data, LONG, round * 64 + (uint64_t)t->lane));
}

static void *talk(void *argument)
{
    talker *t = argument;
    uint64_t before;
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        if (t->me->rank == 0) send_round(t, round);
        else receive_round(t, round);
        if (t->me->rank == 1) put_flag(&t->ep, flag_of(t->lane, 1), round);
        else await(t->me, flag_of(t->lane, 1), round);
        CHECK_OK(t->ep.ops->atomic(&t->ep, COUNTED, HY_ATOMIC_ADD, 1, 0, &before));
    }
    CHECK_OK(t->ep.ops->flush(&t->ep));
    return NULL;
}

static void talk_on_all_lanes(member *me)
{
    talker talkers[LANES];
    pthread_t threads[LANES];
    for (int i = 0; i < LANES; i++) {
        talkers[i] = (talker){.me = me, .lane = i};
        me->net->ops->attach(me->net, &talkers[i].ep, 1 - me->rank, i);
        CHECK(talkers[i].ep.lane == i);
        CHECK(pthread_create(&threads[i], NULL, talk, &talkers[i]) == 0);
    }
    for (int i = 0; i < LANES; i++) pthread_join(threads[i], NULL);
    meet(me);
    CHECK(hy_load_acquire((_Atomic uint64_t *)(void *)(me->part + COUNTED)) == LANES * ROUNDS);
}

#endif
