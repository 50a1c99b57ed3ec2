/* SPDX-License-Identifier: Apache-2.0 */
/* slow */
/* The proof: every algorithm in every way that it claims, wired and not, for every process count up
 * to 64. Few ranks see every size, root, segment and arity; of what is left of that, many ranks see
 * another part for each count, so that all of it comes up and the proof stays short. The plain
 * build proves; ASan looks at the verifier and the builders, with fewer counts. */
#include <string.h>

#include "base/test.h"
#include "base/level_fixture.h"
#include "base/status.h"
#include "sched/schedule.h"
#include "sched/verify.h"
#include "uneven_fixture.h"

#define WAYS 6

#ifdef __SANITIZE_ADDRESS__
#define FEW_RANKS 5
#define STRIDE 19
#else
#define FEW_RANKS 8
#define STRIDE (level_is_long() ? 1 : 4) /* else each way takes every fourth number of ranks */
#endif

/* Rounds after which a BOX has been used again, twice. */
#define MANY_ROUNDS (HY_WIRED_DEPTH + 2)

typedef struct claim {
    const hy_algorithm *algorithm;
    hy_way way;
    hy_shape shape;
    int turn; /* which part is looked at, when not everything is */
} claim;

static long proofs;

static void fail_claim(const claim *c)
{
    char way[96];
    hy_way_text(c->algorithm, &c->way, way, sizeof way);
    fail_msg("%s %s %s on %d ranks: %s", hy_coll_name(c->algorithm->coll), c->algorithm->name, way,
             c->shape.size, hayate_error());
}

static bool is_possible(const claim *c, const hy_shape *shape)
{
    return c->algorithm->applies(shape) &&
           (hy_way_possible(c->algorithm, shape) & hy_way_bit(&c->way));
}

/* The own block may be where it belongs already. */
static bool has_own_place(hy_coll coll)
{
    return hy_coll_has_blocks(coll) && coll != HY_COLL_ALLTOALL;
}

static hy_shape even_shape(void *context, int collective, int rank)
{
    (void)collective;
    hy_shape shape = *(const hy_shape *)context;
    shape.rank = rank;
    return shape;
}

static void prove(const claim *c, uint64_t elements, uint32_t unit, int rounds)
{
    hy_shape shape = c->shape;
    shape.bytes = elements * unit;
    shape.unit = unit;
    if (!is_possible(c, &shape)) return;
    if (hy_verify(&c->algorithm, &shape, &c->way, 1, rounds) != HAYATE_OK) fail_claim(c);
    proofs++;
    if (!has_own_place(shape.coll) || shape.size > 2 * FEW_RANKS) return;
    if (hy_verify_in_place(&c->algorithm, even_shape, &shape, &c->way, 1, rounds) != HAYATE_OK)
        fail_claim(c);
}

static bool has_blocks(const claim *c)
{
    return hy_coll_has_blocks(c->shape.coll);
}

/* Small elements, fewer, as many and more than ranks. */
static void prove_short(const claim *c)
{
    const uint64_t ranks = (uint64_t)c->shape.size;
    const bool few = ranks <= FEW_RANKS, large = has_blocks(c) && ranks > 2 * FEW_RANKS;
    const uint64_t elements[] = {ranks - 1, 2 * ranks + 1, ranks, 0, 3, 2};
    prove(c, 1, 8, few || c->shape.wired || c->shape.boxes ? MANY_ROUNDS : 2);
    if (few)
        for (int i = 0; i < 4; i++) prove(c, elements[i], 8, 2);
    else prove(c, elements[large ? 4 + c->turn % 2 : c->turn % 3], 8, 2);
}

/* Several payload pieces: elements that do not fill a piece, more pieces than signals may be on
 * their way, several blocks of a slice. */
static void prove_long(const claim *c)
{
    const uint64_t ranks = (uint64_t)c->shape.size;
    const bool few = ranks <= FEW_RANKS;
    if (!few && ranks % 16 > 1) return;
    prove(c, 13, 1000, few ? 2 : 1);
    prove(c, few ? 2 * HY_SCHED_DEPTH + 3 : HY_SCHED_DEPTH + 2, 4096, few ? 2 : 1);
    if (few || !has_blocks(c)) prove(c, 2 * ranks + 1, 20000, 1);
}

static void prove_segment(const claim *c, uint64_t segment, uint64_t elements, uint32_t unit)
{
    claim cut = *c;
    cut.way.segment = segment;
    prove(&cut, elements, unit, 2);
}

