/* SPDX-License-Identifier: Apache-2.0 */
/* tsan */
/* aarch64 */
/* Messages with tags between ranks of one process, of one node, and of several. */
#include "fmpl/ranks_fixture.h"

static void must_pass(const char *settings, int n)
{
    ranks_must_pass(settings, n, "tagged/tagged_program");
    ranks_must_pass(settings, n, "tagged/tagged_life_program");
}

TEST(should_match_alone_with_threads)
{
    must_pass("HAYATE_WAIT=adaptive", 1);
}

TEST(should_match_on_several_ranks)
{
    must_pass(RANKS_SEVERAL "HAYATE_WAIT=adaptive", 2);
    must_pass(RANKS_SEVERAL "HAYATE_WAIT=block", 4);
    must_pass(RANKS_SEVERAL "HAYATE_RENDEZVOUS=pipeline", 3);
}

/* What is written to far peers comes late and out of order. */
TEST(should_match_between_nodes)
{
    static const char far[] = "HAYATE_HEAP=128M HAYATE_TUNING=none HAYATE_TEST_LIGHT=1 ";
    must_pass(text_of("%s" RANKS_SEVERAL "HAYATE_NET_LOCAL=fault "
                      "HAYATE_TEST_FAULT=seed=1,delay=50",
                      far),
              3);
    must_pass(text_of("%s" RANKS_SEVERAL "HAYATE_NET_LOCAL=fault "
                      "HAYATE_TEST_FAULT=seed=2,delay=50,nodes=2",
                      far),
              4);
}

int main(void)
{
    return ranks_tests_run();
}
