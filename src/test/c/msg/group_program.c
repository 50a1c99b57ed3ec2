/* SPDX-License-Identifier: Apache-2.0 */
/* Messages among the members of a group, with a send buffer that grows. */
#include "coll/comm.h"
#include "fmpl/scenario.h"
#include "init/join.h"
#include "job/progress.h"
#include "msg/msg.h"
#include "msg/rendezvous_match.h"

#define LONGEST 400000

typedef struct club {
    int comm; /* its group belongs to the messages: no collectives */
    int meeting;
    hy_msg msg;
    hy_comm *found;
    bool joined;
} club;

/* The ranks with join != 0; with a send buffer that grows. */
static void open_club(club *c, bool join)
{
    int ier = 1;
    fmpl_comm_create(&c->comm, join, &ier);
    CHECK_OK(ier);
    fmpl_comm_create(&c->meeting, join, &ier);
    CHECK_OK(ier);
    c->joined = join;
    if (!join) return;
    c->found = hy_comm_find(hy_process_comms(), c->comm);
    CHECK_OK(hy_msg_open_group(&c->msg, &c->found->group));
    hy_send_buffer_grow(&c->msg);
}

static void end_club(club *c)
{
    int ier = 1;
    hy_msg_refuse(&c->msg);
    hy_msg_close(&c->msg);
    hy_msg_free(&c->msg);
    fmpl_comm_free(&c->comm, &ier);
    CHECK_OK(ier);
    fmpl_comm_free(&c->meeting, &ier);
    CHECK_OK(ier);
}

static void close_club(club *c)
{
    int ier = 1;
    if (!c->joined) return;
    CHECK_OK(hy_request_drain(&c->msg));
    fmpl_barrier(c->meeting, &ier); /* nobody sends to a member that has closed */
    CHECK_OK(ier);
    end_club(c);
}

static int me(const club *c)
{
    return c->found->group.rank;
}
static int members(const club *c)
{
    return c->found->group.size;
}

static hy_buffer plain(void *memory)
{
    return (hy_buffer){.address = memory};
}

static void send_to(club *c, int member, uint64_t bytes, uint64_t seed)
{
    uint8_t *data = memory_of(false, bytes);
    fill(data, bytes, seed);
    CHECK_OK(hy_msg_send(&c->msg, plain(data), (int64_t)bytes, member, 0, NULL));
    memset(data, 0xdd, bytes); /* the caller may do as it likes with it now */
    free(data);
}

static void receive_from(club *c, int member, uint64_t bytes, uint64_t seed)
{
    uint64_t got = 0;
    uint8_t *data = memory_of(seed % 2, bytes);
    CHECK_OK(hy_msg_recv(&c->msg, plain(data), (int64_t)bytes, member, 0, &got, NULL));
    CHECK(got == bytes);
    CHECK(holds(data, bytes, seed));
    memory_free(seed % 2, data);
}

static uint64_t bytes_of(int round)
{
    static const uint64_t sizes[] = {0, 8, 56, 200, 3000, 5000, 70000, LONGEST};
    return sizes[round * 5 % 8];
}

/* Each sends to all, itself too, ten times and more, and then receives: more than fits into
 * slots. */
static void exchange(club *c, int rounds)
{
    for (int round = 0; round < rounds; round++)
        for (int to = 0; to < members(c); to++)
            send_to(c, to, bytes_of(round), (uint64_t)(me(c) * 1000 + to * 100 + round));
    for (int round = 0; round < rounds; round++)
        for (int from = 0; from < members(c); from++)
            receive_from(c, from, bytes_of(round), (uint64_t)(from * 1000 + me(c) * 100 + round));
}

static void should_send_many_times_before_anybody_receives(void)
{
    club all;
    open_club(&all, true);
    exchange(&all, 10);
    exchange(&all, 40);
    close_club(&all);
}

static void should_address_the_members_of_a_group(void)
{
    club odd, last;
    open_club(&odd, rank % 2 == 1);
    open_club(&last, rank >= size / 2);
    if (odd.joined) exchange(&odd, 3);
    if (last.joined) exchange(&last, 3);
    if (odd.joined)
        CHECK_CODE(hy_msg_send(&odd.msg, plain(NULL), 0, members(&odd), 0, NULL),
                   HAYATE_ERR_ARGUMENT);
    close_club(&odd);
    close_club(&last);
}

