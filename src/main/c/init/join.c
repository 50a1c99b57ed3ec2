/* SPDX-License-Identifier: Apache-2.0 */
/* Opens a job, joins it in steps (joining.h), and leaves it in reverse. */
#include "init/join.h"

#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/settings.h"
#include "base/clock.h"
#include "base/log.h"
#include "init/joining.h"
#include "job/flight.h"
#include "job/progress.h"
#include "job/survive.h"
#include "msg/rendezvous.h"
#include "nodes/far.h"
#include "nodes/meeting.h"
#include "nodes/network.h"
#include "path/kmod/kmod.h"
#include "watchdog/watchdog.h"
#include "wire/group.h"

/* A process has at most one job of the environment at a time, but any number of others. */
static _Atomic uint32_t open_jobs;

static int read_settings(hy_job *job)
{
    uint64_t log, rendezvous;
    int rc = hy_setting_value(HY_SET(LOG), &log);
    if (!rc) hy_log_setup();
    if (!rc) rc = hy_setting_value(HY_SET(EAGER_LIMIT), &job->eager_limit);
    job->eager_bytes = job->eager_limit > HY_EAGER_LIMIT_DEFAULT ? job->eager_limit
                                                                 : HY_EAGER_LIMIT_DEFAULT;
    if (!rc) rc = hy_setting_value(HY_SET(CMA_FROM), &job->cma_from);
    if (!rc) rc = hy_setting_value(HY_SET(RENDEZVOUS), &rendezvous);
    if (!rc) rc = hy_survive_open(job);
    if (!rc) rc = hy_watchdog_open(job);
    if (rc) return rc;
    job->rendezvous = (int)rendezvous;
    job->single_forced = hy_rendezvous_forces_single(job);
    return HAYATE_OK;
}

/* A rank in a fence still makes progress for others. */
static int progress_in_fence(void *context)
{
    hy_job *job = context;
    hy_progress(job);
    if (!hy_load_relaxed(&job->closed)) return HAYATE_OK;
    return hy_fail(HAYATE_ERR_CLOSED, "the job was closed during a fence of its ranks");
}

static void tell_fence(void *context, hy_wait *wait, uint32_t number)
{
    hy_job *job = context;
    hy_awaited awaited = {.kind = HY_AWAITED_FENCE,
                          .peer = -1,
                          .what = !hy_load_relaxed(&job->open),
                          .number = number};
    hy_job_wait_tell(job, wait, &awaited);
}

static void fence_is_over(void *context, hy_wait *wait)
{
    hy_job_wait_told(context, wait);
}

/* ---- what all ways into a job have in common: joining.h ---- */

static int prepare(hy_job *job)
{
    int rc = read_settings(job);
    if (rc) return rc;
    if (getrandom(&job->cookie, sizeof job->cookie, 0) != sizeof job->cookie)
        return hy_fail_errno("getrandom");
    hy_wait_setup();
    return HAYATE_OK;
}

int hy_joining_begin(hy_joining *j)
{
    *j = (hy_joining){.times = {.begun = hy_now_ns()}};
    hy_job *job = j->job = aligned_alloc(HY_LINE, hy_round_up(sizeof *job, HY_LINE));
    if (!job) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a job");
    *job = (hy_job){.boot = {.socket = -1, .segment_fd = -1}};
    pthread_mutex_init(&job->lock, NULL);
    pthread_mutex_init(&job->asking, NULL);
    hy_worklist_open(&job->background);
    return prepare(job);
}

/* The first operation in the flight recorder is the joining. */
static int begin_record(hy_joining *j)
{
    hy_awaited init = {.kind = HY_AWAITED_FENCE, .what = 1, .peer = -1};
    int rc = hy_flight_open(&j->job->flight, j->job->rank, j->job->size);
    if (!rc && j->job->flight) j->recorded = hy_flight_begin(j->job->flight, &init);
    return rc;
}

