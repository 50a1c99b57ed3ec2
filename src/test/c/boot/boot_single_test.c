/* SPDX-License-Identifier: Apache-2.0 */
#include "base/test.h"

#include <stdlib.h>
#include <string.h>
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

TEST(should_be_a_job_of_one_without_a_launcher)
{
    hy_boot boot;
    int record = 42;
    assert_ok(hy_boot_open(&boot));
    assert_string_equal(boot.ops->name, "single");
    assert_int_equal(boot.rank, 0);
    assert_int_equal(boot.size, 1);
    assert_int_equal(hy_load_relaxed(&hy_control_live_of(boot.control)->ranks[0].pid), getpid());
    assert_ok(hy_boot_exchange(&boot, &record, sizeof record));
    assert_ok(hy_boot_fence(&boot));
    assert_ok(boot.ops->check(&boot));
    assert_ok(hy_boot_rank_status(&boot, 0));
    boot.ops->close(&boot);
    assert_int_equal(hy_boot_rank_status(&boot, 0), HAYATE_ERR_PEER_FAILED);
    hy_boot_release(&boot);
}

/* Nothing of it depends on a setting for ranks. */
TEST(should_be_a_job_of_one_delegatee_even_below_hayate_run)
{
    hy_boot boot;
    setenv("HAYATE_BOOT_FD", "987654", 1);
    setenv("HAYATE_HEAP", "nonsense", 1);
    assert_ok(hy_boot_open_apart(&boot));
    setenv("HAYATE_HEAP", "1M", 1);
    unsetenv("HAYATE_BOOT_FD");
    assert_string_equal(boot.ops->name, "single");
    assert_int_equal(boot.size, 1);
    assert_int_equal(boot.control->nodes, 1);
    assert_int_equal(boot.control->huge, 0);
    boot.ops->close(&boot);
    hy_boot_release(&boot);
}

TEST(should_open_again_after_close_and_leave_no_descriptor)
{
    int before = dup(0);
    close(before);
    for (int i = 0; i < 50; i++) {
        hy_boot boot;
        assert_ok(hy_boot_open(&boot));
        boot.ops->close(&boot);
        hy_boot_release(&boot);
        hy_boot_release(&boot); /* harmless */
    }
    int after = dup(0);
    close(after);
    assert_int_equal(before, after);
}

TEST(should_take_the_heap_from_the_environment)
{
    hy_boot boot;
    setenv("HAYATE_HEAP", "3M", 1);
    assert_ok(hy_boot_open(&boot));
    assert_true(boot.control->heap_bytes >= 3u << 20);
    hy_boot_release(&boot);
    setenv("HAYATE_HEAP", "much", 1);
    assert_refused(hy_boot_open(&boot), HAYATE_ERR_ARGUMENT, "HAYATE_HEAP=much");
    assert_null(boot.control);
}

TEST(should_refuse_leftovers_of_a_launcher)
{
    hy_boot boot;
    setenv("HAYATE_RANK", "1", 1);
    assert_refused(hy_boot_open(&boot), HAYATE_ERR_LAUNCH, "HAYATE_RANK is set");
    unsetenv("HAYATE_RANK");
    setenv("HAYATE_SIZE", "2", 1);
    assert_refused(hy_boot_open(&boot), HAYATE_ERR_LAUNCH, "HAYATE_SIZE is set");
}

TEST(should_refuse_to_run_alone_where_a_store_is_set)
{
    hy_boot boot;
    setenv("HAYATE_STORE", "node0:4711", 1);
    setenv("HAYATE_RANK", "0", 1);
    assert_refused(hy_boot_open(&boot), HAYATE_ERR_LAUNCH, "only Java programs");
    assert_null(boot.control);
    setenv("HAYATE_BOOT_FD", "3", 1);
    assert_refused(hy_boot_open(&boot), HAYATE_ERR_LAUNCH, "hayate run has started this process");
    unsetenv("HAYATE_BOOT_FD");
    setenv("PMI_FD", "3", 1);
    assert_refused(hy_boot_open(&boot), HAYATE_ERR_LAUNCH, "an MPI launcher");
    unsetenv("PMI_FD");
    unsetenv("HAYATE_RANK");
    unsetenv("HAYATE_STORE");
}

TEST(should_refuse_ranks_and_records_out_of_range)
{
    hy_boot boot;
    uint8_t record[HY_RECORD_BYTES + 1] = {0};
    assert_ok(hy_boot_open(&boot));
    assert_int_equal(hy_boot_rank_status(&boot, -1), HAYATE_ERR_ARGUMENT);
    assert_int_equal(hy_boot_rank_status(&boot, 1), HAYATE_ERR_ARGUMENT);
    assert_int_equal(hy_boot_exchange(&boot, record, sizeof record), HAYATE_ERR_ARGUMENT);
    assert_ok(hy_boot_exchange(&boot, record, HY_RECORD_BYTES));
    hy_boot_release(&boot);
}

int main(void)
{
    tests_each(clean_environment, NULL);
    return tests_run();
}
