/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of hayate/pcoll.h, on the communicators of a C program's FMPL. */
#include <hayate/pcoll.h>

#include <stdlib.h>

#include "pcoll/pcoll.h"

struct pcoll_operation; /* is a hy_pcoll */

static hy_pcoll *operation_of(pcoll_t operation)
{
    if (!operation) hy_fail(HAYATE_ERR_ARGUMENT, "the operation is null");
    return (hy_pcoll *)operation;
}

static hy_buffer native(const void *memory)
{
    return (hy_buffer){.address = (uint8_t *)(uintptr_t)memory};
}

static int64_t signed_size(size_t size)
{
    return size > INT64_MAX ? -1 : (int64_t)size;
}

static hy_pcoll_call call_of(hy_coll coll, const void *in, void *out, size_t count,
                             const char *options)
{
    return (hy_pcoll_call){.arguments = {.coll = coll,
                                         .in = native(in),
                                         .out = native(out),
                                         .count = signed_size(count),
                                         .in_limit = -1,
                                         .out_limit = -1},
                           .options = options};
}

static int init(int comm, const hy_pcoll_call *call, pcoll_t *operation)
{
    hy_comms *comms = hy_process_comms();
    if (!comms) return HAYATE_ERR_STATE;
    if (!operation)
        return hy_fail(HAYATE_ERR_ARGUMENT, "operation is NULL: expected a pointer to a pcoll_t");
    return hy_pcoll_init(comms, comm, call, (hy_pcoll **)operation);
}

/* size_t and int64_t have the same representation; a size that is too large becomes negative, and
 * is refused. */
static const int64_t *sizes_of(const size_t *sizes)
{
    _Static_assert(sizeof(size_t) == sizeof(int64_t), "a 64-bit machine");
    return (const int64_t *)(const void *)sizes;
}

int pcoll_bcast_init(void *buf, size_t size, int root, int comm, const char *options,
                     pcoll_t *operation)
{
    hy_pcoll_call call = call_of(HY_COLL_BCAST, NULL, buf, size, options);
    call.arguments.root = root;
    return init(comm, &call, operation);
}

int pcoll_reduce_init(void *buf, size_t count, fmpl_op_t func, int root, int comm,
                      const char *options, pcoll_t *operation)
{
    hy_pcoll_call call = call_of(HY_COLL_REDUCE, NULL, buf, count, options);
    call.arguments.root = root;
    call.arguments.op = func;
    return init(comm, &call, operation);
}

int pcoll_allreduce_init(void *buf, size_t count, fmpl_op_t func, int comm, const char *options,
                         pcoll_t *operation)
{
    hy_pcoll_call call = call_of(HY_COLL_ALLREDUCE, NULL, buf, count, options);
    call.arguments.op = func;
    return init(comm, &call, operation);
}

int pcoll_gather_init(const void *in, size_t size, void *out, int root, int comm,
                      const char *options, pcoll_t *operation)
{
    hy_pcoll_call call = call_of(HY_COLL_GATHER, in, out, size, options);
    call.arguments.root = root;
    return init(comm, &call, operation);
}

int pcoll_gatherv_init(const void *in, size_t size, void *out, const size_t *sizes,
                       const size_t *offsets, int root, int comm, const char *options,
                       pcoll_t *operation)
{
    hy_pcoll_call call = call_of(HY_COLL_GATHER, in, out, size, options);
    call.arguments.root = root;
    call.arguments.uneven = true;
    call.arguments.out_sizes = sizes_of(sizes);
    call.arguments.out_offsets = sizes_of(offsets);
    return init(comm, &call, operation);
}

int pcoll_scatter_init(const void *in, void *out, size_t size, int root, int comm,
                       const char *options, pcoll_t *operation)
{
    hy_pcoll_call call = call_of(HY_COLL_SCATTER, in, out, size, options);
    call.arguments.root = root;
    return init(comm, &call, operation);
}

int pcoll_scatterv_init(const void *in, const size_t *sizes, const size_t *offsets, void *out,
                        size_t size, int root, int comm, const char *options, pcoll_t *operation)
{
    hy_pcoll_call call = call_of(HY_COLL_SCATTER, in, out, size, options);
    call.arguments.root = root;
    call.arguments.uneven = true;
    call.arguments.in_sizes = sizes_of(sizes);
    call.arguments.in_offsets = sizes_of(offsets);
    return init(comm, &call, operation);
}

int pcoll_allgather_init(const void *in, size_t size, void *out, int comm, const char *options,
                         pcoll_t *operation)
{
    hy_pcoll_call call = call_of(HY_COLL_ALLGATHER, in, out, size, options);
    return init(comm, &call, operation);
}

int pcoll_allgatherv_init(const void *in, void *out, const size_t *sizes, const size_t *offsets,
                          int comm, const char *options, pcoll_t *operation)
{
    hy_pcoll_call call = call_of(HY_COLL_ALLGATHER, in, out, 0, options);
    call.arguments.uneven = true;
    call.arguments.out_sizes = sizes_of(sizes);
    call.arguments.out_offsets = sizes_of(offsets);
    return init(comm, &call, operation);
}

