/* SPDX-License-Identifier: Apache-2.0 */
/* Point to point, as any user may call it; correct for every number of ranks and every setting. */
#include "fmpl/refusals_scenarios.h"
#include "fmpl/sections_scenarios.h"
#include "msg/rendezvous.h"

#define MIB (UINT64_C(1) << 20)
#define MANY (is_light() ? 100 : 300) /* messages one after the other */

/* ---- sizes ---- */

static size_t sizes_around_boundaries(uint64_t *sizes)
{
    const uint64_t eager = eager_limit();
    const uint64_t edges[] = {0, 8, 16, 32, 56, 57, eager, 24576, 32768, 65536, 131072, MIB};
    size_t count = 0;
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        if (edges[i] > 0) sizes[count++] = edges[i] - 1;
        sizes[count++] = edges[i];
        sizes[count++] = edges[i] + 1;
    }
    sizes[count++] = 8 * MIB;
    return count;
}

/* Around the ring. The byte behind the message must stay as it is. */
static void pass_on(uint8_t *out, uint8_t *in, uint64_t bytes, bool alternate)
{
    fill(out, bytes, bytes + (uint64_t)rank);
    memset(in, 0xee, bytes + 1);
    if (alternate && rank % 2 == 1) recv_ok(in, bytes, bytes, left(), 0);
    fmpl_request_t request = alternate && rank % 2 == 1 ? 0 : irecv_ok(in, bytes, left(), 0);
    send_ok(out, bytes, right(), 0);
    wait_ok(&request);
    CHECK(holds(in, bytes, bytes + (uint64_t)left()));
    CHECK(in[bytes] == 0xee);
}

SCENARIO(should_carry_all_sizes)
{
    uint64_t sizes[64];
    size_t count = sizes_around_boundaries(sizes);
    for (int kind = 0; kind < 4; kind += is_light() ? 3 : 1) {
        bool out_heap = kind & 1, in_heap = kind & 2;
        uint8_t *out = memory_of(out_heap, 8 * MIB), *in = memory_of(in_heap, 8 * MIB);
        for (size_t i = 0; i < count; i++) pass_on(out, in, sizes[i], size > 1 && i % 2);
        memory_free(out_heap, out);
        memory_free(in_heap, in);
    }
}

/* From and to memory outside of the heap, often enough that each has its turn. */
SCENARIO(should_try_both_the_pipeline_and_a_copy_of_the_kernel)
{
    hy_job *job = hy_process_job();
    const hy_ep *ep = hy_job_ep(job, right());
    bool both = way_is("auto") && size > 1 && !job->direct && !hy_ep_is_far(ep) && ep->single &&
                !(ep->single->caps & HY_CAP_LOADS);
    uint64_t bytes = MIB / 4, pipeline = counted(HY_COUNT_PIPELINE), single = counted(HY_COUNT_CMA);
    uint8_t *out = memory_of(false, bytes), *in = memory_of(false, bytes);
    for (int i = 0; i < 72; i++) pass_on(out, in, bytes, size > 1);
    memory_free(false, out);
    memory_free(false, in);
    if (!both) return;
    char text[300];
    hy_rendezvous_explain(job, right(), text, sizeof text);
    CHECK(strstr(text, "from 131072 bytes on the faster of pipeline and "));
    CHECK(counted(HY_COUNT_PIPELINE) > pipeline);
    CHECK(counted(HY_COUNT_CMA) > single);
}

SCENARIO(should_carry_from_addresses_that_are_not_aligned)
{
    uint8_t *out = memory_of(true, MIB), *in = memory_of(false, MIB);
    for (uint64_t shift = 1; shift < 64; shift += 7) {
        pass_on(out + shift, in + 64 - shift, 40, false);
        pass_on(out + shift, in + 64 - shift, 3000, false);
        pass_on(out + shift, in + 64 - shift, 200001, false);
    }
    memory_free(true, out);
    memory_free(false, in);
}

/* ---- order ---- */

/* A message of any size up to `most` that says its number. */
static uint64_t numbered(uint64_t i, uint64_t most)
{
    return 8 + (i * 2654435761u) % (most - 8);
}

static void stream_out(uint64_t most)
{
    uint8_t *out = memory_of(true, most);
    for (uint64_t i = 0; i < MANY; i++) {
        fill(out, numbered(i, most), i);
        send_ok(out, numbered(i, most), right(), 1);
    }
    memory_free(true, out);
}
static void stream_in(uint64_t most)
{
    uint8_t *in = memory_of(false, most);
    for (uint64_t i = 0; i < MANY; i++) {
        uint64_t bytes = numbered(i, most);
        recv_ok(in, most, bytes, left(), 1);
        CHECK(holds(in, bytes, i));
    }
    memory_free(false, in);
}

SCENARIO(should_keep_the_order_one_way)
{
    static const uint64_t most[] = {56, 300, 9000, 100000};
    if (size == 1) return;
    for (int i = 0; i < 4; i++) {
        if (rank % 2 == 0 && right() != 0) stream_out(most[i]);
        if (rank % 2 == 1) stream_in(most[i]);
    }
}

