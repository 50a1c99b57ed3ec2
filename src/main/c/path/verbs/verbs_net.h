/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of the network over verbs: a few *endpoints*, each with a lock, completion queues,
 * buffers and connections of its own. What is in an endpoint is read and written under its lock,
 * and functions that are given one and are not of a table expect that to be held.
 *
 * A *connection* is a reliable queue pair for a (peer, lane), made at the first use by either side:
 * each tells the other the number of its queue pair by datagrams, which are repeated until they are
 * answered (verbs_connect.c). The connections of an endpoint share one queue for receives, one for
 * completions of receives, and one for those of sends.
 *
 * Lane 0 goes by endpoint 0, which also hears the datagrams. The other lanes are shared out among
 * the other endpoints, up to HAYATE_ENDPOINTS of them all, each opened when this rank or a
 * peer first uses such a lane. Each end shares out by itself: all that comes in and goes out by a
 * connection is done under the lock of its lane's endpoint there, so that threads on different
 * lanes do not meet. Nobody knows by which lane comes what it waits for: whoever waits looks at all
 * endpoints, at those of others by trying. Who holds the lock of endpoint 0 may take that of
 * another, never the other way round, but by trying; the locks of net->opening, looking and greeter
 * are taken last.
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
 * behind it: it rides in that (net_rider.h), or both ring the doorbell once; nobody can tell, as
 * puts alone tell nobody that they have come. Any progress lets it go, the keeper's at the latest.
 *
 * Memory of the user's is not registered (it may be given back and mapped anew at any time): it is
 * copied through buffers that are. Memory of the rank's own part goes straight.
 *
 * Strangers: who reaches the device can send datagrams and guess numbers. What has not the token of
 * its receiver is dropped, and counted; the token goes to members of the job only, in the blob.
 */
#ifndef HY_PATH_VERBS_NET_H
#define HY_PATH_VERBS_NET_H

#include <arpa/inet.h>
#include <pthread.h>

#include "path/net_keeper.h"
#include "path/net_life.h"
#include "path/net_message.h"
#include "path/net_rider.h"
#include "path/net_table.h"
#include "path/verbs/verbs_choose.h"

#define VERBS_DEPTH 32          /* one more than operations of a connection are under way */
#define VERBS_QUIET 8           /* in a row without a completion */
#define VERBS_ENDPOINTS_MOST 64 /* at most */
#define VERBS_HELLOS 64         /* datagrams that wait to be looked at */
#define VERBS_REPOSTED 16       /* receives by one call; no endpoint has fewer */
#define VERBS_RARELY 64         /* turns between looks at what nobody asked for; a power of 2 */
#define VERBS_REMADE 8          /* times that the queue pair of these is started again */
#define VERBS_LINE 128          /* of a message, a datagram, or a short put */
#define VERBS_PIECE 65536       /* bytes of one operation through a buffer */
#define VERBS_CHUNK (1 << 20)   /* and of one without */
#define VERBS_BATCH 8           /* operations by one ring of the doorbell */

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

enum verbs_state { VERBS_ASKING, VERBS_READY };

typedef struct verbs_peer verbs_peer;

typedef struct verbs_conn {
    verbs_peer *peer;
    struct ibv_qp *qp;
    uint32_t index;  /* in net->conns */
    uint32_t theirs; /* its index there */
    uint32_t psn;    /* of what is sent here */
    uint8_t lane;
    enum verbs_state state;
    uint32_t inline_bytes;
    uint32_t posted, done;                 /* numbers of operations */
    uint32_t quiet;                        /* posted since one asked for a completion */
    uint32_t told;                         /* number behind the last of them that asked for one */
    uint64_t writes, messages;             /* ever */
    uint64_t writes_there, messages_there; /* as a fence has seen */
    hy_net_riders riders;                  /* among the messages */
    uint64_t asked, asked_at;              /* hellos, and when the last went */
    verbs_op ring[VERBS_DEPTH];
} verbs_conn;

