/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Point-to-point messages through matching areas. A *lane* is the state of one (peer, mai): its
 * channel and at most one operation in each direction. Lanes are found by arithmetic, so that
 * matching needs no search; it is made at its first use, so that a rank has memory for those to
 * which it talks. Peers are the ranks of the job, or the members of a group. A short message that
 * passes at once needs no operation; any other takes one from the stock (msg/op.c) while it is
 * under way.
 *
 * Ownership and locking: a thread that takes a busy word of the channel owns that half of it and
 * its operation, and no other thread steps it. hy_msg_trim() visits the sending half. A blocking
 * call steps its operation. An operation that outlives its call (isend, irecv, in the send buffer,
 * or returned to Java as a request) is background work of the job, and is stepped by any thread
 * that claims it (base/worklist.h). Until it outlives its call, and again after its result was
 * collected, its owner has the claim. So a thread that waits with the request of an earlier
 * message, which is a mistake of the program, never touches what another thread is preparing. A
 * message that completes in its call never takes the lock of the list.
 */
#ifndef HY_MSG_MSG_H
#define HY_MSG_MSG_H

#include <hayate/fmpl.h>

#include "base/busy.h"
#include "base/handles.h"
#include "base/sparse.h"
#include "base/section.h"
#include "job/await.h"
#include "msg/crossover.h"
#include "wire/contact.h"
#include "wire/group.h"

typedef struct hy_msg hy_msg;
typedef struct hy_lane hy_lane;
typedef struct hy_op hy_op;

enum hy_op_state {
    HY_OP_IDLE,
    HY_OP_SEND_ROOM,   /* waits for a slot */
    HY_OP_SEND_HEADER, /* waits for the receive, up to the time-out of the send buffer */
    HY_OP_SEND_MOVE,   /* posted; moves its share or waits until all data are moved */
    HY_OP_RECV_WAIT,   /* waits for the message */
    HY_OP_RECV_MOVE,
    HY_OP_DONE, /* result is final; the owner has not collected it yet */
};

/* A side's buffer as the other side is told of it: the payload of a LONG message, and the header of
 * a receive. */
typedef struct hy_told_buffer {
    uint64_t offset;    /* in the owner's part, or HY_NOT_IN_HEAP */
    uint64_t address;   /* in the owner's process; 0: not accessible */
    uint64_t len;       /* of the message, or of the receive's buffer */
    uint64_t flags;     /* msg/rendezvous_ops.h */
    hy_section section; /* with HY_IS_STRIDED: where its bytes are, in packed order */
} hy_told_buffer;

_Static_assert(sizeof(hy_told_buffer) == HY_SLOT_PAYLOAD, "announced in one slot");

struct hy_op {
    _Atomic uint32_t state; /* release-stored DONE publishes the result */
    uint32_t number;        /* of the message on its channel */
    hy_work work;           /* of msg.worker; claimed while a thread steps it */
    hy_lane *lane;
    hy_buffer buffer;
    uint64_t size;            /* size of the buffer */
    uint64_t length;          /* length of the message; the result of a receive */
    _Atomic uint64_t request; /* by which the program may wait for it; 0: by none */
    char *reason; /* of a failure, for the collecting thread, which may be another one */
    int result;
    uint32_t place;             /* in the stock */
    _Atomic uint32_t next_free; /* there: the place of another one + 1; 0: none */
    bool sends, blocking, retained;
    bool stays;            /* with its lane, when it is free */
    bool listed;           /* it outlives its call */
    _Atomic bool offered;  /* a receive's header is in the sender's matching area */
    _Atomic bool buffered; /* in the send buffer, its caller has returned */
    /* long messages: msg/rendezvous.h */
    uint32_t patience; /* sender: polls before it moves a block that the receiver could move */
    const struct hy_rendezvous_ops *protocol; /* of a sender: expected, until `learned` is not 0 */
    uint64_t block, start, target; /* bytes per claim; `done` before and after this message */
    uint64_t staged;               /* pipeline: bytes put into or taken from the stage */
    uint64_t learned;              /* sender: the header from which `protocol` was learned */
    uint64_t timed_from;           /* sender: ns; when both sides were there; 0: is not timed */
    struct hy_push *push;          /* of a send to a remote peer; allocated at the first use */
    hy_told_buffer source;         /* the sender's, validated */
    uint64_t waits_since; /* ns; with a send buffer: the first look for room in it; 0: none yet */
    uint64_t since_ns;    /* breakdown: the last mark; 0: it was off when the operation began */
    uint64_t flight;      /* its name in the flight recorder; 0: none */
    uint8_t way;          /* there: the counter of how the data moved; 0: not known */
};

/* The operations of a hy_msg: msg/op.c. */
typedef struct hy_op_stock {
    HY_ALIGNED _Atomic uint64_t free; /* changes << 32 | place of the first free one + 1; 0: none */
    hy_handles all;                   /* by place; added under msg.lock */
} hy_op_stock;

