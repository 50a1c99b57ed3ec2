/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that higher layers register with the job, to be called at certain moments: in any
 * wait (job/progress.h). A hook is identified by its context. */
#ifndef HY_JOB_HOOKS_H
#define HY_JOB_HOOKS_H

#include <stdbool.h>

#include "base/line.h"

#define HY_HOOKS 8

typedef struct hy_hook {
    bool (*work)(void *context);
    void *_Atomic context;  /* NULL: this entry is free */
    _Atomic uint32_t users; /* threads that may be inside work() */
} hy_hook;

typedef struct hy_hooks {
    hy_hook list[HY_HOOKS];
    struct hy_hooks *_Atomic next; /* the next block, if there is one */
} hy_hooks;

/* work() may be called by any thread, and by several at once. The caller holds a lock, so that
 * one thread at a time adds. False: no memory. */
bool hy_hooks_add(hy_hooks *hooks, bool (*work)(void *context), void *context);

/* Returns when no thread is inside its work() any more. Must not be called from a work(). */
void hy_hooks_remove(hy_hooks *hooks, const void *context);

/* Calls all hooks; true: one of them returned true. */
bool hy_hooks_call(hy_hooks *hooks);

/* Only when no thread uses the list any more. */
void hy_hooks_release(hy_hooks *hooks);

#endif
