/* SPDX-License-Identifier: Apache-2.0 */
/* A directory of the test's own in which programs can be executed. */
#ifndef HY_TEST_DIRECTORY_FIXTURE_H
#define HY_TEST_DIRECTORY_FIXTURE_H

#include <sys/stat.h>

#include "pvas/pvas_fixture.h"

static char directory[] = "/tmp/hayate-pvas-XXXXXX";

static inline int make_directory(void **state)
{
    (void)state;
    return mkdtemp(directory) ? 0 : -1;
}

static inline int remove_directory(void **state)
{
    (void)state;
    return system(text_of("rm -rf %s", directory));
}

/* The next seven leave the path as it is. */
static inline const char *make_file(const char *name, const void *bytes, size_t count, mode_t mode)
{
    static char paths[8][128];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", directory, name);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, mode), 0);
    return path;
}

static inline const char *make_script(const char *name, const char *text)
{
    return make_file(name, text, strlen(text), 0755);
}

static inline size_t read_program(const char *name, unsigned char **bytes)
{
    struct stat about;
    FILE *file = fopen(program(name), "re");
    assert_non_null(file);
    assert_int_equal(fstat(fileno(file), &about), 0);
    size_t count = (size_t)about.st_size;
    *bytes = malloc(count);
    assert_int_equal(fread(*bytes, 1, count, file), count);
    fclose(file);
    return count;
}

#endif
