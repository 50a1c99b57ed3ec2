/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks that are threads of one process. tsan would see the user's data race with copies that are
 * ordered by signals only of one message, so it is left out: conformance covers the order. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/test.h"
#include "fmpl/fmpl.h"
#include "init/join.h"
#include "job/job.h"
#include "coll/running.h"
#include "msg/rendezvous_ops.h"
#include "net/fault/fault_path.h"

#define BYTES (UINT64_C(8) << 20)
#define ROUNDS 60

typedef struct member {
    hy_team *team;
    int rank, rc;
    hy_job *job;
    hy_fmpl *fmpl;
    char said[256];
} member;

static void *open_one(void *argument)
{
    member *m = argument;
    m->rc = hy_job_open_in(&m->job, m->team, m->rank);
    if (!m->rc) m->rc = hy_fmpl_open(&m->fmpl, m->job, NULL, NULL, 1);
    return NULL;
}

static void open_pair(member pair[2])
{
    pthread_t threads[2];
    hy_team *team;
    setenv("HAYATE_HEAP", "8M", 1);
    assert_ok(hy_team_create(2, &team));
    for (int i = 0; i < 2; i++) {
        pair[i] = (member){.team = team, .rank = i};
        assert_int_equal(pthread_create(&threads[i], NULL, open_one, &pair[i]), 0);
    }
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < 2; i++) assert_ok(pair[i].rc);
    hy_team_drop(team);
}

static void close_pair(member pair[2])
{
    for (int i = 0; i < 2; i++) {
        hy_fmpl_close(pair[i].fmpl);
        hy_job_close(pair[i].job);
    }
    for (int i = 0; i < 2; i++) {
        hy_fmpl_free(pair[i].fmpl);
        hy_job_free(pair[i].job);
    }
}

typedef struct transfer {
    hy_fmpl *fmpl;
    uint8_t *memory;
    uint64_t bytes; /* 0: BYTES */
    bool sends, listed;
    uint64_t request;
    int rc;
} transfer;

static uint8_t *map_memory(void)
{
    void *memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(memory, MAP_FAILED);
    return memory;
}

static void begin(transfer *t)
{
    const hy_buffer buffer = {.address = t->memory};
    t->rc = t->sends ? hy_msg_isend(&t->fmpl->msg, buffer, (int64_t)BYTES, 1, 0, &t->request)
                     : hy_msg_irecv(&t->fmpl->msg, buffer, (int64_t)BYTES, 0, 0, &t->request);
}

static void *finish(void *argument)
{
    transfer *t = argument;
    uint64_t received;
    int64_t bytes = t->bytes ? (int64_t)t->bytes : (int64_t)BYTES;
    const hy_buffer buffer = {.address = t->memory};
    if (t->listed) t->rc = t->rc ? t->rc : hy_request_wait(&t->fmpl->msg, t->request, &received);
    else if (t->sends) t->rc = hy_msg_send(&t->fmpl->msg, buffer, bytes, 1, 0, NULL);
    else t->rc = hy_msg_recv(&t->fmpl->msg, buffer, bytes, 0, 0, &received, NULL);
    return NULL;
}

/* Data too long for the eager buffers; both calls at a time. */
static void pass_on(transfer *out, transfer *in, uint64_t bytes)
{
    pthread_t sender, receiver;
    out->bytes = in->bytes = bytes;
    memset(out->memory, 7, bytes);
    memset(in->memory, 0, bytes);
    pthread_create(&receiver, NULL, finish, in);
    pthread_create(&sender, NULL, finish, out);
    pthread_join(sender, NULL);
    pthread_join(receiver, NULL);
    assert_ok(out->rc);
    assert_ok(in->rc);
    for (uint64_t i = 0; i < bytes; i++) assert_int_equal(in->memory[i], 7);
}

