/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of joining, in the order of a table: memory, networks, records, agreement. */
#include "init/joining.h"

#include <string.h>

#include "base/log.h"
#include "base/settings.h"
#include "job/survive.h"
#include "msg/rendezvous.h"
#include "nodes/far.h"
#include "nodes/meeting.h"
#include "nodes/network.h"
#include "nodes/node_map.h"
#include "path/kmod/kmod.h"

/* What a rank tells the ranks of its node when it joins. */
typedef struct node_record {
    uint64_t cookie, cookie_address, segment;
    uint8_t space[16]; /* of hy_boot: ranks with the same value share an address space */
    int net_local;     /* must be the same on all ranks */
} node_record;

/* What a rank tells all ranks: nearly always the same on all of them, see nodes/meeting.h. */
typedef struct job_record {
    uint64_t eager_limit, cma_from, rendezvous, survives; /* must be the same on all ranks */
    uint64_t part_bytes;
    uint64_t reach; /* ALL_SINGLE, ALL_HERE */
} job_record;

_Static_assert(sizeof(node_record) <= HY_RECORD_BYTES && sizeof(job_record) <= HY_RECORD_BYTES,
               "fits into a record");

_Static_assert(HY_EAGER_LIMIT_LOW == HY_SLOT_PAYLOAD, "shorter messages always go in a slot");
_Static_assert(HY_ATTACH_CACHE_HIGH == HY_WINDOWS_MOST * HY_WINDOW_BYTES, "all windows");

static bool asks_for(const hy_job *job, const char *rendezvous)
{
    return strcmp(hy_job_rendezvous(job), rendezvous) == 0;
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
    if (!rc) rc = hy_meeting_place(job);
    return rc ? rc : hy_survive_place(job);
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
        record.rendezvous != mine->rendezvous || record.survives != mine->survives)
        return hy_fail_peer(HAYATE_ERR_LAUNCH, rank,
                            "rank %d has a different HAYATE_EAGER_LIMIT, HAYATE_CMA_FROM,"
                            " HAYATE_RENDEZVOUS or HAYATE_SURVIVE: set each to the same value on"
                            " all ranks",
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
                             .survives = job->survival.on,
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
    bool shared = !job->in_team && (is_alone(job) || job->boot.mixed);
    if (job->size > 1 && shared && !asks_for(job, "cma"))
        memcpy(use.token, job->boot.control->token, sizeof use.token);
    job->kmod = hy_kmod_open(&use);
    return job->kmod ? HAYATE_OK : hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a job");
}

/* Those that wait for nobody but ranks of this node come first: then this rank's network is open,
 * and its address is known. */
static const struct {
    hy_join_stage stage;
    const char *name;
    int (*run)(hy_job *job);
} steps[] = {
    {HY_JOIN_ALONE, "memory", lay_out},          {HY_JOIN_ALONE, "module", enter_module},
    {HY_JOIN_ALONE, "nodes", meet_nodes},        {HY_JOIN_TOGETHER, "ranks", join_meet},
    {HY_JOIN_TOGETHER, "agreement", join_agree}, {HY_JOIN_TOGETHER, "check", check_forced}};

int hy_joining_run(hy_joining *j, hy_join_stage stage)
{
    int rc = HAYATE_OK;
    for (size_t i = 0; !rc && i < sizeof steps / sizeof *steps; i++) {
        if (steps[i].stage != stage) continue;
        rc = steps[i].run(j->job);
        hy_join_time(&j->times, steps[i].name);
    }
    return rc;
}
