/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of a network that is made of messages and RMA: what all of them share, over the
 * functions of a *provider*, the part that speaks a library (path/ofi, path/verbs). Its structures
 * begin with those below.
 *
 * A network has a few *endpoints*, each with a lock, completion queues and buffers of its own. What
 * is in an endpoint, its peers and connections is read and written under its lock, and functions
 * that are given one expect that to be held, unless they are of the table hy_net_ops or
 * hy_path_ops. Lane 0 goes by endpoint 0, whose address others know. The other lanes are shared out
 * among the other endpoints, each opened at its first use, so that threads on different lanes do
 * not meet. Who holds the lock of endpoint 0 may take that of another, never the other way round,
 * but by trying.
 *
 * A *connection* keeps messages to a peer in their order. Providers have one for each lane of a
 * peer, or one for all lanes of an endpoint.
 *
 * A provider never waits: what has no room is HAYATE_IN_PROGRESS, and is tried again. All waiting
 * is here: by hy_net_turn() in calls that block, by hy_path_op in those that do not (net_row.c).
 */
#ifndef HY_PATH_NET_PROVIDER_H
#define HY_PATH_NET_PROVIDER_H

#include <pthread.h>

#include "path/net_progress.h"
#include "path/net_life.h"
#include "path/net_message.h"
#include "path/net_piggyback.h"
#include "path/net_table.h"

#define HY_NET_ENDPOINTS 64 /* at most */
#define HY_NET_RARELY 64    /* polls between looks at what nobody asked for; a power of 2 */

typedef struct hy_net_provider hy_net_provider;
typedef struct hy_net_endpoint hy_net_endpoint;

/* A peer, as an endpoint knows it: by its address, from the first use on. */
typedef struct hy_net_peer {
    hy_net_life life;
    uint64_t part_bytes, base, token; /* base: what names offset 0 of its part */
} hy_net_peer;

typedef struct hy_net_conn {
    hy_net_peer *peer;
    bool ready;                            /* messages can go */
    uint64_t writes, messages;             /* ever; a write counts from when it is held */
    uint64_t writes_there, messages_there; /* as a fence has seen */
    hy_net_piggybacks piggybacks;          /* among the messages */
} hy_net_conn;

struct hy_net_endpoint {
    struct hy_net_base *net;
    int number;
    pthread_mutex_t lock;
    hy_net_tickets tickets;
    hy_net_table peers;
    hy_net_conn **conns; /* all */
    uint32_t conn_count, conn_room;
    hy_net_dropped dropped;
    uint64_t turns; /* polls */
    uint64_t seen;  /* of these, when the progress thread last looked */
};

typedef struct hy_net_base {
    hy_net net;
    const hy_net_provider *provider;
    hy_net_attr attr;
    uint64_t token;
    _Atomic uint64_t silence; /* ns */
    bool leaving;
    _Atomic uint32_t *peer_states; /* of all ranks, for all endpoints: hy_net_peer_state */
    bool *parted; /* those that were told that this rank leaves: of who leaves alone */
    int endpoints_wanted;
    _Atomic int highest;                                  /* number of an endpoint that is open */
    hy_net_endpoint *_Atomic endpoints[HY_NET_ENDPOINTS]; /* NULL: not used yet; may be the first */
    pthread_mutex_t opening; /* of who opens an endpoint; may be taken with the lock of the first */
    pthread_mutex_t looking; /* of who looks up an address; that of its endpoint is held */
    hy_net_progress *progress;
    uint8_t address[HY_NET_ADDRESS];
    size_t address_bytes;
} hy_net_base;

/* Operations on a connection that are behind others: all that were begun before a moment. */
typedef struct hy_net_order {
    uint64_t number; /* the provider's; it is marked() */
    uint64_t holds;
    uint32_t passed; /* the provider's: operations that need no second look */
    bool marked, held;
} hy_net_order;

/* A message on its way to the queue; zero but for message and bytes (of its payload). */
typedef struct hy_net_send {
    hy_net_message message;
    size_t bytes;
    hy_net_order order;
} hy_net_send;

/* What is left of a put or a get to be posted. */
typedef struct hy_net_transfer {
    bool write;
    bool begun, direct; /* the provider's */
    uint64_t remote;
    uint8_t *local;
    size_t bytes;
    uint32_t *left; /* pieces under way that use `local`; NULL: nobody waits for them */
    hy_net_order order;
} hy_net_transfer;

