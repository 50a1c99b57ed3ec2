/* SPDX-License-Identifier: Apache-2.0 */
/* Messages that come in by networks: what is believed of a piggyback, and what it does. */
#include "base/test.h"

#include "net/message.h"
#include "net/piggyback.h"

#define PART_BYTES 1024
#define TOKEN UINT64_C(77)

static _Alignas(HY_LINE) uint8_t part[PART_BYTES];
static hy_bell bell;
static const hy_net_attr attr = {.ranks = 2, .part = part, .part_bytes = PART_BYTES, .bell = &bell};

static hy_net_message message_of(enum hy_net_kind kind)
{
    return (hy_net_message){.head = {.token = TOKEN, .rank = 1, .kind = (uint8_t)kind}};
}

static bool is_sound(const hy_net_message *message)
{
    hy_net_dropped dropped = {0};
    return hy_net_is_sound(&attr, TOKEN, message, sizeof message->head + message->head.bytes,
                           &dropped);
}

static bool mount(hy_net_message *message, size_t bytes, uint64_t offset, size_t len)
{
    static const uint8_t data[HY_SLOT_PAYLOAD] = "twenty-four bytes, or more of it";
    bool has_room = hy_net_mount(message, &bytes, offset, data, len);
    message->head.bytes = (uint8_t)bytes;
    return has_room;
}

TEST(should_have_room_for_a_piggyback_beside_a_flag_or_a_short_signal)
{
    hy_net_message flag = message_of(HY_NET_FLAG), signal = message_of(HY_NET_SIGNAL);
    assert_true(mount(&flag, 24, 0, HY_NET_PIGGYBACK));
    assert_true(is_sound(&flag));
    flag = message_of(HY_NET_FLAG);
    assert_false(mount(&flag, 24, 0, HY_NET_PIGGYBACK + 1));
    assert_false(mount(&signal, 0, 0, HY_NET_PIGGYBACK + 1));
    assert_true(mount(&signal, 47, 0, 1));
    assert_true(is_sound(&signal));
    signal = message_of(HY_NET_SIGNAL);
    assert_false(mount(&signal, 48, 0, 1));
}

TEST(should_store_a_piggyback_and_the_payload_of_its_message)
{
    hy_net_head answer;
    hy_net_message message = message_of(HY_NET_SIGNAL);
    message.head.value = 9;
    memcpy(message.payload, "payload", 7);
    assert_true(mount(&message, 7, PART_BYTES - 11, 11));
    memset(part, 0xee, sizeof part);
    assert_true(is_sound(&message));
    assert_false(hy_net_carry_out(&attr, &message, &answer));
    const hy_slot *slot = (const hy_slot *)(const void *)part;
    assert_int_equal(hy_load_acquire(&slot->head), 9);
    assert_memory_equal(slot->payload, "payload", 7);
    assert_memory_equal(part + PART_BYTES - 11, "twenty-four", 11);
    for (size_t i = 8 + 7; i < PART_BYTES - 11; i++) assert_int_equal(part[i], 0xee);
}

TEST(should_store_a_piggyback_alone_and_wake_nobody)
{
    hy_net_head answer;
    hy_net_message message = message_of(HY_NET_PUT);
    assert_true(mount(&message, 0, 65, 6));
    assert_true(is_sound(&message));
    bell.sleepers = 1;
    uint32_t rung = bell.seq;
    assert_false(hy_net_carry_out(&attr, &message, &answer));
    assert_memory_equal(part + 65, "twenty", 6);
    assert_int_equal(bell.seq, rung);
    bell.sleepers = 0;
}

TEST(should_drop_a_piggyback_to_outside_of_the_part)
{
    static const uint64_t outside[] = {PART_BYTES - 7, PART_BYTES, UINT64_MAX, UINT64_MAX - 7,
                                       UINT64_C(1) << 63};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
        hy_net_message message = message_of(HY_NET_FLAG);
        assert_true(mount(&message, 24, outside[i], 8));
        assert_false(is_sound(&message));
    }
    hy_net_message last = message_of(HY_NET_FLAG);
    assert_true(mount(&last, 24, PART_BYTES - 8, 8));
    assert_true(is_sound(&last));
}

TEST(should_drop_a_piggyback_that_is_longer_than_its_message)
{
    static const enum hy_net_kind kinds[] = {HY_NET_SIGNAL, HY_NET_FLAG, HY_NET_PUT};
    for (int i = 0; i < 3; i++)
        for (unsigned int what = 1; what <= UINT8_MAX; what++) {
            hy_net_message message = message_of(kinds[i]);
            message.head.what = (uint8_t)what;
            message.head.bytes = (uint8_t)(what + 7 < HY_SLOT_PAYLOAD ? what + 7 : HY_SLOT_PAYLOAD);
            if (what + 8 > message.head.bytes) assert_false(is_sound(&message));
        }
    hy_net_message flag = message_of(HY_NET_FLAG);
    assert_true(mount(&flag, 24, 0, 8));
    flag.head.what = 9; /* and not 24 bytes of its own */
    assert_false(is_sound(&flag));
}

TEST(should_drop_piggybacks_of_kinds_that_carry_none)
{
    static const enum hy_net_kind kinds[] = {HY_NET_ASK, HY_NET_ANSWER, HY_NET_BYE, HY_NET_ENDPOINT,
                                             HY_NET_GIVEN_UP};
    for (int i = 0; i < 5; i++) {
        hy_net_message message = message_of(kinds[i]);
        assert_false(mount(&message, 0, 0, 8));
        message.head.endpoint = 1;
        message.head.bytes = kinds[i] == HY_NET_ENDPOINT ? 16 : 0;
        assert_true(is_sound(&message));
        message.head.what = 8;
        assert_false(is_sound(&message));
        message.head.bytes = 16;
        assert_false(is_sound(&message));
    }
    hy_net_message nobody = message_of(HY_NET_PUT);
    assert_false(is_sound(&nobody));
}

TEST(should_drop_an_atomic_of_no_kind)
{
    hy_net_message message = message_of(HY_NET_ATOMIC);
    message.head.bytes = 16;
    message.head.what = HY_ATOMICS - 1;
    assert_true(is_sound(&message));
    message.head.what = HY_ATOMICS;
    assert_false(is_sound(&message));
}

TEST(should_know_which_bytes_piggybacks_on_their_way_may_write)
{
    hy_net_piggybacks piggybacks = {0};
    assert_false(hy_net_piggybacks_overlap(&piggybacks, 0, 0, UINT64_MAX));
    hy_net_piggybacks_add(&piggybacks, 0, 1, 100, 8);
    hy_net_piggybacks_add(&piggybacks, 0, 2, 200, 8);
    assert_true(hy_net_piggybacks_overlap(&piggybacks, 1, 107, 1));
    assert_true(hy_net_piggybacks_overlap(&piggybacks, 1, 0, 1000));
    assert_false(hy_net_piggybacks_overlap(&piggybacks, 1, 0, 100));
    assert_false(hy_net_piggybacks_overlap(&piggybacks, 1, 208, 8));
    assert_false(hy_net_piggybacks_overlap(&piggybacks, 2, 100, 8));
    hy_net_piggybacks_add(&piggybacks, 2, 3, 500, 8);
    assert_false(hy_net_piggybacks_overlap(&piggybacks, 2, 100, 8));
    assert_true(hy_net_piggybacks_overlap(&piggybacks, 2, 500, 8));
}

int main(void)
{
    return tests_run();
}
