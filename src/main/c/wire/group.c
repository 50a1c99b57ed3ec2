/* SPDX-License-Identifier: Apache-2.0 */
/* Opens a group: every rank publishes where its slots and match entries are, and computes its
 * place in each peer's arrays. Makes channels, and frees them when no member uses them. */
#include "wire/group.h"

#include <stdlib.h>
#include <unistd.h>

#include "job/setup.h"
#include "wire/cells.h"

_Static_assert(sizeof(hy_group_record) <= HY_SETUP_RECORD_BYTES, "fits into a record of a set-up");

int hy_group_opened_most = 1024;

/* A group that is closed here. */
struct hy_left_group {
    hy_group group;
    hy_left_group *next;
};

/* A rank of the group, and what orders it. */
typedef struct place {
    int32_t key, candidate;
} place;

static int by_key(const void *left, const void *right)
{
    const place *a = left, *b = right;
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    return a->candidate < b->candidate ? -1 : 1;
}

/* Zeroed memory that the candidates can write into. */
static int area_take(hy_job *job, uint64_t bytes, uint64_t *offset)
{
    if (hy_job_system_take(job, bytes, offset) == HAYATE_OK) return HAYATE_OK;
    uint8_t *memory = hy_job_alloc(job, bytes);
    if (!memory)
        return hy_fail_over(HAYATE_ERR_NO_MEMORY,
                            "no memory for a communicator: the system area is full, and the "
                            "symmetric heap has no room for %llu bytes: free communicators or "
                            "buffers, or start with a larger --heap (HAYATE_HEAP)",
                            (unsigned long long)bytes);
    memset(memory, 0, bytes);
    *offset = (uint64_t)(memory - job->part);
    return HAYATE_OK;
}

/* As long as there is plenty of room: a group can do without. */
static void take_cells(hy_group *group, uint64_t ranks)
{
    uint64_t bytes = hy_cells_bytes(ranks), cleared = hy_cells_cleared(ranks);
    if (hy_job_system_left(group->job) / 8 < bytes ||
        hy_job_system_take_cleared(group->job, bytes, cleared, &group->own.cells_offset))
        group->own.cells_offset = 0;
}

void hy_group_begin(hy_group *group, hy_job *job, int color, int key, int ranks,
                    hy_group_record *record)
{
    hy_groups_reap(job);
    *group = (hy_group){.job = job};
    *record = (hy_group_record){.color = color, .key = key};
    if (color < 0) return;
    int rc = area_take(job, (uint64_t)ranks * sizeof(hy_match), &group->own.match_offset);
    if (!rc) rc = area_take(job, (uint64_t)ranks * HY_CHANNEL_FLAG_BYTES, &group->own.flag_offset);
    if (!rc) take_cells(group, (uint64_t)ranks);
    record->failed = rc != HAYATE_OK;
    record->areas = group->own;
}

/* Finds the ranks of the color, in order; *places is to be freed. A record that others can change
 * is read once. */
static int find_members(hy_group *group, int color, const hy_candidates *from, place **places)
{
    hy_group_record record;
    bool self = color < 0;
    int rank;
    *places = malloc((size_t)from->count * sizeof **places);
    if (!*places)
        return hy_fail(HAYATE_ERR_NO_MEMORY, "out of memory for a communicator of %d ranks",
                       from->count);
    for (int i = 0; i < from->count; i++) {
        from->read(from->context, i, &rank, &record);
        if (record.failed)
            return hy_fail_peer(HAYATE_ERR_NO_MEMORY, rank,
                                "rank %d has no memory for the communicator", rank);
        if (color < 0 || record.color != color) continue;
        (*places)[group->size++] = (place){record.key, i};
        self |= i == from->self;
    }
    qsort(*places, (size_t)group->size, sizeof **places, by_key);
    return self ? HAYATE_OK
                : hy_fail(HAYATE_ERR_CORRUPT,
                          "another process has overwritten what this rank tells of a communicator");
}

/* ---- channels ---- */

