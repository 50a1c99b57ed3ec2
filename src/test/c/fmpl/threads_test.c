/* SPDX-License-Identifier: Apache-2.0 */
/* tsan */
/* Several threads in every rank; alone, all of it happens in one process and TSan sees it all. */
#include "fmpl/ranks_fixture.h"

TEST(should_conform_with_threads_alone)
{
    ranks_must_pass("HAYATE_WAIT=adaptive", 1, "fmpl/threads_program");
    ranks_must_pass("HAYATE_WAIT=block", 1, "fmpl/threads_program");
    ranks_must_pass("HAYATE_RENDEZVOUS=pipeline", 1, "fmpl/threads_program");
}

TEST(should_conform_with_threads_on_several_ranks)
{
    ranks_must_pass(RANKS_SEVERAL "HAYATE_WAIT=adaptive", 2, "fmpl/threads_program");
    ranks_must_pass(RANKS_SEVERAL "HAYATE_WAIT=block", 2, "fmpl/threads_program");
    ranks_must_pass(RANKS_SEVERAL "HAYATE_RENDEZVOUS=pipeline", 3, "fmpl/threads_program");
}

int main(void)
{
    return ranks_tests_run();
}
