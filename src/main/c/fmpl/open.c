/* SPDX-License-Identifier: Apache-2.0 */
/* Opening: every rank lays out its matching area and flags and tells the others where they are. */
#include <stdlib.h>
#include <unistd.h>

#include "coll/comm.h"
#include "fmpl/op.h"
#include "job/holders.h"
#include "job/progress.h"
#include "job/setup.h"

_Static_assert(sizeof(hy_match) == FMPL_MATCH_BYTES, "the public size of a matching-area entry");
_Static_assert(HY_CHANNEL_FLAG_BYTES == FMPL_FLAG_BYTES, "the public size of an entry's flags");

/* What a rank tells the others. */
typedef struct areas {
    uint64_t count, match_offset, flag_offset;
} areas;

_Static_assert(sizeof(areas) <= HY_SETUP_CARD_BYTES, "a card holds it");

/* A virtual thread is held for at most about 20 us in a call. */
#define SPIN_LIMIT 400

static uint64_t entries(const hy_fmpl *fmpl)
{
    return (uint64_t)fmpl->count * (uint64_t)fmpl->size;
}

static int check_area(const hy_fmpl *fmpl, const void *area, uint64_t each, const char *name,
                      uint64_t *offset)
{
    uint64_t bytes = entries(fmpl) * each;
    *offset = hy_job_heap_offset(fmpl->job, area, bytes);
    if (*offset == HY_NOT_IN_HEAP || *offset % HY_LINE)
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "%s: expected %llu bytes of hayate_alloc(), aligned to %d (or null)", name,
                       (unsigned long long)bytes, HY_LINE);
    memset((void *)(uintptr_t)area, 0, bytes);
    return HAYATE_OK;
}

/* The first communicator lies there as well, and takes as much as one entry; areas begin at pages.
 */
static int check_room(const hy_fmpl *fmpl)
{
    uint64_t each = (uint64_t)fmpl->size * (FMPL_MATCH_BYTES + FMPL_FLAG_BYTES);
    uint64_t left = hy_job_system_left(fmpl->job), others = each + UINT64_C(4) * 4096;
    uint64_t most = left > others ? (left - others) / each : 0;
    if ((uint64_t)fmpl->count <= most) return HAYATE_OK;
    return hy_fail(
        HAYATE_ERR_NO_MEMORY,
        "FMPL with %d entries for each of %d ranks: there is room for %llu (%d bytes for an"
        " entry and rank, in memory that no setting makes larger); ask for fewer, or give"
        " FMPL a matching area and flags of the symmetric heap (HAYATE_HEAP), %llu bytes on"
        " each rank",
        fmpl->count, fmpl->size, (unsigned long long)most, FMPL_MATCH_BYTES + FMPL_FLAG_BYTES,
        (unsigned long long)((uint64_t)fmpl->count * each));
}

static int place_areas(hy_fmpl *fmpl, const void *match, const void *flags)
{
    if ((match == NULL) != (flags == NULL))
        return hy_fail(HAYATE_ERR_ARGUMENT, "matching area and flags: give both, or neither");
    fmpl->own_areas = match == NULL;
    if (!fmpl->own_areas) {
        int rc = check_area(fmpl, match, FMPL_MATCH_BYTES, "matching area", &fmpl->match_offset);
        if (rc) return rc;
        return check_area(fmpl, flags, FMPL_FLAG_BYTES, "flags", &fmpl->flag_offset);
    }
    int rc = check_room(fmpl);
    if (!rc)
        rc = hy_job_system_take(fmpl->job, entries(fmpl) * FMPL_MATCH_BYTES, &fmpl->match_offset);
    if (rc) return rc;
    return hy_job_system_take(fmpl->job, entries(fmpl) * FMPL_FLAG_BYTES, &fmpl->flag_offset);
}

/* Lane (mai, peer) of this rank meets lane (mai, this rank) of the peer. */
static void open_lane(hy_fmpl *fmpl, int mai, int peer, const areas *theirs)
{
    hy_job *job = fmpl->job;
    uint64_t mine = (uint64_t)mai * (uint64_t)fmpl->size + (uint64_t)peer;
    uint64_t their = (uint64_t)mai * (uint64_t)fmpl->size + (uint64_t)fmpl->rank;
    hy_lane *lane = &fmpl->lanes[mine];
    lane->fmpl = fmpl;
    lane->send.lane = lane->recv.lane = lane;
    lane->send.sends = true;
    uint8_t *flags = job->part + fmpl->flag_offset + mine * FMPL_FLAG_BYTES;
    uint8_t *match = job->part + fmpl->match_offset + mine * FMPL_MATCH_BYTES;
    hy_channel_open(&lane->channel, job, peer, flags, (hy_match *)(void *)match,
                    theirs->flag_offset + their * FMPL_FLAG_BYTES,
                    theirs->match_offset + their * FMPL_MATCH_BYTES);
}

static int check_areas(const hy_fmpl *fmpl, int peer, const areas *theirs)
{
    const hy_ep *ep = hy_job_ep(fmpl->job, peer);
    if (theirs->count != (uint64_t)fmpl->count)
        return hy_fail_peer(
            HAYATE_ERR_MISMATCH, peer,
            "rank %d opens FMPL with %llu entries, this rank with %d: the count must"
            " be the same",
            peer, (unsigned long long)theirs->count, fmpl->count);
    if (!hy_ep_contains(ep, theirs->match_offset, entries(fmpl) * FMPL_MATCH_BYTES) ||
        !hy_ep_contains(ep, theirs->flag_offset, entries(fmpl) * FMPL_FLAG_BYTES) ||
        theirs->match_offset % HY_LINE || theirs->flag_offset % HY_LINE)
        return hy_fail_peer(HAYATE_ERR_CORRUPT, peer, "rank %d has areas outside of its memory",
                            peer);
    return HAYATE_OK;
}

