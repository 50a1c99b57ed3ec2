/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
#include "base/test.h"

#include <string.h>
#include <sys/stat.h>

#include "base/conf.h"
#include "base/file_fixture.h"
#include "base/status.h"

/* Reads x.conf to its end; *lines: how many it has. */
static int read_all(int *lines)
{
    hy_conf conf;
    int rc = hy_conf_open(&conf, "x.conf");
    if (rc) return rc;
    for (*lines = 0; (rc = hy_conf_next(&conf)) > 0; (*lines)++) {
        assert_true(strlen(conf.key) < HY_CONF_BYTES && strlen(conf.value) < HY_CONF_BYTES);
        assert_null(strchr(conf.key, '='));
    }
    hy_conf_close(&conf);
    return rc;
}

static void refuses(const char *text, size_t length, const char *reason)
{
    int lines;
    write_bytes("x.conf", text, length);
    int rc = read_all(&lines);
    if (rc == HAYATE_OK) fail_msg("was taken: %.*s", (int)length, text);
    assert_int_equal(rc, HAYATE_ERR_ARGUMENT);
    assert_string_equal(hayate_error(), reason);
}

TEST(should_read_keys_and_values_with_their_lines)
{
    static const struct {
        const char *key, *value;
        uint32_t line;
    } lines[] = {{"a", "1", 2},      {"b_2.c", "x = y, z", 4}, {"*", "", 5},
                 {"d", "1 2\t3", 6}, {"", "no key", 7},        {"a", "again", 9}};
    hy_conf conf;
    write_text("x.conf", "\n"
                         "a = 1\n"
                         "# a comment = none, in \xc3\xa9\x01\n"
                         " \tb_2.c=x = y, z \n"
                         "*=\n"
                         "d = 1 2\t3\r\n"
                         "= no key\n"
                         "  # another\n"
                         "a = again\n"
                         "   \n");
    assert_ok(hy_conf_open(&conf, "x.conf"));
    for (size_t i = 0; i < COUNT(lines); i++) {
        assert_int_equal(hy_conf_next(&conf), 1);
        assert_string_equal(conf.key, lines[i].key);
        assert_string_equal(conf.value, lines[i].value);
        assert_int_equal(conf.line, lines[i].line);
    }
    assert_int_equal(hy_conf_next(&conf), 0);
    assert_int_equal(hy_conf_next(&conf), 0);
    hy_conf_close(&conf);
}

TEST(should_take_an_empty_file)
{
    int lines;
    write_text("x.conf", "");
    assert_ok(read_all(&lines));
    assert_int_equal(lines, 0);
}

TEST(should_refuse_other_lines_with_line_and_expectation)
{
    static const struct {
        const char *text, *reason;
    } bad[] = {
        {"a = 1", "x.conf:1: expected a newline at its end: the file is cut off"},
        {"a = 1\n#", "x.conf:2: expected a newline at its end: the file is cut off"},
        {"\n {\n", "x.conf:2: \"{\": expected key = value"},
        {"a = 1\nb: 2\n", "x.conf:2: \"b: 2\": expected key = value"},
        {"a\t1\n", "x.conf:1: \"a\t1\": expected key = value"},
        {"\xef\xbb\xbf"
         "a = 1\n",
         "x.conf:1: expected printable ASCII, found the byte 0xef"},
        {"a = \xc3\xa9\n", "x.conf:1: expected printable ASCII, found the byte 0xc3"},
        {"a = 1\nb = \x1b[31m\n", "x.conf:2: expected printable ASCII, found the byte 0x1b"},
        {"a = \x7f\n", "x.conf:1: expected printable ASCII, found the byte 0x7f"},
        {"a = 1\rb = 2\n", "x.conf:1: expected printable ASCII, found the byte 0x0d"},
    };
    for (size_t i = 0; i < COUNT(bad); i++)
        refuses(bad[i].text, strlen(bad[i].text), bad[i].reason);
}

TEST(should_refuse_a_nul_anywhere)
{
    refuses("\0\n", 2, "x.conf:1: expected printable ASCII, found the byte 0x00");
    refuses("a\0 = 1\n", 7, "x.conf:1: expected printable ASCII, found the byte 0x00");
    refuses("a = 1\0\n", 7, "x.conf:1: expected printable ASCII, found the byte 0x00");
}

