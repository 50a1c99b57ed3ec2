/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The provider of networks (net/provider.h) that uses libibverbs.
 *
 * A *connection* is a reliable queue pair for a (peer, lane). Either side creates it at its first
 * use: each side sends the other the number of its queue pair by datagrams, which are repeated
 * until they are answered (verbs_connect.c). The connections of an endpoint share a receive queue,
 * a completion queue for receives, and one for sends.
 *
 * Endpoint 0 also receives the datagrams. Each side distributes lanes among its endpoints, up to
 * HAYATE_ENDPOINTS of them, independently of the other: everything that a connection sends and
 * receives is handled under the lock of its lane's endpoint on that side. A waiting thread does not
 * know by which lane the awaited event arrives, so it polls all endpoints, those of other threads
 * only if their locks are free. The lock of the greeter is taken last.
 *
 * Data travel by RDMA writes and reads. Signals, flags, atomics and fences are messages
 * (net/message.h), *sends* into the shared receive queue, with the receiver's number of the
 * connection as immediate data. A send is received after all writes before it on its connection, so
 * data arrive before the flag, and the receiver's processor writes the flag, its value last;
 * atomics of a device are not atomic with those of the processor. A write with immediate data would
 * give the same order, but it needs a buffer at the receiver for each write under way: memory for
 * every peer, and flow control back to the sender. Sends share the buffers of all peers, and the
 * device makes the sender wait if there is none.
 *
 * Operations of a connection are numbered and kept in a ring until they are complete. The
 * completion of an operation implies that of all before it: an operation that nobody waits for and
 * that holds no buffer requests no completion. Never more operations are under way than the
 * completion queue has room for, even if all of them fail.
 *
 * A short put is held until the next operation of its connection, which is nearly always the flag
 * that follows it: the put becomes a piggyback of the flag (net/piggyback.h), or one doorbell is
 * rung for both; nobody can observe the delay, because puts alone notify nobody. Any progress sends
 * a held put, at the latest that of the progress thread.
 *
 * Memory of the user is not registered, because it may be freed and mapped again at any time: data
 * are copied through registered buffers. Memory of the rank's own part is used directly.
 *
 * Security: whoever reaches the device can send datagrams and guess numbers. What does not contain
 * the token of its receiver is dropped and counted; the address, which contains the token, is given
 * to members of the job only.
 *
 * The files are listed here in the order of their calls: a file calls only those above it.
 */
#ifndef HY_NET_VERBS_NET_H
#define HY_NET_VERBS_NET_H

#include <arpa/inet.h>

#include "net/provider.h"
#include "net/verbs/verbs_choose.h"

/* One more than the number of operations that a connection can have under way. */
#define VERBS_DEPTH 32
#define VERBS_QUIET 8         /* consecutive operations without a completion */
#define VERBS_HELLOS 64       /* datagrams that wait to be handled */
#define VERBS_REPOSTED 16     /* receives posted by one call; no endpoint has fewer */
#define VERBS_REMADE 8        /* limit of restarts of the datagrams' queue pair */
#define VERBS_LINE 128        /* bytes for a message, a datagram, or a short put */
#define VERBS_PIECE 65536     /* bytes of one operation that uses a buffer */
#define VERBS_CHUNK (1 << 20) /* bytes of one operation that uses none */
#define VERBS_BATCH 8         /* operations per doorbell */

/* A flag in the id of a request: it belongs to a datagram. The id of other requests contains the
 * index of the connection and, in the lower half, the number of the operation. */
#define VERBS_DATAGRAM (UINT64_C(1) << 63)

typedef struct verbs_pool {
    uint8_t *memory;
    size_t bytes; /* of each buffer */
    uint32_t free;
    uint16_t *stack;
} verbs_pool;

/* An operation under way, and what to do when it completes. */
typedef struct verbs_op {
    verbs_pool *pool; /* NULL: no buffer */
    uint8_t *buffer;
    uint8_t *to; /* for a read: the memory to which the buffer is copied */
    uint32_t len;
    uint32_t *left; /* counter of the call that waits for it */
    bool told;      /* it needs a completion; after it is posted: it has requested one */
} verbs_op;

