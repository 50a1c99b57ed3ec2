/* SPDX-License-Identifier: Apache-2.0 */
#include "job/meeting.h"

#include <stdlib.h>

#include "job/far.h"

#define ROUNDS 12 /* of up to 2^ROUNDS nodes */
#define FOR_EVER UINT64_MAX

_Static_assert(HY_MAX_RANKS <= 1 << ROUNDS, "a flag for each round");

/* At the beginning of the lead's area; a flag's data[0] is 1 + the rank because of which its sender
 * cannot come, 0: it has come. */
typedef struct door {
    HY_ALIGNED hy_flag flags[ROUNDS];
} door;

typedef struct hy_meeting {
    hy_job *job;
    int nodes, node;
    int *leads;  /* [nodes] */
    int *order;  /* [size] the ranks, node by node */
    int *starts; /* [nodes + 1] where each node's begin there */
    uint64_t number;
} hy_meeting;

static uint64_t half_bytes(const hy_job *job)
{
    return (uint64_t)job->size * HY_CARD_BYTES;
}

int hy_meeting_place(hy_job *job)
{
    if (job->boot.control->nodes == 1) return HAYATE_OK;
    uint64_t news = (uint64_t)job->size * sizeof(hy_flag);
    return hy_heap_take(&job->system, sizeof(door) + 2 * half_bytes(job) + news, HY_LINE,
                        &job->meeting_at);
}

uint64_t hy_meeting_news_at(const hy_job *job, int rank)
{
    return job->meeting_at + sizeof(door) + 2 * half_bytes(job) + (uint64_t)rank * sizeof(hy_flag);
}

/* Offset in any lead's part of the cards of the ranks from `index` of the order on. */
static uint64_t cards_at(const hy_meeting *m, int index)
{
    uint64_t half = m->number % 2 * half_bytes(m->job);
    return m->job->meeting_at + sizeof(door) + half + (uint64_t)index * HY_CARD_BYTES;
}

static uint64_t flag_at(const hy_meeting *m, int round)
{
    return m->job->meeting_at + (uint64_t)round * sizeof(hy_flag);
}

static hy_ep *lead_of(const hy_meeting *m, int node)
{
    return &m->job->eps[m->leads[(node + m->nodes) % m->nodes]];
}

static bool is_elsewhere(const hy_job *job, int rank)
{
    return hy_job_node_of(job, rank) != job->boot.control->node;
}

/* ---- one that cannot come ---- */

static void say(const hy_meeting *m, int round, uint64_t number, int failed)
{
    hy_ep *to = lead_of(m, m->node - (1 << round));
    const hy_flag flag = {number, {(uint64_t)(failed + 1)}};
    to->ops->put_flag(to, flag_at(m, round), &flag); /* an error shows where it is waited for */
}

static int give_up(const hy_meeting *m, int failed)
{
    for (int round = 0; 1 << round < m->nodes; round++) say(m, round, FOR_EVER, failed);
    if (is_elsewhere(m->job, failed)) hy_far_lost(m->job, failed, HY_RANK_DEAD);
    int rc = hy_boot_rank_status(&m->job->boot, failed);
    return rc ? rc
              : hy_fail_peer(HAYATE_ERR_PEER_FAILED, failed,
                             "ranks of other nodes have lost rank %d, of this node", failed);
}

/* ---- one that comes ---- */

static int put_range(const hy_meeting *m, hy_ep *to, int from, int count)
{
    uint64_t at = cards_at(m, m->starts[from]);
    uint64_t bytes = (uint64_t)(m->starts[from + count] - m->starts[from]) * HY_CARD_BYTES;
    return to->ops->put(to, at, m->job->part + at, bytes);
}

/* The cards of the first `count` nodes from this one on. */
static int put_cards(const hy_meeting *m, hy_ep *to, int count)
{
    int until_end = m->nodes - m->node;
    int first = count < until_end ? count : until_end;
    int rc = put_range(m, to, m->node, first);
    if (!rc && count > first) rc = put_range(m, to, 0, count - first);
    return rc;
}

static int await(const hy_meeting *m, int round, const hy_ep *from)
{
    hy_job *job = m->job;
    const hy_flag *flag = (const void *)(job->part + flag_at(m, round));
    hy_wait wait = hy_job_wait(job);
    int rc = HAYATE_OK;
    /* acquire: the cards came before */
    while (!rc && __atomic_load_n(&flag->value, __ATOMIC_ACQUIRE) < m->number) {
        hy_far_poll(job);
        if (hy_wait_once(&wait)) rc = hy_job_check(job, from->rank);
    }
    hy_job_wait_end(job, &wait);
    return rc && __atomic_load_n(&flag->value, __ATOMIC_ACQUIRE) >= m->number ? HAYATE_OK : rc;
}

