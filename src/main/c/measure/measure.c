/* SPDX-License-Identifier: Apache-2.0 */
/* Measures each term: member 0 takes the time, and member 1 sets up the other side as it is in a
 * collective, that is, it writes what is fetched and reads what was put, so that cache lines
 * travel. */
#include <math.h>
#include <sched.h>
#include <stdlib.h>

#include "base/arch.h"
#include "base/clock.h"
#include "base/copy.h"
#include "coll/exchange.h"
#include "job/await.h"
#include "measure/measure_state.h"

#define STREAM (UINT64_C(48) << 20)
#define COOKIE 0x6d656173
#define SHORT 4096
#define PIECES 16
#define APART 12736 /* a distance that no prefetcher expects, in other sets of the caches */
#define TRIPS 32
#define TRIP_SECONDS 0.001
#define BARRIERS 64

/* ---- synchronisation ---- */

void hy_measure_post(const hy_measure *m, int line, uint64_t head, uint64_t value)
{
    uint64_t slot = m->theirs.lines + (uint64_t)line * 2 * sizeof(hy_slot);
    m->peer->ops->signal(m->peer, slot, head, &value, sizeof value);
}

static hy_slot *line_of(const hy_measure *m, int line)
{
    return &m->lines[line * 2];
}

typedef struct waiting {
    const hy_measure *m;
    int line;
    uint64_t head;
} waiting;

static int has_come(void *context)
{
    const waiting *w = context;
    bool there = hy_load_acquire(&line_of(w->m, w->line)->head) == w->head;
    return there ? HAYATE_OK : HAYATE_IN_PROGRESS;
}

static int meet_idle(void *context)
{
    const waiting *w = context;
    return hy_comms_idle(w->m->comms, w->m->peer->rank);
}

int hy_measure_await(hy_measure *m, int line, uint64_t head)
{
    waiting w = {m, line, head};
    return hy_job_await(&(hy_await){.job = m->comms->job,
                                    .step = has_come,
                                    .idle = meet_idle,
                                    .context = &w,
                                    .poll = hy_progress});
}

/* Alternates between two lines: the faster member may write for the next meeting before the other
 * has read this one. */
int hy_measure_meet(hy_measure *m, uint64_t value, uint64_t *theirs)
{
    int line = ++m->met % 2 ? HY_MEASURE_BURST + 1 : 0;
    hy_measure_post(m, line, m->met, value);
    int rc = hy_measure_await(m, line, m->met);
    if (!rc && theirs) memcpy(theirs, line_of(m, line)->payload, sizeof *theirs);
    return rc;
}

/* By stores, as a program does. */
static void write_all(uint8_t *memory, uint64_t bytes)
{
    for (uint64_t i = 0; i < bytes; i += sizeof(uint64_t)) *(volatile uint64_t *)(memory + i) = i;
}

static void read_all(const uint8_t *memory, uint64_t bytes)
{
    for (uint64_t i = 0; i < bytes; i += HY_LINE) (void)*(const volatile uint8_t *)(memory + i);
}

/* ---- points of curves ---- */

static void get_ready(const hy_measure *m, int curve, uint64_t at, uint64_t bytes)
{
    if (m->member == 0) {
        write_all(m->own + at, bytes);
        write_all(m->own + HY_MEASURE_MOST + at, bytes);
    } else if (curve == HY_TERM_PAYLOAD_OUT || curve == HY_TERM_PUT) {
        read_all(m->data + at, bytes);
    } else if (curve == HY_TERM_COPY) {
        read_all(m->peer->part + m->theirs.data + at, bytes);
    } else if (curve == HY_TERM_PAYLOAD_IN) {
        write_all(m->peer->part + m->theirs.data + at, bytes);
    } else if (curve == HY_TERM_SINGLE) {
        write_all(m->own + at, bytes);
    } else {
        write_all(m->data + at, bytes);
    }
}

static int do_once(const hy_measure *m, int curve, uint64_t at, uint64_t bytes)
{
    uint8_t *source = m->own + at, *target = m->own + HY_MEASURE_MOST + at;
    hy_ep *peer = m->peer;
    const hy_reduce sum = hy_reductions[FMPL_DOUBLE_SUM].apply;
    switch (curve) {
    case HY_TERM_PAYLOAD_OUT:
    case HY_TERM_PUT: return peer->ops->put(peer, m->theirs.data + at, source, bytes);
    case HY_TERM_PAYLOAD_IN: hy_copy(target, m->data + at, bytes); return HAYATE_OK;
    case HY_TERM_COPY: hy_copy(m->data + at, source, bytes); return HAYATE_OK;
    case HY_TERM_GET: return peer->ops->get(peer, m->theirs.data + at, target, bytes);
    case HY_TERM_SINGLE: return peer->single->get(peer, m->theirs.own + at, target, bytes);
    case HY_TERM_REDUCE: sum(target, source, bytes / sizeof(double), NULL); return HAYATE_OK;
    default:
        sum(target, peer->part + m->theirs.data + at, bytes / sizeof(double), NULL);
        return HAYATE_OK;
    }
}

