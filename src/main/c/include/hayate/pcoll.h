/* SPDX-License-Identifier: Apache-2.0 */
/**
 * PersistentColl: collectives that are prepared once and started many times.
 *
 * `pcoll_..._init` is collective over the communicator: it checks that all members mean the same,
 * chooses an algorithm and how it moves its data, lays out memory that the peers reach, and
 * exchanges addresses. pcoll_start() then begins a run, and pcoll_wait() or pcoll_test() ends it,
 * as often as wanted; both allocate nothing and take no lock. Several operations may be under way
 * at once on one communicator. All members prepare them in the same order, but may start them and
 * wait for them in different orders (MPI 4 wants the same order of starts): a wait ends when all
 * members that it depends on have started the same operation.
 *
 * Communicators, reductions and the job are those of hayate/fmpl.h: hayate_init() and fmpl_init()
 * come first. Every function returns HAYATE_OK or a negative HAYATE_ERR_*; hayate_error() says why.
 * A call that fails on its arguments changes nothing, and its rank may make the call again: the
 * others wait for it.
 *
 * Buffers belong to the operation from pcoll_start() until it is over: inputs must not be written,
 * outputs not be touched. Any memory will do; memory of hayate_alloc() is the fastest. Memory
 * ordering: all that a member wrote before its start and that the collective carries to this rank
 * is visible after the wait. Threads: an operation is used by one thread at a time (HAYATE_ERR_BUSY
 * is not guaranteed); different operations are independent, also with pcoll_progress() beside them.
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
 * `options` of every init: NULL, or words of
 *   algorithm=NAME       e.g. binomial, ring, recursive_doubling; `hayate explain` lists them
 *   transfer=put|get     who moves data: the one who has them, or the one who wants them
 *   buffers=straight|prepared   between the users' buffers, or through memory of the operation
 *   sync=counters|barrier       how both sides know of each other
 *   segment=BYTES        pipelining by pieces, e.g. 32K
 *   arity=K              of n-ary and k-nomial trees, 2 .. 64
 *   progress=caller|calls|thread  who works on it: calls on persistent operations only; every call
 *                        that waits, and pcoll_progress(); a thread of the library
 * separated by blanks or commas. What is left out, or `auto`, is chosen by the model of the machine
 * (`hayate tune`); progress is then `calls`. The environment (HAYATE_COLL_ALLREDUCE, ...,
 * HAYATE_COLL), and a rules file (HAYATE_COLL_RULES), in that order, are stronger.
 *
 * Errors of every init: ARGUMENT; MISMATCH (the members mean different things: names a member and
 * the argument); NO_MEMORY, also of another member; PEER_FAILED; CLOSED; BUSY (another thread is in
 * a collective call of the communicator).
 */

/** `size` bytes of `buf` from `root` to all. */
HAYATE_API int pcoll_bcast_init(void *buf, size_t size, int root, int comm, const char *options,
                                pcoll_t *operation);

/** `buf` of root becomes the reduction over comm of `count` elements; others' is unchanged. */
HAYATE_API int pcoll_reduce_init(void *buf, size_t count, fmpl_op_t func, int root, int comm,
                                 const char *options, pcoll_t *operation);

/** As reduce, and every rank gets the result, bit for bit the same. */
HAYATE_API int pcoll_allreduce_init(void *buf, size_t count, fmpl_op_t func, int comm,
                                    const char *options, pcoll_t *operation);

/** `size` bytes of `in` of every rank to `out` of root, one after the other in rank order; `out` is
 *  size * ranks there and not used elsewhere. `in` of root may be its own block in `out`. */
HAYATE_API int pcoll_gather_init(const void *in, size_t size, void *out, int root, int comm,
                                 const char *options, pcoll_t *operation);

/** Blocks of different lengths: `size` bytes of this rank's `in`; on the root `sizes[i]` bytes of
 *  rank i at byte `offsets[i]` of `out` (offsets NULL: one after the other). */
