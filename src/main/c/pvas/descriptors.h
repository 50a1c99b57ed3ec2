/* SPDX-License-Identifier: Apache-2.0 */
/* Arranges the descriptors of a new task, or of the guard. The new process does this itself. */
#ifndef HY_PVAS_DESCRIPTORS_H
#define HY_PVAS_DESCRIPTORS_H

#include "pvas/bare.h"

#define HY_PAIRS_MAX 1024

typedef struct hy_pair {
    int from, to; /* numbers in the caller and in the task; `from` changes while they are moved */
} hy_pair;

#if defined(__x86_64__)

/* Duplicates each `from` to its `to`, in any order and overlap; returns -errno. Descriptors with
 * other numbers are left as they are. */
HY_BARE long hy_descriptors_move(hy_pair *pairs, int count);

/* Closes the descriptors that exec would close. */
HY_BARE void hy_descriptors_close_on_exec(void);

/* Closes all descriptors except `kept`. */
HY_BARE void hy_descriptors_close_but(int kept);

#endif
#endif
