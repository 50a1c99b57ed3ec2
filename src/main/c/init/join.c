/* SPDX-License-Identifier: Apache-2.0 */
/* Joins a job in steps, in the order of a table: segment, memory, networks, records; leaves it
 * in reverse. */
#include "init/join.h"

#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/settings.h"
#include "base/clock.h"
#include "base/log.h"
#include "init/join_log.h"
#include "job/flight.h"
#include "nodes/far.h"
#include "nodes/meeting.h"
#include "nodes/network.h"
#include "job/progress.h"
#include "msg/rendezvous.h"
#include "nodes/node_map.h"
#include "path/kmod/kmod.h"
#include "watchdog/watchdog.h"
#include "wire/group.h"

/* What a rank tells the ranks of its node when it joins. */
typedef struct node_record {
    uint64_t cookie, cookie_address, segment;
    uint8_t space[16]; /* of hy_boot: ranks with the same value share an address space */
    int net_local;     /* must be the same on all ranks */
} node_record;

/* What a rank tells all ranks: nearly always the same on all of them, see nodes/meeting.h. */
typedef struct job_record {
    uint64_t eager_limit, cma_from, rendezvous; /* must be the same on all ranks */
    uint64_t part_bytes;
    uint64_t reach; /* ALL_SINGLE, ALL_HERE */
} job_record;

_Static_assert(sizeof(node_record) <= HY_RECORD_BYTES && sizeof(job_record) <= HY_RECORD_BYTES,
               "fits into a record");

_Static_assert(HY_EAGER_LIMIT_LOW == HY_SLOT_PAYLOAD, "shorter messages always go in a slot");
_Static_assert(HY_ATTACH_CACHE_HIGH == HY_WINDOWS_MOST * HY_WINDOW_BYTES, "all windows");

/* A process has at most one job of the environment at a time, but any number of teams. */
static _Atomic uint32_t open_jobs;

static bool asks_for(const hy_job *job, const char *rendezvous)
{
    return strcmp(hy_job_rendezvous(job), rendezvous) == 0;
}

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
    if (!rc) rc = hy_watchdog_open(job);
    if (rc) return rc;
    job->rendezvous = (int)rendezvous;
    job->single_forced = hy_rendezvous_forces_single(job);
    return HAYATE_OK;
}

static int lay_out(hy_job *job)
{
    const hy_control *control = job->boot.control;
    job->part_bytes = control->part_bytes;
    job->heap_start = control->part_bytes - control->heap_bytes;
    job->part = hy_control_part(job->boot.control, job->rank);
    if (!job->part)
        return hy_fail(HAYATE_ERR_CORRUPT, "rank %d has no part of this node's segment", job->rank);
    job->bell = &hy_control_entry_of(job->boot.control, job->rank)->bell;
    job->counters = (hy_counters *)(void *)job->part;
    int rc = hy_heap_open(&job->system, job->heap_start);
    if (!rc) rc = hy_heap_open(&job->heap, control->heap_bytes);
    uint64_t counters, waits;
    if (!rc) rc = hy_heap_take(&job->system, sizeof(hy_counters), HY_LINE, &counters);
    if (!rc) rc = hy_heap_take(&job->system, sizeof(hy_waits), HY_LINE, &waits);
    job->waits = (hy_waits *)(void *)(job->part + sizeof(hy_counters));
    return rc ? rc : hy_meeting_place(job);
}

static bool is_here(const hy_job *job, const node_record *record)
{
    static const uint8_t alone[sizeof record->space];
    return memcmp(record->space, alone, sizeof alone) != 0 &&
           memcmp(record->space, job->boot.space, sizeof record->space) == 0;
}

static void open_ep(hy_job *job, int rank, const node_record *record)
{
    hy_control *control = job->boot.control;
    const hy_ep made = {
        .ops = &hy_path_shm,
        .part = hy_control_part(control, rank),
        .part_bytes = control->part_bytes,
        .here = rank == job->rank || is_here(job, record),
        .bell = &hy_control_entry_of(control, rank)->bell,
        .rank = rank,
        .pid = hy_load_relaxed(&hy_control_live_of(control)->ranks[rank].pid),
        .cookie_address = record->cookie_address,
        .cookie = record->cookie,
        .kmod = job->kmod,
        .segment = record->segment,
    };
    bool forced = job->single_forced && rank != job->rank;
    hy_ep_choose_single(hy_job_set_ep(job, rank, &made), forced ? hy_job_rendezvous(job) : NULL);
}

static int meet_nodes(hy_job *job)
{
    int rc = hy_job_open_eps(job);
    if (!rc && hy_job_nodes(job) > 1) rc = hy_node_map_open(job);
    if (!rc) rc = hy_network_open(job);
    if (rc || hy_job_nodes(job) == 1) return rc;
    rc = hy_far_open(job);
    return rc ? rc : hy_meeting_open(job);
}

