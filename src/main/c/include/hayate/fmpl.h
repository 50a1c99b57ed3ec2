/* SPDX-License-Identifier: Apache-2.0 */
/**
 * FMPL: fast message passing with receiver-initiated matching areas, after Tatebe, Nagashima,
 * Sekiguchi, Kitabayashi, Hayashida, "Design and implementation of FMPL, a fast message-passing
 * library for SR8000".
 *
 * A message is matched by the index `mai` of its *matching area* entry. There is one entry for
 * each ordered pair of ranks and each mai, so that nothing is queued and nothing is searched.
 * Messages of one (source, destination, mai) arrive in the order in which they were sent. In a
 * rank, at most one send and one receive of a (peer, mai) may be active at a time; a second one
 * fails with HAYATE_ERR_BUSY and changes nothing. Different (peer, mai) are independent: threads
 * that use different ones do not wait for each other.
 *
 * Conventions: sizes are in bytes, a `count` is in elements. Every function stores FMPL_SUCCESS or
 * a negative HAYATE_ERR_* code in `*ier` (`ier` may be NULL). A call that fails because of its
 * arguments changes nothing. A blocking call ends with HAYATE_ERR_PEER_FAILED within a second
 * after the death of a peer for which it waits.
 *
 * Memory order: everything that a rank wrote before a send (or before a signal of a collective) is
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
#define FMPL_UNDEFINED (-1) /**< a color of fmpl_comm_split(): joins no communicator */
#define FMPL_REQUEST_NULL ((fmpl_request_t)0)
/** The default number of matching area entries per peer. */
#define FMPL_DEFAULT_COUNT 64
/** Bytes of matching area and of flags that fmpl_init() needs per entry and rank of the job. */
#define FMPL_MATCH_BYTES 256
#define FMPL_FLAG_BYTES 2048

/** A non-blocking operation; 0 means "none". Stale requests are detected (HAYATE_ERR_ARGUMENT). */
typedef uint64_t fmpl_request_t;

/**
 * Opens FMPL on the job of hayate_init(). Collective. `ma` is the matching area, of count *
 * hayate_size() * FMPL_MATCH_BYTES bytes; `fa` holds the receive-completion flags, of count *
 * hayate_size() * FMPL_FLAG_BYTES bytes. Both come from hayate_alloc(), and the program must not
 * touch them until fmpl_finalize(). If both are NULL, FMPL uses memory of the system area. `count`
 * is the number of entries per peer, 1 to 65536, the same on every rank (MISMATCH otherwise).
 *
 * The system area has room for a count of up to about 29,000 / hayate_size() + 112 in a job of
 * at most 4096 ranks: 1018 with 32 ranks, 119 with 4096. The default count fits up to about
 * 8,000 ranks. Each further communicator takes as much memory as one entry. With a larger count,
 * a pair of a rank and a mai takes an entry when this rank first sends to it or receives from
 * it. A rank has at most 65,536 of them, or as many as half of what is left has room for; if
 * this rank or the receiver has none left, a send fails with NO_MEMORY. If there is no room for
 * 1024 on a rank, this call fails with NO_MEMORY on all, and that rank's reason says how many
 * entries fit. If areas for all entries fit on some ranks only, no rank uses them.
 */
HAYATE_API void fmpl_init(void *ma, void *fa, int count, int *ier);

/** Closes FMPL. Operations of other threads that are under way end with HAYATE_ERR_CLOSED.
 * HAYATE_ERR_MISMATCH: it is closed, but another member of a communicator that has closed it, or
 * waits, has made other collectives: more or fewer, or with other arguments, such as another root.
 */
HAYATE_API void fmpl_finalize(int *ier);

/** Sends; returns when `buf` may be rewritten. Up to the eager limit (HAYATE_EAGER_LIMIT,
 * default 4096) the call does not wait for the receiver while the entry has free slots. A
 * longer message waits for the receive, or as long as fmpl_sendbuff_set() allows. A size of 0
 * is a message, too. */
HAYATE_API void fmpl_send(const void *buf, size_t size, int dst, int mai, int *ier);

/** Receives a message of at most `size` bytes; returns when the whole message is in `buf`.
 * TRUNCATE: the message is longer; it stays, and a larger receive can take it. */
HAYATE_API void fmpl_recv(void *buf, size_t size, int src, int mai, int *ier);

