/* SPDX-License-Identifier: Apache-2.0 */
/* A doubly linked list under a mutex; walks keep a pointer to their next item, which removal
 * advances. */
#include "base/worklist.h"

void hy_worklist_open(hy_worklist *list)
{
    *list = (hy_worklist){.first = NULL};
    pthread_mutex_init(&list->lock, NULL);
}

void hy_worklist_close(hy_worklist *list)
{
    pthread_mutex_destroy(&list->lock);
}

static void count(hy_worklist *list, uint32_t change)
{
    hy_store_relaxed(&list->count, hy_load_relaxed(&list->count) + change);
}

void hy_worklist_add(hy_worklist *list, hy_work *work)
{
    pthread_mutex_lock(&list->lock);
    work->previous = NULL;
    work->next = list->first;
    if (work->next) work->next->previous = work;
    list->first = work;
    count(list, 1);
    pthread_mutex_unlock(&list->lock);
}

void hy_worklist_remove(hy_worklist *list, hy_work *work)
{
    pthread_mutex_lock(&list->lock);
    for (hy_walk *walk = list->walks; walk; walk = walk->other)
        if (walk->next == work) walk->next = work->next;
    if (work->next) work->next->previous = work->previous;
    if (work->previous) work->previous->next = work->next;
    else list->first = work->next;
    count(list, UINT32_MAX);
    pthread_mutex_unlock(&list->lock);
}

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

hy_work *hy_walk_next(hy_worklist *list, hy_walk *walk,
                      bool (*wanted)(const hy_work *work, void *context), void *context)
{
    pthread_mutex_lock(&list->lock);
    if (!walk->begun) worklist_begin(list, walk);
    hy_work *work = walk->next;
    while (work && ((wanted && !wanted(work, context)) || !hy_work_claim(work))) work = work->next;
    if (work) walk->next = work->next;
    else end(list, walk);
    pthread_mutex_unlock(&list->lock);
    return work;
}

static void give_up(hy_worklist *list, const hy_walk *walk)
{
    if (!walk->begun) return;
    pthread_mutex_lock(&list->lock);
    end(list, walk);
    pthread_mutex_unlock(&list->lock);
}

hy_work *hy_walk_try(hy_worklist *list, hy_walk *walk,
                     bool (*wanted)(const hy_work *work, void *context), void *context,
                     bool *beaten)
{
    *beaten = atomic_exchange_explicit(&list->searched, 1, memory_order_acquire) != 0;
    if (*beaten) {
        give_up(list, walk);
        return NULL;
    }
    hy_work *work = hy_walk_next(list, walk, wanted, context);
    hy_store_release(&list->searched, 0);
    return work;
}
