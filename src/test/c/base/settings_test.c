/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
#include "base/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/settings.h"
#include "base/status.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

static void assert_reason_has(const char *part)
{
    if (!strstr(hayate_error(), part)) fail_msg("'%s' is not in: %s", part, hayate_error());
}

TEST(should_read_sizes_with_and_without_units)
{
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
        assert_ok(hy_parse_bytes(good[i].text, &bytes));
        assert_int_equal(bytes, good[i].bytes);
    }
}

TEST(should_refuse_what_is_no_size)
{
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

/* Rows of these tests' own. */
static const char *const colours[] = {"red", "green", "blue", NULL};
static const char *const words[] = {"auto", "thread", NULL};
static const hy_setting size = {
    .name = "HAYATE_PROBE", .type = HY_TYPE_BYTES, .low = 1024, .high = 4096, .fallback = 2048};
static const hy_setting number = {
    .name = "HAYATE_PROBE", .type = HY_TYPE_NUMBER, .low = 1, .high = 64, .fallback = 7};
static const hy_setting either = {.name = "HAYATE_PROBE",
                                  .type = HY_TYPE_NUMBER,
                                  .words = words,
                                  .low = 1,
                                  .high = 64,
                                  .fallback = HY_ENDPOINTS_AUTO};
static const hy_setting colour = {
    .name = "HAYATE_PROBE", .type = HY_TYPE_CHOICE, .words = colours, .fallback = 1};
static const hy_setting ports = {
    .name = "HAYATE_PROBE", .type = HY_TYPE_RANGE, .low = 1, .high = 65535};

static void takes(const hy_setting *row, const char *text, uint64_t expected)
{
    uint64_t value = 77;
    setenv("HAYATE_PROBE", text, 1);
    if (hy_setting_value(row, &value) || value != expected)
        fail_msg("'%s' gave %llu (%s)", text, (unsigned long long)value, hayate_error());
    if (*text) assert_ok(hy_setting_check(row, text));
}

static void refuses(const hy_setting *row, const char *text, const char *expected)
{
    uint64_t value;
    char start[64];
    setenv("HAYATE_PROBE", text, 1);
    if (!hy_setting_value(row, &value)) fail_msg("'%s' was taken", text);
    assert_int_equal(hy_setting_check(row, text), HAYATE_ERR_ARGUMENT);
    snprintf(start, sizeof start, "HAYATE_PROBE=%.40s", text);
    assert_reason_has(start);
    assert_reason_has(expected);
}

TEST(should_fall_back_when_unset_or_empty)
{
    static const struct {
        const hy_setting *row;
        uint64_t value;
    } cases[] = {{&size, 2048}, {&number, 7}, {&colour, 1}, {&either, HY_ENDPOINTS_AUTO}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint64_t value = 77;
        unsetenv("HAYATE_PROBE");
        assert_ok(hy_setting_value(cases[i].row, &value));
        assert_int_equal(value, cases[i].value);
        takes(cases[i].row, "", cases[i].value);
    }
    uint64_t value;
    assert_ok(hy_setting_value_or(&size, 5, &value));
    assert_int_equal(value, 5);
    assert_null(hy_setting_text(&size));
}

TEST(should_keep_sizes_within_their_bounds)
{
    takes(&size, "1K", 1024);
    takes(&size, "4096", 4096);
    static const char *const bad[] = {"1023", "4097", "1Q", "5K", "-1", "auto"};
    for (size_t i = 0; i < COUNT(bad); i++) refuses(&size, bad[i], "expected a size from 1K to 4K");
}

TEST(should_keep_numbers_within_their_bounds)
{
    static const char *const bad[] = {"x",  "1x", "1.0", "99999999999999999999999",  "0x1",  "--1",
                                      "-4", "0",  "65",  "-99999999999999999999999", "auto", "1 "};
    takes(&number, "1", 1);
    takes(&number, "64", 64);
    for (size_t i = 0; i < COUNT(bad); i++) refuses(&number, bad[i], "a number from 1 to 64");
}

TEST(should_take_a_number_or_a_word)
{
    takes(&either, "auto", HY_ENDPOINTS_AUTO);
    takes(&either, "thread", HY_ENDPOINTS_THREAD);
    takes(&either, "64", 64);
    static const char *const bad[] = {"0", "65", "threads", "AUTO", "18446744073709551615"};
    for (size_t i = 0; i < COUNT(bad); i++)
        refuses(&either, bad[i], "expected auto, thread or a number from 1 to 64");
}

TEST(should_take_only_a_choice_spelt_exactly)
{
    static const char *const bad[] = {"Red", "re", "red ", " red", "redd", "0", ","};
    for (uint64_t i = 0; colours[i]; i++) takes(&colour, colours[i], i);
    for (size_t i = 0; i < COUNT(bad); i++)
        refuses(&colour, bad[i], "expected one of red, green, blue");
}

TEST(should_prefer_the_variable_to_the_property_of_java)
{
    const hy_setting *row = HY_SET(LOG_TO);
    uint64_t to;
    unsetenv(row->name);
    assert_ok(hy_setting_value_in_java(row, NULL, &to));
    assert_int_equal(to, 0);
    assert_ok(hy_setting_value_in_java(row, "", &to));
    assert_int_equal(to, 0);
    assert_ok(hy_setting_value_in_java(row, "logger", &to));
    assert_int_equal(to, 1);
    assert_int_equal(hy_setting_value_in_java(row, "log", &to), HAYATE_ERR_ARGUMENT);
    assert_reason_has("hayate.log.to=log: expected one of stderr, logger");
    setenv(row->name, "stderr", 1);
    assert_ok(hy_setting_value_in_java(row, "logger", &to));
    assert_int_equal(to, 0);
    setenv(row->name, "file", 1);
    assert_int_equal(hy_setting_value_in_java(row, "logger", &to), HAYATE_ERR_ARGUMENT);
    assert_reason_has("HAYATE_LOG_TO=file: expected one of stderr, logger");
    unsetenv(row->name);
}

TEST(should_take_a_choice_among_names_that_others_know)
{
    static const char *const names[] = {"x", "y", NULL};
    uint64_t index;
    setenv("HAYATE_PROBE", "y", 1);
    assert_ok(hy_setting_among(&colour, names, &index));
    assert_int_equal(index, 2);
    setenv("HAYATE_PROBE", "red", 1);
    assert_ok(hy_setting_among(&colour, names, &index));
    assert_int_equal(index, 0);
    setenv("HAYATE_PROBE", "green", 1);
    assert_int_equal(hy_setting_among(&colour, names, &index), HAYATE_ERR_ARGUMENT);
    assert_reason_has("HAYATE_PROBE=green: expected one of red, x, y");
}

TEST(should_take_two_ports_in_order)
{
    uint64_t low, high;
    static const char *const bad[] = {"1",     "0-5",    "5-4",  "1-65536", "a-b",
                                      "1-2-3", "1 - 2x", "-1-5", "1-",      "-"};
    setenv("HAYATE_PROBE", "47000-47999", 1);
    assert_ok(hy_setting_range(&ports, &low, &high));
    assert_int_equal(low, 47000);
    assert_int_equal(high, 47999);
    for (size_t i = 0; i < COUNT(bad); i++) {
        refuses(&ports, bad[i], "expected LOW-HIGH, two numbers from 1 to 65535, such as 47000");
        assert_int_equal(hy_setting_range(&ports, &low, &high), HAYATE_ERR_ARGUMENT);
        assert_int_equal(low + high, 0);
    }
}

TEST(should_take_absolute_directories_only)
{
    static const hy_setting folders = {.name = "HAYATE_PROBE", .type = HY_TYPE_FOLDERS};
    static const char *const good[] = {"/", "/a", "/a:/b/c"};
    static const char *const bad[] = {"a", "/a:", ":/a", "/a::/b", "/a:b", ".", ":"};
    for (size_t i = 0; i < COUNT(good); i++) assert_ok(hy_setting_check(&folders, good[i]));
    for (size_t i = 0; i < COUNT(bad); i++) {
        if (!hy_setting_check(&folders, bad[i])) fail_msg("'%s' was taken", bad[i]);
        assert_reason_has("expected absolute paths of directories");
    }
}

TEST(should_survive_a_setting_of_any_length)
{
    static char huge[100000];
    memset(huge, '9', sizeof huge - 1);
    refuses(&size, huge, "HAYATE_PROBE=999");
    refuses(&colour, huge, "HAYATE_PROBE=999");
    refuses(&either, huge, "HAYATE_PROBE=999");
}

/* ---- the table ---- */

TEST(should_have_a_sound_row_for_every_setting)
{
    for (const hy_setting *row = hy_settings; row < hy_settings + HY_SETTINGS; row++) {
        int number_of_row = (int)(row - hy_settings);
        if ((!row->name && !row->property) || !row->meaning) fail_msg("row %d", number_of_row);
        if (row->name && strncmp(row->name, "HAYATE_", 7) != 0) fail_msg("%s", row->name);
        size_t length = strlen(row->meaning);
        if (row->meaning[length - 1] != '.') fail_msg("'%s' is no sentence", row->meaning);
        if (row->type == HY_TYPE_CHOICE && !row->words) fail_msg("%s has no words", row->name);
        for (const hy_setting *other = hy_settings; row->name && other < row; other++)
            if (other->name && strcmp(other->name, row->name) == 0) fail_msg("%s", row->name);
    }
}

TEST(should_accept_its_own_default)
{
    for (const hy_setting *row = hy_settings; row < hy_settings + HY_SETTINGS; row++) {
        char text[200];
        if (row->type > HY_TYPE_BYTES || row->unset) continue;
        hy_setting_print_default(row, text, sizeof text);
        if (hy_setting_check(row, text)) fail_msg("default of %s: %s", row->name, hayate_error());
        uint64_t bytes = 0;
        if (row->type == HY_TYPE_BYTES) hy_parse_bytes(text, &bytes);
        assert_int_equal(bytes, row->type == HY_TYPE_BYTES ? row->fallback : 0);
    }
}

TEST(should_print_bytes_as_they_are_read)
{
    static const uint64_t sizes[] = {
        0, 1, 1023, 1024, 1536, 4096, 1ull << 20, 3ull << 30, 5ull << 40, 1ull << 60, UINT64_MAX};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        char text[32];
        uint64_t back = 77;
        hy_bytes_print(sizes[i], text, sizeof text);
        assert_ok(hy_parse_bytes(text, &back));
        assert_int_equal(back, sizes[i]);
    }
}

int main(void)
{
    return tests_run();
}
