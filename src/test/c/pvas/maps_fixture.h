/* SPDX-License-Identifier: Apache-2.0 */
/* What /proc says of this process, read without taking memory for it. */
#ifndef HY_TEST_MAPS_FIXTURE_H
#define HY_TEST_MAPS_FIXTURE_H

#include <dirent.h>
#include <sys/syscall.h>

#include "pvas/pvas_fixture.h"

typedef struct footprint {
    long maps, descriptors, pages; /* pages: VmSize */
} footprint;

static char maps_text[8 << 20];

static inline void need_exact_figures(void)
{
    if (SANITIZED) skip_because("a sanitizer's own memory grows with each call");
}

static inline size_t read_proc(const char *name, char *text, size_t bytes)
{
    size_t used = 0;
    ssize_t got;
    int fd = open(name, O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    while (used + 1 < bytes && (got = read(fd, text + used, bytes - 1 - used)) > 0)
        used += (size_t)got;
    text[used] = '\0';
    close(fd);
    return used;
}

static inline long count_descriptors(void)
{
    long count = 0, got;
    static char entries[65536];
    int fd = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(fd >= 0);
    while ((got = syscall(SYS_getdents64, fd, entries, sizeof entries)) > 0)
        for (long at = 0; at < got; at += *(unsigned short *)(entries + at + 16)) count++;
    close(fd);
    return count;
}

static inline footprint footprint_now(void)
{
    char text[128];
    footprint now = {0};
    read_proc("/proc/self/maps", maps_text, sizeof maps_text);
    for (const char *at = maps_text; (at = strchr(at, '\n')); at++) now.maps++;
    read_proc("/proc/self/statm", text, sizeof text);
    now.pages = atol(text);
    now.descriptors = count_descriptors();
    return now;
}

static inline void assert_same_footprint(footprint before, footprint after)
{
    if (after.maps != before.maps || after.descriptors != before.descriptors ||
        after.pages != before.pages)
        fail_msg("%ld maps, %ld descriptors, %ld pages became %ld, %ld, %ld", before.maps,
                 before.descriptors, before.pages, after.maps, after.descriptors, after.pages);
}

/* Mappings outside of the partition of task `t`, one a line; reservations (---p) left out. */
static inline const char *foreign_maps(task *t, char *text, size_t bytes)
{
    void *base;
    uint64_t length;
    size_t used = 0;
    assert_ok(pvas_partition(space, t->number, &base, &length));
    read_proc("/proc/self/maps", maps_text, sizeof maps_text);
    for (char *line = maps_text, *next; (next = strchr(line, '\n')); line = next + 1) {
        unsigned long from, to;
        char rights[8];
        *next = '\0';
        if (sscanf(line, "%lx-%lx %7s", &from, &to, rights) != 3) continue;
        bool own = from >= (uintptr_t)base && to <= (uintptr_t)base + length;
        if (own || strcmp(rights, "---p") == 0) continue;
        assert_true(used + strlen(line) + 2 < bytes);
        used += (size_t)sprintf(text + used, "%s\n", line);
    }
    text[used] = '\0';
    return text;
}

#endif
