/* SPDX-License-Identifier: Apache-2.0 */
/**
 * FMPL: fast message passing with receiver-initiated matching areas, after Tatebe, Nagashima,
 * Sekiguchi, Kitabayashi, Hayashida, "Design and implementation of FMPL, a fast message-passing
 * library for SR8000".
 *
 * A message is matched by the index `mai` of its *matching area* entry: one entry per ordered pair
 * of ranks and mai, so that nothing is queued and nothing searched. Messages of one (source,
 * destination, mai) arrive in the order sent. At most one send and one receive of a (peer, mai) may
 * be alive at a time in a rank; a second one gets HAYATE_ERR_BUSY and changes nothing. Different
 * (peer, mai) are independent: threads that use different ones do not wait for each other.
 *
 * Conventions: sizes are bytes, `count` is elements. Every function stores FMPL_SUCCESS or a
 * negative HAYATE_ERR_* in `*ier` (`ier` may be NULL). A call that fails on its arguments changes
 * nothing. A blocking call ends with HAYATE_ERR_PEER_FAILED within a second of the death of a peer
 * it waits for. Memory ordering: all that a rank wrote before a send (or signal of a collective) is
 * visible to the receiver once its receive is complete.
 */
#ifndef HAYATE_FMPL_H
#define HAYATE_FMPL_H

#include <hayate/hayate.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FMPL_SUCCESS HAYATE_OK
#define FMPL_COMM_WORLD 0
#define FMPL_COMM_NULL (-1)
#define FMPL_REQUEST_NULL ((fmpl_request_t)0)
/** Default number of matching-area entries per peer. */
#define FMPL_DEFAULT_COUNT 64
/** Bytes of matching area and of flags that fmpl_init() wants per entry and rank of the job. */
#define FMPL_MATCH_BYTES 256
#define FMPL_FLAG_BYTES 2048

/** A non-blocking operation; 0 is "none". Stale requests are recognised (HAYATE_ERR_ARGUMENT). */
typedef uint64_t fmpl_request_t;

/**
 * Opens FMPL on the job of hayate_init(). Collective. `ma` is the matching area of
 * count * hayate_size() * FMPL_MATCH_BYTES bytes, `fa` the receive-completion flags of
 * count * hayate_size() * FMPL_FLAG_BYTES bytes, both from hayate_alloc() and left alone until
 * fmpl_finalize(); or both NULL, then FMPL has its own. `count` entries per peer, 1 .. 65536, the
 * same on every rank (MISMATCH otherwise). On its own memory there is room for a count of up to
 * about 29,000 / hayate_size() + 112 in a job of at most 4096 ranks: 1018 with 32 ranks, 119 with
 * 4096; the default count fits up to about 8,000 ranks. Each further communicator takes as much as
 * an entry. NO_MEMORY above, and the reason says how many fit: ask for fewer, or give memory.
 */
HAYATE_API void fmpl_init(void *ma, void *fa, int count, int *ier);

/** Closes FMPL; operations that other threads have under way end with HAYATE_ERR_CLOSED. */
HAYATE_API void fmpl_finalize(int *ier);

/** Sends; returns when `buf` may be rewritten. Up to the eager limit (HAYATE_EAGER_LIMIT, 4096)
 *  that does not wait for the receiver while the entry has free slots; above, it waits for the
 *  receive, or as long as fmpl_sendbuff_set() says. size 0 is a message too. */
HAYATE_API void fmpl_send(const void *buf, size_t size, int dst, int mai, int *ier);

/** Receives a message of at most `size` bytes; returns when all of it is in `buf`.
 *  TRUNCATE: it is longer; it stays and a larger receive gets it. */
HAYATE_API void fmpl_recv(void *buf, size_t size, int src, int mai, int *ier);

/** As fmpl_recv, and tells the length of the message received. `received` may be NULL. */
HAYATE_API void fmpl_recv_size(void *buf, size_t size, int src, int mai, size_t *received,
                               int *ier);

/** Starts a send; `buf` must not change until the request is complete. */
HAYATE_API void fmpl_isend(const void *buf, size_t size, int dst, int mai, fmpl_request_t *request,
                           int *ier);

/** Starts a receive. Posted early, it makes its send immediate. */
HAYATE_API void fmpl_irecv(void *buf, size_t size, int src, int mai, fmpl_request_t *request,
                           int *ier);

/** Waits for one request and sets it to FMPL_REQUEST_NULL. A null request is complete. */
HAYATE_API void fmpl_wait_isend(fmpl_request_t *request, int *ier);
HAYATE_API void fmpl_wait_irecv(fmpl_request_t *request, int *ier);
HAYATE_API void fmpl_wait(fmpl_request_t *request, int *ier);

/** Looks whether a request is complete: `*done` is 1 (and the request null) or 0. Never blocks. */
HAYATE_API void fmpl_test(fmpl_request_t *request, int *done, int *ier);

/** Waits until one of `n` requests is complete; its index in `*index`, -1 when all are null. */
HAYATE_API void fmpl_wait_any(int n, fmpl_request_t *requests, int *index, int *ier);

/** Waits for all of `n` requests; `*ier` is the first error, all are waited for all the same. */
HAYATE_API void fmpl_wait_all(int n, fmpl_request_t *requests, int *ier);

/** Cancels a receive. `*cancelled` is 1: nothing was or will be written to its buffer and the
 *  message, if any, goes to the next receive; 0: data already flow, wait for it as usual. */
HAYATE_API void fmpl_cancel(fmpl_request_t *request, int *cancelled, int *ier);

