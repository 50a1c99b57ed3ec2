/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Background work: what outlives the call that has begun it, and goes on in the waits of all calls
 * of the process (messages under way, collectives that were started). A job has one list of it
 * (job/progress.h). Each piece of work belongs to a *worker*, the object that has put it there,
 * with two functions: wanted() tells whether it has something to do, and step() does it.
 *
 * Who may call. Any thread adds, removes and walks, also from within a step(). One thread at a time
 * works on a piece of work: it *claims* it, and all others pass over it, the claiming thread's own
 * walks included. So waits can nest, and two waits never work on the same thing. Each piece of work
 * names by bits who may step it.
 *
 * Locks. The lock of the list is a leaf, held to change the list and to find the next work, never
 * during a step. wanted() is called under it, by any thread, without a claim: it only loads. step()
 * is called without it, but with whatever its caller holds: a wait holds no lock (job/await.h).
 *
 * What a step() may do. It may take long: move a gigabyte, wait for a network, or call a function
 * of the program, which may use the list in any way. In the end it releases the work, unless it is
 * removed and its claim passes on. It must not wait for work that its own thread may have claimed,
 * nor call hy_worker_leave().
 *
 * Removal. Any thread may remove work at any time, also during walks: they go on behind it. Its
 * memory may be freed when it is removed and can be claimed. The memory of its worker may be freed
 * after hy_worker_leave().
 *
 * Memory order. A claim acquires what the last thread released. `pending` is stored with release
 * order behind what was begun; a walk clears it by an exchange before it looks, so this walk or a
 * later one sees the work.
 *
 * Cost. While nothing is pending, a turn of a wait costs one load. A walk calls wanted() for all
 * work in the list, and takes the lock once for each step.
 */
#ifndef HY_BASE_WORKLIST_H
#define HY_BASE_WORKLIST_H

#include <pthread.h>
#include <stdbool.h>

#include "base/line.h"

typedef struct hy_work hy_work;

typedef enum hy_wanted {
    HY_WORK_RESTS, /* nothing is under way; whoever begins something calls hy_worklist_wake() */
    HY_WORK_WAITS, /* something is under way, but there is nothing to do at the moment */
    HY_WORK_READY,
} hy_wanted;

/* Part of the object to which work belongs, {wanted, step} at first. */
typedef struct hy_worker {
    hy_wanted (*wanted)(const hy_work *work);
    void (*step)(hy_work *work);
    _Atomic uint32_t count;  /* of its work in the list; changed under the lock */
    _Atomic uint32_t inside; /* walks that are in its step() */
    bool leaves;             /* no further walk steps it: the lock */
} hy_worker;

struct hy_work {
    hy_work *next, *previous;
    hy_worker *worker;
    _Atomic uint32_t claimed;
    uint32_t by; /* bits: who may step it */
};

/* On the stack of a walking thread, {0} at first: where it continues, even if that work is
 * removed. */
typedef struct hy_walk {
    bool begun;
    hy_work *next;
    struct hy_walk *other;
} hy_walk;

typedef struct hy_worklist {
    HY_ALIGNED pthread_mutex_t
        lock; /* a leaf: no other lock is taken while it is held, and only wanted() is called */
    hy_work *first;
    hy_walk *walks;
    _Atomic uint32_t pending;  /* 0: no work is under way */
    _Atomic uint32_t searched; /* 1: a thread searches in hy_worklist_step() */
    /* Objects whose work is to be asked in long waits although it rests. */
    _Atomic uint32_t listeners;
} hy_worklist;

void hy_worklist_open(hy_worklist *list);
void hy_worklist_close(hy_worklist *list);

/* Adds in front, so that a walk that is under way does not meet it, and wakes the list. The work
 * stays in the list until it is removed, however often it rests. */
void hy_worklist_add(hy_worklist *list, hy_work *work, hy_worker *worker, uint32_t by);
void hy_worklist_remove(hy_worklist *list, hy_work *work);

/* Work in the list that has rested is under way, as its wanted() tells from now on. */
static inline void hy_worklist_wake(hy_worklist *list)
{
    hy_store_release(&list->pending, 1);
}

/* An object of this rank may have to hear what others want of it, although nothing of its own is
 * under way. */
static inline void hy_worklist_listen(hy_worklist *list)
{
    atomic_fetch_add(&list->listeners, 1);
}
static inline void hy_worklist_stop_listening(hy_worklist *list)
{
    atomic_fetch_sub(&list->listeners, 1);
}

/* In a slow turn of a wait, and in looks that may be all that a program does: the next walk asks
 * all work. */
static inline void hy_worklist_wake_listeners(hy_worklist *list)
{
    if (hy_unlikely(hy_load_relaxed(&list->listeners) != 0)) hy_worklist_wake(list);
}

static inline bool hy_worklist_is_pending(const hy_worklist *list)
{
    return hy_load_relaxed(&list->pending) != 0;
}

/* Steps all work that is ready and that `by` may step. True: some of that is under way, or another
 * thread was searching. Of several threads that search at the same moment one continues, and the
 * walks of the others end: so many waiting threads do not queue for the lock, and none is excluded
 * while another one works. */
bool hy_worklist_step(hy_worklist *list, uint32_t by);

/* False: another thread has claimed it. Acquire order: after what that thread did. */
static inline bool hy_work_claim(hy_work *work)
{
    return atomic_exchange_explicit(&work->claimed, 1, memory_order_acquire) == 0;
}
static inline void hy_work_release(hy_work *work)
{
    hy_store_release(&work->claimed, 0);
}

/* The next work that is `chosen` (NULL: all is) and not claimed, now claimed; release it
 * afterwards. NULL: the end of the walk. `chosen` is called under the lock, for the work of all
 * workers. */
hy_work *hy_walk_next(hy_worklist *list, hy_walk *walk,
                      bool (*chosen)(const hy_work *work, void *context), void *context);

/* Removes all work of a worker; on return no walk is in its step(), and none will be. Work that
 * nobody has claimed is then passed to over(), claimed (NULL: it is not). */
void hy_worker_leave(hy_worklist *list, hy_worker *worker, void (*over)(hy_work *work));

#endif
