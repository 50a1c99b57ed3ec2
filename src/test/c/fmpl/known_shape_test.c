/* SPDX-License-Identifier: Apache-2.0 */
/* Collectives whose shape is known from an earlier call: only their memory is checked then, if it
 * is not that of the last call, and it must be. */
#include "fmpl/members_fixture.h"

#include <string.h>

#include "coll/collective.h"

#define COUNT 4

static int64_t in[RANKS][COUNT + 1], out[RANKS][RANKS * COUNT + 1];
static int64_t gathered[RANKS * COUNT]; /* of the root */

static hy_arguments call_of(hy_coll coll, int rank)
{
    return (hy_arguments){.coll = coll,
                          .in = {.address = (uint8_t *)in[rank]},
                          .out = {.address = (uint8_t *)out[rank]},
                          .count = coll == HY_COLL_SCAN ? COUNT : COUNT * (int)sizeof(int64_t),
                          .op = FMPL_LONG_SUM,
                          .in_limit = -1,
                          .out_limit = -1};
}

static int call(const hy_arguments *arguments, int rank)
{
    return hy_collective_two_sided(members[rank].fmpl->comms, FMPL_COMM_WORLD, arguments, 0);
}

static void *run_one(void *argument)
{
    member *m = argument;
    const hy_arguments gather = call_of(HY_COLL_GATHER, m->rank);
    const hy_arguments scan = call_of(HY_COLL_SCAN, m->rank);
    m->rc = call(&gather, m->rank);
    if (m->rank == 0) memcpy(gathered, out[0], sizeof gathered);
    if (!m->rc) m->rc = call(&scan, m->rank);
    return NULL;
}

/* A gather and a scan of all ranks succeed, with the right results. */
static void must_work(int64_t start)
{
    for (int i = 0; i < RANKS * COUNT; i++) in[i / COUNT][i % COUNT] = start + i;
    for (int i = 0; i < RANKS; i++) pthread_create(&members[i].thread, NULL, run_one, &members[i]);
    for (int i = 0; i < RANKS; i++) pthread_join(members[i].thread, NULL);
    for (int i = 0; i < RANKS; i++) assert_ok(members[i].rc);
    for (int i = 0; i < COUNT; i++) assert_int_equal(out[1][i], in[0][i] + in[1][i]);
    for (int i = 0; i < RANKS * COUNT; i++) assert_int_equal(gathered[i], start + i);
}

static void must_be_refused(const hy_arguments *arguments)
{
    assert_code(call(arguments, 0), HAYATE_ERR_ARGUMENT);
}

TEST(should_refuse_bad_memory_of_a_known_shape_and_go_on)
{
    must_work(100);
    for (int kind = 0; kind < 2; kind++) {
        const hy_arguments good = call_of(kind ? HY_COLL_SCAN : HY_COLL_GATHER, 0);
        hy_arguments bad = good;
        bad.in.address = NULL;
        must_be_refused(&bad);
        bad = good;
        bad.out.address = NULL;
        must_be_refused(&bad);
        bad = good;
        bad.out_limit = COUNT * (int64_t)sizeof(int64_t) - 1;
        must_be_refused(&bad);
        bad = good;
        bad.in.address = bad.out.address + sizeof(int64_t);
        must_be_refused(&bad);
    }
    hy_arguments crooked = call_of(HY_COLL_SCAN, 0);
    crooked.in.address++;
    must_be_refused(&crooked);
    must_work(200);
}

TEST(should_refuse_numbers_that_wrap_to_a_known_shape)
{
    must_work(300);
    hy_arguments bad = call_of(HY_COLL_SCAN, 0);
    bad.count = COUNT + (INT64_C(1) << 61); /* times 8 bytes: as COUNT in 64 bits */
    must_be_refused(&bad);
    bad.count = -COUNT;
    must_be_refused(&bad);
    bad = call_of(HY_COLL_GATHER, 0);
    bad.root = RANKS;
    must_be_refused(&bad);
    must_work(400);
}

/* ---- on one buffer ---- */

static int64_t sums[2][RANKS][COUNT + 1];

static hy_collective_call sum_of(int which, int rank)
{
    return (hy_collective_call){.coll = HY_COLL_ALLREDUCE,
                                .buffer = {.address = (uint8_t *)sums[which][rank]},
                                .count = COUNT,
                                .op = FMPL_LONG_SUM};
}

/* Now one buffer, now the other. */
static void *sum_often(void *argument)
{
    member *m = argument;
    for (int turn = 0; turn < 20 && !m->rc; turn++) {
        int which = turn / 2 % 2;
        hy_collective_call sum = sum_of(which, m->rank);
        for (int i = 0; i < COUNT; i++) sums[which][m->rank][i] = turn * 10 + i + m->rank;
        m->rc = hy_collective(m->fmpl->comms, FMPL_COMM_WORLD, &sum, false);
        for (int i = 0; i < COUNT; i++)
            if (sums[which][m->rank][i] != 2 * (turn * 10 + i) + 1) m->rc = HAYATE_ERR_CORRUPT;
    }
    return NULL;
}

static void must_sum(void)
{
    for (int i = 0; i < RANKS; i++)
        pthread_create(&members[i].thread, NULL, sum_often, &members[i]);
    for (int i = 0; i < RANKS; i++) pthread_join(members[i].thread, NULL);
    for (int i = 0; i < RANKS; i++) assert_ok(members[i].rc);
}

