/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A global space as one process sees it: where each rank's part lies in that rank's part of the
 * segment. Besides this there are only the endpoints, and a lock for each part for accumulates:
 * no queue, no state of an operation. A call takes an endpoint, looks up the target and calls its
 * path.
 *
 * A space has memory of its own, with the lock behind it. Or it is of the heaps themselves: then
 * every offset counts from the start of a rank's part of the segment, all memory of the heaps can
 * be reached, and the caller says where the locks are.
 *
 * Functions that move data, write flags or words, or flush return IN_PROGRESS if no endpoint is
 * free and the space was opened that way: nothing was done, and the caller repeats the call.
 *
 * Lifetime: hy_ompl_close() ends waits. The memory of the space and this structure stay until
 * hy_ompl_free(), for threads that are still inside a call.
 */
#ifndef HY_OMPL_OMPL_H
#define HY_OMPL_OMPL_H

#include <hayate/ompl.h>

#include "base/buffer.h"
#include "coll/reductions.h"
#include "job/job.h"
#include "job/flight.h"
#include "ompl/endpoints.h"

_Static_assert(sizeof(ompl_flag_t) == sizeof(hy_flag), "the same flag, except for its alignment");
_Static_assert(OMPL_FLAG_BYTES == sizeof(hy_flag), "the public size of a flag");

typedef struct hy_ompl {
    struct hy_ompl *previous; /* of a C program: closed, but threads may still use it */
    hy_job *job;
    int rank, size;
    uint64_t bytes;   /* size of a part; of heaps, of the largest one */
    uint8_t *memory;  /* this rank's part */
    uint8_t *owned;   /* the same; NULL: the memory is not of the space */
    uint64_t *starts; /* [size]: start of each rank's part, as an address of its path */
    uint64_t *locks;  /* [size]: the lock of each part (part_lock.c), the same */
    hy_endpoints *endpoints;
    _Atomic uint32_t closed;
    _Atomic uint32_t waiting; /* threads that wait and have looked MOMENT times */
    hy_wait_policy crowded;   /* for when more threads wait than there are cores */
} hy_ompl;

/* ---- global_space.c ---- */
/* `endpoints`: 0 for one per thread, else the length of the free list. */
int hy_ompl_open(hy_ompl **ompl, hy_job *job, uint64_t bytes, int endpoints);
/* The space of all heaps. Local: each rank opens one when it wants. `locks`: offsets of a line of
 * zeros in the part of the segment of each rank; those of ranks to which this one does not
 * accumulate do not matter. ARGUMENT, CLOSED, NO_MEMORY. */
int hy_ompl_open_heaps(hy_ompl **ompl, hy_job *job, const uint64_t *locks);
/* Idempotent. Rings the bell, so that waits end with CLOSED. */
void hy_ompl_close(hy_ompl *ompl);
/* Only when no thread can be inside a call any more, and before its job is freed. */
void hy_ompl_free(hy_ompl *ompl);

/* Returns the code for a call that hy_ompl_check() rejects, with a reason. */
int hy_ompl_refuse(const hy_ompl *ompl, int target, uint64_t at, uint64_t len, uint64_t unit);

/* OK: the space is open, and `len` bytes from `at`, a multiple of `unit`, are inside the part of
 * `target`. */
static inline int hy_ompl_check(const hy_ompl *ompl, int target, uint64_t at, uint64_t len,
                                uint64_t unit)
{
    if (hy_likely((unsigned)target < (unsigned)ompl->size && at <= ompl->bytes &&
                  len <= ompl->bytes - at && (at & (unit - 1)) == 0 &&
                  !hy_load_relaxed(&ompl->closed) && !hy_load_relaxed(&ompl->job->closed)))
        return HAYATE_OK;
    return hy_ompl_refuse(ompl, target, at, len, unit);
}

/* Stores the ep of a target for this endpoint. NO_MEMORY, PEER_FAILED. */
static inline int hy_ompl_reach(hy_ompl *ompl, int endpoint, int target, hy_ep **ep)
{
    *ep = hy_job_known_ep(ompl->job, target);
    if (hy_likely(*ep && !hy_ep_is_far(*ep))) return HAYATE_OK;
    return hy_endpoint_reach(ompl->endpoints, endpoint, target, ep);
}

/* The name of an operation that begins in the flight recorder, for hy_flight_over(); 0: the
 * recorder is off. `what` is of atomics. */
uint64_t hy_ompl_record_on(hy_ompl *ompl, uint8_t kind, int target, uint64_t at, uint64_t len,
                           uint8_t what);