/* `ready` (in base): it is connected, or never will be. */
typedef struct verbs_conn {
    hy_net_conn base;
    struct ibv_qp *qp;
    uint32_t index;  /* index in its endpoint */
    uint32_t theirs; /* its index on the other side */
    uint32_t psn;    /* initial sequence number of this side */
    uint8_t lane;
    uint32_t inline_bytes;
    uint32_t posted, done;    /* operation numbers */
    uint32_t quiet;           /* posted since one requested a completion */
    uint32_t told;            /* number after the last operation that requested one */
    uint64_t asked, asked_at; /* hellos sent, and the time of the last one */
    verbs_op ring[VERBS_DEPTH];
} verbs_conn;

typedef struct verbs_peer {
    hy_net_peer base;
    uint32_t key, datagram_qp, datagram_key;
    union ibv_gid gid;
    uint16_t lid;
    uint8_t mtu;
    bool watching; /* a question is under way, as this operation */
    const verbs_conn *watch;
    uint32_t watch_number;
    struct ibv_ah *address;
    int lanes; /* length of conns */
    verbs_conn **conns;
} verbs_peer;

/* Operations of one connection that are posted with one doorbell. */
typedef struct verbs_batch {
    struct verbs_endpoint *endpoint;
    verbs_conn *conn;
    int count;
    struct ibv_send_wr requests[VERBS_BATCH];
    struct ibv_sge pieces[VERBS_BATCH];
} verbs_batch;

/* An answer for which there was no room. */
typedef struct verbs_reply {
    struct verbs_reply *next;
    verbs_conn *conn;
    hy_net_head head;
} verbs_reply;

/* The sizes of an endpoint. */
typedef struct verbs_sizes {
    uint32_t under_way; /* maximal number of operations */
    uint32_t receives;  /* messages that wait to be handled */
    uint32_t hellos;    /* datagrams that wait to be handled, and as many that can be sent */
    uint32_t lines, pieces;
} verbs_sizes;

typedef struct verbs_endpoint {
    hy_net_endpoint base;
    verbs_sizes sizes;
    struct ibv_cq *sends, *receives;
    struct ibv_srq *srq;
    uint32_t inline_bytes; /* requested size, until a device refuses it */
    uint32_t under_way;
    uint32_t wanted; /* those that requested a completion */
    uint8_t *memory; /* for all buffers */
    size_t memory_bytes;
    struct ibv_mr *own_mr;
    uint8_t *received;             /* buffers of receives */
    uint16_t read[VERBS_REPOSTED]; /* receive buffers that are to be posted again */
    uint32_t read_count;
    verbs_pool lines, pieces;
    uint32_t asking; /* connections that are not ready */
    verbs_reply *replies, **replies_end;
    uint32_t reply_count;
    verbs_batch held; /* short puts that are sent together with what follows them */
    uint8_t held_data[VERBS_BATCH][VERBS_LINE];
} verbs_endpoint;

/* The queue pair for datagrams. Its completions go to the queues of endpoint 0, so it is used under
 * that endpoint's lock, except for sending. */
typedef struct verbs_greeter {
    struct ibv_qp *qp;
    uint32_t key;
    uint8_t *received;    /* buffers of receives */
    uint32_t hearing;     /* receives that are posted */
    uint32_t remade;      /* number of restarts */
    uint64_t deaf;        /* datagrams that failed */
    pthread_mutex_t lock; /* protects the members below; a thread that holds it takes no other
                           * lock */
    verbs_pool lines;
    _Atomic uint32_t saying; /* datagrams being sent; read without the lock */
} verbs_greeter;

typedef struct verbs_net {
    hy_net_base base;
    const hy_verbs_calls *calls;
    hy_verbs_choice choice;
    struct ibv_pd *pd;
    struct ibv_comp_channel *channel; /* of all queues; NULL: the device has none */
    struct ibv_mr *part_mr;
    uint32_t depth;
    uint8_t timeout; /* of one attempt: 4.096 us << timeout */
    verbs_greeter greeter;
} verbs_net;

