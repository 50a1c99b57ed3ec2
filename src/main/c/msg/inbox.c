/* SPDX-License-Identifier: Apache-2.0 */
/* In a job with inboxes: lanes receive when their senders have announced themselves. */
#include "job/progress.h"
#include "msg/msg.h"

/* Under the lock. What does not make sense is passed over. */
static bool accept_one(void *context, const hy_inbox_record *what)
{
    hy_msg *msg = context;
    if (what->rank >= (uint64_t)msg->size || what->number >= (uint64_t)msg->count ||
        !hy_msg_is_inside(msg, (int)what->rank, what->match_offset, sizeof(hy_match)))
        return true;
    uint64_t index = what->number * (uint64_t)msg->size + what->rank;
    if (!hy_sparse_find(&msg->lanes, index) && hy_lane_add(msg, index)) return false;
    hy_lane *lane = hy_sparse_find(&msg->lanes, index);
    if (!hy_contact_is_accepted(&lane->channel))
        hy_contact_accept(&lane->channel, what->slots, what->match_offset);
    return true;
}

static hy_msg *listening_of(const hy_work *work)
{
    return (hy_msg *)((uintptr_t)work - offsetof(hy_msg, listening));
}

/* It never rests: others may begin to send at any time. */
static hy_wanted listening_wanted(const hy_work *work)
{
    const hy_msg *msg = listening_of(work);
    bool news = hy_inbox_has_news(msg->job, &msg->areas.inbox, &msg->inbox_cursor);
    return news ? HY_WORK_READY : HY_WORK_WAITS;
}

static void listening_step(hy_work *work)
{
    hy_msg *msg = listening_of(work);
    if (pthread_mutex_trylock(&msg->lock) == 0) { /* otherwise, the next turn will do */
        hy_inbox_scan(msg->job, &msg->areas.inbox, &msg->inbox_cursor, accept_one, msg);
        pthread_mutex_unlock(&msg->lock);
    }
    hy_work_release(work);
}

void hy_msg_start(hy_msg *msg)
{
    if (!msg->areas.inbox.places) return;
    msg->listener = (hy_worker){.wanted = listening_wanted, .step = listening_step};
    hy_worklist_add(&msg->job->background, &msg->listening, &msg->listener, HY_BY_CALLS);
}

void hy_msg_hear_all(hy_msg *msg)
{
    if (!hy_inbox_has_news(msg->job, &msg->areas.inbox, &msg->inbox_cursor)) return;
    pthread_mutex_lock(&msg->lock);
    hy_inbox_scan_all(msg->job, &msg->areas.inbox, &msg->inbox_cursor, accept_one, msg);
    pthread_mutex_unlock(&msg->lock);
}
