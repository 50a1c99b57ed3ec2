/* SPDX-License-Identifier: Apache-2.0 */
/* Fences and exchanges of records between nodes: the dissemination algorithm of the leaders, by
 * flags and puts into their system areas. */
#include "nodes/meeting.h"

#include <stddef.h>
#include <stdlib.h>

#include "job/await.h"
#include "nodes/far.h"
#include "nodes/membership.h"
#include "nodes/node_map.h"

#define ROUNDS 20 /* for up to 2^ROUNDS nodes */
#define FOR_EVER UINT64_MAX

_Static_assert(HY_MAX_RANKS <= 1 << ROUNDS, "one flag per round");

/* What a leader knows of the records of the nodes that have reached it, directly or through others.
 */
typedef struct summary {
    uint8_t record[HY_RECORD_BYTES]; /* of its node */
    HY_ALIGNED uint64_t differ;      /* not all of them are equal to this one */
} summary;

/* At the start of the leader's area. A flag's data[0] is 0 if its sender has come, else 1 + the
 * rank because of which it cannot come. */
typedef struct area {
    HY_ALIGNED hy_flag flags[ROUNDS];
    summary mine, theirs[2][ROUNDS];
    _Atomic uint32_t gathered; /* ALIKE, or the half that holds the records of the last exchange */
} area;

/* Values of area.gathered. Otherwise its lowest bit is the half. */
enum { ALIKE = 0, FIRST_HALF = 2 };

/* What a leader puts before its flag. */
typedef enum payload { NOTHING, SUMMARY, RECORDS } payload;

typedef struct hy_meeting {
    hy_job *job;
    int nodes, node;
    uint64_t number;
} hy_meeting;

static uint64_t half_bytes(const hy_job *job)
{
    return (uint64_t)job->size * HY_RECORD_BYTES;
}

int hy_meeting_place(hy_job *job)
{
    if (job->boot.control->nodes == 1) return HAYATE_OK;
    return hy_heap_take(&job->system, sizeof(area) + 2 * half_bytes(job) + hy_membership_bytes(job),
                        HY_LINE, &job->meeting_at);
}

uint64_t hy_meeting_membership_at(const hy_job *job)
{
    return job->meeting_at + sizeof(area) + 2 * half_bytes(job);
}

/* The area of a rank of this node. */
static area *area_of(const hy_job *job, int rank)
{
    return (area *)(void *)(hy_control_part(job->boot.control, rank) + job->meeting_at);
}

/* The offset of the records of a meeting in any leader's part, by the meeting's number or half. */
static uint64_t records_at(const hy_meeting *m, uint64_t number)
{
    return m->job->meeting_at + sizeof(area) + number % 2 * half_bytes(m->job);
}

static uint64_t flag_at(const hy_meeting *m, int round)
{
    return m->job->meeting_at + (uint64_t)round * sizeof(hy_flag);
}

static uint64_t summary_at(const hy_meeting *m, int round)
{
    return m->job->meeting_at + offsetof(area, theirs) +
           (m->number % 2 * ROUNDS + (uint64_t)round) * sizeof(summary);
}

static hy_ep *leader_of(const hy_meeting *m, int node)
{
    return hy_job_ep(m->job, hy_node_map_leader(m->job, (node + m->nodes) % m->nodes));
}

static bool is_elsewhere(const hy_job *job, int rank)
{
    return hy_job_node_of(job, rank) != job->boot.control->node;
}

/* ---- a leader that cannot come ---- */

static void put_flag(const hy_meeting *m, int round, uint64_t number, int failed)
{
    hy_ep *to = leader_of(m, m->node - (1 << round));
    const hy_flag flag = {number, {(uint64_t)(failed + 1)}};
    to->ops->put_flag(to, flag_at(m, round), &flag); /* the wait for this peer reports an error */
}