/** Like fmpl_recv(), and stores the length of the message in `*received`, which may be NULL; also
 * the length of a message that is too long (TRUNCATE). */
HAYATE_API void fmpl_recv_size(void *buf, size_t size, int src, int mai, size_t *received,
                               int *ier);

/** Starts a send; `buf` must not change until the request is complete. `*request` becomes
 * FMPL_REQUEST_NULL if that is so at once; likewise with a receive. */
HAYATE_API void fmpl_isend(const void *buf, size_t size, int dst, int mai, fmpl_request_t *request,
                           int *ier);

/** Starts a receive. If it is posted before the send, the send need not wait for it. */
HAYATE_API void fmpl_irecv(void *buf, size_t size, int src, int mai, fmpl_request_t *request,
                           int *ier);

/** Waits for one request and sets it to FMPL_REQUEST_NULL. A null request is complete. */
HAYATE_API void fmpl_wait_isend(fmpl_request_t *request, int *ier);
HAYATE_API void fmpl_wait_irecv(fmpl_request_t *request, int *ier);
HAYATE_API void fmpl_wait(fmpl_request_t *request, int *ier);

/** Tests whether a request is complete: `*done` becomes 1 (and the request null) or 0. Never
 * blocks. */
HAYATE_API void fmpl_test(fmpl_request_t *request, int *done, int *ier);

/** Waits until one of `n` requests is complete; stores its index in `*index`, -1 if all are
 * null. */
HAYATE_API void fmpl_wait_any(int n, fmpl_request_t *requests, int *index, int *ier);

/** Waits for all of `n` requests, even after an error; `*ier` is the first error. */
HAYATE_API void fmpl_wait_all(int n, fmpl_request_t *requests, int *ier);

/** Cancels a receive. `*cancelled` becomes 1 if nothing was or will be written to its buffer;
 * the message, if any, goes to the next receive. It becomes 0 if data are already being
 * transferred: wait for the request as usual. */
HAYATE_API void fmpl_cancel(fmpl_request_t *request, int *cancelled, int *ier);

/**
 * A section: `count` blocks of `block` bytes, of which each begins `stride` bytes behind the one
 * before. Of a column-major matrix of doubles with leading dimension lda, the rows i to i + m - 1
 * of the columns j to j + n - 1 are {&a[i + j * lda], m * 8, lda * 8, n}, and row i is {&a[i], 8,
 * lda * 8, n}. `block` is at most 2^31 - 1, `count` as well, and `stride` at least `block`.
 */
typedef struct fmpl_section {
    void *address;
    size_t block, stride, count;
} fmpl_section_t;

/**
 * Like the functions without `_section`. The message consists of the blocks, one after the other;
 * the two sides may divide it into blocks differently, or one side not at all. The descriptor may
 * be reused on return. The data are packed at most once; not at all if one side can access the
 * other's memory (the symmetric heap, ranks of one address space, or a single copy whose blocks are
 * long enough, from about 1 KB). A receive may be larger than the message, which then fills its
 * first blocks. ARGUMENT, also for a section outside the limits above.
 */
HAYATE_API void fmpl_send_section(const fmpl_section_t *section, int dst, int mai, int *ier);
HAYATE_API void fmpl_recv_section(const fmpl_section_t *section, int src, int mai, size_t *received,
                                  int *ier);
HAYATE_API void fmpl_isend_section(const fmpl_section_t *section, int dst, int mai,
                                   fmpl_request_t *request, int *ier);
HAYATE_API void fmpl_irecv_section(const fmpl_section_t *section, int src, int mai,
                                   fmpl_request_t *request, int *ier);

/** Gives FMPL a send buffer: a blocking send whose receive has not come after `timeout_us`
 * microseconds copies its data there and returns. A second send of the same (dst, mai) waits
 * until the first one has been received. NULL and 0 take the buffer back (BUSY while it is in
 * use). Messages that are still there when FMPL is closed are lost, and their receivers get
 * PEER_FAILED; to avoid this, call fmpl_sendbuff_check() until the buffer is empty. */
HAYATE_API void fmpl_sendbuff_set(void *buf, size_t size, int timeout_us, int *ier);

