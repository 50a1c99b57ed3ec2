/* SPDX-License-Identifier: Apache-2.0 */
#include "base/environment.h"

#include "base/test.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char entry[] = "HY_TEST_LENT=7";

static void must_read(const char *name, const char *value)
{
    const char *found = getenv(name);
    if (!value) assert_null(found);
    else assert_string_equal(found ? found : "(none)", value);
}

TEST(should_show_a_variable_until_it_is_taken_back)
{
    must_read("HY_TEST_LENT", NULL);
    for (int i = 0; i < 5; i++) {
        assert_true(hy_environment_lend(entry));
        must_read("HY_TEST_LENT", "7");
        must_read("HY_TEST_STAYS", "1");
        hy_environment_take_back(entry);
        must_read("HY_TEST_LENT", NULL);
        must_read("HY_TEST_STAYS", "1");
    }
    hy_environment_take_back(entry);
    must_read("HY_TEST_STAYS", "1");
}

/* Somebody may stand in the middle of it. */
TEST(should_not_touch_the_list_that_others_walk_over)
{
    char **before, *copy[1000];
    size_t count = 0;
    setenv("HY_TEST_OWN", "1", 1); /* a list of the C library */
    before = environ;
    while (before[count]) count++;
    assert_true(count < 1000);
    memcpy(copy, before, (count + 1) * sizeof *copy);
    assert_true(hy_environment_lend(entry));
    char **lent = environ;
    assert_ptr_not_equal(lent, before);
    hy_environment_take_back(entry);
    assert_memory_equal(before, copy, (count + 1) * sizeof *copy);
    assert_memory_equal(lent, copy, (count + 1) * sizeof *copy);
}

TEST(should_keep_what_was_set_meanwhile)
{
    assert_true(hy_environment_lend(entry));
    setenv("HY_TEST_STAYS", "2", 1); /* in the list that was lent */
    hy_environment_take_back(entry);
    must_read("HY_TEST_STAYS", "2");
    assert_true(hy_environment_lend(entry));
    setenv("HY_TEST_NEW", "3", 1); /* in another list */
    hy_environment_take_back(entry);
    must_read("HY_TEST_NEW", "3");
    must_read("HY_TEST_STAYS", "2");
    unsetenv("HY_TEST_NEW");
    unsetenv("HY_TEST_LENT");
    setenv("HY_TEST_STAYS", "1", 1);
}

/* ---- while others read ---- */

#define READERS 3
#define TIMES 2000

static _Atomic bool over;
static _Atomic int missed;

static void *read_all_the_time(void *unused)
{
    (void)unused;
    while (!over) {
        const char *stays = getenv("HY_TEST_STAYS"), *lent = getenv("HY_TEST_LENT");
        if (!stays || strcmp(stays, "1") != 0 || (lent && strcmp(lent, "7") != 0)) missed++;
    }
    return NULL;
}

TEST(should_let_other_threads_read_all_the_time)
{
    pthread_t readers[READERS];
    for (int i = 0; i < READERS; i++) pthread_create(&readers[i], NULL, read_all_the_time, NULL);
    for (int i = 0; i < TIMES; i++) {
        assert_true(hy_environment_lend(entry));
        hy_environment_take_back(entry);
    }
    over = true;
    for (int i = 0; i < READERS; i++) pthread_join(readers[i], NULL);
    assert_int_equal(missed, 0);
}

TEST(should_do_without_an_environment)
{
    char **before = environ;
    environ = NULL;
    assert_true(hy_environment_lend(entry));
    must_read("HY_TEST_LENT", "7");
    hy_environment_take_back(entry);
    must_read("HY_TEST_LENT", NULL);
    environ = NULL;
    hy_environment_take_back(entry);
    environ = before;
}

int main(void)
{
    setenv("HY_TEST_STAYS", "1", 1);
    return tests_run();
}
