/* SPDX-License-Identifier: Apache-2.0 */
/**
 * OMPL: a partitioned global address space for tasks on many threads of many ranks, after the Omni
 * PGAS communication layer (OMPL). Threads write into each other's part of the space and wait for
 * flags in memory; there are no channels, no matching and no queues.
 *
 * Every rank has a part of the same size. An address of the space is a target rank and an offset
 * in bytes, 0 to size - 1, in its part; this rank's part starts at ompl_memory(). All bytes are 0
 * after ompl_init(). Local buffers may be in any memory.
 *
 * **Data before flag.** A thread writes a flag or word with ompl_put_word(), ompl_put_flag(),
 * ompl_put_signal() or an atomic. Whoever has read the new value with ompl_wait(),
 * ompl_wait_until(), ompl_poll(), ompl_load() or an atomic sees everything that this thread has
 * put to *the same target* before, by any put, blocking or not, without a flush. Puts to other
 * targets are visible after an ompl_flush() of those targets. An ompl_flush() is also necessary if
 * the reader is notified in another way, by a message or a barrier. The program must order the
 * accesses of different tasks: two tasks that write the same bytes without a flag between them
 * leave any mixture of the two.
 *
 * **Flags** are 32 bytes long, at multiples of 32: a value for which ranks wait, and 24 bytes that
 * are delivered with it. **Words** are 64 bits at multiples of 8. Waits and atomics work on any
 * word, and therefore also on the value of a flag. A plain put into a flag or word wakes no waiter
 * and is not a signal.
 *
 * **Threads.** Any number of threads may execute any of these calls at once; over shared memory,
 * none but accumulates takes a lock. Several threads may wait for one flag, and all of them are
 * woken. A wait spins, yields, then sleeps (HAYATE_WAIT).
 *
 * **Failures.** A wait names no peer. It ends with PEER_FAILED within a second after any rank of
 * the job has died or was stopped (unless OMPL_IGNORE_FAILURES is set), after one more look at the
 * word. If the rank is on another node and nobody reports its death, the wait ends after
 * HAYATE_NET_SILENCE. A rank that has left in order (hayate_finalize()) is not a failure. Puts,
 * gets and atomics on a failed rank may succeed; ompl_flush() reports the failure. ompl_poll(),
 * ompl_load() and a wait of 0 microseconds only read the word and report no death: in a loop, wait
 * for at least one microsecond.
 *
 * Every function returns HAYATE_OK or a negative HAYATE_ERR_* code; hayate_error() returns the
 * reason. A call that fails because of its arguments changes nothing. Errors of all functions:
 * STATE (before ompl_init()), CLOSED (after ompl_finalize() or hayate_finalize()), ARGUMENT
 * (target out of range, bytes outside the space, misaligned flag or word, null pointer).
 */
#ifndef HAYATE_OMPL_H
#define HAYATE_OMPL_H

#include <hayate/fmpl.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The layout of a flag in the space. */
typedef struct ompl_flag {
    uint64_t value;   /**< the value for which ranks wait */
    uint64_t data[3]; /**< visible to every reader of the value */
} ompl_flag_t;

/** The size of a flag in bytes; its offset must be a multiple of this size. */
#define OMPL_FLAG_BYTES 32

/**
 * Opens the space with `bytes` in every rank's part, on the job of hayate_init(). Collective over
 * all ranks of the job. The part is allocated from the heap (`hayate run --heap`).
 *
 * Errors: ARGUMENT (0 bytes; the other ranks wait until the call is repeated), MISMATCH (a rank
 * passes another size; see hayate_error_peer()), NO_MEMORY (more than is left in the heap of this
 * or another rank), STATE (already open), PEER_FAILED.
 */
HAYATE_API int ompl_init(size_t bytes);

/** A value of `endpoints` for ompl_init_endpoints(): one endpoint for each thread. */
#define OMPL_PER_THREAD 0

/** The largest number of endpoints that the threads of a rank can share. */
#define OMPL_MOST_ENDPOINTS 64

/**
 * Like ompl_init(), which gives each thread an endpoint. With `endpoints` from 1 to
 * OMPL_MOST_ENDPOINTS, the threads of this rank share that many endpoints through a lock-free free
 * list. On a path with queue pairs, fewer endpoints take less memory; a thread that finds none
 * free waits.
 *
 * A call keeps its endpoint until it returns. Operations of ompl_put_start() and ompl_get_start()
 * keep it until the thread's next flush, flag, atomic, or blocking wait, so one of these should
 * follow soon. Ranks may use different numbers. HAYATE_ENDPOINTS ("thread" or a number) takes
 * precedence over the argument. If either is wrong on a rank, that rank gets ARGUMENT and the
 * others get MISMATCH, and the call may be repeated.
 */
