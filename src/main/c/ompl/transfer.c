/* SPDX-License-Identifier: Apache-2.0 */
/* Moves data: puts and gets, blocking and started, flushes, vectors of pieces. */
#include "nodes/far.h"
#include "ompl/ompl.h"

/* Buffers without an address are copied through the stack, in pieces of this size. */
#define BOUNCE 8192

uint64_t hy_ompl_record_on(hy_ompl *ompl, uint8_t kind, int target, uint64_t at, uint64_t len,
                           uint8_t what)
{
    hy_awaited call = {.kind = kind, .what = what, .peer = target, .bytes = len, .number = at};
    return hy_flight_begin(ompl->job->flight, &call);
}

int hy_ompl_check_buffer(const hy_buffer *buffer, uint64_t len)
{
    if (hy_likely(buffer->managed || buffer->address || len == 0)) return HAYATE_OK;
    return hy_fail(HAYATE_ERR_ARGUMENT, "the buffer is null but its length is %llu",
                   (unsigned long long)len);
}

static uint64_t piece_at(uint64_t done, uint64_t len)
{
    return len - done < BOUNCE ? len - done : BOUNCE;
}

/* Mapped memory is copied directly, without a bounce buffer. */
static int put_managed(hy_ep *ep, uint64_t remote, const hy_buffer *from, uint64_t len)
{
    uint8_t bounce[BOUNCE];
    int rc = HAYATE_OK;
    if (ep->ops->caps & HY_CAP_MAPPED) {
        hy_buffer_read(from, 0, ep->part + remote, len);
        return HAYATE_OK;
    }
    for (uint64_t done = 0, n; !rc && done < len; done += n) {
        n = piece_at(done, len);
        hy_buffer_read(from, done, bounce, n);
        rc = ep->ops->put(ep, remote + done, bounce, n);
    }
    return rc;
}

static int get_managed(hy_ep *ep, uint64_t remote, const hy_buffer *to, uint64_t len)
{
    uint8_t bounce[BOUNCE];
    int rc = HAYATE_OK;
    if (ep->ops->caps & HY_CAP_MAPPED) {
        hy_buffer_write(to, 0, ep->part + remote, len);
        return HAYATE_OK;
    }
    for (uint64_t done = 0, n; !rc && done < len; done += n) {
        n = piece_at(done, len);
        rc = ep->ops->get(ep, remote + done, bounce, n);
        if (!rc) hy_buffer_write(to, done, bounce, n);
    }
    return rc;
}

static inline int counted(const hy_ompl *ompl, int rc, hy_counter what, uint64_t len)
{
    if (hy_likely(!rc)) hy_count_message(ompl->job->counters, what, len);
    return rc;
}

static inline int transfer_check(const hy_ompl *ompl, const hy_buffer *buffer, int target,
                                 uint64_t at, uint64_t len)
{
    if (hy_unlikely(hy_ompl_check_buffer(buffer, len))) return HAYATE_ERR_ARGUMENT;
    return hy_ompl_check(ompl, target, at, len, 1);
}

/* Puts and gets whose arguments are checked and whose length is not 0. */
static inline int transfer_put(hy_ompl *ompl, int endpoint, const hy_buffer *from, int target,
                               uint64_t at, uint64_t len)
{
    hy_ep *ep;
    uint64_t remote = ompl->starts[target] + at;
    int rc = hy_ompl_reach(ompl, endpoint, target, &ep);
    if (hy_unlikely(rc)) return rc;
    rc = hy_unlikely(from->managed != NULL) ? put_managed(ep, remote, from, len)
                                            : ep->ops->put(ep, remote, from->address, len);
    return counted(ompl, rc, HY_COUNT_PUTS, len);
}

static inline int transfer_get(hy_ompl *ompl, int endpoint, const hy_buffer *to, int target,
                               uint64_t at, uint64_t len)
{
    hy_ep *ep;
    uint64_t remote = ompl->starts[target] + at;
    int rc = hy_ompl_reach(ompl, endpoint, target, &ep);
    if (hy_unlikely(rc)) return rc;
    rc = hy_unlikely(to->managed != NULL) ? get_managed(ep, remote, to, len)
                                          : ep->ops->get(ep, remote, to->address, len);
    return counted(ompl, rc, HY_COUNT_GETS, len);
}

