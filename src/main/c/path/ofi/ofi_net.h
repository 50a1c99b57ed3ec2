/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of the libfabric network: a few *endpoints*, each an endpoint of libfabric with a
 * domain, a completion queue and a lock of its own. What is in an endpoint is read and written
 * under its lock, and functions that are given one and are not of a table expect that to be held.
 *
 * Port 0 is what others know: messages and accesses of all peers arrive at it, and lane 0 goes out
 * by it. The other lanes are shared out among the other endpoints, which are opened on first use,
 * up to HAYATE_ENDPOINTS of them all; by these only one's own operations go out, and the
 * answers come back, so that threads on different lanes do not meet. An endpoint that asks
 * something for the first time tells its address before. Who holds the lock of endpoint 0 may take
 * that of another; never the other way round, but by trying.
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
 * held, and rides in the message behind it (ofi_hold.c).
 *
 * Strangers: a message without the token of its receiver is dropped, and counted; the key of the
 * part is random where the provider lets it be chosen. Both go to members of the job only, in the
 * blob. What a member sends is checked: rank, length, offset, alignment. But before that libfabric
 * itself reads what comes, and it trusts whoever has connected. One harm is known: ofi_rxm fetches
 * messages that are longer than its buffers, and for each whose sender is gone by then it loses a
 * receive of its own (1.17 and newer), of 2048 that it has; without them the rank is deaf. So only
 * the job's hosts may connect, where the endpoint is a socket (ofi_guard.c).
 */
#ifndef HY_PATH_OFI_NET_H
#define HY_PATH_OFI_NET_H

#include <pthread.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_rma.h>

#include "path/net_keeper.h"
#include "path/net_life.h"
#include "path/net_message.h"
#include "path/net_rider.h"
#include "path/net_table.h"
#include "path/ofi/ofi_choose.h"

#define OFI_ENDPOINTS_MOST 64 /* at most */
#define OFI_OPS 512         /* writes, reads and messages of this process under way by endpoint 0 */
#define OFI_OPS_FURTHER 256 /* by another endpoint */
#define OFI_OPS_PEER 128    /* of these to one peer, which may be stuck */
#define OFI_RECEIVES 256    /* messages that wait to be looked at */
#define OFI_ANSWERS 64      /* by another endpoint */
#define OFI_COPIED 4096     /* bytes up to which put() copies instead of waiting */
#define OFI_OWNED (64 << 10) /* bytes of one read to memory that is not of the part */
#define OFI_CHUNK (8 << 20)  /* bytes of one RMA operation: what is long shows that it goes on */

typedef struct ofi_peer {
    hy_net_life life;
    fi_addr_t address;
    uint64_t key, base, token; /* base: what names offset 0 of its part */
    uint64_t part_bytes;
    uint64_t refused; /* since when nothing can be posted and nothing is under way; 0: not */
    uint64_t begun;   /* RMA operations, ever */
    uint32_t pending; /* those under way */
    uint32_t sending; /* and messages of which a completion will tell */
    uint64_t sent, delivered; /* operations, and how many of them a fence has seen there */
    hy_net_riders riders;     /* among them */
    bool told;                /* it knows of this endpoint, and what its address is */
    bool parted;              /* it was told that this rank leaves */
    fi_addr_t
        *endpoints; /* [OFI_ENDPOINTS_MOST] addresses of its endpoints; NULL: it has told none */
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
    uint8_t data[HY_NET_RIDER];
} ofi_held;

typedef struct ofi_endpoint {
    struct ofi_net *net;
    int number;
    pthread_mutex_t lock;
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
    uint64_t holds; /* puts that were held, ever */
    hy_net_tickets tickets;
    uint64_t registrations; /* of the memory of single operations, ever: their keys */
    hy_net_table peers;
    hy_net_dropped dropped;
    _Atomic uint64_t turns;     /* of progress, for the keeper */
    _Atomic uint32_t under_way; /* operations whose end will be told */
    _Atomic uint32_t quiet;     /* looks at the queue since something was posted or came */
    uint8_t address[HY_SLOT_PAYLOAD];
    size_t address_bytes;
} ofi_endpoint;