/* The memory is gone as soon as the call is over: who still reaches for it dies. */
static void *finish_and_unmap(void *argument)
{
    transfer *t = argument;
    finish(t);
    munmap(t->memory, BYTES);
    return NULL;
}

TEST(should_move_any_memory_directly)
{
    member pair[2];
    open_pair(pair);
    assert_true(pair[0].job->direct && pair[1].job->direct);
    transfer out = {.fmpl = pair[0].fmpl, .memory = map_memory(), .sends = true};
    transfer in = {.fmpl = pair[1].fmpl, .memory = map_memory()};
    pthread_t sender, receiver;
    memset(out.memory, 7, BYTES);
    pthread_create(&receiver, NULL, finish, &in);
    pthread_create(&sender, NULL, finish_and_unmap, &out);
    pthread_join(sender, NULL);
    pthread_join(receiver, NULL);
    assert_ok(out.rc);
    assert_ok(in.rc);
    for (uint64_t i = 0; i < BYTES; i++) assert_int_equal(in.memory[i], 7);
    assert_int_equal(hy_counter_sum(pair[0].job->counters, HY_COUNT_DIRECT), 1);
    munmap(in.memory, BYTES);
    close_pair(pair);
}

/* Of the sender: messages by way, and the way in words. */
static void assert_way(const member *sender, hy_counter counter, uint64_t expected)
{
    assert_int_equal(hy_counter_sum(sender->job->counters, counter), expected);
}

/* As if they lived apart: only the heap is taken for shared. What is not in it still moves by loads
 * and stores, and is not called a copy of the kernel. */
TEST(should_call_loads_and_stores_direct_where_the_heap_is_forced)
{
    char text[256];
    member pair[2];
    setenv("HAYATE_RENDEZVOUS", "heap", 1);
    open_pair(pair);
    unsetenv("HAYATE_RENDEZVOUS");
    assert_false(pair[0].job->direct);
    hy_rendezvous_explain(pair[0].job, 1, text, sizeof text);
    assert_string_equal(text, "from and to the heap by loads and stores; other memory by direct "
                              "from 8192 bytes on, below that pipeline");
    transfer in = {.fmpl = pair[1].fmpl, .memory = map_memory()};
    for (int i = 0; i < 2; i++) {
        transfer out = {.fmpl = pair[0].fmpl, .sends = true};
        out.memory = i ? hy_job_alloc(pair[0].job, BYTES / 2) : map_memory();
        pass_on(&out, &in, BYTES / 2);
        assert_way(&pair[0], HY_COUNT_DIRECT, 1);
        assert_way(&pair[0], HY_COUNT_HEAP, (uint64_t)i);
        assert_way(&pair[0], HY_COUNT_CMA, 0);
        if (!i) munmap(out.memory, BYTES);
    }
    munmap(in.memory, BYTES);
    close_pair(pair);
}

typedef struct outcome {
    int closed, failed;
} outcome;

/* Rank `first` closes while the message is under way, and frees its buffer; the other one is in its
 * call. */
static void close_while_moving(int first, bool listed, int spins, outcome *sum)
{
    member pair[2];
    open_pair(pair);
    transfer t[2];
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        t[i] = (transfer){.fmpl = pair[i].fmpl, .memory = map_memory(), .sends = i == 0};
        t[i].listed = listed && i == first;
        if (t[i].listed) begin(&t[i]);
    }
    pthread_create(&threads[!first], NULL, finish, &t[!first]);
    if (!listed) pthread_create(&threads[first], NULL, finish_and_unmap, &t[first]);
    for (volatile int spin = 0; spin < spins; spin++) continue;
    hy_fmpl_close(pair[first].fmpl);
    if (listed) finish_and_unmap(&t[first]);
    else pthread_join(threads[first], NULL);
    hy_job_close(pair[first].job);
    pthread_join(threads[!first], NULL);
    assert_true(t[first].rc == HAYATE_OK || t[first].rc == HAYATE_ERR_CLOSED);
    assert_true(t[!first].rc == HAYATE_OK || t[!first].rc == HAYATE_ERR_PEER_FAILED);
    sum->closed += t[first].rc == HAYATE_ERR_CLOSED;
    sum->failed += t[!first].rc == HAYATE_ERR_PEER_FAILED;
    munmap(t[!first].memory, BYTES);
    close_pair(pair);
}

