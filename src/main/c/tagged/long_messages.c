/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Long messages. The sender announces one in the stream of its communicator. When a receive has
 * matched it, the receiver tells the sender to go, by a note on a channel of its own, and both move
 * the data through the lane of msg between the two ranks, by any protocol that msg has. The lane
 * moves one message at a time, in the order of the notes: both sides keep a queue in that order.
 *
 * A note that finds no room waits in a list. It is part of its request, so that it needs no memory;
 * only the answer to a withdrawal does.
 */
#include <stdlib.h>

#include "base/clock.h"
#include "job/progress.h"
#include "tagged/state.h"

/* The channel for notes, made at its first use; NULL: no memory. */
static hy_channel *channel_to(hy_tags *tags, int peer)
{
    int rc;
    hy_tag_peer *with = &tags->peers[peer];
    hy_channel *channel = hy_load_acquire(&with->channel);
    if (hy_likely(channel != NULL)) return channel;
    channel = hy_group_channel(tags->notes, peer, &rc);
    if (channel) hy_store_release(&with->channel, channel);
    return channel;
}

/* The lock. What has something to do with the rank is looked at from now on. */
static void use(hy_tags *tags, int peer, uint32_t more)
{
    hy_tag_peer *with = &tags->peers[peer];
    if (!with->listed) {
        with->listed = true;
        with->next = hy_load_relaxed(&tags->used);
        hy_store_release(&tags->used, with);
    }
    atomic_fetch_add(&with->active, more);
    atomic_fetch_add(&tags->active, more);
    hy_worklist_wake(&tags->job->background);
}

static void done(hy_tags *tags, int peer)
{
    atomic_fetch_sub(&tags->peers[peer].active, 1);
    atomic_fetch_sub(&tags->active, 1);
}

void hy_transfer_expect(hy_tags *tags, int peer)
{
    pthread_mutex_lock(&tags->lock);
    use(tags, peer, 1);
    pthread_mutex_unlock(&tags->lock);
}

void hy_transfer_forget(hy_tags *tags, int peer)
{
    done(tags, peer);
}

/* ---- notes ---- */

/* The lock. Posts the notes of the list as far as there is room. */
static void say_all(hy_tags *tags, int peer)
{
    hy_tag_peer *with = &tags->peers[peer];
    hy_channel *channel = channel_to(tags, peer);
    hy_tag_request *request;
    while (channel && (request = hy_load_relaxed(&with->unsaid)) && hy_channel_room(channel)) {
        hy_store_relaxed(&with->unsaid, request->next_note);
        hy_channel_post(channel, HY_KIND_INLINE, &request->note, sizeof request->note);
        if (request->answers) free(request);
        else hy_store_release(&request->says, false);
        done(tags, peer);
    }
}

/* The lock. */
static void say(hy_tags *tags, int peer, hy_tag_request *request)
{
    hy_tag_peer *with = &tags->peers[peer];
    request->next_note = NULL;
    hy_store_relaxed(&request->says, true);
    if (hy_load_relaxed(&with->unsaid)) *with->unsaid_end = request;
    else hy_store_relaxed(&with->unsaid, request);
    with->unsaid_end = &request->next_note;
    use(tags, peer, 1);
    say_all(tags, peer);
}

void hy_transfer_unsay(hy_tag_request *request)
{
    hy_tags *tags = request->tagged->tags;
    int peer = hy_tag_request_peer(request);
    hy_tag_peer *with = &tags->peers[peer];
    pthread_mutex_lock(&tags->lock);
    hy_tag_request *before = NULL, *at = hy_load_relaxed(&with->unsaid);
    for (; at && at != request; at = at->next_note) before = at;
    if (at) {
        if (before) before->next_note = at->next_note;
        else hy_store_relaxed(&with->unsaid, at->next_note);
        if (before && !at->next_note) with->unsaid_end = &before->next_note;
        hy_store_release(&request->says, false);
        done(tags, peer);
    }
    pthread_mutex_unlock(&tags->lock);
}

/* The memory of the answer comes first: what was forgotten must be told. Without it, the one who
 * has asked asks again. */
static void answer_withdrawal(hy_tags *tags, int peer, uint64_t name)
{
    hy_tag_request *note = calloc(1, sizeof *note);
    if (!note) return;
    note->answers = true;
    note->note = (hy_tag_note){
        .kind = HY_TAG_WITHDRAWN, .request = name, .bytes = hy_match_forget(tags, peer, name)};
    pthread_mutex_lock(&tags->lock);
    say(tags, peer, note);
    pthread_mutex_unlock(&tags->lock);
}

