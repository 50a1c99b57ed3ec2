/* SPDX-License-Identifier: Apache-2.0 */
/* One thread per rank advances the operations that request it. While a run is under way, it waits
 * on the rank's bell, which peers ring for their signals; otherwise on a separate bell, which a
 * start rings, so that peers do not pay for waking it. */
#include <semaphore.h>
#include <signal.h>

#include "base/foreign.h"
#include "job/await.h"
#include "pcoll/operation.h"

/* A sleep while no run is under way: the longest delay until the end of the rank is noticed. */
#define SLEEP_US 1000000

/* The program computes on this core meanwhile, so the thread spins for a moment only. */
#define SPINS 64
#define YIELDS 8

/* True: some of its runs are under way. */
static bool advance(hy_pcolls *all)
{
    return !hy_load_acquire(&all->stop) &&
           hy_worklist_step(&all->comms->job->background, HY_BY_THREAD);
}

static void rest(hy_pcolls *all)
{
    hy_bell *bell = &all->bell;
    uint32_t seen = hy_load_acquire(&bell->seq);
    atomic_fetch_add_explicit(&bell->sleepers, 1, memory_order_seq_cst);
    atomic_thread_fence(memory_order_seq_cst); /* the mark before the last check: see
                                                * hy_pcoll_start() */
    if (!hy_load_acquire(&all->stop) && !advance(all)) hy_bell_sleep(bell, seen, SLEEP_US);
    atomic_fetch_sub_explicit(&bell->sleepers, 1, memory_order_relaxed);
}

static int progress_thread_step(void *context)
{
    return advance(context) ? HAYATE_IN_PROGRESS : HAYATE_OK;
}

/* Threads that wait for an operation check for failures; this thread does not wait for one. If its
 * yields take long, the thread that computes may be the program's own, which then would sleep. */
static void progress_thread_work(hy_pcolls *all)
{
    hy_job *job = all->comms->job;
    const hy_wait_policy polite = {
        .spins = SPINS, .yields = YIELDS, .lap_ns = UINT32_MAX, .limit = job->policy.limit};
    hy_wait wait = hy_wait_begin(&polite, job->bell);
    hy_await_on(
        &(hy_await){.job = job, .step = progress_thread_step, .context = all, .poll = hy_far_poll},
        &wait);
    hy_job_wait_end(job, &wait);
}

/* How the start of the thread went, for the thread that starts it and waits for it. */
typedef struct beginning {
    hy_pcolls *all;
    bool entered;
    sem_t told;
} beginning;

static void *progress_thread_run(void *context)
{
    beginning *begin = context;
    hy_pcolls *all = begin->all;
    bool entered = !hy_foreign_enter || hy_foreign_enter();
    begin->entered = entered;
    sem_post(&begin->told);
    while (entered && !hy_load_acquire(&all->stop)) {
        rest(all);
        progress_thread_work(all);
    }
    return NULL;
}

static int await_beginning(hy_pcolls *all, beginning *begin)
{
    while (sem_wait(&begin->told)) continue; /* interrupted */
    all->has_thread = begin->entered;
    if (begin->entered) return HAYATE_OK;
    pthread_join(all->thread, NULL);
    return hy_fail(HAYATE_ERR_NO_MEMORY,
                   "no memory to attach the progress thread to the Java virtual machine");
}

/* The thread blocks all signals, which are meant for the program. */
static int start_thread(hy_pcolls *all)
{
    sigset_t every, before;
    beginning begin = {.all = all};
    sem_init(&begin.told, 0, 0);
    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &before);
    int error = pthread_create(&all->thread, NULL, progress_thread_run, &begin);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!error) return await_beginning(all, &begin);
    return hy_fail(HAYATE_ERR_SYSTEM, "cannot start the progress thread: %s (check ulimit -u)",
                   strerror(error));
}

int hy_pcolls_thread(hy_pcolls *all)
{
    pthread_mutex_lock(&all->lock);
    int rc = all->has_thread ? HAYATE_OK : start_thread(all);
    pthread_mutex_unlock(&all->lock);
    return rc;
}

void hy_pcolls_stop_thread(hy_pcolls *all)
{
    if (!all->has_thread) return;
    hy_store_release(&all->stop, 1);
    hy_bell_ring_slow(&all->bell);
    hy_bell_ring_slow(all->comms->job->bell);
    pthread_join(all->thread, NULL);
    all->has_thread = false;
}
