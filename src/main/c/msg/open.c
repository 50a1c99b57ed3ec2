/* SPDX-License-Identifier: Apache-2.0 */
/* Every rank lays out its matching area and flags, and tells the others where they are. Lanes are
 * opened at their first use. */
#include <stdlib.h>
#include <unistd.h>

#include "msg/rendezvous.h"
#include "job/progress.h"
#include "job/setup.h"
#include "wire/group.h"

_Static_assert(sizeof(hy_match) == FMPL_MATCH_BYTES, "the public size of a matching-area entry");
_Static_assert(HY_CHANNEL_FLAG_BYTES == FMPL_FLAG_BYTES, "the public size of an entry's flags");

/* What a rank tells the others at set-up. */
typedef struct told_areas {
    uint64_t count; /* 0: its arguments are wrong; NO_ROOM */
    hy_areas at;
} told_areas;

#define NO_ROOM UINT64_MAX

_Static_assert(sizeof(told_areas) <= HY_SETUP_RECORD_BYTES, "fits into a record");

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

uint64_t hy_msg_areas_most = UINT64_MAX;

#define INBOX_MOST UINT64_C(65536) /* lanes on which a rank can receive */
#define INBOX_LEAST 1024

/* Bytes of one entry for all ranks. */
static uint64_t entry_bytes(const hy_msg *msg)
{
    return (uint64_t)msg->size * (FMPL_MATCH_BYTES + FMPL_FLAG_BYTES);
}

/* The first communicator is in the same memory and takes as much as one entry; areas begin at
 * pages. */
static uint64_t room(const hy_msg *msg)
{
    uint64_t left = hy_job_system_left(msg->job), others = entry_bytes(msg) + UINT64_C(4) * 4096;
    return left > others ? left - others : 0;
}

/* Half of what is left, so that there is room for communicators. */
static int take_inbox(hy_msg *msg)
{
    uint64_t places = entries(msg) < INBOX_MOST ? entries(msg) : INBOX_MOST;
    if (places < INBOX_LEAST) places = INBOX_LEAST; /* so that the slots begin at a page */
    while (places >= INBOX_LEAST && hy_inbox_bytes(places) > room(msg) / 2) places /= 2;
    if (places < INBOX_LEAST) return HAYATE_ERR_NO_MEMORY;
    int rc = hy_job_system_take(msg->job, hy_inbox_bytes(places), &msg->areas.inbox.at);
    if (!rc) msg->areas.inbox.places = places; /* else there is none to give back */
    return rc;
}

static int fail_room(const hy_msg *msg)
{
    uint64_t each = entry_bytes(msg), most = room(msg) / each;
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
        int rc = check_area(msg, match, FMPL_MATCH_BYTES, "matching area",
                            &msg->areas.match_offset);
        if (rc) return rc;
        return check_area(msg, flags, FMPL_FLAG_BYTES, "flags", &msg->areas.flag_offset);
    }
    hy_groups_reap(msg->job); /* of an earlier FMPL */
    bool fits = (uint64_t)msg->count <= room(msg) / entry_bytes(msg);
    if (entries(msg) > hy_msg_areas_most || !fits)
        return take_inbox(msg) ? fail_room(msg) : HAYATE_OK;
    int rc = hy_job_system_take(msg->job, entries(msg) * FMPL_MATCH_BYTES,
                                &msg->areas.match_offset);
    if (rc) return rc;
    return hy_job_system_take(msg->job, entries(msg) * FMPL_FLAG_BYTES, &msg->areas.flag_offset);
}

/* Another rank has no room for areas. */
static int change_to_inbox(hy_msg *msg)
{
    if (!msg->own_areas || msg->areas.inbox.places) return HAYATE_OK;
    hy_job_system_give(msg->job, msg->areas.match_offset);
    hy_job_system_give(msg->job, msg->areas.flag_offset);
    msg->areas = (hy_areas){0};
    return take_inbox(msg) ? fail_room(msg) : HAYATE_OK;
}

static hy_areas areas_of(const hy_msg *msg, int peer)
{
    return msg->theirs ? msg->theirs[peer] : msg->areas;
}

