/* SPDX-License-Identifier: Apache-2.0 */
/* The row of a network: each of its functions, between processes. */
#ifndef HY_TEST_NET_PATH_TESTS_H
#define HY_TEST_NET_PATH_TESTS_H

#include "path/op_tests.h"

#include <pthread.h>

#define FLAG_AT 0
#define BACK_AT 64

#define MIB ((size_t)1 << 20)

static const size_t sizes[] = {0,     1,      7,       8,       63,          64,          65,
                               255,   256,    4095,    4096,    4097,        16383,       16385,
                               65536, 262144, MIB + 3, 8 * MIB, 8 * MIB + 1, 17 * MIB + 5};
#define SIZES (sizeof sizes / sizeof *sizes)

/* Of the sizes. */
static size_t longest = PART;

LIFE_TEST(should_put_and_get_every_size_up_to_the_last_byte, 2)
{
    hy_ep *ep = &me->eps[1 - me->rank];
    uint8_t *data = malloc(PART), *back = malloc(PART);
    CHECK(me->net->class == (tested == &hy_net_verbs ? HY_NET_VERBS : HY_NET_TCP));
    for (size_t i = 0; i < SIZES && sizes[i] <= longest && me->rank == 0; i++) {
        size_t len = sizes[i];
        fill(data, len, i);
        memset(back, 0, len);
        CHECK_OK(ep->ops->put(ep, PART - len, data, len));
        CHECK_OK(ep->ops->flush(ep));
        CHECK_OK(ep->ops->get(ep, PART - len, back, len));
        CHECK(holds(back, len, i));
        put_flag(ep, FLAG_AT, i + 1);
        await(me, BACK_AT, i + 1);
    }
    for (size_t i = 0; i < SIZES && sizes[i] <= longest && me->rank == 1; i++) {
        await(me, FLAG_AT, i + 1);
        CHECK(holds(me->part + PART - sizes[i], sizes[i], i));
        put_flag(ep, BACK_AT, i + 1);
    }
    free(data);
    free(back);
}

LIFE_TEST(should_have_brought_and_fetched_all_that_was_started_when_flush_returns, 2)
{
    hy_ep *ep = &me->eps[1 - me->rank];
    uint64_t at = DATA_AT, seen = 0;
    uint8_t *data = malloc(PART), *back = malloc(PART);
    for (size_t i = 0; i + 3 < SIZES; at += sizes[i++]) {
        fill(data + at, sizes[i], i);
        CHECK_OK(ep->ops->put_start(ep, at, data + at, sizes[i]));
    }
    CHECK_OK(ep->ops->flush(ep));
    meet(me); /* says nothing over the network: what is there now flush() has brought */
    at = DATA_AT;
    for (size_t i = 0; i + 3 < SIZES; at += sizes[i++]) {
        CHECK(holds(me->part + at, sizes[i], i));
        CHECK_OK(ep->ops->get_start(ep, at, back + at, sizes[i]));
    }
    CHECK_OK(ep->ops->flush(ep));
    for (at = DATA_AT; seen + 3 < SIZES; at += sizes[seen++])
        CHECK(holds(back + at, sizes[seen], seen));
    free(data);
    free(back);
}

LIFE_TEST(should_signal_payloads_of_every_length_and_touch_no_other_byte, 2)
{
    hy_ep *ep = &me->eps[1 - me->rank];
    const uint64_t at = DATA_AT + HY_LINE;
    for (size_t len = 0; len <= HY_SLOT_PAYLOAD; len++) {
        uint8_t data[HY_SLOT_PAYLOAD];
        fill(data, len, len);
        memset(me->part + DATA_AT, 0xee, 3 * HY_LINE);
        meet(me);
        ep->ops->signal(ep, at, 77 + len, data, len);
        await(me, at, 77 + len);
        const hy_slot *slot = (const hy_slot *)(const void *)(me->part + at);
        CHECK(memcmp(slot->payload, data, len) == 0);
        for (size_t i = len; i < HY_SLOT_PAYLOAD; i++) CHECK(slot->payload[i] == 0xee);
        for (int i = 0; i < HY_LINE; i++)
            CHECK(me->part[DATA_AT + i] == 0xee && me->part[at + HY_LINE + (size_t)i] == 0xee);
    }
}

LIFE_TEST(should_write_a_flag_and_touch_no_other_byte, 2)
{
    hy_ep *ep = &me->eps[1 - me->rank];
    memset(me->part + PART - 64, 0xee, 64);
    meet(me);
    put_flag(ep, PART - 32, 500);
    await(me, PART - 32, 500);
    const uint64_t *words = (const uint64_t *)(const void *)(me->part + PART - 32);
    CHECK(words[1] == 501 && words[2] == 502 && words[3] == 503);
    for (int i = 0; i < 32; i++) CHECK(me->part[PART - 64 + (size_t)i] == 0xee);
}

/* Old bytes under a new flag are what this is about, so each round has bytes of its own. */
static uint64_t rounds = 300;
static uint64_t seed_now;