/* A pipelined message leaves a count where collectives would tell their calls. */
static void should_not_take_what_messages_leave_for_a_collective(void)
{
    club all;
    int other, ier = 1;
    open_club(&all, true);
    exchange(&all, 1);
    CHECK_OK(hy_request_drain(&all.msg));
    fmpl_barrier(all.meeting, &ier); /* no message is under way */
    CHECK_OK(ier);
    uint64_t place = 0;
    for (hy_channel *channel; (channel = hy_group_next(&all.found->group, &place, &other));)
        if (other != me(&all) && !hy_channel_is_far(channel)) {
            hy_store_relaxed(&hy_rendezvous_theirs(channel)->produced.stage_offset, 0);
            hy_store_release(&hy_rendezvous_theirs(channel)->produced.bytes, 1);
        }
    close_club(&all);
}

/* What waits in the send buffer goes out while its sender waits for something else, or drains. */
static void should_deliver_what_was_sent_before_the_drain(void)
{
    club all;
    open_club(&all, true);
    uint64_t held = hy_counter_sum(hy_process_job()->counters, HY_COUNT_BUFFERED);
    for (int round = 0; round < 20; round++) send_to(&all, right(), LONGEST, (uint64_t)round);
    if (size > 1) CHECK(hy_counter_sum(hy_process_job()->counters, HY_COUNT_BUFFERED) > held);
    barrier();
    for (int round = 0; round < 20; round++) receive_from(&all, left(), LONGEST, (uint64_t)round);
    close_club(&all);
}

/* A matrix column by column: the queue holds packed copies. */
static void should_queue_sections(void)
{
    enum { ROWS = 30, COLUMNS = 40, LD = 50 };
    static double matrix[LD * COLUMNS], got[ROWS * COLUMNS];
    hy_strided strided = {.inner = {.address = (uint8_t *)matrix},
                          .section = {ROWS, COLUMNS, LD * 8, 8, 0, 0, 0}};
    club all;
    open_club(&all, true);
    for (int round = 0; round < 12; round++) {
        for (int i = 0; i < LD * COLUMNS; i++) matrix[i] = rank * 1e6 + round * 1e4 + i;
        CHECK_OK(hy_msg_send(&all.msg, hy_strided_buffer(&strided), ROWS * COLUMNS * 8, right(), 0,
                             NULL));
        memset(matrix, 0xdd, sizeof matrix);
    }
    for (int round = 0; round < 12; round++) {
        CHECK_OK(hy_msg_recv(&all.msg, plain(got), sizeof got, left(), 0, NULL, NULL));
        for (int i = 0; i < ROWS * COLUMNS; i++)
            CHECK(got[i] == left() * 1e6 + round * 1e4 + i / ROWS * LD + i % ROWS);
    }
    close_club(&all);
}

/* The first member that closes keeps its memory until the others have closed: they acknowledge. */
static void should_return_the_memory_when_everybody_has_closed(void)
{
    hy_job *job = hy_process_comms()->job;
    barrier();
    hy_groups_reap(job);
    uint64_t used = job->system.used;
    club all;
    open_club(&all, true);
    for (uint64_t i = 0; i < 20; i++) send_to(&all, right(), 1000, i);
    for (uint64_t i = 0; i < 20; i++) receive_from(&all, left(), 1000, i);
    CHECK_OK(hy_request_drain(&all.msg));
    if (rank == 0) {
        end_club(&all);
        CHECK(size == 1 || job->system.used > used);
    }
    barrier();
    if (rank > 0) end_club(&all);
    while (job->system.used != used) {
        hy_progress(job);
        hy_groups_reap(job);
        sched_yield();
    }
    barrier();
}

/* The last scenario: what waits for a receiver that has left is lost, and the sender is told. */
static void should_not_wait_for_a_receiver_that_left(void)
{
    club all;
    open_club(&all, true);
    if (size == 1) {
        close_club(&all);
        return;
    }
    if (rank == 0)
        for (int i = 0; i < 5; i++) send_to(&all, 1, LONGEST, 1);
    barrier();
    if (rank != 0) {
        CHECK_OK(hayate_finalize());
        exit(0);
    }
    CHECK_CODE(hy_request_drain(&all.msg), HAYATE_ERR_PEER_FAILED);
    CHECK_OK(hy_request_drain(&all.msg));
    exit(0);
}

#define ROW(name) \
    { \
#name, name \
    }

int main(int argc, char **argv)
{
    static const scenario scenarios[] = {
        ROW(should_send_many_times_before_anybody_receives),
        ROW(should_address_the_members_of_a_group),
        ROW(should_not_take_what_messages_leave_for_a_collective),
        ROW(should_deliver_what_was_sent_before_the_drain),
        ROW(should_queue_sections),
        ROW(should_return_the_memory_when_everybody_has_closed),
        ROW(should_not_wait_for_a_receiver_that_left),
    };
    start_ranks(1);
    int rc = run_scenarios(scenarios, sizeof scenarios / sizeof *scenarios, argc, argv);
    end_ranks();
    return rc;
}
