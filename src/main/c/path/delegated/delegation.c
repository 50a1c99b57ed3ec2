/* SPDX-License-Identifier: Apache-2.0 */
/* The head of the delegation area: the state of the delegatee. */
#include "path/delegated/delegation.h"

#include "base/line.h"

typedef struct delegation {
    _Atomic uint32_t ended; /* 1: `why` is valid */
    _Atomic uint32_t why;
    uint32_t parts;
} delegation;

uint64_t hy_delegation_bytes(uint32_t parts)
{
    (void)parts;
    return hy_round_up(sizeof(delegation), HY_LINE);
}

void hy_delegation_init(void *area, uint32_t parts)
{
    ((delegation *)area)->parts = parts;
}

void hy_delegation_end(void *area, uint32_t why)
{
    delegation *head = area;
    hy_store_relaxed(&head->why, why);
    hy_store_release(&head->ended, 1);
}
