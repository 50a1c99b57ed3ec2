/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two halves of a stream: posts messages into its channel, and takes them out.
 *
 * A message is a word (tag, and whether it announces a long one) and its data: both in slots, or
 * the data in an eager buffer or lent from the sender's heap, with the word in the descriptor. An
 * announcement carries its length and the sender's request.
 */
#include "tagged/state.h"

#define SPINS 64

typedef struct announcement {
    uint64_t bytes, sender;
} announcement;

_Static_assert(sizeof(announcement) <= HY_TAG_SLOT_BYTES, "an announcement is one slot");

/* The receiver writes here how many bytes it has matched: `told` in the sender's entry. */
static _Atomic uint64_t *credit_of(hy_match *match)
{
    return (_Atomic uint64_t *)(void *)match->behind;
}

_Static_assert(offsetof(hy_match, behind) % sizeof(hy_flag) == 0, "is written as a flag");

/* It waits for no peer: another thread copies a short message. */
void hy_half_await(_Atomic uint32_t *busy)
{
    for (int i = 0; !hy_busy_take(busy); i++) {
        if (i < SPINS) hy_pause();
        else sched_yield();
    }
}

hy_channel *hy_tag_stream_open(hy_tagged *tagged, int member, int *rc)
{
    *rc = HAYATE_OK;
    hy_channel *channel = hy_group_channel(tagged->group, tagged->first + member, rc);
    if (channel) hy_store_release(&tagged->streams[member].channel, channel);
    return channel;
}

/* ---- sending ---- */

bool hy_tag_stream_is_long(const hy_tagged *tagged, hy_tag_stream *stream, uint64_t bytes)
{
    if (bytes > tagged->eager_limit) return true;
    if (hy_likely(hy_tag_stream_may_keep(stream, bytes))) return false;
    const hy_channel *channel = hy_load_relaxed(&stream->channel);
    stream->allowed = hy_load_acquire(credit_of(channel->match)) + tagged->window;
    return !hy_tag_stream_may_keep(stream, bytes);
}

static int post_eager(hy_channel *channel, const hy_buffer *buffer, uint64_t bytes, uint64_t word)
{
    uint8_t *eager = hy_channel_eager_buffer(channel);
    if (!eager) return hy_job_alloc_code(channel->job);
    hy_buffer_read(buffer, 0, eager, bytes);
    hy_count(channel->job->counters, HY_COUNT_EAGER, 1);
    return hy_channel_post_eager(channel, bytes, word);
}

/* A call that waits may lend its memory: it does not return before the data are copied. */
static bool lends(hy_channel *channel, const hy_buffer *buffer, uint64_t bytes, bool blocking)
{
    return hy_channel_may_lend(channel, bytes) && blocking && buffer->address &&
           hy_job_heap_offset(channel->job, buffer->address, bytes) != HY_NOT_IN_HEAP;
}

static int post_data(hy_channel *channel, const hy_buffer *buffer, uint64_t bytes, uint64_t word,
                     bool blocking)
{
    uint8_t lines[HY_TAG_LINES_BYTES];
    if (bytes > HY_TAG_LINES_BYTES) {
        if (!lends(channel, buffer, bytes, blocking))
            return post_eager(channel, buffer, bytes, word);
        hy_count(channel->job->counters, HY_COUNT_HEAP, 1);
        return hy_channel_lend(channel, buffer->address, bytes, word);
    }
    const uint8_t *data = buffer->address;
    if (!data) hy_buffer_read(buffer, 0, lines, bytes);
    if (!data) data = lines;
    if (bytes <= HY_TAG_SLOT_BYTES)
        hy_channel_post_tagged(channel, HY_KIND_INLINE, word, data, bytes);
    else hy_channel_post_tagged_lines(channel, word, data, bytes);
    return HAYATE_OK;
}

int hy_tag_stream_post(hy_tagged *tagged, hy_tag_stream *stream, const hy_buffer *buffer,
                       uint64_t bytes, int tag, uint64_t request, bool blocking)
{
    hy_channel *channel = hy_load_relaxed(&stream->channel);
    bool slots = !request && bytes <= HY_TAG_LINES_BYTES;
    if (!hy_channel_room_for(channel, slots ? hy_slots_of(bytes + HY_TAG_WORD_BYTES) : 1))
        return HAYATE_IN_PROGRESS;
    if (request) {
        const announcement told = {bytes, request};
        hy_channel_post_tagged(channel, HY_KIND_INLINE, hy_tag_word(tag, true), &told, sizeof told);
        return HAYATE_OK;
    }
    int rc = post_data(channel, buffer, bytes, hy_tag_word(tag, false), blocking);
    if (rc) return rc;
    stream->charged += bytes + HY_TAG_COST;
    hy_count_message(tagged->tags->job->counters, HY_COUNT_SENT, bytes);
    return HAYATE_OK;
}