static bool changes(hy_tag_request *request, hy_tag_state from, hy_tag_state to)
{
    uint32_t was = from;
    return atomic_compare_exchange_strong(&request->state, &was, to);
}

/* A send of this rank that the peer may name: it was announced to the peer. */
static hy_tag_request *announced(const hy_tags *tags, int peer, uint64_t name)
{
    hy_tag_request *request = hy_tag_request_find(tags, name);
    bool fits = request && request->sends && hy_load_acquire(&request->state) == HY_TAG_ANNOUNCED &&
                hy_tag_request_peer(request) == peer;
    return fits ? request : NULL;
}

static void go(hy_tags *tags, int peer, const hy_tag_note *note)
{
    hy_tag_request *request = announced(tags, peer, note->request);
    if (!request || note->bytes > request->bytes ||
        !changes(request, HY_TAG_ANNOUNCED, HY_TAG_MOVES))
        return;
    request->moves = note->bytes;
    if (!request->moves) {
        done(tags, peer);
        hy_tag_request_end(request, HAYATE_OK);
        return;
    }
    pthread_mutex_lock(&tags->lock);
    hy_tag_append(&tags->peers[peer].queues[HY_TAG_SENDS], request);
    pthread_mutex_unlock(&tags->lock);
}

static void hear(hy_tags *tags, int peer, const hy_tag_note *note)
{
    hy_tag_request *request;
    switch (note->kind) {
    case HY_TAG_GO: go(tags, peer, note); break;
    case HY_TAG_WITHDRAW: answer_withdrawal(tags, peer, note->request); break;
    case HY_TAG_WITHDRAWN:
        request = announced(tags, peer, note->request);
        if (!request || !note->bytes || !changes(request, HY_TAG_ANNOUNCED, HY_TAG_MOVES)) break;
        done(tags, peer);
        hy_tag_request_end(request, hy_fail(HAYATE_ERR_CANCELLED, "the send was cancelled"));
        break;
    default: break; /* of another version, or hostile: it changes nothing */
    }
}

void hy_transfer_notes(hy_tags *tags, int peer)
{
    hy_tag_peer *with = &tags->peers[peer];
    uint64_t head;
    hy_slot *slot;
    if (hy_unlikely(hy_load_relaxed(&with->unsaid) != NULL)) {
        pthread_mutex_lock(&tags->lock);
        say_all(tags, peer);
        pthread_mutex_unlock(&tags->lock);
    }
    hy_channel *channel = channel_to(tags, peer);
    if (!channel || !hy_channel_peek(channel, &head) || !hy_busy_visit(&with->notes_busy)) return;
    while ((slot = hy_channel_peek(channel, &head))) {
        hy_tag_note note;
        hy_copy_once(&note, slot->payload, sizeof note);
        bool whole = hy_head_kind(head) == HY_KIND_INLINE && hy_head_len(head) == sizeof note;
        hy_channel_take(channel, head);
        if (whole) hear(tags, peer, &note);
    }
    hy_busy_leave(&with->notes_busy);
}

void hy_transfer_withdraw(hy_tag_request *request)
{
    hy_tags *tags = request->tagged->tags;
    pthread_mutex_lock(&tags->lock);
    if (!hy_load_relaxed(&request->says) && hy_load_acquire(&request->state) == HY_TAG_ANNOUNCED) {
        request->note = (hy_tag_note){.kind = HY_TAG_WITHDRAW,
                                      .request = hy_tag_request_name(request)};
        hy_store_relaxed(&request->asked_ns, hy_now_ns());
        say(tags, hy_tag_request_peer(request), request);
    }
    pthread_mutex_unlock(&tags->lock);
}

void hy_transfer_receive(hy_tag_request *request, int member, uint64_t sender, uint64_t bytes)
{
    hy_tags *tags = request->tagged->tags;
    int peer = hy_tagged_peer(request->tagged, member);
    request->moves = bytes < request->bytes ? bytes : request->bytes;
    request->result = bytes > request->bytes ? HAYATE_ERR_TRUNCATE : HAYATE_OK;
    hy_store_relaxed(&request->at_once, sender == HY_TAG_AT_ONCE);
    request->note = (hy_tag_note){.kind = HY_TAG_GO, .request = sender, .bytes = request->moves};
    hy_store_relaxed(&request->peer, peer);
    pthread_mutex_lock(&tags->lock);
    use(tags, peer, 1);
    hy_tag_append(&tags->peers[peer].queues[hy_tag_request_way(request)], request);
    if (sender != HY_TAG_AT_ONCE) say(tags, peer, request);
    pthread_mutex_unlock(&tags->lock);
}

