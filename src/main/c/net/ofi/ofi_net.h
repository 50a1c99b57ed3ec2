/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The provider of networks (net/provider.h) that uses libfabric: each endpoint is a libfabric
 * endpoint with its own domain and completion queue.
 *
 * Other ranks know endpoint 0: messages and accesses of all peers arrive there. The other
 * endpoints, up to HAYATE_ENDPOINTS in total, only send operations of this rank and receive the
 * answers. An endpoint tells the peer its address before its first question. All lanes of an
 * endpoint share one connection to a peer.
 *
 * Data travel by RMA writes and reads; signals, flags, atomics and fences are messages
 * (net/message.h). (Operations of a device on a word of memory are in general not atomic with those
 * of the processor, and libfabric cannot be asked about it.)
 *
 * Data before flag: if the provider keeps sends and reads behind writes (FI_ORDER_SAW and RAW;
 * tcp;ofi_rxm and verbs;ofi_rxm do), the network is `ordered`: a message simply follows the writes,
 * and a flush is a message that is answered. Otherwise (shm, efa) writes complete on delivery
 * (FI_DELIVERY_COMPLETE), and a message or a read waits until no write to its peer is under way.
 * All providers order messages among themselves (FI_ORDER_SAS), which is requested. A short put is
 * held, and becomes a piggyback of the message that follows it (ofi_message.c).
 *
 * Security: a message without the token of its receiver is dropped and counted; the key of the part
 * is random if the provider lets it be chosen. Both are given to members of the job only, in the
 * address. What a member sends is checked: rank, length, offset, alignment. But libfabric itself
 * reads everything before that, and it trusts every host that has connected. One attack is known:
 * ofi_rxm fetches messages that are longer than its buffers, and for each message whose sender is
 * gone by then it loses one of its 2048 receives (1.17 and newer); without receives the rank is
 * deaf. So if the endpoint is a socket, only the job's hosts may connect (ofi_guard.c).
 */
#ifndef HY_NET_OFI_NET_H
#define HY_NET_OFI_NET_H

#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_rma.h>

#include "net/provider.h"
#include "net/ofi/ofi_choose.h"

#define OFI_OPS 512          /* writes, reads and messages under way on endpoint 0 */
#define OFI_OPS_FURTHER 256  /* on each other endpoint */
#define OFI_OPS_PEER 128     /* of these, to one peer, which may be stuck */
#define OFI_RECEIVES 256     /* messages that wait to be handled */
#define OFI_ANSWERS 64       /* on each other endpoint */
#define OFI_COPIED 4096      /* put() copies up to this many bytes instead of waiting */
#define OFI_OWNED (64 << 10) /* bytes of one read into memory outside of the part */
#define OFI_CHUNK (8 << 20)  /* bytes of one RMA operation: long transfers show progress */

typedef struct ofi_peer {
    hy_net_peer base;
    hy_net_conn conn;
    fi_addr_t address;
    uint64_t key;
    uint64_t refused;     /* since when no operation can be posted and none is under way; 0: it
                           * can */
    uint64_t begun;       /* number of RMA operations so far */
    uint32_t pending;     /* RMA operations under way */
    uint32_t sending;     /* messages under way whose end is reported */
    bool told;            /* the peer knows the address of this endpoint */
    fi_addr_t *endpoints; /* [HY_NET_ENDPOINTS] addresses of its endpoints; NULL: none are known */
} ofi_peer;

enum ofi_use { OFI_FREE, OFI_RMA, OFI_SEND, OFI_WATCH, OFI_RECEIVE, OFI_REPLY };

/* An operation under way. It begins with the provider's context. */
typedef struct ofi_op {
    struct fi_context2 provider;
    enum ofi_use use;
    struct ofi_op *next;
    ofi_peer *peer;
    uint64_t number;   /* of an RMA operation, in the order of its peer */
    fi_addr_t to;      /* destination of a reply */
    struct fid_mr *mr; /* registered for this operation only */
    uint32_t *left;    /* counter of the call that waits for it */
    uint8_t *data;     /* OFI_COPIED bytes, or a hy_net_message */
    uint8_t *owned;    /* OFI_OWNED bytes for long reads into `memory`; NULL until the first */
    uint8_t *memory;   /* the caller's memory, `len` bytes; NULL: nothing is copied */
    size_t len;
} ofi_op;

/* A short put that waits to become a piggyback. */
typedef struct ofi_held {
    uint64_t offset, len;
    uint8_t data[HY_NET_PIGGYBACK];
} ofi_held;

