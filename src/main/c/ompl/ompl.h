/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A global space as one process sees it: where every rank's part lies in its part of the segment.
 * There is nothing else but the endpoints: no queue, no lock, no state of an operation; a call
 * takes an endpoint, looks up the target and hands over to its path.
 *
 * What moves data, writes flags or words or flushes gives IN_PROGRESS when no endpoint is free and
 * the space was opened so: nothing was done, to be called again.
 *
 * Lifetime: hy_ompl_close() ends waits; memory of the space and this structure stay until
 * hy_ompl_free(), for threads that are still inside.
 */
#ifndef HY_OMPL_OMPL_H
#define HY_OMPL_OMPL_H

#include <hayate/ompl.h>

#include "base/buffer.h"
#include "job/job.h"
#include "ompl/endpoints.h"

_Static_assert(sizeof(ompl_flag_t) == sizeof(hy_flag), "the same flag, but for its alignment");
_Static_assert(OMPL_FLAG_BYTES == sizeof(hy_flag), "the public size of a flag");

typedef struct hy_ompl {
    struct hy_ompl *previous; /* of a C program: closed, but somebody may still be inside */
    hy_job *job;
    int rank, size;
    uint64_t bytes;   /* of a part of the space */
    uint8_t *memory;  /* this rank's */
    uint64_t *starts; /* [size]: of each rank's part, as its path takes addresses */
    hy_endpoints *endpoints;
    _Atomic uint32_t closed;
    _Atomic uint32_t waiting; /* threads that have waited for a moment */
    hy_wait_policy crowded;   /* of those that are more than the cores */
} hy_ompl;

/* ---- global_space.c ---- */
/* `endpoints`: 0 is one per thread, else a list of so many. */
int hy_ompl_open(hy_ompl **ompl, hy_job *job, uint64_t bytes, int endpoints);
/* Idempotent; rings the bell, so that waits end with CLOSED. */
void hy_ompl_close(hy_ompl *ompl);
/* Only when no thread can be inside any more; before its job is freed. */
void hy_ompl_free(hy_ompl *ompl);

/* Why a call cannot be: the code, with a reason. */
int hy_ompl_refuse(const hy_ompl *ompl, int target, uint64_t at, uint64_t len, uint64_t unit);

/* OK: the space is open, and `len` bytes from `at`, a multiple of `unit`, are inside of the part of
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

/* The end of a target for who has this endpoint. NO_MEMORY, PEER_FAILED. */
static inline int hy_ompl_reach(hy_ompl *ompl, int endpoint, int target, hy_ep **ep)
{
    *ep = &ompl->job->eps[target];
    if (hy_likely(!hy_ep_is_far(*ep))) return HAYATE_OK;
    return hy_endpoint_reach(ompl->endpoints, endpoint, target, ep);
}

/* ---- transfer.c ---- */
int hy_ompl_put(hy_ompl *ompl, const hy_buffer *from, int target, uint64_t at, uint64_t len);
int hy_ompl_get(hy_ompl *ompl, const hy_buffer *to, int target, uint64_t at, uint64_t len);
/* A buffer with an address belongs to the path until the flush. */
int hy_ompl_put_start(hy_ompl *ompl, const hy_buffer *from, int target, uint64_t at, uint64_t len);
int hy_ompl_get_start(hy_ompl *ompl, const hy_buffer *to, int target, uint64_t at, uint64_t len);
/* Their halves, for who has an endpoint already. */
int hy_ompl_check_put(const hy_ompl *ompl, const hy_buffer *from, int target, uint64_t at,
                      uint64_t len);
int hy_ompl_put_unchecked(hy_ompl *ompl, int endpoint, const hy_buffer *from, int target,
                          uint64_t at, uint64_t len);
/* target -1: all */
int hy_ompl_flush(hy_ompl *ompl, int target);

typedef struct hy_piece {
    hy_buffer local;
    uint64_t remote, len;
} hy_piece;

/* A list of whatever kind: the first member of it. A piece is good until the next is asked for. */
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

/* ---- watch.c ---- */
typedef struct hy_watch {
    uint64_t at, value;
    ompl_comparison_t comparison;
    unsigned how;
    int64_t timeout_us;
    uint32_t polls; /* after so many it comes back, with IN_PROGRESS, too; 0: after none */
} hy_watch;

/* OK, IN_PROGRESS (time is over), or why it will not be. What the word held in the end in *seen. */
int hy_ompl_watch(hy_ompl *ompl, const hy_watch *watch, uint64_t *seen);

#endif