struct verbs_peer {
    hy_net_life life;
    uint64_t part_bytes, base, token;
    uint32_t key, datagram_qp, datagram_key;
    union ibv_gid gid;
    uint16_t lid;
    uint8_t mtu;
    bool watching; /* a question is under way, as this operation */
    const verbs_conn *watch;
    uint32_t watch_number;
    uint64_t flowed; /* when data last went, before the question did */
    struct ibv_ah *address;
    int lanes; /* room in conns */
    verbs_conn **conns;
};

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
    struct verbs_net *net;
    int number;
    verbs_sizes sizes;
    pthread_mutex_t lock;
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
    verbs_conn **conns;
    uint32_t conn_count, conn_room, asking;
    verbs_reply *replies, **replies_end;
    uint32_t reply_count;
    hy_net_tickets tickets;
    hy_net_table peers;
    hy_net_dropped dropped;
    uint64_t turns;   /* of progress */
    uint64_t seen;    /* of these, when the keeper last looked */
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
    hy_net net;
    hy_net_wish wish;
    const hy_verbs_calls *calls;
    hy_verbs_choice choice;
    struct ibv_pd *pd;
    struct ibv_comp_channel *channel; /* of all queues; NULL: the device has none */
    struct ibv_mr *part_mr;
    uint32_t depth;
    uint8_t timeout; /* of one try: 4.096 us << timeout */
    uint64_t token, silence;
    _Atomic uint32_t *fates; /* of all ranks, for all endpoints: hy_net_fate */
    bool *parted;            /* those that were told that this rank leaves: of who leaves alone */
    int endpoints_wanted;
    _Atomic int highest; /* number of an endpoint that is open */
    verbs_endpoint
        *_Atomic endpoints[VERBS_ENDPOINTS_MOST]; /* NULL: not used yet; may be endpoint 0 again */
    pthread_mutex_t opening;                      /* of who opens an endpoint */
    pthread_mutex_t looking;                      /* of who looks up an address */
    verbs_greeter greeter;
    hy_net_keeper *keeper;
    uint8_t blob[HY_NET_BLOB];
    size_t blob_bytes;
} verbs_net;

static inline verbs_net *verbs_of(hy_net *net)
{
    return (verbs_net *)net;
}

/* A datagram. */
typedef struct verbs_hello {
    uint64_t token; /* the receiver's */
    uint32_t rank, lane;
    uint16_t kind, reads; /* that it serves at once */
    uint32_t index, qp, psn;
} verbs_hello;
enum { VERBS_HELLO = 1, VERBS_WELCOME, VERBS_NO_ROOM };

/* verbs_memory.c. Everything that is registered. NO_MEMORY names the limit of locked memory. */
int verbs_memory_make(verbs_endpoint *endpoint);
void verbs_memory_free(verbs_endpoint *endpoint);
/* The rank's part, for all endpoints. */
int verbs_memory_part(verbs_net *net);
/* NULL: none is free. */
uint8_t *verbs_buffer_take(verbs_pool *pool);
void verbs_buffer_give(verbs_pool *pool, uint8_t *buffer);
/* What a call with a lack of memory, or of `what` on the device, fails with. */
int verbs_fail_call(const verbs_net *net, const char *call, const char *what, int most);

