/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The objects behind messages with tags, and who may touch what.
 *
 * Stream, sending half: whoever owns stream.send.busy. Receiving half: whoever owns or visits
 * stream.receive.busy takes messages out of the channel, in their order. Both are held for short
 * messages, or for the brief looks before a wait, never while anything else of the job goes on.
 *
 * Matching: a stream's lists of posted receives and of arrived messages belong to its receiving
 * half; receives from any member, which are in no stream, to tagged.lock. Such a one is posted
 * first, and then looks at all streams; so whoever owns a half finds it, or is found by it.
 * `waiting` and `wildcards` count what is in the lists, so that a call that finds neither needs
 * none of them.
 *
 * Requests: tags.lock for those that are free, the queues of long messages, and what is to be told
 * a rank. A request's state tells who owns its contents: the list in which it is (UNSENT, POSTED),
 * the queue (MOVES), or whoever changes it from ANNOUNCED or DONE by compare-and-swap.
 *
 * Order of the locks: a half of a stream, tagged.lock, tags.lock. No lock is held during a wait.
 */
#ifndef HY_TAGGED_STATE_H
#define HY_TAGGED_STATE_H

#include "base/busy.h"
#include "base/handles.h"
#include "coll/comm.h"
#include "msg/msg.h"
#include "tagged/tagged.h"

typedef struct hy_tag_request hy_tag_request;

typedef enum hy_tag_state {
    HY_TAG_IDLE,
    HY_TAG_UNSENT,    /* a send that waits for room in the channel, or for those before it */
    HY_TAG_ANNOUNCED, /* a long send that waits for its receive */
    HY_TAG_POSTED,    /* a receive that waits for its message */
    HY_TAG_MOVES,     /* matched: its data are moved */
    HY_TAG_DONE,      /* release-stored: publishes the result */
} hy_tag_state;

/* What ranks tell each other about long messages. */
typedef enum hy_tag_note_kind {
    HY_TAG_GO = 1,    /* send `bytes` of the message `request` */
    HY_TAG_WITHDRAW,  /* has the message `request` been matched? */
    HY_TAG_WITHDRAWN, /* it has not, and is forgotten */
} hy_tag_note_kind;

typedef struct hy_tag_note {
    uint32_t kind, unused;
    uint64_t request; /* the sender's */
    uint64_t bytes;
} hy_tag_note;

/* In the place of the sender's request: it waits in its call, and its data are already in the lane
 * that at most one message at a time uses. */
#define HY_TAG_AT_ONCE UINT64_MAX

/* A list in the order of arrival. */
typedef struct hy_tag_queue {
    hy_tag_request *_Atomic first;
    hy_tag_request **end; /* NULL: as if it were &first */
} hy_tag_queue;

struct hy_tag_request {
    _Atomic uint32_t state, generation;
    uint32_t place;
    int32_t member, tag;  /* as the call asked */
    _Atomic int32_t peer; /* the rank of the job that it waits for; -1: any */
    hy_tagged *tagged;
    hy_tag_request *next;       /* in the list or queue of its state */
    _Atomic uint32_t next_free; /* of free ones: the place + 1 */
    hy_buffer buffer;
    uint64_t bytes;   /* of the buffer of a receive, of a message to send */
    uint64_t number;  /* of a receive from any member; of another one, of the last before it */
    uint64_t moves;   /* bytes of its data */
    uint64_t moving;  /* the request of msg that moves them; 0: it has not begun */
    hy_tag_note note; /* what a rank is told about it */
    hy_tag_request *next_note; /* while `says`: of those that found no room */
    _Atomic bool says;
    _Atomic uint64_t asked_ns; /* when its receiver was asked to forget it; 0: it was not */
    hy_tag_status status;
    int result;
    char *reason; /* of a failure */
    bool sends, is_long, retained;
    bool detached;        /* nobody waits for it: a buffered send, that ends by itself */
    bool owned;           /* the buffer is to be freed: a copy, or made for the message */
    bool grows;           /* a receive whose buffer is made for its message */
    _Atomic bool at_once; /* which queue it is in: written while its waiter may look */
    bool answers;         /* no request: a note alone, freed when it is said */
    uint8_t *spill;       /* of one that is shorter than its message, which is received here */
};

