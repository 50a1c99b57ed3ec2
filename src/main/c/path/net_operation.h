/* SPDX-License-Identifier: Apache-2.0 */
/* Operations of a network that go on: each is taken as far as it goes now by a step, and never
 * waits itself. The lock of its endpoint is held. */
#ifndef HY_PATH_NET_OPERATION_H
#define HY_PATH_NET_OPERATION_H

#include "base/status.h"
#include "path/net_provider.h"

enum hy_net_doing {
    HY_NET_MOVE,       /* a put or a get */
    HY_NET_ASK_ANSWER, /* a question, or an atomic */
    HY_NET_FENCE,      /* a flush */
    HY_NET_SETTLE,     /* a flush without a question */
};

typedef struct hy_net_operation {
    hy_net_endpoint *endpoint;
    hy_net_peer *peer;
    hy_net_conn *conn; /* NULL: it is not there or not ready yet */
    int lane;
    enum hy_net_doing doing;
    hy_net_ticket *ticket;     /* of a question under way */
    bool sent;                 /* the question */
    bool cleared;              /* nothing older may write what is moved */
    bool posted;               /* all that is moved */
    bool decided, asks, reads; /* a fence: how */
    bool advanced;             /* since the caller looked */
    uint32_t left;             /* pieces under way */
    uint64_t writes, messages; /* that are there when what is waited for has come */
    uint64_t *value;           /* of the answer; NULL: nobody wants it */
    hy_net_wait wait;
    hy_ratelimit look;
    hy_net_transfer transfer;
    /* From here on init() leaves alone what only some operations use. */
    hy_net_order order;
    hy_net_send question;
    uint8_t back[8]; /* a fence reads */
} hy_net_operation;

void hy_net_operation_init(hy_net_operation *operation, hy_net_endpoint *endpoint,
                           hy_net_peer *peer, enum hy_net_doing doing);

/* Waits until it is over. PEER_FAILED, NO_MEMORY. */
int hy_net_operation_run(hy_net_operation *operation);

/* Is it over? IN_PROGRESS, or as run(). Looks at whether the peer lives, but lets nothing else
 * work. */
int hy_net_operation_test(hy_net_operation *operation);

/* The connection: IN_PROGRESS, while it is made. */
static inline int hy_net_connect(hy_net_endpoint *endpoint, hy_net_peer *peer, int lane,
                                 hy_net_conn **conn)
{
    const hy_net_provider *provider = endpoint->net->provider;
    *conn = provider->conn_of(peer, lane);
    int rc = hy_likely(*conn != NULL) ? HAYATE_OK : provider->connect(endpoint, peer, lane, conn);
    return hy_likely(rc || (*conn)->ready) ? rc : HAYATE_IN_PROGRESS;
}

#endif
