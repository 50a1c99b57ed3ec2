/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
/* Layouts against a flat table: rules that are found, lookups both ways, and damaged memory. */
#include "base/test.h"

#include <stdlib.h>
#include <string.h>

#include "boot/layout.h"
#include "base/random_fixture.h"
#include "base/status.h"

typedef struct world {
    hy_layout_rule rule;
    hy_layout layout;
    uint32_t *list, ranks, nodes;
    uint64_t words;
} world;

static void make(world *w, const int32_t *node_of, uint32_t ranks, uint32_t nodes)
{
    *w = (world){.ranks = ranks, .nodes = nodes};
    hy_layout_find_rule(&w->rule, node_of, ranks, nodes);
    w->words = hy_layout_bytes(&w->rule) / sizeof *w->list;
    w->list = calloc(w->words + 1, sizeof *w->list);
    hy_layout_write(&w->rule, node_of, w->list);
    assert_ok(hy_layout_check_rule(&w->rule, ranks, nodes));
    assert_ok(hy_layout_open(&w->layout, &w->rule, w->list));
}

/* The kind of the rule; every lookup is compared with the flat table. */
static int compare(const int32_t *node_of, uint32_t ranks, uint32_t nodes)
{
    uint32_t *held = calloc(nodes, sizeof *held);
    world w;
    make(&w, node_of, ranks, nodes);
    for (uint32_t rank = 0; rank < ranks; rank++) {
        uint32_t part, found = hy_layout_node(&w.layout, rank, &part);
        uint32_t node = node_of ? (uint32_t)node_of[rank] : 0;
        if (found != node || part != held[node])
            fail_msg("rank %u of %u: node %u part %u, expected node %u part %u", rank, ranks, found,
                     part, node, held[node]);
        if (ranks < 1000 || rank % 401 == 0) /* a LIST is searched, which takes long */
            assert_int_equal(hy_layout_rank(&w.layout, node, held[node]), rank);
        held[node]++;
    }
    for (uint32_t node = 0, sum = 0; node < nodes; sum += held[node++]) {
        assert_int_equal(hy_layout_count(&w.layout, node), held[node]);
        assert_int_equal(hy_layout_before(&w.layout, node), sum);
        assert_int_equal(hy_layout_rank(&w.layout, node, held[node]), -1);
    }
    assert_int_equal(hy_layout_before(&w.layout, nodes), ranks);
    assert_int_equal(hy_layout_rank(&w.layout, nodes, 0), -1);
    assert_true(w.rule.kind != HY_LAYOUT_RULE || w.words == 0);
    assert_true(w.rule.kind != HY_LAYOUT_STARTS || w.words <= 2 * nodes + 2);
    uint32_t most = 0;
    for (uint32_t node = 0; node < nodes; node++) most = held[node] > most ? held[node] : most;
    bool is_short = (uint64_t)nodes * 2 * most <= 1 << 24; /* two: bits are whole */
    uint64_t bytes = is_short ? 3 : 4;
    assert_true(w.rule.kind != HY_LAYOUT_LIST ||
                w.words <= (bytes * ranks + 3) / 4 + 2 * nodes + 1);
    free(held);
    free(w.list);
    return (int)w.rule.kind;
}

#define KIND_OF(...) \
    __extension__({ \
        static const int32_t of[] = {__VA_ARGS__}; \
        uint32_t nodes_ = 0; \
        for (size_t i = 0; i < sizeof of / sizeof *of; i++) \
            if ((uint32_t)of[i] >= nodes_) nodes_ = (uint32_t)of[i] + 1; \
        compare(of, sizeof of / sizeof *of, nodes_); \
    })

