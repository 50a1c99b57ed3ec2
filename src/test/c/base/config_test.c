/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <stdlib.h>

#include "base/config.h"
#include "base/status.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

static void assert_reason_has(const char *part)
{
    if (!strstr(hayate_error(), part)) fail_msg("'%s' is not in: %s", part, hayate_error());
}

static void should_read_sizes_with_and_without_units(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t bytes;
    } good[] = {
        {"0", 0},
        {"1", 1},
        {"4096", 4096},
        {"4K", 4096},
        {"4k", 4096},
        {"64M", UINT64_C(64) << 20},
        {"2g", UINT64_C(2) << 30},
        {"1T", UINT64_C(1) << 40},
        {"0G", 0},
        {"18446744073709551615", UINT64_MAX},
        {"16777215T", UINT64_C(16777215) << 40},
    };
    for (size_t i = 0; i < COUNT(good); i++) {
        uint64_t bytes = 77;
        assert_int_equal(hy_parse_bytes(good[i].text, &bytes), HAYATE_OK);
        assert_int_equal(bytes, good[i].bytes);
    }
}

static void should_refuse_what_is_no_size(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",    " ",    "x",   "K",    "-1",   "+1",    " 1",    "1 ",
        "1KB", "1KiB", "1KK", "1.5M", "0x10", "1e3",   "1P",    "18446744073709551616",
        "1\n", "1,0",  "--1", "1k ",  "16M0", "1\x0b", "1\xcb", "16777216T"};
    assert_int_equal(hy_parse_bytes(NULL, &(uint64_t){0}), HAYATE_ERR_ARGUMENT);
    for (size_t i = 0; i < COUNT(bad); i++) {
        uint64_t bytes = 77;
        if (hy_parse_bytes(bad[i], &bytes) != HAYATE_ERR_ARGUMENT)
            fail_msg("'%s' was taken for %llu", bad[i], (unsigned long long)bytes);
    }
}

static void should_fall_back_when_unset_or_empty(void **state)
{
    (void)state;
    static const char *const choices[] = {"a", "b", NULL};
    static const char *const settings[] = {NULL, ""};
    for (int i = 0; i < 2; i++) {
        uint64_t bytes = 0;
        long number = 0;
        int choice = 0;
        if (settings[i]) setenv("HAYATE_PROBE", settings[i], 1);
        else unsetenv("HAYATE_PROBE");
        assert_int_equal(hy_config_bytes("PROBE", 5, 10, 20, &bytes), HAYATE_OK);
        assert_int_equal(hy_config_long("PROBE", -7, 1, 2, &number), HAYATE_OK);
        assert_int_equal(hy_config_choice("PROBE", 1, choices, &choice), HAYATE_OK);
        assert_int_equal(bytes, 5);
        assert_int_equal(number, -7);
        assert_int_equal(choice, 1);
    }
}

static void should_keep_sizes_within_their_bounds(void **state)
{
    (void)state;
    uint64_t bytes;
    setenv("HAYATE_PROBE", "1K", 1);
    assert_int_equal(hy_config_bytes("PROBE", 1, 1024, 1024, &bytes), HAYATE_OK);
    assert_int_equal(bytes, 1024);
    assert_int_equal(hy_config_bytes("PROBE", 1, 1025, 9999, &bytes), HAYATE_ERR_ARGUMENT);
    assert_int_equal(hy_config_bytes("PROBE", 1, 0, 1023, &bytes), HAYATE_ERR_ARGUMENT);
    assert_reason_has("HAYATE_PROBE=1K");
    assert_reason_has("from 0 to 1023");
    setenv("HAYATE_PROBE", "1Q", 1);
    assert_int_equal(hy_config_bytes("PROBE", 1, 0, UINT64_MAX, &bytes), HAYATE_ERR_ARGUMENT);
    assert_reason_has("HAYATE_PROBE=1Q");
}

static void should_keep_numbers_within_their_bounds(void **state)
{
    (void)state;
    static const char *const bad[] = {"x",   "1x", "1.0", "99999999999999999999999", "0x1",
                                      "--1", "-4", "4",   "-99999999999999999999999"};
    long number;
    setenv("HAYATE_PROBE", "-3", 1);
    assert_int_equal(hy_config_long("PROBE", 0, -3, 3, &number), HAYATE_OK);
    assert_int_equal(number, -3);
    for (size_t i = 0; i < COUNT(bad); i++) {
        setenv("HAYATE_PROBE", bad[i], 1);
        assert_int_equal(hy_config_long("PROBE", 0, -3, 3, &number), HAYATE_ERR_ARGUMENT);
        assert_reason_has(bad[i]);
        assert_reason_has("from -3 to 3");
    }
}

static void should_take_only_a_choice_spelt_exactly(void **state)
{
    (void)state;
    static const char *const choices[] = {"adaptive", "spin", "block", NULL};
    static const char *const bad[] = {"Adaptive", "spi", "spin ", " spin", "spinn", "0", ","};
    int choice;
    for (int i = 0; choices[i]; i++) {
        setenv("HAYATE_PROBE", choices[i], 1);
        assert_int_equal(hy_config_choice("PROBE", 0, choices, &choice), HAYATE_OK);
        assert_int_equal(choice, i);
    }
    for (size_t i = 0; i < COUNT(bad); i++) {
        setenv("HAYATE_PROBE", bad[i], 1);
        assert_int_equal(hy_config_choice("PROBE", 0, choices, &choice), HAYATE_ERR_ARGUMENT);
        assert_reason_has("expected one of adaptive, spin, block");
    }
}

static void should_survive_a_setting_of_any_length(void **state)
{
    (void)state;
    static char huge[100000];
    static const char *const choices[] = {"a", NULL};
    uint64_t bytes;
    int choice;
    memset(huge, '9', sizeof huge - 1);
    setenv("HAYATE_PROBE", huge, 1);
    assert_int_equal(hy_config_bytes("PROBE", 1, 0, 9, &bytes), HAYATE_ERR_ARGUMENT);
    assert_int_equal(hy_config_choice("PROBE", 0, choices, &choice), HAYATE_ERR_ARGUMENT);
    assert_reason_has("HAYATE_PROBE=999");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_read_sizes_with_and_without_units),
        cmocka_unit_test(should_refuse_what_is_no_size),
        cmocka_unit_test(should_fall_back_when_unset_or_empty),
        cmocka_unit_test(should_keep_sizes_within_their_bounds),
        cmocka_unit_test(should_keep_numbers_within_their_bounds),
        cmocka_unit_test(should_take_only_a_choice_spelt_exactly),
        cmocka_unit_test(should_survive_a_setting_of_any_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
