/* SPDX-License-Identifier: Apache-2.0 */
/**
 * PersistentColl: collectives that are prepared once and started many times.
 *
 * `pcoll_..._init` is collective over the communicator. It checks that all members pass matching
 * arguments, chooses an algorithm and a transfer method, lays out memory that the peers can
 * access, and exchanges addresses. Then pcoll_start() begins a run, and pcoll_wait() or
 * pcoll_test() ends it, any number of times; both allocate nothing and take no lock. Several
 * operations on one communicator may be under way at once. All members must prepare them in the
 * same order, but may start them and wait for them in different orders (MPI 4 requires the same
 * order of starts): a wait ends when all members on which it depends have started the same
 * operation.
 *
 * Communicators, reductions and the job are those of hayate/fmpl.h: call hayate_init() and
 * fmpl_init() first. Every function returns HAYATE_OK or a negative HAYATE_ERR_* code;
 * hayate_error() returns the reason. A call that fails because of its arguments changes nothing,
 * and the rank may repeat it: the other members wait for it.
 *
 * The buffers belong to the operation from pcoll_start() until the run is complete: the program
 * must not write the inputs, nor read or write the outputs. Any memory can be used; memory of
 * hayate_alloc() is the fastest. Memory order: everything that a member wrote before its start and
 * that the collective carries to this rank is visible after the wait. Threads: one thread at a
 * time may use an operation (a violation is not always detected as HAYATE_ERR_BUSY); different
 * operations are independent, also while pcoll_progress() runs.
 *
 * After Sugiyama and Nanri on persistent collectives for the RDMA model, and MPI 4.
 */
#ifndef HAYATE_PCOLL_H
#define HAYATE_PCOLL_H

#include <hayate/fmpl.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A prepared collective. */
typedef struct pcoll_operation *pcoll_t;

#define PCOLL_NULL ((pcoll_t)0)

/**
 * `options` of every init: NULL, or words separated by blanks or commas:
 *    algorithm=NAME       such as binomial, ring, recursive_doubling; `hayate explain` lists them
 *    transfer=put|get     which side moves the data: the sender, or the receiver
 *    buffers=straight|prepared   between user buffers, or through memory of the operation
 *    sync=counters|barrier       how the two sides synchronise
 *    segment=BYTES        pipeline in segments of this size, such as 32K
 *    arity=K              of n-ary and k-nomial trees, 2 to 64
 *    progress=caller|calls|thread|delegated  who makes progress: calls on persistent operations
 *                         only; every waiting call, and pcoll_progress(); a thread of the library;
 *                         or the delegatee of the node, which runs the whole collective. Where
 *                         there is none, or the reduction is a function of the program, delegated
 *                         means thread, and pcoll_describe() tells why
 *    choice=predicted|measured   how the rest is chosen: by the cost model (`hayate tune`), or by
 *                         timing candidates while the operation is prepared, on buffers of their
 *                         own (10 to 100 ms, or some runs of each if these take longer); the
 *                         result is kept for operations of about this size on the communicator. It
 *                         may be another one in another run of the program. Blocks of unequal
 *                         length, and what a delegatee runs, are predicted
 * What is left out or `auto` is chosen by the cost model; progress is then `calls`. The environment
 * (HAYATE_COLL_ALLREDUCE, ..., HAYATE_COLL) and a rules file (HAYATE_COLL_RULES), in this order,
 * take precedence over the argument.
 *
 * Errors of every init: ARGUMENT; MISMATCH (the arguments of the members differ; the reason names
 * a member and the argument); NO_MEMORY, also if another member has too little; PEER_FAILED;
 * CLOSED; BUSY (another thread is in a collective call of the communicator).
 */

/** Broadcasts `size` bytes of `buf` from `root` to all members. */
HAYATE_API int pcoll_bcast_init(void *buf, size_t size, int root, int comm, const char *options,
                                pcoll_t *operation);

/** Reduces `count` elements of `buf` over comm into `buf` of root; other ranks' `buf` is
 * unchanged. */
HAYATE_API int pcoll_reduce_init(void *buf, size_t count, fmpl_op_t func, int root, int comm,
                                 const char *options, pcoll_t *operation);

/** Like reduce, and every rank gets the result, which is bitwise identical on all ranks. */
HAYATE_API int pcoll_allreduce_init(void *buf, size_t count, fmpl_op_t func, int comm,
                                    const char *options, pcoll_t *operation);

/** Gathers `size` bytes of `in` of every rank into `out` of root, contiguously in rank order.
 * `out` has size * ranks bytes there, and is not used on other ranks. `in` of root may be its
 * block in `out`. */
HAYATE_API int pcoll_gather_init(const void *in, size_t size, void *out, int root, int comm,
                                 const char *options, pcoll_t *operation);

