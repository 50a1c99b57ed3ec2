/* SPDX-License-Identifier: Apache-2.0 */
/* The proof: every algorithm for every process count up to 64. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/status.h"
#include "sched/schedule.h"
#include "sched/verify.h"

#define MAX_RANKS 64

static long proofs;

static void prove(const hy_algorithm *algorithm, int size, int root, uint64_t elements,
                  uint32_t unit, int rounds)
{
    const hy_shape shape = {.coll = algorithm->coll,
                            .size = size,
                            .root = root,
                            .bytes = elements * unit,
                            .unit = unit};
    if (!algorithm->applies(&shape)) return;
    if (hy_verify(&algorithm, &shape, 1, rounds) != HAYATE_OK) fail_msg("%s", hayate_error());
    proofs++;
}

static bool has_root(hy_coll coll)
{
    return coll == HY_COLL_BCAST || coll == HY_COLL_REDUCE;
}

/* Small elements, fewer, as many and more than ranks. */
static void prove_short(const hy_algorithm *algorithm, int size, int root)
{
    const uint64_t ranks = (uint64_t)size;
    const uint64_t elements[] = {1, ranks - 1, 2 * ranks + 1, ranks, 0};
    const size_t kinds = size <= 32 ? 5 : 3;
    for (size_t i = 0; i < kinds; i++) prove(algorithm, size, root, elements[i], 8, 2);
}

/* Several payload pieces: elements that do not fill a piece, more pieces than the channel's depth,
 * several blocks of a slice. The second round is left to the short ones when ranks are many. */
static void prove_long(const hy_algorithm *algorithm, int size, int root)
{
    int rounds = size <= 16 ? 2 : 1;
    uint64_t pieces = size <= 16 ? 2 * HY_SCHED_DEPTH + 3 : HY_SCHED_DEPTH + 2;
    prove(algorithm, size, root, 13, 1000, rounds);
    prove(algorithm, size, root, pieces, 4096, rounds);
    prove(algorithm, size, root, 2 * (uint64_t)size + 1, 20000, rounds);
}

/* Every root of few ranks; the first, one inside and the last of many. */
static void prove_roots(const hy_algorithm *algorithm, int size)
{
    if (algorithm->coll == HY_COLL_BARRIER) {
        prove(algorithm, size, 0, 0, 1, 3);
        return;
    }
    for (int root = 0; root < (has_root(algorithm->coll) ? size : 1); root++) {
        if (size > 12 && root != 0 && root != size / 2 - 1 && root != size - 1) continue;
        prove_short(algorithm, size, root);
        if (root == 0 || (root == size / 2 - 1 && size < 32)) prove_long(algorithm, size, root);
    }
}

static void prove_collective(hy_coll coll)
{
    proofs = 0;
    for (const hy_algorithm *const *a = hy_algorithms; *a; a++)
        for (int size = 1; (*a)->coll == coll && size <= MAX_RANKS; size++) prove_roots(*a, size);
    assert_true(proofs >= 2 * MAX_RANKS); /* two algorithms at least */
}

static void should_prove_every_barrier_up_to_64_ranks(void **state)
{
    (void)state;
    prove_collective(HY_COLL_BARRIER);
}

static void should_prove_every_bcast_up_to_64_ranks(void **state)
{
    (void)state;
    prove_collective(HY_COLL_BCAST);
}

static void should_prove_every_reduce_up_to_64_ranks(void **state)
{
    (void)state;
    prove_collective(HY_COLL_REDUCE);
}

static void should_prove_every_allreduce_up_to_64_ranks(void **state)
{
    (void)state;
    prove_collective(HY_COLL_ALLREDUCE);
}

