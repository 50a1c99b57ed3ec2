/* SPDX-License-Identifier: Apache-2.0 */
/**
 * OMPL: a partitioned global address space for tasks on many threads of many ranks, after the Omni
 * PGAS communication layer (OMPL). Threads write into each other's part of the space and wait for
 * flags in memory; there are no channels, no matching and no queues.
 *
 * Every rank has a part of the same size. An address of the space is a target rank and an offset in
 * bytes, 0 .. size - 1, of its part; this rank's part starts at ompl_memory(). All is 0 after
 * ompl_init(). Local buffers may be any memory.
 *
 * **Data before flag.** Who has seen a flag or word that a thread wrote by ompl_put_word(),
 * ompl_put_flag(), ompl_put_signal() or an atomic (by ompl_wait(), ompl_wait_until(), ompl_poll(),
 * ompl_load(), or an atomic of its own) sees all that this thread put to *the same target* before,
 * by whatever put, blocking or not, without a flush. What went to other targets is there after an
 * ompl_flush() of them, and so is what is to be seen by who is told otherwise (by a message, a
 * barrier). Order between accesses of different tasks is the program's: two that write the same
 * bytes without a flag between them get any mixture.
 *
 * **Flags** are 32 bytes, at multiples of 32: a value that waits look at, and 24 bytes that come
 * with it. **Words** are 64 bits at multiples of 8; waits and atomics work on any of them, so on
 * the value of a flag, too. A plain put into a flag or word wakes nobody and is no signal.
 *
 * **Threads.** Any number of threads may be in any of these calls at once; over shared memory none
 * takes a lock. Several may wait for one flag, all are woken. A wait spins, yields, then sleeps
 * (HAYATE_WAIT).
 *
 * **Failures.** A wait names no peer: it ends with PEER_FAILED, within a second, when any rank of
 * the job has died or was stopped (unless OMPL_IGNORE_FAILURES), after what it waits for was looked
 * at once more; of a rank of another node that nobody tells of, after HAYATE_NET_SILENCE. A rank
 * that left in order (hayate_finalize()) is no failure. Puts, gets and atomics may succeed on a
 * rank that has failed; ompl_flush() tells. ompl_poll(), ompl_load() and a wait of 0 microseconds
 * only look at the word, and report no death: in a loop, wait for at least a microsecond.
 *
 * Every function returns HAYATE_OK or a negative HAYATE_ERR_*, and hayate_error() says why. A call
 * that fails on its arguments changes nothing. Errors of all: STATE (before ompl_init()), CLOSED
 * (after ompl_finalize() or hayate_finalize()), ARGUMENT (target out of range, bytes outside of the
 * space, misaligned flag or word, null).
 */
#ifndef HAYATE_OMPL_H
#define HAYATE_OMPL_H

#include <hayate/hayate.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A flag as it lies in the space. */
typedef struct ompl_flag {
    uint64_t value;   /**< what waits look at */
    uint64_t data[3]; /**< seen by who sees the value */
} ompl_flag_t;

/** Bytes of a flag, and what its offset is a multiple of. */
#define OMPL_FLAG_BYTES 32

/**
 * Opens the space with `bytes` in every rank's part, on the job of hayate_init(). Collective over
 * all ranks of the job. The part comes out of the heap (`hayate run --heap`).
 * Errors: ARGUMENT (0 bytes; the others wait until the call is made again), MISMATCH (a rank gives
 * another size; hayate_error_peer() names it), NO_MEMORY (more than this or another rank's heap has
 * left), STATE (open already), PEER_FAILED.
 */
HAYATE_API int ompl_init(size_t bytes);

/** `endpoints` of ompl_init_endpoints(): one for each thread. */
#define OMPL_PER_THREAD 0

/** Endpoints in a free list at most. */
#define OMPL_MOST_ENDPOINTS 64

/**
 * As ompl_init(), which gives each thread an endpoint of its own: with `endpoints` of 1 to
 * OMPL_MOST_ENDPOINTS this rank's threads share so many, taken and given back without a lock. On a
 * path with queue pairs fewer of them take less memory; a thread that finds none free waits. A call
 * keeps its endpoint until it returns; what ompl_put_start() and ompl_get_start() begin keeps it
 * until the thread's next flush, flag, atomic, or wait that blocks, so let one follow soon. Ranks
 * may differ. HAYATE_ENDPOINTS ("thread" or a number) goes before the argument. Where either is
 * wrong on a rank: ARGUMENT there, MISMATCH on the others, and the call may be made again.
 */
HAYATE_API int ompl_init_endpoints(size_t bytes, int endpoints);

/** Endpoints of this rank's list in `*count`; OMPL_PER_THREAD: one for each thread. */
HAYATE_API int ompl_endpoints(int *count);

/**
 * Closes the space on this rank. Not collective: it must be called when no rank addresses this one
 * any more. Waits of other threads end with CLOSED. The memory stays readable; the heap has it back
 * when the ranks meet the next time (ompl_init(), fmpl_comm_create()). Idempotent.
 */
HAYATE_API int ompl_finalize(void);

/** This rank's part, aligned to 64 bytes; NULL without a space. */
HAYATE_API void *ompl_memory(void);