static inline verbs_net *verbs_of(hy_net *net)
{
    return (verbs_net *)net;
}

static inline verbs_net *verbs_net_of(const verbs_endpoint *endpoint)
{
    return (verbs_net *)endpoint->base.net;
}

static inline verbs_endpoint *verbs_endpoint_of(const hy_net_endpoint *endpoint)
{
    return (verbs_endpoint *)(uintptr_t)endpoint;
}

static inline verbs_endpoint *verbs_first(const verbs_net *net)
{
    return verbs_endpoint_of(net->base.endpoints[0]);
}

static inline verbs_peer *verbs_from(hy_net_peer *peer)
{
    return (verbs_peer *)peer;
}

static inline verbs_peer *verbs_peer_of(const verbs_conn *conn)
{
    return (verbs_peer *)conn->base.peer;
}

static inline verbs_conn *verbs_conn_from(hy_net_conn *conn)
{
    return (verbs_conn *)conn;
}

static inline verbs_conn *verbs_conn_at(const verbs_endpoint *endpoint, uint32_t index)
{
    return (verbs_conn *)endpoint->base.conns[index];
}

/* The contents of a datagram. */
typedef struct verbs_hello {
    uint64_t token; /* that of the receiver */
    uint32_t rank, lane;
    uint16_t kind, reads; /* reads: number of RDMA reads that it serves at once */
    uint32_t index, qp, psn;
} verbs_hello;
enum { VERBS_HELLO = 1, VERBS_WELCOME, VERBS_NO_ROOM };

/* ---- verbs_memory.c: registered memory ---- */

/* NO_MEMORY names the limit of locked memory. */
int verbs_memory_make(verbs_endpoint *endpoint);
void verbs_memory_free(verbs_endpoint *endpoint);
/* Registers the rank's part, for all endpoints. */
int verbs_memory_part(verbs_net *net);
/* NULL: none is free. */
uint8_t *verbs_buffer_take(verbs_pool *pool);
void verbs_buffer_give(verbs_pool *pool, uint8_t *buffer);
/* Fails for a call that lacks memory, or lacks `what` on the device. */
int verbs_fail_call(const verbs_net *net, const char *call, const char *what, int most);

/* ---- verbs_queue.c: queue pairs and their states ---- */

int verbs_queue_make(verbs_endpoint *endpoint, verbs_conn *conn);
/* Returns an errno number. */
int verbs_queue_connect(const verbs_net *net, const verbs_conn *conn, const verbs_hello *hello);
int verbs_queue_init(const verbs_net *net, struct ibv_qp *qp, bool datagrams);
uint8_t verbs_queue_reads(const verbs_net *net);
/* Ends all operations of the queue pair as failed. */
void verbs_queue_break(const verbs_net *net, struct ibv_qp *qp);
void verbs_address(const verbs_net *net, const verbs_peer *peer, struct ibv_ah_attr *attr);

/* ---- verbs_post.c: posting requests, and accounting for them ---- */

/* Starts a batch; its requests are written as they are added. */
static inline void verbs_begin(verbs_batch *batch, verbs_endpoint *endpoint, verbs_conn *conn)
{
    batch->endpoint = endpoint;
    batch->conn = conn;
    batch->count = 0;
}
/* Whether there is room for another operation. */
bool verbs_room(const verbs_endpoint *endpoint, const verbs_conn *conn);
/* Adds a request, for which there is room. The caller sets its opcode, remote address and immediate
 * data. */
struct ibv_send_wr *verbs_add(verbs_batch *batch, const verbs_op *op, void *local, size_t len,
                              uint32_t key);
