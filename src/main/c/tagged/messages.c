/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The calls. A blocking call for a short message needs no request and no lock: a send posts it, and
 * a receive takes it out of the channel, as long as no other receive and no other message of its
 * stream is in between. All else is a request.
 */
#include <stdlib.h>

#include "job/progress.h"
#include "tagged/state.h"

static int check(const hy_tagged *tagged, int member, int tag, bool receives)
{
    int least = receives ? HY_ANY_MEMBER : 0;
    if (hy_unlikely(member < least || member >= tagged->size))
        return hy_fail(HAYATE_ERR_ARGUMENT, "rank %d: expected %d to %d", member, least,
                       tagged->size - 1);
    if (hy_unlikely(tag < (receives ? HY_ANY_TAG : 0)))
        return hy_fail(HAYATE_ERR_ARGUMENT, "tag %d: expected 0 to %d", tag, INT32_MAX);
    return HAYATE_OK;
}

/* ---- sends ---- */

/* Owns the sending half of an open stream, whose channel exists. */
static inline int own_sending(hy_tagged *tagged, hy_tag_stream *stream, int member)
{
    int rc = HAYATE_OK;
    hy_half_own(&stream->busy);
    rc = hy_tagged_check(tagged);
    if (hy_unlikely(!rc && !hy_load_relaxed(&stream->channel)))
        hy_tag_stream_open(tagged, member, &rc);
    if (hy_unlikely(rc)) hy_busy_leave(&stream->busy);
    return rc;
}

typedef struct sending {
    hy_tagged *tagged;
    hy_tag_stream *stream;
    const hy_buffer *buffer;
    uint64_t bytes;
    int member, tag;
    bool is_long;
} sending;

/* Behind what is unsent. */
static int step_send(void *context)
{
    sending *s = context;
    int rc = own_sending(s->tagged, s->stream, s->member);
    if (rc) return rc;
    rc = HAYATE_IN_PROGRESS;
    if (hy_tag_stream_flush(s->tagged, s->stream)) {
        s->is_long = hy_tag_stream_is_long(s->tagged, s->stream, s->bytes);
        rc = s->is_long
                 ? HAYATE_OK
                 : hy_tag_stream_post(s->tagged, s->stream, s->buffer, s->bytes, s->tag, 0, true);
    }
    hy_busy_leave(&s->stream->busy);
    return rc;
}

static int idle_send(void *context)
{
    const sending *s = context;
    hy_progress(s->tagged->job);
    return hy_tagged_check_peer(s->tagged, hy_tagged_peer(s->tagged, s->member));
}

static void tell_send(const void *context, hy_awaited *awaited)
{
    const sending *s = context;
    awaited->kind = HY_AWAITED_SEND;
    awaited->what = HY_AWAITED_BY_TAG;
    awaited->peer = hy_tagged_peer(s->tagged, s->member);
    awaited->place = s->tag;
    awaited->bytes = s->bytes;
}

/* A request that is posted, announced or unsent. */
static int start_send(hy_tagged *tagged, hy_tag_request *request)
{
    hy_tag_stream *stream = &tagged->streams[request->member];
    int rc = own_sending(tagged, stream, request->member);
    if (rc) {
        hy_tag_request_end(request, rc);
        return rc;
    }
    hy_store_release(&request->state, HY_TAG_UNSENT);
    hy_tagged_begin(tagged);
    hy_tag_append(&stream->unsent, request);
    hy_tag_stream_flush(tagged, stream);
    hy_busy_leave(&stream->busy);
    return HAYATE_OK;
}

static int wait_for(hy_tagged *tagged, const hy_tag_request *request, hy_tag_status *status)
{
    return hy_tag_wait(tagged->tags, hy_tag_request_name(request), status);
}