/* Whose fault an error is: the peer's only if it says so. */
static int blame(const hy_meeting *m, int rc, const hy_ep *peer)
{
    bool peers = rc == HAYATE_ERR_PEER_FAILED && hayate_error_peer() == peer->rank;
    return peers ? peer->rank : m->job->rank;
}

/* -1: nobody; else the rank because of which this lead, or the one it listens to, cannot come. */
static int go_round(const hy_meeting *m, int round, bool cards)
{
    int distance = 1 << round;
    hy_ep *to = lead_of(m, m->node - distance), *from = lead_of(m, m->node + distance);
    int count = m->nodes - distance < distance ? m->nodes - distance : distance;
    int rc = cards ? put_cards(m, to, count) : HAYATE_OK;
    if (rc) return blame(m, rc, to);
    say(m, round, m->number, -1);
    rc = await(m, round, from);
    if (rc) return blame(m, rc, from);
    const hy_flag *flag = (const void *)(m->job->part + flag_at(m, round));
    uint64_t failed = __atomic_load_n(&flag->data[0], __ATOMIC_RELAXED);
    return failed <= (uint64_t)m->job->size ? (int)failed - 1 : from->rank;
}

static void copy_cards(const hy_meeting *m, int node, bool out)
{
    hy_control *control = m->job->boot.control;
    for (int i = m->starts[node]; i < m->starts[node + 1]; i++) {
        uint8_t *entry = control->ranks[m->order[i]].card, *here = m->job->part + cards_at(m, i);
        memcpy(out ? entry : here, out ? here : entry, HY_CARD_BYTES);
    }
}

/* Who is heard of for the first time has joined. */
static void take_cards(const hy_meeting *m)
{
    hy_control *control = m->job->boot.control;
    for (int node = 0; node < m->nodes; node++) {
        if (node == m->node) continue;
        copy_cards(m, node, true);
        for (int i = m->starts[node]; i < m->starts[node + 1]; i++) {
            uint32_t before = HY_RANK_EXPECTED;
            atomic_compare_exchange_strong(&control->ranks[m->order[i]].state, &before,
                                           HY_RANK_JOINED);
        }
    }
}

static int meet(void *context, int failed, bool cards)
{
    hy_meeting *m = context;
    m->number++;
    if (cards && failed < 0) copy_cards(m, m->node, false);
    for (int round = 0; failed < 0 && 1 << round < m->nodes; round++)
        failed = go_round(m, round, cards);
    if (failed >= 0) return give_up(m, failed);
    if (cards) take_cards(m);
    return HAYATE_OK;
}

/* ---- the tables ---- */

/* The numbers come from a segment that others write. */
static int check_places(const hy_job *job)
{
    const hy_control *control = job->boot.control;
    for (int rank = 0; rank < job->size; rank++) {
        int node = hy_job_node_of(job, rank);
        if (node < 0 || node >= control->nodes)
            return hy_fail(HAYATE_ERR_CORRUPT, "rank %d is said to live on node %d of %d", rank,
                           node, control->nodes);
    }
    for (int node = 0; node < control->nodes; node++)
        if (hy_job_node_of(job, hy_control_lead(control, node)) != node)
            return hy_fail(HAYATE_ERR_CORRUPT, "nobody is said to live on node %d", node);
    return HAYATE_OK;
}

static void fill(hy_meeting *m)
{
    const hy_job *job = m->job;
    for (int rank = 0; rank < job->size; rank++) m->starts[hy_job_node_of(job, rank) + 1]++;
    for (int node = 0; node < m->nodes; node++) {
        m->starts[node + 1] += m->starts[node];
        m->leads[node] = m->starts[node]; /* for now: where the next of its ranks goes */
    }
    for (int rank = 0; rank < job->size; rank++)
        m->order[m->leads[hy_job_node_of(job, rank)]++] = rank;
    for (int node = 0; node < m->nodes; node++) m->leads[node] = m->order[m->starts[node]];
}

int hy_meeting_open(hy_job *job)
{
    const hy_control *control = job->boot.control;
    size_t nodes = (size_t)control->nodes, size = (size_t)job->size;
    int rc = check_places(job);
    if (rc) return rc;
    hy_meeting *m = calloc(1, sizeof *m);
    int *tables = calloc(2 * nodes + 1 + size, sizeof *tables);
    if (!m || !tables) {
        free(m);
        free(tables);
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a job on %d nodes", control->nodes);
    }
    *m = (hy_meeting){.job = job, .nodes = control->nodes, .node = control->node};
    m->starts = tables;
    m->leads = tables + nodes + 1;
    m->order = tables + 2 * nodes + 1;
    fill(m);
    job->boot.between_context = m;
    job->boot.between = meet;
    return HAYATE_OK;
}

void hy_meeting_close(hy_job *job)
{
    hy_meeting *m = job->boot.between_context;
    job->boot.between = NULL;
    job->boot.between_context = NULL;
    if (m) free(m->starts);
    free(m);
}