/* One way for long, then both ways for long, then the other way: the acknowledgements must not get
 * lost on the way. */
SCENARIO(should_keep_going_when_the_traffic_turns)
{
    uint64_t out = 0, in = 0;
    int other = rank ^ 1;
    if (other >= size) return;
    for (int phase = 0; phase < 6; phase++) {
        for (uint64_t i = 0; i < 123; i++) {
            bool mine = phase % 3 == 2 || phase % 3 == rank % 2;
            bool its = phase % 3 == 2 || phase % 3 == other % 2;
            uint64_t got = 0;
            if (mine) send_ok(&out, sizeof out, other, 2);
            if (its) recv_ok(&got, sizeof got, sizeof got, other, 2);
            CHECK(!its || got == in);
            out += mine;
            in += its;
        }
    }
}

/* ---- non-blocking ---- */

SCENARIO(should_carry_both_ways_at_once)
{
    static const uint64_t sizes[] = {1, 56, 57, 4096, 4097, 70000, 3 * MIB};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int kind = 0; kind < 4; kind++) {
            bool out_heap = kind & 1, in_heap = kind & 2;
            uint8_t *out = memory_of(out_heap, sizes[i]), *in = memory_of(in_heap, sizes[i]);
            fill(out, sizes[i], (uint64_t)rank);
            fmpl_request_t requests[2];
            if (kind % 2) requests[0] = irecv_ok(in, sizes[i], left(), 3);
            requests[1] = isend_ok(out, sizes[i], right(), 3);
            if (!(kind % 2)) requests[0] = irecv_ok(in, sizes[i], left(), 3);
            int ier = 1;
            CALL_OK(fmpl_wait_all(2, requests, &ier));
            CHECK(requests[0] == 0 && requests[1] == 0);
            CHECK(holds(in, sizes[i], (uint64_t)left()));
            memory_free(out_heap, out);
            memory_free(in_heap, in);
        }
    }
}

SCENARIO(should_test_until_complete)
{
    uint8_t *out = memory_of(false, 50000), *in = memory_of(true, 50000);
    fill(out, 50000, 5);
    fmpl_request_t request = irecv_ok(in, 50000, left(), 4);
    int done = 7, ier = 1;
    CALL_OK(fmpl_test(&request, &done, &ier));
    CHECK(size > 1 || done == 0);
    fmpl_request_t sends = isend_ok(out, 50000, right(), 4);
    for (done = 0; !done; sched_yield()) {
        CALL_OK(fmpl_test(&request, &done, &ier));
        CHECK(done == (request == FMPL_REQUEST_NULL));
    }
    CHECK(holds(in, 50000, 5));
    wait_ok(&sends);
    memory_free(false, out);
    memory_free(true, in);
}

/* Every rank sends 8 messages on different entries, in an order of its own. */
SCENARIO(should_wait_for_any_in_any_order)
{
    enum { LANES = 8 };
    static const uint64_t sizes[LANES] = {0, 9, 56, 100, 4096, 5000, 66000, 300000};
    fmpl_request_t receives[LANES], sends[LANES];
    uint8_t *in[LANES], *out[LANES];
    bool seen[LANES] = {false};
    for (int i = 0; i < LANES; i++) {
        in[i] = memory_of(i % 2, sizes[i]);
        out[i] = memory_of(i % 3 == 0, sizes[i]);
        fill(out[i], sizes[i], (uint64_t)(rank * LANES + i));
        receives[i] = irecv_ok(in[i], sizes[i], left(), 8 + i);
    }
    for (int k = 0; k < LANES; k++) {
        int i = (k * 3 + rank) % LANES;
        sends[i] = isend_ok(out[i], sizes[i], right(), 8 + i);
    }
    int index = 0, ier = 1, found = 0;
    for (int i = 0; i < LANES; i++) found += receives[i] == FMPL_REQUEST_NULL;
    for (int i = 0; i < LANES; i++) seen[i] = receives[i] == FMPL_REQUEST_NULL;
    for (; found < LANES; found++) {
        CALL_OK(fmpl_wait_any(LANES, receives, &index, &ier));
        CHECK(index >= 0 && index < LANES && !seen[index]);
        CHECK(receives[index] == FMPL_REQUEST_NULL);
        seen[index] = true;
    }
    CALL_OK(fmpl_wait_any(LANES, receives, &index, &ier));
    CHECK(index == -1);
    CALL_OK(fmpl_wait_all(LANES, sends, &ier));
    for (int i = 0; i < LANES; i++) {
        CHECK(holds(in[i], sizes[i], (uint64_t)(left() * LANES + i)));
        memory_free(i % 2, in[i]);
        memory_free(i % 3 == 0, out[i]);
    }
}

/* A rank that waits for one thing does its part of all others. */
SCENARIO(should_progress_others_while_waiting)
{
    uint8_t *out = memory_of(false, 400000), *in = memory_of(false, 400000);
    uint64_t token = 1;
    fill(out, 400000, (uint64_t)rank);
    fmpl_request_t sends = isend_ok(out, 400000, right(), 5);
    fmpl_request_t receive = irecv_ok(in, 400000, left(), 5);
    if (rank == 0) send_ok(&token, sizeof token, right(), 6);
    recv_ok(&token, sizeof token, sizeof token, left(), 6);
    if (rank != 0) send_ok(&token, sizeof token, right(), 6);
    wait_ok(&receive);
    wait_ok(&sends);
    CHECK(holds(in, 400000, (uint64_t)left()));
    memory_free(false, out);
    memory_free(false, in);
}

