/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the rule of a layout, and searches the lists of those that have none. */
#include "boot/layout.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

#define SHORT_BITS 24 /* of an entry of a LIST that takes 3 bytes */

/*
 * STARTS: starts[nodes + 1], guide[buckets + 1]: the last node that starts at or before the first
 * rank of a bucket. LIST: entries[ranks], starts[nodes + 1] in the order of nodes, firsts[nodes].
 */
static uint32_t entry_bytes(const hy_layout_rule *rule)
{
    return (uint64_t)rule->by_node.places << rule->shift <= 1u << SHORT_BITS ? 3 : 4;
}

static uint64_t entry_words(const hy_layout_rule *rule)
{
    if (rule->kind != HY_LAYOUT_LIST) return 0;
    return ((uint64_t)rule->by_node.count * entry_bytes(rule) + 3) / sizeof(uint32_t);
}

/* Short entries are read together with a byte behind them: there are the starts. */
static uint32_t entry_of(const hy_layout *layout, uint32_t rank)
{
    typedef const volatile uint32_t __attribute__((aligned(1))) word;
    uint32_t bytes = entry_bytes(&layout->rule);
    uint32_t entry = *(word *)(const void *)((const uint8_t *)layout->list + (size_t)bytes * rank);
    return bytes == 3 ? entry & ((1u << SHORT_BITS) - 1) : entry;
}

static const uint32_t *starts_of(const hy_layout *layout)
{
    return layout->list + entry_words(&layout->rule);
}

static uint32_t value(const uint32_t *word)
{
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}

static uint32_t at_most(uint32_t number, uint32_t most)
{
    return number < most ? number : most;
}

static uint32_t buckets_of(const hy_layout_rule *rule)
{
    return ((rule->by_node.count - 1) >> rule->shift) + 1;
}

/* ---- the rule ---- */

static bool is_dealt(const hy_deal *deal, const int32_t *node_of)
{
    uint32_t index;
    for (uint32_t rank = 0; rank < deal->count; rank++)
        if (hy_deal_place(deal, rank, &index) != (uint32_t)node_of[rank]) return false;
    return true;
}

/* Each node's ranks follow those of the node before. */
static bool is_ranges(const int32_t *node_of, uint32_t ranks)
{
    for (uint32_t rank = 1; rank < ranks; rank++)
        if (node_of[rank] != node_of[rank - 1] && node_of[rank] != node_of[rank - 1] + 1)
            return false;
    return node_of[0] == 0;
}

/* As few buckets as nodes, so that each has about one start. */
static uint32_t shift_for(uint32_t ranks, uint32_t nodes)
{
    uint32_t shift = 0;
    while (((ranks - 1) >> shift) + 1 > nodes) shift++;
    return shift;
}

/* The bits for the index of every rank on its node; without memory to count, those for any. */
static uint32_t part_bits(const int32_t *node_of, uint32_t ranks, uint32_t nodes)
{
    uint32_t *counts = calloc(nodes, sizeof *counts), most = 0, bits = 0;
    if (!counts) return HY_LAYOUT_PART_BITS;
    for (uint32_t rank = 0; rank < ranks; rank++)
        if (++counts[node_of[rank]] > most) most = counts[node_of[rank]];
    free(counts);
    while (1u << bits < most) bits++;
    return bits;
}

void hy_layout_find_rule(hy_layout_rule *rule, const int32_t *node_of, uint32_t ranks,
                         uint32_t nodes)
{
    uint32_t block = 1;
    while (node_of && block < ranks && node_of[block] == node_of[0]) block++;
    *rule = (hy_layout_rule){.kind = HY_LAYOUT_RULE,
                             .by_node = hy_deal_make(ranks, nodes, node_of ? block : ranks,
                                                     node_of ? (uint32_t)node_of[0] : 0)};
    if (!node_of || is_dealt(&rule->by_node, node_of)) return;
    rule->by_node = hy_deal_make(ranks, nodes, 1, 0);
    rule->kind = is_ranges(node_of, ranks) ? HY_LAYOUT_STARTS : HY_LAYOUT_LIST;
    rule->shift = rule->kind == HY_LAYOUT_STARTS ? shift_for(ranks, nodes)
                                                 : part_bits(node_of, ranks, nodes);
}

uint64_t hy_layout_bytes(const hy_layout_rule *rule)
{
    uint64_t nodes = rule->by_node.places, words = 0;
    if (rule->kind == HY_LAYOUT_STARTS) words = nodes + 1 + buckets_of(rule) + 1;
    if (rule->kind == HY_LAYOUT_LIST) words = entry_words(rule) + nodes + 1 + nodes;
    return words * sizeof(uint32_t);
}