/* verbs_peer.c. The peer by its blob: PEER_FAILED, CORRUPT, or what lookup() says. */
int verbs_peer_find(verbs_endpoint *endpoint, int rank, verbs_peer **peer);
/* Has it failed, here or by another endpoint? Ends what is under way to it, then. */
bool verbs_peer_failed(verbs_endpoint *endpoint, verbs_peer *peer);
/* Fails it, and ends what is under way to it. */
void verbs_peer_lost(verbs_endpoint *endpoint, verbs_peer *peer, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void verbs_blob_make(verbs_net *net);
void verbs_peers_free(verbs_endpoint *endpoint);

/* verbs_queue.c. Queue pairs, from one state to the next. */
int verbs_queue_make(verbs_endpoint *endpoint, verbs_conn *conn);
/* errno's number. */
int verbs_queue_connect(const verbs_net *net, const verbs_conn *conn, const verbs_hello *hello);
int verbs_queue_init(const verbs_net *net, struct ibv_qp *qp, bool datagrams);
uint8_t verbs_queue_reads(const verbs_net *net);
/* Ends all that is under way on it, as failed. */
void verbs_queue_break(const verbs_net *net, struct ibv_qp *qp);
void verbs_address(const verbs_net *net, const verbs_peer *peer, struct ibv_ah_attr *attr);

/* verbs_greet.c. Datagrams. */
int verbs_greet_open(verbs_net *net);
/* Says a verbs_hello to the peer. One that cannot be sent now counts as lost. */
void verbs_greet(verbs_net *net, const verbs_peer *peer, const void *hello, size_t bytes);
/* Completions, of one that was said and of one that was heard. */
void verbs_greet_said(verbs_net *net, const struct ibv_wc *entry);
void verbs_greet_heard(verbs_net *net, const struct ibv_wc *entry);
/* It broke, and the last of its operations is over: starts it again, but not for ever. Who was not
 * heard meanwhile repeats what it said. */
void verbs_greet_again(verbs_net *net);

/* verbs_connect.c. */
/* The connection, made and waited for at its first use. */
int verbs_conn_find(verbs_endpoint *endpoint, int rank, int lane, verbs_conn **conn);
/* Makes it if there is none, and waits for nothing. */
int verbs_conn_begin(verbs_endpoint *endpoint, verbs_peer *peer, int lane);
/* A datagram came in. */
void verbs_greeted(verbs_net *net, const verbs_hello *hello, size_t bytes);
/* Repeats hellos that were not answered for a while. */
void verbs_ask_again(verbs_endpoint *endpoint);

/* verbs_endpoint.c. */
int verbs_endpoint_open(verbs_net *net, int number, verbs_endpoint **endpoint);
void verbs_endpoint_close(verbs_endpoint *endpoint);
/* The endpoint of a lane, opened if need be; endpoint 0 where that fails. The lock of endpoint 0
 * may be held, no other's. */
verbs_endpoint *verbs_endpoint_of(verbs_net *net, int lane);
/* NULL: none of this number is open. */
static inline verbs_endpoint *verbs_endpoint_at(verbs_net *net, int number)
{
    verbs_endpoint *endpoint = hy_load_acquire(&net->endpoints[number]);
    return endpoint && endpoint->number == number ? endpoint : NULL;
}

/* verbs_progress.c. */
int verbs_drain(verbs_endpoint *endpoint);
/* Of all endpoints but `held` (NULL: of all) whose locks nobody holds; the caller holds none. */
int verbs_try_all(verbs_net *net, const verbs_endpoint *held);
/* A wait for something of `peer`, one miss of which is a turn: lets the network work, gives the
 * lock to others for a moment, and fails when the peer has. */
typedef struct verbs_wait {
    verbs_peer *peer;
    uint64_t since;
    uint32_t turns, vain;
} verbs_wait;
int verbs_turn(verbs_endpoint *endpoint, verbs_wait *wait);
/* On slow turns; since 0: of no certain one. PEER_FAILED. */
int verbs_watch(verbs_endpoint *endpoint, verbs_peer *peer, uint64_t since);
/* These lines receive again. errno's number. */
int verbs_receive_post(verbs_endpoint *endpoint, const uint16_t *lines, uint32_t count);

/* verbs_post.c. The requests of a batch are written as they are added. */
static inline void verbs_begin(verbs_batch *batch, verbs_endpoint *endpoint, verbs_conn *conn)
{
    batch->endpoint = endpoint;
    batch->conn = conn;
    batch->count = 0;
}
/* Is there room for one more? */
bool verbs_room(const verbs_endpoint *endpoint, const verbs_conn *conn);
/* Waits for room, and for a buffer of the pool if it is not NULL. */
int verbs_room_wait(verbs_batch *batch, verbs_pool *pool, uint8_t **buffer);
/* Adds one, for which there is room. The request's opcode, remote end and immediate are the
 * caller's. */
struct ibv_send_wr *verbs_add(verbs_batch *batch, const verbs_op *op, void *local, size_t len,
                              uint32_t key);
/* PEER_FAILED. */
int verbs_ring(verbs_batch *batch);
/* A short put that goes inline: with the next operation of the connection, or with the next turn of
 * anybody's. False: there is no room. */
bool verbs_hold(verbs_endpoint *endpoint, verbs_conn *conn, uint64_t remote, const void *data,
                size_t len);
/* Operations up to this number of the connection are over. */
void verbs_retire(verbs_endpoint *endpoint, verbs_conn *conn, uint32_t number, bool good);
/* Nobody waits with this counter any more. */
void verbs_forget(verbs_conn *conn, const uint32_t *left);

/* verbs_message.c. `bytes` of message->payload count; token, rank and bytes are filled in here. */
int verbs_send(verbs_endpoint *endpoint, verbs_conn *conn, hy_net_message *message, size_t bytes);
/* Is a put held that riders on their way must not be passed by? It is the only one. */
bool verbs_must_ride(const verbs_endpoint *endpoint);
/* Puts of the connection that are held go now; of any, if it is NULL. */
void verbs_let_go(verbs_endpoint *endpoint, verbs_conn *conn);
/* Now, or never: false, there is no room. */
bool verbs_send_now(verbs_endpoint *endpoint, verbs_conn *conn, const hy_net_head *head);
void verbs_reply_later(verbs_endpoint *endpoint, verbs_conn *conn, const hy_net_head *head);
void verbs_reply_again(verbs_endpoint *endpoint);
int verbs_ask(verbs_endpoint *endpoint, verbs_conn *conn, hy_net_message *message, size_t bytes,
              uint64_t *value);
int verbs_fence(verbs_endpoint *endpoint, verbs_conn *conn);
/* May a message on its way still write these bytes there? */
static inline bool verbs_rides_to(const verbs_conn *conn, uint64_t remote, uint64_t len)
{
    return hy_net_rides_to(&conn->riders, conn->messages_there, remote, len);
}
/* Until none may. */
int verbs_await_riders(verbs_endpoint *endpoint, verbs_conn *conn, uint64_t remote, uint64_t len);

/* verbs_transfer.c: the functions of the row that move data. */
int verbs_put(hy_ep *ep, uint64_t remote, const void *local, size_t len);
int verbs_get(hy_ep *ep, uint64_t remote, void *local, size_t len);
int verbs_put_start(hy_ep *ep, uint64_t remote, const void *local, size_t len);
int verbs_get_start(hy_ep *ep, uint64_t remote, void *local, size_t len);
/* All writes before are visible there: the device says so. */
int verbs_read_back(verbs_endpoint *endpoint, verbs_conn *conn);
/* Until all that is under way on it, and asks for a completion, is over. */
int verbs_settle(verbs_endpoint *endpoint, verbs_conn *conn);

/* verbs_keep.c. Before the first endpoint is opened; and the keeper. */
void verbs_channel_open(verbs_net *net);
int verbs_keep(verbs_net *net);
bool verbs_watches(hy_net *net);

/* verbs_open.c: of the table of networks. */
int verbs_open(const hy_net_wish *wish, hy_net **net);
void verbs_blob(const hy_net *net, void *blob, size_t *len);
void verbs_attach(hy_net *net, hy_ep *ep, int rank, int lane);
void verbs_describe(const hy_net *net, char *text, size_t room);
/* All that open() made, or a part of it. */
void verbs_release(verbs_net *net);

/* verbs_leave.c: of the table of networks. */
void verbs_leave(hy_net *net);
void verbs_close(hy_net *net);

/* verbs_path.c. */
extern const hy_path_ops hy_path_verbs;
/* Looks at the address, takes the lock of the lane's endpoint and finds the connection; not OK:
 * without the lock. */
int verbs_enter(hy_ep *ep, uint64_t remote, uint64_t len, verbs_endpoint **endpoint,
                verbs_conn **conn);

#endif
