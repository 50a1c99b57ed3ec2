/* SPDX-License-Identifier: Apache-2.0 */
/* Trials of candidates by ranks. */
#include "base/level_fixture.h"
#include "fmpl/ranks_fixture.h"

static void should_time_candidates(void **state)
{
    (void)state;
    if (!LEVEL_SANITIZED) ranks_must_pass("HAYATE_TUNING=none", 2, "tune/trial_program");
    ranks_must_pass("HAYATE_TUNING=none", 3, "tune/trial_program");
    if (!LEVEL_SANITIZED)
        ranks_must_pass("HAYATE_TUNING=none HAYATE_RENDEZVOUS=cma", 4, "tune/trial_program");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_time_candidates),
    };
    ranks_setup();
    return ranks_main(cmocka_run_group_tests(tests, NULL, NULL));
}
