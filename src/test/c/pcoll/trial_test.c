/* SPDX-License-Identifier: Apache-2.0 */
/* Trials of candidates by ranks. */
#include "base/level_fixture.h"
#include "fmpl/ranks_fixture.h"

TEST(should_time_candidates)
{
    if (!LEVEL_SANITIZED) ranks_must_pass("HAYATE_TUNING=none", 2, "pcoll/trial_program");
    ranks_must_pass("HAYATE_TUNING=none", 3, "pcoll/trial_program");
    if (!LEVEL_SANITIZED)
        ranks_must_pass("HAYATE_TUNING=none HAYATE_RENDEZVOUS=cma", 4, "pcoll/trial_program");
}

TEST(should_choose_by_measurement)
{
    ranks_must_pass("HAYATE_TUNING=none", 2, "pcoll/measured_program");
    ranks_must_pass("HAYATE_TUNING=none HAYATE_WAIT=block", 4, "pcoll/measured_program");
    ranks_must_pass("HAYATE_TUNING=none HAYATE_RENDEZVOUS=pipeline", 3, "pcoll/measured_program");
}

/* Also of the trials themselves, which are operations, too. */
TEST(should_take_the_request_from_the_environment)
{
    ranks_must_pass("HAYATE_TUNING=none HAYATE_COLL=choice=measured", 3,
                    "pcoll/pcoll_life_program");
}

int main(void)
{
    return ranks_tests_run();
}