/* Posts it now; IN_PROGRESS: there is no room, or it is long. */
static int try_send(hy_tagged *tagged, const hy_buffer *buffer, uint64_t bytes, int member, int tag,
                    bool blocking)
{
    hy_tag_stream *stream = &tagged->streams[member];
    int rc = own_sending(tagged, stream, member);
    if (rc) return rc;
    rc = HAYATE_IN_PROGRESS;
    if (hy_tag_stream_flush(tagged, stream) && !hy_tag_stream_is_long(tagged, stream, bytes))
        rc = hy_tag_stream_post(tagged, stream, buffer, bytes, tag, 0, blocking);
    hy_busy_leave(&stream->busy);
    return rc;
}

static int send_long(hy_tagged *tagged, const hy_buffer *buffer, uint64_t bytes, int member,
                     int tag)
{
    hy_tag_status status;
    hy_tag_request *request = hy_tag_request_take(tagged, buffer, bytes, member, tag, true);
    if (!request) return HAYATE_ERR_NO_MEMORY;
    request->is_long = true;
    start_send(tagged, request);
    return wait_for(tagged, request, &status);
}

static int send_slow(hy_tagged *tagged, hy_buffer buffer, uint64_t bytes, int member, int tag,
                     hy_tag_mode mode) __attribute__((noinline));
static int send_slow(hy_tagged *tagged, hy_buffer buffer, uint64_t bytes, int member, int tag,
                     hy_tag_mode mode)
{
    int rc = check(tagged, member, tag, false);
    if (!rc) rc = HAYATE_IN_PROGRESS;
    if (rc == HAYATE_IN_PROGRESS && mode == HY_TAG_STANDARD)
        rc = try_send(tagged, &buffer, bytes, member, tag, true);
    if (rc != HAYATE_IN_PROGRESS) return rc;
    if (!hy_tagged_enter(tagged)) return hy_tagged_fail_closed();
    if (bytes > tagged->eager_limit) /* a shorter one would be complete before it is received */
        rc = hy_transfer_send_at_once(tagged, &tagged->streams[member], &buffer, bytes, member,
                                      tag);
    if (rc != HAYATE_IN_PROGRESS) {
        hy_tagged_leave(tagged);
        return rc;
    }
    rc = HAYATE_OK;
    sending s = {tagged, &tagged->streams[member], &buffer, bytes, member, tag, false};
    if (mode != HY_TAG_SYNCHRONOUS) {
        hy_tagged_begin(tagged);
        rc = hy_job_await(&(hy_await){.job = tagged->job,
                                      .step = step_send,
                                      .idle = idle_send,
                                      .tell = tell_send,
                                      .context = &s,
                                      .poll = hy_progress});
        hy_tagged_end(tagged);
    }
    if (!rc && (s.is_long || mode == HY_TAG_SYNCHRONOUS))
        rc = send_long(tagged, &buffer, bytes, member, tag);
    hy_tagged_leave(tagged);
    return rc;
}

int hy_tagged_send(hy_tagged *tagged, hy_buffer buffer, uint64_t bytes, int member, int tag,
                   hy_tag_mode mode)
{
    if (hy_unlikely(bytes > HY_TAG_LINES_BYTES || (unsigned)member >= (unsigned)tagged->size ||
                    tag < 0 || mode != HY_TAG_STANDARD || !buffer.address))
        return send_slow(tagged, buffer, bytes, member, tag, mode);
    hy_tag_stream *stream = &tagged->streams[member];
    if (hy_unlikely(!hy_busy_take(&stream->busy)))
        return send_slow(tagged, buffer, bytes, member, tag, mode);
    hy_channel *channel = hy_load_relaxed(&stream->channel);
    if (hy_unlikely(hy_tagged_is_closed(tagged) || !channel || hy_tag_first(&stream->unsent) ||
                    !hy_tag_stream_may_keep(stream, bytes) ||
                    !hy_channel_room_for(channel, hy_slots_of(bytes + HY_TAG_WORD_BYTES)))) {
        hy_busy_leave(&stream->busy);
        return send_slow(tagged, buffer, bytes, member, tag, mode);
    }
    if (hy_likely(bytes <= HY_TAG_SLOT_BYTES))
        hy_channel_post_tagged(channel, HY_KIND_INLINE, hy_tag_word(tag, false), buffer.address,
                               bytes);
    else hy_channel_post_tagged_lines(channel, hy_tag_word(tag, false), buffer.address, bytes);
    stream->charged += bytes + HY_TAG_COST;
    hy_count_message(tagged->job->counters, HY_COUNT_SENT, bytes);
    hy_busy_leave(&stream->busy);
    return HAYATE_OK;
}

