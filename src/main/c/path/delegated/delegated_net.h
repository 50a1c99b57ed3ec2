/* SPDX-License-Identifier: Apache-2.0 */
/* The rank's side of delegation: a network (path/net.h) whose operations are commands to the
 * delegatee of the node. The formats are in delegation.h. */
#ifndef HY_PATH_DELEGATED_DELEGATED_NET_H
#define HY_PATH_DELEGATED_DELEGATED_NET_H

#include <pthread.h>

#include "path/delegated/delegation.h"
#include "path/net.h"

/* A command that was posted and whose result is wanted. It must not move until then. */
typedef struct delegated_post {
    struct delegated_ring *ring;
    uint64_t number;
    _Atomic uint64_t done; /* as in the slot, if that was needed for another command; else 0 */
    uint64_t before;       /* with `done` */
} delegated_post;

/* This process's side of a ring. The lock is held while a command is written, but not while a
 * thread waits. */
typedef struct delegated_ring {
    HY_ALIGNED pthread_mutex_t lock;
    hy_ring *shared;
    uint64_t next;                        /* number of the next command */
    delegated_post *posts[HY_RING_DEPTH]; /* who wants the result in this slot; NULL: nobody */
    pthread_mutex_t staging;              /* held by the thread that uses the staging buffer */
} delegated_ring;

typedef struct delegated_net {
    hy_net net;
    hy_net_attr attr;
    hy_delegation *delegation;
    _Atomic uint32_t *states; /* of the nodes */
    hy_delegation_rank *slot; /* of this rank */
    hy_wait_policy policy;
    uint64_t silence; /* ns */
    uint64_t cookie;  /* random; the delegatee reads it to check that it reaches this process */
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

/* IN_PROGRESS, or the status of the command. `before`: of an ATOMIC, else NULL. */
int delegated_result(const hy_ep *ep, delegated_post *post, uint64_t *before);

/* Waits for it, until the delegatee has ended or is silent. Then the result is not wanted any
 * more. */
int delegated_await(const hy_ep *ep, delegated_post *post, uint64_t *before);

/* The result is not wanted any more. */
void delegated_forget(delegated_post *post);

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