/**
 * Limits the time that a collective waits for other ranks to `timeout_ms` milliseconds; 0: no
 * limit. It counts from when the collective begins to wait, with a resolution of about 50 ms, and
 * holds for the collectives of all communicators that are called from now on, but not for set-up
 * calls such as fmpl_comm_create(). The setting HAYATE_TIMEOUT is the limit before the first call.
 *
 * A collective that is not complete by then ends with TIMED_OUT; the reason names the rank that it
 * waited for. Its communicator is broken: later collectives on it, and those of other members that
 * cannot complete, end with BROKEN. It can still be freed, and messages and other communicators go
 * on. Members that have not given up may read and write the memory of the collective until theirs
 * have ended as well, so do not free or reuse it before. The same holds after a collective that
 * began and ended with another error, such as MISMATCH or PEER_FAILED: unless all other members are
 * known to have left theirs, keep the memory until the job is closed. A persistent collective
 * (pcoll_wait()) breaks nothing: it goes on, and can be waited for again.
 */
HAYATE_API void fmpl_timeout_set(int timeout_ms, int *ier);

/** Sends the buffered messages whose receives have come: `*nsend` were sent, `*nspool` remain. */
HAYATE_API void fmpl_sendbuff_check(int *nsend, int *nspool, int *ier);

/** Returns idle eager buffers of this rank to the symmetric heap; `*bytes` (may be NULL) becomes
 * the number of bytes. Buffers that traffic does not use are returned automatically, and all
 * other idle ones before an allocation fails: this call is for programs that need the free
 * memory to be visible. Messages that have not been received yet keep their buffers; entries
 * and communicators on which another thread is sending are skipped. Local; any thread may call
 * it at any time; no operation gets BUSY because of it. */
HAYATE_API void fmpl_trim(size_t *bytes, int *ier);

/**
 * Creates a communicator of the ranks that call with key != 0, in rank order. Collective over all
 * ranks of the job. `*comm` becomes FMPL_COMM_NULL where key is 0. As many communicators can exist
 * as there is memory for: with n ranks, each takes FMPL_MATCH_BYTES + FMPL_FLAG_BYTES for each of n
 * ranks, at least 8 KiB, of the system area of a rank, and of its symmetric heap if that is full.
 * Threads of a rank create theirs one after the other, without delaying other calls; all ranks must
 * do so in the same order.
 *
 * Errors: NO_MEMORY names a rank that has no memory for it; CLOSED if FMPL or the job is closed
 * before all ranks have called (on several nodes: before all ranks of this node have called; later,
 * the call first waits for the other nodes); MISMATCH if a rank makes another collective call;
 * PEER_FAILED if a rank has died or left.
 */
HAYATE_API void fmpl_comm_create(int *comm, int key, int *ier);

/**
 * Splits the communicator `comm`: its members that pass the same color (0 or more) form the new
 * communicator `*part`, ordered by key, and in the order of `comm` if their keys are equal. `key`
 * is any number. Where color is FMPL_UNDEFINED, `*part` becomes FMPL_COMM_NULL. Collective over the
 * members of `comm`; other ranks take no part.
 *
 * Errors: as for a collective; BUSY if a collective is under way on `comm`; NO_MEMORY if a member
 * has no memory for its communicator (as much as fmpl_comm_create() takes, n being the size of
 * `comm`): then no member has a new one, and `comm` can still be used.
 */
HAYATE_API void fmpl_comm_split(int comm, int color, int key, int *part, int *ier);

/** Frees a communicator on this rank, and sets `*comm` to FMPL_COMM_NULL. Its memory is free again
 * when all members have freed it. BUSY while a collective is under way or persistent operations are
 * prepared on it. MISMATCH: it is freed, but another member that has freed it, or waits, has made
 * other collectives: more or fewer, or with other arguments, such as another root. A member that
 * waits in a collective that this one has not called gets PEER_FAILED. */
HAYATE_API void fmpl_comm_free(int *comm, int *ier);
HAYATE_API void fmpl_comm_rank(int comm, int *rank, int *ier);
HAYATE_API void fmpl_comm_size(int comm, int *size, int *ier);

/**
 * A reduction of `count` elements: inout[i] = inout[i] op in[i]. It must be associative and
 * commutative. User functions have this type; fmpl_function_create() sets their element size.
 */
typedef void (*fmpl_function_t)(void *inout, const void *in, size_t count, void *context);

