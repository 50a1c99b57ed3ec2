/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the name that a misspelt word may mean. */
#ifndef HY_BASE_SPELLING_H
#define HY_BASE_SPELLING_H

#include <stdbool.h>

#define HY_SPELLING_LENGTH 48 /* limit for words and names that are compared */

/* Whether `word` may be meant to be `name`, and is nearer to it than to the names before: *best is
 * 0 before the first. One character in four may differ, and one more; upper and lower case are the
 * same. */
bool hy_spelling_nearer(const char *word, const char *name, int *best);

#endif