int pcoll_alltoall_init(const void *in, void *out, size_t size, int comm, const char *options,
                        pcoll_t *operation)
{
    hy_pcoll_call call = call_of(HY_COLL_ALLTOALL, in, out, size, options);
    return init(comm, &call, operation);
}

int pcoll_alltoallv_init(const void *in, const size_t *in_sizes, const size_t *in_offsets,
                         void *out, const size_t *out_sizes, const size_t *out_offsets, int comm,
                         const char *options, pcoll_t *operation)
{
    hy_pcoll_call call = call_of(HY_COLL_ALLTOALL, in, out, 0, options);
    call.arguments.uneven = true;
    call.arguments.in_sizes = sizes_of(in_sizes);
    call.arguments.in_offsets = sizes_of(in_offsets);
    call.arguments.out_sizes = sizes_of(out_sizes);
    call.arguments.out_offsets = sizes_of(out_offsets);
    return init(comm, &call, operation);
}

int pcoll_reduce_scatter_init(const void *in, void *out, size_t count, fmpl_op_t func, int comm,
                              const char *options, pcoll_t *operation)
{
    hy_pcoll_call call = call_of(HY_COLL_REDUCE_SCATTER, in, out, count, options);
    call.arguments.op = func;
    return init(comm, &call, operation);
}

int pcoll_reduce_scatterv_init(const void *in, void *out, const size_t *counts, fmpl_op_t func,
                               int comm, const char *options, pcoll_t *operation)
{
    hy_pcoll_call call = call_of(HY_COLL_REDUCE_SCATTER, in, out, 0, options);
    call.arguments.op = func;
    call.arguments.uneven = true;
    call.arguments.in_counts = sizes_of(counts);
    return init(comm, &call, operation);
}

int pcoll_scan_init(const void *in, void *out, size_t count, fmpl_op_t func, int comm,
                    const char *options, pcoll_t *operation)
{
    hy_pcoll_call call = call_of(HY_COLL_SCAN, in, out, count, options);
    call.arguments.op = func;
    return init(comm, &call, operation);
}

int pcoll_exscan_init(const void *in, void *out, size_t count, fmpl_op_t func, int comm,
                      const char *options, pcoll_t *operation)
{
    hy_pcoll_call call = call_of(HY_COLL_EXSCAN, in, out, count, options);
    call.arguments.op = func;
    return init(comm, &call, operation);
}

int pcoll_barrier_init(int comm, const char *options, pcoll_t *operation)
{
    hy_pcoll_call call = call_of(HY_COLL_BARRIER, NULL, NULL, 0, options);
    return init(comm, &call, operation);
}

int pcoll_start(pcoll_t operation)
{
    hy_pcoll *op = operation_of(operation);
    return op ? hy_pcoll_start(op) : HAYATE_ERR_ARGUMENT;
}

int pcoll_test(pcoll_t operation, int *done)
{
    hy_pcoll *op = operation_of(operation);
    if (!op) return HAYATE_ERR_ARGUMENT;
    int rc = hy_pcoll_test(op);
    if (done) *done = rc != HAYATE_IN_PROGRESS;
    return rc == HAYATE_IN_PROGRESS ? HAYATE_OK : rc;
}

int pcoll_wait(pcoll_t operation)
{
    hy_pcoll *op = operation_of(operation);
    return op ? hy_pcoll_wait_limited(op) : HAYATE_ERR_ARGUMENT;
}

static int for_all(int n, const pcoll_t *operations, int (*each)(pcoll_t))
{
    int rc = HAYATE_OK;
    if (n < 0 || (n > 0 && !operations))
        return hy_fail(HAYATE_ERR_ARGUMENT, "%d operations: expected 0 or more, and an array", n);
    for (int i = 0; i < n; i++) {
        int one = operations[i] ? each(operations[i]) : HAYATE_OK;
        if (one && !rc) rc = one;
    }
    return rc;
}

int pcoll_start_all(int n, const pcoll_t *operations)
{
    return for_all(n, operations, pcoll_start);
}

int pcoll_wait_all(int n, const pcoll_t *operations)
{
    return for_all(n, operations, pcoll_wait);
}

int pcoll_progress(void)
{
    hy_comms *comms = hy_process_comms();
    if (!comms) return HAYATE_ERR_STATE;
    hy_pcoll_progress(comms);
    return HAYATE_OK;
}

int pcoll_free(pcoll_t *operation)
{
    if (!operation) return hy_fail(HAYATE_ERR_ARGUMENT, "the operation is null");
    hy_pcoll *op = operation_of(*operation);
    int rc = op ? hy_pcoll_free(op) : HAYATE_ERR_ARGUMENT;
    if (!rc) *operation = PCOLL_NULL;
    return rc;
}

const char *pcoll_describe(pcoll_t operation)
{
    const hy_pcoll *op = operation_of(operation);
    return op ? hy_pcoll_describe(op) : "";
}
