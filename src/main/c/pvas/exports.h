/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The names that one process exports. One process writes, all read: a sequence lock. A writer that
 * dies in the middle leaves the number odd for good; readers then find out that it has ended.
 */
#ifndef HY_PVAS_EXPORTS_H
#define HY_PVAS_EXPORTS_H

#include "pvas/space_table.h"

typedef struct hy_name {
    uint64_t words[HY_NAME_WORDS];
} hy_name;

/* ARGUMENT: empty, or too long. */
int hy_name_make(const char *text, hy_name *name);

/* Empties it for another process, which does not run yet. */
void hy_exports_reset(hy_exports *exports);

/* Sets, replaces, or with memory 0 removes. Only in the process that owns it. NO_MEMORY. */
int hy_exports_set(hy_exports *exports, const hy_name *name, uint64_t memory, uint64_t bytes);

typedef enum hy_lookup { HY_FOUND, HY_NOT_FOUND, HY_IN_CHANGE } hy_lookup;

/* *seen is for hy_exports_sleep(). */
hy_lookup hy_exports_get(hy_exports *exports, const hy_name *name, uint64_t *memory,
                         uint64_t *bytes, uint32_t *seen);

/* Sleeps until something has changed since, at most so long. */
void hy_exports_sleep(hy_exports *exports, uint32_t seen, uint32_t timeout_ms);

#endif
