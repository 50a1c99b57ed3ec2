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

/* The lock. It is then in state MOVES, and the caller's. */
static hy_tag_request *take_receive(hy_tagged *tagged, hy_tag_stream *stream, int tag)
{
    hy_tag_request *request = first_for(&stream->posted, tag), *any = first_for(&tagged->any, tag);
    bool wild = any && (!request || any->number < request->number);
    if (wild) request = any;
    if (!request) return NULL;
    hy_tag_remove(wild ? &tagged->any : &stream->posted, request);
    atomic_fetch_sub(wild ? &tagged->wildcards : &stream->waiting, 1);
    hy_store_release(&request->state, HY_TAG_MOVES);
    hy_tagged_end(tagged);
    return request;
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

/* Between two looks, a call may have posted a receive; no other thread adds a message. */
int hy_match_arrival(hy_tagged *tagged, int member, hy_arrival *a)
{
    hy_tag_stream *stream = &tagged->streams[member];
    int tag = hy_arrival_tag(a);
    pthread_mutex_lock(&tagged->lock);
    hy_tag_request *request = take_receive(tagged, stream, tag);
    pthread_mutex_unlock(&tagged->lock);
    if (request) {
        give_arrival(request, member, stream, a);
        return HAYATE_OK;
    }
    hy_arrived *kept = keep(tagged, member, stream, a);
    if (!kept) return HAYATE_ERR_NO_MEMORY;
    pthread_mutex_lock(&tagged->lock);
    request = take_receive(tagged, stream, tag);
    if (!request) {
        if (stream->arrived) *stream->arrived_end = kept;
        else stream->arrived = kept;
        stream->arrived_end = &kept->next;
        atomic_fetch_add(&stream->waiting, 1);
        atomic_fetch_add(&tagged->arrived, 1);
    }
    pthread_mutex_unlock(&tagged->lock);
    if (!request) return HAYATE_OK;
    if (!kept->sender) hy_tag_stream_pass(tagged, stream, kept->status.bytes);
    hy_match_fill(request, kept);
    return HAYATE_OK;
}

/* The lock. */
static hy_arrived *find_in(hy_tagged *tagged, hy_tag_stream *stream, int tag, bool take)
{
    hy_arrived **link = &stream->arrived, *at;
    while ((at = *link) && !hy_tag_matches(tag, at->status.tag)) link = &at->next;
    if (!at || !take) return at;
    *link = at->next;
    if (!at->next) stream->arrived_end = link;
    atomic_fetch_sub(&stream->waiting, 1);
    atomic_fetch_sub(&tagged->arrived, 1);
    if (!at->sender)
        hy_store_relaxed(&stream->released,
                         hy_load_relaxed(&stream->released) + at->status.bytes + HY_TAG_COST);
    return at;
}

hy_arrived *hy_match_find(hy_tagged *tagged, int member, int tag, bool take)
{
    if (member != HY_ANY_MEMBER) return find_in(tagged, &tagged->streams[member], tag, take);
    if (!hy_load_relaxed(&tagged->arrived)) return NULL;
    uint32_t first = hy_load_relaxed(&tagged->next_member);
    for (int i = 0; i < tagged->size; i++) {
        int source = (int)((first + (uint32_t)i) % (uint32_t)tagged->size);
        hy_arrived *found = find_in(tagged, &tagged->streams[source], tag, take);
        if (!found) continue;
        if (take) hy_store_relaxed(&tagged->next_member, (uint32_t)source + 1);
        return found;
    }
    return NULL;
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

void hy_match_taken(hy_tagged *tagged, const hy_arrived *taken)
{
    hy_tag_stream *stream = &tagged->streams[taken->status.member];
    if (taken->sender || !hy_busy_visit(&stream->receive_busy)) return;
    hy_tag_stream_settle(tagged, stream);
    hy_busy_leave(&stream->receive_busy);
}

void hy_match_receive(hy_tag_request *request)
{
    hy_tagged *tagged = request->tagged;
    bool wild = request->member == HY_ANY_MEMBER;
    pthread_mutex_lock(&tagged->lock);
    hy_arrived *found = hy_match_find(tagged, request->member, request->tag, true);
    if (found) {
        hy_store_release(&request->state, HY_TAG_MOVES);
    } else {
        request->number = tagged->posts++;
        hy_store_release(&request->state, HY_TAG_POSTED);
        hy_tagged_begin(tagged);
        atomic_fetch_add(wild ? &tagged->wildcards : &tagged->streams[request->member].waiting, 1);
        hy_tag_append(wild ? &tagged->any : &tagged->streams[request->member].posted, request);
    }
    pthread_mutex_unlock(&tagged->lock);
    if (!found) return;
    hy_match_taken(tagged, found);
    hy_match_fill(request, found);
}

bool hy_match_withdraw(hy_tag_request *request)
{
    hy_tagged *tagged = request->tagged;
    bool wild = request->member == HY_ANY_MEMBER, there;
    pthread_mutex_lock(&tagged->lock);
    there = hy_tag_remove(wild ? &tagged->any : &tagged->streams[request->member].posted, request);
    if (there) {
        atomic_fetch_sub(wild ? &tagged->wildcards : &tagged->streams[request->member].waiting, 1);
        hy_store_release(&request->state, HY_TAG_MOVES);
        hy_tagged_end(tagged);
    }
    pthread_mutex_unlock(&tagged->lock);
    return there;
}

/* The lock. */
static hy_arrived *take_announced(hy_tagged *tagged, hy_tag_stream *stream, uint64_t sender)
{
    hy_arrived **link = &stream->arrived, *at;
    while ((at = *link) && at->sender != sender) link = &at->next;
    if (!at) return NULL;
    *link = at->next;
    if (!at->next) stream->arrived_end = link;
    atomic_fetch_sub(&stream->waiting, 1);
    atomic_fetch_sub(&tagged->arrived, 1);
    return at;
}

/* Rare: it looks at all streams with the rank. Those that were announced and are still in a channel
 * are taken out first. */
bool hy_match_forget(hy_tags *tags, int peer, uint64_t sender)
{
    hy_arrived *found = NULL;
    if (sender == HY_TAG_AT_ONCE) return false; /* no request has this name */
    for (hy_tagged *tagged = hy_load_acquire(&tags->all); tagged && !found; tagged = tagged->next) {
        if (!hy_tagged_enter(tagged)) continue;
        hy_tag_streams_drain(tagged);
        pthread_mutex_lock(&tagged->lock);
        for (int member = 0; member < tagged->size && !found; member++)
            if (hy_tagged_peer(tagged, member) == peer)
                found = take_announced(tagged, &tagged->streams[member], sender);
        pthread_mutex_unlock(&tagged->lock);
        hy_tagged_leave(tagged);
    }
    free(found);
    return found != NULL;
}
