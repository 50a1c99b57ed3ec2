/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules file, a line for each rule (base/conf.h):
 *   allreduce = ranks=2..8 bytes=0..64K algorithm=ring segment=32K
 *   *         = progress=thread
 * A line begins with the collective, or `*` for any. `ranks` and `bytes` may be omitted; they are
 * inclusive ranges, or one number for both ends, with sizes such as 64K. The other words are the
 * hint. The first rule that matches is used. A rule for any collective matches those that have the
 * algorithm of its hint; a rule for two_level matches communicators on several nodes.
 */
#ifndef HY_CHOOSE_RULES_H
#define HY_CHOOSE_RULES_H

#include "choose/hint.h"

typedef struct hy_rules hy_rules;

/* ARGUMENT with file, line and what was expected; SYSTEM if it cannot be read. Checks all names of
 * collectives and algorithms, and all words. */
int hy_rules_load(const char *path, hy_rules **rules);
void hy_rules_free(hy_rules *rules);

/* NULL: no rule matches. */
const hy_hint *hy_rules_find(const hy_rules *rules, const hy_shape *shape);

#endif
