/* SPDX-License-Identifier: Apache-2.0 */
/* slow */
/* The proof of two levels: every algorithm in every way at every level, wired and not, on every map
 * of nodes, for every process count up to 64. Few ranks see all of it; many see another part for
 * each count. The plain build proves; ASan looks at the verifier and the builders, with fewer
 * counts. */
#include <string.h>

#include "base/test.h"
#include "base/level_fixture.h"
#include "maps_fixture.h"
#include "sched/parts.h"
#include "sched/verify.h"
#include "uneven_fixture.h"

#define WAYS 6
#define MANY_ROUNDS (HY_WIRED_DEPTH + 2)

#ifdef __SANITIZE_ADDRESS__
#define FEW_RANKS 5
#define STRIDE 19
#define LEAST_PROOFS 100
#else
#define FEW_RANKS 8
#define STRIDE (level_is_long() ? 1 : 5)
#define LEAST_PROOFS (level_is_long() ? 300 : 100)
#endif

static long proofs;
static int turn;

static const hy_algorithm *two_level(hy_coll coll)
{
    const hy_algorithm *found = hy_algorithm_find(coll, "two_level");
    assert_non_null(found);
    return found;
}

static void fail_proof(const hy_shape *shape, const hy_way *way, int map)
{
    char text[300];
    hy_way_text(two_level(shape->coll), way, text, sizeof text);
    fail_msg("%s %s, map %d: %s", hy_coll_name(shape->coll), text, map, hayate_error());
}

static void prove(const hy_shape *shape, const hy_way *way, int map, int rounds)
{
    const hy_algorithm *algorithm = two_level(shape->coll);
    hy_way complete = *way;
    if (hy_way_complete(algorithm, shape, &complete)) return; /* not with so many bytes or ranks */
    if (hy_verify(&algorithm, shape, way, 1, rounds) != HAYATE_OK) fail_proof(shape, way, map);
    proofs++;
}

/* The leaders of an alltoall hold a block for each pair of ranks. */
static uint64_t fewer(const hy_shape *shape, uint64_t elements)
{
    return shape->coll == HY_COLL_ALLTOALL && elements > 5 ? 5 : elements;
}

/* Short data often; several payload pieces, slices and segments now and then. */
static void prove_lengths(hy_shape shape, hy_way way, int level, int map)
{
    bool few = shape.size <= FEW_RANKS;
    shape.unit = shape.coll == HY_COLL_BARRIER ? 1 : 8;
    shape.bytes = 8 * fewer(&shape, (uint64_t)(1 + turn % (2 * shape.size)));
    if (shape.coll == HY_COLL_BARRIER) shape.bytes = 0;
    prove(&shape, &way, map, few ? MANY_ROUNDS : 2);
    if (shape.coll == HY_COLL_BARRIER || (!few && turn % 16)) return;
    shape.unit = 1000;
    shape.bytes = 1000 * fewer(&shape, 13);
    prove(&shape, &way, map, 2);
    if (!(way.parts[level].algorithm->traits & HY_TRAIT_SEGMENTS)) return;
    way.parts[level].segment = 5000;
    prove(&shape, &way, map, 2);
}

static void prove_part(const hy_shape *shape, int level, const hy_algorithm *algorithm, int map)
{
    hy_way way = {0}, part = {0};
    const hy_shape largest = hy_part_largest(shape, level);
    for (uint32_t i = 0; hy_way_at(i, &part); i++, turn++) {
        if (!(hy_part_possible(algorithm, &largest, level) >> i & 1)) continue;
        if (shape->size > FEW_RANKS && turn % 8 != shape->size % 8) continue;
        part.arity = (uint8_t)(2 + turn % 3);
        part.segment = HY_SEGMENT_NONE;
        way.parts[level] = hy_part_of(algorithm, &part);
        prove_lengths(*shape, way, level, map);
    }
}

