/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests: operations that outlive their calls. The name of one is (generation, place), so that a
 * stale name is noticed. Their memory stays until the end, and is used again.
 */
#include <stdlib.h>

#include "base/clock.h"
#include "job/progress.h"
#include "tagged/state.h"

#define ASK_AGAIN_NS 10000000

uint64_t hy_tag_request_name(const hy_tag_request *request)
{
    return (uint64_t)hy_load_relaxed(&request->generation) << 32 | (request->place + 1);
}

hy_tag_request *hy_tag_request_find(const hy_tags *tags, uint64_t name)
{
    uint64_t place = (name & UINT32_MAX) - 1;
    hy_tag_request *request = place <= INT32_MAX ? hy_handles_get(&tags->requests, (int)place)
                                                 : NULL;
    bool same = request && hy_load_acquire(&request->generation) == name >> 32;
    return same && hy_load_acquire(&request->state) != HY_TAG_IDLE ? request : NULL;
}

static int no_such_request(void)
{
    return hy_fail(HAYATE_ERR_ARGUMENT,
                   "no such request: it was already waited for, or never existed");
}

/* ---- their memory ---- */

static hy_tag_request *make(hy_tags *tags)
{
    int place;
    hy_tag_request *request = calloc(1, sizeof *request);
    pthread_mutex_lock(&tags->lock);
    if (request && hy_handles_take(&tags->requests, &place)) {
        free(request);
        request = NULL;
    }
    if (request) {
        request->place = (uint32_t)place;
        hy_handles_put(&tags->requests, place, request);
    }
    pthread_mutex_unlock(&tags->lock);
    return request;
}

static int retain(hy_tag_request *request)
{
    if (!request->buffer.managed) return HAYATE_OK;
    void *handle = request->buffer.managed->retain(request->buffer.handle);
    if (!handle) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to keep the buffer of a request");
    request->buffer.handle = handle;
    request->retained = true;
    return HAYATE_OK;
}

/* The list of free ones: its head is (changes, place + 1), so that a thread that was away while the
 * head came back sees it. */
static void push_free(hy_tags *tags, hy_tag_request *request)
{
    uint64_t head = hy_load_relaxed(&tags->free), next;
    do {
        hy_store_relaxed(&request->next_free, (uint32_t)head);
        next = ((head >> 32) + 1) << 32 | (request->place + 1);
    } while (!atomic_compare_exchange_weak_explicit(&tags->free, &head, next, memory_order_release,
                                                    memory_order_relaxed));
}

static hy_tag_request *pop_free(hy_tags *tags)
{
    uint64_t head = hy_load_acquire(&tags->free), next;
    hy_tag_request *request;
    do {
        if (!(uint32_t)head) return NULL;
        request = hy_handles_get(&tags->requests, (int)((uint32_t)head - 1));
        next = ((head >> 32) + 1) << 32 | hy_load_relaxed(&request->next_free);
    } while (!atomic_compare_exchange_weak_explicit(&tags->free, &head, next, memory_order_acquire,
                                                    memory_order_acquire));
    return request;
}

/* Its name is of no request from now on. */
static void put_back(hy_tags *tags, hy_tag_request *request)
{
    uint32_t next = (hy_load_relaxed(&request->generation) + 1) & INT32_MAX;
    hy_store_release(&request->state, HY_TAG_IDLE);
    hy_store_release(&request->generation, next);
    push_free(tags, request);
}

hy_tag_request *hy_tag_request_take(hy_tagged *tagged, const hy_buffer *buffer, uint64_t bytes,
                                    int member, int tag, bool sends)
{
    hy_tags *tags = tagged->tags;
    hy_tag_request *request = pop_free(tags);
    if (hy_unlikely(!request)) request = make(tags);
    if (!request) {
        hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a request");
        return NULL;
    }
    request->member = member;
    request->tag = tag;
    hy_store_relaxed(&request->peer, member == HY_ANY_MEMBER ? -1 : hy_tagged_peer(tagged, member));
    request->tagged = tagged;
    request->buffer = *buffer;
    request->bytes = bytes;
    request->moves = request->moving = 0;
    hy_store_relaxed(&request->asked_ns, 0);
    request->status = (hy_tag_status){.bytes = sends ? bytes : 0, .member = member, .tag = tag};
    request->result = HAYATE_OK;
    request->reason = NULL;
    request->sends = sends;
    request->is_long = request->owned = request->detached = request->retained = false;
    request->grows = request->answers = false;
    hy_store_relaxed(&request->at_once, false);
    request->spill = NULL;
    if (retain(request)) {
        put_back(tags, request);
        return NULL;
    }
    hy_store_release(&request->state, HY_TAG_MOVES);
    return request;
}