/* PEER_FAILED. */
int verbs_ring(verbs_batch *batch);
/* Completes the operations of the connection up to this number. */
void verbs_retire(verbs_endpoint *endpoint, verbs_conn *conn, uint32_t number, bool good);
/* Posts these receive buffers again. Returns an errno number. */
int verbs_receive_post(verbs_endpoint *endpoint, const uint16_t *lines, uint32_t count);
void verbs_forget(hy_net_endpoint *endpoint, hy_net_conn *conn, const uint32_t *left);
void verbs_mark(const hy_net_conn *conn, hy_net_order *order);
bool verbs_is_over(const hy_net_endpoint *endpoint, const hy_net_conn *conn, hy_net_order *order);
bool verbs_is_idle(const hy_net_conn *conn);

/* ---- verbs_message.c ---- */

int verbs_send(hy_net_endpoint *endpoint, hy_net_conn *conn, hy_net_send *send);
bool verbs_say(hy_net_endpoint *endpoint, hy_net_conn *conn, enum hy_net_kind kind);
bool verbs_hold(hy_net_endpoint *endpoint, hy_net_conn *conn, uint64_t remote, const void *local,
                size_t len);
int verbs_send_held(hy_net_endpoint *endpoint, hy_net_conn *conn);
/* Sends the held puts of the connection now, or of any connection if it is NULL. */
void verbs_release_held(verbs_endpoint *endpoint, const verbs_conn *conn);
/* Sends an answer now, or when there is room. */
void verbs_answer(verbs_endpoint *endpoint, verbs_conn *conn, const hy_net_head *head);
void verbs_reply_again(verbs_endpoint *endpoint);

/* ---- verbs_transfer.c ---- */

int verbs_move(hy_net_endpoint *endpoint, hy_net_conn *conn, hy_net_transfer *transfer);

/* ---- verbs_greet.c: datagrams ---- */

int verbs_greet_open(verbs_net *net);
/* Sends a verbs_hello to the peer. If it cannot be sent now, it counts as lost. */
void verbs_greet(verbs_net *net, const verbs_peer *peer, const void *hello, size_t bytes);
/* Handles the completion of a datagram that was sent. */
void verbs_greet_said(verbs_net *net, const struct ibv_wc *entry);
/* Handles a datagram that was received: returns its length, and copies a hello; -1: it failed. */
int64_t verbs_greet_receive(verbs_net *net, const struct ibv_wc *entry, verbs_hello *hello);
/* Restarts the queue pair after it broke and its last operation has completed, up to VERBS_REMADE
 * times. Peers repeat datagrams that were lost meanwhile. */
void verbs_greet_again(verbs_net *net);

/* ---- verbs_connect.c ---- */

hy_net_conn *verbs_conn_of(hy_net_peer *peer, int lane);
int verbs_connect(hy_net_endpoint *endpoint, hy_net_peer *peer, int lane, hy_net_conn **conn);
/* Handles a hello that arrived. */
void verbs_greeted(verbs_net *net, const verbs_hello *hello, size_t bytes);
/* Repeats hellos that were not answered for a while. */
void verbs_ask_again(verbs_endpoint *endpoint);

/* ---- verbs_peer.c ---- */

void verbs_address_make(verbs_net *net);
int verbs_add_peer(hy_net_endpoint *endpoint, hy_net_peer *peer, const uint8_t *address,
                   size_t bytes);
void verbs_remove_peer(hy_net_endpoint *endpoint, hy_net_peer *peer);
void verbs_break_off(hy_net_endpoint *endpoint, hy_net_peer *peer);
void verbs_watch(hy_net_endpoint *endpoint, hy_net_peer *peer, bool wanted);

/* ---- verbs_poll.c ---- */

int verbs_poll(hy_net_endpoint *endpoint);
int verbs_poll_others(hy_net_endpoint *endpoint);
int verbs_progress(hy_net *net);
/* Called before the first endpoint is opened. */
void verbs_channel_open(verbs_net *net);
int verbs_arm(void *net, struct pollfd *descriptors);

/* ---- verbs_endpoint.c ---- */

int verbs_open_endpoint(hy_net_base *net, int number, hy_net_endpoint **endpoint);
void verbs_close_endpoint(hy_net_endpoint *endpoint);

/* ---- verbs_open.c: the tables ---- */

extern const hy_net_provider verbs_provider;
void verbs_release(hy_net_base *net);

#endif