int hy_tagged_isend(hy_tagged *tagged, hy_buffer buffer, uint64_t bytes, int member, int tag,
                    hy_tag_mode mode, uint64_t *name)
{
    *name = 0;
    int rc = check(tagged, member, tag, false);
    if (rc) return rc;
    rc = HAYATE_IN_PROGRESS;
    if (mode == HY_TAG_STANDARD) rc = try_send(tagged, &buffer, bytes, member, tag, false);
    if (rc != HAYATE_IN_PROGRESS) return rc;
    hy_tag_request *request = hy_tag_request_take(tagged, &buffer, bytes, member, tag, true);
    if (!request) return HAYATE_ERR_NO_MEMORY;
    request->is_long = mode == HY_TAG_SYNCHRONOUS;
    *name = hy_tag_request_name(request);
    start_send(tagged, request);
    return HAYATE_OK;
}

int hy_tagged_bsend(hy_tagged *tagged, hy_buffer buffer, uint64_t bytes, int member, int tag)
{
    int rc = check(tagged, member, tag, false);
    if (!rc) rc = try_send(tagged, &buffer, bytes, member, tag, false);
    if (rc != HAYATE_IN_PROGRESS) return rc;
    uint8_t *copy = malloc(bytes + 1);
    if (!copy) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a buffered message");
    hy_buffer_read(&buffer, 0, copy, bytes);
    hy_tag_request *request = hy_tag_request_take(tagged, &(hy_buffer){.address = copy}, bytes,
                                                  member, tag, true);
    if (!request) {
        free(copy);
        return HAYATE_ERR_NO_MEMORY;
    }
    request->owned = request->detached = true;
    atomic_fetch_add(&tagged->tags->buffered, bytes);
    start_send(tagged, request);
    return HAYATE_OK;
}

/* ---- receives ---- */

typedef struct receiving {
    hy_tagged *tagged;
    hy_buffer *buffer;
    uint64_t bytes;
    int member, tag;
    hy_tag_status *status;
    uint64_t sender; /* of a long message that has been matched */
    bool must_post;
} receiving;

/* Takes the next message of the stream, if it is for this receive. IN_PROGRESS: none has come, or
 * it is to be posted. */
static inline int take_next(receiving *r, hy_tag_stream *stream, int member)
{
    hy_tagged *tagged = r->tagged;
    hy_arrival a;
    int rc = hy_tag_stream_look(stream, &a);
    if (rc) return rc;
    if (hy_unlikely(!hy_tag_matches(r->tag, hy_arrival_tag(&a)))) {
        r->must_post = true;
        return HAYATE_IN_PROGRESS;
    }
    *r->status = (hy_tag_status){a.bytes, member, hy_arrival_tag(&a), NULL};
    if (hy_unlikely(a.sender)) {
        r->sender = a.sender;
        hy_tag_stream_take(stream, &a);
        hy_tag_stream_settle(tagged, stream);
        return HAYATE_OK;
    }
    rc = hy_tag_stream_deliver(tagged, stream, &a, r->buffer, r->bytes);
    hy_tag_stream_pass(tagged, stream, a.bytes);
    return rc;
}

/* Only while no other receive of the stream waits, and no message. */
static inline int receive_from(receiving *r, int member)
{
    hy_tagged *tagged = r->tagged;
    hy_tag_stream *stream = &tagged->streams[member];
    if (hy_unlikely(!hy_busy_take(&stream->receive_busy))) {
        r->must_post = true;
        return HAYATE_IN_PROGRESS;
    }
    int rc = hy_tagged_check(tagged);
    if (hy_unlikely(!rc && !hy_load_relaxed(&stream->channel)))
        hy_tag_stream_open(tagged, member, &rc);
    if (hy_likely(!rc)) {
        r->must_post = !hy_tag_stream_is_quiet(tagged, stream);
        rc = hy_unlikely(r->must_post) ? HAYATE_IN_PROGRESS : take_next(r, stream, member);
    }
    hy_busy_leave(&stream->receive_busy);
    return rc;
}

