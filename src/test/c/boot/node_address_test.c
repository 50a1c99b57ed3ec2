/* SPDX-License-Identifier: Apache-2.0 */
/* The text by which ranks find their node's meeting. */
#include "base/test.h"

#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "boot/node.h"

TEST(should_read_the_address_that_it_wrote)
{
    hy_node_address address, read;
    char text[HY_NODE_TEXT];
    assert_ok(hy_node_address_make(&address));
    hy_node_address_print(&address, text);
    assert_ok(hy_node_address_parse(text, &read));
    assert_memory_equal(&address, &read, sizeof read);
}

TEST(should_refuse_what_is_no_address)
{
    hy_node_address address;
    char good[HY_NODE_TEXT], text[2 * HY_NODE_TEXT];
    assert_ok(hy_node_address_make(&address));
    hy_node_address_print(&address, good);
    for (size_t length = 0; length < strlen(good); length++) {
        snprintf(text, sizeof text, "%.*s", (int)length, good);
        assert_int_equal(hy_node_address_parse(text, &address), HAYATE_ERR_LAUNCH);
    }
    snprintf(text, sizeof text, "%s0", good);
    assert_int_equal(hy_node_address_parse(text, &address), HAYATE_ERR_LAUNCH);
    snprintf(text, sizeof text, "0%s", good);
    assert_int_equal(hy_node_address_parse(text, &address), HAYATE_ERR_LAUNCH);
    snprintf(text, sizeof text, "9%s", good);
    assert_refused(hy_node_address_parse(text, &address), HAYATE_ERR_LAUNCH,
                   "start all ranks with the same version");
    snprintf(text, sizeof text, "99999999%s", good);
    assert_int_equal(hy_node_address_parse(text, &address), HAYATE_ERR_LAUNCH);
    snprintf(text, sizeof text, "%s", good);
    text[strlen(good) - 1] = 'G';
    assert_int_equal(hy_node_address_parse(text, &address), HAYATE_ERR_LAUNCH);
}

int main(void)
{
    return tests_run();
}
