/* SPDX-License-Identifier: Apache-2.0 */
/* Opens and closes a space: every rank takes its part from its heap and tells the others where
 * it is; or the heaps are the parts. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "nodes/far.h"
#include "job/setup.h"
#include "ompl/ompl.h"

/* What a rank tells the others at set-up. */
typedef struct place {
    uint64_t bytes, offset;
    int64_t failed; /* error code, 0: none */
} place;

_Static_assert(sizeof(place) <= HY_SETUP_RECORD_BYTES, "fits into a record");

/* From this size on, pages are returned to the system, which makes them zero, instead of being
 * written: pages of a space that are never touched cost nothing. */
#define GIVE_BACK_FROM (UINT64_C(1) << 20)

/* Pages are not returned if a network has registered the part: it would go on using the old
 * pages. The byte shows whether they were: QEMU's user mode ignores the call and reports success.
 */
static void clear(const hy_job *job, uint8_t *memory, uint64_t bytes)
{
    bool can_return = job->boot.control->huge == 0 && job->far.count == 0;
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE); /* 64 KiB on some machines */
    if (can_return && bytes >= GIVE_BACK_FROM && (uintptr_t)memory % page == 0) {
        uint64_t pages = bytes / page * page;
        memory[0] = 1;
        if (madvise(memory, pages, MADV_REMOVE) == 0 && memory[0] == 0) {
            memory += pages;
            bytes -= pages;
        }
    }
    memset(memory, 0, bytes);
}

/* The size of a part with its lock. No heap has as much as would overflow. */
static uint64_t with_lock(uint64_t bytes)
{
    return bytes > UINT64_MAX / 2 ? bytes : hy_part_lock_offset(bytes) + HY_LINE;
}

static int global_space_take(hy_ompl *ompl)
{
    uint64_t bytes = with_lock(ompl->bytes);
    ompl->memory = ompl->owned = hy_job_alloc(ompl->job, bytes);
    if (!ompl->memory) return hy_job_alloc_code(ompl->job);
    clear(ompl->job, ompl->memory, bytes);
    return HAYATE_OK;
}

static int global_space_note(hy_ompl *ompl, int rank, const place *its)
{
    if (its->bytes != ompl->bytes)
        return hy_fail_peer(HAYATE_ERR_MISMATCH, rank,
                            "rank %d opens a global space of %llu bytes per rank, this rank one of"
                            " %llu: the sizes must be equal",
                            rank, (unsigned long long)its->bytes, (unsigned long long)ompl->bytes);
    if (its->failed == HAYATE_ERR_ARGUMENT)
        return hy_fail_peer(HAYATE_ERR_MISMATCH, rank,
                            "rank %d has wrong settings: see the error of that rank", rank);
    if (its->failed)
        return hy_fail_peer(
            HAYATE_ERR_NO_MEMORY, rank,
            "rank %d has no memory for its part of the global space: open a smaller one,"
            " or start with a larger --heap (HAYATE_HEAP)",
            rank);
    uint64_t room = hy_job_part_bytes(ompl->job, rank), bytes = with_lock(its->bytes);
    if (its->offset > room || bytes > room - its->offset || its->offset % HY_LINE)
        return hy_fail_peer(HAYATE_ERR_CORRUPT, rank,
                            "rank %d sent a part of the global space that is outside its heap",
                            rank);
    ompl->starts[rank] = its->offset;
    ompl->locks[rank] = its->offset + hy_part_lock_offset(its->bytes);
    return HAYATE_OK;
}

/* After an error here, the other ranks are told, so that they do not hang. */
static int global_space_exchange(hy_ompl *ompl, int taken)
{
    hy_job *job = ompl->job;
    uint64_t offset = taken ? 0 : (uint64_t)(ompl->memory - job->part);
    const place mine = {ompl->bytes, offset, taken};
    int rc = hy_setup_exchange(job, HY_SETUP_OMPL, &mine, sizeof mine);
    for (int rank = 0; !rc && rank < ompl->size; rank++) {
        place its;
        hy_copy_once(&its, hy_boot_record(&job->boot, rank), sizeof its);
        if (rank != ompl->rank || !taken) rc = global_space_note(ompl, rank, &its);
    }
    const hy_failure failure = hy_failure_of(rc);
    rc = hy_setup_end(job);
    return failure.code ? hy_fail_again(&failure) : rc;
}

static int global_space_meet(hy_ompl *ompl, int endpoints)
{
    int rc = hy_setup_begin(ompl->job, NULL);
    if (rc) return rc;
    int taken = hy_endpoints_create(&ompl->endpoints, ompl, endpoints);
    if (!taken) taken = global_space_take(ompl);
    const hy_failure own = hy_failure_of(taken);
    rc = global_space_exchange(ompl, taken);
    return taken ? hy_fail_again(&own) : rc; /* this rank's error takes precedence */
}

static int global_space_open_all(hy_ompl *ompl, int endpoints)
{
    int rc = hy_setup_enter(ompl->job, NULL);
    if (rc) return rc;
    rc = global_space_meet(ompl, endpoints);
    hy_setup_leave(ompl->job);
    return rc;
}

