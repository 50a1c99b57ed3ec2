/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <sys/stat.h>

#include "base/file_fixture.h"
#include "base/json.h"
#include "base/status.h"

static int parse(hy_json *json, const char *text)
{
    return hy_json_parse(json, "x.json", text, strlen(text));
}

static void assert_refused(const char *text, size_t length, const char *reason)
{
    hy_json json;
    int rc = hy_json_parse(&json, "x.json", text, length);
    if (rc == HAYATE_OK) fail_msg("was taken: %.*s", (int)length, text);
    assert_int_equal(rc, HAYATE_ERR_ARGUMENT);
    assert_string_equal(hayate_error(), reason);
    assert_null(json.root);
}

static void should_read_every_kind_of_value(void **state)
{
    (void)state;
    hy_json json;
    assert_int_equal(
        parse(&json, " [null, true, false, -12.5e1, \"a\", [], {}, {\"k\" : [1]}] \r\n"),
        HAYATE_OK);
    const hy_json_value *v = json.root;
    static const hy_json_kind kinds[] = {HY_JSON_NULL,   HY_JSON_BOOL,  HY_JSON_BOOL,
                                         HY_JSON_NUMBER, HY_JSON_TEXT,  HY_JSON_ARRAY,
                                         HY_JSON_OBJECT, HY_JSON_OBJECT};
    static const double numbers[] = {0, 1, 0, -125, 0, 0, 0, 0};
    static const uint32_t counts[] = {0, 0, 0, 0, 0, 0, 0, 1};
    assert_int_equal(v->kind, HY_JSON_ARRAY);
    assert_int_equal(v->count, COUNT(kinds));
    v = v->first;
    for (size_t i = 0; i < COUNT(kinds); i++, v = v->next) {
        assert_int_equal(v->kind, kinds[i]);
        assert_true(v->number == numbers[i]);
        assert_int_equal(v->count, counts[i]);
        assert_null(v->name);
        if (i == 4) assert_string_equal(v->text, "a");
        if (i == 7) assert_true(hy_json_member(v, "k")->first->number == 1);
    }
    assert_null(v);
    hy_json_release(&json);
}

static void should_read_numbers_as_they_are_meant(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double number;
    } good[] = {{"0", 0},       {"-0", -0.0},       {"7", 7},
                {"10", 10},     {"0.1", 0.1},       {"1E3", 1000},
                {"1e+3", 1000}, {"1.5e-3", 0.0015}, {"1e-999", 0},
                {"0e9999", 0},  {"1e308", 1e308},   {"9007199254740993", 9007199254740992.0}};
    for (size_t i = 0; i < COUNT(good); i++) {
        hy_json json;
        assert_int_equal(parse(&json, good[i].text), HAYATE_OK);
        assert_true(json.root->number == good[i].number);
        hy_json_release(&json);
    }
}

static void should_read_numbers_alike_in_any_locale(void **state)
{
    (void)state;
    hy_json json;
    if (!set_comma_locale()) skip();
    int rc = parse(&json, "1.25");
    setlocale(LC_ALL, "C");
    assert_int_equal(rc, HAYATE_OK);
    assert_true(json.root->number == 1.25);
    hy_json_release(&json);
}

static void should_know_the_line_of_every_value(void **state)
{
    (void)state;
    hy_json json;
    assert_int_equal(parse(&json, "\n{\"a\":\n1,\r\n\"b\": [2,\n\n3], \"c\":\"\\n\", \"d\": 4}"),
                     HAYATE_OK);
    assert_int_equal(json.root->line, 2);
    assert_int_equal(hy_json_member(json.root, "a")->line, 3);
    const hy_json_value *b = hy_json_member(json.root, "b");
    assert_int_equal(b->line, 4);
    assert_int_equal(b->first->line, 4);
    assert_int_equal(b->first->next->line, 6);
    assert_int_equal(hy_json_member(json.root, "d")->line, 6);
    hy_json_release(&json);
}

