/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sends. A short message is posted into its stream, without a request and without a lock of the
 * communicator. One that finds no room, is long, or is to wait for its receive, becomes a request.
 */
#include <stdlib.h>

#include "job/progress.h"
#include "tagged/state.h"

static int check_target(const hy_tagged *tagged, int member, int tag)
{
    if (hy_unlikely((unsigned)member >= (unsigned)tagged->size))
        return hy_fail(HAYATE_ERR_ARGUMENT, "rank %d: expected 0 to %d", member, tagged->size - 1);
    if (hy_unlikely(tag < 0))
        return hy_fail(HAYATE_ERR_ARGUMENT, "tag %d: expected 0 to %d", tag, INT32_MAX);
    return HAYATE_OK;
}

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

/* Owner of the sending half: a request that is posted, announced or unsent afterwards. */
static void queue_send(hy_tagged *tagged, hy_tag_stream *stream, hy_tag_request *request)
{
    hy_store_release(&request->state, HY_TAG_UNSENT);
    hy_tag_append(&stream->unsent, request);
    hy_tag_stream_flush(tagged, stream);
    hy_worklist_wake(&tagged->job->background);
}

static int start_send(hy_tagged *tagged, hy_tag_request *request)
{
    hy_tag_stream *stream = &tagged->streams[request->member];
    int rc = own_sending(tagged, stream, request->member);
    if (rc) {
        hy_tag_request_end(request, rc);
        return rc;
    }
    queue_send(tagged, stream, request);
    hy_busy_leave(&stream->busy);
    return HAYATE_OK;
}

/* Owner of the sending half: posts it now; IN_PROGRESS: there is no room, or it is long. */
static int post_now(hy_tagged *tagged, hy_tag_stream *stream, const hy_buffer *buffer,
                    uint64_t bytes, int tag, bool blocking)
{
    if (!hy_tag_stream_flush(tagged, stream) || hy_tag_stream_is_long(tagged, stream, bytes))
        return HAYATE_IN_PROGRESS;
    return hy_tag_stream_post(tagged, stream, buffer, bytes, tag, 0, blocking);
}

static int try_send(hy_tagged *tagged, const hy_buffer *buffer, uint64_t bytes, int member, int tag,
                    bool blocking)
{
    hy_tag_stream *stream = &tagged->streams[member];
    int rc = own_sending(tagged, stream, member);
    if (rc) return rc;
    rc = post_now(tagged, stream, buffer, bytes, tag, blocking);
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
    return hy_tag_wait(tagged->tags, hy_tag_request_name(request), &status);
}

static int send_slow(hy_tagged *tagged, hy_buffer buffer, uint64_t bytes, int member, int tag,
                     hy_tag_mode mode) __attribute__((noinline));
static int send_slow(hy_tagged *tagged, hy_buffer buffer, uint64_t bytes, int member, int tag,
                     hy_tag_mode mode)
{
    int rc = check_target(tagged, member, tag);
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
        atomic_fetch_add(&tagged->senders, 1);
        hy_worklist_wake(&tagged->job->background);
        rc = hy_job_await(&(hy_await){.job = tagged->job,
                                      .step = step_send,
                                      .idle = idle_send,
                                      .tell = tell_send,
                                      .context = &s,
                                      .poll = hy_progress});
        atomic_fetch_sub(&tagged->senders, 1);
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
    int rc = check_target(tagged, member, tag);
    if (rc) return rc;
    hy_tag_stream *stream = &tagged->streams[member];
    rc = own_sending(tagged, stream, member);
    if (rc) return rc;
    rc = HAYATE_IN_PROGRESS;
    if (mode == HY_TAG_STANDARD) rc = post_now(tagged, stream, &buffer, bytes, tag, false);
    hy_channel_expect_to_post(hy_load_relaxed(&stream->channel));
    if (rc == HAYATE_IN_PROGRESS) {
        hy_tag_request *request = hy_tag_request_take(tagged, &buffer, bytes, member, tag, true);
        rc = request ? HAYATE_OK : HAYATE_ERR_NO_MEMORY;
        if (request) request->is_long = mode == HY_TAG_SYNCHRONOUS;
        if (request) *name = hy_tag_request_name(request);
        if (request) queue_send(tagged, stream, request);
    }
    hy_busy_leave(&stream->busy);
    return rc;
}

int hy_tagged_bsend(hy_tagged *tagged, hy_buffer buffer, uint64_t bytes, int member, int tag)
{
    int rc = check_target(tagged, member, tag);
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
