/* SPDX-License-Identifier: Apache-2.0 */
/* Commands on their way to the delegatee and back. */
#include "base/status.h"
#include "net/delegated/delegated_net.h"

static hy_command *slot_of(const delegated_ring *ring, uint64_t number)
{
    return &ring->shared->commands[(number - 1) % HY_RING_DEPTH];
}

static bool is_free(const delegated_ring *ring, uint64_t number)
{
    return number <= HY_RING_DEPTH ||
           hy_done_number(hy_load_acquire(&slot_of(ring, number)->done)) == number - HY_RING_DEPTH;
}

static delegated_post **post_at(delegated_ring *ring, uint64_t number)
{
    return &ring->posts[(number - 1) % HY_RING_DEPTH];
}

/* The slot is needed: a result that was not read yet goes to who wants it. */
static void settle(delegated_ring *ring, uint64_t number)
{
    delegated_post **place = post_at(ring, number), *post = *place;
    if (!post) return;
    const hy_command *slot = slot_of(ring, number);
    memcpy(&post->before, slot->payload, sizeof post->before);
    hy_store_release(&post->done, hy_load_relaxed(&slot->done));
    *place = NULL;
}

static void write_command(hy_command *slot, const hy_command *command, const uint8_t *payload,
                          bool forgotten, uint64_t number)
{
    slot->kind = command->kind;
    slot->what = command->what;
    slot->bytes = command->bytes;
    slot->where = command->where;
    slot->rank = command->rank;
    slot->remote = command->remote;
    slot->local = command->local;
    slot->len = command->len;
    slot->operand = command->operand;
    slot->expected = command->expected;
    slot->forgotten = forgotten;
    if (command->bytes) hy_copy_slot(slot->payload, payload, command->bytes);
    hy_store_release(&slot->posted, number);
}

int delegated_try(const hy_ep *ep, const hy_command *command, const uint8_t *payload,
                  delegated_post *post)
{
    delegated_net *net = delegated_of(ep->net);
    delegated_ring *ring = delegated_ring_of(ep);
    pthread_mutex_lock(&ring->lock);
    uint64_t number = ring->next;
    bool room = is_free(ring, number);
    if (hy_likely(room)) {
        ring->next++;
        settle(ring, number);
        *post_at(ring, number) = post;
        if (post) *post = (delegated_post){.ring = ring, .number = number};
        write_command(slot_of(ring, number), command, payload, !post, number);
        hy_delegation_tell(net->delegation, net->attr.member, (int)(ring - net->rings));
    }
    pthread_mutex_unlock(&ring->lock);
    return room ? HAYATE_OK : HAYATE_IN_PROGRESS;
}

int delegated_send(const hy_ep *ep, const hy_command *command, const uint8_t *payload,
                   delegated_post *post)
{
    delegated_net *net = delegated_of(ep->net);
    int failed = HAYATE_OK, rc = delegated_try(ep, command, payload, post);
    if (hy_likely(rc != HAYATE_IN_PROGRESS)) return rc;
    hy_wait wait = hy_wait_begin(&net->policy, net->attr.bell);
    while ((rc = delegated_try(ep, command, payload, post)) == HAYATE_IN_PROGRESS && !failed)
        if (hy_wait_once(&wait)) failed = delegated_look(ep);
    hy_wait_end(&wait);
    return rc == HAYATE_IN_PROGRESS ? failed : rc;
}

int delegated_fail(const hy_ep *ep, int status)
{
    int rc = status == HAYATE_ERR_PEER_FAILED ? delegated_look(ep) : HAYATE_OK;
    if (rc) return rc;
    switch (status) {
    case HAYATE_ERR_PEER_FAILED: return delegated_fail_node(ep);
    case HAYATE_ERR_CORRUPT:
        return hy_fail_peer(status, ep->rank, "rank %d announced memory outside of its segment",
                            ep->rank);
    case HAYATE_ERR_SYSTEM:
        return hy_fail_peer(status, ep->rank,
                            "the delegatee of this node cannot read the data of a put to rank %d",
                            ep->rank);
    case HAYATE_ERR_NO_MEMORY: return hy_fail(status, "the delegatee of this node has no memory");
    default:
        return hy_fail_peer(hy_status_told(status), ep->rank,
                            "the delegatee of this node refused a command to rank %d (%d)",
                            ep->rank, status);
    }
}

/* Another thread may need the slot at any time: the result is read under the lock. */
int delegated_answer(delegated_post *post, uint64_t *before)
{
    delegated_ring *ring = post->ring;
    uint64_t seen = hy_load_acquire(&slot_of(ring, post->number)->done);
    if (hy_done_number(seen) != post->number && !hy_load_acquire(&post->done))
        return HAYATE_IN_PROGRESS;
    pthread_mutex_lock(&ring->lock);
    if (!hy_load_relaxed(&post->done)) settle(ring, post->number);
    pthread_mutex_unlock(&ring->lock);
    if (before) *before = post->before;
    return hy_done_status(hy_load_relaxed(&post->done));
}

int delegated_result(const hy_ep *ep, delegated_post *post, uint64_t *before)
{
    int status = delegated_answer(post, before);
    return hy_likely(status >= 0) ? status : delegated_fail(ep, status);
}

void delegated_forget(delegated_post *post)
{
    pthread_mutex_lock(&post->ring->lock);
    delegated_post **place = post_at(post->ring, post->number);
    if (*place == post) *place = NULL;
    pthread_mutex_unlock(&post->ring->lock);
}

int delegated_await(const hy_ep *ep, delegated_post *post, uint64_t *before)
{
    delegated_net *net = delegated_of(ep->net);
    hy_wait wait = hy_wait_begin(&net->policy, net->attr.bell);
    int rc, failed = HAYATE_OK;
    while ((rc = delegated_result(ep, post, before)) == HAYATE_IN_PROGRESS && !failed)
        if (hy_wait_once(&wait)) failed = delegated_look_at_delegatee(ep);
    hy_wait_end(&wait);
    if (rc != HAYATE_IN_PROGRESS) return rc;
    delegated_forget(post);
    return failed;
}