/* Closed at another moment of the transfer each time. */
static void close_at_many_moments(int first, bool listed)
{
    outcome sum = {0, 0};
    for (int round = 0; round < ROUNDS; round++)
        close_while_moving(first, listed, round * 20000, &sum);
    assert_true(sum.closed > 0 && sum.failed > 0);
}

TEST(should_not_read_the_buffer_of_a_send_after_close)
{
    close_at_many_moments(0, false);
}

TEST(should_not_read_the_buffer_of_an_isend_after_close)
{
    close_at_many_moments(0, true);
}

TEST(should_not_write_the_buffer_of_a_receive_after_close)
{
    close_at_many_moments(1, false);
}

TEST(should_not_write_the_buffer_of_an_irecv_after_close)
{
    close_at_many_moments(1, true);
}

/* The receiver fetches from the sender, who cannot stop it, but takes back what it fetched. */
TEST(should_leave_buffers_alone_after_close_between_far_ranks)
{
    assert_true(fault_jobs("seed=3,delay=40"));
    for (int first = 0; first < 2; first++) {
        close_at_many_moments(first, false);
        close_at_many_moments(first, true);
    }
    assert_true(fault_jobs(NULL));
}

/* From the heap or, `staged`, from other memory: what is in it now is not the message. */
static void give_up_and_overwrite(bool staged)
{
    enum { LENGTH = 1 << 20 };
    member pair[2];
    uint64_t request, received;
    open_pair(pair);
    uint8_t *from = staged ? map_memory() : hy_job_alloc(pair[0].job, LENGTH), *to = map_memory();
    assert_non_null(from);
    memset(from, 7, LENGTH);
    const hy_buffer out = {.address = from}, in = {.address = to};
    assert_ok(hy_msg_isend(&pair[0].fmpl->msg, out, LENGTH, 1, 0, &request));
    hy_fmpl_close(pair[0].fmpl);
    memset(from, 9, LENGTH);
    assert_code(hy_msg_recv(&pair[1].fmpl->msg, in, LENGTH, 0, 0, &received, NULL),
                HAYATE_ERR_PEER_FAILED);
    if (staged) munmap(from, BYTES);
    munmap(to, BYTES);
    close_pair(pair);
}

TEST(should_not_receive_what_a_far_sender_gave_up)
{
    assert_true(fault_jobs("seed=5,delay=40"));
    for (int round = 0; round < 20; round++) give_up_and_overwrite(round % 2);
    assert_true(fault_jobs(NULL));
}

/* One number in each life of FMPL, which every other time nobody receives. */
static void *live_many_times(void *argument)
{
    member *m = argument;
    bool wrong = false;
    open_one(m);
    for (uint64_t life = 1; !m->rc && life < 200; life++) {
        uint64_t value = life;
        const hy_buffer buffer = {.address = (uint8_t *)&value};
        if (m->rank == 0) m->rc = hy_msg_send(&m->fmpl->msg, buffer, 8, 1, 0, NULL);
        else if (life % 2) m->rc = hy_msg_recv(&m->fmpl->msg, buffer, 8, 0, 0, NULL, NULL);
        wrong |= value != life;
        hy_fmpl_close(m->fmpl);
        hy_fmpl_free(m->fmpl);
        if (!m->rc) m->rc = hy_fmpl_open(&m->fmpl, m->job, NULL, NULL, 1);
    }
    if (!m->rc && wrong) m->rc = HAYATE_ERR_MISMATCH;
    return NULL;
}