/* ---- cancel ---- */

SCENARIO(should_cancel_a_receive_that_nothing_came_for)
{
    static const size_t sizes[] = {0, 8, 4096, 100000};
    for (int i = 0; i < 4; i++) {
        uint8_t *in = memory_of(i % 2, sizes[i]);
        memset(in, 0xee, sizes[i] + 1);
        fmpl_request_t request = irecv_ok(in, sizes[i], left(), 7);
        fmpl_request_t kept = request;
        int cancelled = 0, ier = 1;
        CHECK(request != FMPL_REQUEST_NULL);
        CALL_OK(fmpl_cancel(&request, &cancelled, &ier));
        CHECK(cancelled == 1 && request == FMPL_REQUEST_NULL);
        CALL_CODE(fmpl_cancel(&kept, &cancelled, &ier), HAYATE_ERR_ARGUMENT);
        barrier(); /* the message is sent only now, and goes to the next receive */
        uint8_t *out = memory_of(i % 2 == 0, sizes[i]), *second = memory_of(true, sizes[i]);
        fill(out, sizes[i], (uint64_t)i);
        fmpl_request_t sends = isend_ok(out, sizes[i], right(), 7);
        recv_ok(second, sizes[i], sizes[i], left(), 7);
        CHECK(holds(second, sizes[i], (uint64_t)i));
        CHECK(all_are(in, sizes[i] + 1, 0xee));
        wait_ok(&sends);
        memory_free(i % 2, in);
        memory_free(i % 2 == 0, out);
        memory_free(true, second);
    }
}

/* The receiver posts and cancels over and over while the sender sends: each message is received
 * exactly once, in order, and a cancelled receive has left its buffer alone. */
static void cancel_race(uint64_t bytes, unsigned seed, int rounds)
{
    const unsigned kind = seed; /* what is of the heap */
    uint8_t *out = memory_of(kind & 1, bytes), *in[2];
    for (int i = 0; i < 2; i++) in[i] = memory_of(kind & (2u << i), bytes);
    for (int round = 0; round < rounds; round++) {
        fill(out, bytes, (uint64_t)round);
        if (rand_r(&seed) % 2) pause_us((unsigned)rand_r(&seed) % 60);
        fmpl_request_t sends = isend_ok(out, bytes, right(), 9);
        for (int attempt = 0;; attempt++) {
            uint8_t *buffer = in[attempt % 2];
            int cancelled = 0, ier = 1;
            memset(buffer, 0xee, bytes);
            fmpl_request_t request = irecv_ok(buffer, bytes, left(), 9);
            if (rand_r(&seed) % 2) pause_us((unsigned)rand_r(&seed) % 40);
            CALL_OK(fmpl_cancel(&request, &cancelled, &ier));
            if (cancelled) {
                CHECK(request == FMPL_REQUEST_NULL && all_are(buffer, bytes, 0xee));
                if (attempt < 20) continue;
                request = irecv_ok(buffer, bytes, left(), 9);
            }
            wait_ok(&request);
            CHECK(holds(buffer, bytes, (uint64_t)round));
            break;
        }
        wait_ok(&sends);
    }
    for (int i = 0; i < 2; i++) memory_free(kind & (2u << i), in[i]);
    memory_free(kind & 1, out);
}

SCENARIO(should_survive_cancels_that_race_with_the_sender)
{
    for (unsigned seed = 0; seed < 8; seed++) {
        cancel_race(16, seed, 20);
        cancel_race(5000, seed, 20);
        cancel_race(150000, seed, 6);
    }
}

SCENARIO(should_send_to_itself)
{
    static const uint64_t sizes[] = {0, 8, 56, 57, 4096, 4097, 100000, MIB};
    for (int kind = 0; kind < 4; kind++) {
        bool out_heap = kind & 1, in_heap = kind & 2;
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            uint8_t *out = memory_of(out_heap, sizes[i]), *in = memory_of(in_heap, sizes[i]);
            fill(out, sizes[i], i);
            fmpl_request_t request = irecv_ok(in, sizes[i], rank, 14);
            send_ok(out, sizes[i], rank, 14);
            wait_ok(&request);
            CHECK(holds(in, sizes[i], i));
            memset(in, 0, sizes[i]);
            request = isend_ok(out, sizes[i], rank, 14);
            recv_ok(in, sizes[i], sizes[i], rank, 14);
            wait_ok(&request);
            CHECK(holds(in, sizes[i], i));
            memory_free(out_heap, out);
            memory_free(in_heap, in);
        }
    }
}

int main(int argc, char **argv)
{
    if (getenv("HAYATE_TEST_INBOXES")) hy_msg_areas_most = 0;
    return ranks_run_scenarios(FMPL_DEFAULT_COUNT, argc, argv);
}
