/* SPDX-License-Identifier: Apache-2.0 */
/* Operations that go on beside their caller (hy_op_begin), over any row: many at once. */
#ifndef HY_TEST_OP_TESTS_H
#define HY_TEST_OP_TESTS_H

#include "net/fixture.h"

enum { OPS = 150, OP_KINDS = 3, OP_FLUSH = OPS * 2, OPS_ALL };
enum { COUNT_AT = 64, STARTED_AT = 4 << 20, FETCHED_AT = 8 << 20, STARTED_BYTES = 300000 };
enum { OP_GET_MOST = 20000 };

/* Of the row; NULL: ep->ops. */
static const hy_path_ops *op_row;

static inline const hy_path_ops *row_of(const hy_ep *ep)
{
    return op_row ? op_row : ep->ops;
}

static inline void let_work(member *me)
{
    if (!me->net || me->net->ops->progress(me->net) == 0) sched_yield();
}

static inline size_t bytes_of(int i)
{
    static const size_t some[] = {8, 1, 4096, 64, OP_GET_MOST, 5000, 0};
    return some[i % 7];
}

/* Every other one to memory of this rank's part. Single copies name it by its address. */
static inline void fill_op(member *me, hy_path_op *op, int i, uint8_t *local, uint64_t *before)
{
    bool single = op_row != NULL;
    uint64_t base = single ? (uint64_t)(uintptr_t)me->eps[1].part : 0;
    uint64_t at = FETCHED_AT + (uint64_t)i * OP_GET_MOST;
    if (i < OPS)
        *op = (hy_path_op){.kind = HY_OP_GET,
                           .remote = base + at,
                           .local = i % 2 || single ? local : me->part + at,
                           .len = bytes_of(i)};
    else if (i < OP_FLUSH)
        *op = (hy_path_op){.kind = single ? HY_OP_FLUSH : HY_OP_ATOMIC,
                           .remote = COUNT_AT,
                           .what = HY_ATOMIC_ADD,
                           .operand = 1,
                           .before = before};
    else *op = (hy_path_op){.kind = HY_OP_FLUSH};
}

/* How many are under way when all are begun; they are over when this returns. */
static inline int run_ops(member *me, hy_ep *ep, hy_path_op *ops)
{
    int under_way = 0, left;
    static bool over[OPS_ALL];
    uint64_t end = hy_now_ns() + UINT64_C(60000000000);
    for (int i = 0; i < OPS_ALL; i++) {
        int rc = hy_op_begin(row_of(ep), ep, &ops[i]);
        CHECK(rc == HAYATE_OK || (rc == HAYATE_IN_PROGRESS && row_of(ep)->test));
        over[i] = rc == HAYATE_OK;
        under_way += !over[i];
    }
    left = under_way;
    while (left) {
        let_work(me);
        for (int i = 0; i < OPS_ALL; i++) {
            if (over[i]) continue;
            int rc = hy_op_test(row_of(ep), ep, &ops[i]);
            CHECK(rc == HAYATE_OK || rc == HAYATE_IN_PROGRESS);
            over[i] = rc == HAYATE_OK;
            left -= over[i];
        }
        CHECK(hy_now_ns() < end);
    }
    return under_way;
}

