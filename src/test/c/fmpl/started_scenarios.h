/* SPDX-License-Identifier: Apache-2.0 */
/* The non-blocking forms of all collectives, over all ranks. */
#ifndef HY_TEST_STARTED_SCENARIOS_H
#define HY_TEST_STARTED_SCENARIOS_H

#include "fmpl/clubs_fixture.h"

#define MOST_RANKS 64

/* In turn by a wait and by tests. */
static void await_started(fmpl_request_t *request, int ier)
{
    static int turn;
    int done = 0;
    CHECK_OK(ier);
    ier = 1;
    if (turn++ % 2) fmpl_wait(request, &ier);
    else
        while (!done) fmpl_test(request, &done, &ier);
    CHECK_OK(ier);
    CHECK(*request == FMPL_REQUEST_NULL);
}

SCENARIO(should_complete_started_collectives_in_place)
{
    fmpl_request_t request = 1;
    int64_t value = rank == size - 1 ? 42 : 0;
    int ier = 1;
    fmpl_ibcast(&value, sizeof value, size - 1, FMPL_COMM_WORLD, &request, &ier);
    await_started(&request, ier);
    CHECK(value == 42);
    value = rank;
    fmpl_iallreduce(&value, 1, FMPL_LONG_SUM, FMPL_COMM_WORLD, &request, &ier);
    await_started(&request, ier);
    CHECK(value == (int64_t)size * (size - 1) / 2);
    value = rank;
    fmpl_ireduce(&value, 1, FMPL_LONG_SUM, size - 1, FMPL_COMM_WORLD, &request, &ier);
    await_started(&request, ier);
    CHECK(value == (rank < size - 1 ? rank : (int64_t)size * (size - 1) / 2));
    fmpl_ibarrier(FMPL_COMM_WORLD, &request, &ier);
    await_started(&request, ier);
}

SCENARIO(should_complete_started_collectives_of_two_sides)
{
    int64_t mine = rank, all[MOST_RANKS], out[MOST_RANKS], sum = -1;
    size_t sizes[MOST_RANKS], counts[MOST_RANKS];
    fmpl_request_t request = 1;
    int ier = 1;
    for (int i = 0; i < size; i++) sizes[i] = sizeof mine, counts[i] = 1;
    /* An algorithm that is forced may need equal blocks. */
    for (int uneven = 0; uneven < (getenv("HAYATE_COLL") ? 1 : 2); uneven++) {
        memset(all, 0xee, sizeof all);
        if (uneven)
            fmpl_igatherv(&mine, sizeof mine, all, sizes, NULL, 0, FMPL_COMM_WORLD, &request, &ier);
        else fmpl_igather(&mine, sizeof mine, all, 0, FMPL_COMM_WORLD, &request, &ier);
        await_started(&request, ier);
        for (int i = 0; rank == 0 && i < size; i++) CHECK(all[i] == i);
        if (uneven)
            fmpl_iscatterv(all, sizes, NULL, &sum, sizeof sum, 0, FMPL_COMM_WORLD, &request, &ier);
        else fmpl_iscatter(all, &sum, sizeof sum, 0, FMPL_COMM_WORLD, &request, &ier);
        await_started(&request, ier);
        CHECK(sum == rank);
        memset(all, 0xee, sizeof all);
        if (uneven) fmpl_iallgatherv(&mine, all, sizes, NULL, FMPL_COMM_WORLD, &request, &ier);
        else fmpl_iallgather(&mine, sizeof mine, all, FMPL_COMM_WORLD, &request, &ier);
        await_started(&request, ier);
        for (int i = 0; i < size; i++) CHECK(all[i] == i);
        for (int i = 0; i < size; i++) all[i] = 100 * rank + i;
        if (uneven)
            fmpl_ialltoallv(all, sizes, NULL, out, sizes, NULL, FMPL_COMM_WORLD, &request, &ier);
        else fmpl_ialltoall(all, out, sizeof mine, FMPL_COMM_WORLD, &request, &ier);
        await_started(&request, ier);
        for (int i = 0; i < size; i++) CHECK(out[i] == 100 * i + rank);
        for (int i = 0; i < size; i++) all[i] = i;
        if (uneven)
            fmpl_ireduce_scatterv(all, &sum, counts, FMPL_LONG_SUM, FMPL_COMM_WORLD, &request,
                                  &ier);
        else fmpl_ireduce_scatter(all, &sum, 1, FMPL_LONG_SUM, FMPL_COMM_WORLD, &request, &ier);
        await_started(&request, ier);
        CHECK(sum == (int64_t)rank * size);
    }
    fmpl_iscan(&mine, &sum, 1, FMPL_LONG_SUM, FMPL_COMM_WORLD, &request, &ier);
    await_started(&request, ier);
    CHECK(sum == (int64_t)rank * (rank + 1) / 2);
    fmpl_iexscan(&mine, &sum, 1, FMPL_LONG_SUM, FMPL_COMM_WORLD, &request, &ier);
    await_started(&request, ier);
    CHECK(rank == 0 || sum == (int64_t)rank * (rank - 1) / 2);
}