static void prove_shape(const hy_shape *shape, int map)
{
    hy_coll coll;
    for (int level = 0; level < HY_LEVELS; level++) {
        if (!hy_part_coll(shape->coll, level, &coll)) continue;
        for (const hy_algorithm *const *a = hy_algorithms; *a; a++)
            if ((*a)->coll == coll && !((*a)->traits & HY_TRAIT_PARTS))
                prove_part(shape, level, *a, map);
    }
}

static void prove_map(hy_shape shape, int map)
{
    hy_nodes *nodes = nodes_by(map, shape.size);
    shape.nodes = nodes;
    shape.unit = 8;
    if (nodes && nodes->largest > 1)
        for (int wired = 0; wired < 2; wired++) {
            shape.wired = wired;
            shape.root = hy_coll_has_root(shape.coll) ? (map + turn) % shape.size : 0;
            prove_shape(&shape, map);
        }
    hy_nodes_free(nodes);
}

static void prove_collective(hy_coll coll)
{
    proofs = 0;
    for (int size = 2; size <= MAX_RANKS; size += size < FEW_RANKS ? 1 : STRIDE)
        for (int map = 0; map < MAPS; map++) {
            if (size > FEW_RANKS && map != size % MAPS && map != (size / MAPS) % MAPS) continue;
            prove_map((hy_shape){.coll = coll, .size = size}, map);
        }
    assert_true(proofs > LEAST_PROOFS);
}

TEST(should_prove_every_barrier_of_two_levels)
{
    prove_collective(HY_COLL_BARRIER);
}

TEST(should_prove_every_bcast_of_two_levels)
{
    prove_collective(HY_COLL_BCAST);
}

TEST(should_prove_every_reduce_of_two_levels)
{
    prove_collective(HY_COLL_REDUCE);
}

TEST(should_prove_every_allreduce_of_two_levels)
{
    prove_collective(HY_COLL_ALLREDUCE);
}

TEST(should_prove_every_gather_of_two_levels)
{
    prove_collective(HY_COLL_GATHER);
}

TEST(should_prove_every_scatter_of_two_levels)
{
    prove_collective(HY_COLL_SCATTER);
}

TEST(should_prove_every_allgather_of_two_levels)
{
    prove_collective(HY_COLL_ALLGATHER);
}

TEST(should_prove_every_alltoall_of_two_levels)
{
    prove_collective(HY_COLL_ALLTOALL);
}

/* ---- blocks that are of unequal length, or in their place already ---- */

static void prove_uneven(world *w, hy_way way, int map)
{
    const hy_algorithm *algorithm = two_level(HY_COLL_ALLGATHER);
    const hy_shape shape = uneven_shape(w, 0, 0);
    if (hy_way_complete(algorithm, &shape, &way)) return;
    if (hy_verify_each(&algorithm, uneven_shape, w, &way, 1, 2) != HAYATE_OK ||
        hy_verify_in_place(&algorithm, uneven_shape, w, &way, 1, 2) != HAYATE_OK)
        fail_proof(&shape, &way, map);
    proofs++;
}

/* Every algorithm that can, in every way, on each level. */
static void prove_uneven_parts(world *w, int map)
{
    hy_coll coll;
    for (int level = 0; level < HY_LEVELS; level++)
        for (const hy_algorithm *const *a = hy_algorithms; *a; a++) {
            hy_way part = {0}, way = {0};
            if (!hy_part_coll(HY_COLL_ALLGATHER, level, &coll) || (*a)->coll != coll) continue;
            for (uint32_t i = 0; hy_way_at(i, &part); i++, turn++) {
                if (w->shape.size > FEW_RANKS && turn % 8) continue;
                part.arity = 3;
                way.parts[level] = hy_part_of(*a, &part);
                prove_uneven(w, way, map);
            }
        }
}