void hy_tag_request_fit(hy_tag_request *request, uint64_t bytes)
{
    if (hy_likely(!request->grows)) return;
    request->buffer.address = malloc(bytes + 1);
    if (request->buffer.address) request->bytes = bytes;
}

void hy_tag_request_end(hy_tag_request *request, int result)
{
    hy_tags *tags = request->tagged->tags;
    bool asked = request->sends && request->is_long; /* a cancel may say so at the moment */
    if (asked || hy_unlikely(hy_load_acquire(&request->says))) hy_transfer_unsay(request);
    if (request->retained) request->buffer.managed->release(request->buffer.handle);
    if (request->owned) {
        atomic_fetch_sub(&tags->buffered, request->bytes);
        free(request->buffer.address);
    }
    if (request->grows && result == HAYATE_ERR_TRUNCATE && !request->buffer.address)
        result = hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a message of %llu bytes: it is lost",
                         (unsigned long long)request->status.bytes);
    request->result = result;
    if (result < 0 && result != HAYATE_ERR_TRUNCATE) request->reason = strdup(hayate_error());
    if (request->detached) {
        free(request->reason);
        put_back(tags, request);
    } else {
        hy_store_release(&request->state, HY_TAG_DONE);
    }
    hy_bell_ring(tags->job->bell); /* another thread of this rank may wait for it */
}

/* ---- progress ---- */

static void drain(hy_tagged *tagged, int member)
{
    if (member == HY_ANY_MEMBER) {
        if (!hy_tagged_enter(tagged)) return;
        hy_tag_streams_drain(tagged);
        hy_tagged_leave(tagged);
        return;
    }
    if (member >= tagged->places) return; /* it has become another request meanwhile */
    hy_tag_stream *stream = &tagged->streams[member];
    if (!hy_busy_visit(&stream->receive_busy)) return;
    hy_tag_stream_match(tagged, stream);
    hy_busy_leave(&stream->receive_busy);
}

static void flush(hy_tagged *tagged, int member)
{
    if (member < 0 || member >= tagged->places) return;
    hy_tag_stream *stream = &tagged->streams[member];
    if (!hy_busy_visit(&stream->busy)) return;
    hy_tag_stream_flush(tagged, stream);
    hy_busy_leave(&stream->busy);
}

/* What this request waits for. `waits`: until its data are moved, if it is their turn. */
static void advance(hy_tag_request *request, bool waits)
{
    hy_tags *tags = request->tagged->tags;
    int peer;
    switch (hy_load_acquire(&request->state)) {
    case HY_TAG_POSTED: drain(request->tagged, request->member); break;
    case HY_TAG_UNSENT: flush(request->tagged, request->member); break;
    case HY_TAG_ANNOUNCED: hy_transfer_notes(tags, hy_tag_request_peer(request)); break;
    case HY_TAG_MOVES:
        peer = hy_tag_request_peer(request);
        if (peer < 0) break;
        if (hy_unlikely(hy_load_relaxed(&request->says))) hy_transfer_notes(tags, peer);
        hy_transfer_move(tags, peer, hy_tag_request_way(request), waits ? request : NULL);
        break;
    default: break;
    }
}

/* Ends what has not begun to move: the reason is the thread's last failure. */
static void end_early(hy_tag_request *request, int rc)
{
    hy_tagged *tagged = request->tagged;
    const hy_failure failure = hy_failure_of(rc);
    bool ours = false, asks = false;
    if (!request->sends) {
        ours = hy_load_acquire(&request->state) == HY_TAG_POSTED && hy_match_withdraw(request);
    } else {
        hy_tag_stream *stream = &tagged->streams[request->member];
        uint32_t was = HY_TAG_ANNOUNCED;
        hy_half_own(&stream->busy);
        if (hy_load_acquire(&request->state) == HY_TAG_UNSENT) {
            ours = hy_tag_remove(&stream->unsent, request);
        } else if (rc == HAYATE_ERR_CANCELLED) {
            asks = hy_load_acquire(&request->state) ==
                   HY_TAG_ANNOUNCED; /* by another thread, now */
        } else if (atomic_compare_exchange_strong(&request->state, &was, HY_TAG_MOVES)) {
            ours = true;
            hy_transfer_forget(tagged->tags, hy_tag_request_peer(request));
        }
        hy_busy_leave(&stream->busy);
    }
    if (asks) hy_transfer_withdraw(request);
    if (!ours) return;
    hy_fail_again(&failure);
    hy_tag_request_end(request, rc);
}

