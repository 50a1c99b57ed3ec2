/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memcpy(), without a trap. From some thousand bytes on, the C library copies by one instruction of
 * the processor ("rep movsb"). On AMD's Zen 3 that is twenty times slower than loads and stores if
 * the target is 1 to 31 bytes behind the source, modulo 4096 (glibc's bug 30994). That is common
 * here: large direct buffers, and what malloc() gives, begin 16 bytes behind a page, and buffers in
 * shared memory begin with one.
 */
#ifndef HY_BASE_COPY_H
#define HY_BASE_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The C library uses the instruction for more bytes than that, on every processor. */
#define HY_COPY_SHORT 2048
/* The distances at which it is slow are 1 to this one. */
#define HY_COPY_CLOSE 31

void hy_copy_by_lines(void *to, const void *from, size_t n);

static inline bool hy_copy_is_slow(const void *to, const void *from, size_t n)
{
    return n > HY_COPY_SHORT && ((uintptr_t)to - (uintptr_t)from - 1) % 4096 < HY_COPY_CLOSE;
}

/* As memcpy(). */
static inline void hy_copy(void *to, const void *from, size_t n)
{
    if (hy_copy_is_slow(to, from, n)) hy_copy_by_lines(to, from, n);
    else memcpy(to, from, n);
}

#endif
