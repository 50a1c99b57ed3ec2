/* SPDX-License-Identifier: Apache-2.0 */
/* How long tests may take: `scripts/test.sh --full` sets HAYATE_TEST_LONG=1. */
#ifndef HY_TEST_LEVEL_FIXTURE_H
#define HY_TEST_LEVEL_FIXTURE_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Tests do all their cases then, not a share of them. */
static inline bool level_is_long(void)
{
    const char *longer = getenv("HAYATE_TEST_LONG");
    return longer && strcmp(longer, "1") == 0;
}

/* How many seeds a test tries: three times the usual ones where tests may take long. */
static inline int level_seeds(int usual)
{
    return level_is_long() ? 3 * usual : usual;
}

#endif