/* Short operations are timed several times at different addresses, because one alone takes no
 * longer than the resolution of the clock and the fence. Loads do not overlap with those of the
 * next one; stores do, as in a collective. */
static int time_point(hy_measure *m, int term, double *ns)
{
    int curve = (term - HY_TERM_SCALARS) / HY_CURVE_POINTS, rc = HAYATE_OK;
    uint64_t bytes = hy_curve_bytes[(term - HY_TERM_SCALARS) % HY_CURVE_POINTS];
    uint64_t pieces = bytes <= SHORT ? PIECES : 1;
    for (uint64_t i = 0; i < pieces; i++) get_ready(m, curve, i * APART, bytes);
    rc = hy_measure_meet(m, 0, NULL);
    if (rc || m->member) return rc;
    uint64_t start = hy_now_ns();
    for (uint64_t i = 0; !rc && i < pieces; i++) {
        rc = do_once(m, curve, i * APART, bytes);
        hy_wait_for_loads();
    }
    atomic_thread_fence(memory_order_seq_cst); /* the stores have arrived */
    *ns = ((double)(hy_now_ns() - start) - m->clock) / (double)pieces;
    return rc;
}

/* ---- scalars ---- */

static int time_signal(hy_measure *m, double *ns)
{
    if (m->member)
        for (int i = 1; i <= HY_MEASURE_BURST; i++) read_all((const uint8_t *)line_of(m, i), 1);
    int rc = hy_measure_meet(m, 0, NULL);
    if (rc || m->member) return rc;
    uint64_t start = hy_now_ns();
    for (int i = 1; i <= HY_MEASURE_BURST; i++) hy_measure_post(m, i, ++m->posted, 0);
    *ns = ((double)(hy_now_ns() - start) - m->clock) / HY_MEASURE_BURST;
    return HAYATE_OK;
}

static int time_take(hy_measure *m, double *ns)
{
    for (int i = 1; m->member && i <= HY_MEASURE_BURST; i++) hy_measure_post(m, i, ++m->posted, 0);
    int rc = hy_measure_meet(m, 0, NULL);
    if (rc || m->member) return rc;
    uint64_t start = hy_now_ns(), seen = 0;
    for (int i = 1; i <= HY_MEASURE_BURST; i++) seen += hy_load_acquire(&line_of(m, i)->head) != 0;
    *ns = ((double)(hy_now_ns() - start) - m->clock) / HY_MEASURE_BURST;
    return seen <= HY_MEASURE_BURST ? HAYATE_OK : HAYATE_ERR_CORRUPT;
}

static int time_step(hy_measure *m, double *ns)
{
    uint64_t word;
    int rc = hy_measure_meet(m, 0, NULL);
    if (rc || m->member) return rc;
    uint64_t start = hy_now_ns();
    for (int i = 0; i < TRIPS; i++) rc |= m->peer->ops->get(m->peer, m->theirs.data, &word, 8);
    *ns = ((double)(hy_now_ns() - start) - m->clock) / TRIPS;
    return rc;
}

/* Round trips on line 1. With `yields`, both members are on the same core. What is timed is the
 * bare poll, so this is not the loop of the job's waits (job/await.h). */
static int trips(hy_measure *m, bool yields, double *ns)
{
    int rc = hy_measure_meet(m, 0, NULL);
    uint64_t start = hy_now_ns(), base = m->met << 32;
    for (int i = 1; !rc && i <= TRIPS; i++) {
        if (m->member == 0) hy_measure_post(m, 1, base + (uint64_t)i, 0);
        for (uint32_t polls = 1; hy_load_acquire(&line_of(m, 1)->head) != base + (uint64_t)i;
             polls++) {
            if (yields) sched_yield();
            else hy_pause();
            if (polls % 65536 == 0 && (rc = hy_comms_idle(m->comms, m->peer->rank))) break;
        }
        if (m->member == 1) hy_measure_post(m, 1, base + (uint64_t)i, 0);
    }
    *ns = ((double)(hy_now_ns() - start) - m->clock) / TRIPS;
    return rc;
}