/* Long messages with peers of one kind: how the two sides communicate, and their protocols. */
typedef struct hy_rendezvous {
    const struct hy_handshake *handshake;
    const struct hy_rendezvous_ops *const *protocols; /* ends with NULL */
    bool forced;                                      /* HAYATE_RENDEZVOUS forces the first one */
} hy_rendezvous;

/* A send that waits behind the one in the send buffer. */
typedef struct hy_queued {
    struct hy_queued *next;
    uint8_t *memory;
    uint64_t size;
} hy_queued;

struct hy_lane {
    hy_channel channel;
    hy_op *_Atomic send, *_Atomic recv; /* NULL: none is under way; else it may be idle */
    hy_msg *msg;
    const hy_rendezvous *rendezvous;
    uint64_t moved_out, moved_in; /* bytes of all finished long messages */
    uint32_t header_generation;
    int number;             /* in msg.numbers */
    uint8_t *_Atomic stage; /* of the pipeline, HY_STAGE_BYTES, allocated at the first use */
    uint8_t *bounce;        /* the same, for receives into memory that cannot be fetched into */
    /* Sends behind the one in the send buffer: msg.lock. The end is NULL while there is none. */
    hy_queued *queued, **queue_end;
    hy_contact *contact; /* in a job with inboxes: how its sends get slots */
    uint64_t length;     /* of the last receive that was complete when its call began it */
    uint32_t send_generation, recv_generation; /* of the last request: msg/request.c */
    _Atomic bool buffered; /* a send is in the send buffer; stays until the lane's next one that
                              takes an operation */
};

_Static_assert(sizeof(hy_lane) == 256, "a lane for each partner");

/* The memory of lanes is allocated in blocks, because small aligned pieces would take half as much
 * again. Lane number n is in block n / HY_LANES_IN_BLOCK. The contacts are allocated with inboxes
 * only. */
#define HY_LANES_IN_BLOCK 16

typedef struct hy_lane_block {
    hy_lane lanes[HY_LANES_IN_BLOCK];
    hy_contact contacts[];
} hy_lane_block;

#define HY_BLOCK_BYTES (UINT64_C(32) << 10)
#define HY_STAGE_BYTES (4 * HY_BLOCK_BYTES)
#define HY_MAX_MAI 65536

typedef struct hy_send_buffer {
    bool on, grows;  /* grows: takes memory as needed, and queues any number of sends of a lane */
    uint8_t *memory; /* of one that does not grow */
    hy_heap heap;
    uint64_t held; /* bytes in the symmetric heap, of one that grows */
    uint64_t timeout_ns;
    int waiting, sent; /* in the buffer now; sent since the last check */
    hy_failure loss;   /* why sends were dropped since the last drain; code 0: none were */
} hy_send_buffer;

struct hy_breakdown;

/* Where a rank has its matching area and its flags. */
typedef struct hy_areas {
    uint64_t match_offset, flag_offset;
    hy_inbox inbox; /* instead, if areas for all ranks do not fit */
} hy_areas;

/* The most entries for which areas of all ranks are taken, if they fit. Tests lower it. */
extern uint64_t hy_msg_areas_most;

/* hy_msg.observed: who asks for it. */
#define HY_OBSERVES_BREAKDOWN 1u
#define HY_OBSERVES_FLIGHT 2u

struct hy_msg {
    hy_job *job;
    int count, size, rank;
    _Atomic uint32_t closed;
    _Atomic uint32_t observed; /* each message takes the slow path: HY_OBSERVES_* */
    uint32_t spin_limit;       /* polls of a call that must not block (virtual threads) */
    uint32_t brief_spins;      /* polls of a receive before it does anything else */
    hy_sparse lanes;           /* those that were used, by mai * size + peer; added under `lock` */
    hy_handles numbers;        /* the same, in the order of their first use: see hy_lane_block */
    hy_rendezvous mapped, remote; /* for the lanes of these peers */
    hy_areas areas;               /* in the system area, or in the user's memory */
    hy_areas *theirs;             /* [size]; NULL: all ranks have the same as this one */
    hy_inbox_cursor inbox_cursor; /* records of the inbox: see `listener` */
    uint64_t matches;             /* entries of the inbox that lanes have taken */
    bool own_areas;               /* in the system area, and this hy_msg's */
    hy_group *group;              /* whose channels the lanes use until the end, or NULL */
    _Atomic(struct hy_breakdown *) breakdown; /* where samples go; NULL: off */
    struct hy_breakdown *measured;            /* the samples, even while it is off; NULL: none */
    hy_worker listener;                       /* hears the inbox, if there is one */
    hy_work listening;
    HY_ALIGNED hy_worker worker; /* of the operations that outlive their calls */
    hy_op_stock ops;
    uint32_t ops_kept; /* the first ones that are made stay with their lanes */
    hy_lane_block *last_block;
    pthread_mutex_t
        lock; /* of the lanes, the stock of operations, the send buffer and the measurement */
    hy_send_buffer send_buffer;
    hy_crossover crossover;
};

