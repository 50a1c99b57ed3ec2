/* SPDX-License-Identifier: Apache-2.0 */
/* Opens the lanes: every rank lays out its matching area and flags, and tells the others where
 * they are. */
#include <stdlib.h>
#include <unistd.h>

#include "msg/rendezvous.h"
#include "job/progress.h"
#include "job/setup.h"
#include "wire/group.h"

_Static_assert(sizeof(hy_match) == FMPL_MATCH_BYTES, "the public size of a matching-area entry");
_Static_assert(HY_CHANNEL_FLAG_BYTES == FMPL_FLAG_BYTES, "the public size of an entry's flags");

/* What a rank tells the others at set-up. */
typedef struct areas {
    uint64_t count, match_offset, flag_offset;
} areas;

_Static_assert(sizeof(areas) <= HY_SETUP_RECORD_BYTES, "fits into a record");

/* A call holds the carrier of a virtual thread for at most about 20 us. */
#define SPIN_LIMIT 400

static uint64_t entries(const hy_msg *msg)
{
    return (uint64_t)msg->count * (uint64_t)msg->size;
}

static int check_area(const hy_msg *msg, const void *area, uint64_t each, const char *name,
                      uint64_t *offset)
{
    uint64_t bytes = entries(msg) * each;
    *offset = hy_job_heap_offset(msg->job, area, bytes);
    if (*offset == HY_NOT_IN_HEAP || *offset % HY_LINE)
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "%s: expected %llu bytes of hayate_alloc(), aligned to %d (or null)", name,
                       (unsigned long long)bytes, HY_LINE);
    memset((void *)(uintptr_t)area, 0, bytes);
    return HAYATE_OK;
}

/* The first communicator is in the same memory and takes as much as one entry; areas begin at
 * pages. */
static int check_room(const hy_msg *msg)
{
    uint64_t each = (uint64_t)msg->size * (FMPL_MATCH_BYTES + FMPL_FLAG_BYTES);
    uint64_t left = hy_job_system_left(msg->job), others = each + UINT64_C(4) * 4096;
    uint64_t most = left > others ? (left - others) / each : 0;
    if ((uint64_t)msg->count <= most) return HAYATE_OK;
    return hy_fail(
        HAYATE_ERR_NO_MEMORY,
        "FMPL with %d entries for each of %d ranks: there is room for %llu (%d bytes per"
        " entry and rank, in memory that no setting makes larger); ask for fewer, or pass"
        " a matching area and flags in the symmetric heap (HAYATE_HEAP), %llu bytes on"
        " each rank",
        msg->count, msg->size, (unsigned long long)most, FMPL_MATCH_BYTES + FMPL_FLAG_BYTES,
        (unsigned long long)((uint64_t)msg->count * each));
}

static int place_areas(hy_msg *msg, const void *match, const void *flags)
{
    if ((match == NULL) != (flags == NULL))
        return hy_fail(HAYATE_ERR_ARGUMENT, "matching area and flags: pass both, or neither");
    msg->own_areas = match == NULL;
    if (!msg->own_areas) {
        int rc = check_area(msg, match, FMPL_MATCH_BYTES, "matching area", &msg->match_offset);
        if (rc) return rc;
        return check_area(msg, flags, FMPL_FLAG_BYTES, "flags", &msg->flag_offset);
    }
    hy_groups_reap(msg->job); /* of an earlier FMPL */
    int rc = check_room(msg);
    if (!rc) rc = hy_job_system_take(msg->job, entries(msg) * FMPL_MATCH_BYTES, &msg->match_offset);
    if (rc) return rc;
    return hy_job_system_take(msg->job, entries(msg) * FMPL_FLAG_BYTES, &msg->flag_offset);
}

static void open_lane_state(hy_msg *msg, hy_lane *lane)
{
    lane->msg = msg;
    lane->send.lane = lane->recv.lane = lane;
    lane->send.sends = true;
}

