/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moves, keeps and closes descriptors with system calls only. Descriptors are closed by number
 * while there are few, otherwise by reading /proc/self/fd.
 */
#include "pvas/descriptors.h"

#if defined(__x86_64__)

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>

#define ALL (-1) /* close all descriptors that are close-on-exec */
/* From this number on, descriptors are found by reading the directory. */
#define FAR 32768
#define UNKNOWN_LIMIT 65536 /* without /proc, no more than this many numbers are tried */

HY_BARE static bool is_target(const hy_pair *pairs, int count, int fd)
{
    for (int i = 0; i < count; i++)
        if (pairs[i].to == fd) return true;
    return false;
}

/* First duplicates all descriptors to numbers that are no targets, so that no target overwrites a
 * descriptor that is still needed. The copies are close-on-exec and are closed with the others; so
 * are the old descriptors at the targets, which are overwritten. */
HY_BARE long hy_descriptors_move(hy_pair *pairs, int count)
{
    long result;
    for (int i = 0; i < count; i++) {
        uint64_t from = (uint64_t)pairs[i].from;
        result = hy_sys4(SYS_fcntl, from, F_DUPFD_CLOEXEC, 0, 0);
        while (!hy_sys_failed(result) && is_target(pairs, count, (int)result))
            result = hy_sys4(SYS_fcntl, from, F_DUPFD_CLOEXEC, (uint64_t)result + 1, 0);
        if (hy_sys_failed(result)) return result;
        pairs[i].from = (int)result;
    }
    for (int i = 0; i < count; i++) {
        result = hy_sys2(SYS_dup2, (uint64_t)pairs[i].from, (uint64_t)pairs[i].to);
        if (hy_sys_failed(result)) return result;
    }
    return 0;
}

HY_BARE static void look_at(int fd, int kept)
{
    if (kept == ALL) {
        long flags = hy_sys4(SYS_fcntl, (uint64_t)fd, F_GETFD, 0, 0);
        if (hy_sys_failed(flags) || !(flags & FD_CLOEXEC)) return;
    } else if (fd == kept) {
        return;
    }
    hy_sys2(SYS_close, (uint64_t)fd, 0);
}

HY_BARE static void look_at_numbers(int kept)
{
    struct rlimit limit = {UNKNOWN_LIMIT, UNKNOWN_LIMIT};
    hy_sys2(SYS_getrlimit, RLIMIT_NOFILE, hy_address(&limit));
    uint64_t end = limit.rlim_max < UNKNOWN_LIMIT ? limit.rlim_max : UNKNOWN_LIMIT;
    for (uint64_t fd = 0; fd < end; fd++) look_at((int)fd, kept);
}

/* Records of getdents64: 8 bytes inode, 8 offset, 2 length, 1 type, then the name. */
HY_BARE static void look_at_entries(const char *entries, long bytes, int directory, int kept)
{
    for (long at = 0; at < bytes;) {
        const char *name = entries + at + 19;
        int fd = hy_bare_number(&name);
        if (fd >= 0 && *name == '\0' && fd != directory) look_at(fd, kept);
        at += *(const uint16_t *)(const void *)(entries + at + 16);
    }
}

/* Positions in /proc/self/fd are the numbers themselves, so closing descriptors during the reading
 * skips none. */
HY_BARE static void look_at_all(int kept)
{
    _Alignas(8) char entries[1024];
    long bytes, directory = hy_sys4(SYS_openat, (uint64_t)AT_FDCWD, hy_address("/proc/self/fd"),
                                    O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    if (hy_sys_failed(directory)) {
        look_at_numbers(kept);
        return;
    }
    while ((bytes = hy_sys4(SYS_getdents64, (uint64_t)directory, hy_address(entries),
                            sizeof entries, 0)) > 0)
        look_at_entries(entries, bytes, (int)directory, kept);
    hy_sys2(SYS_close, (uint64_t)directory, 0);
}

/* Whether a descriptor may be open from `fd` on. Uses select(), which reports a closed descriptor
 * in its set as an error, but "ignores any that is greater than the maximum that the process has
 * open". The set is empty before and after. */
HY_BARE static bool reaches(int fd, uint64_t *set)
{
    uint64_t no_time[2] = {0, 0};
    if (hy_sys4(SYS_fcntl, (uint64_t)fd, F_GETFD, 0, 0) >= 0) return true;
    set[fd / 64] = UINT64_C(1) << (fd % 64);
    long result = hy_sys6(SYS_select, (uint64_t)fd + 1, hy_address(set), 0, 0, hy_address(no_time),
                          0);
    set[fd / 64] = 0;
    return result != 0;
}

/* Closes by number while there are not very many. This is much faster than reading the directory,
 * for which the kernel creates an inode for each descriptor. False: there may be more. */
HY_BARE static bool close_by_number(void)
{
    uint64_t set[FAR / 64];
    hy_bare_clear(set, sizeof set);
    for (int fd = 0; fd < FAR; fd++) {
        if (fd % 64 == 0 && fd > 0 && !reaches(fd, set)) return true;
        look_at(fd, ALL);
    }
    return false;
}

HY_BARE void hy_descriptors_close_on_exec(void)
{
    if (!close_by_number()) look_at_all(ALL);
}

HY_BARE void hy_descriptors_close_but(int kept)
{
    look_at_all(kept);
}

#endif
