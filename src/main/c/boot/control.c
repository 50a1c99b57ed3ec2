/* SPDX-License-Identifier: Apache-2.0 */
/* Publishes ends of ranks in the control area, rings bells, and checks a header that another
 * process wrote. */
#include "boot/control.h"

#include "base/status.h"

void hy_control_publish(hy_control *control, int rank, uint32_t state, uint32_t why)
{
    hy_control_rank *record = hy_control_record(control, rank);
    hy_control_live *live = hy_control_live_of(control);
    hy_store_relaxed(&record->why, why);
    uint32_t none = 0, before = atomic_exchange(&record->state, state);
    if (state > HY_RANK_LEFT)
        atomic_compare_exchange_strong(&live->failed_first, &none, (uint32_t)rank + 1);
    if (state > HY_RANK_LEFT && before <= HY_RANK_LEFT) {
        hy_store_relaxed(&live->failed_last, (uint32_t)rank + 1);
        atomic_fetch_add_explicit(&live->deaths, 1, memory_order_release);
    }
    atomic_fetch_add_explicit(&live->failures, 1, memory_order_release);
    hy_control_ring_all(control);
}

void hy_control_end(hy_control *control, int rank, uint32_t state, uint32_t why)
{
    if (hy_control_state(control, rank) < HY_RANK_LEFT)
        hy_control_publish(control, rank, state, why);
}

/* The entries are in ascending order of their ranks. */
static int search_entries(const hy_control *control, uint32_t rank)
{
    uint32_t low = 0, high = control->parts;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2, found = hy_control_rank_at(control, middle);
        if (found == rank) return (int)middle;
        if (found < rank) low = middle + 1;
        else high = middle;
    }
    return -1;
}

int hy_control_part_number(const hy_control *control, int rank)
{
    uint32_t part;
    if (control->nodes > 1 && control->layout.kind != HY_LAYOUT_RULE)
        return search_entries(control, (uint32_t)rank);
    uint32_t node = hy_deal_place(&control->layout.by_node, (uint32_t)rank, &part);
    return node == (uint32_t)control->node && part < control->parts ? (int)part : -1;
}

void hy_control_ring(hy_control *control, int rank)
{
    hy_control_entry *entry = hy_control_entry_of(control, rank);
    if (entry) hy_bell_ring(&entry->bell);
}

void hy_control_ring_all(hy_control *control)
{
    for (uint32_t i = 0; i < control->parts; i++)
        hy_bell_ring(&hy_control_entry_at(control, i)->bell);
}

static int damaged(const char *what, uint64_t value)
{
    return hy_fail(HAYATE_ERR_CORRUPT,
                   "the segment's control header is damaged: %s is %llu; start the job again", what,
                   (unsigned long long)value);
}

/* Inside of the control area, behind the entries. */
static bool delegation_is_sound(const hy_control *header)
{
    uint64_t at = header->delegation_at, bytes = header->delegation_bytes;
    if (!bytes) return at == 0;
    return at % HY_LINE == 0 && bytes % HY_LINE == 0 &&
           at >= hy_control_list_at(header->size, header->parts) && at < header->control_bytes &&
           bytes <= header->control_bytes - at;
}

/* Each sum and product below is computed only after its terms are known to be small enough. */
int hy_control_verify(const hy_control *header, uint32_t size, uint64_t bytes)
{
    uint64_t page = header->huge ? (uint64_t)header->huge * 1024 : 4096;
    if (header->magic != HY_CONTROL_MAGIC) return damaged("magic", header->magic);
    if (header->abi != HY_ABI)
        return hy_fail(HAYATE_ERR_LAUNCH,
                       "the segment has abi %u, this library has abi %u; use a launcher and a "
                       "library of the same version",
                       header->abi, HY_ABI);
    if (size < 1 || size > HY_MAX_RANKS || header->size != size)
        return damaged("size", header->size);
    if (page & (page - 1)) return damaged("huge", header->huge);
    uint32_t parts = header->parts;
    if (parts < 1 || parts > size || parts > HY_MAX_PARTS) return damaged("parts", parts);
    if (header->control_bytes < hy_control_size(size, parts, page) ||
        header->control_bytes > bytes || header->control_bytes % page)
        return damaged("control_bytes", header->control_bytes);
    if (!delegation_is_sound(header)) return damaged("delegation_at", header->delegation_at);
    uint64_t rest = bytes - header->control_bytes;
    if (header->nodes < 1 || (uint32_t)header->nodes > size)
        return damaged("nodes", (uint64_t)header->nodes);
    if (header->node < 0 || header->node >= header->nodes)
        return damaged("node", (uint64_t)header->node);
    if (header->leader < 0 || (uint32_t)header->leader >= size)
        return damaged("leader", (uint64_t)header->leader);
    if (!header->part_bytes || header->part_bytes % page || header->part_bytes != rest / parts ||
        rest % parts)
        return damaged("part_bytes", header->part_bytes);
    if (header->heap_bytes > header->part_bytes || header->heap_bytes % page)
        return damaged("heap_bytes", header->heap_bytes);
    if (header->cpus < 1) return damaged("cpus", header->cpus);
    int rc = hy_layout_check_rule(&header->layout, size, (uint32_t)header->nodes);
    if (rc) return rc;
    uint64_t list = hy_layout_bytes(&header->layout);
    if (header->control_bytes - hy_control_list_at(size, parts) < list)
        return damaged("control_bytes", header->control_bytes);
    return HAYATE_OK;
}