/* ---- data ---- */

static bool is_at_once(const hy_tag_request *request)
{
    return hy_tag_request_way(request) == HY_TAG_RECEIVES_AT_ONCE;
}

/* Where a receive takes its message: of one that is too short, the whole message comes, because
 * the sender does not know. NULL: there is no memory at the moment. */
static const hy_buffer *room_of(hy_tag_request *request, hy_buffer *spill)
{
    if (!is_at_once(request) || request->status.bytes <= request->bytes) return &request->buffer;
    if (!request->spill) request->spill = malloc(request->status.bytes);
    *spill = (hy_buffer){.address = request->spill};
    return request->spill ? spill : NULL;
}

/* OK, IN_PROGRESS, or an error. */
static int try_to_move(hy_tags *tags, int peer, hy_tag_request *request, bool waits)
{
    hy_buffer spill;
    hy_msg *lanes = is_at_once(request) ? &tags->at_once : &tags->data;
    if (request->moving) return hy_request_test(lanes, request->moving, NULL);
    int64_t bytes = (int64_t)(is_at_once(request) ? request->status.bytes : request->moves);
    if (!bytes) return hy_load_acquire(&request->says) ? HAYATE_IN_PROGRESS : HAYATE_OK;
    const hy_buffer *buffer = room_of(request, &spill);
    int rc = buffer ? HAYATE_OK : HAYATE_ERR_NO_MEMORY;
    if (buffer && bytes > (int64_t)tags->job->eager_limit)
        rc = hy_msg_reserve(lanes, buffer, (uint64_t)bytes, peer, request->sends);
    if (rc == HAYATE_ERR_NO_MEMORY) { /* it waits for some, as long as the peer lives */
        rc = hy_tagged_check_peer(request->tagged, peer);
        if (!rc) rc = HAYATE_IN_PROGRESS;
    }
    if (rc) return rc;
    if (waits)
        return request->sends ? hy_msg_send(lanes, *buffer, bytes, peer, 0, NULL)
                              : hy_msg_recv(lanes, *buffer, bytes, peer, 0, NULL, NULL);
    rc = request->sends ? hy_msg_isend(lanes, *buffer, bytes, peer, 0, &request->moving)
                        : hy_msg_irecv(lanes, *buffer, bytes, peer, 0, &request->moving);
    return rc == HAYATE_OK && request->moving ? HAYATE_IN_PROGRESS : rc;
}

/* The peer has been told, or has told, that these data come next in the lane. So one that finds no
 * memory tries again: otherwise the next message would be received in its place. Of a long message
 * that has begun, both sides know the end. */
static int move_data(hy_tags *tags, int peer, hy_tag_request *request, bool waits)
{
    bool begun = request->moving != 0;
    int rc = try_to_move(tags, peer, request, waits);
    if (hy_likely(rc != HAYATE_ERR_NO_MEMORY)) return rc;
    if ((begun || waits) && request->moves > tags->job->eager_limit) return rc;
    request->moving = 0;
    return HAYATE_IN_PROGRESS;
}

static void moved(hy_tags *tags, int peer, hy_tag_queue *queue, hy_tag_request *request, int rc)
{
    pthread_mutex_lock(&tags->lock);
    hy_tag_remove_first(queue);
    pthread_mutex_unlock(&tags->lock);
    done(tags, peer);
    if (!rc && request->spill) hy_buffer_write(&request->buffer, 0, request->spill, request->bytes);
    free(request->spill);
    request->spill = NULL;
    if (!rc && !request->sends) {
        rc = request->result;
        hy_count_message(tags->job->counters, HY_COUNT_RECEIVED, request->moves);
        if (rc) hy_fail_length(request->status.bytes);
    }
    hy_tag_request_end(request, rc);
}

void hy_transfer_move(hy_tags *tags, int peer, hy_tag_way way, hy_tag_request *blocking)
{
    hy_tag_peer *with = &tags->peers[peer];
    hy_tag_queue *queue = &with->queues[way];
    hy_tag_request *request;
    if (!hy_tag_first(queue) || !hy_busy_visit(&with->busy[way])) return;
    while ((request = hy_tag_first(queue))) {
        int rc = move_data(tags, peer, request, request == blocking);
        if (rc == HAYATE_IN_PROGRESS) break;
        moved(tags, peer, queue, request, rc);
    }
    hy_busy_leave(&with->busy[way]);
}

