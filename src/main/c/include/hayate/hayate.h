/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Hayate: the job, its ranks and its memory.
 *
 * A *job* is a set of *ranks* that were started together: by `hayate run -n N`, or, on one or more
 * nodes, by a launcher that speaks PMIx or PMI-1, such as mpirun, srun and mpiexec. A program that
 * is started alone is a job of one rank. Each process opens the job once with hayate_init() and
 * leaves it with hayate_finalize().
 *
 * Unless stated otherwise, every function may be called from any thread, and returns HAYATE_OK or
 * a negative HAYATE_ERR_* code. On an error, hayate_error() returns the reason to the calling
 * thread. The library writes nothing to stdout and installs no signal handler.
 */
#ifndef HAYATE_HAYATE_H
#define HAYATE_HAYATE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HAYATE_API __attribute__((visibility("default")))

/** Result codes. Errors are negative; docs/ERRORS.md describes the remedy for each of them. */
enum {
    HAYATE_OK = 0,
    HAYATE_IN_PROGRESS = 1,   /**< not an error: the operation is under way */
    HAYATE_ERR_ARGUMENT = -1, /**< null, negative, out of range, misaligned */
    HAYATE_ERR_TRUNCATE = -2, /**< the message is longer than the receive; it stays receivable */
    HAYATE_ERR_BUSY = -3,     /**< the (peer, mai) or communicator is in use by another operation */
    HAYATE_ERR_CLOSED = -4,   /**< the object has been closed */
    HAYATE_ERR_PEER_FAILED = -5,  /**< a rank died, was stopped or left; see hayate_error_peer() */
    HAYATE_ERR_NO_MEMORY = -6,    /**< the heap or the system has no memory left */
    HAYATE_ERR_MISMATCH = -7,     /**< the members of a collective disagree on its arguments */
    HAYATE_ERR_LAUNCH = -8,       /**< the launcher's environment is wrong or incomplete */
    HAYATE_ERR_UNSUPPORTED = -9,  /**< not possible on this machine, path or build */
    HAYATE_ERR_SYSTEM = -10,      /**< a system call failed */
    HAYATE_ERR_CANCELLED = -11,   /**< the operation was cancelled */
    HAYATE_ERR_STATE = -12,       /**< not initialised, or initialised twice */
    HAYATE_ERR_CORRUPT = -13,     /**< a peer wrote invalid data */
    HAYATE_ERR_CALLBACK = -14,    /**< a user function failed; the collective has completed */
    HAYATE_ERR_TIMED_OUT = -15,   /**< the time limit of a wait is over */
    HAYATE_ERR_INTERRUPTED = -16, /**< the waiting thread was interrupted; only in Java */
    HAYATE_ERR_BROKEN = -17       /**< a member has given up a collective of the communicator */
};

/** Returns the version of this library, "MAJOR.MINOR.PATCH". Never NULL. */
HAYATE_API const char *hayate_version(void);

/** Returns the short English name of a code, such as "peer failed". Never NULL, for any int. */
HAYATE_API const char *hayate_strerror(int code);

/** Returns the reason of the calling thread's last error, or "". Valid until its next failing
 * call. */
HAYATE_API const char *hayate_error(void);

/** Returns the rank that the calling thread's last error concerns, or -1. */
HAYATE_API int hayate_error_peer(void);

/**
 * Joins the job that the environment describes (HAYATE_BOOT_FD, which `hayate run` sets; otherwise
 * variables of PMIx such as PMIX_RANK, or of PMI-1 such as PMI_FD). Without such variables, it
 * makes a job of one rank. Collective: returns when every rank has joined.
 *
 * Errors: LAUNCH, UNSUPPORTED (no network between the nodes, no libpmix), NO_MEMORY, SYSTEM, STATE
 * (the process has a job open, or has already left it), PEER_FAILED (a rank ended before it
 * joined).
 */
HAYATE_API int hayate_init(void);

/**
 * Leaves the job. Not collective. Operations of other threads end with HAYATE_ERR_CLOSED. The
 * memory of the heap stays readable in this process until the process exits. Idempotent.
 */
HAYATE_API int hayate_finalize(void);

/** Returns the number of this rank, 0 to size - 1, or HAYATE_ERR_STATE if no job is open. */
HAYATE_API int hayate_rank(void);

/** Returns the number of ranks, at least 1, or HAYATE_ERR_STATE if no job is open. */
HAYATE_API int hayate_size(void);

/**
 * Allocates `bytes` in this rank's part of the symmetric heap, which every rank can access without
 * a copy. The memory is aligned to 64 bytes, from 32 KiB on to 4096 bytes, and not cleared.
 *
 * Ranks that make the same calls in the same order get the same offsets, as long as no messages
 * are sent in between: messages take their buffers from the same heap. Before the call fails, it
 * frees idle message buffers. Returns NULL if `bytes` is 0 or if not enough memory is left;
 * hayate_error() then tells how much is left.
 */
HAYATE_API void *hayate_alloc(size_t bytes);

/** Frees memory of hayate_alloc(). ARGUMENT: `memory` is not the start of a live allocation. */
HAYATE_API int hayate_free(void *memory);

#ifdef __cplusplus
}
#endif
#endif
