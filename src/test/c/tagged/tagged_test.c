/* SPDX-License-Identifier: Apache-2.0 */
/* tsan */
/* aarch64 */
/* Messages with tags between ranks of one process, of one node, and of several. */
#include "fmpl/ranks_fixture.h"

TEST(should_match_alone_with_threads)
{
    ranks_must_pass("HAYATE_WAIT=adaptive", 1, "tagged/tagged_program");
}

TEST(should_match_on_several_ranks)
{
    ranks_must_pass(RANKS_SEVERAL "HAYATE_WAIT=adaptive", 2, "tagged/tagged_program");
    ranks_must_pass(RANKS_SEVERAL "HAYATE_WAIT=block", 4, "tagged/tagged_program");
    ranks_must_pass(RANKS_SEVERAL "HAYATE_RENDEZVOUS=pipeline", 3, "tagged/tagged_program");
}

int main(void)
{
    return ranks_tests_run();
}
