/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A group: some ranks of a job, with a channel from this rank to each of them. A rank keeps what it
 * uses of a group, not all of it: members whose numbers have equal distances, in order, take no
 * list; areas that are at the same place at all members are told once; and in a group of more than
 * hy_group_opened_most members, a channel to a rank of another node is made at its first use.
 */
#ifndef HY_WIRE_GROUP_H
#define HY_WIRE_GROUP_H

#include "wire/channel.h"

/* 1024; tests lower it, to have large groups of few. */
extern int hy_group_opened_most;

typedef struct hy_left_group hy_left_group;

#define HY_GROUP_LENT 3

/* Where a member has its match entries, its slots, and its cells (wire/cells.h; 0: it has none). */
typedef struct hy_group_areas {
    uint64_t match_offset, flag_offset, cells_offset;
} hy_group_areas;

typedef struct hy_group {
    hy_job *job;
    int rank, size;             /* in the group */
    int first, stride;          /* member i is rank first + i * stride of the job, */
    int *list;                  /* unless there is a list */
    hy_channel *channels;       /* [opened] */
    int opened;                 /* size; 0 in a group of more than hy_group_opened_most */
    hy_sparse others;           /* then the channels that exist; added under the lock of the job */
    hy_group_areas own, theirs; /* theirs: of all members, */
    hy_group_areas *each;       /* unless there is a list */
    bool used;                  /* members may write into the memory of the group */
    bool has_messages;          /* its channels carry messages (msg/msg.h), not collectives */
    hy_left_group *left;        /* what keeps it after it is closed, allocated when it is opened */
    /* Memory of the heap that members may still use, freed with the group; NULL: none. */
    uint8_t *lent[HY_GROUP_LENT];
} hy_group;

/* What a rank tells those that it may form groups with. */
typedef struct hy_group_record {
    int32_t color, key; /* ranks of the same color form a group, ordered by key; below 0: of none */
    uint32_t failed, nothing;
    hy_group_areas areas;
} hy_group_record;

/* The ranks that exchanged records, in the order that decides between equal keys. */
typedef struct hy_candidates {
    int count, self; /* self: the number of this rank */
    void (*read)(void *context, int candidate, int *rank, hy_group_record *record);
    void *context;
} hy_candidates;

/* The rank of the job that a member is. */
static inline int hy_group_member(const hy_group *group, int member)
{
    return group->list ? group->list[member] : group->first + member * group->stride;
}

static inline hy_group_areas hy_group_areas_of(const hy_group *group, int member)
{
    return group->each ? group->each[member] : group->theirs;
}

/* The channel to a member; NULL: it was never used. */
static inline hy_channel *hy_group_known_channel(const hy_group *group, int member)
{
    if (hy_likely(member < group->opened)) return &group->channels[member];
    return hy_sparse_find(&group->others, (uint32_t)member);
}

/* The channel to a member: made at its first use. NULL: *rc is NO_MEMORY or CORRUPT; not for
 * members of a group of at most hy_group_opened_most, nor of the same node. */
hy_channel *hy_group_make_channel(hy_group *group, int member, int *rc);
static inline hy_channel *hy_group_channel(hy_group *group, int member, int *rc)
{
    hy_channel *channel = hy_group_known_channel(group, member);
    return hy_likely(channel != NULL) ? channel : hy_group_make_channel(group, member, rc);
}

/* Walks over the channels that exist: *place begins at 0. NULL: the end. */
static inline hy_channel *hy_group_next(const hy_group *group, uint64_t *place, int *member)
{
    uint64_t number = *place;
    hy_channel *channel = NULL;
    if (number < (uint64_t)group->opened) channel = &group->channels[(*place)++];
    else if (!group->opened) channel = hy_sparse_next(&group->others, place, &number);
    if (member) *member = (int)number;
    return channel;
}

/* The two halves of opening a group; in between, the candidates exchange their records. The first
 * takes memory for a group of at most `ranks`, from the system area or, if that is full, from the
 * heap; a failure is in the record, for all to see. The second connects the ranks of the same color
 * (below 0: none). If it or the exchange fails, the caller closes the group. */
void hy_group_begin(hy_group *group, hy_job *job, int color, int key, int ranks,
                    hy_group_record *record);
int hy_group_connect(hy_group *group, int color, const hy_candidates *from);

/* Collective set-up over ALL ranks of the job. The caller has entered it (job/setup.h, also for
 * `closed`). The ranks with `join` are the members; a rank that does not join gets size 0. An
 * error on one rank fails on all. */
int hy_group_open(hy_group *group, hy_job *job, bool join, const _Atomic uint32_t *closed);
/* Whether this rank may tell the members of its end: a process that has closed the job, or a child
 * of the rank's, must not touch peers' memory. */
bool hy_group_may_write(const hy_group *group);
/* Closes the group on this rank; local. Members may still write into its memory, to acknowledge
 * messages. So each tells the others when it closes the group, by its last store into their memory,
 * and the memory is free when all have. A remote member with which no message was exchanged is
 * neither told nor waited for: that would connect to it. */
void hy_group_close(hy_group *group);

/* Frees the memory of the groups that are closed here and that all members have closed. Any thread,
 * without waiting. hy_group_begin() and hy_group_close() do so. */
void hy_groups_reap(hy_job *job);
/* When the job is freed: forgets all of them. */
void hy_groups_forget(hy_job *job);

#endif
