/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data from one rank to another in the way that the schedule has: the part of a generator that does
 * not depend on its algorithm. The sender of a stream calls await, push ..., drain; the receiver
 * ready, pull ..., finish, with the same lengths in the same order, both naming both ends.
 *
 *   way            ready           await          push               pull             finish drain
 *   put straight   SIGNAL expose   WAIT learn     PUT, SIGNAL        WAIT             -        -
 *   get straight   -               -              SIGNAL expose      WAIT learn, GET  SIGNAL   WAIT
 *   put prepared   -               -              SIGNAL payload     WAIT payload     -        -
 *   get prepared   -               -              SIGNAL expose BOX  WAIT, GET BOX    -        -
 *   put barrier    -               -              PUT                -                -        -
 *   get barrier    -               -              -                  GET              -        -
 *
 * With barriers, hy_round() stands between what the sender had to have done and what the receiver
 * may then do, the same number of times on all ranks: once before the first move, once after each
 * level of the algorithm (pushes and pulls of a level are not ordered among each other), so once at
 * the end. With counters it is nothing. Segments and barriers do not go together.
 *
 * Data of an inner rank that are pushed on need no more than the order of the calls: pull, then
 * push. Streams that cross (a ring, an exchange) call ready, await for all, then push for all, then
 * pull, so that nobody waits for who waits for it; no more than HY_SCHED_DEPTH signals may be
 * pushed to a rank before it pulls (payloads are cut into pieces of hy_piece(), a signal each).
 */
#ifndef HY_SCHED_STREAM_H
#define HY_SCHED_STREAM_H

#include "sched/builder.h"

bool hy_way_gets(const hy_schedule *s);     /* get, in whatever buffers */
bool hy_way_prepared(const hy_schedule *s); /* prepared buffers */
bool hy_way_barriers(const hy_schedule *s);

/* Pushes fetch from BOX: data are staged there, or best accumulated there from the start. */
bool hy_way_boxed(const hy_schedule *s);

/* Where peers find data that are staged at box_off of BOX: BOX there, or just `from`. Both ends
 * call it alike to name the source of a stream. */
hy_place hy_staged(const hy_schedule *s, hy_place from, uint64_t box_off);

/* Brings data there, once for any number of pushes; nothing unless the way is boxed. */
void hy_stage(hy_schedule *s, hy_place from, uint64_t box_off, uint64_t len);

void hy_stream_ready(hy_schedule *s, int from_peer, hy_region into);
void hy_stream_await(hy_schedule *s, int to_peer, hy_region into);

/* from: on the sender (staged if the way is boxed); to: on the receiver. len 0: nothing. */
void hy_stream_push(hy_schedule *s, int to_peer, hy_place from, hy_place to, uint64_t len);
void hy_stream_pull(hy_schedule *s, int from_peer, hy_place from, hy_place to, uint64_t len);

/* As pull, but the data are reduced into `into`. `via` is where a straight put leaves them on the
 * receiver (the `to` of the push), which then reduces from there; in other ways it is not used. */
void hy_stream_pull_fold(hy_schedule *s, int from_peer, hy_place from, hy_place via, hy_place into,
                         uint64_t len);

void hy_stream_finish(hy_schedule *s, int from_peer);
void hy_stream_drain(hy_schedule *s, int to_peer);

void hy_round(hy_schedule *s);

/* Bytes of a segment of straight ways: way.segment in whole elements, at least one; `total` when
 * there are no segments. In prepared ways: a multiple of hy_piece() no longer than that. */
uint64_t hy_segment(const hy_schedule *s, uint64_t total);

#endif
