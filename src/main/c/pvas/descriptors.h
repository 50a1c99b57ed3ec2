/* SPDX-License-Identifier: Apache-2.0 */
/* The descriptors of a new task, or of the guard: arranged by the new process itself. */
#ifndef HY_PVAS_DESCRIPTORS_H
#define HY_PVAS_DESCRIPTORS_H

#include "pvas/bare.h"

#define HY_PAIRS_MAX 1024

typedef struct hy_pair {
    int from, to; /* the caller's, the task's; from is replaced while they are moved */
} hy_pair;

#if defined(__x86_64__)

/* Makes every `from` its `to`, whatever overlaps; -errno. All that was there under other numbers
 * stays. */
HY_BARE long hy_descriptors_move(hy_pair *pairs, int count);

/* Closes what exec would close. */
HY_BARE void hy_descriptors_close_on_exec(void);

/* Closes all but one. */
HY_BARE void hy_descriptors_close_but(int kept);

#endif
#endif
