/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
/* Which protocol a long message takes, and that each of them carries every byte, by whichever side
 * moves it. */
#include "base/test.h"
#include "fmpl/members_fixture.h"
#include "msg/rendezvous_ops.h"
#include "net/fault/fault_path.h"

#include <sched.h>
#include <string.h>

#define SHORT 10000 /* one block */
#define LONG 300001 /* several blocks, and more than a stage */
#define FROM 8192   /* HAYATE_CMA_FROM */
#define NEVER UINT64_MAX

/* ---- the choice ---- */

/* Where a buffer lies; MANAGED has no address. */
enum place { HEAP, OUTSIDE, MANAGED };

static hy_told_buffer told(enum place place, uint64_t bytes, bool reaches)
{
    return (hy_told_buffer){.offset = place == HEAP ? 4096 : HY_NOT_IN_HEAP,
                            .address = place == MANAGED ? 0 : 0x1000,
                            .len = bytes,
                            .flags = reaches ? HY_REACHES_PEER : 0};
}

static int index_of(const char *word)
{
    for (int i = 0; HY_SET(RENDEZVOUS)->words[i]; i++)
        if (strcmp(HY_SET(RENDEZVOUS)->words[i], word) == 0) return i;
    fail_msg("%s is no word of HAYATE_RENDEZVOUS", word);
    return -1;
}

typedef struct choice {
    const char *word;
    bool direct, remote;
    enum place from, to;
    bool sender_reaches, receiver_reaches;
    uint64_t bytes;
    const hy_rendezvous_ops *expected;
} choice;

static const hy_rendezvous_ops *chosen(const choice *c, uint64_t cma_from)
{
    const hy_job job = {.rendezvous = index_of(c->word), .direct = c->direct, .cma_from = cma_from};
    const hy_told_buffer source = told(c->from, c->bytes, c->sender_reaches);
    const hy_told_buffer target = told(c->to, c->bytes, c->receiver_reaches);
    hy_rendezvous rendezvous;
    hy_rendezvous_open(&rendezvous, c->remote, &job);
    return hy_rendezvous_choose(&rendezvous, &job, &source, &target);
}

static void expect_choices(const choice *choices, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (chosen(&choices[i], FROM) != choices[i].expected)
            fail_msg("choice %zu, %s", i, choices[i].word);
}
#define EXPECT(choices) expect_choices(choices, sizeof(choices) / sizeof *(choices))

TEST(should_take_the_cheapest_protocol_that_is_possible)
{
    const hy_rendezvous_ops *heap = &hy_rendezvous_heap, *single = &hy_rendezvous_single,
                            *pipeline = &hy_rendezvous_pipeline, *direct = &hy_rendezvous_direct;
    const choice choices[] = {
        {"auto", false, false, HEAP, OUTSIDE, true, true, LONG, heap},
        {"auto", false, false, OUTSIDE, HEAP, true, true, LONG, heap},
        {"auto", false, false, MANAGED, HEAP, true, true, LONG, heap},
        {"auto", false, false, OUTSIDE, OUTSIDE, true, true, LONG, single},
        {"auto", false, false, OUTSIDE, OUTSIDE, true, false, LONG, single},
        {"auto", false, false, OUTSIDE, OUTSIDE, false, true, LONG, single},
        {"auto", false, false, OUTSIDE, OUTSIDE, false, false, LONG, pipeline},
        {"auto", false, false, OUTSIDE, MANAGED, true, true, LONG, pipeline},
        {"auto", false, false, MANAGED, OUTSIDE, true, true, LONG, pipeline},
        {"auto", true, false, HEAP, HEAP, true, true, LONG, direct},
        {"auto", true, false, MANAGED, HEAP, true, true, LONG, direct},
        {"auto", true, false, MANAGED, MANAGED, true, true, LONG, pipeline},
    };
    EXPECT(choices);
}