bool hy_tag_stream_flush(hy_tagged *tagged, hy_tag_stream *stream)
{
    hy_tag_request *request;
    while ((request = hy_tag_first(&stream->unsent))) {
        if (!request->is_long)
            request->is_long = hy_tag_stream_is_long(tagged, stream, request->bytes);
        uint64_t name = request->is_long ? hy_tag_request_name(request) : 0;
        int peer = hy_tag_request_peer(request);
        hy_tag_request *next = request->next;
        if (name && !hy_channel_room(hy_load_relaxed(&stream->channel))) return false;
        if (name) { /* it may be answered before the post returns */
            hy_transfer_expect(tagged->tags, peer);
            hy_store_release(&request->state, HY_TAG_ANNOUNCED);
        }
        int rc = hy_tag_stream_post(tagged, stream, &request->buffer, request->bytes, request->tag,
                                    name, false);
        if (name && rc) {
            hy_store_release(&request->state, HY_TAG_UNSENT);
            hy_transfer_forget(tagged->tags, peer);
        }
        if (rc == HAYATE_IN_PROGRESS) return false;
        hy_store_release(&stream->unsent.first, next);
        if (!name || rc) hy_tag_request_end(request, rc);
    }
    return true;
}

/* ---- receiving ---- */

static int fail_corrupt(hy_tag_stream *stream, const hy_channel *channel)
{
    stream->broken = hy_fail_peer(HAYATE_ERR_CORRUPT, channel->ep->rank,
                                  "rank %d wrote a message that makes no sense", channel->ep->rank);
    return stream->broken;
}

/* What the peer may change meanwhile is read once. */
static int look_at(hy_tag_stream *stream, hy_channel *channel, hy_arrival *a)
{
    announcement told;
    hy_descriptor descriptor;
    hy_loan loan;
    size_t len = hy_head_len(a->head);
    int rc;
    switch (hy_head_kind(a->head)) {
    case HY_KIND_INLINE:
        if (len < HY_TAG_WORD_BYTES || len > HY_SLOT_PAYLOAD) break;
        hy_copy_once(&a->word, a->slot->payload, sizeof a->word);
        a->bytes = len - HY_TAG_WORD_BYTES;
        if (hy_likely(!(a->word & HY_TAG_ANNOUNCES))) return HAYATE_OK;
        if (a->bytes != sizeof told) break;
        hy_copy_once(&told, a->slot->payload + HY_TAG_WORD_BYTES, sizeof told);
        a->bytes = told.bytes;
        a->sender = told.sender;
        if (!a->sender || a->bytes > INT64_MAX) break;
        return HAYATE_OK;
    case HY_KIND_LINES:
        if (len <= HY_SLOT_PAYLOAD || len > HY_LINES_BYTES) break;
        hy_copy_once(&a->word, a->slot->payload, sizeof a->word);
        a->bytes = len - HY_TAG_WORD_BYTES;
        return HAYATE_OK;
    case HY_KIND_EAGER:
    case HY_KIND_BOUNCE:
        rc = hy_channel_eager_payload(channel, a->slot, a->head, &a->payload, &len);
        if (rc == HAYATE_ERR_CORRUPT) stream->broken = rc;
        if (rc) return rc; /* e.g. no memory for what a remote peer sends: later */
        hy_copy_once(&descriptor, a->slot->payload, sizeof descriptor);
        a->word = descriptor.flags;
        a->bytes = len;
        return HAYATE_OK;
    case HY_KIND_LOAN:
        hy_copy_once(&loan, a->slot->payload, sizeof loan);
        a->word = loan.flags;
        a->payload = hy_channel_loan_source(channel, a->slot, &len, &a->moved);
        if (!a->payload) return stream->broken = HAYATE_ERR_CORRUPT;
        a->bytes = len;
        return HAYATE_OK;
    default: break;
    }
    return fail_corrupt(stream, channel);
}

int hy_tag_stream_look(hy_tag_stream *stream, hy_arrival *a)
{
    hy_channel *channel = hy_load_relaxed(&stream->channel);
    a->slot = hy_channel_peek(channel, &a->head);
    if (!a->slot) return HAYATE_IN_PROGRESS;
    if (hy_unlikely(stream->broken)) return fail_corrupt(stream, channel);
    a->payload = NULL;
    a->sender = 0;
    int rc = look_at(stream, channel, a);
    if (hy_unlikely(!rc && hy_arrival_tag(a) < 0)) return fail_corrupt(stream, channel);
    return rc;
}