TEST(should_find_the_rule_of_a_layout)
{
    assert_int_equal(compare(NULL, 1, 1), HY_LAYOUT_RULE);
    assert_int_equal(compare(NULL, 4096, 1), HY_LAYOUT_RULE);
    assert_int_equal(KIND_OF(0, 0, 1, 1, 2, 2), HY_LAYOUT_RULE);    /* blocks */
    assert_int_equal(KIND_OF(0, 0, 0, 1, 1, 1, 2), HY_LAYOUT_RULE); /* the last is shorter */
    assert_int_equal(KIND_OF(0, 1, 2, 0, 1, 2, 0), HY_LAYOUT_RULE); /* cyclic */
    assert_int_equal(KIND_OF(0, 0, 1, 1, 0, 0, 1), HY_LAYOUT_RULE); /* blocks, cyclic */
    assert_int_equal(KIND_OF(2, 0, 1, 2, 0, 1), HY_LAYOUT_RULE);    /* begins at node 2 */
    assert_int_equal(KIND_OF(0, 0, 0, 1, 1, 2, 2, 2, 2), HY_LAYOUT_STARTS);
    assert_int_equal(KIND_OF(0, 1, 1, 1, 1, 1, 1, 2), HY_LAYOUT_STARTS);
    assert_int_equal(KIND_OF(0, 1, 1, 0, 2, 0, 1), HY_LAYOUT_LIST);
    assert_int_equal(KIND_OF(1, 1, 1, 0, 0), HY_LAYOUT_RULE);
    assert_int_equal(KIND_OF(1, 1, 0, 0, 0), HY_LAYOUT_LIST);
}

/* Every node gets a rank, the others as they come. */
TEST(should_agree_with_a_flat_table_for_every_small_layout)
{
    static int32_t of[64];
    uint64_t seed = 42;
    int kinds[3] = {0};
    for (int turn = 0; turn < 20000; turn++) {
        uint32_t ranks = 1 + (uint32_t)random_below(&seed, 40);
        uint32_t nodes = 1 + (uint32_t)random_below(&seed, ranks);
        for (uint32_t i = 0; i < ranks; i++)
            of[i] = (int32_t)(i < nodes ? i : random_below(&seed, nodes));
        int order = (int)random_below(&seed, 3);
        if (order == 1) /* as ranges */
            for (uint32_t i = 1, left = ranks - nodes; i < ranks; i++)
                of[i] = of[i - 1] + !(left && of[i - 1] < (int32_t)nodes - 1
                                          ? random_below(&seed, 2) && left--
                                          : of[i - 1] == (int32_t)nodes - 1);
        if (order == 2) { /* shuffled */
            for (uint32_t i = ranks - 1; i > 0; i--) {
                uint32_t j = (uint32_t)random_below(&seed, i + 1);
                int32_t other = of[j];
                of[j] = of[i], of[i] = other;
            }
        }
        kinds[compare(of, ranks, nodes)]++;
    }
    for (int i = 0; i < 3; i++) assert_in_range(kinds[i], 1000, 20000);
}

TEST(should_agree_with_a_flat_table_for_large_layouts)
{
    enum { RANKS = 200000, NODES = 3000 };
    int32_t *of = malloc(RANKS * sizeof *of);
    uint64_t seed = 7;
    for (int i = 0; i < RANKS; i++) of[i] = i / 68;
    assert_int_equal(compare(of, RANKS, (RANKS + 67) / 68), HY_LAYOUT_RULE);
    for (int i = 0; i < RANKS; i++) of[i] = i / 4 % NODES;
    assert_int_equal(compare(of, RANKS, NODES), HY_LAYOUT_RULE);
    /* ranges that a few buckets of the guide share: one large node before, and one behind */
    for (int i = 0; i < RANKS; i++)
        of[i] = i < 4000 ? 0 : i < 4000 + 98000 ? i - 3999 : 98000 + (i - 102000) / 4000;
    assert_int_equal(compare(of, RANKS, 98000 + 25), HY_LAYOUT_STARTS);
    for (int i = 0; i < RANKS; i++) of[i] = i < NODES ? i : (int32_t)random_below(&seed, NODES);
    assert_int_equal(compare(of, RANKS, NODES), HY_LAYOUT_LIST);
    /* 15 bits of a node and 12 of a rank on the first one: too many for 3 bytes */
    for (int i = 0; i < RANKS; i++) of[i] = i < 3000 ? 0 : i * 7 % 20000;
    assert_int_equal(compare(of, RANKS, 20000), HY_LAYOUT_LIST);
    free(of);
}

static const int32_t irregular[] = {0, 1, 1, 0, 2, 0, 1, 3}, ranges[] = {0, 0, 1, 2, 2, 2, 3, 3};