/* The kernel's copy is dear below FROM and for short pieces; one by loads is neither. */
TEST(should_count_what_a_single_copy_costs)
{
    static const struct {
        bool loads;
        uint64_t rows, bytes, from;
        const hy_rendezvous_ops *expected;
    } rows[] = {
        {false, 0, LONG, FROM, &hy_rendezvous_single},
        {false, 0, LONG, LONG + 1, &hy_rendezvous_pipeline},
        {true, 0, LONG, LONG + 1, &hy_rendezvous_single},
        {true, 0, SHORT, NEVER, &hy_rendezvous_single},
        {true, 0, 8000, NEVER, &hy_rendezvous_pipeline},
        {false, 10000, LONG / 10000 * 10000, FROM, &hy_rendezvous_single},
        {false, 100, LONG / 100 * 100, FROM, &hy_rendezvous_pipeline},
        {true, 100, LONG / 100 * 100, FROM, &hy_rendezvous_single},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const hy_job job = {.cma_from = rows[i].from};
        hy_told_buffer source = told(OUTSIDE, rows[i].bytes, true), target = source;
        if (rows[i].loads) target.flags |= HY_REACHES_BY_LOADS;
        if (rows[i].rows) {
            source.flags |= HY_IS_STRIDED;
            source.section = (hy_section){.rows = (uint32_t)rows[i].rows,
                                          .columns = (uint32_t)(rows[i].bytes / rows[i].rows),
                                          .stride = 2 * rows[i].rows,
                                          .element = 1};
        }
        hy_rendezvous rendezvous;
        hy_rendezvous_open(&rendezvous, false, &job);
        if (hy_rendezvous_choose(&rendezvous, &job, &source, &target) != rows[i].expected)
            fail_msg("row %zu", i);
    }
}

/* It still counts the pieces of the receiver's section. */
TEST(should_take_a_single_copy_that_the_sender_prefers)
{
    const hy_job job = {.cma_from = NEVER};
    hy_told_buffer source = told(OUTSIDE, 300000, true), target = source;
    hy_rendezvous rendezvous;
    hy_rendezvous_open(&rendezvous, false, &job);
    assert_ptr_equal(hy_rendezvous_choose(&rendezvous, &job, &source, &target),
                     &hy_rendezvous_pipeline);
    source.flags |= HY_PREFERS_SINGLE;
    assert_ptr_equal(hy_rendezvous_choose(&rendezvous, &job, &source, &target),
                     &hy_rendezvous_single);
    target.flags |= HY_IS_STRIDED;
    target.section = (hy_section){.rows = 10000, .columns = 30, .stride = 20000, .element = 1};
    assert_ptr_equal(hy_rendezvous_choose(&rendezvous, &job, &source, &target),
                     &hy_rendezvous_single);
    target.section = (hy_section){.rows = 100, .columns = 3000, .stride = 200, .element = 1};
    assert_ptr_equal(hy_rendezvous_choose(&rendezvous, &job, &source, &target),
                     &hy_rendezvous_pipeline);
}

TEST(should_take_a_forced_protocol_or_one_that_needs_less)
{
    const hy_rendezvous_ops *heap = &hy_rendezvous_heap, *single = &hy_rendezvous_single,
                            *pipeline = &hy_rendezvous_pipeline, *direct = &hy_rendezvous_direct;
    const choice choices[] = {
        {"cma", false, false, HEAP, HEAP, true, true, LONG, single},
        {"copy", false, false, HEAP, HEAP, true, true, LONG, single},
        {"attach", false, false, HEAP, HEAP, true, true, LONG, single},
        {"cma", false, false, HEAP, HEAP, true, true, 100, single},
        {"cma", false, false, HEAP, MANAGED, true, true, LONG, pipeline},
        {"pipeline", false, false, HEAP, HEAP, true, true, LONG, pipeline},
        {"heap", false, false, HEAP, HEAP, true, true, 100, heap},
        {"heap", false, false, OUTSIDE, OUTSIDE, true, true, LONG, single},
        {"heap", false, false, OUTSIDE, OUTSIDE, true, true, 100, pipeline},
        {"direct", true, false, HEAP, HEAP, true, true, LONG, direct},
        {"direct", false, false, HEAP, HEAP, true, true, LONG, heap}, /* a job of one rank */
    };
    EXPECT(choices);
}

