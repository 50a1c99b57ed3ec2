/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
/* tsan */
#include "base/test.h"
#include "wire/channel_fixture.h"

#define BYTES UINT64_C(4096) /* of an eager buffer */

TEST(should_use_the_eager_buffer_that_was_freed_last)
{
    uint8_t *first = post_eager(a, 4096, 1);
    take_eager(b, 4096, 1);
    must_post(b, 0); /* carries the acknowledgement */
    must_take(a, 0);
    assert_ptr_equal(post_eager(a, 100, 2), first);
    take_eager(b, 100, 2);
}

TEST(should_not_reuse_an_eager_buffer_before_it_is_acknowledged)
{
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < HY_CHANNEL_DEPTH; i++) post_eager(a, 1000, (uint8_t)(round * 16 + i));
        assert_false(hy_channel_room(a));
        for (int i = 0; i < HY_CHANNEL_DEPTH; i++) take_eager(b, 1000, (uint8_t)(round * 16 + i));
    }
    assert_true(w.jobs[0]->heap.used <= HY_CHANNEL_DEPTH * 4096);
}

TEST(should_mix_eager_and_inline_messages)
{
    unsigned seed = 3;
    uint8_t fills[HY_CHANNEL_DEPTH];
    bool eager[HY_CHANNEL_DEPTH];
    uint32_t sent = 0, taken = 0;
    for (int i = 0; i < 20000; i++) {
        if (rand_r(&seed) % 2 && hy_channel_room(a)) {
            uint32_t at = sent++ % HY_CHANNEL_DEPTH;
            fills[at] = (uint8_t)rand_r(&seed);
            eager[at] = rand_r(&seed) % 2;
            if (eager[at]) post_eager(a, 300, fills[at]);
            else must_post(a, fills[at]);
        } else if (taken < sent) {
            uint32_t at = taken++ % HY_CHANNEL_DEPTH;
            if (eager[at]) take_eager(b, 300, fills[at]);
            else must_take(b, fills[at]);
        }
    }
    assert_true(w.jobs[0]->heap.used <= HY_CHANNEL_DEPTH * 4096);
}

TEST(should_give_eager_buffers_back_when_closed)
{
    for (int i = 0; i < 5; i++) post_eager(a, 64, 1);
    for (int i = 0; i < 5; i++) take_eager(b, 64, 1);
    must_post(b, 1);
    must_take(a, 1);
    assert_true(w.jobs[0]->heap.used > 0);
    hy_channel_close(a);
    assert_int_equal(w.jobs[0]->heap.used, 0);
}

TEST(should_say_so_when_the_heap_has_no_room_and_go_on_later)
{
    void *all = hy_job_alloc(w.jobs[0], HEAP);
    assert_non_null(all);
    assert_true(hy_channel_room(a));
    assert_null(hy_channel_eager_buffer(a));
    assert_non_null(strstr(hayate_error(), "heap"));
    must_post(a, 1);
    must_take(b, 1);
    assert_ok(hy_job_release(w.jobs[0], all));
    post_eager(a, 57, 9);
    take_eager(b, 57, 9);
}

/* ---- what no correct peer writes ---- */

TEST(should_refuse_an_eager_payload_outside_of_the_peers_memory)
{
    uint64_t part = w.jobs[0]->part_bytes;
    const hy_descriptor bad[] = {
        {.offset = part, .len = 1},
        {.offset = part - 10, .len = 11},
        {.offset = UINT64_MAX, .len = 1},
        {.offset = UINT64_MAX, .len = 4096},
        {.offset = UINT64_MAX - 100, .len = 101},
        {.offset = 0, .len = 4097},
        {.offset = 0, .len = UINT64_MAX},
        {.offset = 8, .len = UINT64_MAX - 7},
        {.offset = part + 1, .len = 0},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        hy_slot slot = {.head = 0};
        const uint8_t *payload;
        size_t len;
        memcpy(slot.payload, &bad[i], sizeof bad[i]);
        uint64_t head = (uint64_t)HY_KIND_EAGER << 48 | 1;
        int rc = hy_channel_eager_payload(b, &slot, head, &payload, &len);
        if (rc != HAYATE_ERR_CORRUPT) fail_msg("descriptor %zu gives %d", i, rc);
        assert_int_equal(hayate_error_peer(), 0);
    }
}
/* ---- growing and shrinking ---- */