/* On a communicator of its own each, and with messages around the ring. */
SCENARIO(should_await_started_collectives_and_messages_together)
{
    fmpl_request_t requests[4] = {0};
    int64_t sum = 1, count = 1, in = -1, out = rank;
    int other = FMPL_COMM_NULL, ier = 1, index, done = 0, cancelled = 7;
    CALL_OK(fmpl_comm_split(FMPL_COMM_WORLD, 0, 0, &other, &ier));
    CALL_OK(fmpl_irecv(&in, sizeof in, left(), 0, &requests[0], &ier));
    CALL_OK(fmpl_iallreduce(&sum, 1, FMPL_LONG_SUM, FMPL_COMM_WORLD, &requests[1], &ier));
    CALL_OK(fmpl_iallreduce(&count, 1, FMPL_LONG_SUM, other, &requests[2], &ier));
    CALL_OK(fmpl_isend(&out, sizeof out, right(), 0, &requests[3], &ier));
    if (requests[1] != FMPL_REQUEST_NULL) {
        CALL_CODE(fmpl_cancel(&requests[1], &cancelled, &ier), HAYATE_ERR_ARGUMENT);
        CHECK(!cancelled);
    }
    do {
        CALL_OK(fmpl_wait_any(4, requests, &index, &ier));
        done++;
    } while (index >= 0);
    CHECK(done <= 5);
    CHECK(sum == size && count == size && in == left());
    CALL_OK(fmpl_wait_all(4, requests, &ier));
    CALL_OK(fmpl_comm_free(&other, &ier));
}

SCENARIO(should_refuse_bad_starts)
{
    fmpl_request_t request = 1;
    int64_t value = 0;
    int ier = 1;
    CALL_CODE(fmpl_iallreduce(&value, 1, FMPL_LONG_SUM, FMPL_COMM_WORLD, NULL, &ier),
              HAYATE_ERR_ARGUMENT);
    CALL_CODE(fmpl_iallreduce(&value, 1, 12345, FMPL_COMM_WORLD, &request, &ier),
              HAYATE_ERR_ARGUMENT);
    CHECK(request == FMPL_REQUEST_NULL);
    CALL_CODE(fmpl_ibcast(&value, sizeof value, size, FMPL_COMM_WORLD, &request, &ier),
              HAYATE_ERR_ARGUMENT);
    CALL_CODE(fmpl_ibcast(NULL, sizeof value, 0, FMPL_COMM_WORLD, &request, &ier),
              HAYATE_ERR_ARGUMENT);
    CALL_CODE(fmpl_ibarrier(9999, &request, &ier), HAYATE_ERR_ARGUMENT);
    CALL_CODE(fmpl_timeout_set(-1, &ier), HAYATE_ERR_ARGUMENT);
}

#endif
