/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
/* tsan */
/* Where lines of the log go once there is a reader: through hy_log, as everyone uses the queue. */
#include "base/test.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "base/log_queue.h"

enum { WRITERS = 4, EACH = 1000 };

static int kept_stderr, captured;

static void capture(void)
{
    kept_stderr = dup(STDERR_FILENO);
    captured = memfd_create("log", MFD_CLOEXEC);
    assert_true(kept_stderr >= 0 && captured >= 0);
    fcntl(captured, F_SETFL, O_APPEND); /* a memfd does not order the writes of several threads */
    dup2(captured, STDERR_FILENO);
}

/* What went to stderr since capture(). */
static const char *written(void)
{
    static char output[WRITERS * EACH * 40];
    dup2(kept_stderr, STDERR_FILENO);
    ssize_t length = pread(captured, output, sizeof output - 1, 0);
    output[length > 0 ? length : 0] = '\0';
    close(kept_stderr);
    close(captured);
    return output;
}

static size_t lines_of(const char *text)
{
    size_t lines = 0;
    for (; *text; text++) lines += *text == '\n';
    return lines;
}

static int take_nothing(char *text, size_t size)
{
    hy_log_detach();
    return hy_log_take(text, size);
}

static int set_up(void **state)
{
    (void)state;
    setenv("HAYATE_LOG", "info", 1);
    unsetenv("HAYATE_RANK");
    hy_log_setup();
    return 0;
}

TEST(should_give_level_and_text_to_the_reader_and_nothing_to_stderr)
{
    char text[100];
    capture();
    hy_log_attach();
    hy_log(HY_LOG_WARN, "number %d", 1);
    hy_log(HY_LOG_DEBUG, "not asked for");
    setenv("HAYATE_RANK", "12", 1);
    hy_log(HY_LOG_INFO, "number %d", 2);
    unsetenv("HAYATE_RANK");
    assert_int_equal(hy_log_take(text, sizeof text), HY_LOG_WARN);
    assert_string_equal(text, "number 1");
    setenv("HAYATE_RANK", "12", 1);
    assert_int_equal(hy_log_take(text, sizeof text), HY_LOG_INFO);
    assert_string_equal(text, "[12] number 2");
    unsetenv("HAYATE_RANK");
    assert_true(take_nothing(text, sizeof text) < 0);
    assert_string_equal(written(), "");
}

TEST(should_write_to_stderr_what_finds_no_room)
{
    char text[100], expected[100];
    capture();
    hy_log_attach();
    for (int i = 0; i < HY_LOG_QUEUE_LINES + 2; i++) hy_log(HY_LOG_WARN, "line %d", i);
    snprintf(expected, sizeof expected, "hayate warn: line %d\nhayate warn: line %d\n",
             HY_LOG_QUEUE_LINES, HY_LOG_QUEUE_LINES + 1);
    assert_string_equal(written(), expected);
    for (int i = 0; i < HY_LOG_QUEUE_LINES; i++) {
        snprintf(expected, sizeof expected, "line %d", i);
        assert_int_equal(hy_log_take(text, sizeof text), HY_LOG_WARN);
        assert_string_equal(text, expected);
    }
    capture();
    hy_log(HY_LOG_WARN, "there is room again");
    assert_string_equal(written(), "");
    hy_log_take(text, sizeof text);
    assert_string_equal(text, "there is room again");
    assert_true(take_nothing(text, sizeof text) < 0);
}

TEST(should_write_to_stderr_when_the_reader_has_gone)
{
    char text[100];
    hy_log_attach();
    assert_true(take_nothing(text, sizeof text) < 0);
    capture();
    hy_log(HY_LOG_WARN, "alone");
    assert_string_equal(written(), "hayate warn: alone\n");
}

