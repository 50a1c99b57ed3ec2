/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The provider of networks (net_provider.h) that speaks libfabric: an endpoint is one of libfabric
 * with a domain and a completion queue of its own.
 *
 * Endpoint 0 is what others know: messages and accesses of all peers arrive at it. By the others,
 * up to HAYATE_ENDPOINTS of them all, only one's own operations go out, and the answers come
 * back. An endpoint that asks something for the first time tells its address before. All lanes of
 * an endpoint share one connection to a peer.
 *
 * Data go by RMA writes and reads; signals, flags, atomics and fences are messages (net_message.h).
 * (What a device does to a word of memory is in general not atomic with what the processor does,
 * and libfabric has no way to ask.)
 *
 * Data before flag: where the provider keeps sends and reads behind writes (FI_ORDER_SAW and RAW;
 * tcp;ofi_rxm and verbs;ofi_rxm do), the network is `ordered`: a message simply follows the writes,
 * and a flush is a message that is answered. Elsewhere (shm, efa) writes complete on delivery
 * (FI_DELIVERY_COMPLETE), and a message or a read waits until none to its peer is under way.
 * Messages are ordered among themselves by all (FI_ORDER_SAS), which is asked for. A short put is
 * held, and rides in the message behind it (ofi_message.c).
 *
 * Strangers: a message without the token of its receiver is dropped, and counted; the key of the
 * part is random where the provider lets it be chosen. Both go to members of the job only, in the
 * address. What a member sends is checked: rank, length, offset, alignment. But before that
 * libfabric itself reads what comes, and it trusts whoever has connected. One harm is known:
 * ofi_rxm fetches messages that are longer than its buffers, and for each whose sender is gone by
 * then it loses a receive of its own (1.17 and newer), of 2048 that it has; without them the rank
 * is deaf. So only the job's hosts may connect, where the endpoint is a socket (ofi_guard.c).
 */
#ifndef HY_PATH_OFI_NET_H
#define HY_PATH_OFI_NET_H

#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_rma.h>

#include "path/net_provider.h"
#include "path/ofi/ofi_choose.h"

#define OFI_OPS 512          /* writes, reads and messages under way by endpoint 0 */
#define OFI_OPS_FURTHER 256  /* by another endpoint */
#define OFI_OPS_PEER 128     /* of these to one peer, which may be stuck */
#define OFI_RECEIVES 256     /* messages that wait to be looked at */
#define OFI_ANSWERS 64       /* by another endpoint */
#define OFI_COPIED 4096      /* bytes up to which put() copies instead of waiting */
#define OFI_OWNED (64 << 10) /* bytes of one read to memory that is not of the part */
#define OFI_CHUNK (8 << 20)  /* bytes of one RMA operation: what is long shows that it goes on */

typedef struct ofi_peer {
    hy_net_peer base;
    hy_net_conn conn;
    fi_addr_t address;
    uint64_t key;
    uint64_t refused;     /* since when nothing can be posted and nothing is under way; 0: not */
    uint64_t begun;       /* RMA operations, ever */
    uint32_t pending;     /* those under way */
    uint32_t sending;     /* and messages of which a completion will tell */
    bool told;            /* it knows of this endpoint, and what its address is */
    fi_addr_t *endpoints; /* [HY_NET_ENDPOINTS] addresses of its endpoints; NULL: it told none */
} ofi_peer;

enum ofi_use { OFI_FREE, OFI_RMA, OFI_SEND, OFI_WATCH, OFI_RECEIVE, OFI_REPLY };

/* What is under way. It begins with what the provider may use. */
typedef struct ofi_op {
    struct fi_context2 provider;
    enum ofi_use use;
    struct ofi_op *next;
    ofi_peer *peer;
    uint64_t number;   /* of an RMA operation, among those of its peer */
    fi_addr_t to;      /* of a reply */
    struct fid_mr *mr; /* registered for this operation alone */
    uint32_t *left;    /* of the call that waits for it */
    uint8_t *data;     /* OFI_COPIED bytes, or a hy_net_message */
    uint8_t *owned;    /* OFI_OWNED bytes, for long reads to `memory`; NULL until the first */
    uint8_t *memory;   /* of the caller's, `len` bytes; NULL: nothing is copied */
    size_t len;
} ofi_op;

/* A short put that waits for a message to ride in. */
typedef struct ofi_held {
    uint64_t offset, len;
    uint8_t data[HY_NET_PIGGYBACK];
} ofi_held;

typedef struct ofi_endpoint {
    hy_net_endpoint base;
    struct fid_domain *domain;
    struct fid_av *av;
    struct fid_cq *cq;
    int descriptor; /* readable when something comes, once it is armed; -1: there is none */
    struct fid_ep *ep;
    struct fid_mr *part_mr, *own_mr; /* of another endpoint only where local memory is registered */
    bool closing;
    int ops_count, receives_count;
    uint8_t *buffers; /* of all ops */
    ofi_op *ops, *receives;
    ofi_op *free;
    ofi_op *unsent, **unsent_end; /* replies that the provider had no room for */
    ofi_op *unposted;             /* receives likewise */
    ofi_peer *held_for;           /* NULL: nothing is held */
    ofi_held held;
    uint64_t holds;             /* puts that were held, ever */
    uint64_t registrations;     /* of the memory of single operations, ever: their keys */
    _Atomic uint32_t under_way; /* operations whose end will be told */
    _Atomic uint32_t quiet;     /* looks at the queue since something was posted or came */
    uint8_t address[HY_SLOT_PAYLOAD];
    size_t address_bytes;
} ofi_endpoint;

