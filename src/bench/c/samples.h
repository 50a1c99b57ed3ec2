/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of one measured case and the JSON line made of them. Shared by every C adapter, so that
 * all of them count, sort and print alike. Single-threaded; not freed by anyone but its owner. */
#ifndef HAYATE_BENCH_SAMPLES_H
#define HAYATE_BENCH_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

/* Enough for 100 us batches over 2 s; later samples are ignored. */
#define SAMPLES_MAX 20000

struct samples {
    size_t count;
    double us[SAMPLES_MAX];
};

/* What a JSON line says besides the figures. All strings are the caller's, plain ASCII. */
struct sample_case {
    const char *impl, *bench, *path, *buffers;
    size_t bytes;
    int ranks;
    int batch;      /* iterations per sample */
    int stale;      /* whether nobody writes and reads the data */
    double work_us; /* what that takes without a message, and is contained in the samples */
};

/* Monotonic time in nanoseconds. */
uint64_t samples_now_ns(void);

/* Adds one sample: `elapsed_ns` divided by `operations`, in us. */
void samples_add(struct samples *samples, uint64_t elapsed_ns, double operations);

/* Value below which `percent` of the samples lie (nearest rank); sorts. 0 without samples. */
double samples_percentile(struct samples *samples, double percent);

/* Prints one object and a newline to stdout, and flushes it. mb_per_s is bytes / median. */
void samples_print(struct samples *samples, const struct sample_case *what);

/* Reads "8,128,2048" or "8:1024" (doubling) into `sizes`; number of sizes, or -1. */
int samples_parse_sizes(const char *text, size_t *sizes, int max);

#endif
