/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages with tags between the members of a communicator, with the rules of MPI: a receive takes
 * the first message that it matches, by source and tag, either of which may be any; messages of one
 * sender to one receiver on one communicator are matched in the order in which they were sent, and
 * messages of different communicators never meet.
 *
 * A communicator with tags (hy_tagged) has a *stream* to each member, a channel that nothing else
 * uses, which carries short messages, and announcements of long ones. What all communicators of a
 * process share (hy_tags) is one lane to each rank for the data of long messages (msg/msg.h), and a
 * channel for what is said about them.
 *
 * Threads. Any thread may call anything at any time. A call waits for another thread only as long
 * as that one copies short messages, or briefly looks for one. Two waits for one request: one gets
 * its result, the other ARGUMENT.
 *
 * Memory. A sender may have short messages that nobody has matched yet, up to a number of bytes for
 * each stream (hy_tagged_window()), which the receiver keeps. Beyond, messages are announced like
 * long ones: their data stay with the sender until they are matched. So a flood costs the receiver
 * no more than the announcements.
 *
 * Failures. A call or a request that waits for a rank that has died or left ends with PEER_FAILED;
 * one that waits for any member, when a rank has died or all others have left. Nobody accesses its
 * memory afterwards.
 */
#ifndef HY_TAGGED_TAGGED_H
#define HY_TAGGED_TAGGED_H

#include "base/buffer.h"
#include "coll/comm.h"
#include "job/await.h"

#define HY_ANY_MEMBER (-1)
#define HY_ANY_TAG (-1)

typedef struct hy_tags hy_tags;
typedef struct hy_tagged hy_tagged;

/* What a receive or a probe has found. */
typedef struct hy_tag_status {
    uint64_t bytes; /* of the message, also if the buffer was shorter */
    int32_t member, tag;
    void *made; /* the memory of hy_tagged_irecv_new(), for free(); else NULL */
} hy_tag_status;

typedef enum hy_tag_mode {
    HY_TAG_STANDARD,
    HY_TAG_SYNCHRONOUS, /* complete when its receive has begun */
} hy_tag_mode;

/* ---- tags.c: opening and closing ---- */

/* Collective over the world communicator of `comms`. NO_MEMORY, MISMATCH, PEER_FAILED, CLOSED. */
int hy_tags_open(hy_tags **tags, hy_comms *comms);
/* Ends everything under way with CLOSED; the memory stays until hy_tags_free(), to which no call
 * may be under way. */
void hy_tags_close(hy_tags *tags);
void hy_tags_free(hy_tags *tags);

/* Collective over the communicator `comm`, as hy_comm_split(). Members have the same numbers. */
int hy_tagged_open(hy_tags *tags, int comm, hy_tagged **tagged);
/* The same for messages to and from `count` members of `comm` only, beginning with `first`, which
 * are the members of the result: the other side of an intercommunicator. */
int hy_tagged_open_part(hy_tags *tags, int comm, int first, int count, hy_tagged **tagged);
/* Local. No call begins afterwards. What is under way goes on: sends arrive, receives match. The
 * object may then be another communicator's, but its memory stays valid until hy_tags_free(). */
void hy_tagged_close(hy_tagged *tagged);

/* The bytes of short messages that the receiver keeps for each sender, 64 more for each message. */
uint64_t hy_tagged_window(const hy_tagged *tagged);

/*
 * ---- sends.c, receives.c: messages ----
 * member: of the communicator, also this one itself. tag: from 0. Of a receive, either may be any.
 * A send is complete when its buffer may be changed. ARGUMENT, CLOSED, PEER_FAILED, NO_MEMORY.
 * TRUNCATE: the message was longer than the buffer, which has its beginning; the rest is lost.
 */
int hy_tagged_send(hy_tagged *tagged, hy_buffer buffer, uint64_t bytes, int member, int tag,
                   hy_tag_mode mode);
int hy_tagged_recv(hy_tagged *tagged, hy_buffer buffer, uint64_t bytes, int member, int tag,
                   hy_tag_status *status);
/* *request: 0: it is complete, and *status is known. */
int hy_tagged_isend(hy_tagged *tagged, hy_buffer buffer, uint64_t bytes, int member, int tag,
                    hy_tag_mode mode, uint64_t *request);
int hy_tagged_irecv(hy_tagged *tagged, hy_buffer buffer, uint64_t bytes, int member, int tag,
                    hy_tag_status *status, uint64_t *request);
/* Receives into memory that is made for the message, of any length: status.made of its wait. */
int hy_tagged_irecv_new(hy_tagged *tagged, int member, int tag, uint64_t *request);
/* Sends a copy, which hy_tags counts until it is sent. Never waits. */
int hy_tagged_bsend(hy_tagged *tagged, hy_buffer buffer, uint64_t bytes, int member, int tag);
/* The bytes of such copies that are not sent yet. */
uint64_t hy_tags_buffered(const hy_tags *tags);
/* Waits until all copies are sent, but for those to ranks that have ended. CLOSED. */
int hy_tags_settle(hy_tags *tags);

/*
 * ---- requests.c ----
 * A request ends when its result is returned, also an error. IN_PROGRESS: it goes on.
 */
int hy_tag_test(hy_tags *tags, uint64_t request, hy_tag_status *status);
int hy_tag_wait(hy_tags *tags, uint64_t request, hy_tag_status *status);
/* Waits for one of n; those that are 0 do not count. *index: which; -1: all are 0. With `once` it
 * looks once, and may return IN_PROGRESS. */
int hy_tag_wait_any(hy_tags *tags, int n, const uint64_t *requests, bool once, int *index,
                    hy_tag_status *status);
/* Asks to end it early: a receive that nothing has matched; a send that was not announced, or that
 * its receiver has not matched. Its result is then CANCELLED. It must be waited for all the same.
 */
int hy_tag_cancel(hy_tags *tags, uint64_t request);

/*
 * ---- arrivals.c ----
 * Looks for a message that a receive would match, and leaves it. wait: until there is one; else
 * IN_PROGRESS. taken: not NULL: the message is taken out; only *taken can receive it.
 */
typedef struct hy_arrived hy_arrived;
int hy_tagged_probe(hy_tagged *tagged, int member, int tag, bool wait, hy_tag_status *status,
                    hy_arrived **taken);
/* Receives it, as a request. makes: as hy_tagged_irecv_new(), without a buffer. */
int hy_arrived_receive(hy_tagged *tagged, hy_arrived *taken, hy_buffer buffer, uint64_t bytes,
                       bool makes, uint64_t *request);

#endif
