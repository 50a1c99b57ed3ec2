/* SPDX-License-Identifier: Apache-2.0 */
/* Tuning files in a directory of the test's own, which is the home as well. */
#ifndef HY_TEST_TUNING_FIXTURE_H
#define HY_TEST_TUNING_FIXTURE_H

#include "base/file_fixture.h"
#include "choose/tuning.h"

static int clear_environment(void **state)
{
    (void)state;
    unsetenv("HAYATE_TUNING");
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HAYATE_LOG");
    setenv("HOME", directory, 1);
    return 0;
}

#endif
