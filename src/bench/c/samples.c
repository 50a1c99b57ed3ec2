/* SPDX-License-Identifier: Apache-2.0 */
#include "samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

uint64_t samples_now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void samples_add(struct samples *samples, uint64_t elapsed_ns, double operations)
{
    if (samples->count < SAMPLES_MAX)
        samples->us[samples->count++] = (double)elapsed_ns / operations / 1000.0;
}

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

double samples_percentile(struct samples *samples, double percent)
{
    size_t index;

    if (samples->count == 0) return 0.0;
    qsort(samples->us, samples->count, sizeof samples->us[0], compare_doubles);
    index = (size_t)((double)samples->count * percent / 100.0);
    return samples->us[index < samples->count ? index : samples->count - 1];
}

void samples_print(struct samples *samples, const struct sample_case *what)
{
    double median = samples_percentile(samples, 50.0);
    double rate = median > 0.0 ? (double)what->bytes / median : 0.0;

    printf("{\"impl\":\"%s\",\"bench\":\"%s\",\"bytes\":%zu,\"ranks\":%d,\"path\":\"%s\","
           "\"buffers\":\"%s\",\"min_us\":%.4f,\"median_us\":%.4f,\"p99_us\":%.4f,"
           "\"work_us\":%.4f,\"stale\":%s,\"mb_per_s\":%.1f,\"samples\":%zu,\"batch\":%d}\n",
           what->impl, what->bench, what->bytes, what->ranks, what->path, what->buffers,
           samples_percentile(samples, 0.0), median, samples_percentile(samples, 99.0),
           what->work_us, what->stale ? "true" : "false", rate, samples->count, what->batch);
    fflush(stdout);
}

static int parse_range(size_t first, size_t last, size_t *sizes, int max)
{
    int count = 0;

    if (first == 0 || last < first) return -1;
    for (size_t bytes = first; bytes <= last && count < max; bytes *= 2) sizes[count++] = bytes;
    return count;
}

int samples_parse_sizes(const char *text, size_t *sizes, int max)
{
    int count = 0;
    char *end = NULL;

    for (const char *at = text; count < max; at = end + 1) {
        sizes[count] = strtoull(at, &end, 10);
        if (end == at) return -1;
        count++;
        if (*end == ':' && count == 1)
            return parse_range(sizes[0], strtoull(end + 1, NULL, 10), sizes, max);
        if (*end == '\0') return count;
        if (*end != ',') return -1;
    }
    return -1;
}
