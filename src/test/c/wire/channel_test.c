/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
/* tsan */
#include "base/test.h"
#include "wire/channel_fixture.h"

#include <sched.h>

TEST(should_carry_payloads_of_every_length)
{
    for (size_t len = 0; len <= HY_SLOT_PAYLOAD; len++) {
        uint8_t data[HY_SLOT_PAYLOAD];
        uint64_t head;
        for (size_t i = 0; i < len; i++) data[i] = (uint8_t)(len * 7 + i + 1);
        assert_true(hy_channel_room(a));
        hy_channel_post(a, HY_KIND_INLINE, data, len);
        const hy_slot *slot = hy_channel_peek(b, &head);
        assert_non_null(slot);
        assert_int_equal(hy_head_len(head), len);
        assert_int_equal(hy_head_kind(head), HY_KIND_INLINE);
        assert_memory_equal(slot->payload, data, len);
        hy_channel_take(b, head);
    }
}

TEST(should_stop_when_the_ring_is_full_and_go_on_in_order)
{
    uint64_t sent = 0, taken = 0;
    for (int round = 0; round < 50; round++) {
        while (post(a, sent)) sent++;
        assert_in_range(sent - taken, HY_CHANNEL_DEPTH / 2, HY_CHANNEL_DEPTH);
        for (int i = 0; i < HY_CHANNEL_DEPTH / 2 + 1; i++) must_take(b, taken++);
    }
    assert_int_equal(w.jobs[1]->part[0], 0);
}

TEST(should_not_post_past_the_depth)
{
    for (uint64_t i = 0; i < HY_CHANNEL_DEPTH; i++) must_post(a, i);
    assert_false(post(a, 99));
    for (uint64_t i = 0; i < HY_CHANNEL_DEPTH; i++) must_take(b, i);
    assert_false(take(b, &(uint64_t){0}));
}

TEST(should_go_on_both_ways_after_a_long_one_way_stretch)
{
    for (uint64_t i = 0; i < 100; i++) {
        must_post(a, i);
        must_take(b, i);
    }
    for (uint64_t i = 0; i < 100; i++) {
        must_post(a, i);
        must_take(b, i);
        must_post(b, i);
        must_take(a, i);
    }
}

TEST(should_find_acknowledgements_in_messages_that_nobody_received)
{
    for (uint64_t i = 0; i < HY_CHANNEL_DEPTH - 1; i++) {
        must_post(a, i);
        must_take(b, i);
        must_post(b, i);
    }
    for (uint64_t i = 0; i < 7; i++) {
        must_post(a, i);
        must_take(b, i);
    }
    must_post(b, 77);
    for (uint64_t i = 0; i < HY_CHANNEL_DEPTH; i++) must_post(a, i);
    for (uint64_t i = 0; i < HY_CHANNEL_DEPTH - 1; i++) must_take(a, i);
    must_take(a, 77);
}

/* The number of acknowledgement in a slot has 16 bits: an old one must not be taken for a new. */
TEST(should_not_believe_an_acknowledgement_that_lies_long_behind)
{
    must_post(a, 0);
    must_take(b, 0);
    must_post(b, 5);
    for (uint64_t i = 1; i < 140000; i++) {
        must_post(a, i);
        must_take(b, i);
        if (i % 1021 != 0) continue;
        uint64_t ahead = 0;
        while (post(a, i + 1 + ahead)) ahead++;
        assert_in_range(ahead, 1, HY_CHANNEL_DEPTH);
        for (; ahead > 0; ahead--) must_take(b, ++i);
    }
    must_take(a, 5);
    for (uint64_t i = 0; i < 40; i++) {
        must_post(a, i);
        must_take(b, i);
        must_post(b, i);
        must_take(a, i);
    }
}

TEST(should_count_past_the_end_of_32_bits)
{
    static const uint32_t starts[] = {UINT32_MAX, UINT32_MAX - 3, UINT32_MAX - 40, 65500};
    for (size_t s = 0; s < 4; s++) {
        tear_down(state);
        set_up(state);
        start_at(starts[s]);
        for (uint64_t i = 0; i < 30; i++) {
            must_post(a, i);
            must_take(b, i);
        }
        for (uint64_t i = 0; i < 60; i++) {
            must_post(b, i);
            must_post(a, i);
            must_take(a, i);
            must_take(b, i);
        }
        uint64_t ahead = 0;
        while (post(b, ahead)) ahead++;
        assert_in_range(ahead, 1, HY_CHANNEL_DEPTH);
        for (uint64_t i = 0; i < ahead; i++) must_take(a, i);
    }
}

