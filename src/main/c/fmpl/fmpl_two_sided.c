/* SPDX-License-Identifier: Apache-2.0 */
/* The collectives of hayate/fmpl.h that have separate input and output, and the non-blocking forms
 * of all collectives. */
#include <hayate/fmpl.h>

#include "coll/background.h"
#include "coll/collective.h"
#include "fmpl/fmpl_started.h"

static void two_sided_run(int comm, const hy_arguments *call, int *ier)
{
    hy_comms *comms = hy_process_comms();
    int rc = comms ? hy_collective_two_sided(comms, comm, call, 0) : HAYATE_ERR_STATE;
    if (ier) *ier = rc;
}

static void two_sided_start(int comm, const hy_arguments *call, fmpl_request_t *request, int *ier)
{
    hy_comms *comms = hy_process_comms();
    int rc = comms ? hy_started_begin(comms, comm, call, request) : HAYATE_ERR_STATE;
    if (ier) *ier = rc;
}

/* ---- arguments ---- */

/* size_t and int64_t have the same representation; a size that is too large becomes negative, and
 * is refused. */
static const int64_t *two_sided_sizes(const size_t *sizes)
{
    _Static_assert(sizeof(size_t) == sizeof(int64_t), "a 64-bit machine");
    return (const int64_t *)(const void *)sizes;
}

/* They fill the arguments of a call in place: a copy of a struct that was just written piece by
 * piece costs more than the rest of a short call. */
static void two_sided(hy_arguments *call, hy_coll coll, const void *in, void *out, size_t count)
{
    memset(call, 0, sizeof *call);
    call->coll = coll;
    call->in.address = (uint8_t *)(uintptr_t)in;
    call->out.address = out;
    call->count = count > INT64_MAX ? -1 : (int64_t)count;
    call->in_limit = call->out_limit = -1;
}

static void rooted(hy_arguments *call, hy_coll coll, const void *in, void *out, size_t count,
                   int root)
{
    two_sided(call, coll, in, out, count);
    call->root = root;
}

static void reducing(hy_arguments *call, hy_coll coll, const void *in, void *out, size_t count,
                     fmpl_op_t func)
{
    two_sided(call, coll, in, out, count);
    call->op = func;
}

static void with_in_blocks(hy_arguments *call, const size_t *sizes, const size_t *offsets)
{
    call->uneven = true;
    call->in_sizes = two_sided_sizes(sizes);
    call->in_offsets = two_sided_sizes(offsets);
}

static void with_out_blocks(hy_arguments *call, const size_t *sizes, const size_t *offsets)
{
    call->uneven = true;
    call->out_sizes = two_sided_sizes(sizes);
    call->out_offsets = two_sided_sizes(offsets);
}

static void with_counts(hy_arguments *call, const size_t *counts)
{
    call->uneven = true;
    call->in_counts = two_sided_sizes(counts);
}

/* ---- blocking ---- */

void fmpl_gather(const void *in, size_t size, void *out, int root, int comm, int *ier)
{
    hy_arguments call;
    rooted(&call, HY_COLL_GATHER, in, out, size, root);
    two_sided_run(comm, &call, ier);
}

void fmpl_gatherv(const void *in, size_t size, void *out, const size_t *sizes,
                  const size_t *offsets, int root, int comm, int *ier)
{
    hy_arguments call;
    rooted(&call, HY_COLL_GATHER, in, out, size, root);
    with_out_blocks(&call, sizes, offsets);
    two_sided_run(comm, &call, ier);
}

void fmpl_scatter(const void *in, void *out, size_t size, int root, int comm, int *ier)
{
    hy_arguments call;
    rooted(&call, HY_COLL_SCATTER, in, out, size, root);
    two_sided_run(comm, &call, ier);
}

void fmpl_scatterv(const void *in, const size_t *sizes, const size_t *offsets, void *out,
                   size_t size, int root, int comm, int *ier)
{
    hy_arguments call;
    rooted(&call, HY_COLL_SCATTER, in, out, size, root);
    with_in_blocks(&call, sizes, offsets);
    two_sided_run(comm, &call, ier);
}

