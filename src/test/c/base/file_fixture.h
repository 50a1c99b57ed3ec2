/* SPDX-License-Identifier: Apache-2.0 */
/* Small files in a directory of the test's own, in memory, where an fsync costs nothing; and what
 * is logged meanwhile. */
#ifndef HY_TEST_FILE_FIXTURE_H
#define HY_TEST_FILE_FIXTURE_H

#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

static char directory[64]; /* is the working directory too: names are short in messages */

static inline int enter_directory(void **state)
{
    (void)state;
    snprintf(directory, sizeof directory, "/dev/shm/hayate-test-XXXXXX");
    return mkdtemp(directory) && chdir(directory) == 0 ? 0 : -1;
}

static inline int leave_directory(void **state)
{
    (void)state;
    char command[96];
    snprintf(command, sizeof command, "rm -rf %s", directory);
    return chdir("/") == 0 ? system(command) : -1;
}

static inline void write_bytes(const char *name, const char *bytes, size_t length)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static inline void write_text(const char *name, const char *text)
{
    write_bytes(name, text, strlen(text));
}

static inline const char *read_text(const char *name)
{
    static char text[65536];
    FILE *file = fopen(name, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* stderr goes to memory until log_end() gives it back. */
static int log_kept, log_memory;

static inline void log_begin(void)
{
    fflush(stderr);
    log_kept = dup(STDERR_FILENO);
    log_memory = memfd_create("log", MFD_CLOEXEC);
    assert_true(log_kept >= 0 && log_memory >= 0);
    dup2(log_memory, STDERR_FILENO);
}

static inline const char *log_end(void)
{
    static char text[8192];
    dup2(log_kept, STDERR_FILENO);
    ssize_t length = pread(log_memory, text, sizeof text - 1, 0);
    text[length > 0 ? length : 0] = '\0';
    close(log_kept);
    close(log_memory);
    return text;
}

static inline int occurrences(const char *text, const char *part)
{
    int count = 0;
    for (; (text = strstr(text, part)); text += strlen(part)) count++;
    return count;
}

/* A locale whose decimal point is a comma, compiled into the directory; 0 where that cannot be. */
static inline int set_comma_locale(void)
{
    if (system("localedef -i de_DE -f UTF-8 ./de_DE.UTF-8 >/dev/null 2>&1") != 0) return 0;
    setenv("LOCPATH", directory, 1);
    return setlocale(LC_ALL, "de_DE.UTF-8") && strcmp(localeconv()->decimal_point, ",") == 0;
}

#endif
