/* SPDX-License-Identifier: Apache-2.0 */
/* Describes steps of a schedule in words. */
#ifndef HY_EXPLAIN_STEP_TEXT_H
#define HY_EXPLAIN_STEP_TEXT_H

#include "sched/schedule.h"

/* Writes one step as text ("GET 4096 B from rank 0 OUT+0 to OUT+0"); returns like snprintf. */
int hy_step_text(const hy_step *step, char *text, size_t size);

#endif
