/* SPDX-License-Identifier: Apache-2.0 */
/* Measures the terms of a network, from member 0 to member 1 on another node: the sender's own time
 * for a signal, the round trip, and what each further message and each further byte adds. */
#include "base/clock.h"
#include "measure/measure_state.h"

#define LINE 1 /* for round trips */
#define TRIPS 8
#define STREAM 64 /* messages */
#define SHORTER (HY_MEASURE_MOST / 16)
#define LONGER (HY_MEASURE_MOST / 4)

/* The first head value of a sample; none of its values has been in the line before. */
static uint64_t base_of(const hy_measure *m)
{
    return m->met << 32;
}

static int time_signal(hy_measure *m, double *ns)
{
    int rc = hy_measure_meet(m, 0, NULL);
    uint64_t start = hy_now_ns(), base = base_of(m);
    for (int i = 1; i <= HY_MEASURE_BURST; i++) hy_measure_post(m, LINE, base + (uint64_t)i, 0);
    *ns = ((double)(hy_now_ns() - start) - m->clock) / HY_MEASURE_BURST;
    return rc ? rc : hy_measure_await(m, LINE, base + HY_MEASURE_BURST);
}

/* Member 0 sends by `send`, followed by a signal; member 1 answers. */
static int trip(hy_measure *m, uint64_t head, int (*send)(hy_measure *m, uint64_t head, uint64_t n),
                uint64_t n)
{
    int rc = HAYATE_OK;
    if (m->member == 0 && send) rc = send(m, head, n);
    if (m->member == 0 && !rc) hy_measure_post(m, LINE, head, 0);
    if (!rc) rc = hy_measure_await(m, LINE, head);
    if (m->member == 1 && !rc) hy_measure_post(m, LINE, head, 0);
    return rc;
}

static int time_trip(hy_measure *m, double *ns)
{
    int rc = hy_measure_meet(m, 0, NULL);
    uint64_t start = hy_now_ns();
    for (uint64_t i = 1; !rc && i <= TRIPS; i++) rc = trip(m, base_of(m) + i, NULL, 0);
    *ns = ((double)(hy_now_ns() - start) - m->clock) / TRIPS;
    return rc;
}

/* Sent before the signal that is answered, to another line, so that nobody wakes early. */
static int send_messages(hy_measure *m, uint64_t head, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) hy_measure_post(m, LINE + 1, head, 0);
    return HAYATE_OK;
}

static int send_bytes(hy_measure *m, uint64_t head, uint64_t n)
{
    (void)head;
    return m->peer->ops->put(m->peer, m->theirs.data, m->data, n);
}

/* What each of `more` operations beyond `few` adds. */
static int time_slope(hy_measure *m, int (*send)(hy_measure *m, uint64_t head, uint64_t n),
                      uint64_t few, uint64_t more, double *ns)
{
    int rc = hy_measure_meet(m, 0, NULL);
    uint64_t start = hy_now_ns();
    if (!rc) rc = trip(m, base_of(m) + 1, send, few);
    uint64_t between = hy_now_ns();
    if (!rc) rc = trip(m, base_of(m) + 2, send, more);
    double first = (double)(between - start), second = (double)(hy_now_ns() - between);
    *ns = (second - first) / (double)(more - few);
    return rc;
}

int hy_measure_net_once(hy_measure *m, int term, double *ns)
{
    switch (term) {
    case HY_TERM_NET_SIGNAL: return time_signal(m, ns);
    case HY_TERM_NET_TRIP: return time_trip(m, ns);
    case HY_TERM_NET_STREAM: return time_slope(m, send_messages, 0, STREAM, ns);
    default: return time_slope(m, send_bytes, SHORTER, LONGER, ns);
    }
}
