/* SPDX-License-Identifier: Apache-2.0 */
/* The nodes publish what each has: "<abi>.<ranks>.<heap asked for>.<default heap>", decimal
 * numbers. Every node reads the texts of all nodes, and so all come to the same numbers. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/status.h"
#include "delegatee/delegatee.h"

#define NAME "delegatee"

typedef struct node_share {
    uint64_t abi, ranks;
    uint64_t asked, usual; /* heaps; asked 0: any */
} node_share;

/* Reads digits, and `end` behind them. */
static bool delegatee_members_read_number(const char **text, char end, uint64_t *number)
{
    char *rest;
    if (**text < '0' || **text > '9') return false;
    errno = 0;
    *number = strtoull(*text, &rest, 10);
    if (errno || *rest != end) return false;
    *text = rest + (end != '\0');
    return true;
}

static int fail_text(int node, const char *text)
{
    return hy_fail_peer(HAYATE_ERR_LAUNCH, node,
                        "member %d of the cluster's launcher published \"%.60s\", expected "
                        "\"%u.ranks.heap.heap\": start hayate run --delegate of one version on all "
                        "nodes",
                        node, text, HY_ABI);
}

/* The abi comes first in all versions. */
static int parse(int node, const char *text, node_share *share)
{
    const char *at = text;
    if (!delegatee_members_read_number(&at, '.', &share->abi)) return fail_text(node, text);
    if (share->abi != HY_ABI)
        return hy_fail_peer(HAYATE_ERR_LAUNCH, node,
                            "hayate run on node %d has abi %llu, here it has abi %u: use one "
                            "version on all nodes",
                            node, (unsigned long long)share->abi, HY_ABI);
    if (delegatee_members_read_number(&at, '.', &share->ranks) && share->ranks >= 1 &&
        share->ranks <= HY_MAX_PARTS && delegatee_members_read_number(&at, '.', &share->asked) &&
        share->asked <= HY_HEAP_HIGH && delegatee_members_read_number(&at, '\0', &share->usual) &&
        share->usual >= HY_HEAP_LOW && share->usual <= HY_HEAP_HIGH)
        return HAYATE_OK;
    return fail_text(node, text);
}

static int publish(hy_boot *boot, const node_share *mine)
{
    char text[HY_BOOT_TEXT];
    snprintf(text, sizeof text, "%llu.%llu.%llu.%llu", (unsigned long long)mine->abi,
             (unsigned long long)mine->ranks, (unsigned long long)mine->asked,
             (unsigned long long)mine->usual);
    return hy_boot_publish(boot, NAME, text);
}

static int look_up(hy_boot *boot, int node, node_share *share)
{
    char text[HY_BOOT_TEXT];
    int rc = hy_boot_lookup(boot, node, NAME, text);
    if (!rc) return parse(node, text, share);
    return hy_fail_over(rc,
                        "member %d of the cluster's launcher is no hayate run --delegate (%s); "
                        "start it on all nodes",
                        node, hayate_error());
}

/* asked: the heap that earlier nodes asked for, and which of them */
static int agree_on_heap(const node_share *share, int node, uint64_t *asked, int *asker)
{
    if (!share->asked || share->asked == *asked) return HAYATE_OK;
    if (*asked)
        return hy_fail_peer(HAYATE_ERR_LAUNCH, node,
                            "node %d is to have a heap of %llu bytes, node %d one of %llu: give "
                            "the same --heap or HAYATE_HEAP on all nodes",
                            *asker, (unsigned long long)*asked, node,
                            (unsigned long long)share->asked);
    *asked = share->asked;
    *asker = node;
    return HAYATE_OK;
}

static int add_up(const node_share *shares, int nodes, int self, hy_delegatee_members *members)
{
    uint64_t asked = 0, usual = HY_HEAP_HIGH, size = 0;
    int asker = 0, rc = HAYATE_OK;
    for (int node = 0; node < nodes && !rc; node++) {
        if (node == self) members->first = (int)size;
        size += shares[node].ranks;
        if (shares[node].usual < usual) usual = shares[node].usual;
        rc = agree_on_heap(&shares[node], node, &asked, &asker);
        if (!rc && size > HY_MAX_RANKS)
            rc = hy_fail(HAYATE_ERR_UNSUPPORTED, "%llu ranks: expected at most %d",
                         (unsigned long long)size, HY_MAX_RANKS);
    }
    members->size = (int)size;
    members->heap = asked ? asked : usual;
    return rc;
}

static int deal_out(const node_share *shares, hy_delegatee_members *members)
{
    members->node_of = malloc((size_t)members->size * sizeof *members->node_of);
    if (!members->node_of)
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for %d ranks", members->size);
    for (int rank = 0, node = 0; rank < members->size; node++)
        for (uint64_t i = 0; i < shares[node].ranks; i++) members->node_of[rank++] = node;
    return HAYATE_OK;
}

static int delegatee_members_gather(hy_boot *boot, const node_share *mine, node_share *shares)
{
    shares[boot->rank] = *mine;
    if (boot->size == 1) return HAYATE_OK;
    int rc = publish(boot, mine);
    for (int node = 0; node < boot->size && !rc; node++)
        if (node != boot->rank) rc = look_up(boot, node, &shares[node]);
    return rc;
}

int hy_delegatee_meet(hy_boot *boot, const hy_order *order, hy_delegatee_members *members)
{
    const node_share mine = {.abi = HY_ABI,
                             .ranks = order->ranks,
                             .asked = order->heap_bytes,
                             .usual = hy_heap_default_among((int)order->ranks, boot->size)};
    *members = (hy_delegatee_members){.first = 0};
    node_share *shares = calloc((size_t)boot->size, sizeof *shares);
    if (!shares) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for %d nodes", boot->size);
    int rc = delegatee_members_gather(boot, &mine, shares);
    if (!rc) rc = add_up(shares, boot->size, boot->rank, members);
    if (!rc) rc = deal_out(shares, members);
    free(shares);
    return rc;
}