TEST(should_prove_every_allgather_of_two_levels_of_uneven_blocks)
{
    static world w;
    proofs = 0;
    for (int size = 3; size <= MAX_RANKS; size += size < FEW_RANKS ? 1 : 6 + STRIDE)
        for (int map = 0; map < MAPS; map++) {
            hy_nodes *nodes = nodes_by(map, size);
            w.shape = (hy_shape){.coll = HY_COLL_ALLGATHER, .size = size, .unit = 8};
            w.shape.nodes = nodes;
            w.shape.wired = (size + map) % 2;
            make_world(&w, (size / 2 + map) % (LONG_SEED + 1));
            if (nodes && nodes->largest > 1) prove_uneven_parts(&w, map);
            hy_nodes_free(nodes);
        }
    assert_true(proofs > LEAST_PROOFS);
}

static hy_shape even_shape(void *context, int collective, int rank)
{
    (void)collective;
    hy_shape shape = *(const hy_shape *)context;
    shape.rank = rank;
    return shape;
}

TEST(should_have_own_blocks_in_their_places)
{
    const hy_way way = {0};
    for (int coll = HY_COLL_GATHER; coll <= HY_COLL_ALLGATHER; coll++)
        for (int map = 0; map < MAPS; map++) {
            hy_nodes *nodes = nodes_by(map, 11);
            hy_shape shape = {.coll = (hy_coll)coll, .size = 11, .bytes = 24, .unit = 8};
            const hy_algorithm *algorithm = two_level(shape.coll);
            shape.nodes = nodes;
            for (int root = 0; root < (hy_coll_has_root(shape.coll) ? 11 : 1); root++) {
                shape.root = root;
                shape.wired = !shape.wired;
                if (hy_verify_in_place(&algorithm, even_shape, &shape, &way, 1, 2) != HAYATE_OK)
                    fail_proof(&shape, &way, map);
            }
            hy_nodes_free(nodes);
        }
}

/* Bytes of TMP beside that of the parts, which need none. */
static uint64_t pooled(hy_coll coll, const hy_nodes *nodes, int rank, int root)
{
    hy_schedule schedule;
    hy_shape shape = {.coll = coll, .rank = rank, .size = 6, .root = root, .bytes = 8, .unit = 8};
    shape.nodes = nodes;
    assert_ok(hy_schedule_build(&schedule, two_level(coll), &shape, NULL));
    uint64_t bytes = schedule.tmp_bytes;
    hy_schedule_release(&schedule);
    return bytes;
}

TEST(should_need_memory_for_blocks_that_do_not_lie_node_by_node)
{
    const hy_coll rooted[] = {HY_COLL_GATHER, HY_COLL_SCATTER};
    hy_nodes *blocks = nodes_of(6, 3), *cyclic = nodes_by(CYCLIC_ON_2, 6);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pooled(rooted[i], blocks, 1, 1), 0);
        assert_int_equal(pooled(rooted[i], cyclic, 1, 1), 6 * 8);
        assert_int_equal(pooled(rooted[i], blocks, 3, 1), 3 * 8); /* the other leaders */
        assert_int_equal(pooled(rooted[i], cyclic, 0, 1), 3 * 8);
        assert_int_equal(pooled(rooted[i], blocks, 2, 1), 0);
        assert_int_equal(pooled(rooted[i], cyclic, 3, 1), 0);
    }
    for (int rank = 0; rank < 6; rank++) {
        assert_int_equal(pooled(HY_COLL_ALLGATHER, blocks, rank, 0), 0);
        assert_int_equal(pooled(HY_COLL_ALLGATHER, cyclic, rank, 0), 6 * 8);
        /* to and fro: a block for each pair of a rank of the node and any */
        assert_int_equal(pooled(HY_COLL_ALLTOALL, blocks, rank, 0), rank % 3 ? 0 : 2 * 3 * 6 * 8);
        assert_int_equal(pooled(HY_COLL_ALLTOALL, cyclic, rank, 0), rank > 1 ? 0 : 2 * 3 * 6 * 8);
    }
    hy_nodes_free(blocks);
    hy_nodes_free(cyclic);
}

