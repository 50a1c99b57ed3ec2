/* SPDX-License-Identifier: Apache-2.0 */
/* A channel between two ranks of one process, and messages over it that are checked. */
#ifndef HY_TEST_CHANNEL_FIXTURE_H
#define HY_TEST_CHANNEL_FIXTURE_H

#include "wire/channel.h"
#include "job/world_fixture.h"

#define HEAP (UINT64_C(1) << 20)

static world w;

/* The ends of the channel between ranks 0 and 1. */
static hy_channel *a, *b;

static inline int set_up(void **state)
{
    (void)state;
    world_open(&w, 2, HEAP);
    a = &w.groups[0].channels[1];
    b = &w.groups[1].channels[0];
    return 0;
}

static inline int tear_down(void **state)
{
    (void)state;
    world_close(&w);
    return 0;
}

/* As if `sent` messages had gone either way before; all acknowledged. */
static inline void start_at(uint32_t sent)
{
    hy_channel *ends[] = {a, b};
    for (int i = 0; i < 2; i++) {
        ends[i]->sent = ends[i]->acked = sent;
        ends[i]->received = ends[i]->acks_told = sent;
        ends[i]->read_head = sent;
        ends[i]->match->told = (uint64_t)sent << 32 | sent;
    }
}

static inline bool post(hy_channel *end, uint64_t value)
{
    if (!hy_channel_room(end)) return false;
    hy_channel_post(end, HY_KIND_INLINE, &value, sizeof value);
    return true;
}

static inline bool take(hy_channel *end, uint64_t *value)
{
    uint64_t head;
    const hy_slot *slot = hy_channel_peek(end, &head);
    if (!slot) return false;
    memcpy(value, slot->payload, sizeof *value);
    hy_channel_take(end, head);
    return true;
}

static inline void must_post(hy_channel *end, uint64_t value)
{
    if (!post(end, value)) fail_msg("no room for %llu", (unsigned long long)value);
}

static inline void must_take(hy_channel *end, uint64_t value)
{
    uint64_t got = UINT64_MAX;
    if (!take(end, &got)) fail_msg("%llu has not come", (unsigned long long)value);
    assert_int_equal(got, value);
}

static inline uint8_t *post_eager(hy_channel *end, size_t len, uint8_t fill)
{
    assert_true(hy_channel_room(end));
    uint8_t *buffer = hy_channel_eager_buffer(end);
    assert_non_null(buffer);
    memset(buffer, fill, len);
    assert_int_equal(hy_channel_post_eager(end, len, 0), HAYATE_OK);
    return buffer;
}

static inline void take_eager(hy_channel *end, size_t len, uint8_t fill)
{
    uint64_t head;
    size_t got;
    const hy_slot *slot = hy_channel_peek(end, &head);
    assert_non_null(slot);
    const uint8_t *payload = NULL;
    assert_int_equal(hy_channel_eager_payload(end, slot, head, &payload, &got), HAYATE_OK);
    assert_int_equal(got, len);
    for (size_t i = 0; i < len; i++) assert_int_equal(payload[i], fill);
    hy_channel_take(end, head);
}

#endif
