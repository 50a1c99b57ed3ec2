/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages by matching areas, for the facades that send them. A *lane* is everything of one (peer,
 * mai): its channel and at most one operation in each direction; lanes are found by arithmetic, so
 * that matching needs no search.
 *
 * Ownership and locking: whoever takes op.busy owns the operation and steps it alone; that of
 * `send` goes with the sending half of the channel, which hy_msg_trim() visits. A blocking call
 * steps its own. An operation that outlives its call (isend, irecv, put aside, or handed back to
 * Java) is in the `active` list, and is stepped by any thread that claims it there
 * (base/worklist.h). A message that completes in its call never takes the list's lock.
 */
#ifndef HY_MSG_MSG_H
#define HY_MSG_MSG_H

#include <hayate/fmpl.h>

#include "base/busy.h"
#include "base/worklist.h"
#include "base/buffer.h"
#include "wire/channel.h"

typedef struct hy_msg hy_msg;
typedef struct hy_lane hy_lane;
typedef struct hy_op hy_op;

enum hy_op_state {
    HY_OP_IDLE,
    HY_OP_SEND_ROOM,   /* waits for a slot */
    HY_OP_SEND_HEADER, /* waits for the receive, as long as the send buffer's time-out says */
    HY_OP_SEND_MOVE,   /* posted; moves its share or waits until all is moved */
    HY_OP_RECV_WAIT,   /* waits for the message */
    HY_OP_RECV_MOVE,
    HY_OP_DONE, /* result is final; the owner has not collected it yet */
};

struct hy_op {
    HY_ALIGNED _Atomic uint32_t busy; /* alive, or not collected: base/busy.h */
    _Atomic uint32_t state;           /* release-stored DONE publishes the result */
    hy_work work;                     /* in the active list; claimed: somebody steps it */
    uint32_t generation;              /* of requests; grows with every non-blocking operation */
    int result;
    bool sends, blocking, retained;
    bool offered;          /* a receive's header is in the sender's matching area */
    _Atomic bool listed;   /* goes on after its call */
    _Atomic bool buffered; /* goes on from the send buffer; its caller is done with it */
    char *reason;          /* of a failure, for the collector, who may be another thread */
    uint32_t number;       /* of the message on its channel */
    hy_lane *lane;
    hy_buffer buffer;
    uint64_t size;   /* of the buffer */
    uint64_t length; /* of the message; a receive's result */
    /* long messages: msg/rendezvous.h */
    const struct hy_rendezvous_ops *protocol; /* of a sender: expected, until `learned` is not 0 */
    uint64_t block, start, target; /* bytes per claim; `done` before and after this message */
    uint64_t staged;               /* pipeline: bytes put into or taken from the stage */
    uint64_t learned;              /* sender: the header that `protocol` is from */
    uint32_t patience;             /* sender: looks before it moves a block the receiver could */
    hy_descriptor descriptor;      /* the sender's, validated */
    uint64_t started_ns;           /* blocking sends with a send buffer */
    uint64_t since_ns;             /* breakdown: the last mark; 0: it was off at the beginning */
};

/* Long messages with peers of one kind: how the two sides tell each other, and by which protocols.
 */
typedef struct hy_rendezvous {
    const struct hy_handshake *handshake;
    const struct hy_rendezvous_ops *const *protocols; /* ends with NULL */
    bool forced;                                      /* the first one is, by HAYATE_RENDEZVOUS */
} hy_rendezvous;

struct hy_lane {
    hy_channel channel;
    hy_op send, recv;
    uint64_t moved_out, moved_in; /* bytes of all finished long messages */
    const hy_rendezvous *rendezvous;
    uint32_t header_generation;
    uint8_t *stage;  /* of the pipeline, HY_STAGE_BYTES, from the first use on */
    uint8_t *bounce; /* the same, for a receive that a remote peer's data cannot be fetched into */
    hy_msg *msg;
};

#define HY_BLOCK_BYTES (UINT64_C(32) << 10)
#define HY_STAGE_BYTES (4 * HY_BLOCK_BYTES)
#define HY_MAX_MAI 65536

typedef struct hy_send_buffer {
    uint8_t *memory; /* NULL: no send buffer */
    hy_heap heap;
    uint64_t timeout_ns;
    int waiting, sent; /* put aside now; sent since the last check */
} hy_send_buffer;

struct hy_breakdown;

