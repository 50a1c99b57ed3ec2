/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The provider of networks (net_provider.h) that speaks libibverbs.
 *
 * A *connection* is a reliable queue pair for a (peer, lane), made at the first use by either side:
 * each tells the other the number of its queue pair by datagrams, which are repeated until they are
 * answered (verbs_connect.c). The connections of an endpoint share one queue for receives, one for
 * completions of receives, and one for those of sends.
 *
 * Endpoint 0 also hears the datagrams. Each side shares out lanes among its endpoints, up to
 * HAYATE_ENDPOINTS of them, by itself: all that comes in and goes out by a connection is done
 * under the lock of its lane's endpoint there. Nobody knows by which lane comes what it waits for:
 * whoever waits looks at all endpoints, at those of others by trying. The lock of the greeter is
 * taken last.
 *
 * Data go by RDMA writes and reads. Signals, flags, atomics and fences are messages
 * (net_message.h), *sends* into the shared receive queue, with the receiver's number of the
 * connection as immediate. A send is looked at behind all writes before it on its connection, so
 * that data come before the flag, and the receiver's processor writes the flag, its value last; the
 * atomics of a device are not atomic with those of the processor. It is a send and not a write with
 * immediate, which gives the same order, because a write wants a line of its own at the receiver
 * for each that is under way: memory for every peer, and a count of free lines that travels back.
 * Sends share the lines of all peers, and the device makes the sender wait when there is none.
 *
 * Operations of a connection are numbered and kept in a ring until they are over. A completion of
 * one says so of all before it: those that nobody waits for, and that hold no buffer, ask for none.
 * No more operations are under way than the completion queue has room for, even if all fail.
 *
 * A short put is held until the next operation of its connection, which nearly always is the flag
 * behind it: it rides in that (net_piggyback.h), or both ring the doorbell once; nobody can tell,
 * as puts alone tell nobody that they have come. Any progress lets it go, the progress thread's at
 * the latest.
 *
 * Memory of the user's is not registered (it may be given back and mapped anew at any time): it is
 * copied through buffers that are. Memory of the rank's own part goes straight.
 *
 * Strangers: who reaches the device can send datagrams and guess numbers. What has not the token of
 * its receiver is dropped, and counted; the token goes to members of the job only, in the address.
 *
 * Files call each other in the order in which they are listed here: each those above it.
 */
#ifndef HY_PATH_VERBS_NET_H
#define HY_PATH_VERBS_NET_H

#include <arpa/inet.h>

#include "path/net_provider.h"
#include "path/verbs/verbs_choose.h"

#define VERBS_DEPTH 32        /* one more than operations of a connection are under way */
#define VERBS_QUIET 8         /* in a row without a completion */
#define VERBS_HELLOS 64       /* datagrams that wait to be looked at */
#define VERBS_REPOSTED 16     /* receives by one call; no endpoint has fewer */
#define VERBS_REMADE 8        /* times that the queue pair of these is started again */
#define VERBS_LINE 128        /* of a message, a datagram, or a short put */
#define VERBS_PIECE 65536     /* bytes of one operation through a buffer */
#define VERBS_CHUNK (1 << 20) /* and of one without */
#define VERBS_BATCH 8         /* operations by one ring of the doorbell */

/* In the number of a request: it is a datagram's. Those of connections have their index there, and
 * the operation's number in the lower half. */
#define VERBS_DATAGRAM (UINT64_C(1) << 63)

typedef struct verbs_pool {
    uint8_t *memory;
    size_t bytes; /* of each */
    uint32_t free;
    uint16_t *stack;
} verbs_pool;

/* One under way: what is to be done at its end. */
typedef struct verbs_op {
    verbs_pool *pool; /* NULL: it has no buffer */
    uint8_t *buffer;
    uint8_t *to; /* a read's memory, copied to from the buffer */
    uint32_t len;
    uint32_t *left; /* of the call that waits for it */
    bool told;      /* a completion is wanted, whatever else; later: it was asked for */
} verbs_op;

