/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HY_EXPLAIN_STEP_TEXT_H
#define HY_EXPLAIN_STEP_TEXT_H

#include "sched/schedule.h"

/* One step in words into text ("GET 4096 B from rank 0 OUT+0 to OUT+0"); as snprintf. */
int hy_step_text(const hy_step *step, char *text, size_t size);

#endif