static inline uint64_t hy_ompl_record(hy_ompl *ompl, uint8_t kind, int target, uint64_t at,
                                      uint64_t len, uint8_t what)
{
    if (hy_likely(!ompl->job->flight)) return 0;
    return hy_ompl_record_on(ompl, kind, target, at, len, what);
}

/* ---- transfer.c ---- */
int hy_ompl_check_buffer(const hy_buffer *buffer, uint64_t len);
int hy_ompl_put(hy_ompl *ompl, const hy_buffer *from, int target, uint64_t at, uint64_t len);
int hy_ompl_get(hy_ompl *ompl, const hy_buffer *to, int target, uint64_t at, uint64_t len);
/* A buffer that has an address belongs to the path until the flush. */
int hy_ompl_put_start(hy_ompl *ompl, const hy_buffer *from, int target, uint64_t at, uint64_t len);
int hy_ompl_get_start(hy_ompl *ompl, const hy_buffer *to, int target, uint64_t at, uint64_t len);
/* The two halves of a put, for callers that already have an endpoint. */
int hy_ompl_check_put(const hy_ompl *ompl, const hy_buffer *from, int target, uint64_t at,
                      uint64_t len);
int hy_ompl_put_unchecked(hy_ompl *ompl, int endpoint, const hy_buffer *from, int target,
                          uint64_t at, uint64_t len);
/* target -1: all ranks */
int hy_ompl_flush(hy_ompl *ompl, int target);

typedef struct hy_piece {
    hy_buffer local;
    uint64_t remote, len;
} hy_piece;

/* A list of any kind, of which this is the first member. A piece is valid until the next is
 * read. */
typedef struct hy_pieces {
    hy_piece (*at)(const struct hy_pieces *pieces, size_t index);
    size_t count;
} hy_pieces;

/* All pieces are checked before the first byte is moved. */
int hy_ompl_put_vector(hy_ompl *ompl, int target, const hy_pieces *pieces);
int hy_ompl_get_vector(hy_ompl *ompl, int target, const hy_pieces *pieces);

/* ---- flags.c ---- */
int hy_ompl_put_flag(hy_ompl *ompl, int target, uint64_t at, const hy_flag *flag);
int hy_ompl_put_signal(hy_ompl *ompl, const hy_buffer *from, int target, uint64_t at, uint64_t len,
                       uint64_t flag_at, const hy_flag *flag);
int hy_ompl_atomic(hy_ompl *ompl, int target, uint64_t at, hy_atomic what, uint64_t operand,
                   uint64_t expected, uint64_t *before);
int hy_ompl_clear(hy_ompl *ompl, uint64_t at);

/* ---- part_lock.c ---- */
typedef struct hy_part_lock {
    hy_ompl *ompl;
    hy_ep *ep;   /* of the target */
    uint64_t at; /* as an address of its path */
} hy_part_lock;

/* The offset of the lock of a space with its own memory from the start of a part. */
static inline uint64_t hy_part_lock_offset(uint64_t bytes)
{
    return hy_round_up(bytes, HY_LINE);
}

/* Waits until the lock is free. PEER_FAILED (the holder or the owner), CLOSED. */
int hy_part_lock_take(const hy_part_lock *lock);
int hy_part_lock_give(const hy_part_lock *lock);

/* ---- accumulate.c ---- */
/* NULL with a reason: `op` is not one of the predefined FMPL_INT_SUM, ... */
const hy_reduction *hy_ompl_reduction(int op);
/* `before` gets the previous elements; NULL: not wanted. */
int hy_ompl_accumulate(hy_ompl *ompl, const hy_buffer *from, const hy_buffer *before, int target,
                       uint64_t at, uint64_t len, int op);
/* Writes, if `from` is not NULL, and reads, if `before` is not. */
int hy_ompl_exchange(hy_ompl *ompl, const hy_buffer *from, const hy_buffer *before, int target,
                     uint64_t at, uint64_t len);
int hy_ompl_compare_and_swap(hy_ompl *ompl, int target, uint64_t at, uint32_t unit,
                             const void *expected, const void *desired, void *before);

/* ---- watch.c ---- */
typedef struct hy_watch {
    uint64_t at, value;
    ompl_comparison_t comparison;
    unsigned how;
    int64_t timeout_us;
    uint32_t polls; /* return IN_PROGRESS after this many, too; 0: no such limit */
} hy_watch;

/* OK, IN_PROGRESS (after the time limit), or an error that ends the wait. *seen becomes the last
 * value. */
int hy_ompl_watch(hy_ompl *ompl, const hy_watch *watch, uint64_t *seen);

#endif