TEST(should_fetch_from_remote_peers_whatever_is_forced)
{
    const hy_rendezvous_ops *fetch = &hy_rendezvous_fetch, *staged = &hy_rendezvous_fetch_staged;
    const choice choices[] = {
        {"auto", false, true, HEAP, OUTSIDE, false, false, LONG, fetch},
        {"auto", false, true, OUTSIDE, HEAP, false, false, LONG, staged},
        {"auto", false, true, MANAGED, HEAP, false, false, LONG, staged},
        {"heap", false, true, HEAP, MANAGED, false, false, LONG, fetch},
        {"heap", false, true, OUTSIDE, HEAP, false, false, LONG, staged},
        {"cma", false, true, HEAP, HEAP, false, false, LONG, fetch},
        {"pipeline", false, true, HEAP, HEAP, false, false, LONG, staged},
    };
    EXPECT(choices);
}

TEST(should_copy_by_the_kernel_from_the_length_on_that_is_set)
{
    const choice below = {"auto", false, false, OUTSIDE, OUTSIDE, true, true, FROM - 1, NULL};
    choice at = below, most = below;
    at.bytes = FROM;
    most.bytes = UINT64_C(1) << 47;
    assert_ptr_equal(chosen(&below, FROM), &hy_rendezvous_pipeline);
    assert_ptr_equal(chosen(&at, FROM), &hy_rendezvous_single);
    assert_ptr_equal(chosen(&below, 0), &hy_rendezvous_single);
    assert_ptr_equal(chosen(&most, NEVER), &hy_rendezvous_pipeline);
}

/* ---- every byte ---- */

/* Which side is in a call while the message moves. Of BOTH, the sender begins first; or the
 * receiver does, and the sender knows where the message goes before it begins. */
enum mover { SENDER, RECEIVER, BOTH, BOTH_AFTER_OFFER };

typedef struct journey {
    const char *word;
    bool remote;
    enum place from, to;
    enum mover mover;
    hy_counter counter; /* by which the sender knows its protocol */
} journey;

static void managed_read(void *handle, uint64_t offset, void *to, size_t len)
{
    memcpy(to, (uint8_t *)handle + offset, len);
}

static void managed_write(void *handle, uint64_t offset, const void *from, size_t len)
{
    memcpy((uint8_t *)handle + offset, from, len);
}

static void *managed_retain(void *handle)
{
    return handle;
}

static void managed_release(void *handle)
{
    (void)handle;
}

static const hy_managed_ops managed = {.read = managed_read,
                                       .write = managed_write,
                                       .retain = managed_retain,
                                       .release = managed_release};

static uint8_t byte_at(uint64_t i)
{
    return (uint8_t)(i * 7 + (i >> 8) * 13 + (i >> 16));
}

static uint8_t *memory_in(hy_job *job, enum place place)
{
    uint8_t *memory = place == HEAP ? hy_job_alloc(job, LONG + 1) : malloc(LONG + 1);
    assert_non_null(memory);
    return memory;
}

static hy_buffer buffer_of(uint8_t *memory, enum place place)
{
    if (place == MANAGED) return (hy_buffer){.managed = &managed, .handle = memory};
    return (hy_buffer){.address = memory};
}

/* A header takes its time to a remote sender. */
static void await_offer(hy_msg *sender)
{
    assert_ok(hy_lane_make(sender, 1, 0));
    const hy_channel *channel = &hy_lane_find(sender, 1, 0)->channel;
    const hy_rendezvous_match *match = hy_rendezvous_mine(channel);
    while (hy_claim_number(hy_load_acquire(&match->claim)) != channel->sent + 1) sched_yield();
}

