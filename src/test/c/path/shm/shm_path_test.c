/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
#include "base/test.h"

#include <stdlib.h>

#include "base/status.h"
#include "net/net.h"

#define PART 4096

static uint8_t *part; /* exactly PART bytes: a sanitizer sees every step outside */
static hy_bell bell;
static hy_ep ep;

static int set_up(void **state)
{
    (void)state;
    part = aligned_alloc(HY_LINE, PART);
    assert_non_null(part);
    memset(part, 0, PART);
    bell = (hy_bell){0};
    ep = (hy_ep){.ops = &hy_path_shm, .part = part, .part_bytes = PART, .bell = &bell, .rank = 5};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(part);
    return 0;
}

TEST(should_put_and_get_up_to_the_last_byte)
{
    uint8_t data[64], back[64];
    for (int i = 0; i < 64; i++) data[i] = (uint8_t)(i + 1);
    for (uint64_t len = 0; len <= 64; len++) {
        memset(back, 0, sizeof back);
        assert_ok(ep.ops->put(&ep, PART - len, data, len));
        assert_ok(ep.ops->get(&ep, PART - len, back, len));
        assert_memory_equal(back, data, len);
    }
    assert_ok(ep.ops->put(&ep, 0, data, 1));
    assert_int_equal(part[0], 1);
    assert_ok(ep.ops->flush(&ep));
}

TEST(should_refuse_addresses_outside_of_the_part)
{
    static const struct {
        uint64_t offset;
        size_t len;
    } bad[] = {
        {PART, 1},       {PART + 1, 0},    {PART - 7, 8},       {0, PART + 1},
        {UINT64_MAX, 1}, {UINT64_MAX, 0},  {UINT64_MAX - 7, 8}, {UINT64_MAX - 3, 8},
        {1, SIZE_MAX},   {PART, SIZE_MAX}, {0, SIZE_MAX},       {UINT64_MAX, SIZE_MAX},
    };
    uint8_t data[16] = {0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(ep.ops->put(&ep, bad[i].offset, data, bad[i].len), HAYATE_ERR_CORRUPT);
        assert_int_equal(hayate_error_peer(), 5);
        assert_int_equal(ep.ops->get(&ep, bad[i].offset, data, bad[i].len), HAYATE_ERR_CORRUPT);
        assert_false(hy_ep_contains(&ep, bad[i].offset, bad[i].len));
    }
    assert_true(hy_ep_contains(&ep, PART, 0));
}

TEST(should_signal_payloads_of_every_length_and_touch_no_other_byte)
{
    for (size_t len = 0; len <= HY_SLOT_PAYLOAD; len++) {
        uint8_t *data = malloc(len ? len : 1); /* exactly: an over-read would show */
        hy_slot *slot = (hy_slot *)(void *)(part + HY_LINE);
        for (size_t i = 0; i < len; i++) data[i] = (uint8_t)(0x40 + i);
        memset(part, 0xee, 3 * HY_LINE);
        ep.ops->signal(&ep, HY_LINE, 77 + len, data, len);
        assert_int_equal(hy_load_acquire(&slot->head), 77 + len);
        assert_memory_equal(slot->payload, data, len);
        for (size_t i = len; i < HY_SLOT_PAYLOAD; i++) assert_int_equal(slot->payload[i], 0xee);
        for (int i = 0; i < HY_LINE; i++) {
            assert_int_equal(part[i], 0xee);
            assert_int_equal(part[2 * HY_LINE + i], 0xee);
        }
        free(data);
    }
}

TEST(should_wake_the_peer_only_if_it_sleeps)
{
    ep.ops->signal(&ep, 0, 1, NULL, 0);
    assert_int_equal(bell.seq, 0);
    bell.sleepers = 1;
    ep.ops->signal(&ep, 0, 2, NULL, 0);
    assert_int_equal(bell.seq, 1);
}

