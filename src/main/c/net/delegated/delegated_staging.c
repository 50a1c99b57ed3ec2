/* SPDX-License-Identifier: Apache-2.0 */
/* Moves of data that the delegatee cannot reach, through the halves of a ring's staging buffer:
 * while the delegatee moves one half, a thread copies the other. The moves of a ring take the
 * buffer in turn. Whoever tests a move advances the first one, so that no thread has to wait for
 * the one that has begun it; the lock is held while data are copied, but not while a thread
 * waits. */
#include "base/status.h"
#include "net/delegated/delegated_net.h"

#define HALF (HY_STAGING_BYTES / 2)

static size_t bytes_of_piece(const delegated_staged *s, uint64_t piece)
{
    uint64_t left = s->command->len - piece * HALF;
    return left < HALF ? left : HALF;
}

/* Copies and posts the next piece. False: the ring is full. */
static bool begin_piece(delegated_staged *s)
{
    hy_command command = *s->command;
    uint64_t piece = s->begun, at = piece % 2 * HALF;
    command.where = HY_LOCAL_STAGING;
    command.local = at;
    command.remote += piece * HALF;
    command.len = bytes_of_piece(s, piece);
    if (command.kind == HY_OP_PUT && s->copied == piece) {
        uint8_t *staging = delegated_ring_of(s->ep)->shared->staging;
        memcpy(staging + at, s->local + piece * HALF, command.len);
        s->copied++;
    }
    if (delegated_try(s->ep, &command, NULL, &s->posts[piece % 2])) return false;
    s->begun++;
    return true;
}

/* False: the delegatee has not answered yet. */
static bool end_piece(delegated_staged *s)
{
    uint64_t piece = s->ended;
    int status = delegated_answer(&s->posts[piece % 2], NULL);
    if (status == HAYATE_IN_PROGRESS) return false;
    if (!s->status) s->status = status;
    if (!status && s->command->kind == HY_OP_GET) {
        const uint8_t *staging = delegated_ring_of(s->ep)->shared->staging;
        memcpy(s->local + piece * HALF, staging + piece % 2 * HALF, bytes_of_piece(s, piece));
    }
    s->ended++;
    return true;
}

/* At most two pieces each way. True: it is over. After an error, the answers to what was begun are
 * still awaited: the buffer is then free for others. */
static bool advance(delegated_staged *s)
{
    while (s->ended < s->begun && end_piece(s)) continue;
    while (s->begun < s->pieces && !s->status && s->begun - s->ended < 2 && begin_piece(s))
        continue;
    return s->ended == s->begun && (s->begun == s->pieces || s->status);
}

void delegated_stage(delegated_staged *s, const hy_ep *ep, const hy_command *command, void *local)
{
    delegated_ring *ring = delegated_ring_of(ep);
    *s = (delegated_staged){
        .ep = ep, .command = command, .local = local, .pieces = (command->len + HALF - 1) / HALF};
    pthread_mutex_lock(&ring->staging);
    delegated_staged **end = &ring->staged;
    while (*end) end = &(*end)->next;
    *end = s;
    pthread_mutex_unlock(&ring->staging);
}

int delegated_staged_test(delegated_staged *s, uint64_t *begun)
{
    delegated_ring *ring = delegated_ring_of(s->ep);
    pthread_mutex_lock(&ring->staging);
    for (delegated_staged *first; (first = ring->staged) && advance(first);) {
        first->over = true;
        ring->staged = first->next;
    }
    *begun = s->begun;
    bool over = s->over;
    pthread_mutex_unlock(&ring->staging);
    if (!over) return HAYATE_IN_PROGRESS;
    return s->status ? delegated_fail(s->ep, s->status) : HAYATE_OK;
}

void delegated_staged_forget(delegated_staged *s)
{
    delegated_ring *ring = delegated_ring_of(s->ep);
    pthread_mutex_lock(&ring->staging);
    delegated_staged **at = &ring->staged;
    while (*at && *at != s) at = &(*at)->next;
    if (*at) *at = s->next;
    for (; s->ended < s->begun; s->ended++) delegated_forget(&s->posts[s->ended % 2]);
    pthread_mutex_unlock(&ring->staging);
}
