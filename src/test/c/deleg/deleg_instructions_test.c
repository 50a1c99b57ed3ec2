/* SPDX-License-Identifier: Apache-2.0 */
/* The program whose instructions scripts/bench/instructions.sh counts still carries messages. */
#include "base/test.h"
#include "fmpl/ranks_fixture.h"

TEST(should_carry_messages_in_one_thread)
{
    ranks_need_library("libfabric.so.1");
    if (!getenv("HAYATE_TEST_BIN")) skip();
    ranks_result result = ranks_shell(
        "LSAN_OPTIONS=detect_leaks=0 exec $HAYATE_TEST_BIN/deleg/deleg_instructions_program 100 "
        "2>&1 </dev/null");
    if (result.status != 0) fail_msg("exit %d\n%s", result.status, result.output);
    assert_non_null(strstr(result.output, "plain: 100 messages"));
    assert_non_null(strstr(result.output, "delegated: 100 messages"));
}

int main(void)
{
    ranks_setup();
    return ranks_main(tests_run());
}
