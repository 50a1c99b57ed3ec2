/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parses /proc/self/maps character by character from a small buffer; a gap is what lies between two
 * mappings.
 */
#include "pvas/gaps.h"

#if defined(__x86_64__)

#include <fcntl.h>

HY_BARE bool hy_gaps_open(hy_gaps *gaps, uint64_t low, uint64_t high)
{
    long fd = hy_sys4(SYS_openat, (uint64_t)AT_FDCWD, hy_address("/proc/self/maps"),
                      O_RDONLY | O_CLOEXEC, 0);
    gaps->fd = (int)fd;
    gaps->low = low;
    gaps->high = high;
    gaps->used = gaps->filled = 0;
    return fd >= 0;
}

/* The next character; -1 at the end of the file or after a read error. */
HY_BARE static int next_character(hy_gaps *gaps)
{
    if (gaps->used == gaps->filled) {
        long count = hy_sys4(SYS_read, (uint64_t)gaps->fd, hy_address(gaps->text),
                             sizeof gaps->text, 0);
        if (count <= 0) return -1;
        gaps->filled = (int)count;
        gaps->used = 0;
    }
    return (unsigned char)gaps->text[gaps->used++];
}

/* Reads a hexadecimal number and the character behind it; false at the end of the file. */
HY_BARE static bool next_address(hy_gaps *gaps, uint64_t *value)
{
    int c;
    *value = 0;
    while ((c = next_character(gaps)) >= 0) {
        if (c >= '0' && c <= '9') *value = *value << 4 | (uint64_t)(c - '0');
        else if (c >= 'a' && c <= 'f') *value = *value << 4 | (uint64_t)(c - 'a' + 10);
        else return true;
    }
    return false;
}

HY_BARE static bool next_mapping(hy_gaps *gaps, hy_range *mapping)
{
    int c;
    if (!next_address(gaps, &mapping->start) || !next_address(gaps, &mapping->end)) return false;
    while ((c = next_character(gaps)) >= 0 && c != '\n') {}
    return true;
}

HY_BARE bool hy_gaps_next(hy_gaps *gaps, hy_range *gap)
{
    hy_range mapping;
    while (gaps->low < gaps->high) {
        if (!next_mapping(gaps, &mapping) || mapping.start >= gaps->high)
            mapping.start = mapping.end = gaps->high;
        if (mapping.end <= gaps->low) continue;
        gap->start = gaps->low;
        gap->end = mapping.start;
        gaps->low = mapping.end;
        if (gap->end > gap->start) return true;
    }
    return false;
}

HY_BARE void hy_gaps_close(hy_gaps *gaps)
{
    hy_sys2(SYS_close, (uint64_t)gaps->fd, 0);
}

#endif
