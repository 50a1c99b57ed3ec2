/* SPDX-License-Identifier: Apache-2.0 */
/* slow */
/* Ranks of one node that reach each other by libfabric alone (HAYATE_NET_LOCAL=ofi). */
#include "base/level_fixture.h"
#include "fmpl/ranks_fixture.h"

#define LIGHT "HAYATE_TEST_LIGHT=1 " /* of each kind of message one */

static void conform(const char *program, int n, const char *settings)
{
    ranks_need_library("libfabric.so.1");
    const char *all = text_of(
        "HAYATE_HEAP=128M HAYATE_TUNING=none HAYATE_NET_LOCAL=ofi LSAN_OPTIONS=detect_leaks=0 %s",
        settings);
    ranks_must_pass(all, n, program);
}

TEST(should_carry_messages_over_libfabric)
{
    conform("fmpl/conformance_program", 2, LEVEL_SANITIZED ? LIGHT : "");
    conform("fmpl/conformance_program", 3,
            LIGHT "HAYATE_RENDEZVOUS=pipeline HAYATE_EAGER_LIMIT=56 HAYATE_WAIT=block");
    conform("fmpl/sendbuffer_program", 2, "HAYATE_HEAP=8M");
    conform("fmpl/threads_program", 2, "HAYATE_WAIT=adaptive");
    conform("fmpl/push_program absent", 2, "HAYATE_WAIT=adaptive");
    conform("fmpl/push_program absent", 2, "HAYATE_WAIT=block");
}

TEST(should_run_collectives_over_libfabric)
{
    conform("fmpl/collectives_program", 2, "HAYATE_WAIT=adaptive");
    conform("fmpl/collectives_program", 3, "HAYATE_WAIT=block");
}

TEST(should_run_persistent_collectives_over_libfabric)
{
    conform("pcoll/pcoll_life_program", 2, "HAYATE_WAIT=adaptive");
}

TEST(should_let_ranks_sleep_that_wait_long)
{
    conform("fmpl/idle_program", 2, "HAYATE_WAIT=adaptive");
}

/* As on a laptop without a network. */
TEST(should_need_no_interface_but_loopback)
{
    if (ranks_shell("unshare -n ip link set lo up 2>&1").status != 0) skip();
    conform("fmpl/sendbuffer_program", 2,
            "HAYATE_HEAP=8M unshare -n sh -c 'ip link set lo up && exec \"$@\"' sh");
}

int main(void)
{
    return ranks_tests_run();
}