int hy_joining_boot(hy_joining *j)
{
    hy_job *job = j->job;
    job->rank = job->boot.rank;
    job->size = job->boot.size;
    job->opener = getpid();
    if (job->rank == 0) hy_settings_warn(); /* the other ranks have the same environment */
    job->boot.idle_context = job;
    job->boot.idle = progress_in_fence;
    job->boot.tell = tell_fence;
    job->boot.told = fence_is_over;
    int rc = hy_wait_policy_choose(&job->policy, (int)job->boot.control->parts,
                                   (int)job->boot.control->cpus);
    hy_join_time(&j->times, "launcher");
    return rc ? rc : begin_record(j);
}

int hy_joining_end(hy_joining *j, int rc, hy_job **result)
{
    hy_job *job = j->job;
    if (!job) return rc;
    if (job->flight) rc = hy_flight_over(job->flight, j->recorded, rc);
    if (!rc) {
        hy_join_log(job, &j->times);
        hy_store_release(&job->open, 1);
        *result = job;
        return HAYATE_OK;
    }
    const hy_failure failure = hy_failure_of(rc);
    hy_job_close(job);
    hy_job_free(job);
    return hy_fail_again(&failure);
}

/* ---- jobs of the environment and of a team ---- */

static int join_all(hy_joining *j)
{
    int rc = hy_joining_boot(j);
    if (!rc) rc = hy_joining_run(j, HY_JOIN_ALONE);
    return rc ? rc : hy_joining_run(j, HY_JOIN_TOGETHER);
}

int hy_job_open_in(hy_job **result, hy_team *team, int rank)
{
    hy_joining j;
    int rc = hy_joining_begin(&j);
    if (j.job) j.job->in_team = true;
    if (!rc) rc = hy_boot_open_in(&j.job->boot, team, rank);
    if (!rc) rc = join_all(&j);
    return hy_joining_end(&j, rc, result);
}

int hy_job_open(hy_job **result)
{
    hy_joining j;
    if (atomic_exchange(&open_jobs, 1))
        return hy_fail(HAYATE_ERR_STATE, "this process already has a job open: close it first");
    int rc = hy_joining_begin(&j);
    if (j.job) j.job->of_environment = true;
    else open_jobs = 0;
    if (!rc) rc = hy_boot_open(&j.job->boot);
    if (!rc) rc = join_all(&j);
    return hy_joining_end(&j, rc, result);
}

/* ---- leaving ---- */

/* hayate run removes the files of a job that has succeeded. Under another launcher, each rank
 * removes its own, unless another one has died. */
static void close_recorder(hy_job *job)
{
    bool kept = job->boot.ops == &hy_boot_local ||
                (hy_load_relaxed(&job->open) && hy_job_check_all(job) != HAYATE_OK);
    hy_flight_leave(job->flight, !kept);
}

void hy_job_close(hy_job *job)
{
    if (atomic_exchange(&job->closed, 1)) return;
    bool mine = job->opener == getpid();
    if (mine && job->flight) close_recorder(job);
    if (mine) {
        hy_job_flush(job); /* peers still wait for what this rank has sent */
        hy_far_leave(job);
    }
    if (job->boot.ops && job->boot.control) {
        if (job->bell) hy_bell_ring_slow(job->bell);
        if (mine) job->boot.ops->close(&job->boot);
    }
    if (job->of_environment) open_jobs = 0;
}

void hy_job_free(hy_job *job)
{
    hy_groups_forget(job);
    hy_far_close(job);
    hy_network_close(job);
    hy_meeting_close(job);
    hy_heap_close(&job->system);
    hy_heap_close(&job->heap);
    pthread_mutex_destroy(&job->lock);
    pthread_mutex_destroy(&job->asking);
    hy_worklist_close(&job->background);
    if (job->boot.ops) hy_boot_release(&job->boot);
    hy_watchdog_close(job);
    hy_flight_free(job->flight);
    free(job->late);
    hy_kmod_close(job->kmod);
    hy_job_close_eps(job);
    free(job);
}
