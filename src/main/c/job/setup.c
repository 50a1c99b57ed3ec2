/* SPDX-License-Identifier: Apache-2.0 */
/* The turn of a thread is a busy word; the meetings and records are those of boot. */
#include "job/setup.h"

#include "base/busy.h"
#include "job/await.h"
#include "job/flight.h"

static int setup_check(hy_job *job, const _Atomic uint32_t *closed)
{
    int rc = hy_job_check(job, -1);
    if (rc || !closed || !hy_load_acquire(closed)) return rc;
    return hy_fail(HAYATE_ERR_CLOSED, "closed before the collective set-up of this thread began");
}

typedef struct entry {
    hy_job *job;
    const _Atomic uint32_t *closed;
} entry;

static int take_turn(void *context)
{
    const entry *e = context;
    return hy_busy_take(&e->job->setting_up) ? HAYATE_OK : HAYATE_IN_PROGRESS;
}

/* All ranks of the job would have to come. */
static int refuse_after_death(const hy_job *job)
{
    if (!job->survival.on || !hy_load_relaxed(&job->survival.generation)) return HAYATE_OK;
    return hy_fail(HAYATE_ERR_STATE,
                   "a rank has died: what all ranks of the job create together cannot be created "
                   "any more; split a communicator that shrink() has returned");
}

/* A dead rank ends the set-up of the thread before this one, and then this one. */
static int setup_idle(void *context)
{
    const entry *e = context;
    hy_progress(e->job);
    return setup_check(e->job, e->closed);
}

static void tell_turn(const void *context, hy_awaited *awaited)
{
    (void)context;
    awaited->kind = HY_AWAITED_TURN;
}

int hy_setup_enter(hy_job *job, const _Atomic uint32_t *closed)
{
    entry e = {job, closed};
    int rc = refuse_after_death(job);
    if (!rc)
        rc = hy_job_await(&(hy_await){.job = job,
                                      .step = take_turn,
                                      .idle = setup_idle,
                                      .tell = tell_turn,
                                      .context = &e,
                                      .poll = hy_far_poll});
    if (rc) return rc;
    if ((rc = setup_check(job, closed))) hy_setup_leave(job);
    return rc;
}

void hy_setup_leave(hy_job *job)
{
    hy_busy_leave(&job->setting_up);
    hy_bell_ring(job->bell);
}

/* Ignores errors of paths, which must not keep the ranks from meeting: the launcher knows which
 * ranks are dead. */
int hy_setup_begin(hy_job *job, const _Atomic uint32_t *closed)
{
    size_t late = hy_job_late(job);
    hy_awaited fence = {.kind = HY_AWAITED_FENCE, .peer = -1};
    uint64_t name = job->flight ? hy_flight_begin(job->flight, &fence) : 0;
    hy_job_flush(job);
    int rc = hy_flight_over(job->flight, name, hy_boot_fence_unless(&job->boot, closed));
    if (!rc) hy_job_late_over(job, late);
    return rc;
}

/* The record of the job's exchange, with a label. */
typedef struct labelled {
    uint8_t record[HY_SETUP_RECORD_BYTES];
    uint64_t what;
} labelled;

_Static_assert(sizeof(labelled) == HY_RECORD_BYTES, "fills a record");

static const char *name_of(uint64_t what)
{
    static const char *const names[] = {"an FMPL", "a communicator", "a global space"};
    return what < sizeof names / sizeof *names ? names[what] : "something unknown";
}

int hy_setup_exchange(hy_job *job, hy_setup what, const void *record, size_t bytes)
{
    labelled mine = {.what = what};
    memcpy(mine.record, record, bytes);
    int rc = hy_boot_exchange(&job->boot, &mine, sizeof mine);
    for (int rank = 0; !rc && rank < job->size; rank++) {
        labelled its;
        hy_copy_once(&its, hy_boot_record(&job->boot, rank), sizeof its);
        if (its.what != what)
            rc = hy_fail_peer(HAYATE_ERR_MISMATCH, rank,
                              "rank %d creates %s, this rank %s: all ranks must create them in the "
                              "same order",
                              rank, name_of(its.what), name_of(what));
    }
    return rc;
}

int hy_setup_end(hy_job *job)
{
    hy_job_flush(job);
    return hy_boot_fence(&job->boot);
}
