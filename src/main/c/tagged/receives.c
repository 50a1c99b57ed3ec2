/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Receives. One takes its short message out of the stream, without a request and without a lock of
 * the communicator, as long as no other receive and no other message of the stream is in between.
 * All else becomes a request.
 */
#include "job/progress.h"
#include "tagged/state.h"

static int check_source(const hy_tagged *tagged, int member, int tag)
{
    if (hy_unlikely(member < HY_ANY_MEMBER || member >= tagged->size))
        return hy_fail(HAYATE_ERR_ARGUMENT, "rank %d: expected %d to %d", member, HY_ANY_MEMBER,
                       tagged->size - 1);
    if (hy_unlikely(tag < HY_ANY_TAG))
        return hy_fail(HAYATE_ERR_ARGUMENT, "tag %d: expected %d to %d", tag, HY_ANY_TAG,
                       INT32_MAX);
    return HAYATE_OK;
}

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
        return HAYATE_OK;
    }
    rc = hy_tag_stream_deliver(tagged, stream, &a, r->buffer, r->bytes);
    hy_tag_stream_pass(tagged, stream, a.bytes);
    return rc;
}

/* Owner of the receiving half. Only while no other receive of the stream waits, and no message. */
static inline int receive_now(receiving *r, hy_tag_stream *stream, int member)
{
    int rc = hy_tagged_check(r->tagged);
    if (hy_unlikely(!rc && !hy_load_relaxed(&stream->channel)))
        hy_tag_stream_open(r->tagged, member, &rc);
    if (hy_unlikely(rc)) return rc;
    if (hy_tag_first(&stream->posted)) hy_tag_stream_serve(r->tagged, stream);
    r->must_post = !hy_tag_stream_is_quiet(r->tagged, stream);
    return r->must_post ? HAYATE_IN_PROGRESS : take_next(r, stream, member);
}

static inline int receive_from(receiving *r, int member)
{
    hy_tag_stream *stream = &r->tagged->streams[member];
    if (hy_unlikely(!hy_busy_take(&stream->receive_busy))) {
        r->must_post = true;
        return HAYATE_IN_PROGRESS;
    }
    int rc = receive_now(r, stream, member);
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

/* Who is inside. */
static void post(hy_tag_request *request)
{
    if (request->member == HY_ANY_MEMBER) {
        hy_match_receive_any(request);
        return;
    }
    hy_tag_stream *stream = &request->tagged->streams[request->member];
    hy_half_own(&stream->receive_busy);
    hy_match_receive(request);
    hy_busy_leave(&stream->receive_busy);
}

/* A request for what is matched already, or is to be posted. */
static hy_tag_request *request_of(const receiving *r)
{
    hy_tag_request *request = hy_tag_request_take(r->tagged, r->buffer, r->bytes, r->member, r->tag,
                                                  false);
    if (!request || !r->sender) return request;
    request->status = *r->status;
    hy_transfer_receive(request, r->status->member, r->sender, r->status->bytes);
    return request;
}

static int receive_request(receiving *r)
{
    hy_tag_request *request = request_of(r);
    if (!request) return HAYATE_ERR_NO_MEMORY;
    if (!r->sender) post(request);
    return hy_tag_wait(r->tagged->tags, hy_tag_request_name(request), r->status);
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
    int rc = check_source(tagged, member, tag);
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

/* Whether what was received, or not, leaves a request, and which. */
static int request_if_needed(const receiving *r, int rc, hy_tag_request **request)
{
    *request = NULL;
    if (rc != HAYATE_IN_PROGRESS && (rc || !r->sender)) return rc;
    *request = request_of(r);
    return *request ? HAYATE_OK : HAYATE_ERR_NO_MEMORY;
}

static int begin_from(receiving *r, uint64_t *name)
{
    hy_tag_request *request;
    hy_tag_stream *stream = &r->tagged->streams[r->member];
    hy_half_own(&stream->receive_busy);
    int rc = request_if_needed(r, receive_now(r, stream, r->member), &request);
    if (request) *name = hy_tag_request_name(request);
    if (request && !r->sender) hy_match_receive(request);
    hy_busy_leave(&stream->receive_busy);
    return rc;
}

static int begin_any(receiving *r, uint64_t *name)
{
    hy_tag_request *request;
    if (!hy_tagged_enter(r->tagged)) return hy_tagged_fail_closed();
    int rc = hy_tagged_check(r->tagged);
    if (!rc) rc = request_if_needed(r, receive_any(r), &request);
    if (!rc && request) *name = hy_tag_request_name(request);
    if (!rc && request && !r->sender) hy_match_receive_any(request);
    hy_tagged_leave(r->tagged);
    return rc;
}

int hy_tagged_irecv(hy_tagged *tagged, hy_buffer buffer, uint64_t bytes, int member, int tag,
                    hy_tag_status *status, uint64_t *name)
{
    *name = 0;
    int rc = check_source(tagged, member, tag);
    if (rc) return rc;
    receiving r = {tagged, &buffer, bytes, member, tag, status, 0, false};
    rc = member == HY_ANY_MEMBER ? begin_any(&r, name) : begin_from(&r, name);
    if (rc == HAYATE_ERR_TRUNCATE) fail_truncated(status, bytes);
    return rc;
}

int hy_tagged_irecv_new(hy_tagged *tagged, int member, int tag, uint64_t *name)
{
    int rc = check_source(tagged, member, tag);
    if (!rc) rc = hy_tagged_check(tagged);
    if (rc) return rc;
    if (!hy_tagged_enter(tagged)) return hy_tagged_fail_closed();
    hy_tag_request *request = hy_tag_request_take(tagged, &(hy_buffer){.address = NULL}, 0, member,
                                                  tag, false);
    if (request) {
        request->grows = true;
        *name = hy_tag_request_name(request);
        post(request);
    }
    hy_tagged_leave(tagged);
    return request ? HAYATE_OK : HAYATE_ERR_NO_MEMORY;
}