/* Lane (mai, peer) of this rank corresponds to lane (mai, this rank) of the peer. */
static void open_with_areas(hy_msg *msg, uint64_t index, hy_lane *lane)
{
    hy_job *job = msg->job;
    int peer = (int)(index % (uint64_t)msg->size);
    const hy_areas theirs = areas_of(msg, peer);
    uint64_t its = index / (uint64_t)msg->size * (uint64_t)msg->size + (uint64_t)msg->rank;
    uint8_t *flags = job->part + msg->areas.flag_offset + index * FMPL_FLAG_BYTES;
    uint8_t *match = job->part + msg->areas.match_offset + index * FMPL_MATCH_BYTES;
    hy_channel_open(&lane->channel, job, peer, flags, (hy_match *)(void *)match,
                    theirs.flag_offset + its * FMPL_FLAG_BYTES,
                    theirs.match_offset + its * FMPL_MATCH_BYTES);
}

static hy_lane_block *block_of(hy_lane *lane)
{
    return (hy_lane_block *)(void *)(lane - lane->number % HY_LANES_IN_BLOCK);
}

/* Its slots are taken at its first send, or when the peer has begun to send. */
static int open_in_inbox(hy_msg *msg, uint64_t index, hy_lane *lane)
{
    int peer = (int)(index % (uint64_t)msg->size);
    const hy_areas theirs = areas_of(msg, peer);
    if (msg->matches == msg->areas.inbox.places)
        return hy_fail(HAYATE_ERR_NO_MEMORY,
                       "this rank uses %llu lanes, the most for which it has entries: open FMPL "
                       "with fewer entries",
                       (unsigned long long)msg->matches);
    lane->contact = &block_of(lane)->contacts[lane->number % HY_LANES_IN_BLOCK];
    *lane->contact = (hy_contact){
        .theirs = theirs.inbox,
        .number = index / (uint64_t)msg->size,
        .match_offset = hy_inbox_match(&msg->areas.inbox, msg->matches++)};
    hy_contact_open(&lane->channel, lane->contact, msg->job, peer);
    return HAYATE_OK;
}

static int open_channel(hy_msg *msg, uint64_t index, hy_lane *lane)
{
    if (msg->areas.inbox.places) return open_in_inbox(msg, index, lane);
    open_with_areas(msg, index, lane);
    return HAYATE_OK;
}

/* Lane and group use the same areas: an entry of a group is a channel. */
static int open_lane(hy_msg *msg, uint64_t index, hy_lane *lane)
{
    int peer = (int)(index % (uint64_t)msg->size), rc = HAYATE_OK;
    lane->msg = msg;
    if (msg->group) {
        const hy_channel *channel = hy_group_channel(msg->group, peer, &rc);
        if (!channel) return rc;
        lane->channel = *channel;
    } else if ((rc = open_channel(msg, index, lane))) {
        return rc;
    }
    lane->channel.peer = peer;
    lane->channel.mai = (int64_t)(index / (uint64_t)msg->size);
    lane->rendezvous = hy_channel_is_far(&lane->channel) ? &msg->remote : &msg->mapped;
    return HAYATE_OK;
}

/* The memory of the lane with this number; NULL: NO_MEMORY. */
static hy_lane *place_lane(hy_msg *msg, int number)
{
    if (number % HY_LANES_IN_BLOCK == 0) {
        size_t contacts = msg->areas.inbox.places ? HY_LANES_IN_BLOCK : 0;
        size_t bytes = sizeof(hy_lane_block) + contacts * sizeof(hy_contact);
        msg->last_block = aligned_alloc(HY_LINE, hy_round_up(bytes, HY_LINE));
    }
    if (!msg->last_block) return NULL;
    hy_lane *lane = &msg->last_block->lanes[number % HY_LANES_IN_BLOCK];
    memset(lane, 0, sizeof *lane);
    lane->number = number;
    return lane;
}

/* Others find the lane when it is complete. */
static int add_lane(hy_msg *msg, uint64_t index, int number)
{
    hy_lane *lane = place_lane(msg, number);
    if (!lane) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a lane");
    int rc = open_lane(msg, index, lane);
    if (!rc) rc = hy_sparse_add(&msg->lanes, index, lane);
    if (!rc) hy_handles_put(&msg->numbers, number, lane);
    else if (lane == msg->last_block->lanes) free(msg->last_block);
    return rc;
}

int hy_lane_add(hy_msg *msg, uint64_t index)
{
    int number, rc = hy_handles_take(&msg->numbers, &number);
    if (rc) return rc;
    rc = add_lane(msg, index, number);
    if (rc) hy_handles_give(&msg->numbers, number);
    return rc;
}