void hy_tag_stream_take(hy_tag_stream *stream, const hy_arrival *a)
{
    hy_channel *channel = hy_load_relaxed(&stream->channel);
    bool lines = hy_head_kind(a->head) == HY_KIND_LINES;
    hy_channel_take_slots(channel, a->head, lines ? hy_slots_of(hy_head_len(a->head)) : 1);
    if (hy_unlikely(hy_head_kind(a->head) == HY_KIND_LOAN))
        hy_channel_tell_acks(channel, hy_load_relaxed(&channel->received)); /* it waits for that */
}

void hy_tag_stream_tell(hy_tag_stream *stream)
{
    const hy_channel *channel = hy_load_relaxed(&stream->channel);
    stream->told = stream->passed;
    if (hy_channel_is_far(channel)) {
        hy_channel_flag(channel, offsetof(hy_match, behind), stream->told, 0, 0, 0);
        return;
    }
    hy_store_release(credit_of(channel->peer_match), stream->told);
    hy_bell_ring(channel->ep->bell);
}

static void copy_lines(const hy_channel *channel, const hy_buffer *buffer, uint64_t bytes)
{
    uint8_t lines[HY_TAG_LINES_BYTES];
    hy_channel_read_tagged_lines(channel, buffer->address ? buffer->address : lines, bytes);
    if (!buffer->address) hy_buffer_write(buffer, 0, lines, bytes);
}

/* At most once, the sender moves the data that it lends while they are copied. */
static void copy_loan(hy_channel *channel, hy_arrival *a, const hy_buffer *buffer, uint64_t bytes)
{
    size_t len;
    hy_buffer_write(buffer, 0, a->payload, bytes);
    if (!hy_channel_loan_moved(a->slot, a->moved)) return;
    const uint8_t *from = hy_channel_loan_source(channel, a->slot, &len, &a->moved);
    if (from && len >= bytes) hy_buffer_write(buffer, 0, from, bytes);
}

int hy_tag_stream_deliver(hy_tagged *tagged, hy_tag_stream *stream, hy_arrival *a,
                          const hy_buffer *buffer, uint64_t bytes)
{
    hy_channel *channel = hy_load_relaxed(&stream->channel);
    uint64_t fits = a->bytes < bytes ? a->bytes : bytes;
    if (hy_likely(hy_head_kind(a->head) == HY_KIND_INLINE)) {
        const uint8_t *data = a->slot->payload + HY_TAG_WORD_BYTES;
        if (hy_likely(buffer->address != NULL)) hy_copy_slot(buffer->address, data, fits);
        else hy_buffer_write(buffer, 0, data, fits);
    } else if (hy_head_kind(a->head) == HY_KIND_LINES) {
        copy_lines(channel, buffer, fits);
    } else if (hy_head_kind(a->head) == HY_KIND_LOAN) {
        copy_loan(channel, a, buffer, fits);
    } else {
        hy_buffer_write(buffer, 0, a->payload, fits);
    }
    hy_tag_stream_take(stream, a);
    hy_count_message(tagged->tags->job->counters, HY_COUNT_RECEIVED, a->bytes);
    return hy_likely(a->bytes <= bytes) ? HAYATE_OK : HAYATE_ERR_TRUNCATE;
}

/* ---- all messages that have arrived ---- */

/* False: there is none, or no memory to keep it. */
static bool match_next(hy_tagged *tagged, hy_tag_stream *stream)
{
    hy_arrival a;
    return hy_tag_stream_look(stream, &a) == HAYATE_OK &&
           hy_match_arrival(tagged, (int)(stream - tagged->streams), &a) == HAYATE_OK;
}

void hy_tag_stream_serve(hy_tagged *tagged, hy_tag_stream *stream)
{
    while (hy_tag_first(&stream->posted) && match_next(tagged, stream)) {}
}

void hy_tag_stream_match(hy_tagged *tagged, hy_tag_stream *stream)
{
    if (!hy_load_relaxed(&stream->channel)) return;
    while (match_next(tagged, stream)) {}
}

void hy_tag_stream_drain(hy_tagged *tagged, hy_tag_stream *stream)
{
    uint64_t head;
    hy_channel *channel = hy_load_acquire(&stream->channel);
    if (!channel || !hy_channel_peek(channel, &head)) return;
    if (!hy_busy_visit(&stream->receive_busy)) return;
    hy_tag_stream_match(tagged, stream);
    hy_busy_leave(&stream->receive_busy);
}

/* A member may have begun to send on a channel that this rank has not used. */
void hy_tag_streams_drain(hy_tagged *tagged)
{
    int rc;
    for (int member = 0; member < tagged->size; member++)
        if (hy_tag_stream_channel(tagged, member, &rc))
            hy_tag_stream_drain(tagged, &tagged->streams[member]);
}