/* Ready: it is connected, or never will be. */
typedef struct verbs_conn {
    hy_net_conn base;
    struct ibv_qp *qp;
    uint32_t index;  /* among those of its endpoint */
    uint32_t theirs; /* its index there */
    uint32_t psn;    /* of what is sent here */
    uint8_t lane;
    uint32_t inline_bytes;
    uint32_t posted, done;    /* numbers of operations */
    uint32_t quiet;           /* posted since one asked for a completion */
    uint32_t told;            /* number behind the last of them that asked for one */
    uint64_t asked, asked_at; /* hellos, and when the last went */
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
    int lanes; /* room in conns */
    verbs_conn **conns;
} verbs_peer;

/* Operations of one connection that ring the doorbell once. */
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

/* How much an endpoint has of what. */
typedef struct verbs_sizes {
    uint32_t under_way; /* operations, at most */
    uint32_t receives;  /* messages that wait to be looked at */
    uint32_t hellos;    /* datagrams likewise, and as many to be said */
    uint32_t lines, pieces;
} verbs_sizes;

typedef struct verbs_endpoint {
    hy_net_endpoint base;
    verbs_sizes sizes;
    struct ibv_cq *sends, *receives;
    struct ibv_srq *srq;
    uint32_t inline_bytes; /* wanted, until a device refused it */
    uint32_t under_way;
    uint32_t wanted; /* those of them that asked for a completion */
    uint8_t *memory; /* of all buffers */
    size_t memory_bytes;
    struct ibv_mr *own_mr;
    uint8_t *received;             /* lines of receives */
    uint16_t read[VERBS_REPOSTED]; /* lines that are to receive again */
    uint32_t read_count;
    verbs_pool lines, pieces;
    uint32_t asking; /* connections that are not ready */
    verbs_reply *replies, **replies_end;
    uint32_t reply_count;
    verbs_batch held; /* short puts, to go with what follows them */
    uint8_t held_data[VERBS_BATCH][VERBS_LINE];
} verbs_endpoint;

/* The queue pair of datagrams, whose completions are those of endpoint 0: under its lock, but for
 * what is said. */
typedef struct verbs_greeter {
    struct ibv_qp *qp;
    uint32_t key;
    uint8_t *heard;       /* lines of receives */
    uint32_t hearing;     /* those under way */
    uint32_t remade;      /* times that it was started again */
    uint64_t deaf;        /* datagrams that failed */
    pthread_mutex_t lock; /* of the rest; no other is taken by who holds it */
    verbs_pool lines;
    _Atomic uint32_t saying; /* datagrams under way; read without the lock */
} verbs_greeter;

