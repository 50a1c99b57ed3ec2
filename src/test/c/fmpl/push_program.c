/* SPDX-License-Identifier: Apache-2.0 */
/* Long messages whose receive came first, between two ranks on different nodes. Rank 0 sends. With
 * "absent" as the argument also that they end without the receiver, whose network then has to go
 * on without it. */
#include "fmpl/scenario.h"

#include <time.h>

#define LONG (UINT64_C(4) << 20)
#define TURNS 300

static uint8_t *data, *other;

static fmpl_request_t receive(void *to, uint64_t bytes)
{
    fmpl_request_t request = FMPL_REQUEST_NULL;
    int ier = 1;
    CALL_OK(fmpl_irecv(to, bytes, 0, 0, &request, &ier));
    return request;
}

static void await(fmpl_request_t request)
{
    int ier = 1;
    CALL_OK(fmpl_wait(&request, &ier));
}

static void send_it(uint64_t bytes)
{
    int ier = 1;
    CALL_OK(fmpl_send(data, bytes, 1, 0, &ier));
}

static uint64_t chance(uint64_t *seed, uint64_t below)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (*seed >> 33) % below;
}

/* Of any length below that of the buffer, to any place, and again and again. */
static void should_arrive_where_the_receive_wanted(void)
{
    uint64_t seed = 7;
    for (int turn = 0; turn < TURNS; turn++) {
        uint64_t bytes = 5000 + chance(&seed, 400000), at = chance(&seed, 4096);
        uint64_t more = chance(&seed, 2) * chance(&seed, 5000);
        if (rank == 1) memset(data, 0xee, bytes + at + more + 8);
        fmpl_request_t request = rank == 1 ? receive(data + at, bytes + more) : 0;
        if (turn % 3) barrier();
        if (rank == 0) {
            fill(data, bytes, (uint64_t)turn);
            send_it(bytes);
            memset(data, 0xdd, bytes); /* the caller may do as it likes with it now */
            continue;
        }
        await(request);
        CHECK(holds(data + at, bytes, (uint64_t)turn));
        CHECK(all_are(data, at, 0xee) && all_are(data + at + bytes, more + 8, 0xee));
    }
}

/* The memory of a receive that was cancelled is not touched, and no message is lost. */
static void should_leave_a_receive_that_was_cancelled(void)
{
    uint64_t seed = (uint64_t)rank + 1, bytes = 100000;
    int cancelled_once = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        int ier = 1, cancelled = 0;
        if (turn % 8 == 0) barrier();
        if (rank == 0) {
            fill(data, bytes, (uint64_t)turn);
            pause_us((unsigned)chance(&seed, 120));
            send_it(bytes);
            continue;
        }
        memset(data, 0xee, bytes);
        fmpl_request_t request = receive(data, bytes);
        pause_us((unsigned)chance(&seed, 120));
        CALL_OK(fmpl_cancel(&request, &cancelled, &ier));
        cancelled_once += cancelled;
        if (cancelled) await(receive(other, bytes));
        else await(request);
        CHECK(holds(cancelled ? other : data, bytes, (uint64_t)turn));
        CHECK(!cancelled || all_are(data, bytes, 0xee));
    }
    CHECK(rank == 0 || cancelled_once > 0);
}

/* Rank 1 neither calls nor lets anything of its program run: as in a pause of a JVM. */
static void should_end_while_the_receiver_is_away(void)
{
    const uint64_t limit = UINT64_C(2500000000);
    for (int turn = 0; turn < (is_light() ? 1 : 2); turn++) {
        const struct timespec pause = {3, 500000000};
        int ier = 1, done = 0;
        fmpl_request_t request = rank == 1 ? receive(data, LONG) : 0;
        barrier();
        if (rank == 0) {
            uint64_t start = hy_now_ns();
            fill(data, LONG, (uint64_t)turn);
            send_it(LONG);
            CHECK(hy_now_ns() - start < limit);
            continue;
        }
        nanosleep(&pause, NULL);
        CALL_OK(fmpl_test(&request, &done, &ier));
        CHECK(done && holds(data, LONG, (uint64_t)turn));
    }
}

static const scenario scenarios[] = {
    {"arrive", should_arrive_where_the_receive_wanted},
    {"cancelled", should_leave_a_receive_that_was_cancelled},
    {"absent", should_end_while_the_receiver_is_away},
};

int main(int argc, char **argv)
{
    start_ranks(1);
    CHECK(size == 2);
    data = memory_of(true, LONG);
    other = memory_of(true, LONG);
    bool absent = argc > 1 && strcmp(argv[1], "absent") == 0;
    run_scenarios(scenarios, absent ? 3 : 2, 1, argv);
    barrier();
    memory_free(true, data);
    memory_free(true, other);
    end_ranks();
    return 0;
}