static size_t length_of(uint64_t round)
{
    uint64_t x = (seed_now + round) * UINT64_C(0xd1342543de82ef95) >> 32;
    static const size_t most[] = {64, 4096, 65536, 1 << 20};
    return 1 + x % most[round % 4];
}

/* By signal, flag and atomic in turn. */
static void announce(hy_ep *ep, uint64_t round)
{
    uint64_t before, head = round + 1;
    if (round % 3 == 0) ep->ops->signal(ep, FLAG_AT, head, &head, 8);
    else if (round % 3 == 1) put_flag(ep, FLAG_AT, head);
    else CHECK_OK(ep->ops->atomic(ep, FLAG_AT, HY_ATOMIC_SWAP, head, 0, &before));
}

static void send_rounds(member *me, hy_ep *ep)
{
    uint8_t *data = malloc(2 << 20);
    for (uint64_t round = 0; round < rounds; round++) {
        size_t len = length_of(round), first = len / 2;
        fill(data, len, round);
        CHECK_OK(ep->ops->put_start(ep, DATA_AT, data, first));
        CHECK_OK(ep->ops->put(ep, DATA_AT + first, data + first, len - first));
        announce(ep, round);
        await(me, BACK_AT, round + 1);
        CHECK_OK(ep->ops->flush(ep));
    }
    free(data);
}

static void follow_rounds(member *me, hy_ep *ep)
{
    for (uint64_t round = 0; round < rounds; round++) {
        await(me, FLAG_AT, round + 1);
        CHECK(holds(me->part + DATA_AT, length_of(round), round));
        put_flag(ep, BACK_AT, round + 1);
    }
}

static void data_then_flag(member *me)
{
    if (me->rank == 0) send_rounds(me, &me->eps[1]);
    else follow_rounds(me, &me->eps[0]);
}

TEST(should_show_data_before_the_signal_flag_or_atomic_that_follows)
{
    for (seed_now = 1; seed_now <= 3; seed_now++) run_lives(2, data_then_flag);
}

/* Each signal is written over by the next: who sees one sees no older one afterwards. */
LIFE_TEST(should_show_signals_of_one_thread_in_their_order, 2)
{
    enum { SIGNALS = 5000 };
    hy_ep *ep = &me->eps[1 - me->rank];
    for (uint64_t i = 1; i <= SIGNALS && me->rank == 0; i++)
        ep->ops->signal(ep, DATA_AT + i % 2 * HY_LINE, i, &i, sizeof i);
    if (me->rank == 0) return;
    const _Atomic uint64_t *a = (const _Atomic uint64_t *)(void *)(me->part + DATA_AT);
    const _Atomic uint64_t *b = a + HY_LINE / 8;
    for (uint64_t last = 0, now; last < SIGNALS; last = now) {
        uint64_t odd = hy_load_acquire(b), even = hy_load_acquire(a);
        now = even > odd ? even : odd;
        CHECK(now >= last && even + 1 >= odd);
        me->net->ops->progress(me->net);
    }
}

enum { ADDS = 1000, ADDERS = 2 };

#define DONE_AT(rank) (DATA_AT + HY_LINE * (1 + (uint64_t)(rank)))

static uint64_t owners; /* adds of the owner's, as long as the others add */

static bool all_have_added(const member *me)
{
    for (int i = 1; i < me->size; i++)
        if (!hy_load_acquire((const _Atomic uint64_t *)(void *)(me->part + DONE_AT(i))))
            return false;
    return true;
}

static void *add_own(void *argument)
{
    member *me = argument;
    _Atomic uint64_t *word = (_Atomic uint64_t *)(void *)(me->part + DATA_AT);
    for (; !all_have_added(me); owners++) atomic_fetch_add(word, 1);
    return NULL;
}

static void add_to_another(member *me)
{
    hy_ep *ep = &me->eps[0];
    uint64_t before, last = 0;
    for (int i = 0; i < ADDS; i++) {
        CHECK_OK(ep->ops->atomic(ep, DATA_AT, HY_ATOMIC_ADD, 4, 0, &before));
        CHECK(i == 0 || before >= last + 4);
        last = before;
    }
    put_flag(ep, DONE_AT(me->rank), 1);
}

LIFE_TEST(should_lose_no_atomic_in_a_race_with_the_owner_and_others, 1 + ADDERS)
{
    pthread_t thread;
    if (me->rank != 0) add_to_another(me);
    else CHECK(pthread_create(&thread, NULL, add_own, me) == 0);
    meet(me);
    if (me->rank != 0) return;
    pthread_join(thread, NULL);
    const _Atomic uint64_t *word = (const _Atomic uint64_t *)(void *)(me->part + DATA_AT);
    CHECK(hy_load_acquire(word) == UINT64_C(4) * ADDS * (uint64_t)(me->size - 1) + owners);
}

