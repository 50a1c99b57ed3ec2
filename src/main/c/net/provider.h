/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The common part of networks that are made of messages and RMA, on top of the functions of a
 * *provider*, which uses one library (net/ofi, net/verbs). The provider's structures begin with
 * those below.
 *
 * A network has a few *endpoints*, each with its own lock, completion queues and buffers. The
 * members of an endpoint, its peers and its connections are accessed under its lock; functions that
 * take an endpoint expect that the caller holds the lock, unless they are in the table hy_net_ops
 * or hy_path_ops. Lane 0 uses endpoint 0, whose address other ranks know. The other lanes are
 * distributed among the other endpoints, each of which is opened at its first use, so that threads
 * on different lanes do not contend. A thread that holds the lock of endpoint 0 may take that of
 * another endpoint; in the other direction it may only try.
 *
 * A *connection* keeps messages to a peer in their order. A provider has one for each lane of a
 * peer, or one for all lanes of an endpoint.
 *
 * A provider never waits: if there is no room it returns HAYATE_IN_PROGRESS, and the call is
 * repeated. All waiting happens here: by hy_net_turn() in blocking calls, by hy_path_op in
 * non-blocking ones (row.c).
 */
#ifndef HY_NET_PROVIDER_H
#define HY_NET_PROVIDER_H

#include <pthread.h>

#include "net/life.h"
#include "net/message.h"
#include "net/net_progress.h"
#include "net/net_table.h"
#include "net/piggyback.h"

#define HY_NET_ENDPOINTS 64 /* maximum */
/* Polls between checks for events that no operation waits for; a power of 2. */
#define HY_NET_RARELY 64

typedef struct hy_net_provider hy_net_provider;
typedef struct hy_net_endpoint hy_net_endpoint;

/* A peer as an endpoint knows it, from the first use on. */
typedef struct hy_net_peer {
    hy_net_life life;
    uint64_t part_bytes, base, token; /* base: the address that stands for offset 0 of its part */
} hy_net_peer;

typedef struct hy_net_conn {
    hy_net_peer *peer;
    bool ready;                            /* messages can be sent */
    uint64_t writes, messages;             /* counts since the start; a write counts from the
                                            * time at which it is held */
    uint64_t writes_there, messages_there; /* the counts that a fence has confirmed */
    hy_net_piggybacks piggybacks;          /* those among the messages under way */
} hy_net_conn;

struct hy_net_endpoint {
    struct hy_net_base *net;
    int number;
    pthread_mutex_t lock;
    hy_net_tickets tickets;
    hy_net_table peers;
    hy_net_conn **conns; /* all connections */
    uint32_t conn_count, conn_room;
    hy_net_dropped dropped;
    uint64_t turns; /* number of polls */
    uint64_t seen;  /* `turns` when the progress thread last looked */
};

typedef struct hy_net_base {
    hy_net net;
    const hy_net_provider *provider;
    hy_net_attr attr;
    uint64_t token;
    _Atomic uint64_t silence; /* ns */
    bool leaving;
    _Atomic uint32_t *peer_states; /* of all ranks and endpoints: enum hy_net_peer_state */
    bool *parted; /* ranks that were told that this rank leaves; used only by the thread that
                   * leaves */
    int endpoints_wanted;
    _Atomic int highest;                                  /* highest number of an open endpoint */
    hy_net_endpoint *_Atomic endpoints[HY_NET_ENDPOINTS]; /* NULL: not used yet; may equal the
                                                           * first */
    pthread_mutex_t opening; /* held while an endpoint is opened; may be taken while the first
                              * endpoint's lock is held */
    pthread_mutex_t looking; /* held during the look-up of an address, while the endpoint's lock
                              * is held */
    hy_net_progress *progress;
    uint8_t address[HY_NET_ADDRESS];
    size_t address_bytes;
} hy_net_base;

/* All operations on a connection that were begun before a moment, for an operation that must follow
 * them. */
