/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exec in a task that stays in the space: the new program takes the old one's place in the
 * partition. So a script that ends in `exec java ...` is a task with a JVM. What cannot be done so
 * is left to the kernel, and to complain about as well: the program then is a process of its own.
 */
#ifndef HY_PVAS_IN_PLACE_H
#define HY_PVAS_IN_PLACE_H

#include "pvas/trap.h"

#if defined(__x86_64__)

/* `path`, the arguments and the environment are those of the call. Comes back if it cannot be done,
 * with everything as it was, and says why in own->task.left. */
HY_BARE void hy_in_place(hy_trap_call *call, uint64_t path, uint64_t arguments,
                         uint64_t environment);

#endif
#endif