TEST(should_not_bring_messages_of_one_life_into_the_next)
{
    member pair[2];
    pthread_t threads[2];
    hy_team *team;
    assert_true(fault_jobs("seed=7,delay=95"));
    setenv("HAYATE_HEAP", "8M", 1);
    assert_ok(hy_team_create(2, &team));
    for (int i = 0; i < 2; i++) {
        pair[i] = (member){.team = team, .rank = i};
        assert_int_equal(pthread_create(&threads[i], NULL, live_many_times, &pair[i]), 0);
    }
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < 2; i++) assert_ok(pair[i].rc);
    hy_team_drop(team);
    close_pair(pair);
    assert_true(fault_jobs(NULL));
}

#define MANY 10000 /* entries, whose areas take 46 MB */

static void *open_many(void *argument)
{
    member *m = argument;
    m->rc = hy_fmpl_open(&m->fmpl, m->job, NULL, NULL, MANY);
    return NULL;
}

/* What communicators and an earlier FMPL have left is free sooner on one rank than on another. */
static void open_with_room_on_one(member pair[2], int full, uint64_t room)
{
    pthread_t threads[2];
    uint64_t taken;
    open_pair(pair);
    hy_job *job = pair[full].job;
    assert_ok(hy_job_system_take(job, hy_job_system_left(job) - room, &taken));
    for (int i = 0; i < 2; i++) {
        hy_fmpl_close(pair[i].fmpl);
        hy_fmpl_free(pair[i].fmpl);
        pair[i].fmpl = NULL;
    }
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, open_many, &pair[i]), 0);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}

TEST(should_open_with_room_for_areas_on_one_rank_only)
{
    member pair[2];
    for (int full = 0; full < 2; full++) {
        uint64_t sent = 5, got = 0;
        open_with_room_on_one(pair, full, UINT64_C(16) << 20);
        for (int i = 0; i < 2; i++) {
            assert_ok(pair[i].rc);
            assert_true(pair[i].fmpl->msg.areas.inbox.places > 0);
        }
        const hy_buffer out = {.address = (uint8_t *)&sent}, in = {.address = (uint8_t *)&got};
        assert_ok(hy_msg_send(&pair[0].fmpl->msg, out, 8, 1, MANY - 1, NULL));
        assert_ok(hy_msg_recv(&pair[1].fmpl->msg, in, 8, 0, MANY - 1, NULL, NULL));
        assert_int_equal(got, sent);
        close_pair(pair);
    }
}

/* So that all ranks can try again, once they have freed something. */
TEST(should_fail_alike_without_room_on_one_rank)
{
    member pair[2];
    for (int full = 0; full < 2; full++) {
        open_with_room_on_one(pair, full, UINT64_C(1) << 20);
        for (int i = 0; i < 2; i++) {
            assert_code(pair[i].rc, HAYATE_ERR_NO_MEMORY);
            assert_null(pair[i].fmpl);
            hy_job_close(pair[i].job);
        }
        for (int i = 0; i < 2; i++) hy_job_free(pair[i].job);
    }
}

typedef struct allocation {
    const char *what;
    int (*take)(hy_fmpl *fmpl);
} allocation;

static int take_stage(hy_fmpl *fmpl)
{
    return hy_rendezvous_open_stage(hy_lane_find(&fmpl->msg, 1, 0));
}

static int take_loan(hy_fmpl *fmpl)
{
    hy_lane *lane = hy_lane_find(&fmpl->msg, 1, 0);
    return hy_channel_lend(&lane->channel, fmpl->msg.job->part + fmpl->msg.job->heap_start, 1, 0);
}

static int take_shadow(hy_fmpl *fmpl)
{
    hy_running_side side = {.bytes = 1 << 20};
    return hy_place_shadow(hy_comm_find(fmpl->comms, FMPL_COMM_WORLD), HY_OUT, &side, false);
}