TEST(should_name_file_line_and_key_of_what_the_caller_refuses)
{
    hy_conf conf;
    write_text("x.conf", "\nring = 1\n");
    assert_ok(hy_conf_open(&conf, "x.conf"));
    assert_int_equal(hy_conf_next(&conf), 1);
    assert_int_equal(hy_conf_fail(&conf, "expected %d", 2), HAYATE_ERR_ARGUMENT);
    assert_string_equal(hayate_error(), "x.conf:2: \"ring\": expected 2");
    hy_conf_close(&conf);
}

TEST(should_read_a_megabyte_of_anything_and_not_one_byte_more)
{
    static const struct {
        const char *pattern;
        int rc, lines;
    } all[] = {{"\n", HAYATE_OK, 0},
               {"=\n", HAYATE_OK, HY_CONF_BYTES / 2},
               {"#", HAYATE_ERR_ARGUMENT, 0},
               {"a", HAYATE_ERR_ARGUMENT, 0},
               {"a =", HAYATE_ERR_ARGUMENT, 0}};
    char *text = malloc(HY_CONF_BYTES + 1);
    int lines;
    assert_non_null(text);
    for (size_t i = 0; i < COUNT(all); i++) {
        size_t length = strlen(all[i].pattern);
        for (size_t j = 0; j <= HY_CONF_BYTES; j++) text[j] = all[i].pattern[j % length];
        write_bytes("x.conf", text, HY_CONF_BYTES);
        assert_int_equal(read_all(&lines), all[i].rc);
        assert_int_equal(lines, all[i].lines);
        write_bytes("x.conf", text, HY_CONF_BYTES + 1);
        assert_int_equal(read_all(&lines), HAYATE_ERR_ARGUMENT);
        assert_string_equal(hayate_error(), "x.conf: expected at most 1048576 bytes");
    }
    free(text);
}

TEST(should_read_nothing_but_regular_files)
{
    hy_conf conf;
    assert_int_equal(hy_conf_open(&conf, "absent.conf"), HAYATE_ERR_SYSTEM);
    assert_string_equal(hayate_error(), "absent.conf: cannot be opened: No such file or directory");
    assert_int_equal(hy_conf_open(&conf, "."), HAYATE_ERR_ARGUMENT);
    assert_string_equal(hayate_error(), ".: expected a regular file");
    assert_int_equal(hy_conf_open(&conf, "/dev/zero"), HAYATE_ERR_ARGUMENT);
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_int_equal(hy_conf_open(&conf, "pipe"), HAYATE_ERR_ARGUMENT);
    assert_string_equal(hayate_error(), "pipe: expected a regular file");
}

TEST(should_show_the_end_of_a_long_path)
{
    char path[400], *end = path;
    hy_conf conf;
    for (int i = 0; i < 100; i++) end += sprintf(end, "\xc3\xa9");
    for (int odd = 0; odd < 2; odd++) { /* one of them would be cut within a character */
        strcpy(end, odd ? "//x.conf" : "/x.conf");
        assert_int_equal(hy_conf_open(&conf, path), HAYATE_ERR_SYSTEM);
        assert_int_equal(strncmp(hayate_error(), "...\xc3\xa9", 5), 0);
        assert_non_null(strstr(hayate_error(), "x.conf: cannot be opened"));
    }
}

TEST(should_come_back_from_any_damaged_byte)
{
    static const char good[] = "# rules\nbcast = ring\n\nall = 1 2\n";
    char text[sizeof good];
    int taken = 0, lines;
    for (size_t at = 0; at < sizeof good - 1; at++) {
        for (int byte = 0; byte < 256; byte++) {
            memcpy(text, good, sizeof good);
            text[at] = (char)byte;
            write_bytes("x.conf", text, sizeof good - 1);
            int rc = read_all(&lines);
            taken += rc == HAYATE_OK;
            if (rc) assert_int_equal(rc, HAYATE_ERR_ARGUMENT);
        }
    }
    assert_in_range(taken, sizeof good, 256 * sizeof good / 2);
}

int main(void)
{
    return tests_run_in(enter_directory, leave_directory);
}