/* The other side has begun, and is in no call until the message has arrived. */
static void move_to(int rank, enum mover mover, hy_buffer out, hy_buffer in, int64_t bytes)
{
    hy_msg *sender = &members[0].fmpl->msg, *receiver = &members[rank].fmpl->msg;
    uint64_t sends = 0, receives = 0;
    int sent = HAYATE_IN_PROGRESS, received = HAYATE_IN_PROGRESS;
    if (mover == SENDER || mover == BOTH_AFTER_OFFER)
        assert_ok(hy_msg_irecv(receiver, in, bytes, 0, 0, &receives));
    if (mover == BOTH_AFTER_OFFER) await_offer(sender);
    if (mover == SENDER) sent = hy_msg_send(sender, out, bytes, rank, 0, NULL);
    else assert_ok(hy_msg_isend(sender, out, bytes, rank, 0, &sends));
    if (mover == BOTH) assert_ok(hy_msg_irecv(receiver, in, bytes, 0, 0, &receives));
    if (mover == RECEIVER) received = hy_msg_recv(receiver, in, bytes, 0, 0, NULL, NULL);
    while (sent == HAYATE_IN_PROGRESS || received == HAYATE_IN_PROGRESS) {
        if (sent == HAYATE_IN_PROGRESS) sent = hy_request_test(sender, sends, NULL);
        if (received == HAYATE_IN_PROGRESS) received = hy_request_test(receiver, receives, NULL);
    }
    assert_int_equal(sent, HAYATE_OK);
    assert_int_equal(received, HAYATE_OK);
}

static void carry(const journey *j, uint8_t *from, uint8_t *to, int64_t bytes)
{
    const hy_counters *counters = members[0].job->counters;
    uint64_t before = hy_counter_sum(counters, j->counter);
    for (int64_t i = 0; i < bytes; i++) from[i] = byte_at((uint64_t)i);
    memset(to, 0xee, LONG + 1);
    move_to(1, j->mover, buffer_of(from, j->from), buffer_of(to, j->to), bytes);
    for (int64_t i = 0; i < bytes; i++) {
        if (to[i] != byte_at((uint64_t)i))
            fail_msg("%s, from %d to %d, by %d: byte %lld of %lld", j->word, j->from, j->to,
                     j->mover, (long long)i, (long long)bytes);
    }
    assert_int_equal(to[bytes], 0xee);
    assert_int_equal(hy_counter_sum(counters, j->counter), before + 1);
}

static void travel(const journey *j)
{
    setenv("HAYATE_RENDEZVOUS", j->word, 1);
    assert_true(fault_jobs(j->remote ? "seed=11,delay=30" : NULL));
    members_set_up(NULL);
    uint8_t *from = memory_in(members[0].job, j->from), *to = memory_in(members[1].job, j->to);
    carry(j, from, to, SHORT);
    carry(j, from, to, LONG);
    if (j->from != HEAP) free(from);
    if (j->to != HEAP) free(to);
    members_tear_down(NULL);
    fault_jobs(NULL);
    unsetenv("HAYATE_RENDEZVOUS");
}

static void travel_all(const journey *journeys, size_t count)
{
    for (size_t i = 0; i < count; i++) travel(&journeys[i]);
}
#define TRAVEL(journeys) travel_all(journeys, sizeof(journeys) / sizeof *(journeys))

TEST(should_carry_every_byte_by_loads_and_stores)
{
    const journey journeys[] = {
        {"direct", false, OUTSIDE, OUTSIDE, SENDER, HY_COUNT_DIRECT},
        {"direct", false, OUTSIDE, OUTSIDE, RECEIVER, HY_COUNT_DIRECT},
        {"direct", false, MANAGED, OUTSIDE, SENDER, HY_COUNT_DIRECT},
        {"direct", false, HEAP, MANAGED, RECEIVER, HY_COUNT_DIRECT},
        {"heap", false, OUTSIDE, HEAP, SENDER, HY_COUNT_HEAP},
        {"heap", false, HEAP, OUTSIDE, RECEIVER, HY_COUNT_HEAP},
        {"heap", false, MANAGED, HEAP, SENDER, HY_COUNT_HEAP},
        {"heap", false, HEAP, MANAGED, RECEIVER, HY_COUNT_HEAP},
    };
    TRAVEL(journeys);
}

/* In one address space; by the row `direct` of the paths where loads and stores are for the heap.
 */
TEST(should_carry_every_byte_by_single_copy)
{
    const journey journeys[] = {
        {"heap", false, OUTSIDE, OUTSIDE, SENDER, HY_COUNT_DIRECT},
        {"heap", false, OUTSIDE, OUTSIDE, RECEIVER, HY_COUNT_DIRECT},
    };
    TRAVEL(journeys);
}

