/* SPDX-License-Identifier: Apache-2.0 */
/* Looks at messages that have arrived, and leaves them in their channels. A probe owns the
 * receiving half of its lane while it waits, so that no receive takes the message it reports. A
 * probe of all lanes of some mais owns none: it only loads the heads of their next slots. */
#include "job/await.h"
#include "job/flight.h"
#include "msg/op.h"

/* Whatever the peer wrote is only a number to report: a receive checks it. */
static uint64_t length_of(const hy_slot *slot, uint64_t head)
{
    hy_descriptor descriptor;
    hy_told_buffer told;
    switch (hy_head_kind(head)) {
    case HY_KIND_EAGER:
    case HY_KIND_BOUNCE:
        memcpy(&descriptor, slot->payload, sizeof descriptor);
        return descriptor.len;
    case HY_KIND_LOAN: {
        hy_loan loan;
        memcpy(&loan, slot->payload, sizeof loan);
        return loan.len;
    }
    case HY_KIND_LONG: memcpy(&told, slot->payload, sizeof told); return told.len;
    default: return hy_head_len(head);
    }
}

typedef struct probing {
    hy_msg *msg;
    hy_lane *lane; /* of a probe of one lane */
    uint64_t *length;
    const int *mais; /* n of them */
    int n, from, found;
} probing;

static void tell_probe(const void *context, hy_awaited *awaited)
{
    const probing *p = context;
    awaited->kind = HY_AWAITED_PROBE;
    awaited->place = p->n == 1 ? p->mais[0] : -1;
    if (p->lane) awaited->peer = p->lane->channel.ep->rank;
}

/* limit: NULL for one look, which is not recorded. */
static int probe_run(probing *p, int (*step)(void *), int (*idle)(void *), const hy_limit *limit)
{
    return hy_job_await(&(hy_await){.job = p->msg->job,
                                    .step = step,
                                    .idle = idle,
                                    .tell = tell_probe,
                                    .context = p,
                                    .poll = hy_progress,
                                    .turns = limit ? 0 : 1,
                                    .limit = limit});
}

static int probe_await(probing *p, int (*step)(void *), int (*idle)(void *), const hy_limit *limit)
{
    hy_flight *flight = p->msg->job->flight;
    if (hy_likely(!flight || !limit)) return probe_run(p, step, idle, limit);
    hy_awaited what = {.peer = -1};
    tell_probe(p, &what);
    uint64_t name = hy_flight_begin(flight, &what);
    return hy_flight_over(flight, name, probe_run(p, step, idle, limit));
}

static int step_probe(void *context)
{
    const probing *p = context;
    uint64_t head;
    const hy_slot *slot = hy_channel_peek(&p->lane->channel, &head);
    if (!slot) return HAYATE_IN_PROGRESS;
    *p->length = length_of(slot, head);
    return HAYATE_OK;
}

static int idle_probe(void *context)
{
    const probing *p = context;
    return hy_msg_idle(p->msg, p->lane->channel.ep->rank);
}

int hy_msg_probe(hy_msg *msg, int src, int mai, const hy_limit *limit, uint64_t *length)
{
    int rc = hy_lane_find(msg, src, mai) ? HAYATE_OK : hy_lane_make(msg, src, mai);
    if (rc) return rc;
    probing p = {
        .msg = msg, .lane = hy_lane_find(msg, src, mai), .length = length, .mais = &mai, .n = 1};
    rc = hy_lane_take_recv(p.lane);
    if (rc) return rc;
    rc = probe_await(&p, step_probe, idle_probe, limit);
    hy_busy_leave(hy_lane_busy(p.lane, false));
    return rc;
}

/* ---- any source ---- */

int hy_msg_listen(hy_msg *msg, int mai)
{
    int rc = HAYATE_OK;
    if (hy_load_relaxed(&msg->closed)) return hy_fail(HAYATE_ERR_CLOSED, "used after close");
    for (int src = 0; src < msg->size && !rc; src++) rc = hy_lane_make(msg, src, mai);
    return rc;
}

static bool has_message(const hy_msg *msg, int src, int mai)
{
    uint64_t head;
    hy_lane *lane = hy_lane_find(msg, src, mai);
    return lane && hy_channel_peek(&lane->channel, &head) != NULL;
}

static int step_any(void *context)
{
    probing *p = context;
    int size = p->msg->size, i = p->from / size, src = p->from % size;
    for (int looks = size * p->n; looks > 0; looks--) {
        if (has_message(p->msg, src, p->mais[i])) {
            p->found = i * size + src;
            return HAYATE_OK;
        }
        if (++src < size) continue;
        src = 0;
        if (++i == p->n) i = 0;
    }
    return HAYATE_IN_PROGRESS;
}

/* Ranks that have left are no failure while another one can still send. */
static int check_left(const hy_msg *msg)
{
    int rc = HAYATE_OK;
    if (hy_load_acquire(&hy_control_live_of(msg->job->boot.control)->failures) == 0)
        return HAYATE_OK;
    for (int src = 0; src < msg->size; src++) {
        if (src == msg->rank) continue;
        rc = hy_job_check(msg->job, src);
        if (!rc) return HAYATE_OK;
    }
    return rc;
}

static int idle_any(void *context)
{
    const probing *p = context;
    int rc = hy_msg_idle(p->msg, -1);
    if (!rc) rc = hy_job_check_all(p->msg->job);
    return rc ? rc : check_left(p->msg);
}

int hy_msg_probe_any(hy_msg *msg, const int *mais, int n, int from, const hy_limit *limit,
                     int *found)
{
    probing p = {.msg = msg, .mais = mais, .n = n, .from = from, .found = -1};
    if (hy_load_relaxed(&msg->closed)) return hy_fail(HAYATE_ERR_CLOSED, "used after close");
    if (n < 1 || n > HY_ANY_MAIS)
        return hy_fail(HAYATE_ERR_ARGUMENT, "%d mais: expected 1 to %d", n, HY_ANY_MAIS);
    if (from < 0 || from >= n * msg->size)
        return hy_fail(HAYATE_ERR_ARGUMENT, "place %d: expected 0 to %d", from, n * msg->size - 1);
    int rc = probe_await(&p, step_any, idle_any, limit);
    *found = p.found;
    return rc;
}