struct hy_net_provider {
    /* Makes an endpoint: of its first part only what hy_net_endpoint_init() does. */
    int (*open_endpoint)(hy_net_base *net, int number, hy_net_endpoint **endpoint);
    void (*close_endpoint)(hy_net_endpoint *endpoint);
    /* One look at the completion queues. Number of events. */
    int (*poll)(hy_net_endpoint *endpoint);
    /* The same at other endpoints, by trying: where that may come what is waited for at this one,
     * whose lock is not held. NULL: there are none. */
    int (*poll_others)(hy_net_endpoint *endpoint);
    /* Releases all that open() made, or a part of it, and the network itself. */
    void (*release)(hy_net_base *net);
    /* See hy_net_duties; NULL: there are no descriptors. */
    int (*arm)(void *net, struct pollfd *descriptors);

    size_t peer_bytes;
    /* Reads the peer's address (HY_NET_ADDRESS bytes, and a 0): CORRUPT, LAUNCH, ... Rank and fate
     * are there. */
    int (*add_peer)(hy_net_endpoint *endpoint, hy_net_peer *peer, const uint8_t *address,
                    size_t bytes);
    void (*remove_peer)(hy_net_endpoint *endpoint, hy_net_peer *peer);
    /* It has failed: ends what is under way to it, of which nothing more is copied to callers'
     * memory. NULL: nothing is to be done. */
    void (*break_off)(hy_net_endpoint *endpoint, hy_net_peer *peer);
    /* In a wait for the peer, now and then; wanted: asks for a sign of life, unless one is asked
     * for. */
    void (*watch)(hy_net_endpoint *endpoint, hy_net_peer *peer, bool wanted);
    /* NULL: there is none yet. */
    hy_net_conn *(*conn_of)(hy_net_peer *peer, int lane);
    /* Makes it, if there is none, and waits for nothing: it may not be ready yet. */
    int (*connect)(hy_net_endpoint *endpoint, hy_net_peer *peer, int lane, hy_net_conn **conn);

    /* Sends a message behind all writes that were begun before: OK, IN_PROGRESS, PEER_FAILED.
     * Token, rank and bytes are filled in. */
    int (*send)(hy_net_endpoint *endpoint, hy_net_conn *conn, hy_net_send *send);
    /* A message that is but its kind (an ASK is one without a ticket). False: there is no room. */
    bool (*say)(hy_net_endpoint *endpoint, hy_net_conn *conn, enum hy_net_kind kind);
    /* Posts what is left of the transfer, as far as there is room: OK (all), IN_PROGRESS,
     * PEER_FAILED, NO_MEMORY. What is copied does not count in *left. */
    int (*move)(hy_net_endpoint *endpoint, hy_net_conn *conn, hy_net_transfer *transfer);
    /* Keeps a short put to go with what follows it. False: it cannot be held. NULL, and let_go():
     * nothing ever is. */
    bool (*hold)(hy_net_endpoint *endpoint, hy_net_conn *conn, uint64_t remote, const void *local,
                 size_t len);
    /* What is held for the connection goes: OK, IN_PROGRESS. */
    int (*let_go)(hy_net_endpoint *endpoint, hy_net_conn *conn);
    /* Nobody waits with this counter any more, and nothing is copied for it. */
    void (*forget)(hy_net_endpoint *endpoint, hy_net_conn *conn, const uint32_t *left);
    /* Notes in an order, which is zero, what has been begun; and is all of that over? */
    void (*mark)(const hy_net_conn *conn, hy_net_order *order);
    bool (*is_over)(const hy_net_endpoint *endpoint, const hy_net_conn *conn, hy_net_order *order);
    /* Has all that was said left this process? */
    bool (*is_idle)(const hy_net_conn *conn);
    bool reads_back; /* what was written is there when a read behind it comes back */
};

static inline hy_net_base *hy_net_base_of(hy_net *net)
{
    return (hy_net_base *)(void *)net;
}

/* ---- net_open.c ---- */

/* The first part of a network, which is zero; hy_net_base_free() frees what it holds, also after a
 * failure. NO_MEMORY, SYSTEM, ARGUMENT (HAYATE_ENDPOINTS). */
int hy_net_base_init(hy_net_base *net, const hy_net_ops *ops, const hy_net_provider *provider,
                     const hy_net_attr *attr);
void hy_net_base_free(hy_net_base *net);
int hy_net_open_first(hy_net_base *net);
void hy_net_close_endpoints(hy_net_base *net);

/* Of the table of networks. */
void hy_net_address(const hy_net *net, void *address, size_t *len);
void hy_net_attach(hy_net *net, hy_ep *ep, int rank, int lane);

/* ---- net_duties.c ---- */

/* Starts the progress thread. */
int hy_net_keep(hy_net_base *net, bool has_descriptors);
bool hy_net_watches(hy_net *net);

