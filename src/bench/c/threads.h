/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of threads (or of processes) of two sides that talk to each other, all at once: what
 * every library of scripts/bench/threads.sh measures in the same way. */
#ifndef HAYATE_BENCH_THREADS_H
#define HAYATE_BENCH_THREADS_H

#include <stddef.h>

#define THREADS_MOST 64
#define THREADS_WINDOW 64
#define THREADS_MOST_BYTES 65536

/* All but the last two are called by the main thread only. */
struct threads_library {
    const char *impl, *path; /* of the JSON lines */
    int (*rank)(void);
    int (*size)(void);
    void (*open)(int lanes, size_t bytes); /* so many pairs in all, of such data; collective */
    void (*barrier)(void);
    long (*tell)(long value);                         /* rank 0's value, on every rank */
    void (*pingpong)(int lane, int side, long turns); /* data there and back */
    void (*windows)(int lane, int side, long turns);  /* 64 there, an answer back */
};

/* A lane of shared memory: a flag, and the data in its cache line if they fit, else behind it. No
 * two lanes have a pair of lines in common. */
static inline size_t threads_data(size_t bytes)
{
    return bytes <= 32 ? 32 : 128;
}

static inline size_t threads_stride(size_t bytes)
{
    return (threads_data(bytes) + bytes + 255) / 128 * 128;
}

/* Memory of the program, never freed, at a pair of lines. */
void *threads_memory(size_t bytes);

/* Ends the program unless lines_write() of lines.h has left these data, of this turn. */
void threads_expect(const void *data, size_t bytes, unsigned long turn);

/* Arguments: `--threads T [--processes] [--bytes B] [--ms N]`: T threads on each of 2 ranks, or 2 T
 * ranks; data of 8 to 64 KB, a multiple of 8. Rank 0 prints a JSON line for pingpong and one for
 * windows. */
int threads_main(const struct threads_library *library, int argc, char **argv);

#endif