/* ---- every root, and others before and behind ---- */

TEST(should_have_any_root_on_any_map)
{
    const hy_coll colls[] = {HY_COLL_BCAST, HY_COLL_REDUCE, HY_COLL_GATHER, HY_COLL_SCATTER};
    const hy_way way = {0};
    for (int c = 0; c < 4; c++)
        for (int map = 0; map < MAPS; map++)
            for (int size = 3; size <= 16; size++) {
                hy_nodes *nodes = nodes_by(map, size);
                hy_shape shape = {.coll = colls[c], .size = size, .bytes = 24, .unit = 8};
                shape.nodes = nodes;
                for (int root = 0; nodes && nodes->largest > 1 && root < size; root++) {
                    shape.root = root;
                    shape.wired = !shape.wired;
                    prove(&shape, &way, map, 2);
                }
                hy_nodes_free(nodes);
            }
}

#define SEQUENCE 300

TEST(should_follow_and_be_followed_by_any_other)
{
    static const hy_algorithm *algorithms[SEQUENCE];
    static hy_shape shapes[SEQUENCE];
    static hy_way ways[SEQUENCE];
    const hy_coll colls[] = {HY_COLL_ALLREDUCE, HY_COLL_GATHER,  HY_COLL_BCAST,
                             HY_COLL_SCATTER,   HY_COLL_BARRIER, HY_COLL_ALLGATHER,
                             HY_COLL_REDUCE,    HY_COLL_ALLTOALL};
    for (int map = 0; map < MAPS; map++) {
        hy_nodes *nodes = nodes_by(map, 9);
        int n = 0;
        for (const hy_algorithm *const *a = hy_algorithms; *a; a++)
            for (int i = 0; i < 2 && n < SEQUENCE; i++) {
                hy_shape shape = {.coll = (*a)->coll, .size = 9, .bytes = 72, .unit = 8};
                shape.nodes = nodes;
                shape.root = n * 5 % 9;
                shape.wired = n % 3 == 0;
                if (i) shape.coll = colls[n / 2 % 8];
                algorithms[n] = i ? two_level(shape.coll) : *a;
                if (!algorithms[n]->applies(&shape)) continue;
                shapes[n++] = shape;
            }
        assert_true(n > 40);
        if (hy_verify(algorithms, shapes, ways, n, 1) != HAYATE_OK)
            fail_msg("map %d: %s", map, hayate_error());
        hy_nodes_free(nodes);
    }
}

/* ---- what it is for ---- */

/* Steps of `rank` with a rank of another node. */
static uint32_t far_steps(const hy_shape *shape, int rank)
{
    hy_schedule schedule;
    hy_shape mine = *shape;
    uint32_t far = 0;
    mine.rank = rank;
    assert_ok(hy_schedule_build(&schedule, two_level(shape->coll), &mine, NULL));
    for (uint32_t i = 0; i < schedule.count; i++)
        far += hy_nodes_far(shape->nodes, rank, schedule.steps[i].peer);
    hy_schedule_release(&schedule);
    return far;
}

TEST(should_let_leaders_alone_talk_to_other_nodes)
{
    for (int map = 0; map < MAPS; map++)
        for (int coll = HY_COLL_BARRIER; coll <= HY_COLL_ALLTOALL; coll++) {
            hy_nodes *nodes = nodes_by(map, 13);
            hy_shape shape = {.coll = (hy_coll)coll, .size = 13, .bytes = 64, .unit = 8};
            int32_t root = hy_coll_has_root(shape.coll) ? 6 : -1;
            shape.root = root < 0 ? 0 : root;
            shape.nodes = nodes;
            for (int rank = 0; rank < 13; rank++) {
                bool leads = hy_nodes_leader(nodes, nodes->of[rank], root) == rank;
                assert_int_equal(far_steps(&shape, rank) > 0, leads);
            }
            hy_nodes_free(nodes);
        }
}