/* ---- at once ---- */

int hy_transfer_send_at_once(hy_tagged *tagged, hy_tag_stream *stream, const hy_buffer *buffer,
                             uint64_t bytes, int member, int tag)
{
    hy_tags *tags = tagged->tags;
    int peer = hy_tagged_peer(tagged, member), rc;
    hy_tag_peer *with = &tags->peers[peer];
    if (!hy_tag_stream_channel(tagged, member, &rc)) return rc;
    rc = HAYATE_IN_PROGRESS;
    if (!hy_busy_visit(&with->at_once)) return rc;
    /* Before the peer hears of it. Without memory it is sent as a request, which tries again. */
    if (hy_msg_reserve(&tags->at_once, buffer, bytes, peer, true)) {
        hy_busy_leave(&with->at_once);
        return rc;
    }
    hy_half_own(&stream->busy);
    if (hy_tagged_is_closed(tagged)) rc = hy_tagged_fail_closed();
    else if (hy_tag_stream_flush(tagged, stream))
        rc = hy_tag_stream_post(tagged, stream, buffer, bytes, tag, HY_TAG_AT_ONCE, true);
    hy_busy_leave(&stream->busy);
    if (!rc) rc = hy_msg_send(&tags->at_once, *buffer, (int64_t)bytes, peer, 0, NULL);
    hy_busy_leave(&with->at_once);
    return rc;
}

int hy_transfer_recv_at_once(hy_tags *tags, int peer, const hy_buffer *buffer, uint64_t bytes)
{
    hy_tag_peer *with = &tags->peers[peer];
    _Atomic uint32_t *busy = &with->busy[HY_TAG_RECEIVES_AT_ONCE];
    int rc = HAYATE_IN_PROGRESS;
    if (!hy_busy_visit(busy)) return rc;
    if (!hy_tag_first(&with->queues[HY_TAG_RECEIVES_AT_ONCE]) &&
        !hy_msg_reserve(&tags->at_once, buffer, bytes, peer, false))
        rc = hy_msg_recv(&tags->at_once, *buffer, (int64_t)bytes, peer, 0, NULL, NULL);
    hy_busy_leave(busy);
    return rc == HAYATE_ERR_NO_MEMORY ? HAYATE_IN_PROGRESS : rc; /* the message is still there */
}

/* ---- in the background ---- */

static hy_tags *tags_of(const hy_work *work)
{
    return (hy_tags *)((uintptr_t)work - offsetof(hy_tags, work));
}

static hy_wanted notes_wanted(const hy_work *work)
{
    const hy_tags *tags = tags_of(work);
    bool looks = hy_load_acquire(&tags->active) ||
                 hy_tick_ns() != hy_load_relaxed(&tags->heard_all);
    return looks ? HY_WORK_READY : HY_WORK_RESTS;
}

/* Now and then those of all ranks: one that asks to withdraw may be in no list here. */
static void hear_all(hy_tags *tags)
{
    uint64_t tick = hy_tick_ns();
    if (tick == hy_load_relaxed(&tags->heard_all)) return;
    hy_store_relaxed(&tags->heard_all, tick);
    for (int peer = 0; peer < tags->job->size; peer++) hy_transfer_notes(tags, peer);
}

static void notes_step(hy_work *work)
{
    hy_tags *tags = tags_of(work);
    hear_all(tags);
    for (hy_tag_peer *with = hy_load_acquire(&tags->used); with; with = with->next) {
        int peer = (int)(with - tags->peers);
        hy_transfer_notes(tags, peer);
        if (!hy_load_acquire(&with->active)) continue;
        for (int way = 0; way < HY_TAG_WAYS; way++)
            hy_transfer_move(tags, peer, (hy_tag_way)way, NULL);
    }
    hy_work_release(work);
}

void hy_transfer_open(hy_tags *tags)
{
    tags->worker = (hy_worker){.wanted = notes_wanted, .step = notes_step};
    hy_worklist_add(&tags->job->background, &tags->work, &tags->worker, HY_BY_CALLS);
}

void hy_transfer_free(hy_tags *tags, int peer)
{
    hy_tag_request *next, *at = hy_load_relaxed(&tags->peers[peer].unsaid);
    for (; at; at = next) {
        next = at->next_note;
        if (at->answers) free(at);
    }
}
