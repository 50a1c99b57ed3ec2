/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/test.h"
#include "base/text_fixture.h"
#include "base/status.h"
#include "choose/tuning_fixture.h"

TEST(should_say_which_machine_it_is)
{
    char machine[160], small[8];
    hy_tuning_machine(machine, sizeof machine);
    assert_non_null(strstr(machine, text_of(", %ld CPU", sysconf(_SC_NPROCESSORS_ONLN))));
    const char *kernel = strstr(machine, ", Linux ");
    assert_non_null(kernel);
    int major, minor, end = 0;
    assert_int_equal(sscanf(kernel, ", Linux %d.%d%n", &major, &minor, &end), 2);
    assert_int_equal(kernel[end], '\0');
    for (const char *c = machine; *c; c++) assert_in_range(*c, ' ', '~');
    hy_tuning_machine(small, sizeof small);
    assert_int_equal(strlen(small), sizeof small - 1);
    assert_int_equal(strncmp(small, machine, sizeof small - 1), 0);
}

TEST_WITH(should_look_where_the_environment_says, clear_environment, NULL)
{
    char path[256];
    setenv("HAYATE_TUNING", "some/where.conf", 1);
    assert_ok(hy_tuning_path(path, sizeof path));
    assert_string_equal(path, "some/where.conf");
    setenv("HAYATE_TUNING", "none", 1);
    assert_ok(hy_tuning_path(path, sizeof path));
    assert_string_equal(path, "");
    setenv("HAYATE_TUNING", "", 1); /* as good as unset */
    setenv("XDG_CACHE_HOME", "/cache", 1);
    assert_ok(hy_tuning_path(path, sizeof path));
    assert_int_equal(strncmp(path, "/cache/hayate/tuning-", 21), 0);
    assert_int_equal(strspn(path + 21, "0123456789abcdef"), 16);
    assert_string_equal(path + 37, ".conf");
    setenv("XDG_CACHE_HOME", "not/absolute", 1);
    setenv("HOME", "/home/somebody", 1);
    const char *expected = text_of("/home/somebody/.cache/hayate/%s", path + 14);
    assert_ok(hy_tuning_path(path, sizeof path));
    assert_string_equal(path, expected);
}

TEST_WITH(should_say_that_there_is_no_place, clear_environment, NULL)
{
    char path[256];
    static const char *const homes[] = {NULL, "", "relative"};
    for (size_t i = 0; i < COUNT(homes); i++) {
        if (homes[i]) setenv("HOME", homes[i], 1);
        else unsetenv("HOME");
        assert_refused(hy_tuning_path(path, sizeof path), HAYATE_ERR_SYSTEM, "set HAYATE_TUNING");
    }
}

TEST_WITH(should_refuse_a_path_that_does_not_fit, clear_environment, NULL)
{
    char path[32];
    assert_code(hy_tuning_path(path, sizeof path), HAYATE_ERR_ARGUMENT);
    setenv("HAYATE_TUNING", "0123456789012345678901234567890", 1);
    assert_ok(hy_tuning_path(path, sizeof path));
    setenv("HAYATE_TUNING", "01234567890123456789012345678901", 1);
    assert_code(hy_tuning_path(path, sizeof path), HAYATE_ERR_ARGUMENT);
}

int main(void)
{
    return tests_run_in(enter_directory, leave_directory);
}
