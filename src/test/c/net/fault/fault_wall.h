/* SPDX-License-Identifier: Apache-2.0 */
/* The connection of the fault path to a peer: operations wait in it, arrive late and out of order,
 * and at a given one it breaks, or is cut. All calls are made under the endpoint's lock. */
#ifndef HY_TEST_FAULT_WALL_H
#define HY_TEST_FAULT_WALL_H

#include "net/provider.h"

typedef enum fault_item_kind { FAULT_PUT, FAULT_GET, FAULT_MESSAGE } fault_item_kind;

typedef struct fault_item {
    struct fault_item *next;
    fault_item_kind kind;
    uint32_t age;
    uint64_t number, remote;
    void *local;
    void *copy; /* `local` points into it; NULL: it is the caller's */
    size_t len;
    uint32_t *left; /* of the call that waits for it */
    hy_net_send send;
} fault_item;

typedef struct fault_wall {
    hy_net_conn conn;
    hy_net_endpoint *endpoint;
    hy_ep inner;
    fault_item *first;
    uint64_t begun; /* items, ever */
    uint64_t random, delay;
    uint64_t left; /* operations until it breaks, 0: it does not */
    bool cuts;     /* it is cut then */
    uint64_t cut;  /* since when nothing arrives; 0: it does */
    bool broken;
    _Atomic uint32_t *here, *there;
    _Atomic bool stands;
} fault_wall;

/* Whoever uses a peer whose connection broke before the first use is told of it then. */
void fault_wall_tell(const fault_wall *w, hy_net_peer *peer);

/* Looks whether it breaks or is cut now; counts: an operation begins. */
void fault_wall_look(fault_wall *w, bool counts);

/* An operation begins. PEER_FAILED if the connection is broken. */
int fault_wall_begin(fault_wall *w);

/* Carries out what arrives now; returns the number of operations. */
int fault_wall_deliver(fault_wall *w);

/* A new operation behind all others. */
fault_item *fault_wall_enqueue(fault_wall *w, fault_item_kind kind, uint64_t remote, void *local,
                               size_t len);

/* Drops the operations of the call that waits for `left`. */
void fault_wall_forget(fault_wall *w, const uint32_t *left);

#endif
