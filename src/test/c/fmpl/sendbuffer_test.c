/* SPDX-License-Identifier: Apache-2.0 */
/* The send buffer, the instrument, the counters and an exhausted heap. */
#include "fmpl/ranks_fixture.h"

TEST(should_conform_by_every_way)
{
    ranks_must_pass("HAYATE_HEAP=8M HAYATE_WAIT=adaptive", 2, "fmpl/sendbuffer_program");
    ranks_must_pass("HAYATE_HEAP=8M HAYATE_RENDEZVOUS=pipeline HAYATE_WAIT=block", 2,
                    "fmpl/sendbuffer_program");
    ranks_must_pass("HAYATE_HEAP=8M HAYATE_RENDEZVOUS=cma", 2, "fmpl/sendbuffer_program");
    ranks_must_pass("HAYATE_HEAP=8M HAYATE_RENDEZVOUS=heap HAYATE_EAGER_LIMIT=56", 2,
                    "fmpl/sendbuffer_program");
}

int main(void)
{
    return ranks_tests_run();
}