static void prove_segments(const claim *c)
{
    static const struct {
        uint64_t segment, elements;
        uint32_t unit;
    } cuts[] = {{8, 37, 8},      {24, 23, 8},      {1, 5, 1000},        {5000, 23, 1000},
                {8192, 7, 4096}, {8193, 18, 1024}, {3 * 4096, 12, 4096}};
    const int kinds = sizeof cuts / sizeof cuts[0];
    bool few = c->shape.size <= FEW_RANKS;
    if (!(c->algorithm->traits & HY_TRAIT_SEGMENTS) || c->way.sync == HY_SYNC_BARRIER) return;
    for (int i = 0; i < kinds; i++)
        if (few || i == c->turn % kinds)
            prove_segment(c, cuts[i].segment, cuts[i].elements, cuts[i].unit);
}

/* ---- uneven blocks ---- */

static void prove_uneven(const claim *c)
{
    static world w;
    bool few = c->shape.size <= FEW_RANKS;
    int seeds = few ? LONG_SEED + 1 : LONG_SEED, kinds = few ? seeds : 1;
    if (!has_blocks(c) || !(c->algorithm->traits & HY_TRAIT_UNEVEN)) return;
    for (int i = 0; i < kinds; i++) {
        int seed = (c->turn + i) % seeds;
        w.shape = c->shape;
        w.shape.unit = seed == LONG_SEED ? 1500 : 8; /* more pieces than signals of a pair */
        make_world(&w, seed);
        hy_shape shape = uneven_shape(&w, 0, 0);
        if (!is_possible(c, &shape)) continue;
        int rounds = few ? MANY_ROUNDS : 2;
        if (hy_verify_each(&c->algorithm, uneven_shape, &w, &c->way, 1, rounds) != HAYATE_OK)
            fail_claim(c);
        if (has_own_place(shape.coll) && few &&
            hy_verify_in_place(&c->algorithm, uneven_shape, &w, &c->way, 1, rounds) != HAYATE_OK)
            fail_claim(c);
        proofs++;
    }
}

/* ---- all there is ---- */

static void prove_claim(const claim *c)
{
    if (c->shape.coll == HY_COLL_BARRIER) {
        prove(c, 0, 1, MANY_ROUNDS);
        return;
    }
    prove_short(c);
    prove_segments(c);
    prove_uneven(c);
    if (c->shape.root == 0) prove_long(c);
}

/* Every root and arity of few ranks; one of them, another for each count, of many. */
static void prove_size(claim c, int size)
{
    bool few = size <= FEW_RANKS, trees = c.algorithm->traits & HY_TRAIT_ARITY;
    c.shape.size = size, c.turn += size;
    for (int root = 0; root < (hy_coll_has_root(c.shape.coll) ? size : 1); root++) {
        if (!few && root != c.turn * 5 % size) continue;
        for (int arity = 2; arity <= (trees ? 4 : 2); arity++) {
            if (!few && trees && arity != 2 + c.turn % 3) continue;
            c.shape.root = root;
            c.way.arity = (uint8_t)arity;
            prove_claim(&c);
        }
    }
    if (!few && hy_coll_has_root(c.shape.coll) && size % 16 < 2) {
        c.shape.root = 0;
        prove_long(&c);
    }
}

/* Of ordinary collectives, long enough for all that is proved. */
#define BOXES (1 << 30)

/* What is claimed must come up. */
static void prove_way(const hy_algorithm *algorithm, uint32_t index, hy_shape shape)
{
    claim c = {.algorithm = algorithm, .turn = (int)index, .shape = shape};
    c.shape.coll = algorithm->coll;
    if (!hy_way_at(index, &c.way) || !(algorithm->ways >> index & 1)) return;
    if (!shape.wired && (HY_WAYS_WIRED >> index & 1)) return;
    if (shape.boxes && hy_way_bit(&c.way) != HY_WAY_GET_PREPARED) return;
    if (shape.boxes && (algorithm->traits & HY_TRAIT_LARGE_BOX)) return;
    if (!shape.wired && !shape.boxes && hy_way_bit(&c.way) == HY_WAY_GET_PREPARED) return;
    c.way.segment = HY_SEGMENT_NONE;
    proofs = 0;
    for (int size = 1; size <= FEW_RANKS; size++) prove_size(c, size);
    for (int size = FEW_RANKS + 1 + (int)index % STRIDE; size <= MAX_RANKS; size += STRIDE)
        prove_size(c, size);
    if (proofs < FEW_RANKS / 2)
        fail_msg("%s: way %u was proved %ld times only", algorithm->name, index, proofs);
}