/* The others do not hang after an error here: they see the count 0 of a rank that could not place
 * its areas. */
static int meet(hy_fmpl *fmpl, const void *match, const void *flags)
{
    hy_job *job = fmpl->job;
    int rc = hy_setup_begin(job, NULL); /* nobody uses the areas of an FMPL before this one */
    if (rc) return rc;
    hy_failure failure = hy_failure_of(place_areas(fmpl, match, flags));
    const areas mine = {failure.code ? 0 : (uint64_t)fmpl->count, fmpl->match_offset,
                        fmpl->flag_offset};
    rc = hy_setup_exchange(job, HY_SETUP_FMPL, &mine, sizeof mine);
    for (int peer = 0; !rc && !failure.code && peer < fmpl->size; peer++) {
        areas theirs;
        memcpy(&theirs, hy_boot_card(&job->boot, peer), sizeof theirs);
        rc = check_areas(fmpl, peer, &theirs);
        for (int mai = 0; !rc && mai < fmpl->count; mai++) open_lane(fmpl, mai, peer, &theirs);
    }
    if (!failure.code) failure = hy_failure_of(rc);
    rc = hy_setup_end(job);
    return failure.code ? hy_fail_again(&failure) : rc;
}

static bool progress(void *fmpl)
{
    return hy_fmpl_progress(fmpl);
}

/* Meets the others in one turn: nothing that another thread of this rank makes comes between. */
static int open_all(hy_fmpl *fmpl, const void *match, const void *flags)
{
    pthread_mutex_init(&fmpl->lock, NULL);
    hy_worklist_open(&fmpl->active);
    size_t bytes = (size_t)entries(fmpl) * sizeof(hy_lane);
    fmpl->lanes = aligned_alloc(HY_LINE, bytes);
    if (!fmpl->lanes)
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for %zu bytes of lanes", bytes);
    memset(fmpl->lanes, 0, bytes);
    int rc = hy_setup_enter(fmpl->job, NULL);
    if (rc) return rc;
    rc = meet(fmpl, match, flags);
    if (!rc) rc = hy_comms_open(&fmpl->comms, fmpl->job, fmpl->spin_limit);
    hy_setup_leave(fmpl->job);
    if (!rc) rc = hy_progress_add(fmpl->job, progress, fmpl);
    if (!rc) rc = hy_holder_add(fmpl->job, hy_fmpl_give, fmpl);
    return rc;
}

/* With far peers a network has to work meanwhile. */
static uint32_t brief_spins(const hy_job *job)
{
    if (job->far.count) return 0;
    return job->policy.spins < SPIN_LIMIT ? job->policy.spins : SPIN_LIMIT;
}

int hy_fmpl_open(hy_fmpl **result, hy_job *job, void *match, void *flags, int64_t count)
{
    if (count < 1 || count > HY_MAX_MAI)
        return hy_fail(HAYATE_ERR_ARGUMENT, "%lld entries: expected 1 to %d", (long long)count,
                       HY_MAX_MAI);
    if (hy_load_relaxed(&job->closed)) return hy_fail(HAYATE_ERR_CLOSED, "the job is closed");
    hy_fmpl *fmpl = aligned_alloc(HY_LINE, hy_round_up(sizeof *fmpl, HY_LINE));
    if (!fmpl) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for FMPL");
    *fmpl = (hy_fmpl){.job = job,
                      .count = (int)count,
                      .size = job->size,
                      .rank = job->rank,
                      .spin_limit = SPIN_LIMIT,
                      .brief_spins = brief_spins(job)};
    int rc = open_all(fmpl, match, flags);
    if (rc) {
        hy_fmpl_close(fmpl);
        hy_fmpl_free(fmpl);
        return rc;
    }
    *result = fmpl;
    return HAYATE_OK;
}

void hy_fmpl_close(hy_fmpl *fmpl)
{
    if (atomic_exchange(&fmpl->closed, 1)) return;
    if (fmpl->comms) hy_comms_close(fmpl->comms);
    /* What a child of fork() has inherited is its parent's. */
    if (fmpl->job->opener == getpid()) hy_fmpl_end_all(fmpl);
    hy_bell_ring_slow(fmpl->job->bell);
}

void hy_fmpl_free(hy_fmpl *fmpl)
{
    hy_progress_remove(fmpl->job, fmpl);
    hy_holder_remove(fmpl->job, fmpl);
    for (uint64_t i = 0; fmpl->lanes && i < entries(fmpl); i++) {
        hy_lane *lane = &fmpl->lanes[i];
        if (lane->recv.retained) lane->recv.buffer.managed->release(lane->recv.buffer.handle);
        if (lane->send.retained) lane->send.buffer.managed->release(lane->send.buffer.handle);
        free(lane->send.reason);
        free(lane->recv.reason);
        if (lane->channel.job) hy_channel_close(&lane->channel);
        if (lane->stage) hy_job_release(fmpl->job, lane->stage);
        if (lane->bounce) hy_job_release(fmpl->job, lane->bounce);
    }
    if (fmpl->comms) hy_comms_free(fmpl->comms);
    if (fmpl->own_areas && fmpl->match_offset) hy_job_system_give(fmpl->job, fmpl->match_offset);
    if (fmpl->own_areas && fmpl->flag_offset) hy_job_system_give(fmpl->job, fmpl->flag_offset);
    if (fmpl->spool.memory) hy_heap_close(&fmpl->spool.heap);
    hy_breakdown_free(fmpl);
    pthread_mutex_destroy(&fmpl->lock);
    hy_worklist_close(&fmpl->active);
    free(fmpl->lanes);
    free(fmpl);
}