/** A reduction: one of the constants below, or a result of fmpl_function_create(). */
typedef int fmpl_op_t;

/**
 * The predefined reductions: FMPL_<type>_<operation>.
 *
 * Types: INT int32_t, LONG int64_t, FLOAT float, DOUBLE double, COMPLEX_FLOAT and COMPLEX_DOUBLE
 * fmpl_complex_float_t and fmpl_complex_double_t, BYTE int8_t, SHORT int16_t, CHAR uint16_t (a char
 * of Java), BOOLEAN uint8_t. All elements are aligned as in C.
 *
 * Operations:
 *   SUM, PROD             sum, product; integers wrap around
 *   MAX, MIN              the largest and smallest element; not for complex numbers. +0 is larger
 *                         than -0
 *   ABS_MAX, ABS_MIN      the element of the largest and smallest absolute value, with its sign; of
 *                         equal absolute values, the algebraically larger element (of complex
 *                         numbers: the larger real part, then the larger imaginary part). The
 *                         absolute value of a complex number is |re| + |im|, as in BLACS. Not for
 *                         BYTE, SHORT, CHAR
 *   LAND, LOR, LXOR       logical and, or, exclusive or: 0 or 1; integers, and nothing else for
 *                         BOOLEAN
 *   BAND, BOR, BXOR       the same for each bit; integers only
 *   MAX_LOC, MIN_LOC      as MAX and MIN, with the location of the element: elements are pairs
 *                         (fmpl_double_int_t, ...). Of equal values, the smaller location. Not for
 *                         BYTE, CHAR
 *   ABS_MAX_LOC, ABS_MIN_LOC  as ABS_MAX and ABS_MIN, with the location. Of equal absolute values,
 *                         the smaller location, whatever the sign
 *
 * NaN: if an element is NaN (of a complex number: one of its parts), the result is NaN (both
 * parts), in minima, too. A pair that is NaN wins over all others; the smallest location of a NaN
 * is in the result. Except for SUM and PROD of floating-point numbers, which may round differently,
 * no result depends on the number or the order of the ranks.
 */
/* clang-format off */
enum {
    FMPL_INT_SUM, FMPL_INT_PROD, FMPL_INT_MAX, FMPL_INT_MIN, FMPL_INT_ABS_MAX, FMPL_INT_ABS_MIN,
    FMPL_INT_LAND, FMPL_INT_LOR, FMPL_INT_LXOR, FMPL_INT_BAND, FMPL_INT_BOR, FMPL_INT_BXOR,
    FMPL_INT_MAX_LOC, FMPL_INT_MIN_LOC, FMPL_INT_ABS_MAX_LOC, FMPL_INT_ABS_MIN_LOC,
    FMPL_LONG_SUM, FMPL_LONG_PROD, FMPL_LONG_MAX, FMPL_LONG_MIN, FMPL_LONG_ABS_MAX,
    FMPL_LONG_ABS_MIN, FMPL_LONG_LAND, FMPL_LONG_LOR, FMPL_LONG_LXOR, FMPL_LONG_BAND,
    FMPL_LONG_BOR, FMPL_LONG_BXOR, FMPL_LONG_MAX_LOC, FMPL_LONG_MIN_LOC, FMPL_LONG_ABS_MAX_LOC,
    FMPL_LONG_ABS_MIN_LOC,
    FMPL_FLOAT_SUM, FMPL_FLOAT_PROD, FMPL_FLOAT_MAX, FMPL_FLOAT_MIN, FMPL_FLOAT_ABS_MAX,
    FMPL_FLOAT_ABS_MIN, FMPL_FLOAT_MAX_LOC, FMPL_FLOAT_MIN_LOC, FMPL_FLOAT_ABS_MAX_LOC,
    FMPL_FLOAT_ABS_MIN_LOC,
    FMPL_DOUBLE_SUM, FMPL_DOUBLE_PROD, FMPL_DOUBLE_MAX, FMPL_DOUBLE_MIN, FMPL_DOUBLE_ABS_MAX,
    FMPL_DOUBLE_ABS_MIN, FMPL_DOUBLE_MAX_LOC, FMPL_DOUBLE_MIN_LOC, FMPL_DOUBLE_ABS_MAX_LOC,
    FMPL_DOUBLE_ABS_MIN_LOC,
    FMPL_COMPLEX_FLOAT_SUM, FMPL_COMPLEX_FLOAT_PROD, FMPL_COMPLEX_FLOAT_ABS_MAX,
    FMPL_COMPLEX_FLOAT_ABS_MIN, FMPL_COMPLEX_FLOAT_ABS_MAX_LOC, FMPL_COMPLEX_FLOAT_ABS_MIN_LOC,
    FMPL_COMPLEX_DOUBLE_SUM, FMPL_COMPLEX_DOUBLE_PROD, FMPL_COMPLEX_DOUBLE_ABS_MAX,
    FMPL_COMPLEX_DOUBLE_ABS_MIN, FMPL_COMPLEX_DOUBLE_ABS_MAX_LOC, FMPL_COMPLEX_DOUBLE_ABS_MIN_LOC,
    FMPL_BYTE_SUM, FMPL_BYTE_PROD, FMPL_BYTE_MAX, FMPL_BYTE_MIN, FMPL_BYTE_LAND, FMPL_BYTE_LOR,
    FMPL_BYTE_LXOR, FMPL_BYTE_BAND, FMPL_BYTE_BOR, FMPL_BYTE_BXOR,
    FMPL_SHORT_SUM, FMPL_SHORT_PROD, FMPL_SHORT_MAX, FMPL_SHORT_MIN, FMPL_SHORT_LAND,
    FMPL_SHORT_LOR, FMPL_SHORT_LXOR, FMPL_SHORT_BAND, FMPL_SHORT_BOR, FMPL_SHORT_BXOR,
    FMPL_SHORT_MAX_LOC, FMPL_SHORT_MIN_LOC,
    FMPL_CHAR_SUM, FMPL_CHAR_PROD, FMPL_CHAR_MAX, FMPL_CHAR_MIN, FMPL_CHAR_LAND, FMPL_CHAR_LOR,
    FMPL_CHAR_LXOR, FMPL_CHAR_BAND, FMPL_CHAR_BOR, FMPL_CHAR_BXOR,
    FMPL_BOOLEAN_LAND, FMPL_BOOLEAN_LOR, FMPL_BOOLEAN_LXOR,
    FMPL_OP_COUNT
};
/* clang-format on */

