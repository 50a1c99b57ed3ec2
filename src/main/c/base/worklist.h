/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A list of background work: messages that are under way, collectives that were started. Any thread
 * that waits may work on its items.
 *
 * Work on an item may take long: it may move a gigabyte, wait for a network, or call a function of
 * the program, which may use the list in any way. Therefore the list's lock is held to change the
 * list and to find the next item, but never during work on an item. For that, one thread at a time
 * *claims* an item; a thread that finds an item claimed goes on to the next.
 *
 * Any thread may remove an item at any time. Its memory may be freed when it is removed and can be
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

/* On the stack of a walking thread, {0} at first: where it continues, even if that item is
 * removed. */
typedef struct hy_walk {
    bool begun;
    hy_work *next;
    struct hy_walk *other;
} hy_walk;

typedef struct hy_worklist {
    HY_ALIGNED pthread_mutex_t
        lock; /* a leaf: no other lock is taken and nothing is called while it is held */
    hy_work *first;
    hy_walk *walks;
    _Atomic uint32_t count;
    _Atomic uint32_t searched; /* 1: a thread searches in hy_walk_try() */
} hy_worklist;

void hy_worklist_open(hy_worklist *list);
void hy_worklist_close(hy_worklist *list);

/* Adds in front, so that a walk that is under way does not meet it. */
void hy_worklist_add(hy_worklist *list, hy_work *work);
void hy_worklist_remove(hy_worklist *list, hy_work *work);

static inline bool hy_worklist_is_empty(const hy_worklist *list)
{
    return hy_load_relaxed(&list->count) == 0;
}

/* False: another thread has claimed it. Acquire order: after what that thread did. */
static inline bool hy_work_claim(hy_work *work)
{
    return atomic_exchange_explicit(&work->claimed, 1, memory_order_acquire) == 0;
}
static inline void hy_work_release(hy_work *work)
{
    hy_store_release(&work->claimed, 0);
}

/* The next item that is `wanted` (NULL: all are) and not claimed, now claimed; release it
 * afterwards. NULL: the end of the walk. `wanted` is called under the lock. Any number of
 * threads may walk at a time, and a thread may start a walk within a walk. */
hy_work *hy_walk_next(hy_worklist *list, hy_walk *walk,
                      bool (*wanted)(const hy_work *work, void *context), void *context);

/* The same for threads that search while they wait. Of those that search at the same moment one
 * continues, and the walks of the others end with *beaten. So many waiting threads do not queue
 * for the lock, and none is excluded while another one works. */
hy_work *hy_walk_try(hy_worklist *list, hy_walk *walk,
                     bool (*wanted)(const hy_work *work, void *context), void *context,
                     bool *beaten);

#endif
