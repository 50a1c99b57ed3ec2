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

static bool found(const probing *p)
{
    hy_tagged *tagged = p->tagged;
    pthread_mutex_lock(&tagged->lock);
    hy_arrived *at = hy_match_find(tagged, p->member, p->tag, p->taken != NULL);
    if (at) *p->status = at->status;
    if (at && p->taken) *p->taken = at;
    pthread_mutex_unlock(&tagged->lock);
    if (at && p->taken) hy_match_taken(tagged, at);
    return at != NULL;
}

static int step_probe(void *context)
{
    const probing *p = context;
    int rc;
    if (found(p)) return HAYATE_OK;
    if (p->member == HY_ANY_MEMBER) hy_tag_streams_drain(p->tagged);
    else if (!hy_tag_stream_channel(p->tagged, p->member, &rc)) return rc;
    else hy_tag_stream_drain(p->tagged, &p->tagged->streams[p->member]);
    return found(p) ? HAYATE_OK : HAYATE_IN_PROGRESS;
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