/* ---- net_leave.c: of the table of networks ---- */

void hy_net_leave(hy_net *net);
void hy_net_close(hy_net *net);

/* ---- net_row.c: of the table of networks; and the row ---- */

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

/* All that was sent by the connection before is there, and what was begun is over. asks: or that
 * alone. PEER_FAILED. */
int hy_net_fence(hy_net_endpoint *endpoint, hy_net_conn *conn, bool asks);

#define HY_NET_ROW \
    .put = hy_net_put, .get = hy_net_get, .signal = hy_net_signal, .put_start = hy_net_put_start, \
    .get_start = hy_net_get_start, .put_flag = hy_net_put_flag, .atomic = hy_net_atomic, \
    .flush = hy_net_flush, .begin = hy_net_begin, .test = hy_net_test

#define HY_NET_OPS \
    .address = hy_net_address, .attach = hy_net_attach, .watches = hy_net_watches, \
    .check = hy_net_check, .has_left = hy_net_has_left, .leave = hy_net_leave, \
    .close = hy_net_close

/* ---- net_peer.c ---- */

/* The peer, by its address at its first use: PEER_FAILED, CORRUPT (the address), or what lookup()
 * says. */
int hy_net_peer_find(hy_net_endpoint *endpoint, int rank, hy_net_peer **peer);
/* Has it failed, here or by another endpoint? Breaks off what is under way to it, then. */
bool hy_net_peer_failed(hy_net_endpoint *endpoint, hy_net_peer *peer);
/* Fails it. */
void hy_net_peer_lost(hy_net_endpoint *endpoint, hy_net_peer *peer, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* On slow turns of a wait for it since then; 0: of no certain one. PEER_FAILED. */
int hy_net_peer_watch(hy_net_endpoint *endpoint, hy_net_peer *peer, uint64_t since);
/* Notes a new connection, as the last of endpoint->conns. NO_MEMORY. */
int hy_net_conn_add(hy_net_endpoint *endpoint, hy_net_conn *conn);
/* All of them. */
void hy_net_peers_free(hy_net_endpoint *endpoint);

/* ---- net_endpoint.c ---- */

int hy_net_endpoint_init(hy_net_endpoint *endpoint, hy_net_base *net, int number);
/* When the provider's part is closed. */
void hy_net_endpoint_free(hy_net_endpoint *endpoint);

/* The endpoint of a lane, opened if need be; the first where that fails. The lock of the first may
 * be held, no other's. */
hy_net_endpoint *hy_net_endpoint_open(hy_net_base *net, int number);
static inline hy_net_endpoint *hy_net_endpoint_of(hy_net_base *net, int lane)
{
    int number = lane == 0 || net->endpoints_wanted == 1
                     ? 0
                     : 1 + (lane - 1) % (net->endpoints_wanted - 1);
    hy_net_endpoint *endpoint = hy_load_acquire(&net->endpoints[number]);
    return hy_likely(endpoint) ? endpoint : hy_net_endpoint_open(net, number);
}

/* NULL: none of this number is open. */
static inline hy_net_endpoint *hy_net_endpoint_at(const hy_net_base *net, int number)
{
    hy_net_endpoint *endpoint = hy_load_acquire(&net->endpoints[number]);
    return endpoint && endpoint->number == number ? endpoint : NULL;
}

/* A message came in that is sound. True: *answer, but for its token, is to go back. */
bool hy_net_deliver(hy_net_endpoint *endpoint, const hy_net_message *message, hy_net_head *answer);

/* A wait for something of `peer`, one miss of which is a turn: lets the network work, gives the
 * lock to others for a moment, and fails when the peer has. */
typedef struct hy_net_wait {
    hy_net_peer *peer;
    uint64_t since;
    uint32_t turns, vain;
} hy_net_wait;
int hy_net_turn(hy_net_endpoint *endpoint, hy_net_wait *wait);

/* Polls it, unless somebody holds its lock. Inline in the provider's function that it is given, so
 * that to look at an empty queue takes no call by pointer. */
static inline __attribute__((always_inline)) int hy_net_try(hy_net_endpoint *endpoint,
                                                            int (*poll)(hy_net_endpoint *))
{
    if (pthread_mutex_trylock(&endpoint->lock) != 0) return 0;
    int events = poll(endpoint);
    pthread_mutex_unlock(&endpoint->lock);
    return events;
}

/* Of all endpoints but `held` (NULL: of all), and of those behind the first only if they are awake
 * (NULL: all are). The caller holds no lock but that of `held`. */
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
