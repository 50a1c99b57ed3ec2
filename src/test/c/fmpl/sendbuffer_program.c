/* SPDX-License-Identifier: Apache-2.0 */
/* The send buffer and the instrument, on two ranks: rank 0 sends, rank 1 receives late. */
#include "fmpl/scenario.h"

#include "init/join.h"

#define ROOM (1u << 20)
#define LONG 200000

static uint8_t *room, *data;

static uint64_t counted(hy_counter counter)
{
    return hy_counter_sum(hy_process_job()->counters, counter);
}

static void buffer_set(void *memory, size_t bytes, int timeout_us, int code)
{
    int ier = 1;
    CALL_CODE(fmpl_sendbuff_set(memory, bytes, timeout_us, &ier), code);
}

static int check_until(int waiting_wanted)
{
    int ier = 1, sent = 0, waiting = 0, all = 0;
    do {
        CALL_OK(fmpl_sendbuff_check(&sent, &waiting, &ier));
        CHECK(sent >= 0 && waiting >= 0);
        all += sent;
        sched_yield();
    } while (waiting != waiting_wanted);
    return all;
}

static void receive(uint64_t bytes, int mai, uint64_t seed)
{
    int ier = 1;
    size_t got = 0;
    memset(data, 0, bytes);
    CALL_OK(fmpl_recv_size(data, bytes, 0, mai, &got, &ier));
    CHECK(got == bytes && holds(data, bytes, seed));
}

static void send_filled(uint64_t bytes, int mai, uint64_t seed)
{
    int ier = 1;
    fill(data, bytes, seed);
    CALL_OK(fmpl_send(data, bytes, 1, mai, &ier));
    memset(data, 0xdd, bytes); /* the caller may do as it likes with it now */
}

/* The receive comes only after the send has returned: without the send buffer this is a deadlock.
 */
SCENARIO(should_put_a_long_message_aside_after_the_time_out)
{
    if (rank == 0) {
        buffer_set(room, ROOM, 20000, FMPL_SUCCESS);
        uint64_t start = hy_now_ns(), before = counted(HY_COUNT_BUFFERED);
        send_filled(LONG, 0, 1);
        CHECK(hy_now_ns() - start >= 20000000u);
        CHECK(counted(HY_COUNT_BUFFERED) == before + 1);
        int ier, sent, waiting;
        fmpl_sendbuff_check(&sent, &waiting, &ier);
        CHECK(ier == 0 && sent == 0 && waiting == 1);
        buffer_set(NULL, 0, 0, HAYATE_ERR_BUSY);
    }
    barrier();
    if (rank == 1) receive(LONG, 0, 1);
    if (rank == 0) {
        CHECK(check_until(0) == 1);
        buffer_set(NULL, 0, 0, FMPL_SUCCESS);
    }
}

/* Entries of their own, in whatever order they are received. */
SCENARIO(should_put_several_aside)
{
    if (rank == 0) {
        buffer_set(room, ROOM, 0, FMPL_SUCCESS);
        for (int mai = 0; mai < 5; mai++) send_filled(LONG - (uint64_t)mai, mai, (uint64_t)mai);
    }
    barrier();
    for (int mai = 4; mai >= 0 && rank == 1; mai--)
        receive(LONG - (uint64_t)mai, mai, (uint64_t)mai);
    if (rank == 0) {
        CHECK(check_until(0) == 5);
        buffer_set(NULL, 0, 0, FMPL_SUCCESS);
    }
}

/* The ring of an unused entry is full of short messages; the next ones are put aside and keep their
 * place. */
SCENARIO(should_put_short_messages_aside_when_the_ring_is_full)
{
    if (rank == 0) {
        buffer_set(room, ROOM, 1000, FMPL_SUCCESS);
        for (uint64_t i = 0; i < 17; i++) send_filled(8 + i, 5, i);
        CHECK(check_until(1) == 0);
    }
    barrier();
    for (uint64_t i = 0; i < 40 && rank == 1; i++) receive(8 + i, 5, i);
    for (uint64_t i = 17; i < 40 && rank == 0; i++) send_filled(8 + i, 5, i);
    if (rank == 0) {
        check_until(0);
        buffer_set(NULL, 0, 0, FMPL_SUCCESS);
    }
}