static void prove_collective(hy_coll coll)
{
    int algorithms = 0;
    for (const hy_algorithm *const *a = hy_algorithms; *a; a++) {
        if ((*a)->coll != coll || ((*a)->traits & HY_TRAIT_PARTS)) continue; /* parts_test */
        algorithms++;
        for (uint32_t i = 0; i < WAYS; i++) {
            prove_way(*a, i, (hy_shape){0});
            prove_way(*a, i, (hy_shape){.boxes = BOXES});
            prove_way(*a, i, (hy_shape){.wired = true});
        }
    }
    assert_true(algorithms >= 2);
}

TEST(should_prove_every_barrier_up_to_64_ranks)
{
    prove_collective(HY_COLL_BARRIER);
}

TEST(should_prove_every_bcast_up_to_64_ranks)
{
    prove_collective(HY_COLL_BCAST);
}

TEST(should_prove_every_reduce_up_to_64_ranks)
{
    prove_collective(HY_COLL_REDUCE);
}

TEST(should_prove_every_allreduce_up_to_64_ranks)
{
    prove_collective(HY_COLL_ALLREDUCE);
}

TEST(should_prove_every_gather_up_to_64_ranks)
{
    prove_collective(HY_COLL_GATHER);
}

TEST(should_prove_every_scatter_up_to_64_ranks)
{
    prove_collective(HY_COLL_SCATTER);
}

TEST(should_prove_every_allgather_up_to_64_ranks)
{
    prove_collective(HY_COLL_ALLGATHER);
}

TEST(should_prove_every_alltoall_up_to_64_ranks)
{
    prove_collective(HY_COLL_ALLTOALL);
}

TEST(should_prove_every_reduce_scatter_up_to_64_ranks)
{
    prove_collective(HY_COLL_REDUCE_SCATTER);
}

TEST(should_prove_every_scan_up_to_64_ranks)
{
    prove_collective(HY_COLL_SCAN);
    prove_collective(HY_COLL_EXSCAN);
}

/* ---- sequences ---- */

#define LONGEST 4096

static const hy_algorithm *algorithms[LONGEST];
static hy_shape shapes[LONGEST];
static hy_way ways[LONGEST];

enum { ORDINARY, WIRED, MIXED };

/* Appends an algorithm in the next of its ways, if it can do that. */
static int append(int n, const hy_algorithm *algorithm, hy_shape shape, int turn)
{
    hy_way way = {.arity = 3};
    shape.coll = algorithm->coll;
    if (n == LONGEST || !algorithm->applies(&shape)) return n;
    uint32_t possible = hy_way_possible(algorithm, &shape);
    for (uint32_t i = 0; possible && i < WAYS; i++) {
        uint32_t index = (i + (uint32_t)turn) % WAYS;
        if (!(possible >> index & 1)) continue;
        hy_way_at(index, &way);
        algorithms[n] = algorithm;
        shapes[n] = shape;
        ways[n++] = way;
        break;
    }
    return n;
}

static void prove_sequence(int n, int rounds)
{
    assert_true(n > 2);
    assert_ok(hy_verify(algorithms, shapes, ways, n, rounds));
}

/* Every algorithm directly after every other, without a barrier between, on the same memory. */
static void prove_pairs(int size, uint64_t elements, uint32_t unit, int kind)
{
    int n = 0, turn = size;
    for (const hy_algorithm *const *a = hy_algorithms; *a; a++)
        for (const hy_algorithm *const *b = hy_algorithms; *b; b++, turn++) {
            hy_shape shape = {.size = size, .bytes = elements * unit, .unit = unit};
            shape.boxes = turn % 3 ? 0 : BOXES;
            shape.wired = kind == WIRED || (kind == MIXED && turn % 2);
            shape.root = turn % size;
            n = append(n, *a, shape, turn);
            shape.wired = kind == WIRED || (kind == MIXED && turn % 4 < 2);
            shape.root = (turn / 2 + 1) % size;
            n = append(n, *b, shape, turn / WAYS);
        }
    prove_sequence(n, 1);
}

TEST(should_prove_every_algorithm_after_every_other)
{
    for (int size = 1; size <= FEW_RANKS + 1; size++) {
        prove_pairs(size, 2 * (uint64_t)size + 1, 8, size % 3);
        prove_pairs(size, 5, 4096, (size + 1) % 3);
    }
    prove_pairs(8, 3, 8, WIRED);
}