typedef struct hy_net_order {
    uint64_t number; /* set by the provider in mark() */
    uint64_t holds;
    uint32_t passed; /* for the provider: operations that need no second check */
    bool marked, held;
} hy_net_order;

/* A message that is to be sent; zero except for the message and `bytes`, the length of its
 * payload. */
typedef struct hy_net_send {
    hy_net_message message;
    size_t bytes;
    hy_net_order order;
} hy_net_send;

/* The rest of a put or get that is still to be posted. */
typedef struct hy_net_transfer {
    bool write;
    bool begun, direct; /* for the provider */
    uint64_t remote;
    uint8_t *local;
    size_t bytes;
    uint32_t *left; /* pieces under way that use `local`; NULL: nobody waits for them */
    hy_net_order order;
} hy_net_transfer;

struct hy_net_provider {
    /* Makes an endpoint. Of its common part, sets only what hy_net_endpoint_init() sets. */
    int (*open_endpoint)(hy_net_base *net, int number, hy_net_endpoint **endpoint);
    void (*close_endpoint)(hy_net_endpoint *endpoint);
    /* Polls the completion queues once. Returns the number of events. */
    int (*poll)(hy_net_endpoint *endpoint);
    /* Polls other endpoints where the awaited event may arrive, if their locks are free; the caller
     * does not hold the lock of this one. NULL: there are no such endpoints. */
    int (*poll_others)(hy_net_endpoint *endpoint);
    /* Releases everything that open() made, or a part of it, and the network itself. */
    void (*release)(hy_net_base *net);
    /* See hy_net_duties; NULL: there are no descriptors. */
    int (*arm)(void *net, struct pollfd *descriptors);

    size_t peer_bytes;
    /* Reads the peer's address (up to HY_NET_ADDRESS bytes, followed by a 0): CORRUPT, LAUNCH, ...
     * Rank and peer state have been set. */
    int (*add_peer)(hy_net_endpoint *endpoint, hy_net_peer *peer, const uint8_t *address,
                    size_t bytes);
    void (*remove_peer)(hy_net_endpoint *endpoint, hy_net_peer *peer);
    /* Called when the peer has failed: ends the operations under way to it, of which nothing more
     * is copied into callers' memory. NULL: nothing to do. */
    void (*break_off)(hy_net_endpoint *endpoint, hy_net_peer *peer);
    /* Called from time to time in a wait for the peer; wanted: request a sign of life, unless a
     * request is under way. */
    void (*watch)(hy_net_endpoint *endpoint, hy_net_peer *peer, bool wanted);
    /* NULL: there is none yet. */
    hy_net_conn *(*conn_of)(hy_net_peer *peer, int lane);
    /* Makes the connection if there is none, without waiting: it may not be ready yet. */
    int (*connect)(hy_net_endpoint *endpoint, hy_net_peer *peer, int lane, hy_net_conn **conn);

    /* Sends a message behind all writes that were begun before: OK, IN_PROGRESS, PEER_FAILED.
     * Token, rank and bytes have been filled in. */
    int (*send)(hy_net_endpoint *endpoint, hy_net_conn *conn, hy_net_send *send);
    /* Sends a message that consists of its kind only (an ASK has no ticket). False: there is no
     * room. */
    bool (*say)(hy_net_endpoint *endpoint, hy_net_conn *conn, enum hy_net_kind kind);
    /* Posts the rest of the transfer as far as there is room: OK (all of it), IN_PROGRESS,
     * PEER_FAILED, NO_MEMORY. Copied pieces do not count in *left. */
    int (*move)(hy_net_endpoint *endpoint, hy_net_conn *conn, hy_net_transfer *transfer);
    /* Keeps a short put to send it together with what follows. False: it cannot be held. NULL, like
     * send_held(): the provider holds nothing. */
    bool (*hold)(hy_net_endpoint *endpoint, hy_net_conn *conn, uint64_t remote, const void *local,
                 size_t len);
    /* Sends what is held for the connection: OK, IN_PROGRESS. */
    int (*send_held)(hy_net_endpoint *endpoint, hy_net_conn *conn);
    /* The counter `left` is no longer waited for, and nothing may be copied for it. */
    void (*forget)(hy_net_endpoint *endpoint, hy_net_conn *conn, const uint32_t *left);
    /* mark() notes in an order, which is zero, what has been begun; is_over() tells whether all of
     * that is complete. */
    void (*mark)(const hy_net_conn *conn, hy_net_order *order);
    bool (*is_over)(const hy_net_endpoint *endpoint, const hy_net_conn *conn, hy_net_order *order);
    /* Whether everything that was sent has left this process. */
    bool (*is_idle)(const hy_net_conn *conn);
    bool reads_back; /* a read that follows writes returns only after the writes have arrived */
};