HAYATE_API int pcoll_gatherv_init(const void *in, size_t size, void *out, const size_t *sizes,
                                  const size_t *offsets, int root, int comm, const char *options,
                                  pcoll_t *operation);

/** The other way round: block i of the root's `in` to `out` of rank i. */
HAYATE_API int pcoll_scatter_init(const void *in, void *out, size_t size, int root, int comm,
                                  const char *options, pcoll_t *operation);
HAYATE_API int pcoll_scatterv_init(const void *in, const size_t *sizes, const size_t *offsets,
                                   void *out, size_t size, int root, int comm, const char *options,
                                   pcoll_t *operation);

/** As gather, and every rank gets all blocks. `in` may be the own block in `out`. */
HAYATE_API int pcoll_allgather_init(const void *in, size_t size, void *out, int comm,
                                    const char *options, pcoll_t *operation);

/** sizes and offsets are the same on all ranks; `in` is sizes[rank] bytes. */
HAYATE_API int pcoll_allgatherv_init(const void *in, void *out, const size_t *sizes,
                                     const size_t *offsets, int comm, const char *options,
                                     pcoll_t *operation);

/** Block i of `in` (`size` bytes) to rank i, where it is block [this rank] of `out`. */
HAYATE_API int pcoll_alltoall_init(const void *in, void *out, size_t size, int comm,
                                   const char *options, pcoll_t *operation);
HAYATE_API int pcoll_alltoallv_init(const void *in, const size_t *in_sizes,
                                    const size_t *in_offsets, void *out, const size_t *out_sizes,
                                    const size_t *out_offsets, int comm, const char *options,
                                    pcoll_t *operation);

/** `in` has a block of `count` elements for each rank; `out` becomes the reduction over all ranks
 * of the block for this one. */
HAYATE_API int pcoll_reduce_scatter_init(const void *in, void *out, size_t count, fmpl_op_t func,
                                         int comm, const char *options, pcoll_t *operation);

/** counts[i] elements for rank i, one after the other; the same on all ranks. */
HAYATE_API int pcoll_reduce_scatterv_init(const void *in, void *out, const size_t *counts,
                                          fmpl_op_t func, int comm, const char *options,
                                          pcoll_t *operation);

/** Over when every member has started it. */
HAYATE_API int pcoll_barrier_init(int comm, const char *options, pcoll_t *operation);

/** Begins a run; never blocks. BUSY: the run before was not waited for. After a run that failed:
 * its error again. */
HAYATE_API int pcoll_start(pcoll_t operation);

/** `*done` is 1 when no run is under way any more, else 0. Never blocks; works on the operation. */
HAYATE_API int pcoll_test(pcoll_t operation, int *done);

/** Waits for the run; returns at once when there is none. PEER_FAILED within a second of the death
 * of a member, CLOSED, CALLBACK as of Fmpl's collectives. */
HAYATE_API int pcoll_wait(pcoll_t operation);

/** The same for `n`, in any order inside; all are started (waited for), the first error is
 * returned. Null operations are skipped. */
HAYATE_API int pcoll_start_all(int n, const pcoll_t *operations);
HAYATE_API int pcoll_wait_all(int n, const pcoll_t *operations);

/** Works on whatever is under way in this process and can be worked on. Never blocks. */
HAYATE_API int pcoll_progress(void);

/** Gives an operation up, on this rank, and sets it to PCOLL_NULL; its memory is free when all
 *  members have done so. BUSY while a run is under way (unless it can never end: a failed or closed
 *  one). */
HAYATE_API int pcoll_free(pcoll_t *operation);

/** What was chosen, the predicted time of a run, and whether the model of the machine was measured:
 *  "allreduce ring put prepared counters; 0.40 us predicted (tuned model); progress calls".
 *  Valid until the operation is freed. */
HAYATE_API const char *pcoll_describe(pcoll_t operation);

#ifdef __cplusplus
}
#endif
#endif
