/* SPDX-License-Identifier: Apache-2.0 */
/* Messages among the members of a group, over each way of long messages. */
#include "base/test.h"
#include "fmpl/ranks_fixture.h"

#define PROGRAM "msg/group_program"

TEST(should_send_before_anybody_receives_as_processes)
{
    static const char *const ways[] = {"auto", "pipeline", "cma", "heap"};
    for (int i = 0; i < 8; i++) {
        char settings[200];
        snprintf(settings, sizeof settings, "HAYATE_HEAP=64M HAYATE_RENDEZVOUS=%s HAYATE_WAIT=%s",
                 ways[i % 4], i % 2 ? "block" : "adaptive");
        ranks_must_pass(settings, 1 + i % 4, PROGRAM);
    }
}

/* The heap is too small for what waits: the rest is kept outside. */
TEST(should_keep_what_the_heap_does_not_hold)
{
    ranks_must_pass("HAYATE_HEAP=2M", 2, PROGRAM);
    ranks_must_pass("HAYATE_HEAP=2M", 3, PROGRAM);
}

TEST(should_send_before_anybody_receives_as_tasks)
{
    ranks_must_pass_as_tasks("HAYATE_HEAP=64M", 2, PROGRAM);
    ranks_must_pass_as_tasks("HAYATE_HEAP=64M", 3, PROGRAM);
}

TEST(should_send_before_anybody_receives_over_a_network)
{
    ranks_need_library("libfabric.so.1");
    ranks_must_pass("HAYATE_HEAP=64M HAYATE_NET_LOCAL=ofi", 2, PROGRAM);
    ranks_must_pass("HAYATE_HEAP=64M HAYATE_NET_LOCAL=ofi", 3, PROGRAM);
}

int main(void)
{
    ranks_setup();
    return ranks_main(tests_run());
}
