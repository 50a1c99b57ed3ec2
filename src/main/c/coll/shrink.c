/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the members that live, shows that to them, and connects those that have shown the same. */
#include "coll/shrink.h"

#include <stdlib.h>

#include "base/clock.h"
#include "coll/create.h"
#include "coll/limits.h"
#include "job/await.h"
#include "job/survive.h"

#define NOBODY 0 /* a digest of no list of members */

/* What this rank shows, and what it has seen. */
typedef struct shrink {
    hy_comms *comms;
    hy_comm *from;
    hy_creation made;
    int *members;    /* of `from` that are to be members, [count] */
    int count, self; /* self: the place of this rank */
    int met;         /* those before this one have shown the same */
    bool behind;     /* one has shown a higher generation */
    uint32_t deaths; /* which the list takes into account */
    hy_view view;    /* shown to all of them */
} shrink;

static hy_job *job_of(const shrink *s)
{
    return s->comms->job;
}

static int rank_of(const shrink *s, int i)
{
    return hy_group_member(&s->from->group, s->members[i]);
}

/* ---- what this rank shows ---- */

/* Until no rank dies meanwhile: what is counted is left out. */
static void list_members(shrink *s)
{
    const hy_control *control = job_of(s)->boot.control;
    const hy_group *group = &s->from->group;
    do {
        s->deaths = hy_control_deaths(control);
        s->count = 0;
        s->view.members = 0;
        for (int i = 0; i < group->size; i++) {
            int rank = hy_group_member(group, i);
            if (i == group->rank) s->self = s->count;
            else if (hy_control_state(control, rank) >= HY_RANK_LEFT) continue;
            s->members[s->count++] = i;
            s->view.members = hy_digest_add(s->view.members, (uint64_t)rank + 1);
        }
    } while (hy_control_deaths(control) != s->deaths);
    s->view.dead = (uint64_t)hy_control_failed_last(control) + 1;
}

/* What was shown is never given back: a member that has met all may write there. */
static void forget_areas(shrink *s)
{
    if (s->made.comm) s->made.comm->group.own = (hy_group_areas){0};
}

static void take_areas(shrink *s)
{
    hy_group_record mine = {.failed = 1};
    if (s->made.comm) hy_group_begin(&s->made.comm->group, job_of(s), 0, 0, s->count, &mine);
    if (mine.failed) mine.areas = (hy_group_areas){0};
    _Static_assert(sizeof mine.areas == sizeof s->view.areas, "are shown");
    memcpy(s->view.areas, &mine.areas, sizeof s->view.areas);
}

static void show_all(const shrink *s)
{
    for (int i = 1; i < s->count; i++)
        hy_view_show(job_of(s), rank_of(s, (s->self + i) % s->count), &s->view);
}

static void propose(shrink *s)
{
    forget_areas(s);
    list_members(s);
    take_areas(s);
    s->met = 0;
    s->behind = false;
    show_all(s);
}

/* Whoever has not met this rank waits for its next view, or for its end. */
static int withdraw(shrink *s, int rc)
{
    const hy_failure failure = hy_failure_of(rc);
    s->view.members = NOBODY;
    if (!hy_load_acquire(&job_of(s)->closed)) show_all(s);
    return hy_fail_again(&failure);
}

/* ---- what the others show ---- */

/* Whether a member has shown the same, and its record. */
static bool has_met(shrink *s, int i)
{
    hy_view view;
    hy_group_record *record = &s->from->records[i];
    if (i == s->self) view = s->view;
    else if (!hy_view_read(job_of(s), rank_of(s, i), &view)) return false;
    if (view.generation > s->view.generation) {
        s->behind = true;
        s->view.generation = view.generation; /* of the next view of this rank */
    }
    if (s->behind || view.generation != s->view.generation || view.members != s->view.members)
        return false;
    *record = (hy_group_record){.failed = view.areas[0] == 0};
    memcpy(&record->areas, view.areas, sizeof record->areas);
    return true;
}

static int shrink_step(void *context)
{
    shrink *s = context;
    while (!s->behind && s->met < s->count && has_met(s, s->met)) s->met++;
    return s->met == s->count ? HAYATE_OK : HAYATE_IN_PROGRESS;
}

/* One that has met this rank and then left the job is a member. */
static bool is_gone(shrink *s, int i)
{
    uint32_t state = hy_control_state(job_of(s)->boot.control, rank_of(s, i));
    if (i == s->self || state < HY_RANK_LEFT) return false;
    return state > HY_RANK_LEFT || (i >= s->met && !has_met(s, i));
}

/* A death of a rank that is no member is one of which the next list would know. */
static bool must_propose(shrink *s)
{
    uint32_t deaths = hy_control_deaths(job_of(s)->boot.control);
    for (int i = 0; i < s->count; i++)
        if (is_gone(s, i)) return true;
    s->deaths = deaths;
    return s->behind;
}

/* One that was stopped for too long may continue. */
static int check_self(const hy_job *job)
{
    if (hy_control_state(job->boot.control, job->rank) <= HY_RANK_LEFT) return HAYATE_OK;
    return hy_fail_peer(HAYATE_ERR_PEER_FAILED, job->rank,
                        "the other ranks take rank %d, this one, for dead: it cannot go on with "
                        "them",
                        job->rank);
}