/* One entry: a later message must not overtake the one put aside. */
SCENARIO(should_keep_the_order_behind_a_message_put_aside)
{
    if (rank == 0) {
        buffer_set(room, ROOM, 0, FMPL_SUCCESS);
        send_filled(LONG, 0, 1);
    }
    barrier();
    if (rank == 0) {
        send_filled(40, 0, 2);
        send_filled(1000, 0, 3);
        send_filled(LONG, 0, 4);
        check_until(0);
        buffer_set(NULL, 0, 0, FMPL_SUCCESS);
    } else {
        pause_us(2000);
        receive(LONG, 0, 1);
        receive(40, 0, 2);
        receive(1000, 0, 3);
        receive(LONG, 0, 4);
    }
}

/* No room: the send waits for its receive as it would without. */
SCENARIO(should_wait_when_the_send_buffer_is_full)
{
    if (rank == 0) {
        buffer_set(room, LONG + 64, 0, FMPL_SUCCESS);
        send_filled(LONG, 0, 1);
    }
    /* Before the barrier: rank 0 may leave it after rank 1 has paused. */
    uint64_t start = hy_now_ns();
    barrier();
    if (rank == 0) {
        send_filled(LONG, 1, 2);
        CHECK(hy_now_ns() - start >= 20000000u);
    } else {
        pause_us(30000);
        receive(LONG, 1, 2);
        receive(LONG, 0, 1);
    }
    if (rank == 0) {
        CHECK(check_until(0) == 1);
        buffer_set(NULL, 0, 0, FMPL_SUCCESS);
    }
}

SCENARIO(should_not_put_aside_what_is_received_in_time)
{
    uint64_t before = counted(HY_COUNT_BUFFERED);
    if (rank == 0) buffer_set(room, ROOM, 10000000, FMPL_SUCCESS);
    for (int i = 0; i < 20; i++) {
        if (rank == 0) send_filled(LONG, 0, (uint64_t)i);
        else receive(LONG, 0, (uint64_t)i);
    }
    CHECK(counted(HY_COUNT_BUFFERED) == before);
    if (rank == 0) buffer_set(NULL, 0, 0, FMPL_SUCCESS);
}

SCENARIO(should_refuse_a_send_buffer_that_cannot_be)
{
    buffer_set(NULL, 100, 0, HAYATE_ERR_ARGUMENT);
    buffer_set(room, 0, 0, HAYATE_ERR_ARGUMENT);
    buffer_set(room, 100, -1, HAYATE_ERR_ARGUMENT);
    buffer_set(room, SIZE_MAX, 1, HAYATE_ERR_ARGUMENT);
    buffer_set(room, 10, 1, FMPL_SUCCESS); /* too small for anything, but no error */
    buffer_set(NULL, 0, 0, FMPL_SUCCESS);
}

/* ---- the instrument ---- */

static void exchange(uint64_t bytes, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        if (rank == 0) send_filled(bytes, 0, (uint64_t)i);
        else receive(bytes, 0, (uint64_t)i);
    }
    barrier();
}

SCENARIO(should_break_the_time_of_a_message_down)
{
    fmpl_breakdown_t b;
    int ier = 1;
    for (int kind = 0; kind < 3; kind++) {
        CALL_OK(fmpl_breakdown_set(1, &ier));
        exchange(kind == 0 ? 8 : kind == 1 ? 2000 : LONG, 50);
        CALL_OK(fmpl_breakdown_get(&b, &ier));
        CHECK(b.samples == 50);
        const double phases[] = {b.send_setup, b.send_header, b.send_data,
                                 b.recv_setup, b.recv_header, b.recv_data};
        for (int i = 0; i < 6; i++) CHECK(phases[i] >= 0 && phases[i] < 1e9);
        CHECK(rank == 0 ? b.send_data > 0 && b.recv_data == 0
                        : b.recv_data > 0 && b.send_data == 0);
        CALL_OK(fmpl_breakdown_set(0, &ier));
        exchange(8, 5);
        fmpl_breakdown_get(&b, &ier);
        CHECK(b.samples == 50); /* off: nothing was added */
    }
    CALL_CODE(fmpl_breakdown_get(NULL, &ier), HAYATE_ERR_ARGUMENT);
}

/* ---- counters ---- */

