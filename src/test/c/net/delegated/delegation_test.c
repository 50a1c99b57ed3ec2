/* SPDX-License-Identifier: Apache-2.0 */
/* What the delegation area tells, although any process of the node may have written it. */
#include "base/test.h"

#include <stdlib.h>
#include <string.h>

#include "net/delegated/delegation.h"

static hy_delegation *area_of(const char *network, const char *why)
{
    uint64_t bytes = hy_round_up(hy_delegation_bytes(1, 2), HY_LINE);
    hy_delegation *area = aligned_alloc(HY_LINE, bytes);
    assert_non_null(area);
    memset(area, 0, bytes);
    hy_delegation_init(area, 1, 2);
    memcpy(area->network, network, strnlen(network, sizeof area->network));
    memcpy(area->lost_why, why, strnlen(why, sizeof area->lost_why));
    area->lost_node = 1 + 1;
    return area;
}

TEST(should_show_no_control_characters)
{
    hy_delegation *area = area_of("tcp\33[2J\n\x9b", "gone\r\a");
    hy_delegation_view view;
    char text[200];
    hy_delegation_see(area, 1, 2, &view);
    assert_string_equal(view.network, "tcp?[2J??");
    hy_delegation_why(area, 1, text, sizeof text);
    assert_string_equal(text, "gone??");
    hy_delegation_why(area, 0, text, sizeof text);
    assert_string_equal(text, "");
    free(area);
}

TEST(should_end_a_text_that_does_not_end)
{
    char endless[201];
    memset(endless, 'x', 200);
    endless[200] = '\0';
    hy_delegation *area = area_of(endless, endless);
    hy_delegation_view view;
    char text[200];
    hy_delegation_see(area, 1, 2, &view);
    assert_int_equal(strlen(view.network), sizeof area->network - 1);
    hy_delegation_why(area, 1, text, sizeof text);
    assert_int_equal(strlen(text), sizeof area->lost_why - 1);
    free(area);
}

int main(void)
{
    return tests_run();
}