static bool is_done(const hy_tag_request *request)
{
    return hy_load_acquire(&request->state) == HY_TAG_DONE;
}

/* Takes it out of DONE. False: of several threads, another one has its result. If its place has
 * become another request's meanwhile, that one is done again at once. */
static bool claim(hy_tag_request *request, uint64_t name)
{
    uint32_t was = HY_TAG_DONE;
    if (!atomic_compare_exchange_strong(&request->state, &was, HY_TAG_MOVES)) return false;
    bool ours = hy_tag_request_name(request) == name;
    if (hy_unlikely(!ours)) {
        hy_store_release(&request->state, HY_TAG_DONE);
        hy_bell_ring(request->tagged->tags->job->bell);
    }
    return ours;
}

/* A buffer that was made for its message is the caller's from now on. */
static int collect(hy_tags *tags, hy_tag_request *request, uint64_t name, hy_tag_status *status)
{
    if (!claim(request, name)) return no_such_request();
    int result = request->result;
    *status = request->status;
    if (result == HAYATE_ERR_TRUNCATE) {
        hy_fail(result, "the message has %llu bytes, the receive %llu",
                (unsigned long long)request->status.bytes, (unsigned long long)request->bytes);
        hy_fail_length(request->status.bytes);
    } else if (result < 0) {
        hy_fail_peer(result, hy_tag_request_peer(request), "%s",
                     request->reason ? request->reason : "there was no memory for the reason");
    }
    free(request->reason);
    if (request->grows) {
        status->made = result == HAYATE_OK ? request->buffer.address : NULL;
        if (result) free(request->buffer.address);
    }
    put_back(tags, request);
    return result;
}

/* ---- waits ---- */

static void tell_request_wait(const hy_tag_request *request, hy_awaited *awaited)
{
    awaited->kind = request->sends ? HY_AWAITED_SEND : HY_AWAITED_RECEIVE;
    awaited->what = HY_AWAITED_BY_TAG;
    awaited->peer = hy_tag_request_peer(request);
    awaited->place = request->tag;
    awaited->bytes = request->bytes;
    awaited->step = hy_load_relaxed(&request->state);
}

typedef struct some {
    hy_tags *tags;
    int n;
    const uint64_t *names;
    bool once;
    int index; /* of one that is over; -1: none */
    int rc;
    hy_tag_status *status;
} some;

static int step_some(void *context)
{
    some *s = context;
    bool alive = false;
    for (int i = 0; i < s->n && s->index < 0; i++) {
        if (!s->names[i]) continue;
        alive = true;
        hy_tag_request *request = hy_tag_request_find(s->tags, s->names[i]);
        if (request && !is_done(request)) advance(request, s->n == 1 && !s->once);
        if (request && !is_done(request)) continue;
        s->index = i;
        s->rc = request ? collect(s->tags, request, s->names[i], s->status) : no_such_request();
    }
    if (s->index >= 0) return s->rc;
    return alive ? HAYATE_IN_PROGRESS : HAYATE_OK;
}

/* The answer to a withdrawal may find no room, or come before the announcement is looked at. */
static void ask_again(hy_tag_request *request)
{
    uint64_t asked = hy_load_relaxed(&request->asked_ns);
    if (hy_likely(!asked) || hy_load_acquire(&request->state) != HY_TAG_ANNOUNCED) return;
    if (hy_now_ns() - asked >= ASK_AGAIN_NS) hy_transfer_withdraw(request);
}

static int idle_some(void *context)
{
    some *s = context;
    hy_progress(s->tags->job);
    for (int i = 0; i < s->n; i++) {
        hy_tag_request *request = s->names[i] ? hy_tag_request_find(s->tags, s->names[i]) : NULL;
        if (request) ask_again(request);
        int rc = request && !is_done(request)
                     ? hy_tagged_check_peer(request->tagged, hy_tag_request_peer(request))
                     : HAYATE_OK;
        if (hy_unlikely(rc)) {
            advance(request, false);
            if (!is_done(request)) end_early(request, rc);
        }
    }
    return HAYATE_OK;
}

static void tell_some(const void *context, hy_awaited *awaited)
{
    const some *s = context;
    const hy_tag_request *last = NULL;
    for (int i = 0; i < s->n; i++) {
        const hy_tag_request *request = s->names[i] ? hy_tag_request_find(s->tags, s->names[i])
                                                    : NULL;
        if (!request) continue;
        last = request;
        awaited->number++;
    }
    if (awaited->number == 1) tell_request_wait(last, awaited);
    else awaited->kind = HY_AWAITED_REQUESTS;
}