/* ---- open.c ---- */
/* Sets up the local state. After an error, call hy_msg_close() and hy_msg_free() as after
 * success. */
int hy_msg_open(hy_msg *msg, hy_job *job, int64_t count);
/* Collective, in a set-up that the caller has entered (job/setup.h). match, flags: in the
 * symmetric heap, or NULL. */
int hy_msg_meet(hy_msg *msg, const void *match, const void *flags);
/* Instead of hy_msg_open() and hy_msg_meet(): the peers are the members of a group, which this
 * rank has opened, with one entry each. The group's channels belong to the lanes from now on:
 * nothing else may use them, and the group must not be closed before hy_msg_free(). Local. */
int hy_msg_open_group(hy_msg *msg, hy_group *group);
/* From now on, no call begins. False: already refused. */
bool hy_msg_refuse(hy_msg *msg);
/* Afterwards: ends everything under way with CLOSED; the memory stays until hy_msg_free(). */
void hy_msg_close(hy_msg *msg);
void hy_msg_free(hy_msg *msg);

/* The lane; NULL: it was never used, or does not exist. */
hy_lane *hy_lane_look(const hy_msg *msg, int peer, int mai);
static inline hy_lane *hy_lane_find(const hy_msg *msg, int peer, int mai)
{
    /* If they are out of range, the number is any. */
    uint64_t index = (uint64_t)(int64_t)mai * (uint32_t)msg->size + (uint32_t)peer;
    hy_lane *lane = hy_sparse_guess(&msg->lanes, index);
    if (hy_likely(lane->channel.peer == peer && lane->channel.mai == mai)) return lane;
    return hy_lane_look(msg, peer, mai);
}

/* Makes the lane at its first use; others find it when it is complete. OK also if it exists.
 * ARGUMENT, NO_MEMORY, and CORRUPT: the peer's areas are outside its memory. */
int hy_lane_make(hy_msg *msg, int peer, int mai);

/* The lane with this number; NULL: there is none. All numbers are below hy_lane_places(). */
static inline hy_lane *hy_lane_at(const hy_msg *msg, int number)
{
    return hy_handles_get(&msg->numbers, number);
}
static inline int hy_lane_places(const hy_msg *msg)
{
    return hy_handles_places(&msg->numbers);
}

/* Under the lock: makes the lane with this index, which does not exist. NO_MEMORY, CORRUPT. */
int hy_lane_add(hy_msg *msg, uint64_t index);
/* Whether a peer's memory contains this, at the start of a line. */
bool hy_msg_is_inside(const hy_msg *msg, int peer, uint64_t at, uint64_t bytes);

/* ---- inbox.c: in a job with inboxes; otherwise, both do nothing ---- */
/* From now on, all waits of the rank hear of ranks that begin to send. */
void hy_msg_start(hy_msg *msg);
/* Lets all lanes receive to which other ranks have begun to send, however many, and whichever
 * thread is at it. */
void hy_msg_hear_all(hy_msg *msg);

/* How long a blocking call waits at most. */
typedef struct hy_bounded {
    const hy_limit *limit; /* NULL: some polls, without a sleep */
    uint64_t request;      /* set if the operation that the call began continues */
} hy_bounded;

/* Takes the memory of the heap that a long message of mai 0 needs, if the peer is far, for callers
 * that tell the peer of the message themselves: afterwards it cannot fail for want of it. The lane
 * keeps the memory. No other operation of the same direction is under way there. NO_MEMORY. */
int hy_msg_reserve(hy_msg *msg, const hy_buffer *buffer, uint64_t size, int peer, bool sends);

/*
 * ---- calls.c: blocking and non-blocking point-to-point calls ----
 * *received becomes the length of the message, also with TRUNCATE.
 * If `bounded` is given, a blocking call that waits for longer returns HAYATE_IN_PROGRESS, and the
 * operation continues as bounded->request. With NULL it waits without limit.
 */
int hy_msg_send(hy_msg *msg, hy_buffer buffer, int64_t size, int dst, int mai, hy_bounded *bounded);
int hy_msg_recv(hy_msg *msg, hy_buffer buffer, int64_t size, int src, int mai, uint64_t *received,
                hy_bounded *bounded);
/* *request is 0 if the operation is already complete. */
int hy_msg_isend(hy_msg *msg, hy_buffer buffer, int64_t size, int dst, int mai, uint64_t *request);
int hy_msg_irecv(hy_msg *msg, hy_buffer buffer, int64_t size, int src, int mai, uint64_t *request);