static void begin_many(member *me)
{
    static hy_path_op ops[OPS_ALL];
    static uint8_t locals[OPS][OP_GET_MOST], started[STARTED_BYTES];
    static uint64_t before[OPS];
    static bool seen[OPS];
    hy_ep *ep = &me->eps[1];
    for (int i = 0; i < OPS; i++)
        if (me->rank == 1)
            fill(me->part + FETCHED_AT + i * OP_GET_MOST, OP_GET_MOST, 1000 + (uint64_t)i);
    meet(me);
    if (me->rank == 0) {
        for (int i = 0; i < OPS_ALL; i++)
            fill_op(me, &ops[i], i, locals[i % OPS], &before[i % OPS]);
        fill(started, sizeof started, 3);
        if (!op_row) CHECK_OK(ep->ops->put_start(ep, STARTED_AT, started, sizeof started));
        int under_way = run_ops(me, ep, ops);
        CHECK(row_of(ep)->begin ? under_way > OPS : under_way == 0);
        for (int i = 0; i < OPS; i++) CHECK(holds(ops[i].local, ops[i].len, 1000 + (uint64_t)i));
        for (int i = 0; i < OPS && !op_row; i++) {
            CHECK(before[i] < OPS && !seen[before[i]]);
            seen[before[i]] = true;
        }
    }
    meet(me); /* says nothing over the network: what is there now the operations have brought */
    if (me->rank == 1 && !op_row) {
        CHECK(hy_load_acquire((_Atomic uint64_t *)(void *)(me->part + COUNT_AT)) == OPS);
        CHECK(holds(me->part + STARTED_AT, STARTED_BYTES, 3));
    }
}

/* ---- puts, signals and flags ---- */

enum { ORDER_ROUNDS = 200, ORDER_FLAG_AT = 0, ORDER_BACK_AT = 64, ORDER_DATA_AT = 4096 };

/* Ends it, or only makes sure that what follows is behind it. */
static inline void drive(member *me, hy_ep *ep, hy_path_op *op, int rc, bool to_end)
{
    uint64_t end = hy_now_ns() + UINT64_C(60000000000);
    while (rc == HAYATE_IN_PROGRESS && (to_end || !op->ordered)) {
        let_work(me);
        rc = hy_op_test(ep->ops, ep, op);
        CHECK(hy_now_ns() < end);
    }
    CHECK(rc == HAYATE_OK || (rc == HAYATE_IN_PROGRESS && !to_end));
}

static inline size_t order_bytes(int round)
{
    static const size_t some[] = {8, 16, 1, 4096, 300000, 56, 0, 70000};
    return some[round % 8];
}

/* A put, and without waiting for its end a flag or a signal that tells of it. */
static inline void begin_round(member *me, hy_ep *ep, uint8_t *data, int round)
{
    uint64_t words[3] = {(uint64_t)round + 1, (uint64_t)round + 2, (uint64_t)round + 3};
    hy_path_op put = {
        .kind = HY_OP_PUT, .remote = ORDER_DATA_AT, .local = data, .len = order_bytes(round)};
    hy_path_op tell = {.kind = round % 2 ? HY_OP_FLAG : HY_OP_SIGNAL,
                       .remote = ORDER_FLAG_AT,
                       .local = words,
                       .len = sizeof words,
                       .operand = (uint64_t)round};
    fill(data, put.len, (uint64_t)round);
    int putting = hy_op_begin(ep->ops, ep, &put);
    drive(me, ep, &put, putting, false);
    int telling = hy_op_begin(ep->ops, ep, &tell);
    drive(me, ep, &tell, telling, true);
    if (putting == HAYATE_IN_PROGRESS) drive(me, ep, &put, hy_op_test(ep->ops, ep, &put), true);
    memset(data, 0xee, put.len); /* it belongs to the caller again */
}

static void begin_in_order(member *me)
{
    static uint8_t data[300000];
    hy_ep *ep = &me->eps[1 - me->rank];
    const hy_flag *flag = (const hy_flag *)(const void *)(me->part + ORDER_FLAG_AT);
    for (int round = 1; round <= ORDER_ROUNDS; round++) {
        if (me->rank == 0) {
            begin_round(me, ep, data, round);
            await(me, ORDER_BACK_AT, (uint64_t)round);
        } else {
            await(me, ORDER_FLAG_AT, (uint64_t)round);
            CHECK(holds(me->part + ORDER_DATA_AT, order_bytes(round), (uint64_t)round));
            CHECK(flag->data[0] == (uint64_t)round + 1 && flag->data[2] == (uint64_t)round + 3);
            put_flag(ep, ORDER_BACK_AT, (uint64_t)round);
        }
    }
    CHECK_OK(ep->ops->flush(ep));
}

#endif
