/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Things that go on in the background, and that whoever has time works on: messages that are under
 * way, collectives that were started.
 *
 * Working on one may take long: it moves a gigabyte, waits for a network, or calls a function of
 * the program's, which may do with the list what it likes. So the list's lock is held to change the
 * list and to look for the next thing, and never while anybody works on one. For that a thing is
 * *claimed*, by one thread at a time; who finds it claimed goes on to the next.
 *
 * A thing may be removed at any moment, by whoever; its memory may go when it is removed and can be
 * claimed.
 */
#ifndef HY_BASE_WORKLIST_H
#define HY_BASE_WORKLIST_H

#include <pthread.h>
#include <stdbool.h>

#include "base/line.h"

typedef struct hy_work {
    struct hy_work *next, *previous;
    _Atomic uint32_t claimed;
} hy_work;

/* On the stack of who walks, {0} at first: where it goes on, also when that is removed. */
typedef struct hy_walk {
    bool begun;
    hy_work *next;
    struct hy_walk *other;
} hy_walk;

typedef struct hy_worklist {
    HY_ALIGNED pthread_mutex_t
        lock; /* an inner one: nothing is taken, and nobody called, with it */
    hy_work *first;
    hy_walk *walks;
    _Atomic uint32_t count;
    _Atomic uint32_t searched; /* by hy_walk_try() */
} hy_worklist;

void hy_worklist_open(hy_worklist *list);
void hy_worklist_close(hy_worklist *list);

/* In front: a walk that is under way does not meet it. */
void hy_worklist_add(hy_worklist *list, hy_work *work);
void hy_worklist_remove(hy_worklist *list, hy_work *work);

static inline bool hy_worklist_is_empty(const hy_worklist *list)
{
    return hy_load_relaxed(&list->count) == 0;
}

/* False: somebody else has it. acquire: what he did with it comes before. */
static inline bool hy_work_claim(hy_work *work)
{
    return atomic_exchange_explicit(&work->claimed, 1, memory_order_acquire) == 0;
}
static inline void hy_work_release(hy_work *work)
{
    hy_store_release(&work->claimed, 0);
}

/* What comes next, of what is `wanted` (NULL: all is) and nobody else has: claimed, to be released.
 * NULL: that was all; a walk goes on until then. `wanted` is asked under the lock. Any number of
 * threads may walk at a time, and a thread within its own walk. */
hy_work *hy_walk_next(hy_worklist *list, hy_walk *walk,
                      bool (*wanted)(const hy_work *work, void *context), void *context);

/* The same for threads that come by while they wait: of those that search at the same moment one
 * goes on, and the walks of the others are over, with *beaten. Many that wait do not queue for the
 * lock, and nobody is kept out while another one works. */
hy_work *hy_walk_try(hy_worklist *list, hy_walk *walk,
                     bool (*wanted)(const hy_work *work, void *context), void *context,
                     bool *beaten);

#endif