/** A complex number: 8 bytes, and 16 bytes. */
typedef struct fmpl_complex_float {
    float re, im;
} fmpl_complex_float_t;
typedef struct fmpl_complex_double {
    double re, im;
} fmpl_complex_double_t;

/** A value and its location, the element of the reductions ..._LOC: any number that tells where the
 * value is from, such as a rank or an index. Padding behind the location is not transferred
 * reliably. */
typedef struct fmpl_short_int { /**< 8 bytes, location at 4 */
    int16_t value;
    int32_t location;
} fmpl_short_int_t;
typedef struct fmpl_int_int { /**< 8 bytes, location at 4 */
    int32_t value, location;
} fmpl_int_int_t;
typedef struct fmpl_long_int { /**< 16 bytes, location at 8 */
    int64_t value;
    int32_t location;
} fmpl_long_int_t;
typedef struct fmpl_float_int { /**< 8 bytes, location at 4 */
    float value;
    int32_t location;
} fmpl_float_int_t;
typedef struct fmpl_double_int { /**< 16 bytes, location at 8 */
    double value;
    int32_t location;
} fmpl_double_int_t;
typedef struct fmpl_complex_float_int { /**< 12 bytes, location at 8 */
    fmpl_complex_float_t value;
    int32_t location;
} fmpl_complex_float_int_t;
typedef struct fmpl_complex_double_int { /**< 24 bytes, location at 16 */
    fmpl_complex_double_t value;
    int32_t location;
} fmpl_complex_double_int_t;

/** Registers a user function on elements of `element_bytes` (1 to 4096). At most 64 can exist. */
HAYATE_API void fmpl_function_create(fmpl_function_t function, size_t element_bytes, void *context,
                                     fmpl_op_t *op, int *ier);
HAYATE_API void fmpl_function_free(fmpl_op_t op, int *ier);

/** Broadcasts `size` bytes of `buf` from `root` (a rank of comm) to all ranks of comm. */
HAYATE_API void fmpl_bcast(void *buf, size_t size, int root, int comm, int *ier);