/* The receiver may do all of the work: it is counted all the same, and once. */
SCENARIO(should_count_every_message_once)
{
    static const hy_counter all[] = {HY_COUNT_SENT,     HY_COUNT_BYTES_SENT, HY_COUNT_EAGER,
                                     HY_COUNT_RECEIVED, HY_COUNT_HEAP,       HY_COUNT_PIPELINE,
                                     HY_COUNT_CMA};
    uint64_t before[7], added[7];
    uint8_t *heap = memory_of(true, LONG);
    int ier = 1;
    barrier();
    for (int i = 0; i < 7; i++) before[i] = counted(all[i]);
    for (int i = 0; i < 10; i++) {
        fmpl_request_t request = FMPL_REQUEST_NULL;
        if (rank == 0) fmpl_isend(heap, LONG, 1, 0, &request, &ier);
        else fmpl_recv(heap, LONG, 0, 0, &ier);
        CHECK_OK(ier);
        barrier(); /* the sender looks at its send only when it is over */
        CALL_OK(fmpl_wait(&request, &ier));
    }
    for (int i = 0; i < 7; i++) added[i] = counted(all[i]) - before[i];
    CHECK(added[0] == (rank == 0 ? 10u : 0u) && added[3] == (rank == 0 ? 0u : 10u));
    CHECK(added[1] == (rank == 0 ? 10u * LONG : 0u));
    CHECK(added[4] + added[5] + added[6] == (rank == 0 ? 10u : 0u));
    if (way_is("auto") || way_is("heap")) CHECK(added[4] == added[0]);
    if (way_is("pipeline")) CHECK(added[5] == added[0]);
    if (way_is("cma")) CHECK(added[6] == added[0]);
    memory_free(true, heap);
}

/* Processes, but its own memory is here: no copy of the kernel. */
SCENARIO(should_count_a_message_to_itself_as_what_it_is)
{
    uint64_t direct = counted(HY_COUNT_DIRECT), cma = counted(HY_COUNT_CMA);
    fmpl_request_t request = FMPL_REQUEST_NULL;
    uint8_t *target = malloc(LONG);
    int ier = 1;
    CHECK(target != NULL);
    fill(data, LONG, 5);
    CALL_OK(fmpl_isend(data, LONG, rank, 5, &request, &ier));
    CALL_OK(fmpl_recv(target, LONG, rank, 5, &ier));
    CALL_OK(fmpl_wait(&request, &ier));
    CHECK(holds(target, LONG, 5));
    CHECK(counted(HY_COUNT_CMA) == cma);
    CHECK(counted(HY_COUNT_DIRECT) - direct == (way_is("pipeline") ? 0u : 1u));
    free(target);
}

/* A heap with no room for what a message needs: an error on both sides, and the next one works.
 * With a far peer the data need a stage before anything is sent: there it is the sender's error
 * alone. */
SCENARIO(should_go_on_after_the_heap_was_exhausted)
{
    hy_job *job = hy_process_job();
    void *all[64];
    int ier = 1, taken = 0;
    barrier();
    /* To ask for everything brings back what idle lanes have: a message would take that. */
    void *everything = hayate_alloc(job->heap.size);
    if (everything) CHECK_OK(hayate_free(everything));
    while (rank == 0 && hy_heap_longest(&job->heap) > 0) {
        CHECK(taken < 64);
        all[taken] = hayate_alloc(hy_heap_longest(&job->heap));
        CHECK(all[taken++] != NULL);
    }
    uint64_t eager = eager_limit() < 4096 ? eager_limit() : 4096;
    if (rank == 0) {
        fmpl_send(data, LONG, 1, 7, &ier);
        bool staged = way_is("pipeline") || all_are_far();
        CHECK(ier == (staged ? HAYATE_ERR_NO_MEMORY : FMPL_SUCCESS));
        if (eager > 56) CALL_CODE(fmpl_send(data, eager, 1, 6, &ier), HAYATE_ERR_NO_MEMORY);
        while (taken > 0) CHECK_OK(hayate_free(all[--taken]));
        send_filled(LONG, 7, 9);
    } else {
        if (!all_are_far()) fmpl_recv(data, LONG, 0, 7, &ier);
        if (!all_are_far()) CHECK(way_is("pipeline") ? ier == HAYATE_ERR_PEER_FAILED : ier == 0);
        receive(LONG, 7, 9);
    }
}

int main(int argc, char **argv)
{
    room = malloc(ROOM);
    data = malloc(LONG);
    start_ranks(8);
    CHECK(room && data && size == 2);
    int rc = scenarios_run(argc, argv);
    end_ranks();
    free(room);
    free(data);
    return rc;
}