int hy_tag_wait_any(hy_tags *tags, int n, const uint64_t *names, bool once, int *index,
                    hy_tag_status *status)
{
    some s = {tags, n, names, once, -1, HAYATE_OK, status};
    if (once) hy_worklist_wake_listeners(&tags->job->background);
    int rc = hy_job_await(&(hy_await){.job = tags->job,
                                      .step = step_some,
                                      .idle = idle_some,
                                      .tell = tell_some,
                                      .context = &s,
                                      .poll = hy_progress,
                                      .turns = once ? 1 : 0});
    *index = s.index;
    return rc;
}

/* It is done already. */
static bool needs_no_wait(const hy_tags *tags, uint64_t name, hy_tag_request **request)
{
    *request = hy_tag_request_find(tags, name);
    return *request && is_done(*request);
}

int hy_tag_test(hy_tags *tags, uint64_t name, hy_tag_status *status)
{
    int index;
    hy_tag_request *request;
    if (needs_no_wait(tags, name, &request)) return collect(tags, request, name, status);
    return hy_tag_wait_any(tags, 1, &name, true, &index, status);
}

int hy_tag_wait(hy_tags *tags, uint64_t name, hy_tag_status *status)
{
    int index;
    hy_tag_request *request;
    if (needs_no_wait(tags, name, &request)) return collect(tags, request, name, status);
    return hy_tag_wait_any(tags, 1, &name, false, &index, status);
}

/* ---- buffered sends ---- */

static int step_settle(void *context)
{
    return hy_tags_buffered(context) ? HAYATE_IN_PROGRESS : HAYATE_OK;
}

/* Nobody waits for them, so those whose receivers are gone end here. */
static int idle_settle(void *context)
{
    hy_tags *tags = context;
    hy_progress(tags->job);
    for (int i = 0; i < hy_handles_places(&tags->requests); i++) {
        hy_tag_request *request = hy_handles_get(&tags->requests, i);
        uint32_t state = request ? hy_load_acquire(&request->state) : HY_TAG_IDLE;
        if ((state != HY_TAG_UNSENT && state != HY_TAG_ANNOUNCED) || !request->owned) continue;
        int rc = hy_tagged_check_peer(request->tagged, hy_tag_request_peer(request));
        if (rc) end_early(request, rc);
    }
    return hy_load_relaxed(&tags->closed) ? hy_tagged_fail_closed() : HAYATE_OK;
}

static void tell_settle(const void *context, hy_awaited *awaited)
{
    (void)context;
    awaited->kind = HY_AWAITED_SEND_BUFFER;
}

int hy_tags_settle(hy_tags *tags)
{
    return hy_job_await(&(hy_await){.job = tags->job,
                                    .step = step_settle,
                                    .idle = idle_settle,
                                    .tell = tell_settle,
                                    .context = tags,
                                    .poll = hy_progress});
}

/* ---- early ends ---- */

int hy_tag_cancel(hy_tags *tags, uint64_t name)
{
    hy_tag_request *request = hy_tag_request_find(tags, name);
    if (!request) return no_such_request();
    uint32_t state = hy_load_acquire(&request->state);
    if (state == HY_TAG_ANNOUNCED) hy_transfer_withdraw(request);
    else if (state == HY_TAG_POSTED || state == HY_TAG_UNSENT)
        end_early(request, hy_fail(HAYATE_ERR_CANCELLED, "the request was cancelled"));
    return HAYATE_OK;
}

void hy_tag_requests_close(hy_tags *tags)
{
    for (int i = 0; i < hy_handles_places(&tags->requests); i++) {
        hy_tag_request *request = hy_handles_get(&tags->requests, i);
        if (!request) continue;
        uint32_t state = hy_load_acquire(&request->state);
        if (state != HY_TAG_IDLE && state != HY_TAG_DONE)
            end_early(request,
                      hy_fail(HAYATE_ERR_CLOSED, "closed while the operation was under way"));
    }
}

void hy_tag_requests_free(hy_tags *tags)
{
    for (int i = 0; i < hy_handles_places(&tags->requests); i++) {
        hy_tag_request *request = hy_handles_get(&tags->requests, i);
        if (request && hy_load_relaxed(&request->state) == HY_TAG_DONE) {
            if (request->grows) free(request->buffer.address);
            free(request->reason);
        }
        free(request);
    }
    hy_handles_close(&tags->requests);
}