static int receive_any(receiving *r)
{
    hy_tagged *tagged = r->tagged;
    uint32_t first = hy_load_relaxed(&tagged->next_member);
    uint64_t head;
    int rc;
    if (hy_load_acquire(&tagged->arrived) || hy_load_acquire(&tagged->wildcards)) {
        r->must_post = true;
        return HAYATE_IN_PROGRESS;
    }
    int member = (int)(first % (uint32_t)tagged->size);
    for (int i = 0; i < tagged->size && !r->must_post; i++) {
        hy_channel *channel = hy_tag_stream_channel(tagged, member, &rc);
        if (!channel) return rc;
        if (hy_channel_peek(channel, &head)) {
            rc = receive_from(r, member);
            if (rc != HAYATE_IN_PROGRESS) {
                hy_store_relaxed(&tagged->next_member, (uint32_t)member + 1);
                return rc;
            }
        }
        if (++member == tagged->size) member = 0;
    }
    return HAYATE_IN_PROGRESS;
}

static int step_receive(void *context)
{
    receiving *r = context;
    int rc = r->member == HY_ANY_MEMBER ? receive_any(r) : receive_from(r, r->member);
    return r->must_post ? HAYATE_OK : rc;
}

static int idle_receive(void *context)
{
    const receiving *r = context;
    hy_progress(r->tagged->job);
    if (hy_load_relaxed(&r->tagged->closed)) return hy_tagged_fail_closed();
    return hy_tagged_check_peer(
        r->tagged, r->member == HY_ANY_MEMBER ? -1 : hy_tagged_peer(r->tagged, r->member));
}

static void tell_receive(const void *context, hy_awaited *awaited)
{
    const receiving *r = context;
    awaited->kind = HY_AWAITED_RECEIVE;
    awaited->what = HY_AWAITED_BY_TAG;
    awaited->peer = r->member == HY_ANY_MEMBER ? -1 : hy_tagged_peer(r->tagged, r->member);
    awaited->place = r->tag;
    awaited->bytes = r->bytes;
}

static int fail_truncated(const hy_tag_status *status, uint64_t bytes)
{
    hy_fail(HAYATE_ERR_TRUNCATE,
            "the message with tag %d has %llu bytes, the receive %llu: its beginning was received, "
            "the rest is lost",
            status->tag, (unsigned long long)status->bytes, (unsigned long long)bytes);
    hy_fail_length(status->bytes);
    return HAYATE_ERR_TRUNCATE;
}

/* As a request: what was matched already, or what is to be posted. */
static int receive_request(receiving *r)
{
    hy_tag_request *request = hy_tag_request_take(r->tagged, r->buffer, r->bytes, r->member, r->tag,
                                                  false);
    if (!request) return HAYATE_ERR_NO_MEMORY;
    if (r->sender) {
        request->status = *r->status;
        hy_transfer_receive(request, r->status->member, r->sender, r->status->bytes);
    } else {
        hy_match_receive(request);
    }
    return wait_for(r->tagged, request, r->status);
}

/* What was announced is received at once, if it was sent so, and fits. */
static int receive_long(receiving *r)
{
    int rc = HAYATE_IN_PROGRESS, peer = hy_tagged_peer(r->tagged, r->status->member);
    if (r->sender == HY_TAG_AT_ONCE && r->status->bytes <= r->bytes)
        rc = hy_transfer_recv_at_once(r->tagged->tags, peer, r->buffer, r->status->bytes);
    return rc == HAYATE_IN_PROGRESS ? receive_request(r) : rc;
}

static int receive_slow(hy_tagged *tagged, hy_buffer buffer, uint64_t bytes, int member, int tag,
                        hy_tag_status *status) __attribute__((noinline));
