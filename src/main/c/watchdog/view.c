/* SPDX-License-Identifier: Apache-2.0 */
/* Finds counters and waits at the start of a part, and the area of the delegatee. */
#include "watchdog/view.h"

int hy_view_borrow(hy_view *view, const hy_control *control, uint64_t bytes, uint32_t size)
{
    *view = (hy_view){.control = control, .bytes = bytes, .header = *control};
    return hy_control_verify(&view->header, size, bytes);
}

const hy_counters *hy_view_counters(const hy_view *view, int rank, uint32_t *part)
{
    const uint8_t *parts = (const uint8_t *)view->control + view->header.control_bytes;
    int number = hy_control_part_number(view->control, rank);
    if (number < 0 || (uint32_t)number >= view->header.parts) return NULL;
    *part = (uint32_t)number;
    return (const void *)(parts + (uint64_t)number * view->header.part_bytes);
}

static const hy_counters *counters_if_joined(const hy_view *view, int rank)
{
    uint32_t part;
    if (hy_control_state(view->control, rank) == HY_RANK_EXPECTED) return NULL;
    return hy_view_counters(view, rank, &part);
}

/* Waits are behind the counters. */
const hy_waits *hy_view_waits(const hy_view *view, int rank)
{
    const hy_counters *counters = counters_if_joined(view, rank);
    return counters ? (const void *)(counters + 1) : NULL;
}

/* A thread may sleep, or free memory, without ever doing anything for which others wait. */
static bool tells_of_work(int counter)
{
    return counter != HY_COUNT_SLEEPS && counter != HY_COUNT_EAGER_HELD &&
           counter != HY_COUNT_LANES_HELD;
}

uint32_t hy_view_stripes(const hy_view *view, int rank)
{
    const hy_counters *counters = counters_if_joined(view, rank);
    uint32_t used = 0;
    for (int i = 0; counters && i < HY_STRIPES; i++)
        for (int k = 0; k < HY_COUNTERS; k++)
            if (tells_of_work(k) && hy_load_relaxed(&counters->stripe[i][k])) used |= 1u << i;
    return used;
}

const hy_delegation *hy_view_delegation(const hy_view *view)
{
    const hy_control *header = &view->header;
    if (!header->delegation_bytes) return NULL;
    const void *area = (const uint8_t *)view->control + header->delegation_at;
    int rc = hy_delegation_verify(area, header->delegation_bytes, header->parts,
                                  (uint32_t)header->nodes);
    return rc ? NULL : area;
}