LIFE_TEST(should_change_a_word_as_told, 2)
{
    static const struct {
        hy_atomic what;
        uint64_t operand, expected, after;
    } cases[] = {
        {HY_ATOMIC_FETCH, 5, 12, 12},
        {HY_ATOMIC_ADD, UINT64_MAX, 0, 11},
        {HY_ATOMIC_AND, 6, 0, 4},
        {HY_ATOMIC_OR, 3, 0, 15},
        {HY_ATOMIC_SWAP, 99, 0, 99},
        {HY_ATOMIC_COMPARE_SWAP, 99, 12, 99},
        {HY_ATOMIC_COMPARE_SWAP, 99, 13, 12},
    };
    hy_ep *ep = &me->eps[1 - me->rank];
    uint64_t before, twelve = 12, after;
    for (size_t i = 0; i < sizeof cases / sizeof *cases && me->rank == 0; i++) {
        CHECK_OK(ep->ops->put(ep, PART - 8, &twelve, 8));
        CHECK_OK(ep->ops->atomic(ep, PART - 8, cases[i].what, cases[i].operand, cases[i].expected,
                                 &before));
        CHECK(before == 12);
        CHECK_OK(ep->ops->get(ep, PART - 8, &after, 8));
        CHECK(after == cases[i].after);
    }
}

LIFE_TEST(should_ring_the_bell_of_a_sleeper_for_all_that_writes, 2)
{
    uint64_t before;
    me->bell->sleepers = 1;
    meet(me);
    hy_ep *ep = &me->eps[1 - me->rank];
    ep->ops->signal(ep, 0, 1, NULL, 0);
    put_flag(ep, 64, 2);
    CHECK_OK(ep->ops->atomic(ep, 128, HY_ATOMIC_ADD, 3, 0, &before));
    CHECK_OK(ep->ops->atomic(ep, 128, HY_ATOMIC_FETCH, 0, 0, &before));
    await(me, 128, 3);
    meet(me);
    CHECK(me->bell->seq >= 3); /* it rings for answers, too */
}

LIFE_TEST(should_refuse_addresses_outside_of_the_part, 2)
{
    static const uint64_t bad[][2] = {{PART, 32},       {PART - 7, 32},
                                      {UINT64_MAX, 32}, {UINT64_MAX - 31, 32},
                                      {1, UINT64_MAX},  {0, PART + 1}};
    hy_ep *ep = &me->eps[1 - me->rank];
    uint8_t data[64] = {0};
    const hy_flag flag = {1, {0, 0, 0}};
    uint64_t before;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK(ep->ops->put(ep, bad[i][0], data, bad[i][1]) == HAYATE_ERR_CORRUPT);
        CHECK(ep->ops->get_start(ep, bad[i][0], data, bad[i][1]) == HAYATE_ERR_CORRUPT);
        CHECK(hayate_error_peer() == 1 - me->rank);
        if (bad[i][0] < PART - 32) continue;
        CHECK(ep->ops->put_flag(ep, bad[i][0], &flag) == HAYATE_ERR_CORRUPT);
        CHECK(ep->ops->atomic(ep, bad[i][0] | 7, HY_ATOMIC_ADD, 1, 0, &before) ==
              HAYATE_ERR_CORRUPT);
    }
}

enum { THREADS = 3 };
static uint64_t thread_turns = 400;

static void *work_beside(void *argument)
{
    member *me = argument;
    static _Atomic uint64_t numbers;
    uint64_t mine = atomic_fetch_add(&numbers, 1), at = DATA_AT + (mine + 1) * 65536, before;
    uint8_t data[9000], back[9000];
    hy_ep *ep = &me->eps[(me->rank + 1) % me->size];
    for (uint64_t i = 0; i < thread_turns; i++) {
        size_t len = 1 + (i * 7919) % sizeof data;
        fill(data, len, mine * thread_turns + i);
        CHECK_OK(ep->ops->put(ep, at, data, len));
        CHECK_OK(ep->ops->atomic(ep, 256, HY_ATOMIC_ADD, 1, 0, &before));
        CHECK_OK(ep->ops->get(ep, at, back, len));
        CHECK(memcmp(data, back, len) == 0);
        if (i % 16 == 0) CHECK_OK(ep->ops->flush(ep));
    }
    return NULL;
}

LIFE_TEST(should_serve_threads_side_by_side, 2)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, work_beside, me) == 0);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    meet(me);
    CHECK(hy_load_acquire((_Atomic uint64_t *)(void *)(me->part + 256)) == THREADS * thread_turns);
}

/* A rank may leave as soon as its calls have returned. */
static void go_at_once(member *me)
{
    hy_ep *ep = &me->eps[1 - me->rank];
    join(me);
    if (me->rank == 0) {
        uint8_t *data = malloc(1 << 20);
        fill(data, 1 << 20, 9);
        CHECK_OK(ep->ops->put(ep, DATA_AT, data, 1 << 20));
        put_flag(ep, FLAG_AT, 1);
        leave(me);
        free(data);
        return;
    }
    await(me, FLAG_AT, 1);
    CHECK(holds(me->part + DATA_AT, 1 << 20, 9));
    leave(me);
}

TEST(should_deliver_what_a_rank_sent_before_it_left)
{
    for (int i = 0; i < 10; i++) run_stories(2, go_at_once);
}

TEST(should_end_each_of_many_operations_that_are_under_way_at_once)
{
    run_lives(2, begin_many);
}

TEST(should_order_flags_and_signals_behind_puts_under_way)
{
    run_lives(2, begin_in_order);
}

#endif