static inline hy_net_base *hy_net_base_of(hy_net *net)
{
    return (hy_net_base *)(void *)net;
}

/* ---- opening.c ---- */

/* Initialises the common part of a network, which is zero; hy_net_base_free() frees it, also after
 * a failure. NO_MEMORY, SYSTEM, ARGUMENT (HAYATE_ENDPOINTS). */
int hy_net_base_init(hy_net_base *net, const hy_net_ops *ops, const hy_net_provider *provider,
                     const hy_net_attr *attr);
void hy_net_base_free(hy_net_base *net);
int hy_net_open_first(hy_net_base *net);
void hy_net_close_endpoints(hy_net_base *net);

/* Functions of hy_net_ops. */
void hy_net_address(const hy_net *net, void *address, size_t *len);
void hy_net_attach(hy_net *net, hy_ep *ep, int rank, int lane);

/* ---- duties.c ---- */

/* Starts the progress thread. */
int hy_net_keep(hy_net_base *net, bool has_descriptors);
bool hy_net_watches(hy_net *net);

/* ---- leave.c: functions of hy_net_ops ---- */

void hy_net_leave(hy_net *net);
void hy_net_close(hy_net *net);

/* ---- row.c: functions of hy_net_ops and hy_path_ops ---- */

int hy_net_check(hy_ep *ep);
bool hy_net_has_left(hy_ep *ep);
int hy_net_put(hy_ep *ep, uint64_t remote, const void *local, size_t len);
int hy_net_get(hy_ep *ep, uint64_t remote, void *local, size_t len);
void hy_net_signal(hy_ep *ep, uint64_t slot, uint64_t head, const void *payload, size_t len);
int hy_net_put_start(hy_ep *ep, uint64_t remote, const void *local, size_t len);
int hy_net_get_start(hy_ep *ep, uint64_t remote, void *local, size_t len);
int hy_net_put_flag(hy_ep *ep, uint64_t remote, const hy_flag *flag);
int hy_net_atomic(hy_ep *ep, uint64_t remote, hy_atomic what, uint64_t operand, uint64_t expected,
                  uint64_t *before);
int hy_net_flush(hy_ep *ep);
int hy_net_begin(hy_ep *ep, hy_path_op *op);
int hy_net_test(hy_ep *ep, hy_path_op *op);

/* Waits until everything that the connection sent before has arrived, and what was begun is
 * complete. asks: only by a question. PEER_FAILED. */
int hy_net_fence(hy_net_endpoint *endpoint, hy_net_conn *conn, bool asks);

#define HY_NET_ROW \
    .put = hy_net_put, .get = hy_net_get, .signal = hy_net_signal, .put_start = hy_net_put_start, \
    .get_start = hy_net_get_start, .put_flag = hy_net_put_flag, .atomic = hy_net_atomic, \
    .flush = hy_net_flush, .begin = hy_net_begin, .test = hy_net_test

#define HY_NET_OPS \
    .address = hy_net_address, .attach = hy_net_attach, .watches = hy_net_watches, \
    .check = hy_net_check, .has_left = hy_net_has_left, .leave = hy_net_leave, \
    .close = hy_net_close

/* ---- peer.c ---- */

/* Finds the peer; reads its address at its first use. PEER_FAILED, CORRUPT (the address), or the
 * error of lookup(). */
