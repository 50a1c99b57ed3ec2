/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the job still goes on. Every wait asks in its slow turns, and every test of an
 * unfinished operation asks at once, so the answer costs only a few loads: ends of ranks are in
 * the control area. Whatever writes them there must be checked as well, because a launcher may
 * die, and without `hayate run` the ranks watch each other. That takes a system call or the lock
 * of a network, and is done once per tick. Therefore a caller learns of a death at most one tick
 * (10 ms) after it can be known. */
#include "job/flight.h"
#include "job/survive.h"

/* Tells other nodes about ends of ranks, one in each look, so that the time does not grow with
 * the number of nodes. */
static int check_look_around(hy_job *job, uint64_t tick)
{
    bool due = hy_ratelimit_pass(&job->look, tick);
    int rc = HAYATE_OK;
    if (hy_unlikely(job->nodes != NULL) && (due || job->nodes->more(job)))
        rc = job->nodes->look(job);
    if (hy_likely(!due)) return HAYATE_OK;
    if (!rc) rc = job->boot.ops->check(&job->boot);
    if (rc) hy_ratelimit_reset(&job->look); /* every thread gets the error */
    return rc;
}

static int look_at_far(hy_job *job, int peer, uint64_t tick)
{
    hy_ep *ep = hy_job_ep(job, peer);
    if (!hy_ratelimit_pass(&ep->look, tick)) return HAYATE_OK;
    int rc = job->nodes->check(job, peer);
    if (rc) hy_ratelimit_reset(&ep->look);
    return rc;
}

static int look_at(hy_job *job, int peer, uint64_t tick)
{
    int rc = HAYATE_OK;
    if (peer < 0 || peer == job->rank) return HAYATE_OK;
    if (hy_load_acquire(&hy_control_live_of(job->boot.control)->failures) != 0)
        rc = hy_boot_rank_status(&job->boot, peer);
    if (!rc && hy_unlikely(job->nodes != NULL) && hy_job_is_far(job, peer))
        rc = look_at_far(job, peer, tick);
    return rc;
}

/* Most often a rank leaves because another one died, and has reported that death before. So if a
 * rank is gone, the membership is read again, for hy_job_check_all() to know the cause. */
int hy_job_look(hy_job *job, int peer)
{
    if (hy_load_relaxed(&job->closed))
        return hy_fail(HAYATE_ERR_CLOSED, "the job was closed while the operation was under way");
    uint64_t tick = hy_tick_ns();
    if (hy_unlikely(job->flight != NULL)) hy_flight_beat(job->flight, tick);
    int without_launcher = check_look_around(job, tick), rc = look_at(job, peer, tick);
    if (hy_unlikely(rc && job->nodes)) {
        job->nodes->look(job);
        rc = look_at(job, peer, tick); /* sets the reason as this thread's last error again */
    }
    return rc ? rc : without_launcher;
}

int hy_job_check(hy_job *job, int peer)
{
    int rc = hy_job_look(job, peer);
    return hy_likely(rc || !job->survival.on) ? rc : hy_survive_check(job);
}

/* The first death is the cause of others, as long as none is acknowledged. */
int hy_job_check_all(hy_job *job)
{
    const hy_control *control = job->boot.control;
    int rc = hy_unlikely(job->nodes != NULL) ? job->nodes->check_all(job) : HAYATE_OK;
    if (rc) return rc;
    uint32_t known = hy_load_relaxed(&job->survival.acknowledged);
    if (hy_likely(hy_control_deaths(control) == known)) return HAYATE_OK;
    int dead = known ? hy_control_failed_last(control) : hy_control_failed_first(control);
    return dead < 0 ? HAYATE_OK : hy_boot_rank_status(&job->boot, dead);
}
