/* SPDX-License-Identifier: Apache-2.0 */
/* Parsers of the launchers' texts: the mapping vector of PMI-1, and lists of ranks of PMIx. */
#include "boot/node_place.h"

#include <stdbool.h>
#include <string.h>

#include "base/status.h"

#define BLOCKS 256 /* a line of PMI-1 has room for no more */

typedef struct block {
    int node, nodes, ranks;
} block;

/* Reads a number of at most `most`; false: no digits, or a larger number. */
static bool node_place_read_number(const char **text, int most, int *number)
{
    const char *at = *text;
    int sum = 0;
    for (; *at >= '0' && *at <= '9'; at++) {
        sum = sum * 10 + (*at - '0');
        if (sum > most) return false;
    }
    if (at == *text) return false;
    *text = at;
    *number = sum;
    return true;
}

static bool skip(const char **text, const char *what)
{
    size_t length = strlen(what);
    if (strncmp(*text, what, length) != 0) return false;
    *text += length;
    return true;
}

static bool read_block(const char **text, block *b)
{
    return skip(text, "(") && node_place_read_number(text, HY_PLACE_RANKS, &b->node) &&
           skip(text, ",") && node_place_read_number(text, HY_PLACE_RANKS, &b->nodes) &&
           skip(text, ",") && node_place_read_number(text, HY_PLACE_RANKS, &b->ranks) &&
           skip(text, ")") && b->nodes > 0 && b->ranks > 0 && b->node <= HY_PLACE_RANKS - b->nodes;
}

/* The number of blocks at the start of `text`; 0: it is not a mapping. */
static int read_mapping(const char *text, block *blocks)
{
    int count = 0;
    if (!skip(&text, "(vector")) return 0;
    while (skip(&text, ",")) {
        if (count == BLOCKS || !read_block(&text, &blocks[count++])) return 0;
    }
    return skip(&text, ")") && !*text ? count : 0;
}

/* Walks over the ranks from `rank` on that share a node, and over the nodes. */
typedef struct walk {
    const block *blocks;
    int count, index, offset; /* block, node within it */
    int rank, size;
} walk;

static bool node_place_step(walk *w, int *node, int *first, int *ranks)
{
    if (w->rank == w->size) return false;
    const block *b = &w->blocks[w->index];
    int rest = w->size - w->rank;
    *node = b->node + w->offset;
    *first = w->rank;
    *ranks = b->ranks < rest ? b->ranks : rest;
    w->rank += *ranks;
    if (++w->offset == b->nodes) {
        w->offset = 0;
        w->index = (w->index + 1) % w->count;
    }
    return true;
}

static int node_of(walk w, int rank)
{
    int node = -1, first, ranks;
    while (node_place_step(&w, &node, &first, &ranks) && rank >= first + ranks) continue;
    return node;
}

static hy_node_place place_on(walk w, int wanted)
{
    hy_node_place place = {.first = -1};
    int node, first, ranks;
    while (node_place_step(&w, &node, &first, &ranks)) {
        if (node != wanted) continue;
        if (place.first < 0) place.first = first;
        place.count += ranks;
    }
    return place;
}

static int node_place_refuse(const char *name, const char *text, int rank, int size)
{
    return hy_fail(
        HAYATE_ERR_LAUNCH,
        "the launcher's text about rank %d of %d, in %s, is \"%.100s\", which is invalid; use "
        "a launcher of this cluster, and do not change its environment",
        rank, size, name, text);
}

int hy_place_of_mapping(const char *text, int rank, int size, hy_node_place *place)
{
    block blocks[BLOCKS];
    bool sane = size > 0 && size <= HY_PLACE_RANKS && rank >= 0 && rank < size;
    int count = sane ? read_mapping(text, blocks) : 0;
    if (!count) return node_place_refuse("PMI_process_mapping", text, rank, size);
    walk start = {.blocks = blocks, .count = count, .size = size};
    *place = place_on(start, node_of(start, rank));
    return HAYATE_OK;
}

int hy_place_map(const char *text, int size, int32_t *node_of)
{
    block blocks[BLOCKS];
    int count = size > 0 && size <= HY_PLACE_RANKS ? read_mapping(text, blocks) : 0;
    if (!count) return node_place_refuse("PMI_process_mapping", text, 0, size);
    walk w = {.blocks = blocks, .count = count, .size = size};
    int node, first, ranks;
    while (node_place_step(&w, &node, &first, &ranks))
        for (int i = 0; i < ranks; i++) node_of[first + i] = node;
    return HAYATE_OK;
}

/* "3" or "3-5" */
static bool read_range(const char **text, int size, int *low, int *high)
{
    if (!node_place_read_number(text, size - 1, low)) return false;
    *high = *low;
    return !skip(text, "-") || (node_place_read_number(text, size - 1, high) && *high >= *low);
}

static bool read_peers(const char *text, int rank, int size, hy_node_place *place)
{
    bool self = false;
    *place = (hy_node_place){.first = size};
    do {
        int low, high;
        if (!read_range(&text, size, &low, &high) || high - low >= size - place->count)
            return false;
        place->count += high - low + 1;
        if (low < place->first) place->first = low;
        self |= rank >= low && rank <= high;
    } while (skip(&text, ","));
    return self && !*text;
}

int hy_place_of_peers(const char *text, int rank, int size, hy_node_place *place)
{
    bool sane = size > 0 && size <= HY_PLACE_RANKS && rank >= 0 && rank < size;
    if (sane && read_peers(text, rank, size, place)) return HAYATE_OK;
    return node_place_refuse("pmix.lpeers", text, rank, size);
}