static int open_channel(hy_group *group, int member, hy_channel *channel)
{
    hy_job *job = group->job;
    const hy_group_areas theirs = hy_group_areas_of(group, member);
    int peer = hy_group_member(group, member);
    const hy_ep *ep = hy_job_ep(job, peer);
    uint64_t mine = (uint64_t)group->rank;
    uint64_t flags = theirs.flag_offset + mine * HY_CHANNEL_FLAG_BYTES;
    uint64_t match = theirs.match_offset + mine * sizeof(hy_match);
    if (!hy_ep_contains(ep, flags, HY_CHANNEL_FLAG_BYTES) ||
        !hy_ep_contains(ep, match, sizeof(hy_match)) || flags % HY_LINE || match % HY_LINE)
        return hy_fail_peer(HAYATE_ERR_CORRUPT, peer, "rank %d sent areas outside its memory",
                            peer);
    uint8_t *in = job->part + group->own.flag_offset + (uint64_t)member * HY_CHANNEL_FLAG_BYTES;
    uint8_t *own = job->part + group->own.match_offset + (uint64_t)member * sizeof(hy_match);
    hy_channel_open(channel, job, peer, in, (hy_match *)(void *)own, flags, match);
    return HAYATE_OK;
}

static hy_channel *add(hy_group *group, int member, hy_channel *made, int *rc)
{
    pthread_mutex_lock(&group->job->lock);
    hy_channel *channel = hy_group_known_channel(group, member);
    if (!channel && !(*rc = hy_sparse_add(&group->others, (uint32_t)member, made))) channel = made;
    pthread_mutex_unlock(&group->job->lock);
    return channel;
}

hy_channel *hy_group_make_channel(hy_group *group, int member, int *rc)
{
    hy_channel *made = aligned_alloc(HY_LINE, sizeof *made), *channel = NULL;
    *rc = made ? open_channel(group, member, made)
               : hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a channel");
    if (!*rc) channel = add(group, member, made, rc);
    if (channel != made) free(made);
    return channel;
}

/* ---- opening ---- */

typedef struct opening {
    hy_group *group;
    const hy_candidates *from;
    const place *places;
} opening;

static int read_member(const opening *o, int member, hy_group_record *record)
{
    int rank;
    o->from->read(o->from->context, o->places[member].candidate, &rank, record);
    return rank;
}

static int group_no_memory(const hy_group *group)
{
    return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a communicator of %d ranks", group->size);
}

/* Keeps the ranks as a rule, and their areas once, as long as these are enough. */
static int take_member(hy_group *group, int member, int rank, const hy_group_record *record)
{
    const hy_group_areas areas = record->areas;
    size_t size = (size_t)group->size;
    if (member == 0) group->first = rank, group->theirs = areas;
    if (member == 1) group->stride = rank - group->first;
    if (!group->list && rank != hy_group_member(group, member)) {
        int *list = malloc(size * sizeof *list);
        if (!list) return group_no_memory(group);
        for (int i = 0; i < member; i++) list[i] = hy_group_member(group, i);
        group->list = list;
    }
    if (group->list) group->list[member] = rank;
    if (!group->each && memcmp(&areas, &group->theirs, sizeof areas) != 0) {
        group->each = malloc(size * sizeof *group->each);
        if (!group->each) return group_no_memory(group);
        for (int i = 0; i < member; i++) group->each[i] = group->theirs;
    }
    if (group->each) group->each[member] = areas;
    return HAYATE_OK;
}

static int open_all(hy_group *group)
{
    size_t bytes = (size_t)group->size * sizeof *group->channels;
    group->channels = aligned_alloc(HY_LINE, bytes);
    if (!group->channels) return group_no_memory(group);
    memset(group->channels, 0, bytes);
    group->opened = group->size;
    int rc = HAYATE_OK;
    for (int member = 0; member < group->size && !rc; member++)
        rc = open_channel(group, member, &group->channels[member]);
    return rc;
}

/* Members of this node are told when the group is closed, whether or not they were used. */
static int open_near(hy_group *group)
{
    int rc = HAYATE_OK;
    for (int member = 0; member < group->size && !rc; member++)
        if (!hy_job_is_far(group->job, hy_group_member(group, member)))
            hy_group_channel(group, member, &rc);
    return rc;
}

static int take_members(hy_group *group, const opening *o)
{
    int rc = HAYATE_OK;
    for (int member = 0; member < group->size && !rc; member++) {
        hy_group_record record;
        if (o->places[member].candidate == o->from->self) group->rank = member;
        int rank = read_member(o, member, &record);
        rc = take_member(group, member, rank, &record);
    }
    if (rc) return rc;
    group->left = malloc(sizeof *group->left);
    if (!group->left) return group_no_memory(group);
    return group->size <= hy_group_opened_most ? open_all(group) : open_near(group);
}

int hy_group_connect(hy_group *group, int color, const hy_candidates *from)
{
    place *places = NULL;
    int rc = find_members(group, color, from, &places);
    hy_sparse_open(&group->others, (uint64_t)group->size);
    if (!rc && color >= 0) rc = take_members(group, &(opening){group, from, places});
    free(places);
    group->used = !rc && color >= 0;
    if (!group->used) group->size = group->rank = 0;
    return rc;
}