static uint64_t used(void)
{
    return w.jobs[0]->heap.used;
}

static uint64_t held(void)
{
    return hy_counter_sum(w.jobs[0]->counters, HY_COUNT_EAGER_HELD);
}

/* A message the other way, which carries the acknowledgements. */
static void answer(void)
{
    must_post(b, 0);
    must_take(a, 0);
}

/* So many eager messages at once, all acknowledged in the end. */
static void burst(int messages)
{
    for (int i = 0; i < messages; i++) post_eager(a, 300, (uint8_t)i);
    for (int i = 0; i < messages; i++) take_eager(b, 300, (uint8_t)i);
    answer();
}

static void ping_pong(int messages)
{
    for (int i = 0; i < messages; i++) burst(1);
}

TEST(should_give_back_what_only_a_burst_needed)
{
    burst(HY_CHANNEL_DEPTH);
    assert_int_equal(used(), HY_CHANNEL_DEPTH * BYTES);
    ping_pong(128);
    assert_int_equal(used(), BYTES);
    burst(HY_CHANNEL_DEPTH);
    assert_int_equal(used(), HY_CHANNEL_DEPTH * BYTES);
}

/* The test holds the lock of the heap, in a way that tells whether anybody else took it: then it is
 * not ours any more. */
TEST(should_not_touch_the_heap_in_a_steady_state)
{
    pthread_mutex_t *lock = &w.jobs[0]->lock;
    pthread_mutexattr_t checked;
    pthread_mutexattr_init(&checked);
    pthread_mutexattr_settype(&checked, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_destroy(lock);
    assert_int_equal(pthread_mutex_init(lock, &checked), 0);
    for (int k = 1; k <= HY_CHANNEL_DEPTH; k++) {
        for (int i = 0; i < 160; i++) burst(k);
        assert_int_equal(used(), (uint64_t)k * BYTES);
        pthread_mutex_lock(lock);
        for (int i = 0; i < 500; i++) burst(k);
        assert_int_equal(pthread_mutex_unlock(lock), 0);
    }
    pthread_mutexattr_destroy(&checked);
}

TEST(should_keep_what_every_window_needs)
{
    burst(8);
    for (int i = 0; i < 100; i++) {
        ping_pong(30);
        assert_int_equal(used(), 8 * BYTES);
        burst(8);
        assert_int_equal(used(), 8 * BYTES);
    }
}

/* The bursts come more seldom than a window is long: first they are not remembered, then they are.
 */
TEST(should_learn_to_keep_what_it_needs_again_and_again)
{
    int shrunk = 0, last = 0;
    for (int round = 1; round <= 40; round++) {
        burst(HY_CHANNEL_DEPTH);
        ping_pong(1000);
        if (used() == HY_CHANNEL_DEPTH * BYTES) continue;
        assert_int_equal(used(), BYTES);
        shrunk++;
        last = round;
    }
    assert_in_range(shrunk, 3, 8);
    assert_in_range(last, 3, 15);
}

TEST(should_give_back_when_asked_what_nobody_waits_for)
{
    for (int i = 0; i < 9; i++) post_eager(a, 300, (uint8_t)i);
    for (int i = 0; i < 5; i++) take_eager(b, 300, (uint8_t)i);
    answer();
    assert_int_equal(hy_channel_trim(a), 5 * BYTES);
    assert_int_equal(used(), 4 * BYTES);
    uint8_t *others = hy_job_alloc(w.jobs[0], 5 * BYTES);
    memset(others, 0xee, 5 * BYTES);
    for (int i = 5; i < 9; i++) take_eager(b, 300, (uint8_t)i);
    assert_int_equal(hy_channel_trim(a), 0);
    answer();
    assert_int_equal(hy_channel_trim(a), 4 * BYTES);
    assert_int_equal(hy_channel_trim(a), 0);
    assert_int_equal(hy_channel_trim(b), 0);
    assert_int_equal(used(), 5 * BYTES);
    hy_job_release(w.jobs[0], others);
    burst(3);
    assert_int_equal(used(), 3 * BYTES);
}

TEST(should_know_of_acknowledgements_that_nobody_received)
{
    for (int i = 0; i < 3; i++) post_eager(a, 300, 1);
    for (int i = 0; i < 3; i++) take_eager(b, 300, 1);
    must_post(b, 0);
    assert_int_equal(hy_channel_trim(a), 3 * BYTES);
    must_take(a, 0);
}

TEST(should_tell_how_much_is_held_at_any_time)
{
    unsigned seed = 5;
    for (int i = 0; i < 5000; i++) {
        burst(rand_r(&seed) % 8 ? 1 : 1 + (int)((unsigned)rand_r(&seed) % HY_CHANNEL_DEPTH));
        if (rand_r(&seed) % 100 == 0) hy_channel_trim(a);
        assert_int_equal(held(), used());
    }
    post_eager(a, 300, 1);
    hy_channel_close(a);
    assert_int_equal(held(), 0);
    assert_int_equal(used(), BYTES); /* until the ranks have met: nobody has read it */
    take_eager(b, 300, 1);
}

TEST(should_be_refused_for_longer_than_a_window_and_go_on)
{
    void *all = hy_job_alloc(w.jobs[0], HEAP);
    for (int i = 0; i < 200; i++) assert_null(hy_channel_eager_buffer(a));
    assert_int_equal(held(), 0);
    hy_job_release(w.jobs[0], all);
    burst(HY_CHANNEL_DEPTH);
    assert_int_equal(used(), HY_CHANNEL_DEPTH * BYTES);
}

/* What has come with messages that nobody has received yet is enough for the next one. */
TEST(should_look_for_acknowledgements_when_the_heap_is_full)
{
    burst(1);
    void *rest = hy_job_alloc(w.jobs[0], HEAP - BYTES);
    assert_non_null(rest);
    post_eager(a, 300, 1);
    take_eager(b, 300, 1);
    must_post(b, 0);
    post_eager(a, 300, 2);
    take_eager(b, 300, 2);
    must_take(a, 0);
    hy_job_release(w.jobs[0], rest);
}

/* Whoever had a buffer too early, or twice, would see another message's bytes. */
TEST(should_carry_all_while_it_grows_and_shrinks_at_random)
{
    unsigned seed = 9;
    uint8_t fills[HY_CHANNEL_DEPTH];
    uint32_t sent = 0, taken = 0;
    for (int i = 0; i < 60000; i++) {
        uint32_t most = i / 500 % 4 ? 2 : HY_CHANNEL_DEPTH;
        if (rand_r(&seed) % 2 && sent - taken < most && hy_channel_room(a)) {
            uint8_t *fill = &fills[sent++ % HY_CHANNEL_DEPTH];
            *fill = (uint8_t)rand_r(&seed);
            post_eager(a, 300, *fill);
        } else if (taken < sent) {
            take_eager(b, 300, fills[taken++ % HY_CHANNEL_DEPTH]);
        } else if (rand_r(&seed) % 8 == 0) {
            answer();
        }
        if (rand_r(&seed) % 200 == 0) hy_channel_trim(a);
        assert_int_equal(held(), used());
    }
}

int main(void)
{
    tests_each(set_up, tear_down);
    return tests_run();
}
