/* SPDX-License-Identifier: Apache-2.0 */
/* A doubly linked list under a mutex; walks keep a pointer to their next work, which removal
 * advances. */
#include "base/worklist.h"

#include <sched.h>

void hy_worklist_open(hy_worklist *list)
{
    *list = (hy_worklist){.first = NULL};
    pthread_mutex_init(&list->lock, NULL);
}

void hy_worklist_close(hy_worklist *list)
{
    pthread_mutex_destroy(&list->lock);
}

/* Under the lock. */
static void count(hy_worker *worker, uint32_t change)
{
    hy_store_relaxed(&worker->count, hy_load_relaxed(&worker->count) + change);
}

void hy_worklist_add(hy_worklist *list, hy_work *work, hy_worker *worker, uint32_t by)
{
    pthread_mutex_lock(&list->lock);
    work->worker = worker;
    work->by = by;
    work->previous = NULL;
    work->next = list->first;
    if (work->next) work->next->previous = work;
    list->first = work;
    count(worker, 1);
    pthread_mutex_unlock(&list->lock);
    hy_worklist_wake(list);
}

void hy_worklist_remove(hy_worklist *list, hy_work *work)
{
    pthread_mutex_lock(&list->lock);
    for (hy_walk *walk = list->walks; walk; walk = walk->other)
        if (walk->next == work) walk->next = work->next;
    if (work->next) work->next->previous = work->previous;
    if (work->previous) work->previous->next = work->next;
    else list->first = work->next;
    count(work->worker, UINT32_MAX);
    pthread_mutex_unlock(&list->lock);
}

/* ---- walks ---- */

static void worklist_begin(hy_worklist *list, hy_walk *walk)
{
    *walk = (hy_walk){.begun = true, .next = list->first, .other = list->walks};
    list->walks = walk;
}

static void end(hy_worklist *list, const hy_walk *walk)
{
    hy_walk **place = &list->walks;
    while (*place != walk) place = &(*place)->other;
    *place = walk->other;
}

/* Goes on to the next work that take() claims. */
static hy_work *walk_on(hy_worklist *list, hy_walk *walk,
                        bool (*take)(hy_work *work, void *context), void *context)
{
    pthread_mutex_lock(&list->lock);
    if (!walk->begun) worklist_begin(list, walk);
    hy_work *work = walk->next;
    while (work && !take(work, context)) work = work->next;
    if (work) walk->next = work->next;
    else end(list, walk);
    pthread_mutex_unlock(&list->lock);
    return work;
}

typedef struct choice {
    bool (*chosen)(const hy_work *work, void *context);
    void *context;
} choice;

static bool take_chosen(hy_work *work, void *context)
{
    const choice *c = context;
    return (!c->chosen || c->chosen(work, c->context)) && hy_work_claim(work);
}

hy_work *hy_walk_next(hy_worklist *list, hy_walk *walk,
                      bool (*chosen)(const hy_work *work, void *context), void *context)
{
    return walk_on(list, walk, take_chosen, &(choice){chosen, context});
}

/* ---- steps ---- */

/* A walk that steps: whose work it takes, and whether any of that is under way. */
typedef struct search {
    uint32_t by;
    bool under_way;
} search;

static bool take_ready(hy_work *work, void *context)
{
    search *s = context;
    if (!(work->by & s->by) || work->worker->leaves) return false;
    hy_wanted wanted = work->worker->wanted(work);
    s->under_way |= wanted != HY_WORK_RESTS;
    if (wanted != HY_WORK_READY || !hy_work_claim(work)) return false;
    atomic_fetch_add_explicit(&work->worker->inside, 1, memory_order_relaxed);
    return true;
}

static void give_up(hy_worklist *list, const hy_walk *walk)
{
    if (!walk->begun) return;
    pthread_mutex_lock(&list->lock);
    end(list, walk);
    pthread_mutex_unlock(&list->lock);
}

/* NULL: the end of the walk, also because another thread searches. */
static hy_work *search_on(hy_worklist *list, hy_walk *walk, search *s)
{
    if (atomic_exchange_explicit(&list->searched, 1, memory_order_acquire)) {
        s->under_way = true;
        give_up(list, walk);
        return NULL;
    }
    hy_work *work = walk_on(list, walk, take_ready, s);
    hy_store_release(&list->searched, 0);
    return work;
}

bool hy_worklist_step(hy_worklist *list, uint32_t by)
{
    search s = {.by = by};
    hy_walk walk = {.begun = false};
    for (hy_work *work; (work = search_on(list, &walk, &s));) {
        hy_worker *worker = work->worker;
        worker->step(work);
        atomic_fetch_sub_explicit(&worker->inside, 1, memory_order_release);
    }
    return s.under_way;
}

/* ---- the end of a worker ---- */

static hy_work *first_of(hy_worklist *list, const hy_worker *worker)
{
    pthread_mutex_lock(&list->lock);
    hy_work *work = list->first;
    while (work && work->worker != worker) work = work->next;
    pthread_mutex_unlock(&list->lock);
    return work;
}

/* Acquire order: whatever the steps did comes first. A loop of its own, because that of all waits
 * (job/await.h) is in a higher room. */
void hy_worker_leave(hy_worklist *list, hy_worker *worker, void (*over)(hy_work *work))
{
    pthread_mutex_lock(&list->lock);
    worker->leaves = true;
    pthread_mutex_unlock(&list->lock);
    while (hy_load_acquire(&worker->inside)) sched_yield();
    for (hy_work *work; (work = first_of(list, worker));) {
        hy_worklist_remove(list, work);
        if (over && hy_work_claim(work)) over(work);
    }
}