static int join_meet(hy_job *job)
{
    node_record mine = {.cookie = job->cookie,
                        .cookie_address = (uint64_t)(uintptr_t)&job->cookie,
                        .segment = hy_kmod_segment(job->kmod)};
    memcpy(mine.space, job->boot.space, sizeof mine.space);
    int rc = hy_network_local_choose(&mine.net_local);
    if (!rc) rc = hy_boot_exchange_here(&job->boot, &mine, sizeof mine);
    for (int rank = 0; !rc && rank < job->size; rank++) {
        if (!hy_control_is_here(job->boot.control, rank)) continue;
        node_record record;
        hy_copy_once(&record, hy_boot_record(&job->boot, rank), sizeof record);
        if (record.net_local != mine.net_local)
            return hy_fail_peer(
                HAYATE_ERR_LAUNCH, rank,
                "rank %d has a different HAYATE_NET_LOCAL: set it to the same value on all ranks",
                rank);
        open_ep(job, rank, &record);
    }
    return rc ? rc : hy_network_local_open(job, mine.net_local);
}

enum { ALL_SINGLE = 1, ALL_HERE = 2 };

/* Whether single copy, or loads and stores, work between any two ranks: collectives need them
 * for all pairs. */
static uint64_t reach_of(const hy_job *job)
{
    uint64_t reach = ALL_SINGLE | ALL_HERE;
    for (int rank = 0; reach && rank < job->size; rank++) {
        const hy_ep *ep = hy_job_known_ep(job, rank);
        if (!ep || !ep->single) reach &= ~(uint64_t)ALL_SINGLE;
        if (!ep || !ep->here) reach &= ~(uint64_t)ALL_HERE;
    }
    return reach;
}

static int compare(hy_job *job, int rank, const job_record *mine, uint64_t *reach)
{
    job_record record;
    hy_copy_once(&record, hy_boot_record(&job->boot, rank), sizeof record);
    if (record.eager_limit != mine->eager_limit || record.cma_from != mine->cma_from ||
        record.rendezvous != mine->rendezvous)
        return hy_fail_peer(HAYATE_ERR_LAUNCH, rank,
                            "rank %d has a different HAYATE_EAGER_LIMIT, HAYATE_CMA_FROM or"
                            " HAYATE_RENDEZVOUS: set each to the same value on all ranks",
                            rank);
    if (record.part_bytes != mine->part_bytes && !hy_control_is_here(job->boot.control, rank))
        hy_job_ep(job, rank)->part_bytes = record.part_bytes;
    *reach &= record.reach;
    return HAYATE_OK;
}

static int join_agree(hy_job *job)
{
    const job_record mine = {.eager_limit = job->eager_limit,
                             .cma_from = job->cma_from,
                             .rendezvous = (uint64_t)job->rendezvous,
                             .part_bytes = job->part_bytes,
                             .reach = reach_of(job)};
    uint64_t all = mine.reach;
    int rc = hy_boot_fence(&job->boot); /* all ranks have read the records */
    if (!rc) rc = hy_boot_exchange(&job->boot, &mine, sizeof mine);
    for (int rank = 0; !rc && rank < job->size; rank++) rc = compare(job, rank, &mine, &all);
    if (rc) return rc;
    job->single_copy = (all & ALL_SINGLE) && !asks_for(job, "pipeline");
    job->direct = (all & ALL_HERE) && job->size > 1 &&
                  (asks_for(job, "auto") || asks_for(job, "direct"));
    for (int rank = 0; job->direct && rank < job->size; rank++)
        hy_job_ep(job, rank)->part_bytes = UINT64_MAX;
    return hy_boot_fence(&job->boot);
}

static bool is_alone(const hy_job *job)
{
    static const uint8_t alone[sizeof job->boot.space];
    return memcmp(job->boot.space, alone, sizeof alone) == 0;
}

/* Under --pvas, a rank in another address space is not a task. If this rank is one of those, the
 * error is about this rank. */
static int refuse_direct(const hy_job *job, int rank)
{
    if (!job->boot.tasks)
        return hy_fail(HAYATE_ERR_UNSUPPORTED,
                       "HAYATE_RENDEZVOUS=direct: rank %d is in another address space: start the"
                       " ranks with hayate run --pvas",
                       rank);
    return hy_fail(HAYATE_ERR_UNSUPPORTED,
                   "HAYATE_RENDEZVOUS=direct: rank %d is a separate process, not a task, although "
                   "hayate run --pvas started it: see the warning of hayate run; name the program "
                   "itself (hayate run --pvas -- java ...), or end a script with exec",
                   is_alone(job) ? job->rank : rank);
}

