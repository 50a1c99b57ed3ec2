/* SPDX-License-Identifier: Apache-2.0 */
/* Data: put, get, what is started and flushed, vectors. */
#include "ompl/ompl.h"

/* What has no address goes through the stack, in pieces of this. */
#define BOUNCE 8192

static int check_local(const void *local, uint64_t len)
{
    if (hy_likely(local || len == 0)) return HAYATE_OK;
    return hy_fail(HAYATE_ERR_ARGUMENT, "the buffer is null but its length is %llu",
                   (unsigned long long)len);
}

static int check_buffer(const hy_buffer *buffer, uint64_t len)
{
    return buffer->managed ? HAYATE_OK : check_local(buffer->address, len);
}

static uint64_t piece_at(uint64_t done, uint64_t len)
{
    return len - done < BOUNCE ? len - done : BOUNCE;
}

/* Memory that is mapped is copied to and from without a stop on the way. */
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

int hy_ompl_put(hy_ompl *ompl, const hy_buffer *from, int target, uint64_t at, uint64_t len)
{
    if (hy_unlikely(check_buffer(from, len))) return HAYATE_ERR_ARGUMENT;
    int rc = hy_ompl_check(ompl, target, at, len, 1);
    if (hy_unlikely(rc || len == 0)) return rc;
    hy_ep *ep = &ompl->job->eps[target];
    uint64_t remote = ompl->starts[target] + at;
    if (hy_unlikely(from->managed != NULL)) return put_managed(ep, remote, from, len);
    return ep->ops->put(ep, remote, from->address, len);
}

int hy_ompl_get(hy_ompl *ompl, const hy_buffer *to, int target, uint64_t at, uint64_t len)
{
    if (hy_unlikely(check_buffer(to, len))) return HAYATE_ERR_ARGUMENT;
    int rc = hy_ompl_check(ompl, target, at, len, 1);
    if (hy_unlikely(rc || len == 0)) return rc;
    hy_ep *ep = &ompl->job->eps[target];
    uint64_t remote = ompl->starts[target] + at;
    if (hy_unlikely(to->managed != NULL)) return get_managed(ep, remote, to, len);
    return ep->ops->get(ep, remote, to->address, len);
}

int hy_ompl_put_start(hy_ompl *ompl, const void *local, int target, uint64_t at, uint64_t len)
{
    if (hy_unlikely(check_local(local, len))) return HAYATE_ERR_ARGUMENT;
    int rc = hy_ompl_check(ompl, target, at, len, 1);
    if (rc || len == 0) return rc;
    hy_ep *ep = &ompl->job->eps[target];
    return ep->ops->put_start(ep, ompl->starts[target] + at, local, len);
}

int hy_ompl_get_start(hy_ompl *ompl, void *local, int target, uint64_t at, uint64_t len)
{
    if (hy_unlikely(check_local(local, len))) return HAYATE_ERR_ARGUMENT;
    int rc = hy_ompl_check(ompl, target, at, len, 1);
    if (rc || len == 0) return rc;
    hy_ep *ep = &ompl->job->eps[target];
    return ep->ops->get_start(ep, ompl->starts[target] + at, local, len);
}

/* ---- flush ---- */

static int flush_one(hy_ompl *ompl, int target)
{
    hy_ep *ep = &ompl->job->eps[target];
    int rc = ep->ops->flush(ep);
    return rc ? rc : hy_job_check(ompl->job, target);
}

int hy_ompl_flush(hy_ompl *ompl, int target)
{
    int rc = hy_ompl_check(ompl, target < 0 ? 0 : target, 0, 0, 1);
    if (rc || target >= 0) return rc ? rc : flush_one(ompl, target);
    int failed = -1;
    for (int rank = 0; rank < ompl->size; rank++) {
        int one = flush_one(ompl, rank);
        if (one && !rc) rc = one, failed = rank;
    }
    return failed < 0 ? HAYATE_OK : flush_one(ompl, failed); /* for its reason */
}

/* ---- vectors ---- */

static int check_pieces(const hy_ompl *ompl, int target, const ompl_piece_t *pieces, size_t count)
{
    int rc = hy_ompl_check(ompl, target, 0, 0, 1);
    if (!rc && count && !pieces)
        rc = hy_fail(HAYATE_ERR_ARGUMENT, "%zu pieces, but the list is null", count);
    for (size_t i = 0; !rc && i < count; i++) {
        rc = check_local(pieces[i].local, pieces[i].length);
        if (!rc) rc = hy_ompl_check(ompl, target, pieces[i].remote, pieces[i].length, 1);
    }
    return rc;
}

/* Started one by one, and over together: a path may send them in one batch. */
int hy_ompl_put_vector(hy_ompl *ompl, int target, const ompl_piece_t *pieces, size_t count)
{
    int rc = check_pieces(ompl, target, pieces, count);
    if (rc) return rc;
    for (size_t i = 0; !rc && i < count; i++)
        rc = hy_ompl_put_start(ompl, pieces[i].local, target, pieces[i].remote, pieces[i].length);
    hy_ep *ep = &ompl->job->eps[target];
    int flushed = ep->ops->flush(ep);
    return rc ? rc : flushed;
}

int hy_ompl_get_vector(hy_ompl *ompl, int target, const ompl_piece_t *pieces, size_t count)
{
    int rc = check_pieces(ompl, target, pieces, count);
    if (rc) return rc;
    for (size_t i = 0; !rc && i < count; i++)
        rc = hy_ompl_get_start(ompl, pieces[i].local, target, pieces[i].remote, pieces[i].length);
    hy_ep *ep = &ompl->job->eps[target];
    int flushed = ep->ops->flush(ep);
    return rc ? rc : flushed;
}