/** Gathers blocks of different lengths: `size` bytes of this rank's `in`; on the root,
 * `sizes[i]` bytes of rank i go to byte `offsets[i]` of `out` (offsets NULL: contiguous
 * blocks). */
HAYATE_API int pcoll_gatherv_init(const void *in, size_t size, void *out, const size_t *sizes,
                                  const size_t *offsets, int root, int comm, const char *options,
                                  pcoll_t *operation);

/** The reverse of gather: block i of the root's `in` goes to `out` of rank i. */
HAYATE_API int pcoll_scatter_init(const void *in, void *out, size_t size, int root, int comm,
                                  const char *options, pcoll_t *operation);
HAYATE_API int pcoll_scatterv_init(const void *in, const size_t *sizes, const size_t *offsets,
                                   void *out, size_t size, int root, int comm, const char *options,
                                   pcoll_t *operation);

/** Like gather, and every rank gets all blocks. `in` may be this rank's block in `out`. */
HAYATE_API int pcoll_allgather_init(const void *in, size_t size, void *out, int comm,
                                    const char *options, pcoll_t *operation);

/** sizes and offsets are the same on all ranks; `in` has sizes[rank] bytes. */
HAYATE_API int pcoll_allgatherv_init(const void *in, void *out, const size_t *sizes,
                                     const size_t *offsets, int comm, const char *options,
                                     pcoll_t *operation);

/** Sends block i of `in` (`size` bytes) to rank i, where it becomes block [this rank] of `out`. */
HAYATE_API int pcoll_alltoall_init(const void *in, void *out, size_t size, int comm,
                                   const char *options, pcoll_t *operation);
HAYATE_API int pcoll_alltoallv_init(const void *in, const size_t *in_sizes,
                                    const size_t *in_offsets, void *out, const size_t *out_sizes,
                                    const size_t *out_offsets, int comm, const char *options,
                                    pcoll_t *operation);

/** `in` has a block of `count` elements for each rank; `out` becomes the reduction, over all
 * ranks, of the blocks for this rank. */
HAYATE_API int pcoll_reduce_scatter_init(const void *in, void *out, size_t count, fmpl_op_t func,
                                         int comm, const char *options, pcoll_t *operation);

/** counts[i] elements for rank i, in contiguous blocks; the counts are the same on all ranks. */
HAYATE_API int pcoll_reduce_scatterv_init(const void *in, void *out, const size_t *counts,
                                          fmpl_op_t func, int comm, const char *options,
                                          pcoll_t *operation);

/** Prefix reductions of `count` elements, as fmpl_scan() and fmpl_exscan(). */
HAYATE_API int pcoll_scan_init(const void *in, void *out, size_t count, fmpl_op_t func, int comm,
                               const char *options, pcoll_t *operation);
HAYATE_API int pcoll_exscan_init(const void *in, void *out, size_t count, fmpl_op_t func, int comm,
                                 const char *options, pcoll_t *operation);

/** A barrier: complete when every member has started it. */
HAYATE_API int pcoll_barrier_init(int comm, const char *options, pcoll_t *operation);

/** Begins a run; never blocks. BUSY: the previous run was not waited for. After a run that
 * failed, it returns the same error again. */
HAYATE_API int pcoll_start(pcoll_t operation);

/** Makes progress on the operation. `*done` becomes 1 if no run is under way, else 0. Never
 * blocks. */
HAYATE_API int pcoll_test(pcoll_t operation, int *done);

/** Waits for the run; returns at once if there is none. PEER_FAILED within a second after the
 * death of a member, CLOSED, CALLBACK as in the collectives of FMPL. */
HAYATE_API int pcoll_wait(pcoll_t operation);

/** The same for `n` operations, in any internal order. All are started (waited for), even after
 * an error, and the first error is returned. Null operations are skipped. */
HAYATE_API int pcoll_start_all(int n, const pcoll_t *operations);
HAYATE_API int pcoll_wait_all(int n, const pcoll_t *operations);

/** Makes progress on all operations of this process that permit it. Never blocks. */
HAYATE_API int pcoll_progress(void);

/** Frees an operation on this rank and sets it to PCOLL_NULL; its memory is free when all
 * members have done so. BUSY while a run is under way (except a run that can never complete
 * because it has failed or was closed). */
HAYATE_API int pcoll_free(pcoll_t *operation);

/** Returns what was chosen, the predicted time of a run, and whether the cost model was
 * measured: "allreduce ring put prepared counters; 0.40 us predicted (tuned model); progress
 * calls". Valid until the operation is freed. */
HAYATE_API const char *pcoll_describe(pcoll_t operation);

#ifdef __cplusplus
}
#endif
#endif