/* Every algorithm directly after every other, without a barrier between, on the same memory. */
static void prove_sequence(int size, uint64_t elements, uint32_t unit)
{
    const hy_algorithm *algorithms[256];
    hy_shape shapes[256];
    int n = 0;
    for (const hy_algorithm *const *a = hy_algorithms; *a; a++)
        for (const hy_algorithm *const *b = hy_algorithms; *b; b++) {
            const hy_shape first = {.coll = (*a)->coll,
                                    .size = size,
                                    .root = n % size,
                                    .bytes = elements * unit,
                                    .unit = unit};
            hy_shape second = first;
            second.coll = (*b)->coll;
            second.root = (n / 2 + 1) % size;
            if (!(*a)->applies(&first) || !(*b)->applies(&second) || n + 2 > 256) continue;
            algorithms[n] = *a;
            shapes[n++] = first;
            algorithms[n] = *b;
            shapes[n++] = second;
        }
    assert_true(n > 2);
    if (hy_verify(algorithms, shapes, n, 1) != HAYATE_OK) fail_msg("%s", hayate_error());
}

static void should_prove_every_algorithm_after_every_other(void **state)
{
    (void)state;
    for (int size = 1; size <= 9; size++) {
        prove_sequence(size, 2 * (uint64_t)size + 1, 8);
        prove_sequence(size, 5, 4096);
    }
    prove_sequence(23, 24, 8);
    prove_sequence(64, 65, 16);
}

static void should_prove_rounds_of_collectives_of_different_sizes(void **state)
{
    (void)state;
    const struct {
        hy_coll coll;
        const char *name;
        uint64_t bytes;
        uint32_t unit;
    } steps[] = {
        {HY_COLL_ALLREDUCE, "slices", 1600, 16}, {HY_COLL_BCAST, "flat", 800, 8},
        {HY_COLL_BARRIER, "flat", 0, 1},         {HY_COLL_REDUCE, "slices", 2400, 24},
        {HY_COLL_BCAST, "scatter_get", 400, 8},  {HY_COLL_ALLREDUCE, "exchange", 80, 8},
        {HY_COLL_REDUCE, "binomial", 800, 16},   {HY_COLL_BCAST, "flat_get", 2400, 8},
    };
    enum { N = sizeof steps / sizeof *steps };
    for (int size = 3; size <= 12; size++) {
        const hy_algorithm *algorithms[N];
        hy_shape shapes[N];
        for (int i = 0; i < N; i++) {
            algorithms[i] = hy_algorithm_find(steps[i].coll, steps[i].name);
            assert_non_null(algorithms[i]);
            shapes[i] = (hy_shape){.coll = steps[i].coll,
                                   .size = size,
                                   .root = i % size,
                                   .bytes = steps[i].bytes,
                                   .unit = steps[i].unit};
        }
        if (hy_verify(algorithms, shapes, N, 4) != HAYATE_OK) fail_msg("%s", hayate_error());
    }
}

static void should_refuse_what_it_cannot_verify(void **state)
{
    (void)state;
    const hy_algorithm *algorithm = hy_algorithm_find(HY_COLL_BCAST, "flat");
    hy_shape shape = {.coll = HY_COLL_BCAST, .size = 65, .bytes = 8, .unit = 8};
    assert_int_equal(hy_verify(&algorithm, &shape, 1, 1), HAYATE_ERR_ARGUMENT);
    shape.size = 4;
    shape.bytes = 9;
    assert_int_equal(hy_verify(&algorithm, &shape, 1, 1), HAYATE_ERR_ARGUMENT);
    shape.bytes = 8;
    assert_int_equal(hy_verify(&algorithm, &shape, 1, 0), HAYATE_ERR_ARGUMENT);
    algorithm = hy_algorithm_find(HY_COLL_BARRIER, "flat");
    assert_int_equal(hy_verify(&algorithm, &shape, 1, 1), HAYATE_ERR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_prove_every_barrier_up_to_64_ranks),
        cmocka_unit_test(should_prove_every_bcast_up_to_64_ranks),
        cmocka_unit_test(should_prove_every_reduce_up_to_64_ranks),
        cmocka_unit_test(should_prove_every_allreduce_up_to_64_ranks),
        cmocka_unit_test(should_prove_every_algorithm_after_every_other),
        cmocka_unit_test(should_prove_rounds_of_collectives_of_different_sizes),
        cmocka_unit_test(should_refuse_what_it_cannot_verify),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