/* A message that has arrived before its receive. */
struct hy_arrived {
    hy_arrived *next;
    hy_tag_status status;
    uint64_t sender; /* the sender's request: its data are still there; 0: they are here */
    uint8_t data[];
};

typedef struct hy_tag_stream {
    /* sending */
    HY_ALIGNED _Atomic uint32_t busy;
    hy_channel *_Atomic channel; /* NULL: it was never used */
    hy_tag_queue unsent;
    uint64_t charged, allowed; /* bytes of short messages sent, and 64 for each; at most */
    /* receiving */
    HY_ALIGNED _Atomic uint32_t receive_busy;
    _Atomic uint32_t waiting; /* in the two lists */
    int broken;               /* what the peer wrote makes no sense */
    uint64_t passed;          /* bytes of short messages that are not kept, or no longer */
    uint64_t told;            /* of these, what the sender knows */
    uint64_t seen;            /* receives from any member that have got what had arrived */
    HY_ALIGNED hy_tag_queue posted;
    hy_arrived *arrived, **arrived_end;
} hy_tag_stream;

_Static_assert(sizeof(hy_tag_stream) == 3 * HY_LINE, "a line for each half, and one for the lists");

/* Its memory stays, for the next communicator. */
typedef enum hy_tagged_life {
    HY_TAGGED_LIVES,
    HY_TAGGED_ENDS, /* its streams are closed */
    HY_TAGGED_FREE,
    HY_TAGGED_TAKEN, /* by a thread that opens it */
} hy_tagged_life;

struct hy_tagged {
    hy_tags *tags;
    hy_job *job;
    uint64_t eager_limit, window; /* bytes of a short message; of those that a receiver keeps */
    hy_tag_stream *streams;       /* [places] */
    int places, size, rank;       /* streams that there is memory for; rank: may be no member's */
    hy_tagged *next;              /* in tags.all */
    _Atomic uint32_t closed;
    _Atomic uint32_t inside; /* threads that use the streams, beside the owners of halves */
    _Atomic uint32_t life;   /* a hy_tagged_life */
    int number; /* of the hidden communicator, whose group's channels the streams use */
    hy_group *group;
    int first;                           /* member 0 is that member of the group */
    HY_ALIGNED _Atomic uint32_t senders; /* calls that wait to send */
    _Atomic uint32_t wildcards;          /* receives in `any` */
    _Atomic uint32_t arrived;            /* messages in the lists of all streams */
    hy_work work;
    pthread_mutex_t lock;
    hy_tag_queue any;             /* receives from any member */
    _Atomic uint64_t posts;       /* such receives until now */
    _Atomic uint32_t next_member; /* with which a receive from any member begins to look */
};

/* The queues of long messages with a rank. The first one of each is the one whose data move. */
typedef enum hy_tag_way {
    HY_TAG_SENDS,
    HY_TAG_RECEIVES,
    HY_TAG_RECEIVES_AT_ONCE,
    HY_TAG_WAYS
} hy_tag_way;

/* Long messages to and from a rank of the job. */
typedef struct hy_tag_peer {
    struct hy_tag_peer *next; /* of those that are in use */
    _Atomic uint32_t busy[HY_TAG_WAYS], notes_busy;
    _Atomic uint32_t at_once; /* owned by a call that sends at once */
    bool listed;
    hy_channel *_Atomic channel; /* for notes; NULL: it was never used */
    hy_tag_queue queues[HY_TAG_WAYS];
    hy_tag_request *_Atomic unsaid, **unsaid_end; /* whose notes found no room */
    _Atomic uint32_t active;                      /* what is in the lists, and announced sends */
} hy_tag_peer;