static void should_decode_escapes_and_pass_utf8_through(void **state)
{
    (void)state;
    static const struct {
        const char *text, *decoded;
    } good[] = {
        {"\"\"", ""},
        {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t"},
        {"\"\\u0041\\u00e9\\u20AC\\uD83D\\uDE00|\"", "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80|"},
        {"\"\\u0001\\u007f\\u0080\\u07ff\\u0800\\uffff\"",
         "\x01\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf"},
        {"\"\\ud800\\udc00\\udbff\\udfff\"", "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"},
        {"\"\x7f\xc2\x80\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf\"",
         "\x7f\xc2\x80\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf"},
    };
    for (size_t i = 0; i < COUNT(good); i++) {
        hy_json json;
        assert_int_equal(parse(&json, good[i].text), HAYATE_OK);
        assert_string_equal(json.root->text, good[i].decoded);
        hy_json_release(&json);
    }
}

static void should_refuse_what_is_not_json_with_line_and_expectation(void **state)
{
    (void)state;
    static const struct {
        const char *text, *reason;
    } bad[] = {
        {"", "x.json:1: expected a value, found the end of the file"},
        {" \n\n ", "x.json:3: expected a value, found the end of the file"},
        {"nul", "x.json:1: expected a value, found 'n'"},
        {"True", "x.json:1: expected a value, found 'T'"},
        {"NaN", "x.json:1: expected a value, found 'N'"},
        {"+1", "x.json:1: expected a value, found '+'"},
        {"'a'", "x.json:1: expected a value, found '''"},
        {"\xef\xbb\xbf{}", "x.json:1: expected a value, found the byte 0xef"},
        {"1 2", "x.json:1: expected nothing more, found '2'"},
        {"truex", "x.json:1: expected nothing more, found 'x'"},
        {"{}\n// done", "x.json:2: expected nothing more, found '/'"},
        {"-", "x.json:1: expected a digit, found the end of the file"},
        {"-a", "x.json:1: expected a digit, found 'a'"},
        {"-Infinity", "x.json:1: expected a digit, found 'I'"},
        {"01", "x.json:1: expected nothing more, found '1'"},
        {"0x10", "x.json:1: expected nothing more, found 'x'"},
        {".5", "x.json:1: expected a value, found '.'"},
        {"1.", "x.json:1: expected a digit after the point, found the end of the file"},
        {"1.e1", "x.json:1: expected a digit after the point, found 'e'"},
        {"1e", "x.json:1: expected a digit of the exponent, found the end of the file"},
        {"1e+", "x.json:1: expected a digit of the exponent, found the end of the file"},
        {"1e999", "x.json:1: this number is too large"},
        {"-1e999", "x.json:1: this number is too large"},
        {"[", "x.json:1: expected a value, found the end of the file"},
        {"[1", "x.json:1: expected ',' or ']', found the end of the file"},
        {"[1\n2]", "x.json:2: expected ',' or ']', found '2'"},
        {"[1,]", "x.json:1: expected a value, found ']'"},
        {"[,1]", "x.json:1: expected a value, found ','"},
        {"[1}", "x.json:1: expected ',' or ']', found '}'"},
        {"]", "x.json:1: expected a value, found ']'"},
        {"{", "x.json:1: expected a name in '\"', found the end of the file"},
        {"{a:1}", "x.json:1: expected a name in '\"', found 'a'"},
        {"{1:1}", "x.json:1: expected a name in '\"', found '1'"},
        {"{\"a\"}", "x.json:1: expected ':', found '}'"},
        {"{\"a\":}", "x.json:1: expected a value, found '}'"},
        {"{\"a\":1\n,}", "x.json:2: expected a name in '\"', found '}'"},
        {"{\"a\":1;}", "x.json:1: expected ',' or '}', found ';'"},
        {"{\"a\":1]", "x.json:1: expected ',' or '}', found ']'"},
        {"{\"a\":1", "x.json:1: expected ',' or '}', found the end of the file"},
        {"\"", "x.json:1: expected the rest of a text and its '\"', found the end of the file"},
        {"\"a\nb\"", "x.json:1: expected the rest of a text and its '\"', found the byte 0x0a"},
        {"\"a\tb\"", "x.json:1: expected the rest of a text and its '\"', found the byte 0x09"},
        {"\"\\", "x.json:1: expected one of \" \\ / b f n r t u after \\, found the end of the "
                 "file"},
        {"\"\\x41\"", "x.json:1: expected one of \" \\ / b f n r t u after \\, found 'x'"},
        {"\"\\u12g4\"", "x.json:1: expected four hexadecimal digits after \\u"},
        {"\"\\u123", "x.json:1: expected four hexadecimal digits after \\u"},
        {"\"\\u0000\"", "x.json:1: \\u0000 is not permitted in a text"},
        {"\"\\udc00\"", "x.json:1: expected both halves of a surrogate pair, "
                        "such as \\ud83d\\ude00"},
        {"\"\\ud83d\"", "x.json:1: expected both halves of a surrogate pair, "
                        "such as \\ud83d\\ude00"},
        {"\"\\ud83dx\"", "x.json:1: expected both halves of a surrogate pair, "
                         "such as \\ud83d\\ude00"},
        {"\"\\ud83d\\n\"", "x.json:1: expected both halves of a surrogate pair, "
                           "such as \\ud83d\\ude00"},
        {"\"\\ud83d\\u0041\"",
         "x.json:1: expected both halves of a surrogate pair, such as \\ud83d\\ude00"},
        {"\"\\ud83d\\ud83d\"",
         "x.json:1: expected both halves of a surrogate pair, such as \\ud83d\\ude00"},
        {"\"\\ud83d\\u", "x.json:1: expected both halves of a surrogate pair, "
                         "such as \\ud83d\\ude00"},
        {"\x1b[31m", "x.json:1: expected a value, found the byte 0x1b"},
        {"{\"a\": 1,\n \"b\": 2,\n \"a\": 3}", "x.json:3: \"a\": occurs twice, expected once"},
        {"{\"a\": 1, \"\\u0061\": 2}", "x.json:1: \"a\": occurs twice, expected once"},
        {"{\"\": 1, \"\": 2}", "x.json:1: \"\": occurs twice, expected once"},
        {"{\"\\u001b[31m\": 1, \"\\u001b[31m\": 2}",
         "x.json:1: \"?[31m\": occurs twice, expected once"},
    };
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_refused(bad[i].text, strlen(bad[i].text), bad[i].reason);
}

static void should_refuse_a_nul_anywhere(void **state)
{
    (void)state;
    assert_refused("\0", 1, "x.json:1: expected a value, found the byte 0x00");
    assert_refused("{}\0", 3, "x.json:1: expected nothing more, found the byte 0x00");
    assert_refused("\"a\0\"", 4,
                   "x.json:1: expected the rest of a text and its '\"', found the byte 0x00");
    assert_refused("\"\\\0\"", 4,
                   "x.json:1: expected one of \" \\ / b f n r t u after \\, found the byte 0x00");
}

static void should_refuse_bytes_that_are_no_utf8(void **state)
{
    (void)state;
    static const char *const bad[] = {"\x80",
                                      "\xbf",
                                      "\xc0\x80",
                                      "\xc1\xbf",
                                      "\xc2",
                                      "\xc2\x41",
                                      "\xe0\x9f\xbf",
                                      "\xe2\x82",
                                      "\xed\xa0\x80",
                                      "\xed\xbf\xbf",
                                      "\xf0\x8f\xbf\xbf",
                                      "\xf4\x90\x80\x80",
                                      "\xf5\x80\x80\x80",
                                      "\xfe",
                                      "\xff",
                                      "\xf0\x9f\x98"};
    for (size_t i = 0; i < COUNT(bad); i++) {
        char text[16], reason[64];
        snprintf(text, sizeof text, "\"%s\"", bad[i]);
        snprintf(reason, sizeof reason, "x.json:1: expected UTF-8, found the byte 0x%02x",
                 (unsigned char)bad[i][0]);
        assert_refused(text, strlen(text), reason);
    }
}

static void should_go_sixteen_deep_and_no_deeper(void **state)
{
    (void)state;
    hy_json json;
    assert_int_equal(parse(&json, "[[[[{\"a\":[[[[{\"b\":[[[[{\"c\":[1]}]]]]}]]]]}]]]]"),
                     HAYATE_OK);
    hy_json_release(&json);
    static const char deeper[] = "[[[[{\"a\":[[[[{\"b\":[[[[{\"c\":\n[[]]}]]]]}]]]]}]]]]";
    assert_refused(deeper, strlen(deeper),
                   "x.json:2: expected at most 16 nested arrays and objects");
}

static void should_not_be_blown_up_by_a_megabyte_of_anything(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *reason;
    } bad[] = {
        {"[", "x.json:1: expected at most 16 nested arrays and objects"},
        {"[[],", "x.json:1: expected at most 16 nested arrays and objects"},
        {"{\"a\":", "x.json:1: \"a\": expected at most 16 nested arrays and objects"},
        {"1", "x.json:1: this number is too large"},
        {",", "x.json:1: expected a value, found ','"},
        {"\n", "x.json:1048577: expected a value, found the end of the file"},
    };
    char *text = malloc(HY_JSON_BYTES);
    assert_non_null(text);
    for (size_t i = 0; i < COUNT(bad); i++) {
        size_t length = strlen(bad[i].pattern);
        for (size_t j = 0; j < HY_JSON_BYTES; j++) text[j] = bad[i].pattern[j % length];
        assert_refused(text, HY_JSON_BYTES, bad[i].reason);
    }
    free(text);
}