/* A job that another thread closes meanwhile. */
TEST(should_tell_a_closed_job_from_a_full_heap)
{
    const allocation all[] = {
        {"stage", take_stage}, {"eager buffer", take_loan}, {"shadow", take_shadow}};
    member pair[2];
    open_pair(pair);
    hy_job *job = pair[0].job;
    assert_ok(hy_lane_make(&pair[0].fmpl->msg, 1, 0));
    while (hy_job_alloc(job, 4096)) continue;
    while (hy_job_alloc(job, 1)) continue;
    for (uint32_t closed = 0; closed < 2; closed++) {
        hy_store_relaxed(&job->closed, closed);
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
            int rc = all[i].take(pair[0].fmpl);
            if (rc != (closed ? HAYATE_ERR_CLOSED : HAYATE_ERR_NO_MEMORY))
                fail_msg("%s of a job that is %s: %d", all[i].what, closed ? "closed" : "full", rc);
        }
    }
    hy_store_relaxed(&job->closed, 0);
    close_pair(pair);
}

TEST(should_refuse_a_rank_that_is_taken_or_is_not_there)
{
    hy_team *team;
    hy_boot first, second;
    assert_code(hy_team_create(0, &team), HAYATE_ERR_ARGUMENT);
    assert_ok(hy_team_create(2, &team));
    assert_code(hy_boot_open_in(&first, team, 2), HAYATE_ERR_ARGUMENT);
    assert_code(hy_boot_open_in(&first, team, -1), HAYATE_ERR_ARGUMENT);
    assert_ok(hy_boot_open_in(&first, team, 1));
    assert_code(hy_boot_open_in(&second, team, 1), HAYATE_ERR_STATE);
    hy_team_drop(team);
    assert_int_equal(first.control->size, 2); /* the rank still holds it */
    hy_boot_release(&first);
}

static void *open_job(void *argument)
{
    member *m = argument;
    m->rc = hy_job_open_in(&m->job, m->team, m->rank);
    snprintf(m->said, sizeof m->said, "%s", hayate_error());
    return NULL;
}

/* In the middle of an opening: some wait in its fence, others come too late; the last one, which
 * waits for nobody, looks on. */
TEST(should_end_all_who_wait_for_a_team_that_is_given_up)
{
    enum { WAITING = 3, LAST = 5 };
    member all[LAST];
    pthread_t threads[WAITING];
    hy_boot last;
    hy_team *team;
    assert_ok(hy_team_create(LAST + 1, &team));
    assert_ok(hy_boot_open_in(&last, team, LAST));
    for (int i = 0; i < LAST; i++) all[i] = (member){.team = team, .rank = i};
    for (int i = 0; i < WAITING; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, open_job, &all[i]), 0);
    while (hy_control_arrived(last.control) < WAITING) sched_yield();
    hy_team_give_up(team);
    for (int i = 0; i < WAITING; i++) pthread_join(threads[i], NULL);
    for (int i = WAITING; i < LAST; i++) open_job(&all[i]);
    for (int i = 0; i < LAST; i++) {
        assert_int_equal(all[i].rc, i < WAITING ? HAYATE_ERR_PEER_FAILED : HAYATE_ERR_STATE);
        assert_non_null(strstr(all[i].said, "abandoned"));
    }
    hy_team_drop(team);
    hy_boot_release(&last);
}

/* They lack nobody: giving up is for those that are not there. */
TEST(should_leave_ranks_alone_that_have_all_joined)
{
    hy_boot all[2];
    hy_team *team;
    assert_ok(hy_team_create(2, &team));
    for (int i = 0; i < 2; i++) assert_ok(hy_boot_open_in(&all[i], team, i));
    hy_team_give_up(team);
    hy_team_drop(team);
    for (int i = 0; i < 2; i++) assert_ok(hy_boot_rank_status(&all[0], i));
    for (int i = 0; i < 2; i++) hy_boot_release(&all[i]);
}

int main(void)
{
    unsetenv("HAYATE_RENDEZVOUS");
    return tests_run();
}