struct hy_tags {
    hy_comms *comms;
    hy_job *job;
    _Atomic uint32_t closed;
    _Atomic uint32_t active; /* of all peers */
    bool listens;
    _Atomic uint64_t buffered;                     /* bytes in copies */
    int notes_number, data_number, at_once_number; /* hidden communicators */
    hy_group *notes;
    hy_msg data, at_once; /* a lane to each rank: for messages in the order of notes, and at once */
    bool has_lanes;
    uint32_t spins; /* looks of a call before it does anything else */
    pthread_mutex_t lock;
    hy_handles requests;
    _Atomic uint64_t free;      /* the list of free requests: requests.c */
    hy_tag_peer *peers;         /* [ranks of the job] */
    hy_tag_peer *_Atomic used;  /* a list of them */
    hy_tagged *_Atomic all;     /* also those that are free */
    _Atomic uint64_t heard_all; /* the tick: whoever has claimed `work` */
    hy_worker worker, stream_worker;
    hy_work work;
};

/* ---- streams.c ---- */

/* The word in front of a message's data. */
#define HY_TAG_ANNOUNCES (UINT64_C(1) << 32)
static inline uint64_t hy_tag_word(int tag, bool announces)
{
    return (uint32_t)tag | (announces ? HY_TAG_ANNOUNCES : 0);
}

#define HY_TAG_WORD_BYTES sizeof(uint64_t)
#define HY_TAG_SLOT_BYTES (HY_SLOT_PAYLOAD - HY_TAG_WORD_BYTES)
#define HY_TAG_LINES_BYTES (HY_LINES_BYTES - HY_TAG_WORD_BYTES)

/* The next message of a stream. */
typedef struct hy_arrival {
    uint64_t head, word, bytes, sender, moved;
    hy_slot *slot;
    const uint8_t *payload; /* NULL: it is in slots */
} hy_arrival;

static inline int32_t hy_arrival_tag(const hy_arrival *a)
{
    return (int32_t)(uint32_t)a->word;
}

/* Becomes the owner of a half. Another thread holds it for one short message. */
void hy_half_await(_Atomic uint32_t *busy);
static inline void hy_half_own(_Atomic uint32_t *busy)
{
    if (hy_unlikely(!hy_busy_take(busy))) hy_half_await(busy);
}

/* The stream's channel, made at its first use. NULL: *rc. */
hy_channel *hy_tag_stream_open(hy_tagged *tagged, int member, int *rc);
static inline hy_channel *hy_tag_stream_channel(hy_tagged *tagged, int member, int *rc)
{
    hy_channel *channel = hy_load_acquire(&tagged->streams[member].channel);
    return hy_likely(channel != NULL) ? channel : hy_tag_stream_open(tagged, member, rc);
}

/* Owner of the sending half. Whether a message of so many bytes must be announced. */
bool hy_tag_stream_is_long(const hy_tagged *tagged, hy_tag_stream *stream, uint64_t bytes);
/* Posts a short message, or with `request` the announcement of a long one. IN_PROGRESS: there is no
 * room. */
int hy_tag_stream_post(hy_tagged *tagged, hy_tag_stream *stream, const hy_buffer *buffer,
                       uint64_t bytes, int tag, uint64_t request, bool blocking);
/* Posts what is unsent, as far as there is room. True: nothing is left. */
bool hy_tag_stream_flush(hy_tagged *tagged, hy_tag_stream *stream);

/* Owner of the receiving half. OK: the next message; IN_PROGRESS: there is none; CORRUPT. */
int hy_tag_stream_look(hy_tag_stream *stream, hy_arrival *arrival);
/* Copies its data, as many as fit, and takes it out of the channel. OK or TRUNCATE. */
int hy_tag_stream_deliver(hy_tagged *tagged, hy_tag_stream *stream, hy_arrival *arrival,
                          const hy_buffer *buffer, uint64_t bytes);
/* Takes an announcement out of the channel. */
void hy_tag_stream_take(hy_tag_stream *stream, const hy_arrival *arrival);
/* Owner of the receiving half: tells the sender how many bytes are not kept any longer. */
void hy_tag_stream_tell(hy_tag_stream *stream);
/* Of a message that the receiver keeps, beside its bytes. */
#define HY_TAG_COST 64

