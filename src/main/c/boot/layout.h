/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The layout of a job: the node of each rank, and its part of that node.
 * A regular layout is a dealing rule (boot/deal.h), so that it takes no table at all, and a lookup
 * is arithmetic. An irregular one has a list in the control area, one for all ranks of the node:
 *
 *    RULE     the ranks are dealt out to the nodes by a rule
 *    STARTS   each node has a range of ranks, of any lengths: the first rank of each node, and for
 *             every range of ranks where to begin to search: 8 bytes per node
 *    LIST     anything else: node and part of each rank, 3 bytes per rank if they have 24 bits
 *             together, else 4, and where each node's ranks begin, ordered by nodes, and its
 *             first rank: 8 bytes per node
 *
 * The rule and the list are in shared memory. A process checks them when it opens them, keeps a
 * copy of the rule, and whatever it reads from the list later, the results stay within the bounds
 * of the job.
 */
#ifndef HY_BOOT_LAYOUT_H
#define HY_BOOT_LAYOUT_H

#include <stddef.h>

#include "boot/deal.h"
#include "base/line.h"

#define HY_LAYOUT_PART_BITS 12 /* parts of a node, at most */
#define HY_LAYOUT_PARTS (1u << HY_LAYOUT_PART_BITS)

typedef enum hy_layout_kind { HY_LAYOUT_RULE, HY_LAYOUT_STARTS, HY_LAYOUT_LIST } hy_layout_kind;

/* In shared memory. */
typedef struct hy_layout_rule {
    uint32_t kind;
    uint32_t shift;  /* STARTS: 1 << shift ranks share a place to begin to search;
                      * LIST: bits of the part in an entry */
    hy_deal by_node; /* of ranks to nodes; unless a RULE, count and places only */
} hy_layout_rule;

/* In each process. */
typedef struct hy_layout {
    hy_layout_rule rule;
    const uint32_t *list; /* of the node; NULL: a RULE */
} hy_layout;

/* Finds the rule for node_of[0 to ranks - 1], each of 0 to nodes - 1; NULL: all are on node 0. A
 * node has at most HY_LAYOUT_PARTS ranks. */
void hy_layout_find_rule(hy_layout_rule *rule, const int32_t *node_of, uint32_t ranks,
                         uint32_t nodes);

/* The size of the list, and the list; `list` is zeroed. */
uint64_t hy_layout_bytes(const hy_layout_rule *rule);
void hy_layout_write(const hy_layout_rule *rule, const int32_t *node_of, uint32_t *list);

/* HAYATE_OK, or CORRUPT if rule and list are not those of a job of this size, in which every node
 * has a rank. The list, of hy_layout_bytes(), must stay mapped. */
int hy_layout_check_rule(const hy_layout_rule *rule, uint32_t ranks, uint32_t nodes);
int hy_layout_open(hy_layout *layout, const hy_layout_rule *rule, const uint32_t *list);

static inline uint32_t hy_layout_nodes(const hy_layout *layout)
{
    return layout->rule.by_node.places;
}

/* Node and index of a rank that is not dealt out by a rule. */
uint32_t hy_layout_search(const hy_layout *layout, uint32_t rank, uint32_t *index);

/* The node of a rank of the job, and its index on the node, which is the number of its part. */
static inline uint32_t hy_layout_node(const hy_layout *layout, uint32_t rank, uint32_t *part)
{
    if (hy_likely(layout->rule.kind == HY_LAYOUT_RULE))
        return hy_deal_place(&layout->rule.by_node, rank, part);
    return hy_layout_search(layout, rank, part);
}

/* The ranks of a node in ascending order: how many, and each by its index; -1: no such index. A
 * LIST is searched for others than the first. */
uint32_t hy_layout_count(const hy_layout *layout, uint32_t node);
int hy_layout_rank(const hy_layout *layout, uint32_t node, uint32_t index);
/* How many ranks are on nodes before this one. */
uint32_t hy_layout_before(const hy_layout *layout, uint32_t node);

#endif