static int meeting_give_up(const hy_meeting *m, int failed)
{
    for (int round = 0; 1 << round < m->nodes; round++) put_flag(m, round, FOR_EVER, failed);
    if (is_elsewhere(m->job, failed)) hy_far_lost(m->job, failed, HY_RANK_DEAD);
    if (hy_load_relaxed(&m->job->closed))
        return hy_fail(HAYATE_ERR_CLOSED, "the job was closed during a meeting of its nodes");
    int rc = hy_boot_rank_status(&m->job->boot, failed);
    return rc ? rc
              : hy_fail_peer(
                    HAYATE_ERR_PEER_FAILED, failed,
                    "ranks of other nodes have lost the connection to rank %d of this node",
                    failed);
}

/* ---- a leader that comes ---- */

static int put_range(const hy_meeting *m, hy_ep *to, int from, int count)
{
    int start = hy_node_map_start(m->job, from), end = hy_node_map_start(m->job, from + count);
    uint64_t at = records_at(m, m->number) + (uint64_t)start * HY_RECORD_BYTES;
    uint64_t bytes = end > start ? (uint64_t)(end - start) * HY_RECORD_BYTES : 0;
    return to->ops->put(to, at, m->job->part + at, bytes);
}

/* Puts the records of `count` nodes, starting with this one. */
static int put_records(const hy_meeting *m, hy_ep *to, int count)
{
    int until_end = m->nodes - m->node;
    int first = count < until_end ? count : until_end;
    int rc = put_range(m, to, m->node, first);
    if (!rc && count > first) rc = put_range(m, to, 0, count - first);
    return rc;
}

static int put_payload(const hy_meeting *m, hy_ep *to, int round, payload what)
{
    int distance = 1 << round;
    int count = m->nodes - distance < distance ? m->nodes - distance : distance;
    if (what == RECORDS) return put_records(m, to, count);
    if (what == NOTHING) return HAYATE_OK;
    return to->ops->put(to, summary_at(m, round), &area_of(m->job, m->job->rank)->mine,
                        sizeof(summary));
}

/* Compares the received summary with the one that this leader sends: so every leader learns
 * whether all records are equal. */
static void take_summary(const hy_meeting *m, int round)
{
    summary *mine = &area_of(m->job, m->job->rank)->mine;
    const summary *received = (const void *)(m->job->part + summary_at(m, round));
    if (received->differ || memcmp(received->record, mine->record, sizeof mine->record) != 0)
        mine->differ = 1;
}

/* What a leader waits for in a round. */
typedef struct arrival {
    const hy_meeting *m;
    const hy_flag *flag;
    int from;
} arrival;

/* Acquire order: the records were written before. */
static int has_arrived(void *context)
{
    const arrival *a = context;
    bool there = __atomic_load_n(&a->flag->value, __ATOMIC_ACQUIRE) >= a->m->number;
    return there ? HAYATE_OK : HAYATE_IN_PROGRESS;
}

static int can_arrive(void *context)
{
    const arrival *a = context;
    hy_far_poll(a->m->job);
    return hy_job_check(a->m->job, a->from);
}

static void tell_arrival(const void *context, hy_awaited *awaited)
{
    const arrival *a = context;
    awaited->kind = HY_AWAITED_NODE;
    awaited->peer = a->from;
}

static int await_arrival(const hy_meeting *m, int round, const hy_ep *from)
{
    arrival a = {m, (const void *)(m->job->part + flag_at(m, round)), from->rank};
    return hy_job_await(&(hy_await){.job = m->job,
                                    .step = has_arrived,
                                    .idle = can_arrive,
                                    .tell = tell_arrival,
                                    .context = &a,
                                    .poll = hy_far_poll});
}

/* The rank to which an error is attributed: the peer only if the error names it. */
static int blame(const hy_meeting *m, int rc, const hy_ep *peer)
{
    bool peers = rc == HAYATE_ERR_PEER_FAILED && hayate_error_peer() == peer->rank;
    return peers ? peer->rank : m->job->rank;
}

/* -1: no failure; else the rank because of which this leader, or the one to which it listens,
 * cannot come. */
static int go_round(const hy_meeting *m, int round, payload what)
{
    hy_ep *to = leader_of(m, m->node - (1 << round)), *from = leader_of(m, m->node + (1 << round));
    int rc = put_payload(m, to, round, what);
    if (rc) return blame(m, rc, to);
    put_flag(m, round, m->number, -1);
    rc = await_arrival(m, round, from);
    if (rc) return blame(m, rc, from);
    const hy_flag *flag = (const void *)(m->job->part + flag_at(m, round));
    uint64_t failed = __atomic_load_n(&flag->data[0], __ATOMIC_RELAXED);
    if (failed > (uint64_t)m->job->size) return from->rank;
    if (what == SUMMARY && !failed) take_summary(m, round);
    return (int)failed - 1;
}