/* A buffer without an address cannot belong to the path: the operation is complete on return. */
static int put_start(hy_ompl *ompl, int endpoint, const hy_buffer *from, int target, uint64_t at,
                     uint64_t len)
{
    if (from->managed) return transfer_put(ompl, endpoint, from, target, at, len);
    hy_ep *ep;
    int rc = hy_ompl_reach(ompl, endpoint, target, &ep);
    if (rc) return rc;
    rc = ep->ops->put_start(ep, ompl->starts[target] + at, from->address, len);
    return counted(ompl, rc, HY_COUNT_PUTS, len);
}

static int get_start(hy_ompl *ompl, int endpoint, const hy_buffer *to, int target, uint64_t at,
                     uint64_t len)
{
    if (to->managed) return transfer_get(ompl, endpoint, to, target, at, len);
    hy_ep *ep;
    int rc = hy_ompl_reach(ompl, endpoint, target, &ep);
    if (rc) return rc;
    rc = ep->ops->get_start(ep, ompl->starts[target] + at, to->address, len);
    return counted(ompl, rc, HY_COUNT_GETS, len);
}

/* ---- on an endpoint ---- */

typedef int (*mover)(hy_ompl *ompl, int endpoint, const hy_buffer *local, int target, uint64_t at,
                     uint64_t len);

static inline int on_endpoint(hy_ompl *ompl, const hy_buffer *local, int target, uint64_t at,
                              uint64_t len, mover move)
{
    int number, rc = transfer_check(ompl, local, target, at, len);
    if (hy_unlikely(rc || len == 0)) return rc;
    rc = hy_endpoint_take(ompl->endpoints, &number);
    if (hy_unlikely(rc)) return rc;
    rc = move(ompl, number, local, target, at, len);
    hy_endpoint_give(ompl->endpoints, number);
    return rc;
}

static inline int in_a_run(hy_ompl *ompl, const hy_buffer *local, int target, uint64_t at,
                           uint64_t len, mover start)
{
    int number, rc = transfer_check(ompl, local, target, at, len);
    if (rc || len == 0) return rc;
    rc = hy_endpoint_take(ompl->endpoints, &number);
    if (rc) return rc;
    rc = start(ompl, number, local, target, at, len);
    int kept = hy_endpoint_keep(ompl->endpoints, number, target);
    return rc ? rc : kept;
}

int hy_ompl_put(hy_ompl *ompl, const hy_buffer *from, int target, uint64_t at, uint64_t len)
{
    uint64_t name = hy_ompl_record(ompl, HY_AWAITED_PUT, target, at, len, 0);
    return hy_flight_over(ompl->job->flight, name,
                          on_endpoint(ompl, from, target, at, len, transfer_put));
}

int hy_ompl_get(hy_ompl *ompl, const hy_buffer *to, int target, uint64_t at, uint64_t len)
{
    uint64_t name = hy_ompl_record(ompl, HY_AWAITED_GET, target, at, len, 0);
    return hy_flight_over(ompl->job->flight, name,
                          on_endpoint(ompl, to, target, at, len, transfer_get));
}

int hy_ompl_put_start(hy_ompl *ompl, const hy_buffer *from, int target, uint64_t at, uint64_t len)
{
    uint64_t name = hy_ompl_record(ompl, HY_AWAITED_PUT, target, at, len, 0);
    return hy_flight_over(ompl->job->flight, name,
                          in_a_run(ompl, from, target, at, len, put_start));
}

int hy_ompl_get_start(hy_ompl *ompl, const hy_buffer *to, int target, uint64_t at, uint64_t len)
{
    uint64_t name = hy_ompl_record(ompl, HY_AWAITED_GET, target, at, len, 0);
    return hy_flight_over(ompl->job->flight, name, in_a_run(ompl, to, target, at, len, get_start));
}