/** Gives FMPL a send buffer: a blocking send whose receive has not come after `timeout_us`
 *  microseconds puts its data aside there and returns. A second send of the same (dst, mai) waits
 *  until the first has gone. NULL/0 takes it back (BUSY while in use). What is still there when
 *  FMPL is closed is lost: its receiver gets PEER_FAILED; fmpl_sendbuff_check() until nothing is
 *  put aside. */
HAYATE_API void fmpl_sendbuff_set(void *buf, size_t size, int timeout_us, int *ier);

/** Pushes out what has become sendable: sent now in `*nsend`, still put aside in `*nspool`. */
HAYATE_API void fmpl_sendbuff_check(int *nsend, int *nspool, int *ier);

/** Gives the eager buffers of this rank that nobody waits for back to the symmetric heap; `*bytes`
 *  (may be NULL) says how many bytes. What traffic does not use goes back by itself, and all the
 *  rest before an allocation fails: this is for who wants the room to be seen. Messages that are
 *  not received yet keep theirs; entries and communicators on which another thread sends are passed
 *  over. Local, from any thread at any time; no operation gets BUSY because of it. */
HAYATE_API void fmpl_trim(size_t *bytes, int *ier);

/** Makes a communicator of the ranks that call with key != 0, in rank order. Collective over all
 *  ranks of the job. `*comm` is FMPL_COMM_NULL where key is 0. At most 64 at a time. Threads of a
 *  rank make theirs one after the other, and hold up no other call meanwhile; all ranks must do so
 *  in the same order. CLOSED when FMPL or the job is closed before all ranks have come (on several
 *  nodes: before all of this node have, else it first waits for the other nodes); MISMATCH when a
 *  rank makes something else; PEER_FAILED when one is dead or has left. */
HAYATE_API void fmpl_comm_create(int *comm, int key, int *ier);
HAYATE_API void fmpl_comm_free(int *comm, int *ier);
HAYATE_API void fmpl_comm_rank(int comm, int *rank, int *ier);
HAYATE_API void fmpl_comm_size(int comm, int *size, int *ier);

/**
 * Reduction of `count` elements: inout[i] = inout[i] op in[i]. Must be associative and commutative.
 * User functions have this type and are given an element size by fmpl_function_create().
 */
typedef void (*fmpl_function_t)(void *inout, const void *in, size_t count, void *context);

/** A reduction: one of the constants below or what fmpl_function_create() returned. */
typedef int fmpl_op_t;
/* v in I (int32), S (float), D (double), C (float complex), Z (double complex); I8 is int64.
 * vmax and vmin take the element of largest and smallest ABSOLUTE value, with its sign; of equal
 * absolute values the algebraically larger one (for C, Z: larger real, then imaginary part). The
 * absolute value of C and Z is |re| + |im|, as in BLACS. */
/* clang-format off */
enum {
    fmpl_isum, fmpl_imax, fmpl_imin, fmpl_ssum, fmpl_smax, fmpl_smin, fmpl_dsum, fmpl_dmax,
    fmpl_dmin, fmpl_csum, fmpl_cmax, fmpl_cmin, fmpl_zsum, fmpl_zmax, fmpl_zmin, fmpl_lsum,
    fmpl_lmax, fmpl_lmin, FMPL_OP_COUNT
};
/* clang-format on */

/** Registers a user function on elements of `element_bytes` (1 .. 4096); at most 64 alive. */
HAYATE_API void fmpl_function_create(fmpl_function_t function, size_t element_bytes, void *context,
                                     fmpl_op_t *op, int *ier);
HAYATE_API void fmpl_function_free(fmpl_op_t op, int *ier);

/** `size` bytes of `buf` from `root` (a rank of comm) to all of comm. */
HAYATE_API void fmpl_bcast(void *buf, size_t size, int root, int comm, int *ier);

/** Broadcast over FMPL_COMM_WORLD by the fastest means of the machine: inside a node the root
 *  writes once into shared memory and all read it there. */
HAYATE_API void fmpl_hbcast(void *buf, size_t size, int root, int *ier);

/** `buf` of root becomes the reduction over comm (others' buf is unchanged). `work`, as large as
 *  buf and not overlapping it, is scratch on every rank; NULL lets FMPL use its own. */
HAYATE_API void fmpl_reduce(void *buf, size_t count, fmpl_op_t func, int root, int comm, void *work,
                            int *ier);

/** As fmpl_reduce, and every rank gets the result, bit for bit the same. */
HAYATE_API void fmpl_allreduce(void *buf, size_t count, fmpl_op_t func, int comm, void *work,
                               int *ier);

/** Returns when every member of comm has called it. */
HAYATE_API void fmpl_barrier(int comm, int *ier);

/** One message taken apart, as table 1 of the paper; nanoseconds, medians of `samples` messages. */
typedef struct fmpl_breakdown {
    double send_setup, send_header, send_data; /**< prepare; wait for the header; move the data */
    double recv_setup, recv_header, recv_data; /**< prepare; post the header; wait for the data */
    uint64_t samples;
} fmpl_breakdown_t;

/** Switches the instrument on (1) or off (0). Off is the default and costs one predicted branch,
 *  also after it was on. While it is on short messages take longer; switching it on begins anew. */
HAYATE_API void fmpl_breakdown_set(int on, int *ier);
/** What was measured on this rank since it was last switched on; all 0 if it never was. */
HAYATE_API void fmpl_breakdown_get(fmpl_breakdown_t *breakdown, int *ier);

#ifdef __cplusplus
}
#endif
#endif
