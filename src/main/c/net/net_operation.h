/* SPDX-License-Identifier: Apache-2.0 */
/* Operations of a network that are under way. A step advances an operation as far as possible and
 * never waits. The caller holds the lock of its endpoint. */
#ifndef HY_NET_NET_OPERATION_H
#define HY_NET_NET_OPERATION_H

#include "base/status.h"
#include "net/provider.h"

enum hy_net_doing {
    HY_NET_MOVE,       /* put or get */
    HY_NET_SEND,       /* signal or flag */
    HY_NET_ASK_ANSWER, /* question or atomic */
    HY_NET_FENCE,      /* flush */
    HY_NET_SETTLE,     /* flush without a question */
};

typedef struct hy_net_operation {
    hy_net_endpoint *endpoint;
    hy_net_peer *peer;
    hy_net_conn *conn; /* NULL: not there or not ready yet */
    int lane;
    enum hy_net_doing doing;
    hy_net_ticket *ticket;     /* of the question under way */
    bool sent;                 /* the question was sent */
    bool cleared;              /* nothing older can still write the bytes */
    bool posted;               /* all pieces were posted */
    bool holds;                /* a put that the provider may hold */
    bool decided, asks, reads; /* how the fence works */
    bool advanced;             /* since the caller's last check */
    uint32_t left;             /* pieces under way */
    uint64_t writes, messages; /* counts to reach, at the time of the operation */
    uint64_t *value;           /* where the answer's value goes; NULL: not wanted */
    hy_net_wait wait;
    hy_ratelimit look;
    hy_net_transfer transfer;
    /* init() does not clear the members below, which only some operations use. */
    hy_net_order order;
    hy_net_send question;
    uint8_t back[8]; /* target of a fence that reads */
} hy_net_operation;

void hy_net_operation_init(hy_net_operation *operation, hy_net_endpoint *endpoint,
                           hy_net_peer *peer, enum hy_net_doing doing);

/* Waits until the operation is complete. PEER_FAILED, NO_MEMORY. */
int hy_net_operation_run(hy_net_operation *operation);

/* IN_PROGRESS, or the result like run(). Checks whether the peer lives, but does not let other
 * endpoints work. */
int hy_net_operation_test(hy_net_operation *operation);

/* Finds the connection. IN_PROGRESS while it is being made. */
static inline int hy_net_connect(hy_net_endpoint *endpoint, hy_net_peer *peer, int lane,
                                 hy_net_conn **conn)
{
    const hy_net_provider *provider = endpoint->net->provider;
    *conn = provider->conn_of(peer, lane);
    int rc = hy_likely(*conn != NULL) ? HAYATE_OK : provider->connect(endpoint, peer, lane, conn);
    return hy_likely(rc || (*conn)->ready) ? rc : HAYATE_IN_PROGRESS;
}

#endif