typedef struct ofi_net {
    hy_net net;
    hy_net_wish wish;
    const hy_ofi_calls *calls;
    struct fi_info *info;
    struct fid_fabric *fabric;
    bool ordered, local_mr; /* local_mr: memory of one's own is registered, too */
    uint64_t token;
    uint64_t chunk, inject;
    enum fi_wait_obj wait_object; /* NONE: the provider cannot tell when something comes */
    uint64_t silence;             /* ns */
    bool leaving;
    _Atomic uint32_t *fates; /* of all ranks, for all endpoints: hy_net_fate */
    int endpoints_wanted;
    ofi_endpoint
        *_Atomic endpoints[OFI_ENDPOINTS_MOST]; /* NULL: not used yet; may be endpoint 0 again */
    pthread_mutex_t opening; /* of who opens an endpoint; no lock of an endpoint is held */
    pthread_mutex_t looking; /* of who looks up an address; that of its endpoint is */
    hy_net_keeper *keeper;
    uint8_t blob[HY_NET_BLOB];
    size_t blob_bytes;
} ofi_net;

static inline ofi_net *ofi_of(hy_net *net)
{
    return (ofi_net *)net;
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

/* ofi_peer.c: fails with the text of a negative result of libfabric. */
int ofi_fail_call(const ofi_net *net, int code, const char *call, long result);
/* Of a call that may want memory locked: NO_MEMORY names the limit, else SYSTEM. */
int ofi_fail_resource(const ofi_net *net, const char *call, long result);

/* ofi_peer.c. The peer, connected by its blob at its first use: PEER_FAILED, CORRUPT (the blob), or
 * what lookup() says. */
int ofi_peer_find(ofi_endpoint *endpoint, int rank, ofi_peer **peer);
/* It says that its endpoint of this number has this address. */
void ofi_peer_has_endpoint(ofi_endpoint *endpoint, const hy_net_message *message);
/* Where an answer to it goes; FI_ADDR_UNSPEC: it never told. */
fi_addr_t ofi_peer_endpoint(const ofi_peer *peer, int number);
void ofi_peers_free(ofi_endpoint *endpoint);
/* Writes this process's blob into net->blob. */
int ofi_blob_make(ofi_net *net);

/* ofi_endpoint.c. The endpoint of a lane, opened if need be; endpoint 0 where that fails. */
ofi_endpoint *ofi_endpoint_of(ofi_net *net, int lane);
int ofi_endpoint_open(ofi_net *net, int number, ofi_endpoint **endpoint);
void ofi_endpoint_close(ofi_endpoint *endpoint);

/* ofi_guard.c. Only the hosts of the job may connect to it from now on, if it is a socket. */
void ofi_guard(const ofi_endpoint *endpoint);

/* ofi_progress.c. One look at the queue; number of events. */
int ofi_drain(ofi_endpoint *endpoint);
/* The same for who does not hold its lock, unless somebody else does. */
int ofi_try(ofi_endpoint *endpoint);
/* Of all endpoints that may have something to do. */
int ofi_try_all(ofi_net *net);
/* A wait for something of `peer` (NULL: of nobody), one miss of which is a turn: lets the network
 * work, gives the lock to others for a moment, and fails when the peer has. */
typedef struct ofi_wait {
    ofi_peer *peer;
    uint64_t since;
    uint32_t turns, vain;
} ofi_wait;
int ofi_turn(ofi_endpoint *endpoint, ofi_wait *wait);
/* What a posting call says: OK, or IN_PROGRESS (no room; a turn was taken), or PEER_FAILED. */
int ofi_posted(ofi_endpoint *endpoint, ofi_wait *wait, const char *call, long result);
/* An op of the pool for wait->peer, waiting for one: PEER_FAILED. */
int ofi_op_take(ofi_endpoint *endpoint, ofi_wait *wait, enum ofi_use use, ofi_op **op);
/* NULL: none is free. */
ofi_op *ofi_op_try(ofi_endpoint *endpoint, ofi_peer *peer, enum ofi_use use);
void ofi_op_give(ofi_endpoint *endpoint, ofi_op *op);
void ofi_receive_post(ofi_endpoint *endpoint, ofi_op *op);

/* ofi_keep.c: starts the keeper; and of the table of networks. */
int ofi_keep(ofi_net *net);
bool ofi_watches(hy_net *net);

/* ofi_life.c. On slow turns of a wait for the peer since then, 0: of no certain one. PEER_FAILED.
 */
int ofi_watch(ofi_endpoint *endpoint, ofi_peer *peer, uint64_t since);
/* A post was accepted, or was not for want of room or of a connection. */
void ofi_accepted(ofi_peer *peer);
void ofi_refused(ofi_peer *peer);

/* ofi_message.c. `bytes` of message->payload count; token, rank and bytes are filled in here. */
int ofi_send(ofi_endpoint *endpoint, ofi_peer *peer, hy_net_message *message, size_t bytes);
/* A message that is but its kind (an ASK is one without a ticket). Waits for nothing: false, there
 * is no room. Its end will be told. */
bool ofi_say(ofi_endpoint *endpoint, ofi_peer *peer, enum hy_net_kind kind);
/* Sends and waits for the answer. `ticket_at` in the payload. */
int ofi_ask(ofi_endpoint *endpoint, ofi_peer *peer, hy_net_message *message, size_t bytes,
            uint64_t *value);
/* All that was sent to the peer before is done there, and what is under way is complete. */
int ofi_fence(ofi_endpoint *endpoint, ofi_peer *peer);
/* Until no RMA to it that was begun before is under way. */
int ofi_settle(ofi_endpoint *endpoint, ofi_peer *peer);

/* One try: libfabric's result. What is held for the peer rides if it has room; `op` NULL: nothing
 * is to tell of its end, for which the message is short enough. */
long ofi_post(ofi_endpoint *endpoint, ofi_peer *peer, hy_net_message *message, size_t bytes,
              ofi_op *op);

/* ofi_hold.c. At most HY_NET_RIDER bytes; false: it cannot be held. */
bool ofi_hold(ofi_endpoint *endpoint, ofi_peer *peer, uint64_t remote, const void *data,
              size_t len);
/* What is held goes, if there is room. */
void ofi_let_go(ofi_endpoint *endpoint);
/* Until nothing is held for the peer. */
int ofi_await_held(ofi_endpoint *endpoint, ofi_peer *peer);
/* The same, and until no message on its way may still write these bytes there. */
int ofi_go_behind(ofi_endpoint *endpoint, ofi_peer *peer, uint64_t remote, uint64_t len);
static inline bool ofi_rides_to(const ofi_peer *peer, uint64_t remote, uint64_t len)
{
    return hy_net_rides_to(&peer->riders, peer->delivered, remote, len);
}

/* ofi_deliver.c. Carries a message out that came in; true: op holds an answer to op->peer. */
bool ofi_deliver(ofi_endpoint *endpoint, ofi_op *op, size_t bytes);

/* ofi_transfer.c: the functions of the row that move data. */
int ofi_put(hy_ep *ep, uint64_t remote, const void *local, size_t len);
int ofi_get(hy_ep *ep, uint64_t remote, void *local, size_t len);
int ofi_put_start(hy_ep *ep, uint64_t remote, const void *local, size_t len);
int ofi_get_start(hy_ep *ep, uint64_t remote, void *local, size_t len);

/* ofi_open.c: of the table of networks. */
int ofi_open(const hy_net_wish *wish, hy_net **net);
void ofi_blob(const hy_net *net, void *blob, size_t *len);
void ofi_attach(hy_net *net, hy_ep *ep, int rank, int lane);
void ofi_describe(const hy_net *net, char *text, size_t room);
/* All that open() made, or a part of it. */
void ofi_release(ofi_net *net);

/* ofi_leave.c: of the table of networks. */
void ofi_leave(hy_net *net);
void ofi_close(hy_net *net);

/* ofi_path.c. */
extern const hy_path_ops hy_path_ofi;
/* Looks at the address, takes the lock of the lane's endpoint and finds the peer; not OK: without.
 */
int ofi_enter(hy_ep *ep, uint64_t remote, uint64_t len, ofi_endpoint **endpoint, ofi_peer **peer);

#endif