int hy_ompl_put_unchecked(hy_ompl *ompl, int endpoint, const hy_buffer *from, int target,
                          uint64_t at, uint64_t len)
{
    return len ? transfer_put(ompl, endpoint, from, target, at, len) : HAYATE_OK;
}

int hy_ompl_check_put(const hy_ompl *ompl, const hy_buffer *from, int target, uint64_t at,
                      uint64_t len)
{
    return transfer_check(ompl, from, target, at, len);
}

/* ---- flush ---- */

/* Flushes all endpoints. A rank that was never used is skipped: a flush would connect to it. */
static int flush_one(hy_ompl *ompl, int target)
{
    hy_ep *ep = hy_job_known_ep(ompl->job, target);
    bool far = hy_job_is_far(ompl->job, target);
    int rc = far ? hy_far_flush_lanes(ompl->job, target) : ep->ops->flush(ep);
    if (rc < 0 || (far && rc == 0)) return rc;
    return hy_job_check(ompl->job, target);
}

static int flush(hy_ompl *ompl, int target)
{
    int rc = hy_ompl_check(ompl, target < 0 ? 0 : target, 0, 0, 1);
    if (!rc) rc = hy_endpoint_rest(ompl->endpoints);
    if (rc || target >= 0) return rc ? rc : flush_one(ompl, target);
    int failed = -1;
    for (int rank = 0; rank < ompl->size; rank++) {
        int one = flush_one(ompl, rank);
        if (one && !rc) rc = one, failed = rank;
    }
    return failed < 0 ? HAYATE_OK : flush_one(ompl, failed); /* to set the reason again */
}

int hy_ompl_flush(hy_ompl *ompl, int target)
{
    uint64_t name = hy_ompl_record(ompl, HY_AWAITED_FLUSH, target, 0, 0, 0);
    return hy_flight_over(ompl->job->flight, name, flush(ompl, target));
}

/* ---- vectors ---- */

static int check_pieces(const hy_ompl *ompl, int target, const hy_pieces *pieces)
{
    int rc = hy_ompl_check(ompl, target, 0, 0, 1);
    for (size_t i = 0; !rc && i < pieces->count; i++) {
        const hy_piece piece = pieces->at(pieces, i);
        rc = transfer_check(ompl, &piece.local, target, piece.remote, piece.len);
    }
    return rc;
}

/* Starts the pieces one by one and completes them together: a path may send them in one batch. */
static int start_all(hy_ompl *ompl, int endpoint, int target, const hy_pieces *pieces, mover start)
{
    int rc = HAYATE_OK;
    for (size_t i = 0; !rc && i < pieces->count; i++) {
        const hy_piece piece = pieces->at(pieces, i);
        if (piece.len) rc = start(ompl, endpoint, &piece.local, target, piece.remote, piece.len);
    }
    hy_ep *ep;
    int flushed = hy_ompl_reach(ompl, endpoint, target, &ep);
    if (!flushed) flushed = ep->ops->flush(ep);
    return rc ? rc : flushed;
}

static int transfer_move(hy_ompl *ompl, int target, const hy_pieces *pieces, mover start)
{
    int number, rc = check_pieces(ompl, target, pieces);
    if (rc) return rc;
    rc = hy_endpoint_take(ompl->endpoints, &number);
    if (rc) return rc;
    rc = start_all(ompl, number, target, pieces, start);
    hy_endpoint_give(ompl->endpoints, number);
    return rc;
}

int hy_ompl_put_vector(hy_ompl *ompl, int target, const hy_pieces *pieces)
{
    uint64_t name = hy_ompl_record(ompl, HY_AWAITED_PUT, target, pieces->count, 0, 0);
    return hy_flight_over(ompl->job->flight, name, transfer_move(ompl, target, pieces, put_start));
}

int hy_ompl_get_vector(hy_ompl *ompl, int target, const hy_pieces *pieces)
{
    uint64_t name = hy_ompl_record(ompl, HY_AWAITED_GET, target, pieces->count, 0, 0);
    return hy_flight_over(ompl->job->flight, name, transfer_move(ompl, target, pieces, get_start));
}
