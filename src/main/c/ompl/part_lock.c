/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lock of a part, which accumulates of all ranks take: a flag, behind the part or elsewhere in
 * the heap, whose value is 0 or 1 + the rank of the holder. Inside of a node it is taken by a
 * compare-and-swap and given back by a store; from other nodes by the atomic and the flag of the
 * path, which keeps the flag behind the data that were put under the lock. The death of the holder
 * ends the waits of the others; the lock stays taken then, because the part may contain half of an
 * accumulate. The death of the part's owner does, too: it carries out what other nodes send, also
 * the end of a lock.
 *
 * Nobody rings a bell for a waiter: it looks again after short sleeps. A lock is held for the time
 * of a short copy, or by a rank of another node for some round trips.
 */
#include "nodes/far.h"
#include "job/await.h"
#include "ompl/ompl.h"

#define LOOK_AGAIN_US 50

typedef struct taking {
    const hy_part_lock *lock;
    uint64_t mine, seen;
    int failed; /* of the path */
} taking;

static inline _Atomic uint64_t *near_word(const hy_part_lock *lock)
{
    return (_Atomic uint64_t *)(void *)(lock->ep->part + lock->at);
}

static inline bool take_near(const hy_part_lock *lock, uint64_t mine, uint64_t *seen)
{
    *seen = 0;
    return atomic_compare_exchange_strong_explicit(near_word(lock), seen, mine,
                                                   memory_order_acquire, memory_order_relaxed);
}

/* Looks before it writes: the line stays where it is while another rank holds the lock. */
static int step_taking(void *context)
{
    taking *t = context;
    const hy_part_lock *lock = t->lock;
    if (!hy_ep_is_far(lock->ep)) {
        t->seen = hy_load_relaxed(near_word(lock));
        if (t->seen == 0 && take_near(lock, t->mine, &t->seen)) return HAYATE_OK;
        return HAYATE_IN_PROGRESS;
    }
    int rc = lock->ep->ops->atomic(lock->ep, lock->at, HY_ATOMIC_COMPARE_SWAP, t->mine, 0,
                                   &t->seen);
    if (rc) return rc;
    return t->seen == 0 ? HAYATE_OK : HAYATE_IN_PROGRESS;
}

/* A rank of the job, or -1: other processes can write anything here. */
static int holder_of(const taking *t)
{
    return t->seen <= (uint64_t)t->lock->ompl->size ? (int)t->seen - 1 : -1;
}

static int idle_taking(void *context)
{
    const taking *t = context;
    hy_ompl *ompl = t->lock->ompl;
    if (hy_load_relaxed(&ompl->closed))
        return hy_fail(HAYATE_ERR_CLOSED, "the global space was closed during the wait");
    hy_progress(ompl->job);
    int rc = hy_job_check(ompl->job, holder_of(t));
    return rc ? rc : hy_job_check(ompl->job, t->lock->ep->rank);
}

static void tell_taking(const void *context, hy_awaited *awaited)
{
    awaited->kind = HY_AWAITED_ACCUMULATE;
    awaited->peer = holder_of(context);
}

static int take_slowly(taking *t)
{
    hy_job *job = t->lock->ompl->job;
    hy_wait wait = hy_job_wait(job);
    wait.sleep_us = LOOK_AGAIN_US;
    int rc = hy_await_on(&(hy_await){.job = job,
                                     .step = step_taking,
                                     .idle = idle_taking,
                                     .tell = tell_taking,
                                     .context = t,
                                     .poll = hy_far_poll},
                         &wait);
    hy_job_wait_end(job, &wait);
    return rc;
}

int hy_part_lock_take(const hy_part_lock *lock)
{
    taking t = {.lock = lock, .mine = (uint64_t)lock->ompl->rank + 1};
    if (hy_likely(!hy_ep_is_far(lock->ep) && take_near(lock, t.mine, &t.seen))) return HAYATE_OK;
    return take_slowly(&t);
}

int hy_part_lock_give(const hy_part_lock *lock)
{
    static const hy_flag open;
    if (hy_ep_is_far(lock->ep)) return lock->ep->ops->put_flag(lock->ep, lock->at, &open);
    hy_store_release(near_word(lock), 0);
    return HAYATE_OK;
}