/* Lane (mai, peer) of this rank corresponds to lane (mai, this rank) of the peer. */
static void open_lane(hy_msg *msg, int mai, int peer, const areas *theirs)
{
    hy_job *job = msg->job;
    uint64_t mine = (uint64_t)mai * (uint64_t)msg->size + (uint64_t)peer;
    uint64_t their = (uint64_t)mai * (uint64_t)msg->size + (uint64_t)msg->rank;
    hy_lane *lane = &msg->lanes[mine];
    open_lane_state(msg, lane);
    uint8_t *flags = job->part + msg->flag_offset + mine * FMPL_FLAG_BYTES;
    uint8_t *match = job->part + msg->match_offset + mine * FMPL_MATCH_BYTES;
    hy_channel_open(&lane->channel, job, peer, flags, (hy_match *)(void *)match,
                    theirs->flag_offset + their * FMPL_FLAG_BYTES,
                    theirs->match_offset + their * FMPL_MATCH_BYTES);
    lane->rendezvous = hy_channel_is_far(&lane->channel) ? &msg->remote : &msg->mapped;
}

static int check_areas(const hy_msg *msg, int peer, const areas *theirs)
{
    const hy_ep *ep = hy_job_ep(msg->job, peer);
    if (theirs->count != (uint64_t)msg->count)
        return hy_fail_peer(
            HAYATE_ERR_MISMATCH, peer,
            "rank %d opens FMPL with %llu entries, this rank with %d: the counts must"
            " be equal",
            peer, (unsigned long long)theirs->count, msg->count);
    if (!hy_ep_contains(ep, theirs->match_offset, entries(msg) * FMPL_MATCH_BYTES) ||
        !hy_ep_contains(ep, theirs->flag_offset, entries(msg) * FMPL_FLAG_BYTES) ||
        theirs->match_offset % HY_LINE || theirs->flag_offset % HY_LINE)
        return hy_fail_peer(HAYATE_ERR_CORRUPT, peer, "rank %d sent areas outside its memory",
                            peer);
    return HAYATE_OK;
}

/* After an error here, the other ranks do not hang: they see the count 0 of a rank that could
 * not place its areas. */
int hy_msg_meet(hy_msg *msg, const void *match, const void *flags)
{
    hy_job *job = msg->job;
    int rc = hy_setup_begin(job, NULL); /* no rank uses the areas of an earlier FMPL any more */
    if (rc) return rc;
    hy_failure failure = hy_failure_of(place_areas(msg, match, flags));
    const areas mine = {failure.code ? 0 : (uint64_t)msg->count, msg->match_offset,
                        msg->flag_offset};
    rc = hy_setup_exchange(job, HY_SETUP_FMPL, &mine, sizeof mine);
    for (int peer = 0; !rc && !failure.code && peer < msg->size; peer++) {
        areas theirs;
        memcpy(&theirs, hy_boot_record(&job->boot, peer), sizeof theirs);
        rc = check_areas(msg, peer, &theirs);
        for (int mai = 0; !rc && mai < msg->count; mai++) open_lane(msg, mai, peer, &theirs);
    }
    if (!failure.code) failure = hy_failure_of(rc);
    rc = hy_setup_end(job);
    return failure.code ? hy_fail_again(&failure) : rc;
}

/* With remote peers, a network must make progress meanwhile. */
static uint32_t brief_spins(const hy_job *job)
{
    if (job->far.count) return 0;
    return job->policy.spins < SPIN_LIMIT ? job->policy.spins : SPIN_LIMIT;
}

static int open_lanes(hy_msg *msg, hy_job *job, int64_t count, int size, int rank)
{
    *msg = (hy_msg){.job = job,
                    .count = (int)count,
                    .size = size,
                    .rank = rank,
                    .spin_limit = SPIN_LIMIT,
                    .brief_spins = brief_spins(job)};
    hy_rendezvous_open(&msg->mapped, false, job);
    hy_rendezvous_open(&msg->remote, true, job);
    pthread_mutex_init(&msg->lock, NULL);
    hy_worklist_open(&msg->active);
    size_t bytes = (size_t)entries(msg) * sizeof(hy_lane);
    msg->lanes = aligned_alloc(HY_LINE, bytes);
    if (!msg->lanes)
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for %zu bytes of lanes", bytes);
    memset(msg->lanes, 0, bytes);
    return HAYATE_OK;
}

