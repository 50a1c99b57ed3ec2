/* SPDX-License-Identifier: Apache-2.0 */
/* Opens and closes messages with tags: of the process, and of a communicator. */
#include <stdlib.h>
#include <unistd.h>

#include "coll/split.h"
#include "job/progress.h"
#include "tagged/state.h"

#define SPINS 400
/* Of all streams of a communicator, and of each. */
#define WINDOW_BYTES (UINT64_C(32) << 20)
#define WINDOW_LEAST (UINT64_C(64) << 10)
#define WINDOW_MOST (UINT64_C(4) << 20)

int hy_tagged_fail_closed(void)
{
    return hy_fail(HAYATE_ERR_CLOSED, "used after close: the communicator, or its job, is closed");
}

uint64_t hy_tagged_window(const hy_tagged *tagged)
{
    return tagged->window;
}

static uint64_t window_of(int size)
{
    uint64_t each = WINDOW_BYTES / (uint64_t)size;
    return each < WINDOW_LEAST ? WINDOW_LEAST : each > WINDOW_MOST ? WINDOW_MOST : each;
}

/* ---- failures ---- */

/* Ranks that have left are no failure while another one can still send. */
static int check_any(hy_tagged *tagged)
{
    hy_job *job = tagged->tags->job;
    int rc = hy_job_check(job, -1);
    if (!rc) rc = hy_job_check_all(job);
    if (rc || hy_load_acquire(&hy_control_live_of(job->boot.control)->failures) == 0) return rc;
    if (!hy_tagged_enter(tagged)) return HAYATE_OK; /* nothing waits for its members any more */
    bool alive = false;
    for (int member = 0; member < tagged->size && !alive; member++) {
        if (member == tagged->rank) continue;
        rc = hy_job_check(job, hy_tagged_peer(tagged, member));
        alive = rc == HAYATE_OK;
    }
    hy_tagged_leave(tagged);
    return rc;
}

int hy_tagged_check_peer(hy_tagged *tagged, int peer)
{
    if (hy_load_relaxed(&tagged->tags->closed)) return hy_tagged_fail_closed();
    return peer < 0 ? check_any(tagged) : hy_job_check(tagged->tags->job, peer);
}

/* ---- of a communicator ---- */

static hy_tagged *tagged_of(const hy_work *work)
{
    return (hy_tagged *)((uintptr_t)work - offsetof(hy_tagged, work));
}

/* Under the lock of the list: it makes no channel. */
static bool has_arrival(const hy_tagged *tagged, int member)
{
    uint64_t head;
    hy_channel *channel = hy_group_known_channel(tagged->group, tagged->first + member);
    return channel && !tagged->streams[member].broken && hy_channel_peek(channel, &head) != NULL;
}

static hy_wanted streams_wanted(const hy_work *work)
{
    hy_tagged *tagged = tagged_of(work);
    bool waits = hy_load_acquire(&tagged->senders) || hy_load_acquire(&tagged->wildcards);
    for (int member = 0; member < tagged->size; member++) {
        const hy_tag_stream *stream = &tagged->streams[member];
        if (hy_tag_first(&stream->unsent) || has_arrival(tagged, member)) return HY_WORK_READY;
        waits = waits || hy_tag_first(&stream->posted);
    }
    return waits ? HY_WORK_WAITS : HY_WORK_RESTS;
}

static void streams_step(hy_work *work)
{
    hy_tagged *tagged = tagged_of(work);
    if (hy_tagged_enter(tagged)) {
        hy_tag_streams_drain(tagged);
        for (int member = 0; member < tagged->size; member++) {
            hy_tag_stream *stream = &tagged->streams[member];
            if (!hy_tag_first(&stream->unsent) || !hy_busy_visit(&stream->busy)) continue;
            hy_tag_stream_flush(tagged, stream);
            hy_busy_leave(&stream->busy);
        }
        hy_tagged_leave(tagged);
    }
    hy_work_release(work);
}

/* Of one that is closed: whoever owns a half from now on sees that. */
static bool has_requests(hy_tagged *tagged)
{
    bool found = hy_load_acquire(&tagged->wildcards);
    for (int member = 0; member < tagged->size && !found; member++) {
        hy_tag_stream *stream = &tagged->streams[member];
        hy_half_own(&stream->busy);
        hy_half_own(&stream->receive_busy);
        found = hy_tag_first(&stream->unsent) || hy_tag_first(&stream->posted);
        hy_busy_leave(&stream->receive_busy);
        hy_busy_leave(&stream->busy);
    }
    return found;
}

/* Whether its streams are not used any more, of one that is closed; then no thread gets in. */
static bool ends(hy_tagged *tagged)
{
    /* in this order: one that another thread has opened meanwhile is not closed */
    if (atomic_load(&tagged->life) != HY_TAGGED_LIVES || !hy_load_acquire(&tagged->closed))
        return false;
    atomic_store(&tagged->life, HY_TAGGED_ENDS);
    if (!atomic_load(&tagged->inside) && !has_requests(tagged)) return true;
    atomic_store(&tagged->life, HY_TAGGED_LIVES);
    return false;
}

