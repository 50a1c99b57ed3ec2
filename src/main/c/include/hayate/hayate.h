/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Hayate: the job, its ranks and its memory.
 *
 * A *job* is a set of *ranks* started together: by `hayate run -n N` or, on one node or
 * several, by a launcher that speaks PMIx or PMI-1, as mpirun, srun and mpiexec do. A program
 * started alone is a job of one rank. Each process opens the job once with hayate_init() and leaves
 * it with hayate_finalize(). Unless said otherwise every function may be called from any thread,
 * returns HAYATE_OK or a negative HAYATE_ERR_* code, and on an error leaves a sentence about the
 * reason in hayate_error() of the calling thread. Nothing is ever written to stdout, and no signal
 * handler is installed.
 */
#ifndef HAYATE_HAYATE_H
#define HAYATE_HAYATE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HAYATE_API __attribute__((visibility("default")))

/** Results. Errors are negative; docs/ERRORS.md says what to do about each. */
enum {
    HAYATE_OK = 0,
    HAYATE_IN_PROGRESS = 1,   /**< not an error: the operation goes on */
    HAYATE_ERR_ARGUMENT = -1, /**< null, negative, out of range, misaligned */
    HAYATE_ERR_TRUNCATE = -2, /**< the message is longer than the receive; it stays receivable */
    HAYATE_ERR_BUSY = -3,     /**< the (peer, mai) or communicator is in use by another operation */
    HAYATE_ERR_CLOSED = -4,   /**< used after close */
    HAYATE_ERR_PEER_FAILED = -5, /**< a rank died, stopped or left; hayate_error_peer() names it */
    HAYATE_ERR_NO_MEMORY = -6,   /**< the heap (or the system) has no room */
    HAYATE_ERR_MISMATCH = -7,    /**< the members of a collective disagree on its arguments */
    HAYATE_ERR_LAUNCH = -8,      /**< the launcher's environment is wrong or incomplete */
    HAYATE_ERR_UNSUPPORTED = -9, /**< this machine, path or build cannot do that */
    HAYATE_ERR_SYSTEM = -10,     /**< a system call failed */
    HAYATE_ERR_CANCELLED = -11,  /**< the operation was cancelled */
    HAYATE_ERR_STATE = -12,      /**< not initialised, or initialised twice */
    HAYATE_ERR_CORRUPT = -13,    /**< a peer wrote what no correct peer writes */
    HAYATE_ERR_CALLBACK = -14    /**< a user function failed; the collective itself was completed */
};

/** Version of this library, "MAJOR.MINOR.PATCH". Never NULL. */
HAYATE_API const char *hayate_version(void);

/** Short English name of a code, "peer failed". Never NULL, for any int. */
HAYATE_API const char *hayate_strerror(int code);

/** Reason of the last error of the calling thread, or "". Valid until its next failing call. */
HAYATE_API const char *hayate_error(void);

/** Rank concerned by the last error of the calling thread, or -1. */
HAYATE_API int hayate_error_peer(void);

/**
 * Joins the job that the environment describes (HAYATE_BOOT_FD, set by `hayate run`; else PMIX_RANK
 * and the like, or PMI_FD and the like), or makes a job of one rank. Collective: returns when every
 * rank has joined. Errors: LAUNCH, UNSUPPORTED (no network between the nodes, no libpmix),
 * NO_MEMORY, SYSTEM, STATE (the process has a job open, or has already left it), PEER_FAILED (a
 * rank ended before it joined).
 */
HAYATE_API int hayate_init(void);

/**
 * Leaves the job. Not collective. Operations of other threads end with HAYATE_ERR_CLOSED; memory of
 * the heap stays readable in this process until it exits. Idempotent.
 */
HAYATE_API int hayate_finalize(void);

/** Number of this rank, 0 .. size-1; HAYATE_ERR_STATE without a job. */
HAYATE_API int hayate_rank(void);

/** Number of ranks, at least 1; HAYATE_ERR_STATE without a job. */
HAYATE_API int hayate_size(void);

/**
 * Memory of this rank's part of the symmetric heap, reachable by every rank without a copy, aligned
 * to 64 bytes (4096 from 32 KiB on), not cleared. Ranks that make the same calls in the same order
 * get the same offsets as long as no messages go between them, which take their buffers from there,
 * too. Buffers of messages that are idle are given back before the answer is no. NULL when bytes is
 * 0 or nothing is left (hayate_error() says how much was).
 */
HAYATE_API void *hayate_alloc(size_t bytes);

/** Gives memory of hayate_alloc() back. ARGUMENT when it is not the start of a live allocation. */
HAYATE_API int hayate_free(void *memory);

#ifdef __cplusplus
}
#endif
#endif