TEST(should_carry_every_byte_by_a_copy_of_the_kernel)
{
    const journey journeys[] = {
        {"cma", false, OUTSIDE, HEAP, SENDER, HY_COUNT_CMA},
        {"cma", false, HEAP, OUTSIDE, RECEIVER, HY_COUNT_CMA},
    };
    if (hy_path_cma.probe()) skip();
    TRAVEL(journeys);
}

TEST(should_carry_every_byte_through_the_stage)
{
    const journey journeys[] = {
        {"pipeline", false, OUTSIDE, HEAP, BOTH, HY_COUNT_PIPELINE},
        {"pipeline", false, OUTSIDE, HEAP, BOTH_AFTER_OFFER, HY_COUNT_PIPELINE},
        {"auto", false, MANAGED, MANAGED, BOTH, HY_COUNT_PIPELINE},
    };
    TRAVEL(journeys);
}

TEST(should_carry_every_byte_from_remote_peers)
{
    const journey journeys[] = {
        {"auto", true, HEAP, OUTSIDE, BOTH, HY_COUNT_HEAP},
        {"auto", true, HEAP, MANAGED, BOTH, HY_COUNT_HEAP},
        {"auto", true, OUTSIDE, HEAP, BOTH, HY_COUNT_PIPELINE},
        {"auto", true, OUTSIDE, HEAP, BOTH_AFTER_OFFER, HY_COUNT_HEAP},
        {"auto", true, MANAGED, MANAGED, BOTH, HY_COUNT_PIPELINE},
        {"pipeline", true, HEAP, OUTSIDE, BOTH, HY_COUNT_PIPELINE},
    };
    TRAVEL(journeys);
}

/* ---- failures ---- */

typedef struct failing {
    uint8_t *out, *in;
    uint64_t sends, receives;
} failing;

static void failing_begin(failing *f, bool full)
{
    setenv("HAYATE_RENDEZVOUS", "pipeline", 1);
    members_set_up(NULL);
    while (full && hy_job_alloc(members[0].job, 4096)) continue;
    while (full && hy_job_alloc(members[0].job, 1)) continue;
    *f = (failing){.out = calloc(1, LONG), .in = calloc(1, LONG)};
    assert_true(f->out && f->in);
    assert_ok(
        hy_msg_isend(&members[0].fmpl->msg, (hy_buffer){.address = f->out}, LONG, 1, 0, &f->sends));
    assert_ok(hy_msg_irecv(&members[1].fmpl->msg, (hy_buffer){.address = f->in}, LONG, 0, 0,
                           &f->receives));
}

static void failing_end(failing *f)
{
    members_tear_down(NULL);
    free(f->out);
    free(f->in);
    unsetenv("HAYATE_RENDEZVOUS");
}

TEST(should_tell_the_receiver_that_the_sender_has_no_memory)
{
    failing f;
    int sent, received;
    failing_begin(&f, true);
    do sent = hy_request_test(&members[0].fmpl->msg, f.sends, NULL);
    while (sent == HAYATE_IN_PROGRESS);
    do received = hy_request_test(&members[1].fmpl->msg, f.receives, NULL);
    while (received == HAYATE_IN_PROGRESS);
    assert_int_equal(sent, HAYATE_ERR_NO_MEMORY);
    assert_int_equal(received, HAYATE_ERR_PEER_FAILED);
    failing_end(&f);
}

/* When both sides are closed, the entry of the message may soon belong to another FMPL. */
TEST(should_not_call_an_entry_corrupt_that_has_another_use)
{
    for (int closed = 0; closed < 2; closed++) {
        failing f;
        failing_begin(&f, false);
        hy_msg *receiver = &members[1].fmpl->msg;
        assert_int_equal(hy_request_test(receiver, f.receives, NULL), HAYATE_IN_PROGRESS);
        hy_lane *lane = hy_lane_find(receiver, 0, 0);
        hy_store_release(&hy_rendezvous_theirs(&lane->channel)->done, UINT64_MAX);
        if (closed) hy_msg_refuse(receiver);
        assert_int_equal(hy_request_test(receiver, f.receives, NULL),
                         closed ? HAYATE_ERR_CLOSED : HAYATE_ERR_CORRUPT);
        failing_end(&f);
    }
}

