/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/verify.h"

#include <stdlib.h>

#include "base/status.h"
#include "sched/verify_machine.h"

#define HY_FEW_RANKS 16 /* up to here a third order costs next to nothing */

/* Whether a schedule is right does not depend on the order in which the ranks run: each WAIT names
 * its sender, and the clocks see a race whichever access came first. Several orders are tried all
 * the same, so that the proof does not rest on that argument alone. */
typedef enum hy_order { HY_ORDER_UP, HY_ORDER_DOWN, HY_ORDER_RANDOM } hy_order;

static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* Up to `limit` moves of one rank. Their number, or a negative code. */
static int run_rank(hy_machine *m, int rank, int limit)
{
    for (int moves = 0; moves < limit; moves++) {
        int rc = hy_machine_advance(m, rank);
        if (rc < 0) return rc;
        if (rc != HY_MOVED) return moves;
    }
    return limit;
}

/* Gives every rank a turn. The number of ranks that moved, or a negative code. */
static int run_turn(hy_machine *m, hy_order order, uint32_t *random)
{
    int moved = 0, first = order == HY_ORDER_RANDOM ? (int)(next_random(random) % 64) : 0;
    for (int i = 0; i < m->size; i++) {
        int rank = (first + i) % m->size, limit = 1 << 20;
        if (order == HY_ORDER_DOWN) rank = m->size - 1 - i;
        if (order == HY_ORDER_RANDOM) limit = 1 + (int)(next_random(random) % 7);
        int moves = run_rank(m, rank, limit);
        if (moves < 0) return moves;
        moved += moves > 0;
    }
    return moved;
}

static int run_order(hy_machine *m, hy_order order)
{
    uint32_t random = 2463534242u;
    int rc;
    hy_machine_reset(m);
    do rc = run_turn(m, order, &random);
    while (rc > 0);
    return rc == 0 ? hy_machine_finish(m) : rc;
}

int hy_verify_schedules(const hy_schedule *schedules, const hy_shape *shapes, int n, int rounds)
{
    hy_machine machine;
    int rc = hy_machine_open(&machine, schedules, shapes, n, rounds);
    if (rc != HAYATE_OK) return rc;
    rc = run_order(&machine, HY_ORDER_UP);
    if (rc == HAYATE_OK) rc = run_order(&machine, HY_ORDER_RANDOM);
    if (rc == HAYATE_OK && machine.size <= HY_FEW_RANKS) rc = run_order(&machine, HY_ORDER_DOWN);
    hy_machine_close(&machine);
    return rc;
}

static int build_all(hy_schedule *schedules, const hy_algorithm *const *algorithms,
                     const hy_shape *shapes, int n)
{
    int size = shapes[0].size;
    for (int i = 0; i < n; i++)
        for (int rank = 0; rank < size; rank++) {
            hy_shape shape = shapes[i];
            shape.rank = rank;
            int rc = hy_schedule_build(&schedules[i * size + rank], algorithms[i], &shape);
            if (rc != HAYATE_OK) return rc;
        }
    return HAYATE_OK;
}

int hy_verify(const hy_algorithm *const *algorithms, const hy_shape *shapes, int n, int rounds)
{
    if (n < 1 || n > 4096 || shapes[0].size < 1 || shapes[0].size > HY_VERIFY_RANKS)
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "verify: %d collectives, expected 1 .. 4096 on 1 .. %d "
                       "ranks",
                       n, HY_VERIFY_RANKS);
    int count = n * shapes[0].size;
    hy_schedule *schedules = calloc((size_t)count, sizeof *schedules);
    if (!schedules)
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for %d schedules to verify", count);
    int rc = build_all(schedules, algorithms, shapes, n);
    if (rc == HAYATE_OK) rc = hy_verify_schedules(schedules, shapes, n, rounds);
    for (int i = 0; i < count; i++) hy_schedule_release(&schedules[i]);
    free(schedules);
    return rc;
}
