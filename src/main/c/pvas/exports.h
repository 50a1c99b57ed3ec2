/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The names that a process exports. One process writes and all read, under a sequence lock. A
 * writer that dies during a change leaves the number odd forever; readers then find that the
 * process has ended.
 */
#ifndef HY_PVAS_EXPORTS_H
#define HY_PVAS_EXPORTS_H

#include "pvas/space_table.h"

typedef struct hy_name {
    uint64_t words[HY_NAME_WORDS];
} hy_name;

/* ARGUMENT: the name is empty or too long. */
int hy_name_make(const char *text, hy_name *name);

/* Clears the exports before another process, which does not run yet, uses them. */
void hy_exports_reset(hy_exports *exports);

/* Sets or replaces an export, or removes it if memory is 0. Only in the process that owns the
 * exports. NO_MEMORY. */
int hy_exports_set(hy_exports *exports, const hy_name *name, uint64_t memory, uint64_t bytes);

typedef enum hy_lookup { HY_FOUND, HY_NOT_FOUND, HY_IN_CHANGE } hy_lookup;

/* *seen is the argument for hy_exports_sleep(). */
hy_lookup hy_exports_get(hy_exports *exports, const hy_name *name, uint64_t *memory,
                         uint64_t *bytes, uint32_t *seen);

/* Sleeps until the exports have changed since `seen`, for at most timeout_ms milliseconds. */
void hy_exports_sleep(hy_exports *exports, uint32_t seen, uint32_t timeout_ms);

#endif
