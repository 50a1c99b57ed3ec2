/* SPDX-License-Identifier: Apache-2.0 */
/* slow */
/* The terms of the model, measured by ranks. */
#include "base/level_fixture.h"
#include "fmpl/nodes_fixture.h"

static void should_measure_between_two_ranks(void **state)
{
    if (!LEVEL_SANITIZED) ranks_must_pass("HAYATE_TUNING=none", 2, "measure/measure_program");
    ranks_must_pass("HAYATE_TUNING=none HAYATE_RENDEZVOUS=pipeline", 2, "measure/measure_program");
}

static void should_measure_the_network_between_two_nodes(void **state)
{
    must_pass_on("n1:1,n2:1", 2, "HAYATE_TUNING=none HAYATE_HEAP=256M", "",
                 "measure/measure_program");
    if (!LEVEL_SANITIZED)
        must_pass_on("n1:2,n2:2", 4, "HAYATE_TUNING=none", "", "measure/measure_program");
}

static void should_refuse_three_ranks(void **state)
{
    ranks_must_pass("HAYATE_TUNING=none", 3, "measure/measure_program");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_measure_between_two_ranks),
        cmocka_unit_test(should_measure_the_network_between_two_nodes),
        cmocka_unit_test(should_refuse_three_ranks),
    };
    ranks_setup();
    return ranks_main(cmocka_run_group_tests(tests, NULL, NULL));
}
