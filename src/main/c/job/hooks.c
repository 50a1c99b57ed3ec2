/* SPDX-License-Identifier: Apache-2.0 */
/* A list of hooks in blocks that are never moved or freed while in use; each hook counts the
 * threads in its function. */
#include "job/hooks.h"

#include <sched.h>
#include <stdlib.h>

/* A walker increments `users` before it loads the context; hy_hooks_remove() clears the context
 * before it reads `users`. A walker with the old context also keeps the place from being reused. */

static bool hooks_take(hy_hook *place, bool (*work)(void *context), void *context)
{
    if (hy_load_relaxed(&place->context) || atomic_load(&place->users)) return false;
    place->work = work;
    hy_store_release(&place->context,
                     context); /* release: a thread that sees it also sees its work() */
    return true;
}

/* Appends a block; the last one has no next yet. */
static hy_hooks *extend(hy_hooks *last)
{
    hy_hooks *more = calloc(1, sizeof *more);
    if (more) hy_store_release(&last->next, more);
    return more;
}

bool hy_hooks_add(hy_hooks *hooks, bool (*work)(void *context), void *context)
{
    bool taken = false;
    for (hy_hooks *h = hooks, *next; h && !taken; h = next) {
        for (int i = 0; !taken && i < HY_HOOKS; i++) taken = hooks_take(&h->list[i], work, context);
        next = hy_load_relaxed(&h->next);
        if (!taken && !next) next = extend(h);
    }
    return taken;
}

static hy_hook *hooks_find(hy_hooks *hooks, const void *context)
{
    for (hy_hooks *h = hooks; h; h = hy_load_acquire(&h->next)) {
        for (int i = 0; i < HY_HOOKS; i++)
            if (hy_load_relaxed(&h->list[i].context) == context) return &h->list[i];
    }
    return NULL;
}

void hy_hooks_remove(hy_hooks *hooks, const void *context)
{
    hy_hook *place = hooks_find(hooks, context);
    if (!place) return;
    atomic_store(&place->context, NULL);
    while (atomic_load(&place->users)) sched_yield();
}

static bool call(hy_hook *place)
{
    if (!hy_load_relaxed(&place->context)) return false;
    atomic_fetch_add(&place->users, 1);
    void *context = atomic_load(&place->context);
    bool answer = context && place->work(context);
    atomic_fetch_sub_explicit(&place->users, 1, memory_order_release);
    return answer;
}

bool hy_hooks_call(hy_hooks *hooks)
{
    bool any = false;
    for (hy_hooks *h = hooks; h; h = hy_load_acquire(&h->next)) {
        for (int i = 0; i < HY_HOOKS; i++) any |= call(&h->list[i]);
    }
    return any;
}

void hy_hooks_release(hy_hooks *hooks)
{
    for (hy_hooks *h = hy_load_relaxed(&hooks->next), *next; h; h = next) {
        next = hy_load_relaxed(&h->next);
        free(h);
    }
}