void fmpl_allgather(const void *in, size_t size, void *out, int comm, int *ier)
{
    hy_arguments call;
    two_sided(&call, HY_COLL_ALLGATHER, in, out, size);
    two_sided_run(comm, &call, ier);
}

void fmpl_allgatherv(const void *in, void *out, const size_t *sizes, const size_t *offsets,
                     int comm, int *ier)
{
    hy_arguments call;
    two_sided(&call, HY_COLL_ALLGATHER, in, out, 0);
    with_out_blocks(&call, sizes, offsets);
    two_sided_run(comm, &call, ier);
}

void fmpl_alltoall(const void *in, void *out, size_t size, int comm, int *ier)
{
    hy_arguments call;
    two_sided(&call, HY_COLL_ALLTOALL, in, out, size);
    two_sided_run(comm, &call, ier);
}

void fmpl_alltoallv(const void *in, const size_t *in_sizes, const size_t *in_offsets, void *out,
                    const size_t *out_sizes, const size_t *out_offsets, int comm, int *ier)
{
    hy_arguments call;
    two_sided(&call, HY_COLL_ALLTOALL, in, out, 0);
    with_in_blocks(&call, in_sizes, in_offsets);
    with_out_blocks(&call, out_sizes, out_offsets);
    two_sided_run(comm, &call, ier);
}

void fmpl_reduce_scatter(const void *in, void *out, size_t count, fmpl_op_t func, int comm,
                         int *ier)
{
    hy_arguments call;
    reducing(&call, HY_COLL_REDUCE_SCATTER, in, out, count, func);
    two_sided_run(comm, &call, ier);
}

void fmpl_reduce_scatterv(const void *in, void *out, const size_t *counts, fmpl_op_t func, int comm,
                          int *ier)
{
    hy_arguments call;
    reducing(&call, HY_COLL_REDUCE_SCATTER, in, out, 0, func);
    with_counts(&call, counts);
    two_sided_run(comm, &call, ier);
}

void fmpl_scan(const void *in, void *out, size_t count, fmpl_op_t func, int comm, int *ier)
{
    hy_arguments call;
    reducing(&call, HY_COLL_SCAN, in, out, count, func);
    two_sided_run(comm, &call, ier);
}

void fmpl_exscan(const void *in, void *out, size_t count, fmpl_op_t func, int comm, int *ier)
{
    hy_arguments call;
    reducing(&call, HY_COLL_EXSCAN, in, out, count, func);
    two_sided_run(comm, &call, ier);
}

/* ---- non-blocking ---- */

void fmpl_ibarrier(int comm, fmpl_request_t *request, int *ier)
{
    hy_arguments call;
    two_sided(&call, HY_COLL_BARRIER, NULL, NULL, 0);
    two_sided_start(comm, &call, request, ier);
}

void fmpl_ibcast(void *buf, size_t size, int root, int comm, fmpl_request_t *request, int *ier)
{
    hy_arguments call;
    rooted(&call, HY_COLL_BCAST, NULL, buf, size, root);
    two_sided_start(comm, &call, request, ier);
}

void fmpl_ireduce(void *buf, size_t count, fmpl_op_t func, int root, int comm,
                  fmpl_request_t *request, int *ier)
{
    hy_arguments call;
    reducing(&call, HY_COLL_REDUCE, NULL, buf, count, func);
    call.root = root;
    two_sided_start(comm, &call, request, ier);
}

void fmpl_iallreduce(void *buf, size_t count, fmpl_op_t func, int comm, fmpl_request_t *request,
                     int *ier)
{
    hy_arguments call;
    reducing(&call, HY_COLL_ALLREDUCE, NULL, buf, count, func);
    two_sided_start(comm, &call, request, ier);
}

void fmpl_igather(const void *in, size_t size, void *out, int root, int comm,
                  fmpl_request_t *request, int *ier)
{
    hy_arguments call;
    rooted(&call, HY_COLL_GATHER, in, out, size, root);
    two_sided_start(comm, &call, request, ier);
}

