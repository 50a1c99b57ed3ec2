/* SPDX-License-Identifier: Apache-2.0 */
/* The table of stream.h: the exact steps of both ends, in every way. */
#include <stdlib.h>
#include <string.h>

#include "base/test.h"
#include "base/status.h"
#include "sched/stream.h"

#define PEER 3
#define LEN 32
#define BOX_OFF 64
#define MAX_STEPS 8

#define SIGNAL \
    { \
        .kind = HY_STEP_SIGNAL, .peer = PEER, \
    }
#define WAIT \
    { \
        .kind = HY_STEP_WAIT, .peer = PEER, \
    }
#define EXPOSE(region_) \
    { \
        .kind = HY_STEP_SIGNAL, .flags = HY_STEP_EXPOSE, .local = (region_), .peer = PEER \
    }
#define LEARN(region_) \
    { \
        .kind = HY_STEP_WAIT, .flags = HY_STEP_EXPOSE, .remote = (region_), .peer = PEER \
    }
#define SEND(region_, off_, len_) \
    { \
        .kind = HY_STEP_SIGNAL, .local = (region_), .local_off = (off_), .len = (len_), \
        .peer = PEER \
    }
#define TAKE(flags_, region_, off_, len_) \
    { \
        .kind = HY_STEP_WAIT, .flags = (flags_), .local = (region_), .local_off = (off_), \
        .len = (len_), .peer = PEER \
    }
#define MOVE(kind_, peer_, local_, local_off_, remote_, remote_off_, len_) \
    { \
        .kind = (kind_), .peer = (peer_), .local = (local_), .local_off = (local_off_), \
        .remote = (remote_), .remote_off = (remote_off_), .len = (len_) \
    }
/* What the streams below move: IN+8 of the sender, or BOX+64, to OUT+24 of the receiver. */
#define PUT MOVE(HY_STEP_PUT, PEER, HY_IN, 8, HY_OUT, 24, LEN)
#define GET(region_, off_) MOVE(HY_STEP_GET, PEER, HY_OUT, 24, region_, off_, LEN)
#define FOLD_FROM(peer_, region_, off_) MOVE(HY_STEP_REDUCE, peer_, HY_OUT, 24, region_, off_, LEN)

typedef struct row {
    const char *way;
    hy_step sender[MAX_STEPS], receiver[MAX_STEPS]; /* up to the first of all zero */
} row;

static const row table[] = {
    {"put straight counters", {LEARN(HY_OUT), PUT, SIGNAL}, {EXPOSE(HY_OUT), WAIT}},
    {"get straight counters", {EXPOSE(HY_IN), WAIT}, {LEARN(HY_IN), GET(HY_IN, 8), SIGNAL}},
    {"put prepared counters", {SEND(HY_IN, 8, LEN)}, {TAKE(0, HY_OUT, 24, LEN)}},
    {"get prepared counters", {EXPOSE(HY_BOX)}, {LEARN(HY_BOX), GET(HY_BOX, BOX_OFF)}},
    {"put straight barrier", {PUT}, {{0}}},
    {"get straight barrier", {{0}}, {GET(HY_IN, 8)}},
};

/* The receiver's, when it reduces; a straight put leaves the data in its TMP+40. */
static const row folds[] = {
    {"put straight counters", {{0}}, {EXPOSE(HY_TMP), WAIT, FOLD_FROM(0, HY_TMP, 40)}},
    {"get straight counters", {{0}}, {LEARN(HY_IN), FOLD_FROM(PEER, HY_IN, 8), SIGNAL}},
    {"put prepared counters", {{0}}, {TAKE(HY_STEP_FOLD, HY_OUT, 24, LEN)}},
    {"get prepared counters", {{0}}, {LEARN(HY_BOX), FOLD_FROM(PEER, HY_BOX, BOX_OFF)}},
    {"put straight barrier", {{0}}, {FOLD_FROM(0, HY_TMP, 40)}},
    {"get straight barrier", {{0}}, {FOLD_FROM(PEER, HY_IN, 8)}},
};

#define WAYS (sizeof table / sizeof table[0])