HAYATE_API int ompl_init_endpoints(size_t bytes, int endpoints);

/** Stores the number of endpoints of this rank in `*count`; OMPL_PER_THREAD: one for each
 * thread. */
HAYATE_API int ompl_endpoints(int *count);

/**
 * Closes the space on this rank. Not collective: call it when no rank accesses this rank's part
 * any more. Waits of other threads end with CLOSED. The memory stays readable; it returns to the
 * heap at the next collective set-up (ompl_init(), fmpl_comm_create()). Idempotent.
 */
HAYATE_API int ompl_finalize(void);

/** Returns this rank's part, aligned to 64 bytes; NULL if no space is open. */
HAYATE_API void *ompl_memory(void);

/** Stores the size of a part in bytes in `*bytes`. */
HAYATE_API int ompl_size(size_t *bytes);

/* ---- data ---- */

/** Writes `length` bytes of `src` to offset `dest` of the target; `src` may be rewritten on
 * return. The two ranges must not overlap. */
HAYATE_API int ompl_put(const void *src, int target, uint64_t dest, size_t length);

/** Reads `length` bytes of the target from offset `from` into `to`; complete on return. */
HAYATE_API int ompl_get(void *to, int target, uint64_t from, size_t length);

/** Like ompl_put(), but `src` must not change before ompl_flush(). */
HAYATE_API int ompl_put_start(const void *src, int target, uint64_t dest, size_t length);

/** Like ompl_get(), but `to` holds the data only after ompl_flush(). */
HAYATE_API int ompl_get_start(void *to, int target, uint64_t from, size_t length);

/** A piece of a vector: `length` bytes at `local` and at offset `remote` of the target. */
typedef struct ompl_piece {
    void *local;
    uint64_t remote;
    size_t length;
} ompl_piece_t;

/** Puts `count` pieces to one target. All pieces are checked before the first byte is written.
 * Local memory may be rewritten on return. */
HAYATE_API int ompl_put_vector(int target, const ompl_piece_t *pieces, size_t count);

/** Gets `count` pieces from one target; complete on return. */
HAYATE_API int ompl_get_vector(int target, const ompl_piece_t *pieces, size_t count);

/** Completes all operations with the target that this thread has started, and those of other
 * threads whose start call is known to have returned before. Afterwards everything that was put
 * is visible at the target. PEER_FAILED: the target has died, was stopped or has left. */
HAYATE_API int ompl_flush(int target);

/** Does ompl_flush() for all ranks; returns the first error after it has flushed all of them. */
HAYATE_API int ompl_flush_all(void);

/* ---- flags ---- */

/** Sets a flag of the target: its value becomes 1, its data 0. */
HAYATE_API int ompl_put_word(int target, uint64_t flag);

/** Writes a flag of the target. */
HAYATE_API int ompl_put_flag(int target, uint64_t flag, const ompl_flag_t *value);

/** Does ompl_put(), then ompl_put_flag(), in one call; if `value` is NULL, ompl_put_word(). */
HAYATE_API int ompl_put_signal(const void *src, int target, uint64_t dest, size_t length,
                               uint64_t flag, const ompl_flag_t *value);

/** Clears a flag or word of this rank's part: its value becomes 0. All earlier reads of this
 * thread are complete before the value changes. */
HAYATE_API int ompl_clear(uint64_t word);

/** Waits until a flag or word of this rank's part is not 0. PEER_FAILED, CLOSED. */
HAYATE_API int ompl_wait(uint64_t word);

/** Returns 1 if a flag or word of this rank's part is not 0, 0 if it is 0, or an error. Never
 * blocks. */
HAYATE_API int ompl_poll(uint64_t word);

/** Stores the value of a flag or word of this rank's part in `*value`. */
HAYATE_API int ompl_load(uint64_t word, uint64_t *value);

/** How a word (unsigned) is compared with a value. */
typedef enum ompl_comparison {
    OMPL_EQ,
    OMPL_NE,
    OMPL_GT,
    OMPL_GE,
    OMPL_LT,
    OMPL_LE
} ompl_comparison_t;

/** A value of `how` for ompl_wait_until(): a failed rank does not end the wait. */
#define OMPL_IGNORE_FAILURES 1u