void fmpl_igatherv(const void *in, size_t size, void *out, const size_t *sizes,
                   const size_t *offsets, int root, int comm, fmpl_request_t *request, int *ier)
{
    hy_arguments call;
    rooted(&call, HY_COLL_GATHER, in, out, size, root);
    with_out_blocks(&call, sizes, offsets);
    two_sided_start(comm, &call, request, ier);
}

void fmpl_iscatter(const void *in, void *out, size_t size, int root, int comm,
                   fmpl_request_t *request, int *ier)
{
    hy_arguments call;
    rooted(&call, HY_COLL_SCATTER, in, out, size, root);
    two_sided_start(comm, &call, request, ier);
}

void fmpl_iscatterv(const void *in, const size_t *sizes, const size_t *offsets, void *out,
                    size_t size, int root, int comm, fmpl_request_t *request, int *ier)
{
    hy_arguments call;
    rooted(&call, HY_COLL_SCATTER, in, out, size, root);
    with_in_blocks(&call, sizes, offsets);
    two_sided_start(comm, &call, request, ier);
}

void fmpl_iallgather(const void *in, size_t size, void *out, int comm, fmpl_request_t *request,
                     int *ier)
{
    hy_arguments call;
    two_sided(&call, HY_COLL_ALLGATHER, in, out, size);
    two_sided_start(comm, &call, request, ier);
}

void fmpl_iallgatherv(const void *in, void *out, const size_t *sizes, const size_t *offsets,
                      int comm, fmpl_request_t *request, int *ier)
{
    hy_arguments call;
    two_sided(&call, HY_COLL_ALLGATHER, in, out, 0);
    with_out_blocks(&call, sizes, offsets);
    two_sided_start(comm, &call, request, ier);
}

void fmpl_ialltoall(const void *in, void *out, size_t size, int comm, fmpl_request_t *request,
                    int *ier)
{
    hy_arguments call;
    two_sided(&call, HY_COLL_ALLTOALL, in, out, size);
    two_sided_start(comm, &call, request, ier);
}

void fmpl_ialltoallv(const void *in, const size_t *in_sizes, const size_t *in_offsets, void *out,
                     const size_t *out_sizes, const size_t *out_offsets, int comm,
                     fmpl_request_t *request, int *ier)
{
    hy_arguments call;
    two_sided(&call, HY_COLL_ALLTOALL, in, out, 0);
    with_in_blocks(&call, in_sizes, in_offsets);
    with_out_blocks(&call, out_sizes, out_offsets);
    two_sided_start(comm, &call, request, ier);
}

void fmpl_ireduce_scatter(const void *in, void *out, size_t count, fmpl_op_t func, int comm,
                          fmpl_request_t *request, int *ier)
{
    hy_arguments call;
    reducing(&call, HY_COLL_REDUCE_SCATTER, in, out, count, func);
    two_sided_start(comm, &call, request, ier);
}

void fmpl_ireduce_scatterv(const void *in, void *out, const size_t *counts, fmpl_op_t func,
                           int comm, fmpl_request_t *request, int *ier)
{
    hy_arguments call;
    reducing(&call, HY_COLL_REDUCE_SCATTER, in, out, 0, func);
    with_counts(&call, counts);
    two_sided_start(comm, &call, request, ier);
}

void fmpl_iscan(const void *in, void *out, size_t count, fmpl_op_t func, int comm,
                fmpl_request_t *request, int *ier)
{
    hy_arguments call;
    reducing(&call, HY_COLL_SCAN, in, out, count, func);
    two_sided_start(comm, &call, request, ier);
}

void fmpl_iexscan(const void *in, void *out, size_t count, fmpl_op_t func, int comm,
                  fmpl_request_t *request, int *ier)
{
    hy_arguments call;
    reducing(&call, HY_COLL_EXSCAN, in, out, count, func);
    two_sided_start(comm, &call, request, ier);
}
