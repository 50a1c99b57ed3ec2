/* SPDX-License-Identifier: Apache-2.0 */
/* Opens a group: every rank publishes where its slots and match entries are, and computes its
 * place in each peer's arrays. */
#include "wire/group.h"

#include <stdlib.h>

#include "job/setup.h"

/* What a rank tells the others. Its member number, and so the index of a peer in its arrays,
 * follows from the records of the ranks before it. */
typedef struct member_record {
    uint32_t joins, failed;
    uint64_t match_offset, flag_offset;
} member_record;

_Static_assert(sizeof(member_record) <= HY_SETUP_RECORD_BYTES, "fits into a record");

/* Takes room for all ranks of the job: it is not known yet how many will join. */
static int take_areas(hy_group *group)
{
    uint64_t ranks = (uint64_t)group->job->size;
    int rc = hy_job_system_take(group->job, ranks * sizeof(hy_match), &group->match_offset);
    if (rc) return rc;
    return hy_job_system_take(group->job, ranks * HY_CHANNEL_FLAG_BYTES, &group->flag_offset);
}

static void read_record(const hy_job *job, int rank, member_record *record)
{
    memcpy(record, hy_boot_record(&job->boot, rank), sizeof *record);
}

static int count_members(hy_group *group)
{
    for (int rank = 0; rank < group->job->size; rank++) {
        member_record record;
        read_record(group->job, rank, &record);
        if (record.failed)
            return hy_fail_peer(HAYATE_ERR_NO_MEMORY, rank,
                                "rank %d has no memory for the communicator", rank);
        if (rank == group->job->rank) group->rank = group->size;
        if (record.joins) group->size++;
    }
    return HAYATE_OK;
}

static int open_channel(hy_group *group, int member, int peer, const member_record *record)
{
    hy_job *job = group->job;
    const hy_ep *ep = hy_job_ep(job, peer);
    uint64_t mine = (uint64_t)group->rank;
    uint64_t flags = record->flag_offset + mine * HY_CHANNEL_FLAG_BYTES;
    uint64_t match = record->match_offset + mine * sizeof(hy_match);
    if (!hy_ep_contains(ep, flags, HY_CHANNEL_FLAG_BYTES) ||
        !hy_ep_contains(ep, match, sizeof(hy_match)) || flags % HY_LINE || match % HY_LINE)
        return hy_fail_peer(HAYATE_ERR_CORRUPT, peer, "rank %d sent areas outside its memory",
                            peer);
    uint8_t *in = job->part + group->flag_offset + (uint64_t)member * HY_CHANNEL_FLAG_BYTES;
    uint8_t *own = job->part + group->match_offset + (uint64_t)member * sizeof(hy_match);
    group->members[member] = peer;
    hy_channel_open(&group->channels[member], job, peer, in, (hy_match *)(void *)own, flags, match);
    return HAYATE_OK;
}

static int open_channels(hy_group *group)
{
    size_t size = (size_t)group->size;
    group->members = calloc(size, sizeof *group->members);
    group->channels = aligned_alloc(HY_LINE, size * sizeof *group->channels);
    if (!group->members || !group->channels)
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a communicator of %zu ranks", size);
    memset(group->channels, 0, size * sizeof *group->channels);
    int rc = HAYATE_OK;
    for (int rank = 0, member = 0; rank < group->job->size && !rc; rank++) {
        member_record record;
        read_record(group->job, rank, &record);
        if (record.joins) rc = open_channel(group, member++, rank, &record);
    }
    return rc;
}

int hy_group_open(hy_group *group, hy_job *job, bool join, const _Atomic uint32_t *closed)
{
    *group = (hy_group){.job = job};
    int rc = hy_setup_begin(job, closed);
    if (rc) return rc;
    hy_failure failure = hy_failure_of(join ? take_areas(group) : HAYATE_OK);
    const member_record mine = {join, failure.code != 0, group->match_offset, group->flag_offset};
    rc = hy_setup_exchange(job, HY_SETUP_COMM, &mine, sizeof mine);
    if (!rc) rc = count_members(group);
    if (!rc && join) rc = open_channels(group);
    if (!failure.code) failure = hy_failure_of(rc);
    rc = hy_setup_end(job);
    if (!join) group->size = group->rank = 0;
    if (failure.code) rc = hy_fail_again(&failure);
    if (rc) hy_group_close(group);
    return rc;
}

void hy_group_close(hy_group *group)
{
    for (int i = 0; group->channels && i < group->size; i++) {
        if (group->channels[i].job) hy_channel_close(&group->channels[i]);
    }
    free(group->channels);
    free(group->members);
    if (group->match_offset) hy_job_system_give(group->job, group->match_offset);
    if (group->flag_offset) hy_job_system_give(group->job, group->flag_offset);
    *group = (hy_group){.job = group->job};
}