/* All rounds; the result is that of go_round(). */
static int go(const hy_meeting *m, payload what)
{
    int failed = -1;
    for (int round = 0; failed < 0 && 1 << round < m->nodes; round++)
        failed = go_round(m, round, what);
    return failed;
}

/* ---- records ---- */

/* Writes the record of this node's ranks, and whether they differ. */
static void write_summary(const hy_meeting *m)
{
    const hy_control *control = m->job->boot.control;
    summary *mine = &area_of(m->job, m->job->rank)->mine;
    memcpy(mine->record, hy_boot_record(&m->job->boot, m->job->rank), HY_RECORD_BYTES);
    mine->differ = 0;
    for (uint32_t i = 1; i < control->parts && !mine->differ; i++)
        mine->differ = memcmp(mine->record, hy_control_entry_at(control, i)->record,
                              HY_RECORD_BYTES) != 0;
}

static void write_records(const hy_meeting *m)
{
    const hy_control *control = m->job->boot.control;
    uint64_t first = (uint64_t)hy_node_map_start(m->job, m->node);
    int count = hy_node_map_count(m->job, m->node);
    uint8_t *to = m->job->part + records_at(m, m->number) + first * HY_RECORD_BYTES;
    for (int i = 0; i < count && i < (int)control->parts; i++, to += HY_RECORD_BYTES)
        memcpy(to, hy_control_entry_at(control, (uint32_t)i)->record, HY_RECORD_BYTES);
}

static int fence(hy_meeting *m)
{
    m->number++;
    return go(m, NOTHING);
}

/* Summaries are one cache line. Only if records differ do all of them go to all nodes. */
static int meeting_exchange(hy_meeting *m)
{
    area *own = area_of(m->job, m->job->rank);
    m->number++;
    write_summary(m);
    int failed = go(m, SUMMARY);
    if (failed >= 0 || !own->mine.differ) {
        hy_store_release(&own->gathered, ALIKE);
        return failed;
    }
    m->number++;
    write_records(m);
    failed = go(m, RECORDS);
    hy_store_release(&own->gathered, FIRST_HALF + (uint32_t)(m->number % 2));
    return failed;
}

/* The record of a rank of another node; if all records are equal, the local one serves. Records
 * that the leader has written are in its part. */
static const void *record_of(const void *context, int rank)
{
    const hy_meeting *m = context;
    const hy_control *control = m->job->boot.control;
    uint32_t gathered = hy_load_acquire(&area_of(m->job, control->leader)->gathered);
    if (gathered == ALIKE) return hy_boot_record(&m->job->boot, m->job->rank);
    const uint8_t *records = hy_control_part(m->job->boot.control, control->leader) +
                             records_at(m, gathered);
    return records + (uint64_t)hy_node_map_index(m->job, rank) * HY_RECORD_BYTES;
}

/* ---- opening ---- */

static int meeting_meet(void *context, int failed, bool records)
{
    hy_meeting *m = context;
    if (failed < 0 && records) failed = meeting_exchange(m);
    else if (failed < 0) failed = fence(m);
    if (failed >= 0) return meeting_give_up(m, failed);
    return HAYATE_OK;
}

int hy_meeting_open(hy_job *job)
{
    const hy_control *control = job->boot.control;
    hy_meeting *m = calloc(1, sizeof *m);
    if (!m) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a job on %d nodes", control->nodes);
    *m = (hy_meeting){.job = job, .nodes = control->nodes, .node = control->node};
    job->boot.between_context = m;
    job->boot.between_record = record_of;
    job->boot.between = meeting_meet;
    return HAYATE_OK;
}

void hy_meeting_close(hy_job *job)
{
    hy_meeting *m = job->boot.between_context;
    job->boot.between = NULL;
    job->boot.between_record = NULL;
    job->boot.between_context = NULL;
    free(m);
}
