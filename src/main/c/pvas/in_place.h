/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An exec that stays in the space: the new program replaces the old one in the partition of the
 * task. For example, a script that ends in `exec java ...` becomes a task with a JVM. Whatever
 * cannot be done this way is left to the kernel, including its errors: the program then is a
 * separate process.
 */
#ifndef HY_PVAS_IN_PLACE_H
#define HY_PVAS_IN_PLACE_H

#include "pvas/trap.h"

#if defined(__x86_64__)

/* `path`, `arguments` and `environment` are those of the call. If the exec is not possible, returns
 * with everything unchanged and the reason in own->task.left. */
HY_BARE void hy_in_place(hy_trap_call *call, uint64_t path, uint64_t arguments,
                         uint64_t environment);

#endif
#endif
