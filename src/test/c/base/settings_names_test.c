/* SPDX-License-Identifier: Apache-2.0 */
#include "base/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/settings.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

static const char *explained(const char *name)
{
    static char text[200];
    memset(text, 'x', sizeof text);
    hy_setting_explain_unknown(name, text, sizeof text);
    return text;
}

TEST(should_name_the_setting_that_was_meant)
{
    static const struct {
        const char *name, *meant;
    } cases[] = {
        {"HAYATE_EAGER_LIMT", "HAYATE_EAGER_LIMIT"},
        {"HAYATE_EAGERLIMIT", "HAYATE_EAGER_LIMIT"},
        {"HAYATE_HAEP", "HAYATE_HEAP"},
        {"HAYATE_heap", "HAYATE_HEAP"},
        {"HAYATE_NET_SILENSE", "HAYATE_NET_SILENCE"},
        {"HAYATE_LGO", "HAYATE_LOG"},
        {"HAYATE_COLL_ALREDUCE", "HAYATE_COLL_ALLREDUCE"},
        {"HAYATE_WAITS", "HAYATE_WAIT"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char expected[200];
        snprintf(expected, sizeof expected, "%s is not a setting; did you mean %s?", cases[i].name,
                 cases[i].meant);
        assert_string_equal(explained(cases[i].name), expected);
    }
}

TEST(should_point_to_the_list_when_no_setting_is_near)
{
    static const char *const names[] = {"HAYATE_COLOUR_OF_SKY", "HAYATE_", "HAYATE_XYZ",
                                        "HAYATE_7"};
    for (size_t i = 0; i < COUNT(names); i++) {
        char expected[200];
        snprintf(expected, sizeof expected,
                 "%s is not a setting; `hayate info --settings` shows all", names[i]);
        assert_string_equal(explained(names[i]), expected);
    }
}

TEST(should_say_nothing_of_what_is_known_or_of_others)
{
    static const char *const names[] = {"HAYATE_HEAP",
                                        "HAYATE_RANK",
                                        "HAYATE_BOOT_FD",
                                        "HAYATE_TEST_ANYTHING",
                                        "HAYAT_HEAP",
                                        "hayate_heap",
                                        "",
                                        "A"};
    for (size_t i = 0; i < COUNT(names); i++) assert_string_equal(explained(names[i]), "");
}

TEST(should_print_nothing_that_a_terminal_would_obey)
{
    char name[4000] = "HAYATE_\x1b[2J\r\n\x07 \x80\xff%s%n";
    const char *text = explained(name);
    assert_non_null(strstr(text, "HAYATE_?[2J????"));
    assert_non_null(strstr(text, "%s%n is not"));
    for (; *text; text++) assert_in_range(*text, ' ', '~');
    memset(name + 7, 'A', sizeof name - 8);
    text = explained(name);
    assert_in_range(strlen(text), 60, 150);
    assert_non_null(strstr(text, "AAA... is not a setting"));
}

/* What the child writes to stderr. */
static const char *warnings(void)
{
    static char output[8192];
    int memory = memfd_create("log", 0), status;
    pid_t child = fork();
    if (child == 0) {
        dup2(memory, STDERR_FILENO);
        hy_settings_warn();
        hy_settings_warn();
        _exit(0);
    }
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    ssize_t length = pread(memory, output, sizeof output - 1, 0);
    output[length > 0 ? length : 0] = '\0';
    close(memory);
    return output;
}

TEST(should_warn_of_each_name_once_and_not_of_too_many)
{
    unsetenv("HAYATE_LOG");
    unsetenv("HAYATE_RANK");
    assert_string_equal(warnings(), "");
    setenv("HAYATE_WIAT", "spin", 1);
    assert_string_equal(warnings(),
                        "hayate warn: HAYATE_WIAT is not a setting; did you mean HAYATE_WAIT?\n");
    for (int i = 0; i < 1000; i++) {
        char name[40];
        snprintf(name, sizeof name, "HAYATE_UNHEARD_OF_%d", i);
        setenv(name, "1", 1);
    }
    const char *text = warnings();
    size_t lines = 0;
    for (const char *c = text; *c; c++) lines += *c == '\n';
    assert_int_equal(lines, 9);
    assert_non_null(strstr(text, "993 more variables"));
    for (int i = 0; i < 1000; i++) {
        char name[40];
        snprintf(name, sizeof name, "HAYATE_UNHEARD_OF_%d", i);
        unsetenv(name);
    }
}

int main(void)
{
    return tests_run();
}
