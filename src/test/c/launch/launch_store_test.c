/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks of one of several nodes, which find each other by a store. */
#include "launch_fixture.h"

#define STORE "exec $RUN --nodes 3 --node 1 --store node0:4711 --secret f -n 2 "

static void skip_tasks(void)
{
    if (as_tasks) skip_now();
}

static void refuses(const char *command, const char *reason)
{
    skip_tasks();
    launched *job = run_to(2, command);
    assert_says(job->err, "%s", reason);
    assert_string_equal(job->out, "");
}

TEST(should_number_the_ranks_of_a_node_and_tell_them_of_the_store)
{
    skip_tasks();
    launched *job = run_to(
        0, "export PMI_FD=7 PMIX_NAMESPACE=a HAYATE_BOOT_FD=8 HAYATE_STORE=b; " STORE
           "--heap 3M --output tag sh -c 'echo $HAYATE_RANK $HAYATE_LOCAL_RANK $HAYATE_SIZE "
           "$HAYATE_STORE $HAYATE_STORE_SECRET $HAYATE_HEAP "
           "${PMI_FD-}${PMIX_NAMESPACE-}${HAYATE_BOOT_FD-}.'");
    assert_says(job->out, "[2] 2 0 6 node0:4711 f 3145728 .\n");
    assert_says(job->out, "[3] 3 1 6 node0:4711 f 3145728 .\n");
    assert_string_equal(job->err, "");
}

TEST(should_take_the_secret_from_the_environment_and_give_rank_0_the_input)
{
    skip_tasks();
    launched *job = run_to(0, "export HAYATE_STORE_SECRET=g; echo in | "
                              "$RUN --nodes 1 --node 0 --store a:1 -n 1 "
                              "sh -c 'echo $HAYATE_STORE_SECRET; cat'");
    assert_string_equal(job->out, "g\nin\n");
}

TEST(should_end_the_ranks_of_the_node_if_one_fails)
{
    skip_tasks();
    launched *job = run_to(7, STORE
                           "--grace 0 sh -c '[ $HAYATE_LOCAL_RANK = 0 ] && exit 7; exec sleep 60'");
    assert_says(job->err, "hayate: rank 2 (pid ");
    assert_says(job->err, "exited with status 7");
    assert_true(job->ms < 20000);
}

TEST(should_wait_for_all_ranks_of_the_node)
{
    skip_tasks();
    launched *job = run_to(0, STORE
                           "sh -c '[ $HAYATE_LOCAL_RANK = 0 ] && exit 0; sleep 0.3; echo last'");
    assert_string_equal(job->out, "last\n");
}

TEST(should_refuse_an_incomplete_or_impossible_description)
{
    static const char *const incomplete[] = {
        "--nodes 3",           "--node 1", "--store a:1", "--secret f", "--nodes 3 --store a:1",
        "--node 0 --store a:1"};
    char command[200];
    for (size_t i = 0; i < sizeof incomplete / sizeof *incomplete; i++) {
        snprintf(command, sizeof command, "exec $RUN -n 1 %s true", incomplete[i]);
        refuses(command, "give --nodes, --node and --store");
    }
    refuses("exec $RUN -n 1 --nodes 3 --node 3 --store a:1 --secret f true",
            "--node 3 of --nodes 3: expected 0 to 2");
    refuses("exec $RUN -n 2 --nodes 40000 --node 3 --store a:1 --secret f true",
            "expected at most 65536 ranks");
    refuses("exec $RUN -n 1 --nodes 0 true", "--nodes 0: expected a number from 1 to 65536");
    refuses("exec $RUN -n 1 --node x true", "--node x: expected a number from 0 to 65535");
}

TEST(should_say_how_to_make_a_secret)
{
    refuses("unset HAYATE_STORE_SECRET; exec $RUN -n 1 --nodes 3 --node 1 --store a:1 true",
            "head -c 32 /dev/urandom");
}

TEST(should_refuse_what_needs_all_ranks)
{
    refuses(STORE "--pvas true", "--pvas does not work with --store");
    refuses(STORE "--delegate true", "--delegate does not work with --store");
    refuses(STORE "--delegate-core 0 true", "--delegate-core does not work with --store");
}

LAUNCH_TEST_MAIN()