/** A value of `timeout_us` for ompl_wait_until(): no limit. */
#define OMPL_FOREVER (-1)

/**
 * Waits until the comparison of `word`, in this rank's part, with `value` holds. After
 * `timeout_us` microseconds it returns HAYATE_IN_PROGRESS (0: at once, without blocking;
 * OMPL_FOREVER: never). `how` is 0 or OMPL_IGNORE_FAILURES. The last value of the word is stored
 * in `*seen`, which may be NULL.
 */
HAYATE_API int ompl_wait_until(uint64_t word, ompl_comparison_t comparison, uint64_t value,
                               int64_t timeout_us, unsigned how, uint64_t *seen);

/* ---- atomics ---- */

/** Operations on a 64-bit word of the target. They are atomic with respect to each other, from
 * all ranks and threads. `*before` (may be NULL) becomes the previous value. Complete on
 * return. All except ompl_fetch() wake the waiters of the word. On some paths they are not
 * atomic with respect to plain puts and ompl_put_flag() to the same word. */
HAYATE_API int ompl_fetch(int target, uint64_t word, uint64_t *before);
HAYATE_API int ompl_fetch_add(int target, uint64_t word, uint64_t operand, uint64_t *before);
HAYATE_API int ompl_fetch_and(int target, uint64_t word, uint64_t operand, uint64_t *before);
HAYATE_API int ompl_fetch_or(int target, uint64_t word, uint64_t operand, uint64_t *before);
HAYATE_API int ompl_swap(int target, uint64_t word, uint64_t operand, uint64_t *before);

/** Writes `desired` if the word holds `expected`; it has done so if `*before` equals `expected`. */
HAYATE_API int ompl_compare_swap(int target, uint64_t word, uint64_t expected, uint64_t desired,
                                 uint64_t *before);

/* ---- accumulates ---- */

/**
 * Accumulates combine elements of the target with those of the caller, one by one. All accumulates
 * (the functions below) are atomic for each element with respect to each other, from all ranks and
 * threads, whatever their operations. They are not atomic with respect to puts, flags and the
 * atomics above. Like a put, an accumulate is visible to whoever sees a flag that the thread wrote
 * after it, or after ompl_flush(); it wakes no waiter.
 *
 * Offsets are multiples of the alignment of an element. Local memory may have any alignment; it
 * must not overlap with other memory of the call. On return it may be rewritten, and `before` holds
 * the previous elements.
 *
 * A call holds a lock of the target's part: inside of a node for some microseconds at a time; to
 * another node, from which it gets the elements and to which it puts the results, for the whole
 * call. So a thread may wait for others. If a rank dies while it holds the lock, accumulates into
 * this part fail from then on.
 *
 * Errors: ARGUMENT, CLOSED, PEER_FAILED: a rank died while it accumulated into the same part, or
 * the target has died. An accumulate to a target that has died may also succeed, like a put.
 *
 * ompl_accumulate() combines `count` elements of `src` by a predefined reduction (FMPL_INT_SUM and
 * so on, hayate/fmpl.h): target[i] = target[i] op src[i].
 */
HAYATE_API int ompl_accumulate(const void *src, int target, uint64_t dest, size_t count,
                               fmpl_op_t op);

/** Does ompl_accumulate() and stores the previous elements in `before`. */
HAYATE_API int ompl_get_accumulate(const void *src, void *before, int target, uint64_t dest,
                                   size_t count, fmpl_op_t op);

/** Does ompl_get_accumulate() for one element. `before` may be NULL. */
HAYATE_API int ompl_fetch_and_op(const void *operand, void *before, int target, uint64_t dest,
                                 fmpl_op_t op);

/** Writes `*desired` if the element of 1, 2, 4 or 8 bytes equals `*expected`, byte by byte; it has
 * done so if `*before`, the previous element, does. */
HAYATE_API int ompl_compare_and_swap(const void *expected, const void *desired, void *before,
                                     int target, uint64_t dest, size_t bytes);

/** Does ompl_put() as an accumulate: elements of any size that begin at `dest` are replaced. */
HAYATE_API int ompl_put_atomic(const void *src, int target, uint64_t dest, size_t length);

/** Does ompl_get() as an accumulate. */
HAYATE_API int ompl_get_atomic(void *to, int target, uint64_t from, size_t length);

/** Does ompl_put_atomic() and stores the previous bytes in `before`. */
HAYATE_API int ompl_exchange(const void *src, void *before, int target, uint64_t dest,
                             size_t length);

#ifdef __cplusplus
}
#endif
#endif
