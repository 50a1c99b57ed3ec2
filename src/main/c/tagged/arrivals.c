/* SPDX-License-Identifier: Apache-2.0 */
/* Looks for messages: those that have arrived are taken out of their channels, and kept. */
#include "job/progress.h"
#include "tagged/state.h"

typedef struct probing {
    hy_tagged *tagged;
    int member, tag;
    hy_tag_status *status;
    hy_arrived **taken;
} probing;

static int probe(const probing *p, int member)
{
    int rc;
    hy_tag_stream *stream = &p->tagged->streams[member];
    if (!hy_tag_stream_channel(p->tagged, member, &rc)) return rc;
    hy_half_own(&stream->receive_busy);
    hy_tag_stream_match(p->tagged, stream);
    hy_arrived *at = hy_match_find(p->tagged, stream, p->tag, p->taken != NULL);
    if (at) *p->status = at->status;
    if (at && p->taken) *p->taken = at;
    hy_busy_leave(&stream->receive_busy);
    return at ? HAYATE_OK : HAYATE_IN_PROGRESS;
}

static int step_probe(void *context)
{
    const probing *p = context;
    if (p->member != HY_ANY_MEMBER) return probe(p, p->member);
    uint32_t first = hy_load_relaxed(&p->tagged->next_member), size = (uint32_t)p->tagged->size;
    for (uint32_t i = 0; i < size; i++) {
        uint32_t source = (first + i) % size;
        int rc = probe(p, (int)source);
        if (rc == HAYATE_IN_PROGRESS) continue;
        if (!rc && p->taken) hy_store_relaxed(&p->tagged->next_member, source + 1);
        return rc;
    }
    return HAYATE_IN_PROGRESS;
}

static int idle_probe(void *context)
{
    const probing *p = context;
    hy_progress(p->tagged->tags->job);
    if (hy_load_relaxed(&p->tagged->closed)) return hy_tagged_fail_closed();
    return hy_tagged_check_peer(
        p->tagged, p->member == HY_ANY_MEMBER ? -1 : hy_tagged_peer(p->tagged, p->member));
}

static void tell_probe(const void *context, hy_awaited *awaited)
{
    const probing *p = context;
    awaited->kind = HY_AWAITED_PROBE;
    awaited->what = HY_AWAITED_BY_TAG;
    awaited->place = p->tag;
    if (p->member != HY_ANY_MEMBER) awaited->peer = hy_tagged_peer(p->tagged, p->member);
}

int hy_tagged_probe(hy_tagged *tagged, int member, int tag, bool wait, hy_tag_status *status,
                    hy_arrived **taken)
{
    probing p = {tagged, member, tag, status, taken};
    if (member < HY_ANY_MEMBER || member >= tagged->size)
        return hy_fail(HAYATE_ERR_ARGUMENT, "rank %d: expected %d to %d", member, HY_ANY_MEMBER,
                       tagged->size - 1);
    if (tag < HY_ANY_TAG) return hy_fail(HAYATE_ERR_ARGUMENT, "tag %d: expected 0 or more", tag);
    if (hy_load_relaxed(&tagged->closed) || !hy_tagged_enter(tagged))
        return hy_tagged_fail_closed();
    if (!wait) hy_worklist_wake_listeners(&tagged->job->background);
    int rc = hy_job_await(&(hy_await){.job = tagged->tags->job,
                                      .step = step_probe,
                                      .idle = idle_probe,
                                      .tell = tell_probe,
                                      .context = &p,
                                      .poll = hy_progress,
                                      .turns = wait ? 0 : 1});
    hy_tagged_leave(tagged);
    return rc;
}

int hy_arrived_receive(hy_tagged *tagged, hy_arrived *taken, hy_buffer buffer, uint64_t bytes,
                       bool makes, uint64_t *name)
{
    hy_tag_request *request = hy_tag_request_take(tagged, &buffer, bytes, taken->status.member,
                                                  taken->status.tag, false);
    if (!request) return HAYATE_ERR_NO_MEMORY;
    request->grows = makes;
    *name = hy_tag_request_name(request);
    hy_match_fill(request, taken);
    return HAYATE_OK;
}