/* Asks the network about all: whether they live is in the control area then. One that this rank has
 * met may have died, and others may wait for this rank to know. */
static int shrink_idle(void *context)
{
    shrink *s = context;
    int rc = hy_comms_check(s->comms);
    if (!rc) rc = hy_job_look(job_of(s), -1);
    if (!rc) rc = check_self(job_of(s));
    if (rc) return rc;
    for (int i = 0; i < s->count; i++) hy_job_look(job_of(s), rank_of(s, i));
    if (must_propose(s)) propose(s);
    return hy_limits_check(s->comms, s->from, s->members[s->met % s->count], "shrink");
}

static void shrink_tell(const void *context, hy_awaited *awaited)
{
    const shrink *s = context;
    awaited->kind = HY_AWAITED_RECORDS;
    hy_comm_tell(s->comms, s->from, s->members[s->met % s->count], awaited);
}

static int meet(shrink *s)
{
    uint64_t now = hy_tick_ns();
    s->from->waiting = (hy_waiting){.since_ns = now, .asked_ns = now};
    s->view.generation = hy_load_relaxed(&job_of(s)->survival.generation) + 1;
    if (s->view.generation < hy_load_relaxed(&job_of(s)->survival.asked))
        s->view.generation = hy_load_relaxed(&job_of(s)->survival.asked);
    propose(s);
    return hy_job_await(&(hy_await){.job = job_of(s),
                                    .step = shrink_step,
                                    .idle = shrink_idle,
                                    .tell = shrink_tell,
                                    .context = s,
                                    .poll = hy_progress});
}

/* ---- all have shown the same ---- */

static void read_met(void *context, int candidate, int *rank, hy_group_record *record)
{
    const shrink *s = context;
    *rank = rank_of(s, candidate);
    *record = s->from->records[candidate];
}

/* Views that are on their way arrive even if this rank now computes for long. */
static void flush_views(const shrink *s)
{
    for (int i = 0; i < s->count; i++) {
        hy_ep *ep = hy_job_ep(job_of(s), rank_of(s, i));
        if (hy_ep_is_far(ep)) ep->ops->flush(ep);
    }
}

static int connect(shrink *s)
{
    const hy_candidates members = {s->count, s->self, read_met, s};
    int rc = hy_group_connect(&s->made.comm->group, 0, &members);
    if (!rc) rc = hy_creation_fill(s->made.comm);
    if (!rc) flush_views(s);
    return rc;
}

/* Whoever was shown this generation may have completed it: it is never used again. */
static int shrink_run(shrink *s)
{
    hy_survival *survival = &job_of(s)->survival;
    const hy_failure begun = hy_failure_of(hy_creation_begin(s->comms, true, &s->made));
    int rc = meet(s);
    if (rc) rc = withdraw(s, rc);
    else rc = begun.code ? hy_fail_again(&begun) : connect(s);
    hy_store_relaxed(&survival->generation, s->view.generation);
    if (rc) {
        const hy_failure failure = hy_failure_of(rc);
        forget_areas(s);
        hy_creation_abandon(s->comms, &s->made);
        return hy_fail_again(&failure);
    }
    hy_store_relaxed(&survival->acknowledged, s->deaths);
    hy_creation_publish(s->comms, &s->made);
    return HAYATE_OK;
}

/* ---- the call ---- */

static int check(const hy_comms *comms)
{
    if (comms->job->survival.on) return hy_comms_check(comms);
    return hy_fail(HAYATE_ERR_STATE,
                   "this job does not survive deaths of ranks: start it with hayate run --survive, "
                   "or with HAYATE_SURVIVE=1 in the environment of all ranks");
}

static int fail_busy(int number)
{
    return hy_fail(HAYATE_ERR_BUSY,
                   "communicator %d cannot shrink: a collective is under way on it (wait for its "
                   "request), or another thread of this rank shrinks one",
                   number);
}

/* With `from` taken, which may be broken. */
static int shrink_taken(hy_comms *comms, hy_comm *from, int number, int *result)
{
    if (from->number != number) return hy_comm_refuse(from, number);
    shrink s = {.comms = comms, .from = from, .made = {.number = FMPL_COMM_NULL}};
    s.members = malloc((size_t)from->group.size * sizeof *s.members);
    if (!s.members) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to shrink a communicator");
    int rc = shrink_run(&s);
    free(s.members);
    if (!rc) *result = s.made.number;
    return rc;
}

int hy_comm_shrink(hy_comms *comms, int number, int *result)
{
    *result = FMPL_COMM_NULL;
    int rc = check(comms);
    hy_comm *from = rc ? NULL : hy_comm_find(comms, number);
    if (!from) return rc ? rc : HAYATE_ERR_ARGUMENT;
    _Atomic uint32_t *busy = &comms->job->survival.busy;
    if (!hy_busy_take(busy)) return fail_busy(number);
    if (hy_busy_take(&from->busy)) {
        rc = shrink_taken(comms, from, number, result);
        hy_busy_leave(&from->busy);
    } else {
        rc = fail_busy(number);
    }
    hy_busy_leave(busy);
    return rc;
}