/** Bytes of a part in `*bytes`. */
HAYATE_API int ompl_size(size_t *bytes);

/* ---- data ---- */

/** Writes `length` bytes of `src` to `dest` of the target; `src` may be rewritten on return. The
 *  two must not overlap. */
HAYATE_API int ompl_put(const void *src, int target, uint64_t dest, size_t length);

/** Reads `length` bytes of the target from `from` into `to`; complete on return. */
HAYATE_API int ompl_get(void *to, int target, uint64_t from, size_t length);

/** As ompl_put(), and `src` must not change before ompl_flush(). */
HAYATE_API int ompl_put_start(const void *src, int target, uint64_t dest, size_t length);

/** As ompl_get(), and `to` holds the data after ompl_flush(). */
HAYATE_API int ompl_get_start(void *to, int target, uint64_t from, size_t length);

/** A piece of a vector: `length` bytes between `local` and `remote` of the target. */
typedef struct ompl_piece {
    void *local;
    uint64_t remote;
    size_t length;
} ompl_piece_t;

/** Puts `count` pieces to one target. All are checked before the first byte is written. Local
 *  memory may be rewritten on return. */
HAYATE_API int ompl_put_vector(int target, const ompl_piece_t *pieces, size_t count);

/** Gets `count` pieces from one target; complete on return. */
HAYATE_API int ompl_get_vector(int target, const ompl_piece_t *pieces, size_t count);

/** Completes what was started with the target: by this thread, and by threads whose start returned
 *  before (and this thread knows). All that was put is visible at the target afterwards.
 *  PEER_FAILED: the target died, was stopped or left. */
HAYATE_API int ompl_flush(int target);

/** ompl_flush() of all ranks; the first error after all were flushed. */
HAYATE_API int ompl_flush_all(void);

/* ---- flags ---- */

/** Switches a flag of the target: its value becomes 1, its data 0. */
HAYATE_API int ompl_put_word(int target, uint64_t flag);

/** Writes a flag of the target. */
HAYATE_API int ompl_put_flag(int target, uint64_t flag, const ompl_flag_t *value);

/** ompl_put(), then ompl_put_flag(), in one call; `value` NULL: as ompl_put_word(). */
HAYATE_API int ompl_put_signal(const void *src, int target, uint64_t dest, size_t length,
                               uint64_t flag, const ompl_flag_t *value);

/** Switches a flag or word of this rank's part off: its value becomes 0. Reads that this thread
 *  made before are over. */
HAYATE_API int ompl_clear(uint64_t word);

/** Waits until a flag or word of this rank's part is not 0. PEER_FAILED, CLOSED. */
HAYATE_API int ompl_wait(uint64_t word);

/** 1: a flag or word of this rank's part is not 0; 0: it is; or an error. Never blocks. */
HAYATE_API int ompl_poll(uint64_t word);

/** The value of a flag or word of this rank's part. */
HAYATE_API int ompl_load(uint64_t word, uint64_t *value);

/** How a word (unsigned) is compared to a value. */
typedef enum ompl_comparison {
    OMPL_EQ,
    OMPL_NE,
    OMPL_GT,
    OMPL_GE,
    OMPL_LT,
    OMPL_LE
} ompl_comparison_t;

/** `how` of ompl_wait_until(): a rank that failed does not end the wait. */
#define OMPL_IGNORE_FAILURES 1u

/** `timeout_us` of ompl_wait_until(): no limit. */
#define OMPL_FOREVER (-1)

/**
 * Waits until `word` of this rank's part compares so to `value`. After `timeout_us` microseconds
 * (0: at once, without blocking; OMPL_FOREVER) it returns HAYATE_IN_PROGRESS. `how` is 0 or
 * OMPL_IGNORE_FAILURES. What the word held in the end is in `*seen`, which may be NULL.
 */
HAYATE_API int ompl_wait_until(uint64_t word, ompl_comparison_t comparison, uint64_t value,
                               int64_t timeout_us, unsigned how, uint64_t *seen);

/* ---- atomics ---- */

/** On a 64-bit word of the target, atomic with respect to each other from all ranks and threads;
 *  `*before` (may be NULL) gets what the word held. Complete on return. All but ompl_fetch() wake
 *  who waits for the word. Plain puts and ompl_put_flag() on the same word are not atomic beside
 *  them on every path. */
HAYATE_API int ompl_fetch(int target, uint64_t word, uint64_t *before);
HAYATE_API int ompl_fetch_add(int target, uint64_t word, uint64_t operand, uint64_t *before);
HAYATE_API int ompl_fetch_and(int target, uint64_t word, uint64_t operand, uint64_t *before);
HAYATE_API int ompl_fetch_or(int target, uint64_t word, uint64_t operand, uint64_t *before);
HAYATE_API int ompl_swap(int target, uint64_t word, uint64_t operand, uint64_t *before);

/** Writes `desired` where it finds `expected`: it did if `*before` is `expected`. */
HAYATE_API int ompl_compare_swap(int target, uint64_t word, uint64_t expected, uint64_t desired,
                                 uint64_t *before);

#ifdef __cplusplus
}
#endif
#endif
