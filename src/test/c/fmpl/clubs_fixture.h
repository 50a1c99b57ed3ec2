/* SPDX-License-Identifier: Apache-2.0 */
/* Communicators that the collectives of a program run on. */
#ifndef HY_TEST_CLUBS_FIXTURE_H
#define HY_TEST_CLUBS_FIXTURE_H

#include "fmpl/scenario.h"

#define MIB (UINT64_C(1) << 20)
#define COMMS 4

/* World, the even ranks, all but the last, and the last alone. NULL where this rank is none. */
typedef struct club {
    int comm, rank, size;
} club;
static club clubs[COMMS];

static bool belongs(int club_number, int who)
{
    if (club_number == 1) return who % 2 == 0;
    if (club_number == 2) return who < size - 1 || size == 1;
    return club_number == 0 || who == size - 1;
}

static void clubs_open(void)
{
    int ier = 1;
    clubs[0].comm = FMPL_COMM_WORLD;
    for (int i = 0; i < COMMS; i++) {
        int expected_rank = 0, expected_size = 0;
        for (int r = 0; r < size; r++) {
            expected_rank += r < rank && belongs(i, r);
            expected_size += belongs(i, r);
        }
        if (i > 0) CALL_OK(fmpl_comm_create(&clubs[i].comm, belongs(i, rank) ? 3 : 0, &ier));
        CHECK((clubs[i].comm == FMPL_COMM_NULL) == !belongs(i, rank));
        if (!belongs(i, rank)) continue;
        CALL_OK(fmpl_comm_rank(clubs[i].comm, &clubs[i].rank, &ier));
        CALL_OK(fmpl_comm_size(clubs[i].comm, &clubs[i].size, &ier));
        CHECK(clubs[i].rank == expected_rank && clubs[i].size == expected_size);
    }
}

static void clubs_close(void)
{
    for (int i = 1; i < COMMS; i++) {
        int ier = 1;
        fmpl_comm_free(&clubs[i].comm, &ier);
        CHECK_CODE(ier, belongs(i, rank) ? FMPL_SUCCESS : HAYATE_ERR_ARGUMENT);
        CHECK(clubs[i].comm == FMPL_COMM_NULL);
    }
}

#endif
