/* SPDX-License-Identifier: Apache-2.0 */
/* slow */
/* The global space between ranks of which nothing is mapped: over a path that is late and out of
 * order (net/fault), and over libfabric (HAYATE_NET_LOCAL=ofi). */
#include "base/level_fixture.h"
#include "fmpl/ranks_fixture.h"

#define PROGRAM "ompl/ompl_program"

static void conform(int n, const char *settings)
{
    ranks_must_pass(text_of("HAYATE_HEAP=128M %s", settings), n, PROGRAM);
}

/* What a build with a sanitizer leaves to the plain one. */
static void conform_too(int n, const char *settings)
{
    if (!LEVEL_SANITIZED) conform(n, settings);
}

TEST(should_conform_to_far_ranks_that_are_late)
{
    conform_too(2, "HAYATE_NET_LOCAL=fault HAYATE_TEST_FAULT=seed=1,delay=0");
    conform(2, "HAYATE_NET_LOCAL=fault HAYATE_TEST_FAULT=seed=2,delay=60 HAYATE_WAIT=block");
    conform(3, "HAYATE_NET_LOCAL=fault HAYATE_TEST_FAULT=seed=3,delay=95");
}

TEST(should_conform_to_near_and_far_ranks_at_once)
{
    conform_too(3, "HAYATE_NET_LOCAL=fault HAYATE_TEST_FAULT=seed=4,delay=60,nodes=2");
    conform(4,
            "HAYATE_NET_LOCAL=fault HAYATE_TEST_FAULT=seed=5,delay=60,nodes=2 HAYATE_ENDPOINTS=2");
}

/* Threads get another endpoint in almost every call, so they move between lanes. */
TEST(should_keep_the_order_of_who_moves_between_lanes)
{
    conform_too(2, "HAYATE_NET_LOCAL=fault HAYATE_TEST_FAULT=seed=6,delay=80 HAYATE_ENDPOINTS=1");
    conform(2, "HAYATE_NET_LOCAL=fault HAYATE_TEST_FAULT=seed=7,delay=80 HAYATE_ENDPOINTS=2");
    conform_too(3, "HAYATE_NET_LOCAL=fault HAYATE_TEST_FAULT=seed=8,delay=80 HAYATE_ENDPOINTS=3");
}

TEST(should_conform_over_libfabric)
{
    ranks_need_library("libfabric.so.1");
    conform_too(2, "HAYATE_NET_LOCAL=ofi LSAN_OPTIONS=detect_leaks=0");
    conform(2, "HAYATE_NET_LOCAL=ofi HAYATE_ENDPOINTS=2 LSAN_OPTIONS=detect_leaks=0");
}

int main(void)
{
    return ranks_tests_run();
}