/** Broadcasts over FMPL_COMM_WORLD by the fastest method of the machine: inside a node, the root
 * writes once into shared memory, and all ranks read it there. */
HAYATE_API void fmpl_hbcast(void *buf, size_t size, int root, int *ier);

/** Reduces `buf` over comm into `buf` of root; `buf` of the other ranks is unchanged. `work` is
 * scratch memory on every rank, as large as `buf` and not overlapping it; with NULL, FMPL
 * allocates it. */
HAYATE_API void fmpl_reduce(void *buf, size_t count, fmpl_op_t func, int root, int comm, void *work,
                            int *ier);

/** Like fmpl_reduce(), and every rank gets the result, which is bitwise identical on all ranks. */
HAYATE_API void fmpl_allreduce(void *buf, size_t count, fmpl_op_t func, int comm, void *work,
                               int *ier);

/** Returns when every member of comm has called it. */
HAYATE_API void fmpl_barrier(int comm, int *ier);

/*
 * Collectives with separate input and output, the same as in hayate/pcoll.h. Each rank of comm has
 * a block; blocks of equal length follow each other in the order of ranks. `in` and `out` must not
 * overlap, except that a rank's own block may already be at its place in the memory that has all
 * blocks. Only a rank that uses memory must pass it: in a gather, `out` is NULL except on root.
 *
 * The functions whose names end in v have blocks of unequal length, and may leave some empty.
 * `sizes` and `offsets` (bytes, one for each rank of comm) tell where the blocks are; offsets NULL:
 * they follow each other. Bytes between blocks do not change. Blocks of `out` must not overlap.
 *
 * Repeated calls with the same arguments find what the first call has chosen; a communicator
 * remembers 128 different ones. If two ranks pass lengths that do not match, at least one of them
 * gets MISMATCH, which names the bytes of both, at the latest in the next collective in which it
 * receives from the other one; comm can then no longer be used.
 */

/** Gathers a block of `size` bytes of every rank on root. */
HAYATE_API void fmpl_gather(const void *in, size_t size, void *out, int root, int comm, int *ier);
/** `size`: of this rank's block. `sizes` and `offsets`: on root. */
HAYATE_API void fmpl_gatherv(const void *in, size_t size, void *out, const size_t *sizes,
                             const size_t *offsets, int root, int comm, int *ier);

/** Sends every rank its block of `size` bytes from root. */
HAYATE_API void fmpl_scatter(const void *in, void *out, size_t size, int root, int comm, int *ier);
HAYATE_API void fmpl_scatterv(const void *in, const size_t *sizes, const size_t *offsets, void *out,
                              size_t size, int root, int comm, int *ier);

/** Gathers a block of `size` bytes of every rank on all ranks. */
HAYATE_API void fmpl_allgather(const void *in, size_t size, void *out, int comm, int *ier);
/** All ranks pass the same sizes and offsets. */
HAYATE_API void fmpl_allgatherv(const void *in, void *out, const size_t *sizes,
                                const size_t *offsets, int comm, int *ier);

/** Every rank sends a block of `size` bytes to every rank. */
HAYATE_API void fmpl_alltoall(const void *in, void *out, size_t size, int comm, int *ier);
HAYATE_API void fmpl_alltoallv(const void *in, const size_t *in_sizes, const size_t *in_offsets,
                               void *out, const size_t *out_sizes, const size_t *out_offsets,
                               int comm, int *ier);

/** Reduces `in`, a block of `count` elements for every rank, and gives every rank its block. */
HAYATE_API void fmpl_reduce_scatter(const void *in, void *out, size_t count, fmpl_op_t func,
                                    int comm, int *ier);
/** `counts`: the elements of each block, the same on all ranks; blocks follow each other. */
HAYATE_API void fmpl_reduce_scatterv(const void *in, void *out, const size_t *counts,
                                     fmpl_op_t func, int comm, int *ier);

/** Prefix reduction: reduces the `in` of ranks 0 to this one into `out`, element by element, in the
 * order of ranks: a user function need not commute, but must be associative. */
HAYATE_API void fmpl_scan(const void *in, void *out, size_t count, fmpl_op_t func, int comm,
                          int *ier);
/** The same without this rank's own `in`. `out` of rank 0 does not change, but must be there. */
HAYATE_API void fmpl_exscan(const void *in, void *out, size_t count, fmpl_op_t func, int comm,
                            int *ier);

