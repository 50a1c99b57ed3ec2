/* SPDX-License-Identifier: Apache-2.0 */
/* The collectives of hayate/fmpl.h that have separate input and output. */
#include <hayate/fmpl.h>

#include "coll/collective.h"

static void two_sided_run(int comm, const hy_arguments *call, int *ier)
{
    hy_comms *comms = hy_process_comms();
    int rc = comms ? hy_collective_two_sided(comms, comm, call, 0) : HAYATE_ERR_STATE;
    if (ier) *ier = rc;
}

/* size_t and int64_t have the same representation; a size that is too large becomes negative, and
 * is refused. */
static const int64_t *two_sided_sizes(const size_t *sizes)
{
    _Static_assert(sizeof(size_t) == sizeof(int64_t), "a 64-bit machine");
    return (const int64_t *)(const void *)sizes;
}

static hy_arguments two_sided(hy_coll coll, const void *in, void *out, size_t count)
{
    return (hy_arguments){.coll = coll,
                          .in = {.address = (uint8_t *)(uintptr_t)in},
                          .out = {.address = out},
                          .count = count > INT64_MAX ? -1 : (int64_t)count,
                          .in_limit = -1,
                          .out_limit = -1};
}

void fmpl_gather(const void *in, size_t size, void *out, int root, int comm, int *ier)
{
    hy_arguments call = two_sided(HY_COLL_GATHER, in, out, size);
    call.root = root;
    two_sided_run(comm, &call, ier);
}

void fmpl_gatherv(const void *in, size_t size, void *out, const size_t *sizes,
                  const size_t *offsets, int root, int comm, int *ier)
{
    hy_arguments call = two_sided(HY_COLL_GATHER, in, out, size);
    call.root = root;
    call.uneven = true;
    call.out_sizes = two_sided_sizes(sizes);
    call.out_offsets = two_sided_sizes(offsets);
    two_sided_run(comm, &call, ier);
}

void fmpl_scatter(const void *in, void *out, size_t size, int root, int comm, int *ier)
{
    hy_arguments call = two_sided(HY_COLL_SCATTER, in, out, size);
    call.root = root;
    two_sided_run(comm, &call, ier);
}

void fmpl_scatterv(const void *in, const size_t *sizes, const size_t *offsets, void *out,
                   size_t size, int root, int comm, int *ier)
{
    hy_arguments call = two_sided(HY_COLL_SCATTER, in, out, size);
    call.root = root;
    call.uneven = true;
    call.in_sizes = two_sided_sizes(sizes);
    call.in_offsets = two_sided_sizes(offsets);
    two_sided_run(comm, &call, ier);
}

void fmpl_allgather(const void *in, size_t size, void *out, int comm, int *ier)
{
    const hy_arguments call = two_sided(HY_COLL_ALLGATHER, in, out, size);
    two_sided_run(comm, &call, ier);
}

void fmpl_allgatherv(const void *in, void *out, const size_t *sizes, const size_t *offsets,
                     int comm, int *ier)
{
    hy_arguments call = two_sided(HY_COLL_ALLGATHER, in, out, 0);
    call.uneven = true;
    call.out_sizes = two_sided_sizes(sizes);
    call.out_offsets = two_sided_sizes(offsets);
    two_sided_run(comm, &call, ier);
}

void fmpl_alltoall(const void *in, void *out, size_t size, int comm, int *ier)
{
    const hy_arguments call = two_sided(HY_COLL_ALLTOALL, in, out, size);
    two_sided_run(comm, &call, ier);
}

void fmpl_alltoallv(const void *in, const size_t *in_sizes, const size_t *in_offsets, void *out,
                    const size_t *out_sizes, const size_t *out_offsets, int comm, int *ier)
{
    hy_arguments call = two_sided(HY_COLL_ALLTOALL, in, out, 0);
    call.uneven = true;
    call.in_sizes = two_sided_sizes(in_sizes);
    call.in_offsets = two_sided_sizes(in_offsets);
    call.out_sizes = two_sided_sizes(out_sizes);
    call.out_offsets = two_sided_sizes(out_offsets);
    two_sided_run(comm, &call, ier);
}

void fmpl_reduce_scatter(const void *in, void *out, size_t count, fmpl_op_t func, int comm,
                         int *ier)
{
    hy_arguments call = two_sided(HY_COLL_REDUCE_SCATTER, in, out, count);
    call.op = func;
    two_sided_run(comm, &call, ier);
}

void fmpl_scan(const void *in, void *out, size_t count, fmpl_op_t func, int comm, int *ier)
{
    hy_arguments call = two_sided(HY_COLL_SCAN, in, out, count);
    call.op = func;
    two_sided_run(comm, &call, ier);
}

void fmpl_exscan(const void *in, void *out, size_t count, fmpl_op_t func, int comm, int *ier)
{
    hy_arguments call = two_sided(HY_COLL_EXSCAN, in, out, count);
    call.op = func;
    two_sided_run(comm, &call, ier);
}

void fmpl_reduce_scatterv(const void *in, void *out, const size_t *counts, fmpl_op_t func, int comm,
                          int *ier)
{
    hy_arguments call = two_sided(HY_COLL_REDUCE_SCATTER, in, out, 0);
    call.op = func;
    call.uneven = true;
    call.in_counts = two_sided_sizes(counts);
    two_sided_run(comm, &call, ier);
}