/* Random traffic; whatever one end can see, the other has posted, and nobody starves. */
TEST(should_keep_order_and_never_starve_under_random_traffic)
{
    for (unsigned seed = 1; seed <= 12; seed++) {
        unsigned next = seed;
        uint64_t sent[2] = {0}, taken[2] = {0};
        hy_channel *ends[] = {a, b};
        tear_down(state);
        set_up(state);
        ends[0] = a, ends[1] = b;
        start_at(seed * 0x15555555u);
        for (int i = 0; i < 30000; i++) {
            int bias = i / 3000 % 4; /* stretches in which only some of the four things happen */
            int end = bias == 1 ? 0 : bias == 2 ? 1 : rand_r(&next) % 2;
            bool posts = rand_r(&next) % 2;
            if (bias == 1 && !posts) end = 1;
            if (bias == 2 && !posts) end = 0;
            if (posts) sent[end] += post(ends[end], sent[end]);
            else if (sent[1 - end] > taken[end]) must_take(ends[end], taken[end]++);
            assert_true(sent[end] - taken[1 - end] <= HY_CHANNEL_DEPTH);
        }
        for (int end = 0; end < 2; end++) {
            while (taken[1 - end] < sent[end]) must_take(ends[1 - end], taken[1 - end]++);
            if (!post(ends[end], 1)) fail_msg("end %d starves after seed %u", end, seed);
        }
    }
}

TEST(should_wait_on_while_the_head_is_not_that_of_the_next_message)
{
    static const uint64_t heads[] = {0, 2, 17, UINT64_MAX, UINT64_C(1) << 32, UINT32_MAX};
    uint64_t head;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        hy_store_relaxed(&hy_channel_slot(b, 0)->head, heads[i]);
        assert_null(hy_channel_peek(b, &head));
    }
}

TEST(should_not_be_told_of_more_than_was_sent)
{
    unsigned seed = 11;
    uint64_t sent = 0;
    while (post(a, sent)) sent++;
    assert_int_equal(sent, HY_CHANNEL_DEPTH);
    for (int i = 0; i < 20000; i++) {
        uint64_t lie = (uint64_t)rand_r(&seed) << 33 ^ (uint64_t)rand_r(&seed);
        uint32_t slot = (uint32_t)rand_r(&seed) % HY_CHANNEL_DEPTH;
        /* the number fits, the acknowledgement and all else is noise */
        hy_store_relaxed(&hy_channel_slot(a, slot)->head,
                         (lie & ~(uint64_t)UINT32_MAX) | (slot + 1));
        while (post(a, sent)) sent++;
        assert_true(a->sent - a->acked <= HY_CHANNEL_DEPTH);
    }
}

/* ---- several slots, and loans ---- */

TEST(should_carry_messages_of_several_slots_around_the_ring)
{
    for (size_t len = HY_SLOT_PAYLOAD + 1, round = 0; round < 500; round++) {
        uint8_t data[HY_LINES_BYTES], got[HY_LINES_BYTES];
        uint64_t head;
        for (size_t i = 0; i < len; i++) data[i] = (uint8_t)(round * 31 + i * 7);
        assert_true(hy_channel_room_for(a, hy_slots_of(len)));
        hy_channel_post_lines(a, data, len);
        assert_non_null(hy_channel_peek(b, &head));
        assert_int_equal(hy_head_kind(head), HY_KIND_LINES);
        assert_int_equal(hy_head_len(head), len);
        hy_channel_read_lines(b, got, len);
        assert_memory_equal(got, data, len);
        hy_channel_take_slots(b, head, hy_slots_of(len));
        assert_null(hy_channel_peek(b, &head));
        len = len < HY_LINES_BYTES ? len + 1 : HY_SLOT_PAYLOAD + 1;
    }
}

TEST(should_have_no_room_for_more_slots_than_are_free)
{
    for (uint64_t i = 0; i < HY_CHANNEL_DEPTH - 2; i++) must_post(a, i);
    assert_true(hy_channel_room_for(a, 2));
    assert_false(hy_channel_room_for(a, 3));
}

/* Nobody takes the loan: the sender may rewrite its memory, and the message is still the old one.
 */
