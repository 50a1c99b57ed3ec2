/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Streams: data from one rank to another by the transfer method of the schedule; the part of a
 * generator that does not depend on its algorithm. The sender of a stream calls await, push ...,
 * drain; the receiver ready, pull ..., finish, with the same lengths in the same order; both name
 * both ends.
 *
 *   way            ready           await          push               pull             finish drain
 *   put straight   SIGNAL expose   WAIT learn     PUT, SIGNAL        WAIT             -        -
 *   get straight   -               -              SIGNAL expose      WAIT learn, GET  SIGNAL   WAIT
 *   put prepared   -               -              SIGNAL payload     WAIT payload     -        -
 *   get prepared   -               -              SIGNAL expose BOX  WAIT, GET BOX    -        -
 *   put barrier    -               -              PUT                -                -        -
 *   get barrier    -               -              -                  GET              -        -
 *
 * With barriers, hy_round() separates what the sender must have done from what the receiver may
 * then do, the same number of times on all ranks: once before the first move and once after each
 * level of the algorithm (pushes and pulls of a level are not ordered among each other), so also
 * once at the end. With counters it does nothing. Segments cannot be combined with barriers.
 *
 * Data of an inner rank that are passed on need only the order of the calls: pull, then push.
 * Streams that cross (a ring, an exchange) call ready and await for all, then push for all, then
 * pull, so that no two ranks wait for each other; at most HY_SCHED_DEPTH signals may be pushed to a
 * rank before it pulls (payloads are split into pieces of hy_piece(), one signal each).
 */
#ifndef HY_SCHED_STREAM_H
#define HY_SCHED_STREAM_H

#include "sched/builder.h"

bool hy_way_gets(const hy_schedule *s);     /* get, with any buffers */
bool hy_way_prepared(const hy_schedule *s); /* prepared buffers */
bool hy_way_barriers(const hy_schedule *s);

/* Pushes read from BOX: data are staged there, or accumulated there from the start. */
bool hy_way_boxed(const hy_schedule *s);

/* Where peers find data that are staged at box_off of BOX: BOX there, or simply `from`. Both ends
 * call it in the same way to name the source of a stream. */
hy_place hy_staged(const hy_schedule *s, hy_place from, uint64_t box_off);

/* Copies data there, once for any number of pushes; does nothing unless the method is boxed. */
void hy_stage(hy_schedule *s, hy_place from, uint64_t box_off, uint64_t len);

void hy_stream_ready(hy_schedule *s, int from_peer, hy_region into);
void hy_stream_await(hy_schedule *s, int to_peer, hy_region into);

/* from: on the sender (staged if the method is boxed); to: on the receiver. len 0: nothing. */
void hy_stream_push(hy_schedule *s, int to_peer, hy_place from, hy_place to, uint64_t len);
void hy_stream_pull(hy_schedule *s, int from_peer, hy_place from, hy_place to, uint64_t len);

/* Like pull, but reduces the data into `into`. `via` is where a straight put stores them on the
 * receiver (the `to` of the push), which then reduces from there; other methods do not use it. */
void hy_stream_pull_fold(hy_schedule *s, int from_peer, hy_place from, hy_place via, hy_place into,
                         uint64_t len);

void hy_stream_finish(hy_schedule *s, int from_peer);
void hy_stream_drain(hy_schedule *s, int to_peer);

void hy_round(hy_schedule *s);

/* Bytes of a segment of straight methods: way.segment in whole elements, at least one; `total` if
 * there are no segments. In prepared methods: the largest multiple of hy_piece() that is not
 * longer. */
uint64_t hy_segment(const hy_schedule *s, uint64_t total);

#endif
