/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
#include "fmpl/ranks_fixture.h"

static void should_open_every_group_that_ranks_can_form(void **state)
{
    (void)state;
    for (int n = 1; n <= 5; n++) {
        char command[128];
        snprintf(command, sizeof command, "-n %d $HAYATE_TEST_BIN/wire/group_program", n);
        for (int large = 0; large < 2; large++) {
            ranks_result result = ranks_run(
                large ? "HAYATE_HEAP=1M HAYATE_TEST_LARGE_GROUPS=1" : "HAYATE_HEAP=1M", command);
            if (result.status != 0)
                fail_msg("%d ranks: exit %d\n%s", n, result.status, result.output);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_open_every_group_that_ranks_can_form),
    };
    ranks_setup();
    return ranks_main(cmocka_run_group_tests(tests, NULL, NULL));
}