int hy_net_peer_find(hy_net_endpoint *endpoint, int rank, hy_net_peer **peer);
/* Whether it has failed, here or on another endpoint. If so, breaks off the operations under way to
 * it. */
bool hy_net_peer_failed(hy_net_endpoint *endpoint, hy_net_peer *peer);
/* Marks it as failed. */
void hy_net_peer_lost(hy_net_endpoint *endpoint, hy_net_peer *peer, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Called on slow turns of a wait for it since then; 0: of no particular wait. PEER_FAILED. */
int hy_net_peer_watch(hy_net_endpoint *endpoint, hy_net_peer *peer, uint64_t since);
/* Adds a new connection at the end of endpoint->conns. NO_MEMORY. */
int hy_net_conn_add(hy_net_endpoint *endpoint, hy_net_conn *conn);
/* Frees all peers. */
void hy_net_peers_free(hy_net_endpoint *endpoint);

/* ---- endpoint.c ---- */

int hy_net_endpoint_init(hy_net_endpoint *endpoint, hy_net_base *net, int number);
/* Called after the provider's part has been closed. */
void hy_net_endpoint_free(hy_net_endpoint *endpoint);

/* The endpoint with this number, opened if necessary; the first endpoint if that fails. The caller
 * may hold the lock of the first endpoint, but no other. */
hy_net_endpoint *hy_net_endpoint_open(hy_net_base *net, int number);
static inline hy_net_endpoint *hy_net_endpoint_of(hy_net_base *net, int lane)
{
    int number = lane == 0 || net->endpoints_wanted == 1
                     ? 0
                     : 1 + (lane - 1) % (net->endpoints_wanted - 1);
    hy_net_endpoint *endpoint = hy_load_acquire(&net->endpoints[number]);
    return hy_likely(endpoint) ? endpoint : hy_net_endpoint_open(net, number);
}

/* NULL: no endpoint of this number is open. */
static inline hy_net_endpoint *hy_net_endpoint_at(const hy_net_base *net, int number)
{
    hy_net_endpoint *endpoint = hy_load_acquire(&net->endpoints[number]);
    return endpoint && endpoint->number == number ? endpoint : NULL;
}

/* Handles an incoming message that is sound. True: *answer, which lacks only its token, must be
 * sent. */
bool hy_net_deliver(hy_net_endpoint *endpoint, const hy_net_message *message, hy_net_head *answer);

/* A wait for something of `peer`. Each failed attempt is a turn: it lets the network work, releases
 * the lock for a moment, and fails if the peer has failed. */
typedef struct hy_net_wait {
    hy_net_peer *peer;
    uint64_t since;
    uint32_t turns, idle_turns;
} hy_net_wait;
int hy_net_turn(hy_net_endpoint *endpoint, hy_net_wait *wait);

/* Polls the endpoint unless its lock is taken. Inlined into the provider's function that it is
 * given, so that polling an empty queue needs no call through a pointer. */
static inline __attribute__((always_inline)) int hy_net_try(hy_net_endpoint *endpoint,
                                                            int (*poll)(hy_net_endpoint *))
{
    if (pthread_mutex_trylock(&endpoint->lock) != 0) return 0;
    int events = poll(endpoint);
    pthread_mutex_unlock(&endpoint->lock);
    return events;
}

/* Tries all endpoints except `held` (NULL: all); of the further ones only those that are awake
 * (NULL: all). The caller holds no lock but that of `held`. */
static inline __attribute__((always_inline)) int hy_net_try_all(
    const hy_net_base *net, const hy_net_endpoint *held, int (*poll)(hy_net_endpoint *),
    bool (*is_awake)(const hy_net_endpoint *))
{
    int events = 0, highest = hy_load_acquire(&net->highest);
    for (int i = 0; i <= highest; i++) {
        hy_net_endpoint *endpoint = hy_net_endpoint_at(net, i);
        if (endpoint && endpoint != held && (i == 0 || !is_awake || is_awake(endpoint)))
            events += hy_net_try(endpoint, poll);
    }
    return events;
}

#endif