static void should_hold_as_many_values_as_a_megabyte_has(void **state)
{
    (void)state;
    hy_json json;
    char *text = malloc(HY_JSON_BYTES);
    assert_non_null(text);
    for (size_t i = 0; i < HY_JSON_BYTES; i++) text[i] = i % 2 ? '1' : ',';
    text[0] = '[';
    memcpy(text + HY_JSON_BYTES - 2, "]", 2); /* the last byte is left out */
    assert_int_equal(hy_json_parse(&json, "x.json", text, HY_JSON_BYTES - 1), HAYATE_OK);
    assert_int_equal(json.root->count, HY_JSON_BYTES / 2 - 1);
    hy_json_release(&json);
    free(text);
}

static void should_hold_256_members_and_no_more(void **state)
{
    (void)state;
    char text[8192];
    for (int members = 256; members <= 257; members++) {
        hy_json json;
        size_t used = 0;
        for (int i = 0; i < members; i++)
            used += (size_t)sprintf(text + used, "%s\"k%d\": %d", i ? ",\n" : "{", i, i);
        strcpy(text + used, "}");
        int rc = parse(&json, text);
        if (members == 256) {
            assert_int_equal(rc, HAYATE_OK);
            assert_int_equal(json.root->count, 256);
            assert_true(hy_json_member(json.root, "k255")->number == 255);
            hy_json_release(&json);
        } else {
            assert_int_equal(rc, HAYATE_ERR_ARGUMENT);
            assert_string_equal(hayate_error(),
                                "x.json:257: \"k256\": expected at most 256 members");
        }
    }
}