/* Everything once, by many ranks. */
TEST(should_prove_a_sequence_of_all_algorithms_of_many_ranks)
{
    const int sizes[] = {23, 32, 64};
    for (int i = 0; i < 3; i++)
        for (int kind = ORDINARY; kind <= MIXED; kind++) {
            int n = 0;
            for (const hy_algorithm *const *a = hy_algorithms; *a; a++) {
                hy_shape shape = {.size = sizes[i], .root = n % sizes[i], .bytes = 48, .unit = 16};
                shape.boxes = n % 3 ? 0 : BOXES;
                shape.wired = kind == WIRED || (kind == MIXED && n % 2);
                n = append(n, *a, shape, n + i);
            }
            prove_sequence(n, 2);
        }
}

TEST(should_prove_rounds_of_collectives_of_different_sizes)
{
    const struct {
        hy_coll coll;
        const char *name;
        uint64_t bytes;
        uint32_t unit;
        bool wired;
    } steps[] = {
        {HY_COLL_ALLREDUCE, "slices", 1600, 16, false},
        {HY_COLL_BCAST, "linear", 800, 8, true},
        {HY_COLL_BARRIER, "flat", 0, 1, true},
        {HY_COLL_REDUCE, "slices", 2400, 24, true},
        {HY_COLL_ALLGATHER, "ring", 240, 24, false},
        {HY_COLL_BCAST, "scatter_allgather", 400, 8, false},
        {HY_COLL_ALLREDUCE, "exchange", 80, 8, true},
        {HY_COLL_REDUCE, "binomial", 800, 16, false},
        {HY_COLL_ALLTOALL, "pairwise", 48, 8, true},
    };
    enum { N = sizeof steps / sizeof *steps };
    for (int size = 3; size <= 12; size++) {
        int n = 0;
        for (int i = 0; i < N; i++) {
            const hy_algorithm *algorithm = hy_algorithm_find(steps[i].coll, steps[i].name);
            assert_non_null(algorithm);
            const hy_shape shape = {.size = size,
                                    .root = i % size,
                                    .bytes = steps[i].bytes,
                                    .unit = steps[i].unit,
                                    .wired = steps[i].wired};
            n = append(n, algorithm, shape, size + i);
        }
        prove_sequence(n, MANY_ROUNDS);
    }
}

/* ---- what is refused ---- */

static int verify_one(hy_coll coll, const char *name, const hy_shape *shape, int rounds)
{
    const hy_algorithm *algorithm = hy_algorithm_find(coll, name);
    assert_non_null(algorithm);
    return hy_verify(&algorithm, shape, NULL, 1, rounds);
}

TEST(should_refuse_what_it_cannot_verify)
{
    hy_shape shape = {.coll = HY_COLL_BCAST, .size = 65, .bytes = 8, .unit = 8};
    assert_code(verify_one(HY_COLL_BCAST, "linear", &shape, 1), HAYATE_ERR_ARGUMENT);
    shape.size = 4;
    shape.bytes = 9;
    assert_code(verify_one(HY_COLL_BCAST, "linear", &shape, 1), HAYATE_ERR_ARGUMENT);
    shape.bytes = 8;
    assert_code(verify_one(HY_COLL_BCAST, "linear", &shape, 0), HAYATE_ERR_ARGUMENT);
    assert_code(verify_one(HY_COLL_BARRIER, "flat", &shape, 1), HAYATE_ERR_ARGUMENT);
    assert_ok(verify_one(HY_COLL_BCAST, "linear", &shape, 1));
    shape.bytes = UINT64_C(1) << 40;
    assert_code(verify_one(HY_COLL_BCAST, "linear", &shape, 1), HAYATE_ERR_ARGUMENT);
}

TEST(should_refuse_blocks_that_do_not_fit_together)
{
    static world w = {.shape = {.coll = HY_COLL_ALLTOALL, .size = 4, .unit = 8}};
    const hy_algorithm *algorithm = hy_algorithm_find(HY_COLL_ALLTOALL, "linear");
    make_world(&w, 1);
    w.in[2][1].len += 8;
    assert_refused(hy_verify_each(&algorithm, uneven_shape, &w, NULL, 1, 1), HAYATE_ERR_ARGUMENT,
                   "rank 2, a block is not as long as its receiver says");
    w.in[2][1].len -= 8;
    assert_ok(hy_verify_each(&algorithm, uneven_shape, &w, NULL, 1, 1));
}

int main(void)
{
    return tests_run();
}
