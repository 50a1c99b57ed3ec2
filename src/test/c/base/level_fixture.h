/* SPDX-License-Identifier: Apache-2.0 */
/* How long tests may take: `scripts/test.sh --full` sets HAYATE_TEST_LONG=1. */
#ifndef HY_TEST_LEVEL_FIXTURE_H
#define HY_TEST_LEVEL_FIXTURE_H

#include <stdlib.h>
#include <string.h>

/* How many seeds a test tries: three times the usual ones where tests may take long. */
static inline int level_seeds(int usual)
{
    const char *longer = getenv("HAYATE_TEST_LONG");
    return longer && strcmp(longer, "1") == 0 ? 3 * usual : usual;
}

#endif
