/* SPDX-License-Identifier: Apache-2.0 */
/* cmocka, and tests that no list repeats: TEST(should_do_something) begins a test, tests_run() runs
 * all of the file in their order there. */
#ifndef HY_TEST_TEST_H
#define HY_TEST_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/status.h"

#define assert_code(call, expected) \
    do { \
        int code_ = (call); \
        if (code_ != (expected)) \
            fail_msg("%s:%d: %s gave %d (%s), not %d: %s", __FILE__, __LINE__, #call, code_, \
                     hayate_strerror(code_), (expected), hayate_error()); \
    } while (0)
#define assert_ok(call) assert_code(call, HAYATE_OK)
/* An error, with a sentence that says `part`. */
#define assert_refused(call, expected, part) \
    do { \
        assert_code(call, expected); \
        if (!hayate_error()[0] || !strstr(hayate_error(), part)) \
            fail_msg("%s:%d: %s: no '%s' in '%s'", __FILE__, __LINE__, #call, part, \
                     hayate_error()); \
    } while (0)

static struct CMUnitTest tests[128]; /* the compiler refuses one more */

/* With a set-up and a tear-down of its own, or NULL. */
#define TEST_WITH(function, set_up, tear_down) \
    static void function(void **state); \
    __attribute__((constructor)) static void function##_is_there(void) \
    { \
        tests[__COUNTER__] = (struct CMUnitTest){#function, function, set_up, tear_down, NULL}; \
    } \
    static void function(__attribute__((unused)) void **state)

#define TEST(function) TEST_WITH(function, NULL, NULL)

/* Gives all tests of the file these two. */
static inline void tests_each(CMFixtureFunction set_up, CMFixtureFunction tear_down)
{
    for (struct CMUnitTest *test = tests; test->test_func; test++)
        test->setup_func = set_up, test->teardown_func = tear_down;
}

/* Runs all between these two, or NULL; returns the exit code of the program. By the function behind
 * cmocka_run_group_tests(), which takes the number of tests from the size of an array. */
static inline int tests_run_as(const char *group, CMFixtureFunction set_up,
                               CMFixtureFunction tear_down)
{
    size_t count = 0;
    while (tests[count].test_func) count++;
    return _cmocka_run_group_tests(group, tests, count, set_up, tear_down);
}

static inline int tests_run_in(CMFixtureFunction set_up, CMFixtureFunction tear_down)
{
    return tests_run_as("tests", set_up, tear_down);
}

static inline int tests_run(void)
{
    return tests_run_in(NULL, NULL);
}

#endif
