/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which receive gets which message. Of a stream's posted receives and those from any member, a
 * message goes to the one that was posted first, of those that it matches. Of the messages that
 * have arrived from a member, a receive gets the first one that it matches; of several members that
 * have sent one, those behind the member that was served last come first.
 */
#include <stdlib.h>

#include "tagged/state.h"

static bool takes(const hy_tag_request *request, int tag)
{
    return hy_tag_matches(request->tag, tag);
}

static hy_tag_request *first_for(const hy_tag_queue *queue, int tag)
{
    hy_tag_request *request = hy_tag_first(queue);
    while (request && !takes(request, tag)) request = request->next;
    return request;
}

static void count(_Atomic uint32_t *number, int change)
{
    hy_store_release(number, hy_load_relaxed(number) + (uint32_t)change);
}

/* The list's owner: takes a receive out, which is then the caller's. False: it is not there. */
static bool unpost(hy_tag_queue *queue, hy_tag_request *request, _Atomic uint32_t *number)
{
    if (!hy_tag_remove(queue, request)) return false;
    count(number, -1);
    hy_store_release(&request->state, HY_TAG_MOVES);
    return true;
}

/* Owner of the receiving half: the receive that a message which comes now is for. False: receives
 * from any member were posted that what has arrived before may be for: catch_up() comes first. */
static bool take_receive(hy_tagged *tagged, hy_tag_stream *stream, int tag, hy_tag_request **taken)
{
    hy_tag_request *request = first_for(&stream->posted, tag), *any = NULL;
    bool knows = true;
    if (hy_unlikely(hy_load_acquire(&tagged->wildcards))) {
        pthread_mutex_lock(&tagged->lock);
        knows = !stream->arrived || stream->seen == hy_load_relaxed(&tagged->posts);
        if (knows) any = first_for(&tagged->any, tag);
        if (any && request && any->number > request->number) any = NULL;
        if (any) unpost(&tagged->any, any, &tagged->wildcards);
        pthread_mutex_unlock(&tagged->lock);
    }
    if (knows && !any && request) unpost(&stream->posted, request, &stream->waiting);
    *taken = any ? any : request;
    return knows;
}

static void end_filled(hy_tag_request *request, int rc)
{
    if (rc == HAYATE_ERR_TRUNCATE) hy_fail_length(request->status.bytes);
    hy_tag_request_end(request, rc);
}

static void give_arrival(hy_tag_request *request, int member, hy_tag_stream *stream, hy_arrival *a)
{
    request->status = (hy_tag_status){a->bytes, member, hy_arrival_tag(a), NULL};
    hy_tag_request_fit(request, a->bytes);
    if (a->sender) {
        hy_tag_stream_take(stream, a);
        hy_transfer_receive(request, member, a->sender, a->bytes);
        return;
    }
    hy_tag_stream_pass(request->tagged, stream, a->bytes);
    end_filled(request,
               hy_tag_stream_deliver(request->tagged, stream, a, &request->buffer, request->bytes));
}

static hy_arrived *keep(hy_tagged *tagged, int member, hy_tag_stream *stream, hy_arrival *a)
{
    hy_arrived *kept = malloc(sizeof *kept + (a->sender ? 0 : a->bytes));
    if (!kept) return NULL;
    *kept = (hy_arrived){.status = {a->bytes, member, hy_arrival_tag(a), NULL},
                         .sender = a->sender};
    if (a->sender) hy_tag_stream_take(stream, a);
    else hy_tag_stream_deliver(tagged, stream, a, &(hy_buffer){.address = kept->data}, a->bytes);
    return kept;
}

/* Owner of the receiving half. */
static hy_arrived *take_arrived(hy_tagged *tagged, hy_tag_stream *stream, hy_arrived **link)
{
    hy_arrived *at = *link;
    *link = at->next;
    if (!at->next) stream->arrived_end = link;
    count(&stream->waiting, -1);
    atomic_fetch_sub(&tagged->arrived, 1);
    if (!at->sender) hy_tag_stream_pass(tagged, stream, at->status.bytes);
    return at;
}

/* Owner of the receiving half: what has arrived goes to the receives from any member that were
 * posted since. A receive may be posted between two looks, so each begins with the first message.
 */
static void catch_up(hy_tagged *tagged, hy_tag_stream *stream)
{
    hy_tag_request *request;
    do {
        hy_arrived **link = &stream->arrived;
        request = NULL;
        if (!*link) return;
        pthread_mutex_lock(&tagged->lock);
        while (*link && !(request = first_for(&tagged->any, (*link)->status.tag)))
            link = &(*link)->next;
        if (request) unpost(&tagged->any, request, &tagged->wildcards);
        else stream->seen = hy_load_relaxed(&tagged->posts);
        pthread_mutex_unlock(&tagged->lock);
        if (request) hy_match_fill(request, take_arrived(tagged, stream, link));
    } while (request);
}

