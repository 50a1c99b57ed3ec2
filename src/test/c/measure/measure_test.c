/* SPDX-License-Identifier: Apache-2.0 */
/* slow */
/* The terms of the model, measured by ranks. */
#include "base/level_fixture.h"
#include "fmpl/nodes_fixture.h"

TEST(should_measure_between_two_ranks)
{
    if (!LEVEL_SANITIZED) ranks_must_pass("HAYATE_TUNING=none", 2, "measure/measure_program");
    ranks_must_pass("HAYATE_TUNING=none HAYATE_RENDEZVOUS=pipeline", 2, "measure/measure_program");
}

TEST(should_measure_the_network_between_two_nodes)
{
    must_pass_on("n1:1,n2:1", 2, "HAYATE_TUNING=none HAYATE_HEAP=256M", "",
                 "measure/measure_program");
    if (!LEVEL_SANITIZED)
        must_pass_on("n1:2,n2:2", 4, "HAYATE_TUNING=none", "", "measure/measure_program");
}

TEST(should_refuse_three_ranks)
{
    ranks_must_pass("HAYATE_TUNING=none", 3, "measure/measure_program");
}

int main(void)
{
    return ranks_tests_run();
}