TEST(should_refuse_a_layout_of_another_job)
{
    world w;
    make(&w, irregular, 8, 4);
    assert_int_equal(hy_layout_check_rule(&w.rule, 9, 4), HAYATE_ERR_CORRUPT);
    assert_int_equal(hy_layout_check_rule(&w.rule, 8, 3), HAYATE_ERR_CORRUPT);
    w.rule.kind = 3;
    assert_int_equal(hy_layout_check_rule(&w.rule, 8, 4), HAYATE_ERR_CORRUPT);
    free(w.list);
    hy_layout_find_rule(&w.rule, NULL, 8, 1);
    w.rule.by_node = hy_deal_make(8, 4, 8, 0); /* nodes 1 to 3 have no rank */
    assert_int_equal(hy_layout_check_rule(&w.rule, 8, 4), HAYATE_ERR_CORRUPT);
    w.rule.by_node = hy_deal_make(2 * HY_LAYOUT_PARTS, 1, 1, 0);
    assert_int_equal(hy_layout_check_rule(&w.rule, 2 * HY_LAYOUT_PARTS, 1), HAYATE_ERR_CORRUPT);
    make(&w, ranges, 8, 4);
    w.rule.shift = 31;
    assert_int_equal(hy_layout_check_rule(&w.rule, 8, 4), HAYATE_ERR_CORRUPT);
    free(w.list);
    make(&w, irregular, 8, 4);
    w.rule.shift = HY_LAYOUT_PART_BITS + 1;
    assert_int_equal(hy_layout_check_rule(&w.rule, 8, 4), HAYATE_ERR_CORRUPT);
    free(w.list);
}

/* Whatever is in the list, lookups stay within the job, and read the list alone. */
static void look_everywhere(const world *w)
{
    for (uint32_t rank = 0; rank < w->ranks; rank++) {
        uint32_t part, node = hy_layout_node(&w->layout, rank, &part);
        assert_in_range(node, 0, w->nodes - 1);
        assert_in_range(part, 0, HY_LAYOUT_PARTS - 1);
    }
    for (uint32_t node = 0; node < w->nodes; node++) {
        assert_in_range(hy_layout_count(&w->layout, node), 0, HY_LAYOUT_PARTS);
        assert_in_range(hy_layout_before(&w->layout, node), 0, w->ranks);
        for (uint32_t index = 0; index < 9; index++)
            assert_in_range(hy_layout_rank(&w->layout, node, index) + 1, 0, w->ranks);
    }
}

static void damage(const int32_t *node_of, uint32_t ranks, uint32_t nodes)
{
    static const uint32_t values[] = {0, 1, 7, 8, 4096, 1u << 20, 1u << 31, UINT32_MAX};
    uint64_t seed = 99;
    world w;
    int refused = 0;
    make(&w, node_of, ranks, nodes);
    uint32_t *good = malloc(w.words * sizeof *good);
    memcpy(good, w.list, w.words * sizeof *good);
    for (uint64_t i = 0; i < w.words; i++) {
        for (size_t j = 0; j < sizeof values / sizeof *values; j++) {
            hy_layout opened;
            w.list[i] = values[j];
            look_everywhere(&w);
            refused += hy_layout_open(&opened, &w.rule, w.list) != HAYATE_OK;
        }
        memcpy(w.list, good, w.words * sizeof *good);
    }
    assert_in_range(refused, (int)w.words * 4, (int)w.words * 8);
    for (int turn = 0; turn < 2000; turn++) {
        for (uint64_t i = 0; i < w.words; i++)
            w.list[i] = (uint32_t)random_draw(&seed) >> random_below(&seed, 32);
        look_everywhere(&w);
    }
    free(good);
    free(w.list);
}

TEST(should_stay_within_the_job_whatever_the_list_contains)
{
    damage(irregular, 8, 4);
    damage(ranges, 8, 4);
    int32_t wide[8200]; /* entries of 4 bytes */
    for (int i = 0; i < 8200; i++) wide[i] = i < 4100 ? i : i % 2;
    world w;
    make(&w, wide, 8200, 4100);
    uint64_t seed = 5;
    for (int turn = 0; turn < 20; turn++) {
        for (uint64_t i = 0; i < w.words; i++)
            w.list[i] = (uint32_t)random_draw(&seed) >> random_below(&seed, 32);
        for (uint32_t rank = 0; rank < w.ranks; rank++) {
            uint32_t part, node = hy_layout_node(&w.layout, rank, &part);
            assert_in_range(node, 0, w.nodes - 1);
            assert_in_range(part, 0, HY_LAYOUT_PARTS - 1);
        }
    }
    free(w.list);
}

int main(void)
{
    return tests_run();
}