int hy_lane_make(hy_msg *msg, int peer, int mai)
{
    if ((unsigned)peer >= (unsigned)msg->size)
        return hy_fail(HAYATE_ERR_ARGUMENT, "rank %d: expected 0 to %d", peer, msg->size - 1);
    if ((unsigned)mai >= (unsigned)msg->count)
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "mai %d: expected 0 to %d; init takes the number of entries", mai,
                       msg->count - 1);
    pthread_mutex_lock(&msg->lock);
    uint64_t index = (uint64_t)mai * (uint64_t)msg->size + (uint64_t)peer;
    int rc = hy_sparse_find(&msg->lanes, index) ? HAYATE_OK : hy_lane_add(msg, index);
    pthread_mutex_unlock(&msg->lock);
    return rc;
}

hy_lane *hy_lane_look(const hy_msg *msg, int peer, int mai)
{
    if ((unsigned)peer >= (unsigned)msg->size || (unsigned)mai >= (unsigned)msg->count) return NULL;
    return hy_sparse_find(&msg->lanes, (uint64_t)mai * (uint64_t)msg->size + (uint64_t)peer);
}

/* ---- meeting ---- */

bool hy_msg_is_inside(const hy_msg *msg, int peer, uint64_t at, uint64_t bytes)
{
    uint64_t part = hy_job_part_bytes(msg->job, peer);
    return at <= part && bytes <= part - at && at % HY_LINE == 0;
}

static bool are_inside(const hy_msg *msg, int peer, const hy_areas *areas)
{
    if (areas->inbox.places)
        return areas->inbox.places <= INBOX_MOST && areas->inbox.at % 4096 == 0 &&
               hy_msg_is_inside(msg, peer, areas->inbox.at, hy_inbox_bytes(areas->inbox.places));
    return hy_msg_is_inside(msg, peer, areas->match_offset, entries(msg) * FMPL_MATCH_BYTES) &&
           hy_msg_is_inside(msg, peer, areas->flag_offset, entries(msg) * FMPL_FLAG_BYTES);
}

/* Checks what a rank has told, and keeps it if it differs from this rank's: nearly all ranks have
 * made the same calls before. */
static int take_areas(hy_msg *msg, int peer, const told_areas *theirs)
{
    if (theirs->count == NO_ROOM)
        return hy_fail_peer(HAYATE_ERR_NO_MEMORY, peer,
                            "rank %d has no room for FMPL with %d entries: ask for fewer", peer,
                            msg->count);
    if (theirs->count != (uint64_t)msg->count)
        return hy_fail_peer(
            HAYATE_ERR_MISMATCH, peer,
            "rank %d opens FMPL with %llu entries, this rank with %d: the counts must"
            " be equal",
            peer, (unsigned long long)theirs->count, msg->count);
    if (!are_inside(msg, peer, &theirs->at))
        return hy_fail_peer(HAYATE_ERR_CORRUPT, peer, "rank %d sent areas outside its memory",
                            peer);
    if (!theirs->at.inbox.places != !msg->areas.inbox.places)
        return hy_fail_peer(HAYATE_ERR_MISMATCH, peer,
                            "rank %d has other areas than this rank: pass a matching area and "
                            "flags on all ranks or on none",
                            peer);
    if (!msg->theirs && memcmp(&theirs->at, &msg->areas, sizeof msg->areas) == 0) return HAYATE_OK;
    if (!msg->theirs) {
        msg->theirs = malloc((size_t)msg->size * sizeof *msg->theirs);
        if (!msg->theirs) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for %d areas", msg->size);
        for (int before = 0; before < peer; before++) msg->theirs[before] = msg->areas;
    }
    msg->theirs[peer] = theirs->at;
    return HAYATE_OK;
}

/* After an error, the other ranks do not hang: they see a count that tells of it. */
static int tell_areas(const hy_msg *msg, const hy_failure *failure)
{
    const bool full = failure->code == HAYATE_ERR_NO_MEMORY;
    const uint64_t count = full ? NO_ROOM : failure->code ? 0 : (uint64_t)msg->count;
    const told_areas mine = {count, msg->areas};
    return hy_setup_exchange(msg->job, HY_SETUP_FMPL, &mine, sizeof mine);
}

static told_areas areas_told(const hy_msg *msg, int peer)
{
    told_areas theirs;
    hy_copy_once(&theirs, hy_boot_record(&msg->job->boot, peer), sizeof theirs);
    return theirs;
}

/* What an earlier FMPL has left is free sooner on one rank than on another, so some may have room
 * for areas, and others for an inbox only. All ranks see the same. */
static bool room_differs(const hy_msg *msg)
{
    bool areas = false, inboxes = false;
    for (int peer = 0; peer < msg->size; peer++) {
        const told_areas theirs = areas_told(msg, peer);
        bool system = theirs.at.match_offset && theirs.at.match_offset < msg->job->heap_start;
        areas |= !theirs.at.inbox.places && system;
        inboxes |= theirs.at.inbox.places != 0;
    }
    return areas && inboxes;
}