static hy_schedule empty(uint32_t way)
{
    hy_schedule s = {.shape = {.coll = HY_COLL_ALLTOALL, .size = 5, .unit = 8, .wired = true},
                     .limit = UINT64_MAX};
    assert_true(hy_way_at(way, &s.way));
    return s;
}

static uint32_t length(const hy_step *steps)
{
    static const hy_step none;
    uint32_t count = 0;
    while (count < MAX_STEPS && memcmp(&steps[count], &none, sizeof none) != 0) count++;
    return count;
}

static void check_step(const char *way, uint32_t index, const hy_step *is, const hy_step *wanted)
{
    if (is->kind != wanted->kind || is->flags != wanted->flags || is->peer != wanted->peer ||
        is->local != wanted->local || is->local_off != wanted->local_off ||
        is->len != wanted->len || is->remote != wanted->remote ||
        is->remote_off != wanted->remote_off)
        fail_msg("%s: step %u is kind %u flags %u peer %d %u+%llu, %u+%llu, %llu B", way, index,
                 is->kind, is->flags, is->peer, is->local, (unsigned long long)is->local_off,
                 is->remote, (unsigned long long)is->remote_off, (unsigned long long)is->len);
}

static void check(hy_schedule *s, const char *way, const hy_step *wanted)
{
    assert_ok(hy_emit_end(s));
    if (s->count != length(wanted))
        fail_msg("%s: %u steps, expected %u", way, s->count, length(wanted));
    for (uint32_t i = 0; i < s->count; i++) check_step(way, i, &s->steps[i], &wanted[i]);
    hy_schedule_release(s);
}

TEST(should_send_what_the_table_says)
{
    for (uint32_t i = 0; i < WAYS; i++) {
        hy_schedule s = empty(i);
        hy_stream_await(&s, PEER, HY_OUT);
        hy_stream_push(&s, PEER, hy_staged(&s, HY_AT(HY_IN, 8), BOX_OFF), HY_AT(HY_OUT, 24), LEN);
        hy_stream_drain(&s, PEER);
        check(&s, table[i].way, table[i].sender);
    }
}

TEST(should_receive_what_the_table_says)
{
    for (uint32_t i = 0; i < WAYS; i++) {
        hy_schedule s = empty(i);
        hy_stream_ready(&s, PEER, HY_OUT);
        hy_stream_pull(&s, PEER, hy_staged(&s, HY_AT(HY_IN, 8), BOX_OFF), HY_AT(HY_OUT, 24), LEN);
        hy_stream_finish(&s, PEER);
        check(&s, table[i].way, table[i].receiver);
    }
}

TEST(should_reduce_what_comes_from_where_the_way_leaves_it)
{
    for (uint32_t i = 0; i < WAYS; i++) {
        hy_schedule s = empty(i);
        hy_stream_ready(&s, PEER, HY_TMP);
        hy_stream_pull_fold(&s, PEER, hy_staged(&s, HY_AT(HY_IN, 8), BOX_OFF), HY_AT(HY_TMP, 40),
                            HY_AT(HY_OUT, 24), LEN);
        hy_stream_finish(&s, PEER);
        check(&s, folds[i].way, folds[i].receiver);
    }
}

TEST(should_move_nothing_for_no_bytes)
{
    static const hy_step nothing[1];
    for (uint32_t i = 0; i < WAYS; i++) {
        hy_schedule s = empty(i);
        hy_place place = HY_AT(HY_OUT, 0);
        hy_stream_push(&s, PEER, place, place, 0);
        hy_stream_pull(&s, PEER, place, place, 0);
        hy_stream_pull_fold(&s, PEER, place, place, place, 0);
        hy_stage(&s, place, 0, 0);
        assert_int_equal(s.box_bytes, 0);
        check(&s, table[i].way, nothing);
    }
}

