/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
#include "base/test.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/log.h"

static void set_level(const char *level)
{
    setenv("HAYATE_LOG", level, 1);
    hy_log_setup();
}

/* What one call writes to descriptor `fd`. */
static char *written(int fd, int level, const char *text)
{
    static char output[4096];
    int kept = dup(fd), memory = memfd_create("log", MFD_CLOEXEC);
    assert_true(kept >= 0 && memory >= 0);
    dup2(memory, fd);
    hy_log(level, "%s", text);
    dup2(kept, fd);
    ssize_t length = pread(memory, output, sizeof output - 1, 0);
    output[length > 0 ? length : 0] = '\0';
    close(kept);
    close(memory);
    return output;
}

TEST(should_log_what_is_at_least_as_urgent_as_the_level)
{
    static const char *const names[] = {"error", "warn", "info", "debug"};
    for (int level = 0; level < 4; level++) {
        set_level(names[level]);
        for (int message = 0; message < 4; message++)
            assert_int_equal(hy_log_on(message), message <= level);
    }
}

TEST(should_warn_by_default_and_for_an_unknown_level)
{
    static const char *const settings[] = {NULL, "", "loud", "INFO"};
    for (int i = 0; i < 4; i++) {
        if (settings[i]) set_level(settings[i]);
        else set_level("");
        assert_true(hy_log_on(HY_LOG_WARN));
        assert_false(hy_log_on(HY_LOG_INFO));
    }
}

TEST(should_write_one_line_to_stderr_that_names_the_rank)
{
    set_level("info");
    setenv("HAYATE_RANK", "12", 1);
    assert_string_equal(written(STDERR_FILENO, HY_LOG_INFO, "hello"), "hayate[12] info: hello\n");
    unsetenv("HAYATE_RANK");
    assert_string_equal(written(STDERR_FILENO, HY_LOG_ERROR, "oh"), "hayate error: oh\n");
    assert_string_equal(written(STDERR_FILENO, HY_LOG_DEBUG, "not me"), "");
}

TEST(should_write_nothing_to_stdout)
{
    set_level("debug");
    assert_string_equal(written(STDOUT_FILENO, HY_LOG_DEBUG, "nothing on stdout"), "");
}

TEST(should_cut_a_line_that_is_too_long_and_still_end_it)
{
    static char text[10000];
    memset(text, 'x', sizeof text - 1);
    set_level("warn");
    unsetenv("HAYATE_RANK");
    const char *line = written(STDERR_FILENO, HY_LOG_WARN, text);
    assert_in_range(strlen(line), 400, 1000);
    assert_memory_equal(line, "hayate warn: xxx", 16);
    assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
}

TEST(should_survive_a_rank_of_any_length)
{
    set_level("warn");
    for (size_t length = 1; length < 700; length += 7) {
        char rank[700];
        memset(rank, '1', length);
        rank[length] = '\0';
        setenv("HAYATE_RANK", rank, 1);
        const char *line = written(STDERR_FILENO, HY_LOG_WARN, "hello");
        assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
        assert_in_range(strlen(line), 20, 1000);
    }
    unsetenv("HAYATE_RANK");
}

int main(void)
{
    return tests_run();
}