TEST(should_write_to_stderr_in_a_child_of_fork)
{
    char text[100];
    int status;
    hy_log_attach();
    hy_log(HY_LOG_WARN, "of the parent");
    capture();
    pid_t child = fork();
    if (child == 0) {
        hy_log(HY_LOG_WARN, "of the child");
        exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_string_equal(written(), "hayate warn: of the child\n");
    hy_log_take(text, sizeof text);
    assert_string_equal(text, "of the parent");
    assert_true(take_nothing(text, sizeof text) < 0);
}

TEST(should_not_wait_in_a_child_for_a_lock_that_the_parent_held)
{
    static hy_log_queue queue = HY_LOG_QUEUE_INIT;
    int status;
    hy_log_queue_open(&queue);
    pthread_mutex_lock(&queue.lock);
    pid_t child = fork();
    if (child == 0) {
        hy_log_line line;
        alarm(20);
        bool kept = hy_log_queue_put(&queue, HY_LOG_WARN, "of the child");
        hy_log_queue_close(&queue);
        _exit(kept || hy_log_queue_remove(&queue, &line));
    }
    pthread_mutex_unlock(&queue.lock);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

TEST(should_write_to_stderr_at_exit_what_the_reader_has_not_used)
{
    int status;
    capture();
    pid_t child = fork();
    if (child == 0) {
        char text[100];
        hy_log_attach();
        for (int i = 0; i < 3; i++) hy_log(HY_LOG_WARN, "line %d", i);
        hy_log_take(text, sizeof text);
        hy_log_take(text, sizeof text); /* now line 0 is used, and line 1 is on its way */
        exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_string_equal(written(), "hayate warn: line 1\nhayate warn: line 2\n");
}

TEST(should_write_to_stderr_what_the_reader_refuses)
{
    char text[100];
    capture();
    hy_log_attach();
    hy_log(HY_LOG_INFO, "unwelcome");
    hy_log(HY_LOG_INFO, "welcome");
    hy_log_take(text, sizeof text);
    hy_log_refuse("no");
    hy_log_take(text, sizeof text);
    assert_string_equal(text, "welcome");
    assert_true(take_nothing(text, sizeof text) < 0);
    assert_string_equal(written(), "hayate warn: no\nhayate info: unwelcome\n");
}

TEST(should_leave_errno_alone_and_cut_long_lines)
{
    static char text[10000], taken[HY_LOG_TEXT + 100];
    memset(text, 'x', sizeof text - 1);
    hy_log_attach();
    errno = EXDEV;
    hy_log(HY_LOG_WARN, "%s", text);
    assert_int_equal(errno, EXDEV);
    assert_int_equal(hy_log_take(taken, sizeof taken), HY_LOG_WARN);
    assert_in_range(strlen(taken), 900, HY_LOG_TEXT - 1);
    assert_true(take_nothing(taken, sizeof taken) < 0);
    hy_log_attach();
    hy_log(HY_LOG_WARN, "123456789");
    hy_log_take(taken, 5);
    assert_string_equal(taken, "1234");
    assert_true(take_nothing(taken, sizeof taken) < 0);
}

static void *write_lines(void *writer)
{
    for (int i = 0; i < EACH; i++) hy_log(HY_LOG_WARN, "%d %d", (int)(intptr_t)writer, i);
    return NULL;
}

typedef struct reading {
    int lines, next[WRITERS];
    int disorder;
} reading;

static void *read_lines(void *context)
{
    reading *r = context;
    char text[100];
    while (hy_log_take(text, sizeof text) >= 0) {
        int writer = -1, number = -1;
        sscanf(text, "%d %d", &writer, &number);
        r->lines++;
        bool sound = writer >= 0 && writer < WRITERS && number >= r->next[writer];
        if (sound) r->next[writer] = number + 1;
        else r->disorder++;
    }
    return NULL;
}

/* By either way each line comes once, and those of one thread in their order. */
TEST(should_lose_no_line_of_many_threads)
{
    pthread_t writers[WRITERS], reader;
    reading r = {0};
    capture();
    hy_log_attach();
    pthread_create(&reader, NULL, read_lines, &r);
    for (intptr_t i = 0; i < WRITERS; i++)
        pthread_create(&writers[i], NULL, write_lines, (void *)i);
    for (int i = 0; i < WRITERS; i++) pthread_join(writers[i], NULL);
    hy_log_detach();
    pthread_join(reader, NULL);
    for (int i = 0; i < HY_LOG_QUEUE_LINES; i++) hy_log_refuse(NULL); /* what was not taken */
    size_t direct = lines_of(written());
    assert_int_equal(r.disorder, 0);
    assert_int_equal((size_t)r.lines + direct, WRITERS * EACH);
}

int main(void)
{
    return tests_run_in(set_up, NULL);
}
