/* SPDX-License-Identifier: Apache-2.0 */
/* Point to point under every way of long messages, eager limit and way of waiting. */
#include "base/level_fixture.h"
#include "fmpl/ranks_fixture.h"

#include <stdbool.h>

static const char *const ways[] = {"auto", "pipeline", "cma", "heap"};
static const char *const limits[] = {"56", "4096", "65536"};
static const char *const waits[] = {"adaptive", "block"};

/* light: of each kind of message one, not every combination */
static void conform(int n, int way, int limit, int wait, bool light)
{
    const char *settings = text_of(
        "%sHAYATE_HEAP=128M HAYATE_RENDEZVOUS=%s HAYATE_EAGER_LIMIT=%s HAYATE_WAIT=%s",
        light ? "HAYATE_TEST_LIGHT=1 " : "", ways[way], limits[limit], waits[wait]);
    ranks_must_pass(settings, n, "fmpl/conformance_program");
}

TEST(should_conform_alone)
{
    for (int way = 0; way < (LEVEL_SANITIZED ? 1 : 4); way++)
        conform(1, way, way % 3, way % 2, false);
}

/* Every way, limit and wait with each of the others; under a sanitizer only every one of them. */
TEST(should_conform_on_two_ranks_with_all_pairs_of_settings)
{
    for (int i = 0; i < (LEVEL_SANITIZED ? 4 : 12); i++) {
        int turn = i + i / 4;
        conform(2, i % 4, turn % 3, turn % 2, i >= 4);
    }
}

TEST(should_conform_on_three_ranks)
{
    for (int way = 0; way < (LEVEL_SANITIZED ? 2 : 4); way++)
        conform(3, way, (way + 1) % 3, (way + 1) % 2, true);
}

TEST(should_conform_on_four_ranks)
{
    for (int way = LEVEL_SANITIZED ? 2 : 0; way < 4; way++)
        conform(4, way, (way + 2) % 3, way % 2, true);
}

TEST(should_conform_as_tasks_of_one_address_space)
{
    static const char *const ways[] = {"auto", "direct", "heap", "cma", "pipeline"};
    for (int i = 0; i < 10; i++) {
        const char *settings = text_of(
            "%sHAYATE_HEAP=128M HAYATE_RENDEZVOUS=%s HAYATE_EAGER_LIMIT=%s HAYATE_WAIT=%s",
            i < 5 ? "" : "HAYATE_TEST_LIGHT=1 ", ways[i % 5], limits[i % 3], waits[i / 5]);
        ranks_must_pass_as_tasks(settings, 2 + i % 3, "fmpl/conformance_program");
    }
}

TEST(should_conform_where_slots_are_taken_at_first_contact)
{
    ranks_must_pass("HAYATE_HEAP=128M HAYATE_TEST_INBOXES=1", 2, "fmpl/conformance_program");
    ranks_must_pass("HAYATE_HEAP=128M HAYATE_TEST_INBOXES=1 HAYATE_EAGER_LIMIT=56 "
                    "HAYATE_WAIT=block",
                    3, "fmpl/conformance_program");
    ranks_must_pass(
        "HAYATE_TEST_LIGHT=1 HAYATE_HEAP=128M HAYATE_TEST_INBOXES=1 HAYATE_RENDEZVOUS=pipeline", 4,
        "fmpl/conformance_program");
}

int main(void)
{
    return ranks_tests_run();
}