/*
 * Non-blocking collectives, in place or with separate input and output: they start a collective,
 * never wait, and set `*request`, which is waited for and tested like those of messages (fmpl_wait,
 * fmpl_test, fmpl_wait_any, fmpl_wait_all; it cannot be cancelled), or which becomes
 * FMPL_REQUEST_NULL if the collective is complete at once. Until its request is complete, the
 * memory belongs to the collective, sizes and offsets do not, and comm must not be used for other
 * collectives nor freed (BUSY). Progress is made in all calls of this rank that wait, and in tests.
 * Members may mix both forms. Errors that the arguments show come from the start, all others from
 * the wait. A wait has no time limit (fmpl_timeout_set()).
 */
HAYATE_API void fmpl_ibarrier(int comm, fmpl_request_t *request, int *ier);
HAYATE_API void fmpl_ibcast(void *buf, size_t size, int root, int comm, fmpl_request_t *request,
                            int *ier);
HAYATE_API void fmpl_ireduce(void *buf, size_t count, fmpl_op_t func, int root, int comm,
                             fmpl_request_t *request, int *ier);
HAYATE_API void fmpl_iallreduce(void *buf, size_t count, fmpl_op_t func, int comm,
                                fmpl_request_t *request, int *ier);
HAYATE_API void fmpl_igather(const void *in, size_t size, void *out, int root, int comm,
                             fmpl_request_t *request, int *ier);
HAYATE_API void fmpl_igatherv(const void *in, size_t size, void *out, const size_t *sizes,
                              const size_t *offsets, int root, int comm, fmpl_request_t *request,
                              int *ier);
HAYATE_API void fmpl_iscatter(const void *in, void *out, size_t size, int root, int comm,
                              fmpl_request_t *request, int *ier);
HAYATE_API void fmpl_iscatterv(const void *in, const size_t *sizes, const size_t *offsets,
                               void *out, size_t size, int root, int comm, fmpl_request_t *request,
                               int *ier);
HAYATE_API void fmpl_iallgather(const void *in, size_t size, void *out, int comm,
                                fmpl_request_t *request, int *ier);
HAYATE_API void fmpl_iallgatherv(const void *in, void *out, const size_t *sizes,
                                 const size_t *offsets, int comm, fmpl_request_t *request,
                                 int *ier);
HAYATE_API void fmpl_ialltoall(const void *in, void *out, size_t size, int comm,
                               fmpl_request_t *request, int *ier);
HAYATE_API void fmpl_ialltoallv(const void *in, const size_t *in_sizes, const size_t *in_offsets,
                                void *out, const size_t *out_sizes, const size_t *out_offsets,
                                int comm, fmpl_request_t *request, int *ier);
HAYATE_API void fmpl_ireduce_scatter(const void *in, void *out, size_t count, fmpl_op_t func,
                                     int comm, fmpl_request_t *request, int *ier);
HAYATE_API void fmpl_ireduce_scatterv(const void *in, void *out, const size_t *counts,
                                      fmpl_op_t func, int comm, fmpl_request_t *request, int *ier);
HAYATE_API void fmpl_iscan(const void *in, void *out, size_t count, fmpl_op_t func, int comm,
                           fmpl_request_t *request, int *ier);
HAYATE_API void fmpl_iexscan(const void *in, void *out, size_t count, fmpl_op_t func, int comm,
                             fmpl_request_t *request, int *ier);

/** The parts of the time of one message, as in table 1 of the paper: nanoseconds, medians of
 * `samples` messages. */
typedef struct fmpl_breakdown {
    double send_setup, send_header, send_data; /**< prepare; wait for the header; move the data */
    double recv_setup, recv_header, recv_data; /**< prepare; post the header; wait for the data */
    uint64_t samples;
} fmpl_breakdown_t;

/** Switches the measurement on (1) or off (0). Off is the default, and costs one predicted
 * branch, even after it has been on. While it is on, short messages take longer. Switching it
 * on discards earlier samples. */
HAYATE_API void fmpl_breakdown_set(int on, int *ier);
/** Stores what was measured on this rank since it was last switched on; all 0 if it never was. */
HAYATE_API void fmpl_breakdown_get(fmpl_breakdown_t *breakdown, int *ier);

#ifdef __cplusplus
}
#endif
#endif