typedef struct verbs_net {
    hy_net_base base;
    const hy_verbs_calls *calls;
    hy_verbs_choice choice;
    struct ibv_pd *pd;
    struct ibv_comp_channel *channel; /* of all queues; NULL: the device has none */
    struct ibv_mr *part_mr;
    uint32_t depth;
    uint8_t timeout; /* of one try: 4.096 us << timeout */
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

/* A datagram. */
typedef struct verbs_hello {
    uint64_t token; /* the receiver's */
    uint32_t rank, lane;
    uint16_t kind, reads; /* that it serves at once */
    uint32_t index, qp, psn;
} verbs_hello;
enum { VERBS_HELLO = 1, VERBS_WELCOME, VERBS_NO_ROOM };

/* ---- verbs_memory.c: everything that is registered ---- */

/* NO_MEMORY names the limit of locked memory. */
int verbs_memory_make(verbs_endpoint *endpoint);
void verbs_memory_free(verbs_endpoint *endpoint);
/* The rank's part, for all endpoints. */
int verbs_memory_part(verbs_net *net);
/* NULL: none is free. */
uint8_t *verbs_buffer_take(verbs_pool *pool);
void verbs_buffer_give(verbs_pool *pool, uint8_t *buffer);
/* What a call with a lack of memory, or of `what` on the device, fails with. */
int verbs_fail_call(const verbs_net *net, const char *call, const char *what, int most);

/* ---- verbs_queue.c: queue pairs, from one state to the next ---- */

int verbs_queue_make(verbs_endpoint *endpoint, verbs_conn *conn);
/* errno's number. */
int verbs_queue_connect(const verbs_net *net, const verbs_conn *conn, const verbs_hello *hello);
int verbs_queue_init(const verbs_net *net, struct ibv_qp *qp, bool datagrams);
uint8_t verbs_queue_reads(const verbs_net *net);
/* Ends all that is under way on it, as failed. */
void verbs_queue_break(const verbs_net *net, struct ibv_qp *qp);
void verbs_address(const verbs_net *net, const verbs_peer *peer, struct ibv_ah_attr *attr);

/* ---- verbs_post.c: what goes to the device, and the books of it ---- */

/* The requests of a batch are written as they are added. */
static inline void verbs_begin(verbs_batch *batch, verbs_endpoint *endpoint, verbs_conn *conn)
{
    batch->endpoint = endpoint;
    batch->conn = conn;
    batch->count = 0;
}
/* Is there room for one more? */
bool verbs_room(const verbs_endpoint *endpoint, const verbs_conn *conn);
/* Adds one, for which there is room. The request's opcode, remote end and immediate are the
 * caller's. */
struct ibv_send_wr *verbs_add(verbs_batch *batch, const verbs_op *op, void *local, size_t len,
                              uint32_t key);
/* PEER_FAILED. */
int verbs_ring(verbs_batch *batch);
/* Operations up to this number of the connection are over. */
void verbs_retire(verbs_endpoint *endpoint, verbs_conn *conn, uint32_t number, bool good);
/* These lines receive again. errno's number. */
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
int verbs_let_go(hy_net_endpoint *endpoint, hy_net_conn *conn);
/* Puts of the connection that are held go now; of any, if it is NULL. */
void verbs_release_held(verbs_endpoint *endpoint, const verbs_conn *conn);
/* Now, or when there is room. */
void verbs_answer(verbs_endpoint *endpoint, verbs_conn *conn, const hy_net_head *head);
void verbs_reply_again(verbs_endpoint *endpoint);

/* ---- verbs_transfer.c ---- */

int verbs_move(hy_net_endpoint *endpoint, hy_net_conn *conn, hy_net_transfer *transfer);

/* ---- verbs_greet.c: datagrams ---- */

int verbs_greet_open(verbs_net *net);
/* Says a verbs_hello to the peer. One that cannot be sent now counts as lost. */
void verbs_greet(verbs_net *net, const verbs_peer *peer, const void *hello, size_t bytes);
/* The completion of one that was said. */
void verbs_greet_said(verbs_net *net, const struct ibv_wc *entry);
/* And of one that was heard: its bytes, of which those of a hello are copied; -1: it failed. */
int64_t verbs_greet_heard(verbs_net *net, const struct ibv_wc *entry, verbs_hello *hello);
/* It broke, and the last of its operations is over: starts it again, but not for ever. Who was not
 * heard meanwhile repeats what it said. */
void verbs_greet_again(verbs_net *net);

/* ---- verbs_connect.c ---- */

hy_net_conn *verbs_conn_of(hy_net_peer *peer, int lane);
int verbs_connect(hy_net_endpoint *endpoint, hy_net_peer *peer, int lane, hy_net_conn **conn);
/* A datagram came in. */
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
/* Before the first endpoint is opened. */
void verbs_channel_open(verbs_net *net);
int verbs_arm(void *net, struct pollfd *descriptors);

/* ---- verbs_endpoint.c ---- */

int verbs_open_endpoint(hy_net_base *net, int number, hy_net_endpoint **endpoint);
void verbs_close_endpoint(hy_net_endpoint *endpoint);

/* ---- verbs_open.c: the tables ---- */

extern const hy_net_provider verbs_provider;
void verbs_release(hy_net_base *net);

#endif