static void should_read_a_file_of_a_megabyte_and_not_one_byte_more(void **state)
{
    (void)state;
    char *text = malloc(HY_JSON_BYTES + 1);
    hy_json json;
    assert_non_null(text);
    memset(text, ' ', HY_JSON_BYTES + 1);
    memcpy(text, "[1]", 3);
    write_bytes("big.json", text, HY_JSON_BYTES);
    assert_int_equal(hy_json_read(&json, "big.json"), HAYATE_OK);
    assert_int_equal(json.root->count, 1);
    hy_json_release(&json);
    write_bytes("big.json", text, HY_JSON_BYTES + 1);
    assert_int_equal(hy_json_read(&json, "big.json"), HAYATE_ERR_ARGUMENT);
    assert_string_equal(hayate_error(), "big.json: expected at most 1048576 bytes");
    assert_int_equal(hy_json_parse(&json, "big.json", text, HY_JSON_BYTES + 1),
                     HAYATE_ERR_ARGUMENT);
    free(text);
}

static void should_read_nothing_but_regular_files(void **state)
{
    (void)state;
    hy_json json;
    assert_int_equal(hy_json_read(&json, "absent.json"), HAYATE_ERR_SYSTEM);
    assert_string_equal(hayate_error(), "absent.json: cannot be opened: No such file or directory");
    assert_int_equal(hy_json_read(&json, "."), HAYATE_ERR_ARGUMENT);
    assert_string_equal(hayate_error(), ".: expected a regular file");
    assert_int_equal(hy_json_read(&json, "/dev/zero"), HAYATE_ERR_ARGUMENT);
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_int_equal(hy_json_read(&json, "pipe"), HAYATE_ERR_ARGUMENT);
    assert_string_equal(hayate_error(), "pipe: expected a regular file");
}

static void should_show_the_end_of_a_long_path(void **state)
{
    (void)state;
    char path[400], *end = path;
    hy_json json;
    for (int i = 0; i < 100; i++) end += sprintf(end, "\xc3\xa9");
    for (int odd = 0; odd < 2; odd++) { /* one of them would be cut within a character */
        strcpy(end, odd ? "//rules.json" : "/rules.json");
        assert_int_equal(hy_json_parse(&json, path, "", 0), HAYATE_ERR_ARGUMENT);
        assert_int_equal(strncmp(hayate_error(), "...\xc3\xa9", 5), 0);
        assert_non_null(strstr(hayate_error(), "rules.json:1: expected a value"));
    }
}