/* Frees the streams of one that has ended, whose work is not in the list. */
static void let_streams_go(hy_tagged *tagged)
{
    hy_tags *tags = tagged->tags;
    for (int member = 0; member < tagged->size; member++) {
        hy_tag_stream *stream = &tagged->streams[member];
        hy_half_own(&stream->busy);
        hy_half_own(&stream->receive_busy);
        hy_store_relaxed(&stream->channel, NULL);
        for (hy_arrived *at = stream->arrived, *next; at; at = next) {
            next = at->next;
            free(at);
        }
        stream->arrived = NULL;
        hy_busy_leave(&stream->receive_busy);
        hy_busy_leave(&stream->busy);
    }
    hy_comm_free(tags->comms, tagged->number);
}

/* Those that were closed with requests under way end when these have ended. */
static void reap(hy_tags *tags)
{
    for (hy_tagged *tagged = hy_load_acquire(&tags->all); tagged; tagged = tagged->next) {
        if (!hy_load_acquire(&tagged->closed) || hy_load_acquire(&tagged->life) != HY_TAGGED_LIVES)
            continue;
        if (hy_work_claim(&tagged->work)) { /* nobody else lets it go */
            bool lived = ends(tagged);
            if (lived) hy_worklist_remove(&tags->job->background, &tagged->work);
            if (lived) let_streams_go(tagged);
            hy_work_release(&tagged->work);
            if (lived) atomic_store(&tagged->life, HY_TAGGED_FREE);
        }
    }
}

/* One that is free and has places enough, or a new one; owned by the caller. */
static hy_tagged *take_tagged(hy_tags *tags, int size)
{
    hy_tagged *tagged = hy_load_acquire(&tags->all);
    for (; tagged; tagged = tagged->next) {
        uint32_t life = HY_TAGGED_FREE;
        if (tagged->places >= size &&
            atomic_compare_exchange_strong(&tagged->life, &life, HY_TAGGED_TAKEN))
            return tagged;
    }
    tagged = aligned_alloc(HY_LINE, sizeof *tagged);
    hy_tag_stream *streams = aligned_alloc(HY_LINE, (size_t)size * sizeof *streams);
    if (!tagged || !streams) {
        free(tagged);
        free(streams);
        hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for the messages of a communicator");
        return NULL;
    }
    memset(tagged, 0, sizeof *tagged);
    memset(streams, 0, (size_t)size * sizeof *streams);
    tagged->tags = tags;
    tagged->job = tags->job;
    tagged->streams = streams;
    tagged->places = size;
    tagged->closed = 1;
    tagged->life = HY_TAGGED_TAKEN;
    pthread_mutex_init(&tagged->lock, NULL);
    pthread_mutex_lock(&tags->lock);
    tagged->next = hy_load_relaxed(&tags->all);
    hy_store_release(&tags->all, tagged);
    pthread_mutex_unlock(&tags->lock);
    return tagged;
}

/* Nobody has used it before. The words of the owners stay: another thread may look at them. */
static void use_for(hy_tagged *tagged, hy_comm *comm, int number, int first, int count)
{
    hy_tags *tags = tagged->tags;
    tagged->group = &comm->group;
    tagged->group->has_messages = true;
    tagged->number = number;
    tagged->first = first;
    tagged->size = count;
    tagged->rank = comm->group.rank - first;
    tagged->window = window_of(tagged->size);
    tagged->eager_limit = tags->job->eager_limit;
    hy_store_relaxed(&tagged->senders, 0);
    hy_store_relaxed(&tagged->wildcards, 0);
    hy_store_relaxed(&tagged->arrived, 0);
    hy_store_relaxed(&tagged->posts, 0);
    tagged->any = (hy_tag_queue){NULL, NULL};
    for (int member = 0; member < tagged->size; member++) {
        hy_tag_stream *stream = &tagged->streams[member];
        hy_store_relaxed(&stream->channel, NULL);
        stream->unsent = stream->posted = (hy_tag_queue){NULL, NULL};
        stream->charged = stream->passed = stream->told = stream->seen = 0;
        stream->allowed = tagged->window;
        hy_store_relaxed(&stream->waiting, 0);
        stream->broken = 0;
        stream->arrived = NULL;
    }
    atomic_store(&tagged->closed, 0);
    atomic_store(&tagged->life, HY_TAGGED_LIVES);
    hy_worklist_add(&tags->job->background, &tagged->work, &tags->stream_worker, HY_BY_CALLS);
}

int hy_tagged_open_part(hy_tags *tags, int comm, int first, int count, hy_tagged **result)
{
    hy_split split;
    hy_split_part part = {.color = 0};
    reap(tags);
    if (hy_load_relaxed(&tags->closed)) return hy_tagged_fail_closed();
    const hy_comm *from = hy_comm_find(tags->comms, comm);
    if (!from) return HAYATE_ERR_ARGUMENT;
    hy_tagged *tagged = take_tagged(tags, count);
    part.key = from->group.rank;
    int rc = hy_split_begin(&split, tags->comms, comm, &part, 1,
                            tagged ? HAYATE_OK : HAYATE_ERR_NO_MEMORY);
    rc = hy_split_agree(&split, rc);
    hy_split_end(&split, rc);
    if (rc) {
        if (tagged) atomic_store(&tagged->life, HY_TAGGED_FREE);
        return rc;
    }
    use_for(tagged, part.made.comm, part.made.number, first, count);
    *result = tagged;
    return HAYATE_OK;
}