TEST(should_stage_only_what_is_fetched_from_the_box)
{
    static const hy_step copy[MAX_STEPS] = {MOVE(HY_STEP_COPY, 0, HY_BOX, BOX_OFF, HY_IN, 8, LEN)};
    static const hy_step nothing[1];
    for (uint32_t i = 0; i < WAYS; i++) {
        hy_schedule s = empty(i);
        bool boxed = s.way.transfer == HY_TRANSFER_GET && s.way.buffers == HY_BUFFERS_PREPARED;
        hy_stage(&s, HY_AT(HY_IN, 8), BOX_OFF, LEN);
        assert_int_equal(s.box_bytes, boxed ? BOX_OFF + LEN : 0);
        assert_int_equal(hy_way_boxed(&s), boxed);
        check(&s, table[i].way, boxed ? copy : nothing);
    }
}

/* Two pieces and a half, each a signal with a payload of whole elements. */
TEST(should_cut_long_payloads_alike_on_both_ends)
{
    const uint64_t piece = 4080, len = 2 * piece + 48;
    const hy_step sent[MAX_STEPS] = {SEND(HY_IN, 8, 4080), SEND(HY_IN, 8 + 4080, 4080),
                                     SEND(HY_IN, 8 + 8160, 48)};
    const hy_step taken[MAX_STEPS] = {TAKE(0, HY_OUT, 24, 4080), TAKE(0, HY_OUT, 24 + 4080, 4080),
                                      TAKE(0, HY_OUT, 24 + 8160, 48)};
    hy_schedule s = empty(2);
    s.shape.unit = 24;
    hy_stream_push(&s, PEER, HY_AT(HY_IN, 8), HY_AT(HY_OUT, 24), len);
    check(&s, "sender", sent);
    s = empty(2);
    s.shape.unit = 24;
    hy_stream_pull(&s, PEER, HY_AT(HY_IN, 8), HY_AT(HY_OUT, 24), len);
    check(&s, "receiver", taken);
}

/* After it each rank has heard of all: rounds over distances 1, 2 and 4 of five ranks. */
TEST(should_disseminate_in_rounds_of_barrier_ways_only)
{
    static const int peers[] = {3, 1, 4, 0, 1, 3}; /* of rank 2: one above, one below, two ... */
    for (uint32_t i = 0; i < WAYS; i++) {
        hy_schedule s = empty(i);
        s.shape.rank = 2;
        hy_round(&s);
        bool barriers = s.way.sync == HY_SYNC_BARRIER;
        assert_int_equal(hy_way_barriers(&s), barriers);
        assert_int_equal(s.count, barriers ? 6 : 0);
        for (uint32_t k = 0; k < s.count; k++) {
            const hy_step wanted = {.kind = k % 2 ? HY_STEP_WAIT : HY_STEP_SIGNAL,
                                    .peer = peers[k]};
            check_step(table[i].way, k, &s.steps[k], &wanted);
        }
        hy_schedule_release(&s);
    }
}

static uint64_t segment(uint32_t way, uint32_t unit, uint64_t wanted, uint64_t total)
{
    hy_schedule s = empty(way);
    s.shape.unit = unit;
    s.way.segment = wanted;
    return hy_segment(&s, total);
}

TEST(should_cut_segments_of_whole_elements)
{
    for (uint32_t way = 0; way < 2; way++) {
        assert_int_equal(segment(way, 8, HY_SEGMENT_NONE, 100000), 100000);
        assert_int_equal(segment(way, 8, 0, 100000), 100000);
        assert_int_equal(segment(way, 8, 100000, 100000), 100000);
        assert_int_equal(segment(way, 8, 99999, 100000), 99992);
        assert_int_equal(segment(way, 24, 100, 100000), 96);
        assert_int_equal(segment(way, 24, 5, 100000), 24);
        assert_int_equal(segment(way, 24, 5000, 100000), 4992);
        assert_int_equal(segment(way, 8, 8, 0), 0);
    }
}

TEST(should_cut_segments_of_whole_pieces_for_payloads)
{
    assert_int_equal(segment(2, 8, 5000, 100000), 4096);
    assert_int_equal(segment(2, 8, 3 * 4096, 100000), 3 * 4096);
    assert_int_equal(segment(2, 24, 5000, 100000), 4080);
    assert_int_equal(segment(2, 24, 100, 100000), 96);
    assert_int_equal(segment(3, 24, 5000, 100000), 4992); /* BOX has no pieces */
}

int main(void)
{
    return tests_run();
}