/* A forced protocol that does not work is an error at once, not at the first long message. */
static int check_forced(hy_job *job)
{
    const bool direct = asks_for(job, "direct");
    bool told = false;
    for (int rank = 0; rank < job->size; rank++) {
        const hy_ep *ep = hy_job_known_ep(job, rank);
        if (!ep || hy_ep_is_far(ep)) continue;
        if (direct && !ep->here) return refuse_direct(job, rank);
        if (ep->single) continue;
        if (job->single_forced)
            return hy_fail(HAYATE_ERR_UNSUPPORTED, "HAYATE_RENDEZVOUS=%s: %s",
                           hy_job_rendezvous(job), ep->why_not_single);
        if (told) continue;
        told = true;
        hy_log(HY_LOG_INFO, "no single copy with rank %d, using blocks through shared memory: %s",
               rank, ep->why_not_single);
    }
    return HAYATE_OK;
}

/* A process enters by the module's secret: every process that maps the segment has it. Ranks
 * that share an address space do not need the module, and a forced cma does not use it. */
static int enter_module(hy_job *job)
{
    hy_kmod_use use = {.ranks = job->size, .at_once = asks_for(job, "attach")};
    int rc = hy_setting_value(HY_SET(ATTACH_CACHE), &use.attach_bytes);
    if (rc) return rc;
    if (asks_for(job, "copy")) use.attach_bytes = 0;
    if (job->size > 1 && !job->in_team && !asks_for(job, "cma") && is_alone(job))
        memcpy(use.token, job->boot.control->token, sizeof use.token);
    job->kmod = hy_kmod_open(&use);
    return job->kmod ? HAYATE_OK : hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a job");
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

/* The steps of joining, once the launcher has admitted this rank. */
static const struct {
    const char *name;
    int (*run)(hy_job *job);
} steps[] = {{"memory", lay_out},  {"module", enter_module},  {"nodes", meet_nodes},
             {"ranks", join_meet}, {"agreement", join_agree}, {"check", check_forced}};

static int join_steps(hy_job *job, hy_join_times *times)
{
    int rc = HAYATE_OK;
    for (size_t i = 0; !rc && i < sizeof steps / sizeof *steps; i++) {
        rc = steps[i].run(job);
        hy_join_time(times, steps[i].name);
    }
    return rc;
}

/* The first operation in the flight recorder is this one. */
static int join_recorded(hy_job *job, hy_join_times *times)
{
    hy_awaited init = {.kind = HY_AWAITED_FENCE, .what = 1, .peer = -1};
    int rc = hy_flight_open(&job->flight, job->rank, job->size);
    if (rc || !job->flight) return rc ? rc : join_steps(job, times);
    uint64_t name = hy_flight_begin(job->flight, &init);
    return hy_flight_over(job->flight, name, join_steps(job, times));
}

/* team NULL: the environment describes the job */
static int join_open_all(hy_job *job, hy_team *team, int rank)
{
    hy_join_times times = {.begun = hy_now_ns()};
    int rc = read_settings(job);
    if (rc) return rc;
    if (getrandom(&job->cookie, sizeof job->cookie, 0) != sizeof job->cookie)
        return hy_fail_errno("getrandom");
    hy_wait_setup();
    rc = team ? hy_boot_open_in(&job->boot, team, rank) : hy_boot_open(&job->boot);
    if (rc) return rc;
    job->rank = job->boot.rank;
    job->size = job->boot.size;
    job->opener = getpid();
    if (job->rank == 0) hy_settings_warn(); /* the other ranks have the same environment */
    job->boot.idle_context = job;
    job->boot.idle = progress_in_fence;
    job->boot.tell = tell_fence;
    job->boot.told = fence_is_over;
    rc = hy_wait_policy_choose(&job->policy, (int)job->boot.control->parts,
                               (int)job->boot.control->cpus);
    hy_join_time(&times, "launcher");
    if (!rc) rc = join_recorded(job, &times);
    if (!rc) hy_join_log(job, &times);
    return rc;
}

int hy_job_open_in(hy_job **result, hy_team *team, int rank)
{
    if (!team && atomic_exchange(&open_jobs, 1))
        return hy_fail(HAYATE_ERR_STATE, "this process already has a job open: close it first");
    hy_job *job = aligned_alloc(HY_LINE, hy_round_up(sizeof *job, HY_LINE));
    if (!job) {
        if (!team) open_jobs = 0;
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a job");
    }
    *job = (hy_job){.boot = {.socket = -1, .segment_fd = -1}, .in_team = team != NULL};
    pthread_mutex_init(&job->lock, NULL);
    pthread_mutex_init(&job->asking, NULL);
    hy_worklist_open(&job->background);
    int rc = join_open_all(job, team, rank);
    if (rc) {
        hy_job_close(job);
        hy_job_free(job);
        return rc;
    }
    hy_store_release(&job->open, 1);
    *result = job;
    return HAYATE_OK;
}

int hy_job_open(hy_job **result)
{
    return hy_job_open_in(result, NULL, 0);
}

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
    if (!job->in_team) open_jobs = 0;
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
