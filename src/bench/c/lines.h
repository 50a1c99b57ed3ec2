/* SPDX-License-Identifier: Apache-2.0 */
/* What a program does with its data around a message: it writes them before, and reads them after.
 * One double of each cache line brings the line into the core that computes, so the caches are in
 * the state that a program finds them in, for the least work. Data of less than 8 bytes are left
 * alone. */
#ifndef HAYATE_BENCH_LINES_H
#define HAYATE_BENCH_LINES_H

#include <stddef.h>
#include <stdint.h>

#define LINES_BYTES 64

/* Writes `turn` + offset into the first double of each line. */
static inline void lines_write(void *data, size_t bytes, uint64_t turn)
{
    for (size_t at = 0; at + sizeof(double) <= bytes; at += LINES_BYTES)
        *(volatile double *)((char *)data + at) = (double)(turn + at);
}

/* Reads the first double of each line; how far they are off from `times` what was written. */
static inline double lines_read(const void *data, size_t bytes, uint64_t turn, int times)
{
    double off = 0;

    for (size_t at = 0; at + sizeof(double) <= bytes; at += LINES_BYTES) {
        double is = *(const volatile double *)((const char *)data + at);
        double wanted = (double)times * (double)(turn + at);

        off += is > wanted ? is - wanted : wanted - is;
    }
    return off;
}

#endif
