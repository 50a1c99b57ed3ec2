/* SPDX-License-Identifier: Apache-2.0 */
/* Messages among the members of a group, over each way of long messages. */
#include "fmpl/ranks_fixture.h"

#define PROGRAM "msg/group_program"

static void should_send_before_anybody_receives_as_processes(void **state)
{
    static const char *const ways[] = {"auto", "pipeline", "cma", "heap"};
    (void)state;
    for (int i = 0; i < 8; i++) {
        char settings[200];
        snprintf(settings, sizeof settings, "HAYATE_HEAP=64M HAYATE_RENDEZVOUS=%s HAYATE_WAIT=%s",
                 ways[i % 4], i % 2 ? "block" : "adaptive");
        ranks_must_pass(settings, 1 + i % 4, PROGRAM);
    }
}

/* The heap is too small for what waits: the rest is kept outside. */
static void should_keep_what_the_heap_does_not_hold(void **state)
{
    (void)state;
    ranks_must_pass("HAYATE_HEAP=2M", 2, PROGRAM);
    ranks_must_pass("HAYATE_HEAP=2M", 3, PROGRAM);
}

static void should_send_before_anybody_receives_as_tasks(void **state)
{
    (void)state;
    ranks_must_pass_as_tasks("HAYATE_HEAP=64M", 2, PROGRAM);
    ranks_must_pass_as_tasks("HAYATE_HEAP=64M", 3, PROGRAM);
}

static void should_send_before_anybody_receives_over_a_network(void **state)
{
    (void)state;
    ranks_need_library("libfabric.so.1");
    ranks_must_pass("HAYATE_HEAP=64M HAYATE_NET_LOCAL=ofi", 2, PROGRAM);
    ranks_must_pass("HAYATE_HEAP=64M HAYATE_NET_LOCAL=ofi", 3, PROGRAM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_send_before_anybody_receives_as_processes),
        cmocka_unit_test(should_keep_what_the_heap_does_not_hold),
        cmocka_unit_test(should_send_before_anybody_receives_as_tasks),
        cmocka_unit_test(should_send_before_anybody_receives_over_a_network),
    };
    ranks_setup();
    return ranks_main(cmocka_run_group_tests(tests, NULL, NULL));
}
