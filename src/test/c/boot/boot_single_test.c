/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <unistd.h>

#include "base/status.h"
#include "boot/boot.h"

static int clean_environment(void **state)
{
    (void)state;
    unsetenv("HAYATE_RANK");
    unsetenv("HAYATE_SIZE");
    unsetenv("HAYATE_BOOT_FD");
    setenv("HAYATE_HEAP", "1M", 1);
    return 0;
}

static void should_be_a_job_of_one_without_a_launcher(void **state)
{
    (void)state;
    hy_boot boot;
    int record = 42;
    assert_int_equal(hy_boot_open(&boot), HAYATE_OK);
    assert_string_equal(boot.ops->name, "single");
    assert_int_equal(boot.rank, 0);
    assert_int_equal(boot.size, 1);
    assert_int_equal(hy_load_relaxed(&hy_control_live_of(boot.control)->ranks[0].pid), getpid());
    assert_int_equal(hy_boot_exchange(&boot, &record, sizeof record), HAYATE_OK);
    assert_int_equal(hy_boot_fence(&boot), HAYATE_OK);
    assert_int_equal(boot.ops->check(&boot), HAYATE_OK);
    assert_int_equal(hy_boot_rank_status(&boot, 0), HAYATE_OK);
    boot.ops->close(&boot);
    assert_int_equal(hy_boot_rank_status(&boot, 0), HAYATE_ERR_PEER_FAILED);
    hy_boot_release(&boot);
}

/* Nothing of it depends on a setting for ranks. */
static void should_be_a_job_of_one_delegatee_even_below_hayate_run(void **state)
{
    (void)state;
    hy_boot boot;
    setenv("HAYATE_BOOT_FD", "987654", 1);
    setenv("HAYATE_HEAP", "nonsense", 1);
    assert_int_equal(hy_boot_open_apart(&boot), HAYATE_OK);
    setenv("HAYATE_HEAP", "1M", 1);
    unsetenv("HAYATE_BOOT_FD");
    assert_string_equal(boot.ops->name, "single");
    assert_int_equal(boot.size, 1);
    assert_int_equal(boot.control->nodes, 1);
    assert_int_equal(boot.control->huge, 0);
    boot.ops->close(&boot);
    hy_boot_release(&boot);
}

static void should_open_again_after_close_and_leave_no_descriptor(void **state)
{
    (void)state;
    int before = dup(0);
    close(before);
    for (int i = 0; i < 50; i++) {
        hy_boot boot;
        assert_int_equal(hy_boot_open(&boot), HAYATE_OK);
        boot.ops->close(&boot);
        hy_boot_release(&boot);
        hy_boot_release(&boot); /* harmless */
    }
    int after = dup(0);
    close(after);
    assert_int_equal(before, after);
}

static void should_take_the_heap_from_the_environment(void **state)
{
    (void)state;
    hy_boot boot;
    setenv("HAYATE_HEAP", "3M", 1);
    assert_int_equal(hy_boot_open(&boot), HAYATE_OK);
    assert_true(boot.control->heap_bytes >= 3u << 20);
    hy_boot_release(&boot);
    setenv("HAYATE_HEAP", "much", 1);
    assert_int_equal(hy_boot_open(&boot), HAYATE_ERR_ARGUMENT);
    assert_non_null(strstr(hayate_error(), "HAYATE_HEAP=much"));
    assert_null(boot.control);
}

static void should_refuse_leftovers_of_a_launcher(void **state)
{
    (void)state;
    hy_boot boot;
    setenv("HAYATE_RANK", "1", 1);
    assert_int_equal(hy_boot_open(&boot), HAYATE_ERR_LAUNCH);
    assert_non_null(strstr(hayate_error(), "HAYATE_RANK is set"));
    unsetenv("HAYATE_RANK");
    setenv("HAYATE_SIZE", "2", 1);
    assert_int_equal(hy_boot_open(&boot), HAYATE_ERR_LAUNCH);
    assert_non_null(strstr(hayate_error(), "HAYATE_SIZE is set"));
}

static void should_refuse_ranks_and_records_out_of_range(void **state)
{
    (void)state;
    hy_boot boot;
    uint8_t record[HY_RECORD_BYTES + 1] = {0};
    assert_int_equal(hy_boot_open(&boot), HAYATE_OK);
    assert_int_equal(hy_boot_rank_status(&boot, -1), HAYATE_ERR_ARGUMENT);
    assert_int_equal(hy_boot_rank_status(&boot, 1), HAYATE_ERR_ARGUMENT);
    assert_int_equal(hy_boot_exchange(&boot, record, sizeof record), HAYATE_ERR_ARGUMENT);
    assert_int_equal(hy_boot_exchange(&boot, record, HY_RECORD_BYTES), HAYATE_OK);
    hy_boot_release(&boot);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(should_be_a_job_of_one_without_a_launcher, clean_environment),
        cmocka_unit_test_setup(should_be_a_job_of_one_delegatee_even_below_hayate_run,
                               clean_environment),
        cmocka_unit_test_setup(should_open_again_after_close_and_leave_no_descriptor,
                               clean_environment),
        cmocka_unit_test_setup(should_take_the_heap_from_the_environment, clean_environment),
        cmocka_unit_test_setup(should_refuse_leftovers_of_a_launcher, clean_environment),
        cmocka_unit_test_setup(should_refuse_ranks_and_records_out_of_range, clean_environment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
