/* SPDX-License-Identifier: Apache-2.0 */
/* How long tests may take: `scripts/test.sh --full` sets HAYATE_TEST_LONG=1. */
#ifndef HY_TEST_LEVEL_FIXTURE_H
#define HY_TEST_LEVEL_FIXTURE_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A build that looks for wrong accesses or for races is several times slower. What it finds hardly
 * depends on how settings are combined: it runs each, and leaves combinations to the plain one. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LEVEL_SANITIZED 1
#else
#define LEVEL_SANITIZED 0
#endif

/* Tests do all their cases then, not a share of them; never so where they are slow anyway. */
static inline bool level_is_long(void)
{
    const char *longer = getenv("HAYATE_TEST_LONG");
    return !LEVEL_SANITIZED && longer && strcmp(longer, "1") == 0;
}

/* How many seeds a test tries: three times the usual ones where tests may take long. */
static inline int level_seeds(int usual)
{
    return level_is_long() ? 3 * usual : usual;
}

#endif
