/* SPDX-License-Identifier: Apache-2.0 */
#include "base/test.h"

#include <fcntl.h>
#include <string.h>

#include "base/library.h"
#include "base/library_fixture.h"
#include "base/status.h"

#define NAME "libhayate-probe.so.1"

static void *open_named(const char *name)
{
    return hy_library_open(name);
}

TEST(should_prefer_the_directories_that_are_named)
{
    library_folder folder;
    unsetenv("HAYATE_LIBRARIES");
    assert_null(open_named(NAME));
    assert_non_null(strstr(hayate_error(), NAME));
    assert_true(library_folder_make(&folder, NAME, "libm.so.6"));
    assert_non_null(open_named(NAME));
    library_folder_remove(&folder);
    assert_null(open_named(NAME));
}

TEST(should_look_into_each_directory_and_then_elsewhere)
{
    library_folder folder;
    char both[200];
    assert_true(library_folder_make(&folder, NAME, "libm.so.6"));
    snprintf(both, sizeof both, "/usr:%s", folder.path);
    setenv("HAYATE_LIBRARIES", both, 1);
    assert_non_null(open_named(NAME));
    assert_non_null(open_named("libm.so.6")); /* which is in neither */
    library_folder_remove(&folder);
}

TEST(should_not_look_behind_one_that_cannot_be_loaded)
{
    library_folder folder;
    assert_true(library_folder_make(&folder, "libm.so.6", "/dev/null"));
    assert_null(open_named("libm.so.6"));
    assert_non_null(strstr(hayate_error(), folder.file));
    library_folder_remove(&folder);
}

TEST(should_refuse_what_is_no_directory)
{
    static const char *const bad[] = {"/nowhere", "/usr:/nowhere", "lib", "/usr:", "/dev/null"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        setenv("HAYATE_LIBRARIES", bad[i], 1);
        if (open_named(NAME)) fail_msg("%s was taken", bad[i]);
        if (!strstr(hayate_error(), "HAYATE_LIBRARIES")) fail_msg("%s: %s", bad[i], hayate_error());
    }
    unsetenv("HAYATE_LIBRARIES");
}

int main(void)
{
    return tests_run();
}
