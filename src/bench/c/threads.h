/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of threads (or of processes) of two sides that talk to each other, all at once: what
 * every library of scripts/bench/threads.sh measures in the same way. */
#ifndef HAYATE_BENCH_THREADS_H
#define HAYATE_BENCH_THREADS_H

#define THREADS_MOST 64
#define THREADS_WINDOW 64

/* All but the last two are called by the main thread only. */
struct threads_library {
    const char *impl, *path; /* of the JSON lines */
    int (*rank)(void);
    int (*size)(void);
    void (*open)(int lanes); /* so many pairs in all; collective */
    void (*barrier)(void);
    long (*tell)(long value);                         /* rank 0's value, on every rank */
    void (*pingpong)(int lane, int side, long turns); /* 8 bytes there and back */
    void (*windows)(int lane, int side, long turns);  /* 64 there, an answer back */
};

/* What a message brought. Each has another value than the one before; a wrong one ends the program.
 */
void threads_expect(unsigned long got, unsigned long expected);

/* Arguments: `--threads T [--processes] [--ms N]`: T threads on each of 2 ranks, or 2 T ranks. Rank
 * 0 prints a JSON line for pingpong and one for windows. */
int threads_main(const struct threads_library *library, int argc, char **argv);

#endif