/* Owner of the receiving half: a short message is not kept, or no longer. */
static inline void hy_tag_stream_pass(const hy_tagged *tagged, hy_tag_stream *stream,
                                      uint64_t bytes)
{
    stream->passed += bytes + HY_TAG_COST;
    if (hy_unlikely(stream->passed - stream->told >= tagged->window / 4))
        hy_tag_stream_tell(stream);
}

/* Owner of the sending half: the receiver may keep a short message of so many bytes, as far as this
 * rank knows. */
static inline bool hy_tag_stream_may_keep(const hy_tag_stream *stream, uint64_t bytes)
{
    return stream->charged + bytes + HY_TAG_COST <= stream->allowed;
}

/* Owner of the receiving half: matches messages that have arrived while a receive is posted; the
 * next one may be for a receive that is about to be. */
void hy_tag_stream_serve(hy_tagged *tagged, hy_tag_stream *stream);
/* Owner of the receiving half: matches all messages that have arrived. */
void hy_tag_stream_match(hy_tagged *tagged, hy_tag_stream *stream);
/* The same, by whoever is inside; nothing, if another thread is at it. */
void hy_tag_stream_drain(hy_tagged *tagged, hy_tag_stream *stream);
void hy_tag_streams_drain(hy_tagged *tagged);

/* ---- matching.c ---- */

static inline bool hy_tag_matches(int asked, int tag)
{
    return asked == HY_ANY_TAG || asked == tag;
}

/* No receive waits for a message of this stream, and no message has arrived before its receive. */
static inline bool hy_tag_stream_is_quiet(const hy_tagged *tagged, const hy_tag_stream *stream)
{
    return !hy_load_acquire(&stream->waiting) && !hy_load_acquire(&tagged->wildcards);
}

/* Owner of the receiving half: gives the message to the receive that it matches, or keeps it.
 * NO_MEMORY: it stays in the channel. */
int hy_match_arrival(hy_tagged *tagged, int member, hy_arrival *arrival);
/* Gives a receive its message if that has arrived, else posts it: one from a member, the owner of
 * the receiving half; one from any, whoever is inside and owns no half. */
void hy_match_receive(hy_tag_request *request);
void hy_match_receive_any(hy_tag_request *request);
/* Owner of the receiving half. The message that such a receive would get; NULL: none has come. */
hy_arrived *hy_match_find(hy_tagged *tagged, hy_tag_stream *stream, int tag, bool take);
/* Takes back a posted receive. False: it is not posted any more. */
bool hy_match_withdraw(hy_tag_request *request);
/* A message to a long send of this rank of the job that is to be forgotten. */
bool hy_match_forget(hy_tags *tags, int peer, uint64_t sender);
/* Fills in a receive that nobody else has, from a message that nobody else has, and frees this. */
void hy_match_fill(hy_tag_request *request, hy_arrived *arrived);

/* ---- long_messages.c ---- */

/* The rank of the job that is a member. */
static inline int hy_tagged_peer(const hy_tagged *tagged, int member)
{
    return hy_group_member(tagged->group, tagged->first + member);
}

/* A send was announced (in state ANNOUNCED), or is over. */
void hy_transfer_expect(hy_tags *tags, int peer);
void hy_transfer_forget(hy_tags *tags, int peer);
/* A receive in state MOVES has matched the announcement of a message of so many bytes. */
void hy_transfer_receive(hy_tag_request *request, int member, uint64_t sender, uint64_t bytes);
/* Hears the notes of a rank, and tells it what it is to know. */
void hy_transfer_notes(hy_tags *tags, int peer);
/* Asks the receiver to forget an announced send. */
void hy_transfer_withdraw(hy_tag_request *request);
/* A request is over before its note has found room. */
void hy_transfer_unsay(hy_tag_request *request);
/* Moves data to and from a rank. `blocking`: waits for this one if it is its turn; or NULL. */
void hy_transfer_move(hy_tags *tags, int peer, hy_tag_way way, hy_tag_request *blocking);
static inline hy_tag_way hy_tag_request_way(const hy_tag_request *request)
{
    if (request->sends) return HY_TAG_SENDS;
    return hy_load_relaxed(&request->at_once) ? HY_TAG_RECEIVES_AT_ONCE : HY_TAG_RECEIVES;
}
/* Sends and receives a message at once, from its announcement to its end. IN_PROGRESS: another one
 * is under way between the two ranks; nothing has happened. */