/* ---- request.c ---- */
/* HAYATE_IN_PROGRESS, or the result; in the latter case the request ends. `received` may be
 * NULL. */
int hy_request_test(hy_msg *msg, uint64_t request, uint64_t *received);
int hy_request_wait(hy_msg *msg, uint64_t request, uint64_t *received);
/* limit: NULL: none. IN_PROGRESS: it is not complete after this time. */
int hy_request_wait_for(hy_msg *msg, uint64_t request, const hy_limit *limit, uint64_t *received);
/* Returns the result of a completed request and its index in *index (-1: all are 0, or
 * IN_PROGRESS). */
int hy_request_wait_any(hy_msg *msg, int n, const uint64_t *requests, const hy_limit *limit,
                        int *index, uint64_t *received);
/* Waits until the send buffer is empty. PEER_FAILED if since the last drain a receiver has died or
 * left, whose messages are lost; CLOSED. */
int hy_request_drain(hy_msg *msg);
int hy_request_cancel(hy_msg *msg, uint64_t request, int *cancelled);
/* While the local state is set up. */
void hy_requests_open(hy_msg *msg);
/* Makes a request of an operation that outlives its call; 0, and NO_MEMORY in *rc, on failure. */
uint64_t hy_request_make(hy_op *op, int *rc);

/* ---- probe.c: looks at messages that have arrived, and leaves them ---- */
/* The length of the next message of (src, mai), after waiting for it up to the limit (NULL:
 * does not wait). IN_PROGRESS: it has not come. BUSY: a receive is under way. */
int hy_msg_probe(hy_msg *msg, int src, int mai, const hy_limit *limit, uint64_t *length);
/* Makes the lanes of a mai with all ranks, so that hy_msg_probe_any() finds their messages.
 * ARGUMENT, CLOSED, NO_MEMORY. */
int hy_msg_listen(hy_msg *msg, int mai);
/* The next place, from `from` on and then from 0, where a message has arrived: place
 * i * size + src is that of mais[i] and rank src. Waits like hy_msg_probe(). PEER_FAILED: a rank
 * has died, or all others have left. A look costs two loads for each place. */
enum { HY_ANY_MAIS = 64 }; /* at most so many */
int hy_msg_probe_any(hy_msg *msg, const int *mais, int n, int from, const hy_limit *limit,
                     int *found);

/* ---- send_buffer.c ---- */
/* Moves a blocking send that has waited for longer than the time-out into the send buffer, from
 * which it continues: true. False: not yet, no room, or no send buffer. */
bool hy_send_buffer_take_over(hy_op *op);
/* The send in the send buffer is complete: its room is free again. True: the operation is now the
 * next send of the lane's queue, which has not begun. */
bool hy_send_buffer_next(hy_op *op);
/* A send in the send buffer has failed: forgets it and all sends behind it. A drain tells of it. */
void hy_send_buffer_drop(hy_op *op, int rc);
/* When nothing is under way any more: frees what is left of the queue. */
void hy_send_buffer_forget(hy_lane *lane);
int hy_send_buffer_set(hy_msg *msg, void *memory, int64_t size, int timeout_us);
/* Gives msg a send buffer that grows: a blocking send waits for its receive only for about as long
 * as it takes to copy the data, and a further send of the same lane never waits, but queues up.
 * Memory comes from the symmetric heap, up to an eighth of it, and then from malloc(). Only
 * while nothing is under way. */
void hy_send_buffer_grow(hy_msg *msg);
/* Queues a send behind the one in the send buffer. IN_PROGRESS: there is none any more. NO_MEMORY.
 */
int hy_send_buffer_queue(hy_lane *lane, const hy_buffer *buffer, uint64_t size);
/* Whether sends are in the send buffer. */
bool hy_send_buffer_holds(hy_msg *msg);
int hy_send_buffer_check(hy_msg *msg, int *sent, int *waiting);

/* Frees the idle eager buffers, and the stages, of all lanes that are not in use at the moment.
 * Returns the bytes. */
uint64_t hy_msg_trim(hy_msg *msg);

/* Ends operations that outlive their calls with CLOSED, except those that another thread is
 * stepping, which notices the end itself. Peers cannot access their memory afterwards. */
void hy_msg_end_all(hy_msg *msg);

/* Tells what a wait for an operation is for: job/waits.h. */
void hy_op_tell(const hy_op *op, hy_awaited *awaited);
/* The same for a request; nothing if it is over. */
void hy_request_tell(const hy_msg *msg, uint64_t request, hy_awaited *awaited);

/* Like hy_job_check(); also CLOSED if this FMPL is closed. */
int hy_msg_check(hy_msg *msg, int peer);

/* The same for a slow turn of a wait: first makes progress on other operations. */
int hy_msg_idle(hy_msg *msg, int peer);

#endif
