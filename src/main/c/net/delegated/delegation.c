/* SPDX-License-Identifier: Apache-2.0 */
/* The layout of the delegation area. */
#include "net/delegated/delegation.h"

#include <stdio.h>
#include <string.h>

#include "base/printable.h"
#include "base/status.h"

static uint64_t ranks_at(uint32_t parts, uint32_t nodes)
{
    uint64_t words = hy_round_up(hy_delegation_words(parts) * sizeof(uint64_t), HY_LINE);
    return hy_round_up(sizeof(hy_delegation) + words + nodes * sizeof(uint32_t), HY_LINE);
}

static uint64_t rings_at(uint32_t parts, uint32_t nodes)
{
    return ranks_at(parts, nodes) + parts * sizeof(hy_delegation_rank);
}

uint64_t hy_delegation_bytes(uint32_t parts, uint32_t nodes)
{
    return rings_at(parts, nodes) + (uint64_t)parts * HY_RINGS * sizeof(hy_ring);
}

void hy_delegation_init(void *area, uint32_t parts, uint32_t nodes)
{
    hy_delegation *delegation = area;
    delegation->parts = parts;
    delegation->nodes = nodes;
    delegation->magic = HY_DELEGATION_MAGIC;
}

int hy_delegation_verify(const hy_delegation *delegation, uint64_t bytes, uint32_t parts,
                         uint32_t nodes)
{
    if (bytes >= hy_delegation_bytes(parts, nodes) && delegation->magic == HY_DELEGATION_MAGIC &&
        delegation->parts == parts && delegation->nodes == nodes)
        return HAYATE_OK;
    return hy_fail(
        HAYATE_ERR_CORRUPT,
        "the segment's delegation area is damaged: %llu bytes for %u ranks and %u nodes; "
        "start the job again",
        (unsigned long long)bytes, delegation->parts, delegation->nodes);
}

hy_delegation_rank *hy_delegation_rank_of(const hy_delegation *delegation, uint32_t parts,
                                          uint32_t nodes, uint32_t part)
{
    return (hy_delegation_rank *)((uintptr_t)delegation + ranks_at(parts, nodes)) + part;
}

void hy_delegation_lose(hy_delegation *delegation, int node, const char *why)
{
    if (delegation->lost_node) return;
    snprintf(delegation->lost_why, sizeof delegation->lost_why, "%s", why);
    delegation->lost_node = (uint32_t)node + 1;
}

/* A rank may have written rubbish: the text need not end, nor be one for a terminal. */
static void show(const char *shared, size_t bytes, char *text, size_t room)
{
    snprintf(text, room, "%.*s", (int)bytes - 1, shared);
    hy_make_printable(text, room);
}

void hy_delegation_network(const hy_delegation *delegation, char *text, size_t room)
{
    show(delegation->network, sizeof delegation->network, text, room);
}

void hy_delegation_why(const hy_delegation *delegation, int node, char *why, size_t room)
{
    bool known = delegation->lost_node == (uint32_t)node + 1;
    if (known) show(delegation->lost_why, sizeof delegation->lost_why, why, room);
    else *why = '\0';
}

void hy_delegation_see(const hy_delegation *delegation, uint32_t parts, uint32_t nodes,
                       hy_delegation_view *view)
{
    *view = (hy_delegation_view){.state = hy_load_acquire(&delegation->state),
                                 .why = hy_load_relaxed(&delegation->why),
                                 .pid = hy_load_relaxed(&delegation->pid),
                                 .waiting = hy_load_relaxed(&delegation->waiting),
                                 .sleeps = hy_load_relaxed(&delegation->sleeps),
                                 .turns = hy_load_relaxed(&delegation->turns),
                                 .connections = hy_load_relaxed(&delegation->connections),
                                 .registered = hy_load_relaxed(&delegation->registered)};
    hy_delegation_network(delegation, view->network, sizeof view->network);
    for (uint32_t part = 0; part < parts; part++) {
        const hy_delegation_rank *rank = hy_delegation_rank_of(delegation, parts, nodes, part);
        view->commands += hy_load_relaxed(&rank->taken.commands);
        view->bytes += hy_load_relaxed(&rank->taken.bytes);
    }
}

hy_ring *hy_delegation_ring(hy_delegation *delegation, uint32_t parts, uint32_t nodes,
                            uint32_t part, int number)
{
    uint8_t *rings = (uint8_t *)delegation + rings_at(parts, nodes);
    return (hy_ring *)(void *)rings + part * HY_RINGS + (uint32_t)number;
}

void hy_delegation_end(hy_delegation *delegation, uint32_t why)
{
    hy_store_relaxed(&delegation->why, why);
    hy_store_release(&delegation->state, HY_DELEGATEE_ENDED);
}