struct hy_msg {
    hy_job *job;
    int count, size, rank;
    _Atomic uint32_t closed;
    uint32_t spin_limit;                /* polls of a call that must not block (virtual threads) */
    uint32_t brief_spins;               /* polls of a receive that do nothing else meanwhile */
    hy_lane *lanes;                     /* [count * size], mai-major */
    hy_rendezvous mapped, remote;       /* of their lanes */
    uint64_t match_offset, flag_offset; /* in the system area, or of the user's memory */
    bool own_areas;
    _Atomic(struct hy_breakdown *) breakdown; /* where it is measured; NULL: off */
    struct hy_breakdown *measured;            /* what was, also while it is off; NULL: nothing */
    hy_worklist active;
    pthread_mutex_t lock; /* of the send buffer, and of who measures */
    hy_send_buffer send_buffer;
};

/* ---- open.c ---- */
/* Its local state. After an error hy_msg_close() and hy_msg_free() follow as after success. */
int hy_msg_open(hy_msg *msg, hy_job *job, int64_t count);
/* Collective, in a set-up that the caller has entered (job/setup.h). match, flags: of the symmetric
 * heap, or NULL. */
int hy_msg_meet(hy_msg *msg, const void *match, const void *flags);
/* From here on its operations go on in all waits of the rank. NO_MEMORY. */
int hy_msg_start(hy_msg *msg);
/* No call begins any more. False: so it was already. */
bool hy_msg_refuse(hy_msg *msg);
/* Then: ends everything under way with CLOSED; memory stays until hy_msg_free(). */
void hy_msg_close(hy_msg *msg);
void hy_msg_free(hy_msg *msg);

/* The lane after checking peer and mai; NULL: ARGUMENT. */
hy_lane *hy_lane_find(hy_msg *msg, int peer, int mai);

/* ---- calls.c: blocking and non-blocking point to point ----
 * Blocking ones return HAYATE_IN_PROGRESS instead of sleeping when `request` is given: the
 * operation goes on as *request. With request == NULL they block. */
int hy_msg_send(hy_msg *msg, hy_buffer buffer, int64_t size, int dst, int mai, uint64_t *request);
int hy_msg_recv(hy_msg *msg, hy_buffer buffer, int64_t size, int src, int mai, uint64_t *received,
                uint64_t *request);
/* *request is 0 when the operation is complete already. */
int hy_msg_isend(hy_msg *msg, hy_buffer buffer, int64_t size, int dst, int mai, uint64_t *request);
int hy_msg_irecv(hy_msg *msg, hy_buffer buffer, int64_t size, int src, int mai, uint64_t *request);

/* ---- request.c ---- */
/* HAYATE_IN_PROGRESS, or the result; then the request is over. `received` may be NULL. */
int hy_request_test(hy_msg *msg, uint64_t request, uint64_t *received);
int hy_request_wait(hy_msg *msg, uint64_t request, uint64_t *received);
/* Index of a request that is over in *index (-1: all are 0), its result returned. */
int hy_request_wait_any(hy_msg *msg, int n, const uint64_t *requests, int *index,
                        uint64_t *received);
int hy_request_cancel(hy_msg *msg, uint64_t request, int *cancelled);
/* Steps active operations of other calls; false: there are none. */
bool hy_msg_progress(hy_msg *msg);

/* Makes a request of an operation that goes on after its call, 0 and NO_MEMORY in *rc if it cannot.
 */
uint64_t hy_request_make(hy_op *op, int *rc);

/* ---- send_buffer.c ---- */
/* A blocking send that has waited for longer than the time-out goes on from the send buffer, on its
 * own: true. False: not yet, no room, or no send buffer. */
bool hy_send_buffer_put_aside(hy_op *op);
/* The send that was put aside is over: its room is free again. */
void hy_send_buffer_finished(hy_op *op);
int hy_send_buffer_set(hy_msg *msg, void *memory, int64_t size, int timeout_us);
int hy_send_buffer_check(hy_msg *msg, int *sent, int *waiting);

/* Gives back the eager buffers that nobody waits for, of all lanes that are not in use at the
 * moment: bytes. */
uint64_t hy_msg_trim(hy_msg *msg);

/* Ends with CLOSED what goes on after its call, unless another thread is at it, which then sees the
 * end itself: peers do not reach its memory any more. */
void hy_msg_end_all(hy_msg *msg);

/* As hy_job_check(); CLOSED, too, when the FMPL is. */
int hy_msg_check(hy_msg *msg, int peer);

/* The same in a slow turn of a wait: progresses other operations before. */
int hy_msg_idle(hy_msg *msg, int peer);

#endif