/* Both members run on the first CPU that member 0 may use. */
static int time_turn(hy_measure *m, double *ns)
{
    cpu_set_t before, one;
    uint64_t cpu = 0, theirs = 0;
    int rc = HAYATE_OK;
    CPU_ZERO(&one);
    bool could = sched_getaffinity(0, sizeof before, &before) == 0;
    while (could && cpu < CPU_SETSIZE && !CPU_ISSET(cpu, &before)) cpu++;
    rc = hy_measure_meet(m, cpu, &theirs);
    if (rc) return rc;
    CPU_SET(m->member ? theirs : cpu, &one);
    could = could && sched_setaffinity(0, sizeof one, &one) == 0;
    rc = hy_measure_meet(m, could, &theirs);
    if (!rc && could && theirs) rc = trips(m, true, ns);
    else if (!rc)
        rc = hy_fail(HAYATE_ERR_UNSUPPORTED, "ranks cannot be bound to one CPU on this machine");
    if (could) sched_setaffinity(0, sizeof before, &before);
    *ns /= 2;
    return rc;
}

static int time_barrier(hy_measure *m, double *ns)
{
    int rc = hy_measure_meet(m, 0, NULL);
    uint64_t start = hy_now_ns();
    for (int i = 0; !rc && i < BARRIERS; i++) {
        rc = hy_pcoll_start(m->barrier);
        if (!rc) rc = hy_pcoll_wait(m->barrier, false);
    }
    *ns = ((double)(hy_now_ns() - start) - m->clock) / BARRIERS;
    return rc;
}

static int time_bandwidth(hy_measure *m, double *per_ns)
{
    if (!m->stream && (m->stream = malloc(2 * STREAM))) write_all(m->stream, 2 * STREAM);
    uint64_t theirs = 0;
    int rc = hy_measure_meet(m, m->stream != NULL, &theirs);
    if (rc) return rc;
    if (!m->stream || !theirs)
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to measure the bandwidth");
    uint64_t start = hy_now_ns();
    memcpy(m->stream, m->stream + STREAM, STREAM);
    *per_ns = 2 * (double)STREAM / (double)(hy_now_ns() - start);
    return HAYATE_OK;
}

static int time_once(hy_measure *m, int term, double *ns)
{
    if (hy_term_is_net(term)) return hy_measure_net_once(m, term, ns);
    switch (term) {
    case HY_TERM_SIGNAL: return time_signal(m, ns);
    case HY_TERM_TRIP: return trips(m, false, ns);
    case HY_TERM_TAKE: return time_take(m, ns);
    case HY_TERM_STEP: return time_step(m, ns);
    case HY_TERM_TURN: return time_turn(m, ns);
    case HY_TERM_BARRIER: return time_barrier(m, ns);
    case HY_TERM_BANDWIDTH: return time_bandwidth(m, ns);
    default: return time_point(m, term, ns);
    }
}

/* ---- terms ---- */

static int measure_ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static const char *impossible(const hy_measure *m, int term)
{
    if (hy_ep_is_far(m->peer) && !hy_term_is_net(term)) return "the ranks are on different nodes";
    if (hy_term_is_net(term) && !hy_ep_is_far(m->peer)) return "both ranks are on one node";
    if (term == HY_TERM_TRIP || term == HY_TERM_BARRIER || term == HY_TERM_BANDWIDTH)
        return m->alone;
    bool single = term >= HY_TERM_SCALARS &&
                  (term - HY_TERM_SCALARS) / HY_CURVE_POINTS == HY_TERM_SINGLE;
    return single && !m->peer->single ? m->peer->why_not_single : NULL;
}

int hy_measure_term(hy_measure *m, int term, double seconds, double *ns)
{
    if (term < 0 || term >= HY_TERMS)
        return hy_fail(HAYATE_ERR_ARGUMENT, "there is no term %d", term);
    uint64_t end = hy_now_ns() + (uint64_t)(seconds * 1e9), able = 0, more = 1;
    const char *reason = impossible(m, term);
    int rc = hy_measure_meet(m, !reason, &able), count = 0;
    if (!rc && (reason || !able))
        rc = hy_fail(HAYATE_ERR_UNSUPPORTED, "%s",
                     reason ? reason : "the other rank cannot measure it");
    for (int warm = 0; !rc && more; warm++) {
        more = count < 3 ||
               (hy_now_ns() < end && count < HY_MEASURE_SAMPLES); /* member 0 decides */
        uint64_t theirs = 0;
        double sample = 0;
        rc = hy_measure_meet(m, more, &theirs);
        if (m->member) more = theirs;
        if (!rc && more) rc = time_once(m, term, &sample);
        if (warm > 0 && more && count < HY_MEASURE_SAMPLES) m->samples[count++] = sample;
    }
    if (rc) return rc;
    qsort(m->samples, (size_t)count, sizeof(double), measure_ascending);
    *ns = m->samples[count / 2] > 0 ? m->samples[count / 2] : 0;
    return HAYATE_OK;
}

static int time_distance(hy_measure *m, double *ns)
{
    int rc = hy_measure_term(m, HY_TERM_TRIP, TRIP_SECONDS, ns);
    return rc == HAYATE_ERR_UNSUPPORTED ? HAYATE_OK : rc;
}