/* Counts the ranks of each node in starts[node + 1], and sums up. */
static void write_starts(const hy_layout_rule *rule, const int32_t *node_of, uint32_t *starts)
{
    for (uint32_t rank = 0; rank < rule->by_node.count; rank++) starts[node_of[rank] + 1]++;
    for (uint32_t node = 0; node < rule->by_node.places; node++) starts[node + 1] += starts[node];
}

static void write_guide(const hy_layout_rule *rule, const int32_t *node_of, uint32_t *guide)
{
    uint32_t buckets = buckets_of(rule);
    for (uint32_t i = 0; i < buckets; i++) guide[i] = (uint32_t)node_of[i << rule->shift];
    guide[buckets] = rule->by_node.places - 1;
}

/* firsts[] counts the ranks of each node while the entries are written. */
static void write_entries(const hy_layout_rule *rule, const int32_t *node_of, uint8_t *entries,
                          uint32_t *firsts)
{
    uint32_t bytes = entry_bytes(rule);
    for (uint32_t rank = 0; rank < rule->by_node.count; rank++) {
        uint32_t entry = (uint32_t)node_of[rank] << rule->shift | firsts[node_of[rank]]++;
        memcpy(entries + (size_t)bytes * rank, &entry, bytes);
    }
    for (uint32_t rank = rule->by_node.count; rank-- > 0;) firsts[node_of[rank]] = rank;
}

void hy_layout_write(const hy_layout_rule *rule, const int32_t *node_of, uint32_t *list)
{
    uint32_t nodes = rule->by_node.places, *starts = list + entry_words(rule);
    if (rule->kind == HY_LAYOUT_STARTS) {
        write_starts(rule, node_of, list);
        write_guide(rule, node_of, list + nodes + 1);
    } else if (rule->kind == HY_LAYOUT_LIST) {
        write_starts(rule, node_of, starts);
        write_entries(rule, node_of, (uint8_t *)list, starts + nodes + 1);
    }
}

/* ---- opening ---- */

static int corrupt(const char *what)
{
    return hy_fail(HAYATE_ERR_CORRUPT, "the segment's layout of ranks to nodes is damaged: %s",
                   what);
}

int hy_layout_check_rule(const hy_layout_rule *rule, uint32_t ranks, uint32_t nodes)
{
    const hy_deal *deal = &rule->by_node;
    if (rule->kind > HY_LAYOUT_LIST) return corrupt("its kind is unknown");
    if (!hy_deal_is_valid(deal) || deal->count != ranks || deal->places != nodes || nodes > ranks)
        return corrupt("it is not of this job");
    if (rule->kind == HY_LAYOUT_STARTS && rule->shift != shift_for(ranks, nodes))
        return corrupt("its shift is wrong");
    if (rule->kind == HY_LAYOUT_LIST && rule->shift > HY_LAYOUT_PART_BITS)
        return corrupt("its entries are too long");
    for (uint32_t node = 0; rule->kind == HY_LAYOUT_RULE && node < nodes; node++)
        if (hy_deal_count(deal, node) == 0 || hy_deal_count(deal, node) > HY_LAYOUT_PARTS)
            return hy_fail(HAYATE_ERR_CORRUPT, "the segment places %u ranks on node %u",
                           hy_deal_count(deal, node), node);
    return HAYATE_OK;
}

static int check_starts(const hy_layout *layout)
{
    const uint32_t *starts = starts_of(layout);
    uint32_t nodes = hy_layout_nodes(layout);
    if (value(&starts[0]) != 0 || value(&starts[nodes]) != layout->rule.by_node.count)
        return corrupt("the nodes do not have all ranks");
    for (uint32_t node = 0; node < nodes; node++) {
        uint32_t from = value(&starts[node]), to = value(&starts[node + 1]);
        if (to <= from || to - from > HY_LAYOUT_PARTS)
            return hy_fail(HAYATE_ERR_CORRUPT, "the segment places %d ranks on node %u",
                           (int)(to - from), node);
    }
    return HAYATE_OK;
}

/* Walking by nodes finds each rank of a node at its index. */
static int check_entries(const hy_layout *layout)
{
    uint32_t ranks = layout->rule.by_node.count, nodes = hy_layout_nodes(layout);
    for (uint32_t rank = 0; rank < ranks; rank++) {
        uint32_t entry = entry_of(layout, rank), node = entry >> layout->rule.shift;
        uint32_t part = entry & ((1u << layout->rule.shift) - 1);
        if (node >= nodes || part >= hy_layout_count(layout, node))
            return hy_fail(HAYATE_ERR_CORRUPT, "the segment places rank %u on node %u of %u", rank,
                           node, nodes);
    }
    for (uint32_t node = 0; node < nodes; node++) {
        int first = hy_layout_rank(layout, node, 0);
        if (first < 0 || entry_of(layout, (uint32_t)first) != node << layout->rule.shift)
            return corrupt("the first rank of a node is on another");
    }
    return HAYATE_OK;
}