static int receive_slow(hy_tagged *tagged, hy_buffer buffer, uint64_t bytes, int member, int tag,
                        hy_tag_status *status)
{
    receiving r = {tagged, &buffer, bytes, member, tag, status, 0, false};
    int rc = check(tagged, member, tag, true);
    if (rc) return rc;
    if (!hy_tagged_enter(tagged)) return hy_tagged_fail_closed();
    rc = hy_job_await(&(hy_await){.job = tagged->job,
                                  .step = step_receive,
                                  .idle = idle_receive,
                                  .tell = tell_receive,
                                  .context = &r,
                                  .poll = hy_progress});
    if (!rc && r.must_post) rc = receive_request(&r);
    else if (!rc && r.sender) rc = receive_long(&r);
    else if (rc == HAYATE_ERR_TRUNCATE) fail_truncated(status, bytes);
    hy_tagged_leave(tagged);
    return rc;
}

/* A message in one slot with this tag that fits. */
static inline bool is_plain(uint64_t head, uint64_t word, uint64_t bytes, int tag)
{
    size_t len = hy_head_len(head);
    return hy_head_kind(head) == HY_KIND_INLINE && len >= HY_TAG_WORD_BYTES &&
           len <= HY_SLOT_PAYLOAD && len - HY_TAG_WORD_BYTES <= bytes && word <= INT32_MAX &&
           hy_tag_matches(tag, (int)word);
}

/* The brief looks before a wait; NULL: it takes longer. */
static inline hy_slot *await_slot(const hy_tagged *tagged, hy_channel *channel, uint64_t *head)
{
    hy_slot *slot = hy_channel_peek(channel, head);
    if (hy_likely(slot || hy_worklist_is_pending(&tagged->job->background))) return slot;
    uint32_t spins = tagged->tags->spins;
    for (uint32_t i = 0; !slot && i < spins; i++) {
        hy_channel_expect(channel);
        hy_pause();
        slot = hy_channel_peek(channel, head);
    }
    return slot;
}

/* Owner of the receiving half: IN_PROGRESS: it takes longer, or is not for this call alone. */
static inline int receive_soon(receiving *r, hy_tag_stream *stream, int member)
    __attribute__((always_inline));
static inline int receive_soon(receiving *r, hy_tag_stream *stream, int member)
{
    hy_tagged *tagged = r->tagged;
    hy_channel *channel = hy_load_relaxed(&stream->channel);
    uint64_t head, word;
    if (hy_unlikely(!channel || hy_tagged_is_closed(tagged) ||
                    !hy_tag_stream_is_quiet(tagged, stream)))
        return HAYATE_IN_PROGRESS;
    const hy_slot *slot = await_slot(tagged, channel, &head);
    if (hy_unlikely(!slot)) return HAYATE_IN_PROGRESS;
    hy_copy_once(&word, slot->payload, sizeof word);
    if (hy_unlikely(!is_plain(head, word, r->bytes, r->tag) || !r->buffer->address))
        return take_next(r, stream, member);
    size_t len = hy_head_len(head) - HY_TAG_WORD_BYTES;
    hy_copy_slot(r->buffer->address, slot->payload + HY_TAG_WORD_BYTES, len);
    hy_channel_take(channel, head);
    hy_tag_stream_pass(tagged, stream, len);
    hy_count_message(tagged->job->counters, HY_COUNT_RECEIVED, len);
    *r->status = (hy_tag_status){len, member, (int32_t)word, NULL};
    return HAYATE_OK;
}

/* What was taken out of the channel and is no short message that has fit. */
static int receive_rest(receiving *r, int rc)
{
    if (rc == HAYATE_ERR_TRUNCATE) return fail_truncated(r->status, r->bytes);
    if (rc) return rc;
    if (!hy_tagged_enter(r->tagged)) return hy_tagged_fail_closed();
    rc = receive_long(r);
    hy_tagged_leave(r->tagged);
    return rc;
}

/* Looks again if the first looks were none because of background work. Most often, only the mark of
 * an earlier wait is left. No half is owned meanwhile: a step may call the program. */
