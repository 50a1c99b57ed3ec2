/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
/* A channel between far peers: bounce buffers, what is refused, and what is left when the path
 * breaks. */
#include "nodes/far_fixture.h"

static int post(hy_channel *end, size_t len, uint8_t fill)
{
    uint8_t *buffer = hy_channel_eager_buffer(end);
    assert_non_null(buffer);
    memset(buffer, fill, len);
    return hy_channel_post_eager(end, len, 0);
}

/* The kind of the message taken; 0: none has come. */
static int take(hy_channel *end, size_t len, uint8_t fill)
{
    uint64_t head;
    size_t got = 0;
    const uint8_t *payload = NULL;
    const hy_slot *slot = hy_channel_peek(end, &head);
    if (!slot) return 0;
    assert_ok(hy_channel_eager_payload(end, slot, head, &payload, &got));
    assert_int_equal(got, len);
    for (size_t i = 0; i < len; i++) assert_int_equal(payload[i], fill);
    hy_channel_take(end, head);
    return hy_head_kind(head);
}

TEST(should_fetch_the_first_eager_message_and_put_the_others)
{
    for (int i = 0; i < 40; i++) {
        assert_true(hy_channel_room(a));
        assert_ok(post(a, 1000, (uint8_t)i));
        settle();
        assert_int_equal(take(b, 1000, (uint8_t)i), i ? HY_KIND_BOUNCE : HY_KIND_EAGER);
        settle();
    }
}

/* Whatever arrives first: payloads are there when their slots are, and none is overwritten. */
TEST(should_carry_messages_that_arrive_in_disorder)
{
    unsigned seed = 7;
    int sent = 0, taken = 0, bounced = 0;
    while (taken < 20000) {
        for (int burst = rand_r(&seed) % 20; burst && hy_channel_room(a) && sent < 20000; burst--) {
            assert_ok(post(a, 8 + (size_t)sent % 4089, (uint8_t)(sent * 7)));
            sent++;
        }
        for (int burst = rand_r(&seed) % 20, kind = 1; burst && kind; burst--) {
            kind = take(b, 8 + (size_t)taken % 4089, (uint8_t)(taken * 7));
            taken += kind != 0;
            bounced += kind == HY_KIND_BOUNCE;
        }
        nets[0]->ops->progress(nets[0]);
        nets[1]->ops->progress(nets[1]);
    }
    assert_true(bounced > 19000);
}

TEST(should_do_without_a_bounce_when_the_heap_is_full)
{
    hy_job *job = w.jobs[1];
    while (hy_heap_longest(&job->heap) > 0)
        assert_non_null(hy_job_alloc(job, hy_heap_longest(&job->heap)));
    for (int i = 0; i < 40; i++) {
        assert_true(hy_channel_room(a));
        assert_ok(post(a, 500, (uint8_t)i));
        settle();
        assert_int_equal(take(b, 500, (uint8_t)i), HY_KIND_EAGER);
        settle();
    }
}

TEST(should_refuse_a_bounce_outside_of_the_peers_memory)
{
    const uint64_t part = w.jobs[1]->part_bytes;
    const uint64_t bad[] = {part, part - 65535, UINT64_MAX, UINT64_MAX - 65535};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        a->match->bounce = bad[i];
        assert_int_equal(post(a, 100, 1), HAYATE_ERR_CORRUPT);
        assert_int_equal(hayate_error_peer(), 1);
    }
    a->match->bounce = 0;
    assert_ok(post(a, 100, 1));
}

TEST(should_refuse_a_landed_message_without_a_bounce)
{
    const hy_descriptor descriptor = {.offset = 0, .len = 10};
    const uint8_t *payload;
    hy_slot slot = {0};
    size_t len;
    memcpy(slot.payload, &descriptor, sizeof descriptor);
    uint64_t head = (uint64_t)HY_KIND_BOUNCE << 48 | 1;
    assert_int_equal(hy_channel_eager_payload(b, &slot, head, &payload, &len), HAYATE_ERR_CORRUPT);
    /* a near peer has none either */
    hy_channel *self = &w.groups[1].channels[1];
    assert_int_equal(hy_channel_eager_payload(self, &slot, head, &payload, &len),
                     HAYATE_ERR_CORRUPT);
}

TEST(should_keep_no_buffer_for_messages_that_could_not_be_posted)
{
    assert_ok(post(a, 100, 1));
    settle();
    assert_int_equal(take(b, 100, 1), HY_KIND_EAGER);
    settle();
    fault_path_break(a->ep);
    uint64_t used = 0;
    for (int i = 0; i < 100; i++) {
        assert_int_equal(post(a, 100, 1), HAYATE_ERR_PEER_FAILED);
        if (i == 0) used = w.jobs[0]->heap.used;
    }
    assert_int_equal(w.jobs[0]->heap.used, used);
}

/* The memory is the peer's to write until all have met. */
TEST(should_give_the_bounce_back_late)
{
    assert_ok(post(a, 100, 1));
    settle();
    assert_int_equal(take(b, 100, 1), HY_KIND_EAGER);
    settle();
    uint64_t used = w.jobs[1]->heap.used;
    assert_true(used >= HY_CHANNEL_DEPTH * w.jobs[1]->eager_bytes);
    hy_channel_close(b);
    assert_int_equal(w.jobs[1]->heap.used, used);
    hy_job_late_over(w.jobs[1], hy_job_late(w.jobs[1]));
    assert_int_equal(w.jobs[1]->heap.used, 0);
}

TEST(should_never_lend_to_a_far_peer)
{
    w.jobs[0]->policy.spins = 4096;
    for (uint32_t i = 1; i < 10; i++) {
        a->received = i;
        assert_false(hy_channel_may_lend(a, 4096));
    }
    a->received = 0;
}

int main(void)
{
    tests_each(set_up_far, tear_down_far);
    return tests_run();
}