typedef struct ofi_endpoint {
    hy_net_endpoint base;
    struct fid_domain *domain;
    struct fid_av *av;
    struct fid_cq *cq;
    int descriptor; /* readable when something arrives, once armed; -1: none */
    struct fid_ep *ep;
    struct fid_mr *part_mr, *own_mr; /* for other endpoints only if local memory must be
                                      * registered */
    bool closing;
    int ops_count, receives_count;
    uint8_t *buffers; /* memory of all ops */
    ofi_op *ops, *receives;
    ofi_op *free;
    ofi_op *unsent, **unsent_end; /* replies for which the provider had no room */
    ofi_op *unposted;             /* likewise receives */
    ofi_peer *held_for;           /* NULL: no put is held */
    ofi_held held;
    uint64_t holds;             /* number of held puts so far */
    uint64_t registrations;     /* number of registrations for single operations so far, used as
                                 * their keys */
    _Atomic uint32_t under_way; /* operations whose end is reported */
    _Atomic uint32_t quiet;     /* polls since something was posted or arrived */
    uint8_t address[HY_SLOT_PAYLOAD];
    size_t address_bytes;
} ofi_endpoint;

typedef struct ofi_net {
    hy_net_base base;
    const hy_ofi_calls *calls;
    struct fi_info *info;
    struct fid_fabric *fabric;
    bool ordered, local_mr; /* local_mr: local memory must be registered as well */
    uint64_t chunk, inject;
    enum fi_wait_obj wait_object; /* FI_WAIT_NONE: the provider cannot report arrivals */
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

/* Counts another operation whose end is reported, also in this count of a peer. */
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

/* ---- ofi_op.c: operations under way, and the results of posting calls ---- */

/* Fails with the text of a negative result of libfabric. */
int ofi_fail_call(const ofi_net *net, int code, const char *call, long result);
/* For a call that may need locked memory: NO_MEMORY names the limit; otherwise SYSTEM. */
int ofi_fail_resource(const ofi_net *net, const char *call, long result);
/* OK, IN_PROGRESS (no room), or PEER_FAILED. */
int ofi_posted(ofi_endpoint *endpoint, ofi_peer *peer, const char *call, long result);
/* NULL: none is free. */
ofi_op *ofi_op_try(ofi_endpoint *endpoint, ofi_peer *peer, enum ofi_use use);
/* Likewise, but also NULL if this peer uses its share already. */
ofi_op *ofi_op_take(ofi_endpoint *endpoint, ofi_peer *peer, enum ofi_use use);
void ofi_op_give(ofi_endpoint *endpoint, ofi_op *op);
void ofi_receive_post(ofi_endpoint *endpoint, ofi_op *op);
void ofi_mark(const hy_net_conn *conn, hy_net_order *order);
bool ofi_is_over(const hy_net_endpoint *endpoint, const hy_net_conn *conn, hy_net_order *order);
/* Without order behind writes: whether the writes that were begun before the first call with this
 * order, including held ones, are complete. */
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
/* The peer says that its endpoint of this number has this address. */
void ofi_peer_has_endpoint(ofi_endpoint *endpoint, const hy_net_message *message);
/* The destination of an answer to this endpoint; FI_ADDR_UNSPEC: unknown. */
fi_addr_t ofi_peer_endpoint(const ofi_peer *peer, int number);

/* ---- ofi_guard.c: if the endpoint is a socket, only the job's hosts may connect from now on
 * ---- */

void ofi_guard(const ofi_endpoint *endpoint);

/* ---- ofi_message.c ---- */

int ofi_send(hy_net_endpoint *endpoint, hy_net_conn *conn, hy_net_send *send);
bool ofi_say(hy_net_endpoint *endpoint, hy_net_conn *conn, enum hy_net_kind kind);
bool ofi_hold(hy_net_endpoint *endpoint, hy_net_conn *conn, uint64_t remote, const void *local,
              size_t len);
int ofi_send_held(hy_net_endpoint *endpoint, hy_net_conn *conn);
/* Sends the held put if there is room. */
void ofi_release_held(ofi_endpoint *endpoint);

/* ---- ofi_transfer.c ---- */

int ofi_move(hy_net_endpoint *endpoint, hy_net_conn *conn, hy_net_transfer *transfer);

/* ---- ofi_poll.c ---- */

int ofi_poll(hy_net_endpoint *endpoint);
int ofi_poll_others(hy_net_endpoint *endpoint);
int ofi_progress(hy_net *net);
/* Carries out an incoming message; true: op contains an answer to op->peer. */
bool ofi_deliver(ofi_endpoint *endpoint, ofi_op *op, size_t bytes);
int ofi_arm(void *net, struct pollfd *descriptors);

/* ---- ofi_watch.c ---- */

void ofi_watch(hy_net_endpoint *endpoint, hy_net_peer *peer, bool wanted);

/* ---- ofi_endpoint.c ---- */

int ofi_open_endpoint(hy_net_base *net, int number, hy_net_endpoint **endpoint);
void ofi_close_endpoint(hy_net_endpoint *endpoint);

#endif
