/* SPDX-License-Identifier: Apache-2.0 */
/* How soon ranks are told of an event. A machine with other work may delay any of them, so a single
 * case has a generous limit, and the median of all cases must be within the second promised. Both
 * times are of the monotonic clock, which processes share: nobody is told before the event. */
#ifndef HY_TEST_TOLD_FIXTURE_H
#define HY_TEST_TOLD_FIXTURE_H

#include "base/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOLD_MOST_MS 30000

typedef struct told_times {
    int count;
    uint64_t ns[1000];
} told_times;

static inline void told_add(told_times *all, uint64_t event, uint64_t told)
{
    if (told < event || (told - event) / 1000000 > TOLD_MOST_MS)
        fail_msg("told %lld us after the event", ((long long)told - (long long)event) / 1000);
    assert_true((size_t)all->count < sizeof all->ns / sizeof *all->ns);
    all->ns[all->count++] = told - event;
}

/* Adds all "told at NS" of an output, which is to contain one "event at NS". Returns how many. */
static inline int told_read(told_times *all, const char *output)
{
    int count = 0;
    const char *at = strstr(output, "event at ");
    if (!at) fail_msg("no event in:\n%s", output);
    uint64_t event = strtoull(at + strlen("event at "), NULL, 10);
    for (at = output; (at = strstr(at, "told at ")); count++)
        told_add(all, event, strtoull(at += strlen("told at "), NULL, 10));
    return count;
}

static inline int told_order(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static inline void told_assert_median(told_times *all, int most_ms)
{
    assert_true(all->count > 0);
    qsort(all->ns, (size_t)all->count, sizeof *all->ns, told_order);
    assert_in_range(all->ns[all->count / 2] / 1000000, 0, most_ms);
}

static inline void told_assert_prompt(told_times *all)
{
    told_assert_median(all, 1000);
}

#endif