/* Every range of ranks lies between the nodes of its guide. */
static int check_guide(const hy_layout *layout)
{
    const uint32_t *starts = starts_of(layout), *guide = starts + hy_layout_nodes(layout) + 1;
    for (uint32_t i = 0; i < buckets_of(&layout->rule); i++) {
        uint32_t low = value(&guide[i]), high = value(&guide[i + 1]),
                 rank = i << layout->rule.shift;
        if (low > high || high >= hy_layout_nodes(layout) || value(&starts[low]) > rank ||
            value(&starts[low + 1]) <= rank)
            return corrupt("its guide is wrong");
    }
    return HAYATE_OK;
}

int hy_layout_open(hy_layout *layout, const hy_layout_rule *rule, const uint32_t *list)
{
    *layout = (hy_layout){.rule = *rule, .list = rule->kind == HY_LAYOUT_RULE ? NULL : list};
    const hy_deal *deal = &layout->rule.by_node;
    int rc = hy_layout_check_rule(&layout->rule, deal->count, deal->places);
    if (rc || layout->rule.kind == HY_LAYOUT_RULE) return rc;
    rc = check_starts(layout);
    if (rc) return rc;
    return layout->rule.kind == HY_LAYOUT_LIST ? check_entries(layout) : check_guide(layout);
}

/* ---- lookups ---- */

static uint32_t search_starts(const hy_layout *layout, uint32_t rank, uint32_t *index)
{
    uint32_t last = hy_layout_nodes(layout) - 1;
    const uint32_t *starts = layout->list, *guide = starts + last + 2;
    uint32_t bucket = rank >> layout->rule.shift;
    uint32_t low = at_most(value(&guide[bucket]), last);
    uint32_t high = at_most(value(&guide[bucket + 1]), last);
    while (low < high) {
        uint32_t middle = low + (high - low + 1) / 2;
        if (value(&starts[middle]) <= rank) low = middle;
        else high = middle - 1;
    }
    uint32_t start = value(&starts[low]);
    *index = rank >= start ? at_most(rank - start, HY_LAYOUT_PARTS - 1) : 0;
    return low;
}

uint32_t hy_layout_search(const hy_layout *layout, uint32_t rank, uint32_t *index)
{
    if (layout->rule.kind == HY_LAYOUT_STARTS) return search_starts(layout, rank, index);
    uint32_t entry = entry_of(layout, rank), shift = layout->rule.shift;
    *index = entry & ((1u << shift) - 1);
    return at_most(entry >> shift, hy_layout_nodes(layout) - 1);
}

uint32_t hy_layout_before(const hy_layout *layout, uint32_t node)
{
    if (layout->rule.kind == HY_LAYOUT_RULE) return hy_deal_before(&layout->rule.by_node, node);
    if (node >= hy_layout_nodes(layout)) return layout->rule.by_node.count;
    return at_most(value(&starts_of(layout)[node]), layout->rule.by_node.count);
}

uint32_t hy_layout_count(const hy_layout *layout, uint32_t node)
{
    if (node >= hy_layout_nodes(layout)) return 0;
    if (layout->rule.kind == HY_LAYOUT_RULE) return hy_deal_count(&layout->rule.by_node, node);
    uint32_t from = hy_layout_before(layout, node), to = hy_layout_before(layout, node + 1);
    return to > from ? at_most(to - from, HY_LAYOUT_PARTS) : 0;
}

/* The ranks of a node are in ascending order, so none comes before the first plus its index. */
static int search_list(const hy_layout *layout, uint32_t node, uint32_t index)
{
    uint32_t ranks = layout->rule.by_node.count, nodes = hy_layout_nodes(layout);
    uint32_t first = value(&starts_of(layout)[nodes + 1 + node]);
    uint32_t wanted = node << layout->rule.shift | index;
    if (first >= ranks) return -1;
    if (index == 0) return (int)first;
    for (uint32_t rank = first + index; rank < ranks; rank++)
        if (entry_of(layout, rank) == wanted) return (int)rank;
    return -1;
}

int hy_layout_rank(const hy_layout *layout, uint32_t node, uint32_t index)
{
    if (layout->rule.kind == HY_LAYOUT_RULE)
        return (int)hy_deal_number(&layout->rule.by_node, node, index);
    if (index >= hy_layout_count(layout, node)) return -1;
    if (layout->rule.kind == HY_LAYOUT_LIST) return search_list(layout, node, index);
    uint32_t rank = hy_layout_before(layout, node) + index;
    return rank < layout->rule.by_node.count ? (int)rank : -1;
}