int hy_tagged_open(hy_tags *tags, int comm, hy_tagged **result)
{
    const hy_comm *from = hy_comm_find(tags->comms, comm);
    if (!from) return HAYATE_ERR_ARGUMENT;
    return hy_tagged_open_part(tags, comm, 0, from->group.size, result);
}

void hy_tagged_close(hy_tagged *tagged)
{
    if (atomic_exchange(&tagged->closed, 1)) return;
    reap(tagged->tags);
}

/* ---- of the process ---- */

static int open_hidden(hy_tags *tags)
{
    hy_split split;
    hy_split_part parts[3] = {{.color = 0}, {.color = 0}, {.color = 0}};
    for (int i = 0; i < 3; i++) parts[i].key = tags->job->rank;
    int rc = hy_split_begin(&split, tags->comms, FMPL_COMM_WORLD, parts, 3, HAYATE_OK);
    rc = hy_split_agree(&split, rc);
    hy_split_end(&split, rc);
    if (rc) return rc;
    tags->notes_number = parts[0].made.number;
    tags->data_number = parts[1].made.number;
    tags->notes = &parts[0].made.comm->group;
    tags->notes->has_messages = true;
    rc = hy_msg_open_group(&tags->data, &parts[1].made.comm->group);
    tags->at_once_number = parts[2].made.number;
    tags->has_lanes = true;
    int other = hy_msg_open_group(&tags->at_once, &parts[2].made.comm->group);
    return rc ? rc : other;
}

int hy_tags_open(hy_tags **result, hy_comms *comms)
{
    hy_job *job = comms->job;
    hy_tags *tags = aligned_alloc(HY_LINE, hy_round_up(sizeof *tags, HY_LINE));
    hy_tag_peer *peers = calloc((size_t)job->size, sizeof *peers);
    if (!tags || !peers) {
        free(tags);
        free(peers);
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for messages with tags");
    }
    memset(tags, 0, sizeof *tags);
    tags->comms = comms;
    tags->job = job;
    tags->peers = peers;
    tags->spins = job->far.count || job->policy.spins < SPINS ? 0 : SPINS;
    tags->stream_worker = (hy_worker){.wanted = streams_wanted, .step = streams_step};
    pthread_mutex_init(&tags->lock, NULL);
    int rc = open_hidden(tags);
    if (rc) {
        hy_tags_free(tags);
        return rc;
    }
    hy_transfer_open(tags);
    tags->listens = true;
    hy_worklist_listen(&job->background);
    *result = tags;
    return HAYATE_OK;
}

void hy_tags_close(hy_tags *tags)
{
    if (atomic_exchange(&tags->closed, 1)) return;
    if (tags->listens) hy_worklist_stop_listening(&tags->job->background);
    for (hy_tagged *tagged = hy_load_acquire(&tags->all); tagged; tagged = tagged->next)
        atomic_store(&tagged->closed, 1);
    if (tags->job->opener == getpid()) hy_tag_requests_close(tags);
    if (tags->has_lanes && hy_msg_refuse(&tags->data)) hy_msg_close(&tags->data);
    if (tags->has_lanes && hy_msg_refuse(&tags->at_once)) hy_msg_close(&tags->at_once);
    hy_bell_ring_slow(tags->job->bell);
}

void hy_tags_free(hy_tags *tags)
{
    hy_worker_leave(&tags->job->background, &tags->worker, NULL);
    hy_worker_leave(&tags->job->background, &tags->stream_worker, NULL);
    for (int peer = 0; peer < tags->job->size; peer++) hy_transfer_free(tags, peer);
    hy_tag_requests_free(tags);
    for (hy_tagged *tagged = hy_load_relaxed(&tags->all), *next; tagged; tagged = next) {
        next = tagged->next;
        if (hy_load_relaxed(&tagged->life) == HY_TAGGED_LIVES) let_streams_go(tagged);
        pthread_mutex_destroy(&tagged->lock);
        free(tagged->streams);
        free(tagged);
    }
    if (tags->has_lanes) {
        hy_msg_refuse(&tags->data);
        hy_msg_refuse(&tags->at_once);
        hy_msg_free(&tags->data);
        hy_msg_free(&tags->at_once);
        hy_comm_free(tags->comms, tags->data_number);
        hy_comm_free(tags->comms, tags->at_once_number);
        hy_comm_free(tags->comms, tags->notes_number);
    }
    pthread_mutex_destroy(&tags->lock);
    free(tags->peers);
    free(tags);
}

uint64_t hy_tags_buffered(const hy_tags *tags)
{
    return hy_load_acquire(&tags->buffered);
}