/* ---- by turns ---- */

#define TURN_BYTES 200000 /* more than HY_CROSSOVER_FROM */

/* How many messages have taken a turn by the pipeline or by a copy of the kernel. */
static uint32_t turns_taken(void)
{
    hy_crossover *crossover = &members[0].fmpl->msg.crossover;
    uint32_t turns = 0;
    for (int i = 0; i < HY_CROSSOVER_CLASSES; i++)
        turns += hy_load_relaxed(&crossover->classes[i].messages);
    return turns;
}

/* Not a short message, one to itself, a section, one from the heap, or one without a stage. */
TEST(should_take_turns_only_where_both_protocols_can_be_taken)
{
    if (hy_path_cma.probe()) skip();
    members_set_up(NULL);
    for (int i = 0; i < RANKS; i++) { /* as between processes */
        members[i].job->direct = false;
        for (int rank = 0; rank < RANKS; rank++)
            hy_job_ep(members[i].job, rank)->single = &hy_path_cma;
    }
    uint8_t *from = malloc(2 * TURN_BYTES), *to = malloc(TURN_BYTES), *heap;
    assert_true(from && to);
    memset(from, 1, 2 * TURN_BYTES);
    const hy_buffer out = {.address = from}, in = {.address = to};
    hy_strided strided = {
        .inner = out,
        .section = {.rows = 1000, .columns = TURN_BYTES / 1000, .stride = 2000, .element = 1}};

    assert_non_null(heap = hy_job_alloc(members[0].job, (1 << 20) - HY_STAGE_BYTES / 2));
    move_to(1, BOTH, out, in, TURN_BYTES); /* no stage */
    assert_int_equal(turns_taken(), 0);
    move_to(1, BOTH, (hy_buffer){.address = heap}, in, TURN_BYTES);
    assert_int_equal(turns_taken(), 0);
    hy_job_release(members[0].job, heap);
    move_to(0, BOTH, out, in, TURN_BYTES);
    assert_int_equal(turns_taken(), 0);
    move_to(1, BOTH, hy_strided_buffer(&strided), in, TURN_BYTES);
    assert_int_equal(turns_taken(), 0);
    move_to(1, BOTH, out, in, HY_CROSSOVER_FROM - 1);
    assert_int_equal(turns_taken(), 0);
    move_to(1, BOTH, out, in, TURN_BYTES);
    assert_int_equal(turns_taken(), 1);
    members_tear_down(NULL);
    free(from);
    free(to);
}

/* A sender that reads a header while its receive is withdrawn may see the words behind the claim
 * before the claim: none of them may then be an offset. */
TEST(should_tell_no_offset_when_it_withdraws_memory_outside_of_the_heap)
{
    uint64_t request;
    int cancelled = 0;
    uint8_t *memory = malloc(LONG);
    assert_true(memory && fault_jobs("seed=11,delay=30"));
    members_set_up(NULL);
    hy_msg *sender = &members[0].fmpl->msg, *receiver = &members[1].fmpl->msg;
    assert_ok(hy_lane_make(sender, 1, 0));
    const hy_rendezvous_match *match = hy_rendezvous_mine(&hy_lane_find(sender, 1, 0)->channel);
    hy_buffer buffer = {.address = memory};
    assert_ok(hy_msg_irecv(receiver, buffer, LONG, 0, 0, &request));
    assert_ok(hy_request_cancel(receiver, request, &cancelled));
    assert_true(cancelled);
    while (hy_claim_block(hy_load_acquire(&match->claim)) != HY_CLAIM_WITHDRAWN) sched_yield();
    assert_true(hy_load_relaxed(&match->section[0]) == HY_NOT_IN_HEAP);
    members_tear_down(NULL);
    fault_jobs(NULL);
    free(memory);
}

int main(void)
{
    return tests_run();
}
