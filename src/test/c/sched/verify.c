/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/verify.h"

#include <stdlib.h>

#include "base/random_fixture.h"
#include "base/status.h"
#include "sched/verify_machine.h"

#define HY_FEW_RANKS 16 /* up to here a third order costs next to nothing */

/* Whether a schedule is right does not depend on the order in which the ranks run: each WAIT names
 * its sender, and the clocks see a race whichever access came first. Several orders are tried all
 * the same, so that the proof does not rest on that argument alone. */
typedef enum hy_order { HY_ORDER_UP, HY_ORDER_DOWN, HY_ORDER_RANDOM } hy_order;

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
static int run_turn(hy_machine *m, hy_order order, uint64_t *random)
{
    int moved = 0, first = order == HY_ORDER_RANDOM ? (int)(random_draw(random) % 64) : 0;
    for (int i = 0; i < m->size; i++) {
        int rank = (first + i) % m->size, limit = 1 << 20;
        if (order == HY_ORDER_DOWN) rank = m->size - 1 - i;
        if (order == HY_ORDER_RANDOM) limit = 1 + (int)(random_draw(random) % 7);
        int moves = run_rank(m, rank, limit);
        if (moves < 0) return moves;
        moved += moves > 0;
    }
    return moved;
}

static int run_order(hy_machine *m, hy_order order)
{
    uint64_t random = 2463534242u;
    int rc;
    hy_machine_reset(m);
    do rc = run_turn(m, order, &random);
    while (rc > 0);
    return rc == 0 ? hy_machine_finish(m) : rc;
}

static int verify(const hy_schedule *schedules, int n, int rounds, bool in_place)
{
    hy_machine machine;
    int rc = hy_machine_open(&machine, schedules, n, rounds, in_place);
    if (rc != HAYATE_OK) return rc;
    rc = run_order(&machine, HY_ORDER_UP);
    if (rc == HAYATE_OK) rc = run_order(&machine, HY_ORDER_RANDOM);
    if (rc == HAYATE_OK && machine.size <= HY_FEW_RANKS) rc = run_order(&machine, HY_ORDER_DOWN);
    hy_machine_close(&machine);
    return rc;
}

int hy_verify_schedules(const hy_schedule *schedules, int n, int rounds)
{
    return verify(schedules, n, rounds, false);
}

/* What is to be proved, and where the shapes come from. */
typedef struct hy_verify_task {
    const hy_algorithm *const *algorithms;
    hy_shape_of shape_of;
    void *context;
    const hy_way *ways;
    int n, size;
    bool in_place;
} hy_verify_task;

static int build_all(hy_schedule *schedules, const hy_verify_task *task)
{
    for (int i = 0; i < task->n; i++)
        for (int rank = 0; rank < task->size; rank++) {
            const hy_shape shape = task->shape_of(task->context, i, rank);
            const hy_way *way = task->ways ? &task->ways[i] : NULL;
            if (shape.size != task->size || shape.rank != rank)
                return hy_fail(HAYATE_ERR_ARGUMENT,
                               "verify: collective %d has rank %d of %d, expected %d of %d", i,
                               shape.rank, shape.size, rank, task->size);
            int rc = hy_schedule_build(&schedules[i * task->size + rank], task->algorithms[i],
                                       &shape, way);
            if (rc != HAYATE_OK) return rc;
        }
    return HAYATE_OK;
}

static int verify_task(hy_verify_task *task, int rounds)
{
    int n = task->n;
    task->size = n >= 1 ? task->shape_of(task->context, 0, 0).size : 0;
    if (n < 1 || n > 4096 || task->size < 1 || task->size > HY_VERIFY_RANKS)
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "verify: %d collectives on %d ranks, expected 1 .. 4096 on 1 .. %d", n,
                       task->size, HY_VERIFY_RANKS);
    int count = task->n * task->size;
    hy_schedule *schedules = calloc((size_t)count, sizeof *schedules);
    if (!schedules)
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for %d schedules to verify", count);
    int rc = build_all(schedules, task);
    if (rc == HAYATE_OK) rc = verify(schedules, task->n, rounds, task->in_place);
    for (int i = 0; i < count; i++) hy_schedule_release(&schedules[i]);
    free(schedules);
    return rc;
}

int hy_verify_each(const hy_algorithm *const *algorithms, hy_shape_of shape_of, void *context,
                   const hy_way *ways, int n, int rounds)
{
    hy_verify_task task = {algorithms, shape_of, context, ways, n, 0, false};
    return verify_task(&task, rounds);
}

int hy_verify_in_place(const hy_algorithm *const *algorithms, hy_shape_of shape_of, void *context,
                       const hy_way *ways, int n, int rounds)
{
    hy_verify_task task = {algorithms, shape_of, context, ways, n, 0, true};
    return verify_task(&task, rounds);
}

static hy_shape even_shape(void *context, int collective, int rank)
{
    const hy_shape *shapes = context;
    hy_shape shape = shapes[collective];
    shape.rank = rank;
    return shape;
}

int hy_verify(const hy_algorithm *const *algorithms, const hy_shape *shapes, const hy_way *ways,
              int n, int rounds)
{
    return hy_verify_each(algorithms, even_shape, (void *)(uintptr_t)shapes, ways, n, rounds);
}
