/* SPDX-License-Identifier: Apache-2.0 */
/* A job of one rank, for a program that no launcher started. It may be opened again after it was
 * closed, since no other process can tell the difference. */
#include <stdlib.h>
#include <unistd.h>

#include "base/status.h"
#include "boot/boot.h"
#include "boot/segment.h"

static bool single_present(void)
{
    return true;
}

static int single_open(hy_boot *boot)
{
    const char *leftover = getenv("HAYATE_RANK")   ? "HAYATE_RANK"
                           : getenv("HAYATE_SIZE") ? "HAYATE_SIZE"
                                                   : NULL;
    if (leftover)
        return hy_fail(
            HAYATE_ERR_LAUNCH,
            "%s is set, as by hayate run, but HAYATE_BOOT_FD is not; "
            "pass the whole environment on, or unset all of HAYATE_RANK, HAYATE_SIZE and "
            "HAYATE_LOCAL_RANK to run alone",
            leftover);
    const hy_segment_nodes one = {.size = 1, .nodes = 1, .small = boot->apart};
    uint64_t heap = HY_HEAP_LOW;
    int rc = boot->apart ? HAYATE_OK : hy_setting_value_or(HY_SET(HEAP), hy_heap_default(1), &heap);
    if (rc) return rc;
    rc = hy_segment_create_among(&one, heap, &boot->segment_fd, &boot->segment_bytes);
    if (rc) return rc;
    rc = hy_segment_map(boot->segment_fd, 1, boot->segment_bytes, &boot->control);
    if (rc) return rc;
    boot->rank = 0;
    boot->size = 1;
    hy_store_relaxed(&hy_control_live_of(boot->control)->ranks[0].pid, (int32_t)getpid());
    hy_store_release(&hy_control_live_of(boot->control)->ranks[0].state, HY_RANK_JOINED);
    return HAYATE_OK;
}

static int single_check(hy_boot *boot)
{
    (void)boot;
    return HAYATE_OK;
}

static void single_close(hy_boot *boot)
{
    hy_control_publish(boot->control, 0, HY_RANK_LEFT, 0);
}

const hy_boot_ops hy_boot_single = {.name = "single",
                                    .present = single_present,
                                    .open = single_open,
                                    .check = single_check,
                                    .close = single_close};