static void sum_must_be_refused(const hy_collective_call *sum)
{
    assert_code(hy_collective(members[0].fmpl->comms, FMPL_COMM_WORLD, sum, false),
                HAYATE_ERR_ARGUMENT);
}

TEST(should_check_a_buffer_again_when_anything_of_it_has_changed)
{
    must_sum();
    hy_collective_call bad = sum_of(1, 0); /* the one that was used last */
    bad.work = bad.buffer.address + sizeof(int64_t);
    sum_must_be_refused(&bad);
    bad = sum_of(1, 0);
    bad.buffer.address++;
    sum_must_be_refused(&bad);
    bad.buffer.address = NULL;
    sum_must_be_refused(&bad);
    bad = sum_of(1, 0);
    bad.count = COUNT + (INT64_C(1) << 61);
    sum_must_be_refused(&bad);
    must_sum();
}

/* ---- repeated calls: the last run is taken once more as it is ---- */

static void on_both(void *(*run)(void *))
{
    for (int i = 0; i < RANKS; i++) pthread_create(&members[i].thread, NULL, run, &members[i]);
    for (int i = 0; i < RANKS; i++) pthread_join(members[i].thread, NULL);
    for (int i = 0; i < RANKS; i++) assert_ok(members[i].rc);
}

static void *gather_twice(void *argument)
{
    member *m = argument;
    const hy_arguments gather = call_of(HY_COLL_GATHER, m->rank);
    m->rc = call(&gather, m->rank);
    if (!m->rc) m->rc = call(&gather, m->rank);
    return NULL;
}

static void no_read(void *handle, uint64_t offset, void *to, size_t len)
{
    (void)handle, (void)offset;
    memset(to, 0, len);
}

/* It gives up when IN has been placed, and OUT gets no shadow. */
TEST(should_find_its_memory_after_a_call_that_was_given_up)
{
    static uint8_t other[4 << 20];
    const hy_managed_ops ops = {.read = no_read};
    hy_arguments large = call_of(HY_COLL_GATHER, 0);
    for (int i = 0; i < RANKS * COUNT; i++) in[i / COUNT][i % COUNT] = 500 + i;
    on_both(gather_twice);
    memset(other, 0xff, sizeof other);
    large.in.address = other;
    large.out = (hy_buffer){.managed = &ops};
    large.count = sizeof other;
    assert_code(call(&large, 0), HAYATE_ERR_NO_MEMORY);
    memset(out[0], 0, sizeof out[0]);
    on_both(gather_twice);
    for (int i = 0; i < RANKS * COUNT; i++) assert_int_equal(out[0][i], 500 + i);
}

static void *gather_uneven(void *argument)
{
    static const int64_t sizes[RANKS] = {8, 16};
    member *m = argument;
    hy_arguments gather = call_of(HY_COLL_GATHER, m->rank);
    gather.uneven = true;
    gather.count = sizes[m->rank];
    gather.in_sizes = gather.out_sizes = sizes;
    m->rc = call(&gather, m->rank);
    return NULL;
}

static void *gather_one(void *argument)
{
    member *m = argument;
    hy_arguments gather = call_of(HY_COLL_GATHER, m->rank);
    gather.count = 8; /* as rank 0 has passed before */
    m->rc = call(&gather, m->rank);
    return NULL;
}

TEST(should_not_take_an_uneven_call_for_an_even_one)
{
    on_both(gather_uneven);
    memset(out[0], 0, sizeof out[0]);
    on_both(gather_one);
    assert_int_equal(out[0][0], in[0][0]);
    assert_int_equal(out[0][1], in[1][0]);
    assert_int_equal(out[0][2], 0);
}

static void add(void *inout, const void *from, size_t count, void *context)
{
    (void)context;
    for (size_t i = 0; i < count; i++) ((int64_t *)inout)[i] += ((const int64_t *)from)[i];
}

static void multiply(void *inout, const void *from, size_t count, void *context)
{
    (void)context;
    for (size_t i = 0; i < count; i++) ((int64_t *)inout)[i] *= ((const int64_t *)from)[i];
}

static hy_reduce own;

static void *fold_by_own(void *argument)
{
    member *m = argument;
    hy_collective_call fold = sum_of(0, m->rank);
    hy_comms *comms = m->fmpl->comms;
    m->rc = hy_function_create(comms, own, sizeof(int64_t), NULL, &fold.op);
    for (int turn = 0; turn < 2 && !m->rc; turn++) {
        for (int i = 0; i < COUNT; i++) sums[0][m->rank][i] = 3;
        m->rc = hy_collective(comms, FMPL_COMM_WORLD, &fold, false);
    }
    if (!m->rc) m->rc = hy_function_free(comms, fold.op, NULL);
    return NULL;
}

/* It gets the number of the one before. */
TEST(should_use_the_function_that_is_there_now)
{
    own = add;
    on_both(fold_by_own);
    assert_int_equal(sums[0][1][COUNT - 1], 6);
    own = multiply;
    on_both(fold_by_own);
    assert_int_equal(sums[0][1][COUNT - 1], 9);
}

int main(void)
{
    return tests_run_in(members_set_up, members_tear_down);
}