TEST(should_write_a_flag_and_touch_no_other_byte)
{
    const hy_flag flag = {0x1111, {0x2222, 0x3333, 0x4444}};
    for (uint64_t at = 0; at + sizeof flag <= PART; at += PART - sizeof flag) {
        memset(part, 0xee, PART);
        assert_ok(ep.ops->put_flag(&ep, at, &flag));
        assert_memory_equal(part + at, &flag, sizeof flag);
        for (uint64_t i = 0; i < PART; i++) {
            if (i < at || i >= at + sizeof flag) assert_int_equal(part[i], 0xee);
        }
    }
    assert_int_equal(ep.ops->put_flag(&ep, PART, &flag), HAYATE_ERR_CORRUPT);
    assert_int_equal(ep.ops->put_flag(&ep, UINT64_MAX - 31, &flag), HAYATE_ERR_CORRUPT);
    assert_int_equal(hayate_error_peer(), 5);
}

TEST(should_change_a_word_as_told)
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
    _Atomic uint64_t *word = (_Atomic uint64_t *)(void *)(part + PART - 8);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t before = 0;
        *word = 12;
        assert_ok(ep.ops->atomic(&ep, PART - 8, cases[i].what, cases[i].operand, cases[i].expected,
                                 &before));
        assert_int_equal(before, 12);
        assert_int_equal(*word, cases[i].after);
    }
    uint64_t before;
    assert_int_equal(ep.ops->atomic(&ep, PART, HY_ATOMIC_ADD, 1, 0, &before), HAYATE_ERR_CORRUPT);
    assert_int_equal(ep.ops->atomic(&ep, UINT64_MAX - 7, HY_ATOMIC_ADD, 1, 0, &before),
                     HAYATE_ERR_CORRUPT);
}

TEST(should_wake_a_sleeper_by_flags_and_atomics_that_write)
{
    const hy_flag flag = {1, {0, 0, 0}};
    uint64_t before;
    bell.sleepers = 1;
    ep.ops->put_flag(&ep, 0, &flag);
    assert_int_equal(bell.seq, 1);
    for (hy_atomic what = HY_ATOMIC_ADD; what < HY_ATOMICS; what++)
        ep.ops->atomic(&ep, 0, what, 1, 0, &before);
    assert_int_equal(bell.seq, 1 + HY_ATOMICS - HY_ATOMIC_ADD);
    ep.ops->atomic(&ep, 0, HY_ATOMIC_FETCH, 0, 0, &before);
    assert_int_equal(bell.seq, 1 + HY_ATOMICS - HY_ATOMIC_ADD);
}

static bool is_single_copy(const hy_path_ops *path)
{
    for (int i = 0; hy_single_copies[i]; i++) {
        if (path == hy_single_copies[i]) return true;
    }
    return false;
}

static void check_row(const hy_path_ops *path)
{
    bool transport = !is_single_copy(path);
    assert_true(path->put && path->get && path->probe);
    assert_int_equal(path->signal != NULL, transport);
    assert_int_equal(path->put_start != NULL, transport);
    assert_int_equal(path->get_start != NULL, transport);
    assert_int_equal(path->put_flag != NULL, transport);
    assert_int_equal(path->atomic != NULL, transport);
    assert_int_equal(path->flush != NULL, transport);
    assert_false(path->caps & (transport ? HY_CAP_LOADS : HY_CAP_MAPPED));
}

TEST(should_have_all_operations_in_a_transport_and_copies_alone_in_a_single_copy)
{
    for (int i = 0; hy_paths[i]; i++) {
        check_row(hy_paths[i]);
        for (int k = 0; k < i; k++) assert_string_not_equal(hy_paths[i]->name, hy_paths[k]->name);
    }
    for (int i = 0; hy_nets[i]; i++) check_row(hy_nets[i]->row);
}

int main(void)
{
    tests_each(set_up, tear_down);
    return tests_run();
}