static int receive_later(hy_tagged *tagged, hy_buffer buffer, uint64_t bytes, int member, int tag,
                         hy_tag_status *status) __attribute__((noinline));
static int receive_later(hy_tagged *tagged, hy_buffer buffer, uint64_t bytes, int member, int tag,
                         hy_tag_status *status)
{
    hy_tag_stream *stream = &tagged->streams[member];
    receiving r = {tagged, &buffer, bytes, member, tag, status, 0, false};
    int rc = HAYATE_IN_PROGRESS;
    bool pending = hy_worklist_is_pending(&tagged->job->background);
    if (pending) hy_progress(tagged->job);
    if (pending && hy_busy_take(&stream->receive_busy)) {
        rc = receive_soon(&r, stream, member);
        hy_busy_leave(&stream->receive_busy);
    }
    if (rc == HAYATE_IN_PROGRESS) return receive_slow(tagged, buffer, bytes, member, tag, status);
    return rc == HAYATE_OK && !r.sender ? HAYATE_OK : receive_rest(&r, rc);
}

int hy_tagged_recv(hy_tagged *tagged, hy_buffer buffer, uint64_t bytes, int member, int tag,
                   hy_tag_status *status)
{
    if (hy_unlikely((unsigned)member >= (unsigned)tagged->size || tag < HY_ANY_TAG))
        return receive_slow(tagged, buffer, bytes, member, tag, status);
    hy_tag_stream *stream = &tagged->streams[member];
    receiving r = {tagged, &buffer, bytes, member, tag, status, 0, false};
    if (hy_unlikely(!hy_busy_take(&stream->receive_busy)))
        return receive_slow(tagged, buffer, bytes, member, tag, status);
    int rc = receive_soon(&r, stream, member);
    hy_busy_leave(&stream->receive_busy);
    if (hy_likely(rc == HAYATE_OK && !r.sender)) return HAYATE_OK;
    if (rc == HAYATE_IN_PROGRESS) return receive_later(tagged, buffer, bytes, member, tag, status);
    return receive_rest(&r, rc);
}

int hy_tagged_irecv(hy_tagged *tagged, hy_buffer buffer, uint64_t bytes, int member, int tag,
                    hy_tag_status *status, uint64_t *name)
{
    *name = 0;
    int rc = check(tagged, member, tag, true);
    if (!rc) rc = hy_tagged_check(tagged);
    if (rc) return rc;
    if (!hy_tagged_enter(tagged)) return hy_tagged_fail_closed();
    receiving r = {tagged, &buffer, bytes, member, tag, status, 0, false};
    rc = member == HY_ANY_MEMBER ? receive_any(&r) : receive_from(&r, member);
    if (rc == HAYATE_ERR_TRUNCATE) fail_truncated(status, bytes);
    if (rc == HAYATE_IN_PROGRESS || (!rc && r.sender)) {
        hy_tag_request *request = hy_tag_request_take(tagged, &buffer, bytes, member, tag, false);
        rc = request ? HAYATE_OK : HAYATE_ERR_NO_MEMORY;
        if (request) *name = hy_tag_request_name(request);
        if (request && r.sender) {
            request->status = *status;
            hy_transfer_receive(request, status->member, r.sender, status->bytes);
        } else if (request) {
            hy_match_receive(request);
        }
    }
    hy_tagged_leave(tagged);
    return rc;
}

int hy_tagged_irecv_new(hy_tagged *tagged, int member, int tag, uint64_t *name)
{
    int rc = check(tagged, member, tag, true);
    if (!rc) rc = hy_tagged_check(tagged);
    if (rc) return rc;
    if (!hy_tagged_enter(tagged)) return hy_tagged_fail_closed();
    hy_tag_request *request = hy_tag_request_take(tagged, &(hy_buffer){.address = NULL}, 0, member,
                                                  tag, false);
    if (request) {
        request->grows = true;
        *name = hy_tag_request_name(request);
        hy_match_receive(request);
    }
    hy_tagged_leave(tagged);
    return request ? HAYATE_OK : HAYATE_ERR_NO_MEMORY;
}
