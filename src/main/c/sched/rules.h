/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules file: JSON,
 *   { "rules": [ { "collective": "allreduce", "ranks": [2, 8], "bytes": ["0", "64K"],
 *                  "hint": "algorithm=ring segment=32K" }, ... ] }
 * "collective" may be missing or "*", "ranks" and "bytes" (inclusive ranges, one number for both
 * ends, sizes as numbers or "64K") may be missing. The first rule that fits counts; one for any
 * collective fits those that have the algorithm of its hint, one for two_level communicators on
 * several nodes.
 */
#ifndef HY_SCHED_RULES_H
#define HY_SCHED_RULES_H

#include "sched/hint.h"

typedef struct hy_rules hy_rules;

/* ARGUMENT with file, line and what was expected; SYSTEM when it cannot be read. Names of
 * collectives and algorithms, keys and words of the hint are all checked. */
int hy_rules_load(const char *path, hy_rules **rules);
void hy_rules_free(hy_rules *rules);

/* NULL: no rule fits. */
const hy_hint *hy_rules_find(const hy_rules *rules, const hy_shape *shape);

#endif
