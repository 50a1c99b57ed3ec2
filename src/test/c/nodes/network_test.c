/* SPDX-License-Identifier: Apache-2.0 */
/* What the first rank of another node says of itself, before any network is open. */
#include "base/test.h"

#include <stdio.h>
#include <stdlib.h>

#include "nodes/network.h"
#include "nodes/node_map.h"

static const char *said;        /* by rank 1 */
static char mine[HY_BOOT_TEXT]; /* the first text of this rank */

static int publish(hy_boot *boot, const char *name, const char *text)
{
    (void)boot, (void)name;
    if (!*mine) snprintf(mine, sizeof mine, "%s", text);
    return HAYATE_OK;
}

static int look_up(hy_boot *boot, int rank, const char *name, char *text, size_t room)
{
    (void)boot, (void)name;
    snprintf(text, room, "%s", rank == 0 ? mine : said);
    return HAYATE_OK;
}

static int open_with(const char *text)
{
    static const hy_boot_ops ops = {.name = "test", .publish = publish, .lookup = look_up};
    static hy_control *control;
    if (!control) control = aligned_alloc(4096, hy_control_size(2, 1, 4096));
    memset(control, 0, hy_control_size(2, 1, 4096));
    control->size = 2;
    control->nodes = 2;
    control->parts = 1;
    control->layout.by_node = hy_deal_make(2, 2, 1, 0);
    hy_job job = {.size = 2, .boot = {.ops = &ops, .control = control, .size = 2}};
    said = text;
    mine[0] = '\0';
    assert_ok(hy_node_map_open(&job));
    int rc = hy_network_open(&job);
    if (rc == HAYATE_ERR_UNSUPPORTED) skip(); /* this machine has no network */
    return rc;
}

TEST(should_name_a_node_of_another_version)
{
    char text[32], expected[64];
    for (unsigned abi = HY_ABI - 1; abi <= HY_ABI + 1; abi += 2) {
        snprintf(text, sizeof text, "%u.3", abi);
        snprintf(expected, sizeof expected, "has abi %u, this library has abi %u", abi, HY_ABI);
        assert_refused(open_with(text), HAYATE_ERR_LAUNCH, expected);
    }
}

TEST(should_refuse_what_no_rank_says)
{
    static const char *const rests[] = {"",     "3",   ".",  ".x",   ".3x",
                                        ".256", ".-1", ".3", ".3.0", " .3."};
    char text[32];
    for (size_t i = 0; i < sizeof rests / sizeof *rests; i++) {
        snprintf(text, sizeof text, "%u%s", HY_ABI, rests[i]);
        assert_int_equal(open_with(text), HAYATE_ERR_LAUNCH);
    }
    assert_int_equal(open_with(""), HAYATE_ERR_LAUNCH);
    assert_refused(open_with("failed"), HAYATE_ERR_LAUNCH,
                   "rank 1 published \"failed\" as its networks");
}

int main(void)
{
    return tests_run();
}