TEST(should_move_a_loan_that_nobody_takes)
{
    uint8_t *memory = hy_job_alloc(w.jobs[0], 2000);
    uint64_t head, moved;
    size_t len;
    assert_non_null(memory);
    memset(memory, 5, 2000);
    assert_ok(hy_channel_lend(a, memory, 2000, 0));
    memset(memory, 9, 2000);
    hy_slot *slot = hy_channel_peek(b, &head);
    assert_non_null(slot);
    assert_int_equal(hy_head_kind(head), HY_KIND_LOAN);
    const uint8_t *from = hy_channel_loan_source(b, slot, &len, &moved);
    assert_non_null(from);
    assert_int_equal(len, 2000);
    assert_true(hy_channel_loan_moved(slot, 0)); /* who had copied before has to copy again */
    assert_false(hy_channel_loan_moved(slot, moved));
    for (size_t i = 0; i < len; i++) assert_int_equal(from[i], 5);
    hy_channel_take(b, head);
    hy_job_release(w.jobs[0], memory);
}

TEST(should_refuse_a_loan_outside_of_the_peers_memory)
{
    uint64_t part = w.jobs[0]->part_bytes, moved;
    const hy_loan bad[] = {
        {.offset = part, .len = 1},
        {.offset = UINT64_MAX, .len = 300},
        {.offset = 0, .len = 4097},
        {.offset = 0, .len = 300, .moved = part - 299},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        hy_slot slot = {.head = 0};
        size_t len;
        memcpy(slot.payload, &bad[i], sizeof bad[i]);
        if (hy_channel_loan_source(b, &slot, &len, &moved)) fail_msg("loan %zu was taken", i);
        assert_int_equal(hayate_error_peer(), 0);
    }
}

/* ---- two threads, each one end ---- */

#ifdef __SANITIZE_THREAD__
#define MANY 5000u
#else
#define MANY 200000u
#endif

/* Sends and receives MANY messages; one in seven is eager. */
static void *be_an_end(void *argument)
{
    hy_channel *end = argument;
    unsigned seed = end == a ? 1 : 2;
    uint64_t sent = 0, taken = 0, wrong = 0, head;
    while (sent < MANY || taken < MANY) {
        int burst = rand_r(&seed) % 24;
        for (; burst > 0 && sent < MANY && hy_channel_room(end); burst--, sent++) {
            if (sent % 7) {
                hy_channel_post(end, HY_KIND_INLINE, &sent, sizeof sent);
                continue;
            }
            uint8_t *buffer = hy_channel_eager_buffer(end);
            if (!buffer) return end;
            memcpy(buffer + 192, &sent, sizeof sent);
            if (hy_channel_post_eager(end, 200, 0)) return end;
        }
        const hy_slot *slot = hy_channel_peek(end, &head);
        if (!slot) sched_yield();
        for (burst = rand_r(&seed) % 24; slot && burst > 0; burst--) {
            size_t len = 0;
            const uint8_t *payload = slot->payload;
            if (hy_head_kind(head) == HY_KIND_EAGER &&
                hy_channel_eager_payload(end, slot, head, &payload, &len) == HAYATE_OK)
                payload += 192;
            wrong += memcmp(payload, &taken, sizeof taken) != 0;
            taken++;
            hy_channel_take(end, head);
            slot = hy_channel_peek(end, &head);
        }
    }
    return wrong ? end : NULL;
}

TEST(should_carry_all_in_order_between_two_threads)
{
    pthread_t thread;
    void *wrong;
    start_at(UINT32_MAX - MANY / 2);
    assert_int_equal(pthread_create(&thread, NULL, be_an_end, b), 0);
    assert_null(be_an_end(a));
    pthread_join(thread, &wrong);
    assert_null(wrong);
}

/* ---- four threads: one sends and one receives at either end ---- */

static void *only_send(void *argument)
{
    hy_channel *end = argument;
    for (uint64_t i = 0; i < MANY; i++) {
        while (!post(end, i)) sched_yield();
    }
    return NULL;
}

static void *only_receive(void *argument)
{
    hy_channel *end = argument;
    for (uint64_t i = 0, got = 0; i < MANY; i++) {
        while (!take(end, &got)) sched_yield();
        if (got != i) return end;
    }
    return NULL;
}

TEST(should_carry_all_in_order_with_a_thread_per_direction)
{
    pthread_t threads[4];
    void *wrong;
    assert_int_equal(pthread_create(&threads[0], NULL, only_send, a), 0);
    assert_int_equal(pthread_create(&threads[1], NULL, only_send, b), 0);
    assert_int_equal(pthread_create(&threads[2], NULL, only_receive, a), 0);
    assert_int_equal(pthread_create(&threads[3], NULL, only_receive, b), 0);
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], &wrong);
        assert_null(wrong);
    }
}

int main(void)
{
    tests_each(set_up, tear_down);
    return tests_run();
}