TEST(should_need_several_nodes_with_several_ranks)
{
    hy_nodes *each = nodes_of(6, 1), *pairs = nodes_of(6, 2);
    hy_shape shape = {.coll = HY_COLL_BCAST, .size = 6, .bytes = 8, .unit = 8};
    const hy_algorithm *algorithm = two_level(HY_COLL_BCAST);
    assert_false(algorithm->applies(&shape));
    shape.nodes = each;
    assert_false(algorithm->applies(&shape));
    shape.nodes = pairs;
    assert_true(algorithm->applies(&shape));
    shape.size = 4;
    assert_code(hy_shape_check(&shape), HAYATE_ERR_ARGUMENT);
    hy_nodes_free(each);
    hy_nodes_free(pairs);
}

TEST(should_refuse_parts_that_cannot_be_done)
{
    hy_nodes *nodes = nodes_of(8, 4);
    hy_shape shape = {.coll = HY_COLL_BCAST, .size = 8, .bytes = 8, .unit = 8, .nodes = nodes};
    const hy_algorithm *algorithm = two_level(HY_COLL_BCAST);
    hy_way way = {0};
    way.parts[HY_LEVEL_ACROSS].algorithm = hy_algorithm_find(HY_COLL_BCAST, "scatter_allgather");
    assert_refused(hy_way_complete(algorithm, &shape, &way), HAYATE_ERR_ARGUMENT,
                   "across nodes (2 ranks there)");
    way = (hy_way){0};
    way.parts[HY_LEVEL_DOWN].algorithm = algorithm;
    assert_code(hy_way_complete(algorithm, &shape, &way), HAYATE_ERR_ARGUMENT);
    way = (hy_way){0};
    shape.wired = true;
    const hy_way boxed = {.transfer = HY_TRANSFER_GET, .buffers = HY_BUFFERS_PREPARED};
    way.parts[HY_LEVEL_DOWN] = hy_part_of(NULL, &boxed);
    assert_ok(hy_way_complete(algorithm, &shape, &way));
    way.parts[HY_LEVEL_ACROSS] = way.parts[HY_LEVEL_DOWN];
    assert_code(hy_way_complete(algorithm, &shape, &way), HAYATE_ERR_ARGUMENT);
    hy_nodes_free(nodes);
}

TEST(should_tell_its_parts_in_words_and_by_its_hash)
{
    hy_nodes *nodes = nodes_of(8, 4);
    hy_shape shape = {.coll = HY_COLL_ALLREDUCE, .size = 8, .bytes = 8, .unit = 8, .nodes = nodes};
    const hy_algorithm *algorithm = two_level(HY_COLL_ALLREDUCE);
    char text[300], brief[20];
    hy_way way = {0}, other;
    assert_ok(hy_way_complete(algorithm, &shape, &way));
    int length = hy_way_text(algorithm, &way, text, sizeof text);
    assert_int_equal(length, strlen(text));
    assert_string_equal(text, "up binomial put straight counters; across recursive_doubling put "
                              "straight counters; down binomial put straight counters");
    assert_int_equal(hy_way_text(algorithm, &way, brief, sizeof brief), length);
    assert_memory_equal(brief, text, sizeof brief - 1);
    other = way;
    assert_int_equal(hy_way_hash(algorithm, &way), hy_way_hash(algorithm, &other));
    other.parts[HY_LEVEL_DOWN].transfer = HY_TRANSFER_GET;
    assert_int_not_equal(hy_way_hash(algorithm, &way), hy_way_hash(algorithm, &other));
    other = way;
    other.parts[HY_LEVEL_UP].algorithm = hy_algorithm_find(HY_COLL_REDUCE, "linear");
    assert_int_not_equal(hy_way_hash(algorithm, &way), hy_way_hash(algorithm, &other));
    hy_nodes_free(nodes);
}

int main(void)
{
    return tests_run();
}
