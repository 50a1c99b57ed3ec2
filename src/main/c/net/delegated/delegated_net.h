/* SPDX-License-Identifier: Apache-2.0 */
/* The rank's side of delegation: a network (net/net.h) whose operations are commands to the
 * delegatee of the node. The formats are in delegation.h. */
#ifndef HY_NET_DELEGATED_DELEGATED_NET_H
#define HY_NET_DELEGATED_DELEGATED_NET_H

#include <pthread.h>

#include "net/delegated/delegation.h"
#include "net/net.h"

/* A command that was posted and whose result is wanted. It must not move until then. */
typedef struct delegated_post {
    struct delegated_ring *ring;
    uint64_t number;
    _Atomic uint64_t done; /* as in the slot, if that was needed for another command; else 0 */
    uint64_t before;       /* with `done` */
} delegated_post;

/* A move through the staging buffer (delegated_staging.c). It must not move until it is over or
 * forgotten, and `command` and `local` stay until then. */
typedef struct delegated_staged {
    struct delegated_staged *next;
    const hy_ep *ep;
    const hy_command *command; /* for the whole */
    uint8_t *local;
    uint64_t pieces, copied, begun, ended;
    delegated_post posts[2];
    int status; /* the first error of a piece */
    bool over;
} delegated_staged;

/* This process's side of a ring. The lock is held while a command is written, but not while a
 * thread waits. */
typedef struct delegated_ring {
    HY_ALIGNED pthread_mutex_t lock;
    hy_ring *shared;
    uint64_t next;                        /* number of the next command */
    delegated_post *posts[HY_RING_DEPTH]; /* who wants the result in this slot; NULL: nobody */
    /* Moves that use the staging buffer, the first one, or wait for it. The lock is for them and
     * their members. */
    pthread_mutex_t staging;
    delegated_staged *staged;
} delegated_ring;

typedef struct delegated_net {
    hy_net net;
    hy_net_attr attr;
    hy_delegation *delegation;
    _Atomic uint32_t *states; /* of the nodes */
    hy_delegation_rank *slot; /* of this rank */
    hy_wait_policy policy;    /* of loops of its own: that of the job (job/await.h) is above */
    uint64_t silence;         /* ns */
    uint64_t cookie; /* random; the delegatee reads it to check that it reaches this process */
    /* The delegatee's beat, for the decision whether it is silent. */
    pthread_mutex_t looking;
    uint64_t beat, beat_since, looked;
    _Atomic bool silent; /* it was for too long: what it still does is not trusted any more */
    delegated_ring rings[HY_RINGS];
} delegated_net;

static inline delegated_net *delegated_of(hy_net *net)
{
    return (delegated_net *)(void *)net;
}

static inline delegated_ring *delegated_ring_of(const hy_ep *ep)
{
    return &delegated_of(ep->net)->rings[hy_ring_of_lane(ep->lane)];
}

/* ---- delegated_post.c ---- */

/* Posts a command, of which `posted` and `done` are ignored. post NULL: nobody wants the result.
 * IN_PROGRESS: the ring is full. */
int delegated_try(const hy_ep *ep, const hy_command *command, const uint8_t *payload,
                  delegated_post *post);

/* The same, but waits for room. PEER_FAILED: the delegatee has ended. */
int delegated_send(const hy_ep *ep, const hy_command *command, const uint8_t *payload,
                   delegated_post *post);

/* IN_PROGRESS, or the status that the delegatee gave. `before`: of an ATOMIC, else NULL. */
int delegated_answer(delegated_post *post, uint64_t *before);

/* Reports the error of a command with this status, as the caller's last error. */
int delegated_fail(const hy_ep *ep, int status);

/* delegated_answer(), with its error reported. */
int delegated_result(const hy_ep *ep, delegated_post *post, uint64_t *before);

/* Waits for it, until the delegatee has ended or is silent. Then the result is not wanted any
 * more. */
int delegated_await(const hy_ep *ep, delegated_post *post, uint64_t *before);

/* The result is not wanted any more. */
void delegated_forget(delegated_post *post);

/* ---- delegated_staging.c ---- */

/* Queues a move; it begins in a test. Does not wait, like the functions below. */
void delegated_stage(delegated_staged *s, const hy_ep *ep, const hy_command *command, void *local);

/* Lets the moves of the ring go on. IN_PROGRESS, or the result. *begun: how many of its pieces are
 * in the ring or were. */
int delegated_staged_test(delegated_staged *s, uint64_t *begun);

/* The result is not wanted any more, because the delegatee has ended or is silent, or the move has
 * not begun. */
void delegated_staged_forget(delegated_staged *s);

/* ---- delegated_net.c ---- */

/* Whether the delegatee and the node of this rank live, and all commands whose results nobody
 * wanted were carried out; called in slow turns. PEER_FAILED, or the error of the lost command. */
int delegated_look(const hy_ep *ep);

/* The same without the node: for commands that were posted. The delegatee answers them even if
 * their node has failed, and may use their memory until then. */
int delegated_look_at_delegatee(const hy_ep *ep);

/* Whether all commands were carried out whose results nobody wanted: else the error of the first.
 */
int delegated_look_at_lost(const delegated_net *net);

/* PEER_FAILED: the rank's node has failed, with what the delegatee knows about it. */
int delegated_fail_node(const hy_ep *ep);

/* Whether commands to this rank fail, as far as is known: five loads. */
static inline bool delegated_has_failed(const hy_ep *ep)
{
    delegated_net *net = delegated_of(ep->net);
    int node = net->attr.node_of(net->attr.lookup_context, ep->rank);
    return hy_load_relaxed(&net->delegation->state) == HY_DELEGATEE_ENDED ||
           hy_load_relaxed(&net->silent) || hy_load_relaxed(&net->slot->lost) ||
           hy_load_relaxed(&net->states[node]) & HY_NODE_FAILED;
}

extern const hy_path_ops delegated_row;

#endif