int hy_msg_open(hy_msg *msg, hy_job *job, int64_t count)
{
    return open_lanes(msg, job, count, job->size, job->rank);
}

static bool progress(void *msg)
{
    return hy_msg_progress(msg);
}

int hy_msg_start(hy_msg *msg)
{
    return hy_progress_add(msg->job, progress, msg);
}

/* Lane and group use the same areas: an entry of a group is a channel. It is given back at the end,
 * because the group must know which channels were used (hy_group_close()). */
int hy_msg_open_group(hy_msg *msg, hy_group *group)
{
    int rc = open_lanes(msg, group->job, 1, group->size, group->rank);
    if (!rc) msg->group = group;
    for (int member = 0; !rc && member < group->size; member++) {
        hy_lane *lane = &msg->lanes[member];
        open_lane_state(msg, lane);
        lane->channel = group->channels[member];
        lane->rendezvous = hy_channel_is_far(&lane->channel) ? &msg->remote : &msg->mapped;
    }
    return rc;
}

bool hy_msg_refuse(hy_msg *msg)
{
    return atomic_exchange(&msg->closed, 1) == 0;
}

void hy_msg_close(hy_msg *msg)
{
    /* Operations that a child of fork() has inherited belong to its parent. */
    if (msg->job->opener == getpid()) hy_msg_end_all(msg);
    hy_bell_ring_slow(msg->job->bell);
}

/* No send is under way, so nobody reads the stage. */
static uint64_t give_stage(hy_lane *lane)
{
    if (!lane->stage) return 0;
    hy_job_release(lane->msg->job, lane->stage);
    lane->stage = NULL;
    return HY_STAGE_BYTES;
}

uint64_t hy_msg_trim(hy_msg *msg)
{
    uint64_t bytes = 0;
    for (uint64_t i = 0; i < entries(msg); i++) {
        hy_lane *lane = &msg->lanes[i];
        bool holds = hy_channel_has_eager(&lane->channel) || lane->stage;
        if (!holds || !hy_busy_visit(&lane->send.busy)) continue;
        bytes += hy_channel_trim(&lane->channel) + give_stage(lane);
        hy_busy_leave(&lane->send.busy);
    }
    return bytes;
}

void hy_msg_free(hy_msg *msg)
{
    hy_progress_remove(msg->job, msg);
    for (uint64_t i = 0; msg->lanes && i < entries(msg); i++) {
        hy_lane *lane = &msg->lanes[i];
        if (lane->recv.retained) lane->recv.buffer.managed->release(lane->recv.buffer.handle);
        if (lane->send.retained) lane->send.buffer.managed->release(lane->send.buffer.handle);
        free(lane->send.reason);
        free(lane->recv.reason);
        if (msg->group) msg->group->channels[i] = lane->channel;
        else if (lane->channel.job) hy_channel_close(&lane->channel);
        if (lane->queued) hy_send_buffer_forget(lane);
        if (lane->stage) hy_job_release(msg->job, lane->stage);
        if (lane->bounce) hy_job_release(msg->job, lane->bounce);
    }
    if (msg->own_areas && msg->match_offset) hy_job_system_give_late(msg->job, msg->match_offset);
    if (msg->own_areas && msg->flag_offset) hy_job_system_give_late(msg->job, msg->flag_offset);
    if (msg->send_buffer.memory) hy_heap_close(&msg->send_buffer.heap);
    hy_breakdown_free(msg);
    pthread_mutex_destroy(&msg->lock);
    hy_worklist_close(&msg->active);
    free(msg->lanes);
}