int hy_measure_step(hy_measure *m, int term, double seconds, hy_measured *result)
{
    *result = (hy_measured){NAN, NAN, NAN};
    int rc = time_distance(m, &result->before);
    if (!rc) rc = hy_measure_term(m, term, seconds, &result->ns);
    return rc ? rc : time_distance(m, &result->after);
}

/* ---- open and close ---- */

static int partner(const hy_job *job)
{
    for (int rank = 1; rank < job->size; rank++)
        if (hy_job_node_of(job, rank) != hy_job_node_of(job, 0)) return rank;
    return 1;
}

int hy_measure_pair(hy_comms *comms, int *comm)
{
    const hy_job *job = comms->job;
    if (job->size < 2)
        return hy_fail(
            HAYATE_ERR_ARGUMENT,
            "a job of one rank: expected 2 or more, because terms are measured between two ranks");
    return hy_comm_create(comms, job->rank == 0 || job->rank == partner(job), comm);
}

static int take_memory(hy_measure *m)
{
    hy_job *job = m->comms->job;
    uint64_t lines = HY_MEASURE_LINES * 2 * sizeof(hy_slot);
    m->lines = hy_job_alloc(job, lines);
    m->data = m->lines ? hy_job_alloc(job, HY_MEASURE_MOST) : NULL;
    if (!m->data) return HAYATE_ERR_NO_MEMORY;
    m->own = malloc(2 * HY_MEASURE_MOST);
    if (!m->own) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to measure with");
    memset(m->lines, 0, lines);
    write_all(m->data, HY_MEASURE_MOST);
    write_all(m->own, 2 * HY_MEASURE_MOST);
    return HAYATE_OK;
}

static int64_t only_cpu(void)
{
    cpu_set_t set;
    int64_t cpu = 0;
    if (sched_getaffinity(0, sizeof set, &set) != 0 || CPU_COUNT(&set) != 1) return -1;
    while (!CPU_ISSET((size_t)cpu, &set)) cpu++;
    return cpu;
}

static int connect(hy_measure *m, hy_comm *comm, int number)
{
    const uint8_t *part = m->comms->job->part;
    hy_measure_record mine[2], theirs[2];
    mine[0] = mine[1] = (hy_measure_record){(uint64_t)((uint8_t *)m->lines - part),
                                            (uint64_t)(m->data - part), (uint64_t)(uintptr_t)m->own,
                                            only_cpu()};
    int rc = hy_comm_acquire(m->comms, comm, number);
    if (rc) return rc;
    rc = hy_exchange(m->comms, comm, mine, theirs, sizeof *mine, COOKIE);
    hy_comm_release(comm);
    m->theirs = theirs[1 - m->member];
    if (mine->cpu >= 0 && mine->cpu == m->theirs.cpu) m->alone = "both ranks have only one CPU";
    if (!rc && (!hy_ep_contains(m->peer, m->theirs.data, HY_MEASURE_MOST) ||
                !hy_ep_contains(m->peer, m->theirs.lines, HY_MEASURE_LINES * 2 * sizeof(hy_slot))))
        rc = hy_fail_peer(HAYATE_ERR_CORRUPT, m->peer->rank,
                          "rank %d announced memory that is not its", m->peer->rank);
    return rc;
}

static int open_measure(hy_measure *m, hy_comm *comm, int number)
{
    hy_pcoll_call barrier = {.arguments.coll = HY_COLL_BARRIER};
    int rc = take_memory(m);
    if (!rc) rc = connect(m, comm, number);
    if (!rc) rc = hy_pcoll_init(m->comms, number, &barrier, &m->barrier);
    m->clock = hy_clock_cost();
    return rc;
}

int hy_measure_open(hy_comms *comms, int number, hy_measure **result)
{
    hy_comm *comm = hy_comm_find(comms, number);
    if (!comm) return HAYATE_ERR_ARGUMENT;
    if (comm->group.size != 2)
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "communicator of %d ranks: expected 2, between which terms are measured",
                       comm->group.size);
    hy_measure *m = calloc(1, sizeof *m);
    if (!m) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to measure");
    m->comms = comms;
    m->member = comm->group.rank;
    m->peer = hy_job_ep(comms->job, hy_group_member(&comm->group, 1 - m->member));
    int rc = open_measure(m, comm, number);
    if (rc) hy_measure_close(m);
    else *result = m;
    return rc;
}

/* late: the peer may still read the lines of the last meeting. */
void hy_measure_close(hy_measure *m)
{
    hy_job *job = m->comms->job;
    if (m->barrier) hy_pcoll_free(m->barrier);
    if (m->lines) hy_job_release_late(job, m->lines);
    if (m->data) hy_job_release_late(job, m->data);
    free(m->own);
    free(m->stream);
    free(m);
}