static int agree_on_areas(hy_msg *msg, hy_failure *failure)
{
    int rc = tell_areas(msg, failure);
    if (rc || !room_differs(msg)) return rc;
    rc = hy_setup_end(msg->job);
    if (!failure->code) *failure = hy_failure_of(rc ? rc : change_to_inbox(msg));
    return rc ? rc : tell_areas(msg, failure);
}

int hy_msg_meet(hy_msg *msg, const void *match, const void *flags)
{
    hy_job *job = msg->job;
    int rc = hy_setup_begin(job, NULL); /* no rank uses the areas of an earlier FMPL any more */
    if (rc) return rc;
    hy_failure failure = hy_failure_of(place_areas(msg, match, flags));
    rc = agree_on_areas(msg, &failure);
    for (int peer = 0; !rc && !failure.code && peer < msg->size; peer++) {
        const told_areas theirs = areas_told(msg, peer);
        rc = take_areas(msg, peer, &theirs);
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

/* In places without a lane. */
static hy_lane nobody = {.channel = {.peer = -1, .mai = INT64_MIN}};

static int open_lanes(hy_msg *msg, hy_job *job, int64_t count, int size, int rank)
{
    *msg = (hy_msg){.job = job,
                    .count = (int)count,
                    .size = size,
                    .rank = rank,
                    .observed = job->flight ? HY_OBSERVES_FLIGHT : 0,
                    .spin_limit = SPIN_LIMIT,
                    .brief_spins = brief_spins(job),
                    .ops_kept = hy_ops_kept((uint64_t)job->size)};
    hy_rendezvous_open(&msg->mapped, false, job);
    hy_rendezvous_open(&msg->remote, true, job);
    pthread_mutex_init(&msg->lock, NULL);
    hy_requests_open(msg);
    return hy_sparse_open_guessed(&msg->lanes, entries(msg), &nobody);
}

int hy_msg_open(hy_msg *msg, hy_job *job, int64_t count)
{
    return open_lanes(msg, job, count, job->size, job->rank);
}

int hy_msg_open_group(hy_msg *msg, hy_group *group)
{
    int rc = open_lanes(msg, group->job, 1, group->size, group->rank);
    msg->group = group;
    group->has_messages = true;
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
    for (int i = 0; i < hy_lane_places(msg); i++) {
        hy_lane *lane = hy_lane_at(msg, i);
        bool holds = lane && (hy_channel_has_eager(&lane->channel) || lane->stage);
        if (!holds || !hy_busy_visit(&lane->channel.send_busy)) continue;
        bytes += hy_channel_trim(&lane->channel) + give_stage(lane);
        hy_busy_leave(&lane->channel.send_busy);
    }
    return bytes;
}

/* A channel of a group is given back, because the group must know which ones were used
 * (hy_group_close()). */
static void lane_free(hy_msg *msg, hy_lane *lane)
{
    if (msg->group) *hy_group_known_channel(msg->group, lane->channel.peer) = lane->channel;
    else hy_channel_close(&lane->channel);
    if (lane->queued) hy_send_buffer_forget(lane);
    if (lane->stage) hy_job_release(msg->job, lane->stage);
    if (lane->bounce) hy_job_release(msg->job, lane->bounce);
}

void hy_msg_free(hy_msg *msg)
{
    hy_worker_leave(&msg->job->background, &msg->worker, NULL);
    hy_worker_leave(&msg->job->background, &msg->listener, NULL);
    for (int i = hy_lane_places(msg) - 1; i >= 0; i--) {
        hy_lane *lane = hy_lane_at(msg, i);
        if (lane) lane_free(msg, lane);
        if (lane && i % HY_LANES_IN_BLOCK == 0) free(block_of(lane));
    }
    hy_ops_close(msg);
    hy_sparse_close(&msg->lanes);
    hy_handles_close(&msg->numbers);
    if (msg->own_areas && msg->areas.match_offset)
        hy_job_system_give_late(msg->job, msg->areas.match_offset);
    if (msg->own_areas && msg->areas.flag_offset)
        hy_job_system_give_late(msg->job, msg->areas.flag_offset);
    if (msg->areas.inbox.places) hy_job_system_give_late(msg->job, msg->areas.inbox.at);
    if (msg->send_buffer.memory) hy_heap_close(&msg->send_buffer.heap);
    hy_breakdown_free(msg);
    pthread_mutex_destroy(&msg->lock);
    free(msg->theirs);
}
