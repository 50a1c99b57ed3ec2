/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
/* tsan */
#include "base/test.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file_fixture.h"
#include "base/log.h"
#include "base/status.h"

TEST(should_keep_the_reason_and_return_the_code)
{
    assert_int_equal(hy_fail(HAYATE_ERR_BUSY, "mai %d of %s", 7, "me"), HAYATE_ERR_BUSY);
    assert_string_equal(hayate_error(), "mai 7 of me");
    assert_int_equal(hayate_error_peer(), -1);
}

TEST(should_name_the_peer_until_the_next_failure)
{
    assert_int_equal(hy_fail_peer(HAYATE_ERR_PEER_FAILED, 3, "gone"), HAYATE_ERR_PEER_FAILED);
    assert_int_equal(hayate_error_peer(), 3);
    hy_fail(HAYATE_ERR_STATE, "other");
    assert_int_equal(hayate_error_peer(), -1);
}

TEST(should_add_the_text_of_errno_and_keep_errno)
{
    errno = EACCES;
    assert_int_equal(hy_fail_errno("open %s", "x"), HAYATE_ERR_SYSTEM);
    assert_int_equal(errno, EACCES);
    assert_string_equal(hayate_error(), "open x: Permission denied");
}

static const char *frames(void)
{
    static char text[256];
    hy_print_frames(text, sizeof text);
    return text;
}

static int decide(void)
{
    return hy_fail(HAYATE_ERR_BUSY, "no %s", "seat");
}

static int say_it_otherwise(void)
{
    int rc = decide();
    return hy_fail_over(rc, "the hall is full: %s", hayate_error());
}

TEST(should_know_who_decided_and_who_added_words)
{
    char expected[256];
    assert_int_equal(say_it_otherwise(), HAYATE_ERR_BUSY);
    assert_string_equal(hayate_error(), "the hall is full: no seat");
    int decided = 0, said = 0, length = 0;
    if (sscanf(frames(),
               "decide (src/test/c/base/status_test.c:%d) < say_it_otherwise "
               "(src/test/c/base/status_test.c:%d)%n",
               &decided, &said, &length) != 2 ||
        frames()[length])
        fail_msg("%s", frames());
    assert_int_equal(said - decided, 6);
    hy_failure kept = hy_failure_of(HAYATE_ERR_BUSY);
    hy_fail(HAYATE_ERR_STATE, "other");
    snprintf(expected, sizeof expected, "%s (src/test/c/base/status_test.c:%d)", __func__,
             __LINE__ - 2);
    assert_string_equal(frames(), expected);
    hy_fail_again(&kept);
    assert_int_equal(strncmp(frames(), "decide (", 8), 0);
}

TEST(should_keep_the_first_frame_and_the_last)
{
    decide();
    for (int i = 0; i < 100; i++) hy_fail_over(HAYATE_ERR_BUSY, "%s", hayate_error());
    assert_string_equal(hayate_error(), "no seat");
    assert_int_equal(strncmp(frames(), "decide (", 8), 0);
    const char *text = frames();
    size_t count = 1;
    while ((text = strstr(text, " < "))) text += 3, count++;
    assert_int_equal(count, HY_FRAMES);
}

/* What one failure writes to stderr. */
static const char *logged(int (*fails)(void))
{
    log_begin();
    fails();
    return log_end();
}

TEST(should_log_the_function_of_a_failure_for_those_who_debug)
{
    setenv("HAYATE_LOG", "debug", 1);
    hy_log_setup();
    const char *line = logged(decide);
    if (!strstr(line, "debug: failed in decide (src/test/c/base/status_test.c:") ||
        !strstr(line, "): no seat\n"))
        fail_msg("'%s'", line);
    setenv("HAYATE_LOG", "info", 1);
    hy_log_setup();
    assert_string_equal(logged(decide), "");
    unsetenv("HAYATE_LOG");
    hy_log_setup();
}

TEST(should_cut_a_reason_that_is_too_long)
{
    char text[4096];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    errno = EPERM;
    hy_fail_errno("%s", text);
    size_t length = strlen(hayate_error());
    assert_in_range(length, 100, 1024);
    assert_memory_equal(hayate_error(), text, length);
}

TEST(should_name_every_code_differently)
{
    for (int code = HAYATE_ERR_BROKEN; code <= HAYATE_IN_PROGRESS; code++) {
        assert_string_not_equal(hayate_strerror(code), "unknown code");
        for (int other = HAYATE_ERR_BROKEN; other < code; other++)
            assert_string_not_equal(hayate_strerror(code), hayate_strerror(other));
    }
    static const int unknown[] = {2, HAYATE_ERR_BROKEN - 1, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        assert_string_equal(hayate_strerror(unknown[i]), "unknown code");
}

static void *fail_often(void *argument)
{
    int mine = (int)(intptr_t)argument;
    for (int i = 0; i < 2000; i++) {
        char expected[32];
        snprintf(expected, sizeof expected, "thread %d, %d", mine, i);
        hy_fail_peer(HAYATE_ERR_SYSTEM, mine, "thread %d, %d", mine, i);
        if (strcmp(hayate_error(), expected) != 0 || hayate_error_peer() != mine) return (void *)1;
    }
    return NULL;
}

TEST(should_keep_a_reason_per_thread)
{
    pthread_t threads[4];
    void *wrong;
    hy_fail(HAYATE_ERR_STATE, "mine");
    for (intptr_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, fail_often, (void *)i), 0);
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], &wrong);
        assert_null(wrong);
    }
    assert_string_equal(hayate_error(), "mine");
}

static void *look(void *argument)
{
    (void)argument;
    return (void *)(intptr_t)(hayate_error()[0] != '\0' || hayate_error_peer() != -1);
}

TEST(should_begin_a_thread_without_a_reason)
{
    pthread_t thread;
    void *wrong;
    hy_fail_peer(HAYATE_ERR_STATE, 1, "mine");
    assert_int_equal(pthread_create(&thread, NULL, look, NULL), 0);
    pthread_join(thread, &wrong);
    assert_null(wrong);
}

TEST(should_tell_of_a_failure_again)
{
    char text[600];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    const hy_failure kept = hy_failure_of(hy_fail_peer(HAYATE_ERR_BUSY, 7, "%s", text));
    hy_fail(HAYATE_ERR_ARGUMENT, "another");
    const hy_failure none = hy_failure_of(HAYATE_OK);
    assert_ok(hy_fail_again(&none));
    assert_string_equal(hayate_error(), "another");
    assert_int_equal(hy_fail_again(&kept), HAYATE_ERR_BUSY);
    assert_string_equal(hayate_error(), text);
    assert_int_equal(hayate_error_peer(), 7);
}

int main(void)
{
    return tests_run();
}