/* ---- collective over the job ---- */

static void read_record(void *context, int candidate, int *rank, hy_group_record *record)
{
    const hy_job *job = context;
    *rank = candidate;
    hy_copy_once(record, hy_boot_record(&job->boot, candidate), sizeof *record);
}

int hy_group_open(hy_group *group, hy_job *job, bool join, const _Atomic uint32_t *closed)
{
    const int color = join ? 0 : -1;
    const hy_candidates all = {job->size, job->rank, read_record, job};
    hy_group_record mine;
    *group = (hy_group){.job = job};
    int rc = hy_setup_begin(job, closed);
    if (rc) return rc;
    hy_group_begin(group, job, color, 0, job->size, &mine);
    hy_failure failure = hy_failure_of(mine.failed ? HAYATE_ERR_NO_MEMORY : HAYATE_OK);
    rc = hy_setup_exchange(job, HY_SETUP_COMM, &mine, sizeof mine);
    if (!rc) rc = hy_group_connect(group, color, &all);
    if (!failure.code) failure = hy_failure_of(rc);
    rc = hy_setup_end(job);
    if (failure.code) rc = hy_fail_again(&failure);
    if (rc) hy_group_close(group);
    return rc;
}

/* ---- the end ---- */

bool hy_group_may_write(const hy_group *group)
{
    const hy_job *job = group->job;
    return group->used && !hy_load_acquire(&job->closed) && job->opener == getpid();
}

static void group_leave(const hy_group *group)
{
    uint64_t place = 0;
    if (!hy_group_may_write(group)) return;
    for (hy_channel *channel; (channel = hy_group_next(group, &place, NULL));)
        hy_channel_leave(channel);
}

/* Whether no member uses the group any more. */
static bool group_is_over(const hy_group *group)
{
    uint64_t place = 0;
    if (!group->used) return true;
    for (hy_channel *channel; (channel = hy_group_next(group, &place, NULL));)
        if (!hy_channel_is_left(channel)) return false;
    return true;
}

/* Of a group that could not be opened, not all channels are. */
static void group_free(hy_group *group)
{
    uint64_t place = 0;
    for (hy_channel *channel; (channel = hy_group_next(group, &place, NULL));) {
        if (channel->job) hy_channel_close(channel);
        if (!group->opened) free(channel);
    }
    hy_sparse_close(&group->others);
    free(group->channels);
    free(group->list);
    free(group->each);
    for (int i = 0; i < HY_GROUP_LENT; i++)
        if (group->lent[i]) hy_job_release(group->job, group->lent[i]);
    if (group->own.match_offset) hy_job_system_give(group->job, group->own.match_offset);
    if (group->own.flag_offset) hy_job_system_give(group->job, group->own.flag_offset);
    if (group->own.cells_offset) hy_job_system_give(group->job, group->own.cells_offset);
}

static void keep(hy_job *job, hy_left_group *first, hy_left_group *last)
{
    pthread_mutex_lock(&job->lock);
    last->next = job->left_groups;
    job->left_groups = first;
    pthread_mutex_unlock(&job->lock);
}

static hy_left_group *take_all(hy_job *job)
{
    pthread_mutex_lock(&job->lock);
    hy_left_group *all = job->left_groups;
    job->left_groups = NULL;
    pthread_mutex_unlock(&job->lock);
    return all;
}

/* Whoever holds the list frees; another thread finds it empty meanwhile, and goes on. */
void hy_groups_reap(hy_job *job)
{
    hy_left_group *kept = NULL, *last = NULL;
    for (hy_left_group *left = take_all(job), *next; left; left = next) {
        next = left->next;
        if (group_is_over(&left->group)) {
            group_free(&left->group);
            free(left);
            continue;
        }
        left->next = kept;
        kept = left;
        if (!last) last = left;
    }
    if (kept) keep(job, kept, last);
}

void hy_groups_forget(hy_job *job)
{
    for (hy_left_group *left = take_all(job), *next; left; left = next) {
        next = left->next;
        group_free(&left->group);
        free(left);
    }
}

void hy_group_close(hy_group *group)
{
    hy_job *job = group->job;
    hy_left_group *left = group->left;
    if (left) {
        uint64_t place = 0;
        for (hy_channel *channel; (channel = hy_group_next(group, &place, NULL));)
            hy_channel_trim(channel);
        group_leave(group);
        left->group = *group;
        left->group.left = NULL;
        keep(job, left, left);
        hy_groups_reap(job);
    } else {
        group_free(group);
    }
    *group = (hy_group){.job = job};
}