static void should_refuse_every_beginning_of_a_document(void **state)
{
    (void)state;
    static const char text[] = "{\"rules\": [{\"a\": [1.5e3, \"\\u00e9\\ud83d\\ude00\"]}, null]}";
    for (size_t length = 0; length < sizeof text - 1; length++) {
        hy_json json;
        assert_int_equal(hy_json_parse(&json, "x.json", text, length), HAYATE_ERR_ARGUMENT);
    }
}

static void should_come_back_from_any_damaged_byte(void **state)
{
    (void)state;
    static const char good[] = "{\"rules\": [{\"a\": [1.5e3, \"\\u00e9\\ud83d\\ude00\"]}, null]}";
    char text[sizeof good];
    int taken = 0;
    for (size_t at = 0; at < sizeof good - 1; at++) {
        for (int byte = 0; byte < 256; byte++) {
            hy_json json;
            memcpy(text, good, sizeof good);
            text[at] = (char)byte;
            int rc = hy_json_parse(&json, "x.json", text, sizeof good - 1);
            taken += rc == HAYATE_OK;
            if (rc == HAYATE_OK) hy_json_release(&json);
            else assert_int_equal(rc, HAYATE_ERR_ARGUMENT);
        }
    }
    assert_in_range(taken, sizeof good, 256 * sizeof good / 4);
}

static void should_check_members_by_name(void **state)
{
    (void)state;
    static const char *const names[] = {"from", "to", "note", NULL};
    hy_json json;
    assert_int_equal(parse(&json, "[{\"to\": 1, \"from\": 2},\n{\"from\": 1},\n"
                                  "{\"from\": 1, \"to\": 2,\n \"t\": 3},\n4]"),
                     HAYATE_OK);
    const hy_json_value *v = json.root->first;
    assert_int_equal(hy_json_check(&json, v, names, 2), HAYATE_OK);
    v = v->next;
    assert_int_equal(hy_json_check(&json, v, names, 1), HAYATE_OK);
    assert_int_equal(hy_json_check(&json, v, names, 2), HAYATE_ERR_ARGUMENT);
    assert_string_equal(hayate_error(), "x.json:2: expected \"to\" in it");
    v = v->next;
    assert_int_equal(hy_json_check(&json, v, names, 0), HAYATE_ERR_ARGUMENT);
    assert_string_equal(hayate_error(), "x.json:4: \"t\": unknown, expected only from, to, note");
    v = v->next;
    assert_int_equal(hy_json_check(&json, v, names, 0), HAYATE_ERR_ARGUMENT);
    assert_string_equal(hayate_error(), "x.json:5: expected an object");
    assert_null(hy_json_member(v, "from"));
    hy_json_release(&json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_read_every_kind_of_value),
        cmocka_unit_test(should_read_numbers_as_they_are_meant),
        cmocka_unit_test(should_read_numbers_alike_in_any_locale),
        cmocka_unit_test(should_know_the_line_of_every_value),
        cmocka_unit_test(should_decode_escapes_and_pass_utf8_through),
        cmocka_unit_test(should_refuse_what_is_not_json_with_line_and_expectation),
        cmocka_unit_test(should_refuse_a_nul_anywhere),
        cmocka_unit_test(should_refuse_bytes_that_are_no_utf8),
        cmocka_unit_test(should_go_sixteen_deep_and_no_deeper),
        cmocka_unit_test(should_not_be_blown_up_by_a_megabyte_of_anything),
        cmocka_unit_test(should_hold_as_many_values_as_a_megabyte_has),
        cmocka_unit_test(should_hold_256_members_and_no_more),
        cmocka_unit_test(should_read_a_file_of_a_megabyte_and_not_one_byte_more),
        cmocka_unit_test(should_read_nothing_but_regular_files),
        cmocka_unit_test(should_show_the_end_of_a_long_path),
        cmocka_unit_test(should_refuse_every_beginning_of_a_document),
        cmocka_unit_test(should_come_back_from_any_damaged_byte),
        cmocka_unit_test(should_check_members_by_name),
    };
    return cmocka_run_group_tests(tests, enter_directory, leave_directory);
}