/* NULL with a reason: the tables of places, which are 0, and no endpoints yet. */
static hy_ompl *global_space_new(hy_job *job, uint64_t bytes)
{
    hy_ompl *ompl = malloc(sizeof *ompl);
    uint64_t *places = calloc(2 * (size_t)job->size, sizeof *places);
    if (!ompl || !places) {
        free(ompl);
        free(places);
        hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a global space of %d ranks", job->size);
        return NULL;
    }
    *ompl = (hy_ompl){.job = job, .rank = job->rank, .size = job->size, .bytes = bytes};
    ompl->starts = places;
    ompl->locks = places + job->size;
    ompl->crowded = hy_wait_shared;
    ompl->crowded.limit = job->policy.limit;
    ompl->crowded.lap_ns = job->policy.lap_ns;
    return ompl;
}

static int global_space_opened(hy_ompl **result, hy_ompl *ompl, int rc)
{
    if (!rc) {
        *result = ompl;
        return HAYATE_OK;
    }
    const hy_failure failure = hy_failure_of(rc);
    hy_ompl_close(ompl);
    hy_ompl_free(ompl);
    return hy_fail_again(&failure);
}

int hy_ompl_open(hy_ompl **result, hy_job *job, uint64_t bytes, int endpoints)
{
    if (bytes == 0)
        return hy_fail(HAYATE_ERR_ARGUMENT, "global space of 0 bytes: expected at least 1");
    if (hy_load_relaxed(&job->closed)) return hy_fail(HAYATE_ERR_CLOSED, "the job is closed");
    hy_ompl *ompl = global_space_new(job, bytes);
    if (!ompl) return HAYATE_ERR_NO_MEMORY;
    return global_space_opened(result, ompl, global_space_open_all(ompl, endpoints));
}

/* ---- the space of all heaps ---- */

static int take_lock(hy_ompl *ompl, int rank, uint64_t lock)
{
    uint64_t room = hy_job_part_bytes(ompl->job, rank);
    if (lock % HY_LINE || lock > room || HY_LINE > room - lock)
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "the lock of rank %d is at %llu: expected a line of"
                       " its part",
                       rank, (unsigned long long)lock);
    ompl->locks[rank] = lock;
    if (room > ompl->bytes) ompl->bytes = room;
    return HAYATE_OK;
}

int hy_ompl_open_heaps(hy_ompl **result, hy_job *job, const uint64_t *locks)
{
    if (hy_load_relaxed(&job->closed)) return hy_fail(HAYATE_ERR_CLOSED, "the job is closed");
    hy_ompl *ompl = global_space_new(job, 0);
    if (!ompl) return HAYATE_ERR_NO_MEMORY;
    ompl->memory = job->part;
    int rc = hy_endpoints_create(&ompl->endpoints, ompl, 0);
    for (int rank = 0; !rc && rank < job->size; rank++) rc = take_lock(ompl, rank, locks[rank]);
    return global_space_opened(result, ompl, rc);
}

/* Completes everything, so that the program may reuse its buffers. Failed peers are not
 * reported. */
static void complete_all(const hy_ompl *ompl)
{
    for (int rank = 0; ompl->job->far.count && rank < ompl->size; rank++)
        if (hy_job_is_far(ompl->job, rank)) hy_far_flush_lanes(ompl->job, rank);
}

/* The part is freed late: a peer that is behind may still write into it. */
void hy_ompl_close(hy_ompl *ompl)
{
    if (atomic_exchange(&ompl->closed, 1)) return;
    hy_bell_ring_slow(ompl->job->bell);
    if (ompl->job->opener == getpid()) complete_all(ompl);
    if (ompl->owned) hy_job_release_late(ompl->job, ompl->owned);
}

void hy_ompl_free(hy_ompl *ompl)
{
    hy_endpoints_free(ompl->endpoints);
    free(ompl->starts);
    free(ompl);
}

int hy_ompl_refuse(const hy_ompl *ompl, int target, uint64_t at, uint64_t len, uint64_t unit)
{
    if (hy_load_relaxed(&ompl->closed) || hy_load_relaxed(&ompl->job->closed))
        return hy_fail(HAYATE_ERR_CLOSED, "the global space is closed");
    if ((unsigned)target >= (unsigned)ompl->size)
        return hy_fail(HAYATE_ERR_ARGUMENT, "target %d: expected a rank from 0 to %d", target,
                       ompl->size - 1);
    if (at & (unit - 1))
        return hy_fail(HAYATE_ERR_ARGUMENT, "offset %llu of a %s: expected a multiple of %llu",
                       (unsigned long long)at, unit == sizeof(hy_flag) ? "flag" : "word",
                       (unsigned long long)unit);
    return hy_fail(
        HAYATE_ERR_ARGUMENT, "%llu bytes at offset %llu: the global space has %llu bytes a rank",
        (unsigned long long)len, (unsigned long long)at, (unsigned long long)ompl->bytes);
}