int hy_match_arrival(hy_tagged *tagged, int member, hy_arrival *a)
{
    hy_tag_stream *stream = &tagged->streams[member];
    hy_tag_request *request;
    while (hy_unlikely(!take_receive(tagged, stream, hy_arrival_tag(a), &request)))
        catch_up(tagged, stream);
    if (hy_likely(request != NULL)) {
        give_arrival(request, member, stream, a);
        return HAYATE_OK;
    }
    hy_arrived *kept = keep(tagged, member, stream, a);
    if (!kept) return HAYATE_ERR_NO_MEMORY;
    if (stream->arrived) *stream->arrived_end = kept;
    else stream->arrived = kept;
    stream->arrived_end = &kept->next;
    count(&stream->waiting, 1);
    atomic_fetch_add(&tagged->arrived, 1);
    return HAYATE_OK;
}

hy_arrived *hy_match_find(hy_tagged *tagged, hy_tag_stream *stream, int tag, bool take)
{
    hy_arrived **link = &stream->arrived, *at;
    while ((at = *link) && !hy_tag_matches(tag, at->status.tag)) link = &at->next;
    return at && take ? take_arrived(tagged, stream, link) : at;
}

void hy_match_fill(hy_tag_request *request, hy_arrived *arrived)
{
    request->status = arrived->status;
    hy_tag_request_fit(request, arrived->status.bytes);
    if (arrived->sender) {
        hy_transfer_receive(request, arrived->status.member, arrived->sender,
                            arrived->status.bytes);
    } else {
        bool fits = arrived->status.bytes <= request->bytes;
        hy_buffer_write(&request->buffer, 0, arrived->data,
                        fits ? arrived->status.bytes : request->bytes);
        end_filled(request, fits ? HAYATE_OK : HAYATE_ERR_TRUNCATE);
    }
    free(arrived);
}

void hy_match_receive(hy_tag_request *request)
{
    hy_tagged *tagged = request->tagged;
    hy_tag_stream *stream = &tagged->streams[request->member];
    hy_arrived *found = hy_match_find(tagged, stream, request->tag, true);
    if (found) {
        hy_match_fill(request, found);
        return;
    }
    request->number = hy_load_acquire(&tagged->posts);
    hy_store_release(&request->state, HY_TAG_POSTED);
    hy_tag_append(&stream->posted, request);
    count(&stream->waiting, 1);
    hy_worklist_wake(&tagged->job->background);
}

void hy_match_receive_any(hy_tag_request *request)
{
    hy_tagged *tagged = request->tagged;
    uint32_t first = hy_load_relaxed(&tagged->next_member), size = (uint32_t)tagged->size;
    pthread_mutex_lock(&tagged->lock);
    request->number = hy_load_relaxed(&tagged->posts) + 1;
    hy_store_release(&request->state, HY_TAG_POSTED);
    hy_tag_append(&tagged->any, request);
    count(&tagged->wildcards, 1);
    hy_store_release(&tagged->posts, request->number);
    pthread_mutex_unlock(&tagged->lock);
    hy_worklist_wake(&tagged->job->background);
    for (uint32_t i = 0; i < size && hy_load_acquire(&request->state) == HY_TAG_POSTED; i++) {
        uint32_t source = (first + i) % size;
        hy_tag_stream *stream = &tagged->streams[source];
        hy_half_own(&stream->receive_busy);
        catch_up(tagged, stream);
        hy_busy_leave(&stream->receive_busy);
        if (hy_load_acquire(&request->state) != HY_TAG_POSTED)
            hy_store_relaxed(&tagged->next_member, source + 1);
    }
}

bool hy_match_withdraw(hy_tag_request *request)
{
    hy_tagged *tagged = request->tagged;
    bool there;
    if (request->member == HY_ANY_MEMBER) {
        pthread_mutex_lock(&tagged->lock);
        there = unpost(&tagged->any, request, &tagged->wildcards);
        pthread_mutex_unlock(&tagged->lock);
        return there;
    }
    hy_tag_stream *stream = &tagged->streams[request->member];
    hy_half_own(&stream->receive_busy);
    there = unpost(&stream->posted, request, &stream->waiting);
    hy_busy_leave(&stream->receive_busy);
    return there;
}

/* Rare: it looks at all streams with the rank. Those that were announced and are still in a channel
 * are taken out first. */
bool hy_match_forget(hy_tags *tags, int peer, uint64_t sender)
{
    hy_arrived *found = NULL;
    int rc;
    if (sender == HY_TAG_AT_ONCE) return false; /* no request has this name */
    for (hy_tagged *tagged = hy_load_acquire(&tags->all); tagged && !found; tagged = tagged->next) {
        if (!hy_tagged_enter(tagged)) continue;
        for (int member = 0; member < tagged->size && !found; member++) {
            hy_tag_stream *stream = &tagged->streams[member];
            if (hy_tagged_peer(tagged, member) != peer) continue;
            if (!hy_tag_stream_channel(tagged, member, &rc)) continue;
            hy_half_own(&stream->receive_busy);
            hy_tag_stream_match(tagged, stream);
            hy_arrived **link = &stream->arrived;
            while (*link && (*link)->sender != sender) link = &(*link)->next;
            if (*link) found = take_arrived(tagged, stream, link);
            hy_busy_leave(&stream->receive_busy);
        }
        hy_tagged_leave(tagged);
    }
    free(found);
    return found != NULL;
}
