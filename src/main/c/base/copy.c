/* SPDX-License-Identifier: Apache-2.0 */
/* Loads and stores instead of the processor's own copy. */
#include "base/copy.h"

#include "base/line.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

void hy_copy_by_lines(void *to, const void *from, size_t n)
{
    memcpy(to, from, n); /* which the sanitizers check */
}

#else

/* What every processor here moves at once, from and to any address. */
typedef uint64_t piece __attribute__((vector_size(16), aligned(1), may_alias));

static inline void copy_line(uint8_t *to, const uint8_t *from)
{
    const piece *source = (const piece *)from;
    piece *target = (piece *)to, a = source[0], b = source[1], c = source[2], d = source[3];
    target[0] = a, target[1] = b, target[2] = c, target[3] = d;
    __asm__ volatile("" ::: "memory"); /* or the compiler makes a call of memcpy() of the loop */
}

/* Whole lines of the target. */
void hy_copy_by_lines(void *to, const void *from, size_t n)
{
    uint8_t *target = to;
    const uint8_t *source = from;
    size_t head = -(uintptr_t)target % HY_LINE;
    copy_line(target, source);
    target += head, source += head, n -= head;
    for (; n >= HY_LINE; n -= HY_LINE, target += HY_LINE, source += HY_LINE)
        copy_line(target, source);
    memcpy(target, source, n);
}

#endif
