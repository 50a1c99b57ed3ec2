/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that layers above lend to the job, to be called where it knows when and they know what:
 * in any wait (job/progress.h), or when the heap has no room (job/shrinkers.h). A hook is found by
 * its context.
 */
#ifndef HY_JOB_HOOKS_H
#define HY_JOB_HOOKS_H

#include <stdbool.h>

#include "base/line.h"

#define HY_HOOKS 8

typedef struct hy_hook {
    bool (*work)(void *context);
    void *_Atomic context;  /* NULL: free */
    _Atomic uint32_t users; /* threads that may be in work() */
} hy_hook;

typedef struct hy_hooks {
    hy_hook list[HY_HOOKS];
    struct hy_hooks *_Atomic next; /* when there are more */
} hy_hooks;

/* work() may be called by any thread and by several at once. One adder at a time: the caller has a
 * lock. False: no memory. */
bool hy_hooks_add(hy_hooks *hooks, bool (*work)(void *context), void *context);

/* Returns when no thread is in its work() any more. Not to be called from a work(). */
void hy_hooks_remove(hy_hooks *hooks, const void *context);

/* Calls all; true: one of them said so. */
bool hy_hooks_call(hy_hooks *hooks);

/* When nobody uses the list any more. */
void hy_hooks_release(hy_hooks *hooks);

#endif