int hy_transfer_send_at_once(hy_tagged *tagged, hy_tag_stream *stream, const hy_buffer *buffer,
                             uint64_t bytes, int member, int tag);
int hy_transfer_recv_at_once(hy_tags *tags, int peer, const hy_buffer *buffer, uint64_t bytes);
void hy_transfer_open(hy_tags *tags);
/* Frees the answers that were never said. */
void hy_transfer_free(hy_tags *tags, int peer);

/* ---- requests.c ---- */

/* A request with the buffer, kept for longer than the call. NULL: NO_MEMORY. */
hy_tag_request *hy_tag_request_take(hy_tagged *tagged, const hy_buffer *buffer, uint64_t bytes,
                                    int member, int tag, bool sends);
uint64_t hy_tag_request_name(const hy_tag_request *request);
/* NULL: it is over; no reason. */
hy_tag_request *hy_tag_request_find(const hy_tags *tags, uint64_t name);
/* A matched receive gets a message of so many bytes: makes its buffer, if it has none. */
void hy_tag_request_fit(hy_tag_request *request, uint64_t bytes);
/* The end of a request, by its owner. Of a failure, the thread's reason is kept. */
void hy_tag_request_end(hy_tag_request *request, int result);
static inline int hy_tag_request_peer(const hy_tag_request *request)
{
    return hy_load_relaxed(&request->peer);
}
/* Ends those that have not begun to move. */
void hy_tag_requests_close(hy_tags *tags);
void hy_tag_requests_free(hy_tags *tags);

/* ---- tags.c ---- */

int hy_tagged_fail_closed(void);
static inline bool hy_tagged_is_closed(const hy_tagged *tagged)
{
    return hy_load_relaxed(&tagged->closed) || hy_load_relaxed(&tagged->job->closed);
}
static inline int hy_tagged_check(const hy_tagged *tagged)
{
    return hy_unlikely(hy_tagged_is_closed(tagged)) ? hy_tagged_fail_closed() : HAYATE_OK;
}
/* CLOSED, or why a wait for a rank of the job (-1: for any of the members) cannot go on. */
int hy_tagged_check_peer(hy_tagged *tagged, int peer);

/* A thread that is to use the streams, without the half of one. False: they are gone. */
static inline bool hy_tagged_enter(hy_tagged *tagged)
{
    atomic_fetch_add(&tagged->inside, 1);
    if (hy_likely(atomic_load(&tagged->life) == HY_TAGGED_LIVES)) return true;
    atomic_fetch_sub(&tagged->inside, 1);
    return false;
}
static inline void hy_tagged_leave(hy_tagged *tagged)
{
    atomic_fetch_sub_explicit(&tagged->inside, 1, memory_order_release);
}

/* ---- queues ---- */

static inline void hy_tag_append(hy_tag_queue *queue, hy_tag_request *request)
{
    request->next = NULL;
    hy_tag_request **end = queue->end;
    queue->end = &request->next;
    if (hy_load_relaxed(&queue->first)) *end = request;
    else hy_store_release(&queue->first, request);
}

static inline hy_tag_request *hy_tag_first(const hy_tag_queue *queue)
{
    return hy_load_acquire(&queue->first);
}

static inline void hy_tag_remove_first(hy_tag_queue *queue)
{
    hy_store_release(&queue->first, hy_load_relaxed(&queue->first)->next);
}

/* False: it is not there. */
static inline bool hy_tag_remove(hy_tag_queue *queue, const hy_tag_request *request)
{
    hy_tag_request *before = NULL, *at = hy_load_relaxed(&queue->first);
    for (; at && at != request; at = at->next) before = at;
    if (!at) return false;
    if (!before) hy_store_release(&queue->first, at->next);
    else before->next = at->next;
    if (!at->next && before) queue->end = &before->next;
    return true;
}

#endif