typedef struct ofi_net {
    hy_net_base base;
    const hy_ofi_calls *calls;
    struct fi_info *info;
    struct fid_fabric *fabric;
    bool ordered, local_mr; /* local_mr: memory of one's own is registered, too */
    uint64_t chunk, inject;
    enum fi_wait_obj wait_object; /* NONE: the provider cannot tell when something comes */
} ofi_net;

static inline ofi_net *ofi_of(hy_net *net)
{
    return (ofi_net *)net;
}

static inline ofi_net *ofi_net_of(const ofi_endpoint *endpoint)
{
    return (ofi_net *)endpoint->base.net;
}

static inline ofi_endpoint *ofi_endpoint_of(const hy_net_endpoint *endpoint)
{
    return (ofi_endpoint *)(uintptr_t)endpoint;
}

static inline ofi_peer *ofi_peer_of(const hy_net_conn *conn)
{
    return (ofi_peer *)conn->peer;
}

static inline ofi_peer *ofi_from(hy_net_peer *peer)
{
    return (ofi_peer *)peer;
}

/* One more, whose end will be told, in this count of a peer. */
static inline void ofi_under_way(ofi_endpoint *endpoint, uint32_t *of_peer)
{
    ++*of_peer;
    atomic_fetch_add_explicit(&endpoint->under_way, 1, memory_order_relaxed);
}

static inline void *ofi_desc(struct fid_mr *mr)
{
    return mr ? fi_mr_desc(mr) : NULL;
}

extern const hy_net_provider ofi_provider;

/* ---- ofi_op.c: operations under way, and what posting calls say ---- */

/* Fails with the text of a negative result of libfabric. */
int ofi_fail_call(const ofi_net *net, int code, const char *call, long result);
/* Of a call that may want memory locked: NO_MEMORY names the limit, else SYSTEM. */
int ofi_fail_resource(const ofi_net *net, const char *call, long result);
/* OK, IN_PROGRESS (no room), or PEER_FAILED. */
int ofi_posted(ofi_endpoint *endpoint, ofi_peer *peer, const char *call, long result);
/* NULL: none is free. */
ofi_op *ofi_op_try(ofi_endpoint *endpoint, ofi_peer *peer, enum ofi_use use);
/* The same, where one peer does not have them all. */
ofi_op *ofi_op_take(ofi_endpoint *endpoint, ofi_peer *peer, enum ofi_use use);
void ofi_op_give(ofi_endpoint *endpoint, ofi_op *op);
void ofi_receive_post(ofi_endpoint *endpoint, ofi_op *op);
void ofi_mark(const hy_net_conn *conn, hy_net_order *order);
bool ofi_is_over(const hy_net_endpoint *endpoint, const hy_net_conn *conn, hy_net_order *order);
/* Where order is not kept behind writes, are those over that were begun before the first call with
 * this order, also one that was held by then? */
bool ofi_is_behind(const ofi_endpoint *endpoint, const ofi_peer *peer, hy_net_order *order);
void ofi_forget(hy_net_endpoint *endpoint, hy_net_conn *conn, const uint32_t *left);
bool ofi_is_idle(const hy_net_conn *conn);

/* ---- ofi_peer.c ---- */

/* Writes this process's address. */
int ofi_address_make(ofi_net *net);
int ofi_add_peer(hy_net_endpoint *endpoint, hy_net_peer *peer, const uint8_t *address,
                 size_t bytes);
void ofi_remove_peer(hy_net_endpoint *endpoint, hy_net_peer *peer);
hy_net_conn *ofi_conn_of(hy_net_peer *peer, int lane);
int ofi_connect(hy_net_endpoint *endpoint, hy_net_peer *peer, int lane, hy_net_conn **conn);
/* It says that its endpoint of this number has this address. */
void ofi_peer_has_endpoint(ofi_endpoint *endpoint, const hy_net_message *message);
/* Where an answer to it goes; FI_ADDR_UNSPEC: it never told. */
fi_addr_t ofi_peer_endpoint(const ofi_peer *peer, int number);

/* ---- ofi_guard.c: only the hosts of the job may connect to it from now on, if it is a socket ----
 */

void ofi_guard(const ofi_endpoint *endpoint);

/* ---- ofi_message.c ---- */

int ofi_send(hy_net_endpoint *endpoint, hy_net_conn *conn, hy_net_send *send);
bool ofi_say(hy_net_endpoint *endpoint, hy_net_conn *conn, enum hy_net_kind kind);
bool ofi_hold(hy_net_endpoint *endpoint, hy_net_conn *conn, uint64_t remote, const void *local,
              size_t len);
int ofi_let_go(hy_net_endpoint *endpoint, hy_net_conn *conn);
/* What is held goes, if there is room. */
void ofi_release_held(ofi_endpoint *endpoint);

/* ---- ofi_transfer.c ---- */

int ofi_move(hy_net_endpoint *endpoint, hy_net_conn *conn, hy_net_transfer *transfer);

/* ---- ofi_poll.c ---- */

int ofi_poll(hy_net_endpoint *endpoint);
int ofi_poll_others(hy_net_endpoint *endpoint);
int ofi_progress(hy_net *net);
/* Carries a message out that came in; true: op holds an answer to op->peer. */
bool ofi_deliver(ofi_endpoint *endpoint, ofi_op *op, size_t bytes);
int ofi_arm(void *net, struct pollfd *descriptors);

/* ---- ofi_watch.c ---- */

void ofi_watch(hy_net_endpoint *endpoint, hy_net_peer *peer, bool wanted);

/* ---- ofi_endpoint.c ---- */

int ofi_open_endpoint(hy_net_base *net, int number, hy_net_endpoint **endpoint);
void ofi_close_endpoint(hy_net_endpoint *endpoint);

#endif
