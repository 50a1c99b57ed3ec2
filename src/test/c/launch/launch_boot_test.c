/* SPDX-License-Identifier: Apache-2.0 */
/* Getting in: who becomes a rank, who is refused, and what a rank starts out with. */
#include "launch_fixture.h"

TEST(should_let_every_rank_join_and_exchange)
{
    launched *job = run_to(0, "exec $RUN -n 5 $SELF --rank join");
    for (int rank = 0; rank < 5; rank++)
        assert_says(job->out, "joined %d of 5 by local, sum 10\n", rank);
}

TEST(should_let_ranks_join_from_behind_a_shell)
{
    launched *job = run_to(0, "exec $RUN -n 3 sh -c '$SELF --rank join; exit $?'");
    assert_int_equal(count_of(job->out, "of 3 by local, sum 3"), 3);
    assert_int_equal(count_of(job->err, "\n"), as_tasks ? 1 : 0); /* they are none */
}

TEST(should_refuse_a_second_process_as_the_same_rank)
{
    launched *job = run_to(0, "exec $RUN -n 2 --tag-output $SELF --rank twice");
    assert_says(job->out, "[1] status -8: rank 1 is process %d already",
                number_after(job->out, "[1] first "));
}

TEST(should_refuse_a_successor_of_a_rank_that_left)
{
    launched *job = run_to(0, "exec $RUN -n 1 sh -c '$SELF --rank join; $SELF --rank join; true'");
    assert_int_equal(count_of(job->out, "joined 0 of 1"), 1);
    assert_says(job->out, "-8 the launcher refused this process: rank 0 was process ");
}

TEST(should_refuse_another_abi_and_name_both)
{
    launched *job = run("exec $RUN -n 1 $SELF --rank abi");
    assert_says(job->out, "status -8: it has abi %u, the launcher has abi %u", HY_ABI + 7, HY_ABI);
}

TEST(should_refuse_a_wrong_magic)
{
    launched *job = run("exec $RUN -n 1 $SELF --rank magic");
    assert_says(job->out, "status -8: its message is not one of this version");
}

TEST(should_not_let_a_process_join_twice)
{
    launched *job = run_to(0, "exec $RUN -n 2 $SELF --rank reopen");
    assert_int_equal(count_of(job->out, "-12 this process has already been a rank"), 2);
}

TEST(should_refuse_a_changed_environment)
{
    launched *job = run("exec $RUN -n 1 env HAYATE_SIZE=3 HAYATE_RANK=2 $SELF --rank join");
    assert_says(job->out, "-8 the environment gives rank 2 of 3, the launcher rank 0 of 1");
    job = run("exec $RUN -n 2 env HAYATE_RANK=2 $SELF --rank join");
    assert_says(job->out, "-8 HAYATE_RANK is 2, expected a number from 0 to 1");
    job = run("exec $RUN -n 2 env -u HAYATE_BOOT_FD $SELF --rank join");
    assert_says(job->out, "-8 HAYATE_RANK is set, as by hayate run, but");
}

/* The harness itself may have descriptors open that everybody inherits: count against its own. */
TEST(should_leak_nothing_but_the_boot_socket)
{
    launched *job = run("echo fds $(ls /proc/self/fd | wc -l)");
    int usual = number_after(job->out, "fds ");
    job = run("exec $RUN -n 1 sh -c 'echo fds $(ls /proc/self/fd | wc -l)'");
    assert_int_equal(number_after(job->out, "fds "), usual + 1);
    job = run("exec $RUN -n 1 --tag-output sh -c 'echo fds $(ls /proc/self/fd | wc -l)'");
    assert_int_equal(number_after(job->out, "fds "), usual + 1);
    job = run("exec $RUN -n 1 $SELF --rank descriptors");
    assert_int_equal(number_after(job->out, "fds "), usual);
}

/* The launcher has several for each rank: none of them may be in another rank. */
TEST(should_leak_nothing_to_any_of_many_ranks)
{
    char text[32];
    launched *job = run("echo fds $(ls /proc/self/fd | wc -l)");
    snprintf(text, sizeof text, "fds %d\n", number_after(job->out, "fds ") + 1);
    job = run("exec $RUN -n 60 --tag-output sh -c 'echo fds $(ls /proc/self/fd | wc -l)'");
    assert_int_equal(count_of(job->out, text), 60);
}

TEST(should_keep_the_boot_descriptor_out_of_the_way_of_scripts)
{
    launched *job = run("exec $RUN -n 2 sh -c 'exec 3>&1 4>&1 9>&1; "
                        "[ $HAYATE_BOOT_FD -ge 64 ] && exec $SELF --rank join'");
    assert_int_equal(count_of(job->out, "of 2 by local, sum 1"), 2);
}

TEST(should_start_with_few_descriptors)
{
    launched *job = run("ulimit -n 40; exec $RUN -n 2 $SELF --rank join");
    assert_int_equal(count_of(job->out, "of 2 by local, sum 1"), 2);
}

#define ANOTHER_USER "setpriv --reuid=65534 --clear-groups "

TEST(should_say_which_limit_is_too_low)
{
    for (int most = 5; most < 14; most += 4) {
        char command[80];
        snprintf(command, sizeof command, "ulimit -n %d; exec $RUN -n 2 true", most);
        launched *job = run_to(1, command);
        if (count_of(job->err, "ulimit -n") != 1) fail_msg("%d: %s", most, job->err);
    }
}

/* A sanitizer that looks for leaks wants a process of its own. */
#define ONE_PROCESS "ASAN_OPTIONS=detect_leaks=0 exec prlimit --nproc=1 $RUN -n 2 true"

TEST(should_say_that_there_may_be_no_more_processes)
{
    bool root = geteuid() == 0; /* whose processes are not counted */
    if (root && system(ANOTHER_USER "test -x $HAYATE_RUN") != 0) skip();
    launched *job = run_to(1, root ? "exec " ANOTHER_USER "sh -c '" ONE_PROCESS "'" : ONE_PROCESS);
    assert_int_equal(count_of(job->err, "ulimit -u"), 1);
}

TEST(should_give_ranks_the_limit_of_the_launchers_caller)
{
    launched *job = run("ulimit -S -n 150; exec $RUN -n 2 sh -c 'ulimit -S -n'");
    assert_string_equal(job->out, "150\n150\n");
    job = run("ulimit -S -n 30; exec $RUN -n 20 --tag-output sh -c 'ulimit -S -n'");
    assert_int_equal(count_of(job->out, "] 30\n"), 20);
}

TEST(should_give_ranks_the_mask_and_actions_of_the_launchers_caller)
{
    static const char *const ways[] = {"", "trap '' PIPE USR1; "};
    for (size_t i = 0; i < 2; i++) {
        char command[128];
        snprintf(command, sizeof command, "%sexec $SELF --rank signals", ways[i]);
        launched *alone = run(command);
        assert_says(alone->out, i ? "blocked 0 ignored 2 " : "blocked 0 ignored 0 ");
        snprintf(command, sizeof command, "%sexec $RUN -n 2 $SELF --rank signals", ways[i]);
        launched *job = run(command);
        assert_int_equal(count_of(job->out, alone->out), 2);
    }
}

TEST(should_not_need_dev_shm)
{
    launched *job = run("unshare -m sh -c 'mount -t tmpfs -o size=4k none /dev/shm && "
                        "exec $RUN -n 2 $SELF --rank join' 2>/dev/null || echo none");
    skip_if_none(job);
    assert_int_equal(count_of(job->out, "of 2 by local, sum 1"), 2);
}

TEST(should_refuse_a_rank_of_another_pid_namespace_at_once)
{
    launched *job = run("unshare -p -f true 2>/dev/null || { echo none; exit; }; "
                        "exec $RUN -n 2 unshare -p -f $SELF --rank join");
    skip_if_none(job);
    assert_int_equal(count_of(job->out, "-8 this rank is in another pid namespace"), 2);
    assert_in_range(job->ms, 0, 15000); /* half of what it would wait for an answer */
}

TEST(should_start_many_ranks_quickly)
{
    int fastest = 60000; /* of some: a machine may have other work */
    for (int i = 0; i < 5 && fastest > 2000; i++) {
        launched *job = run_to(0, "exec $RUN -n 64 true");
        if (job->ms < fastest) fastest = job->ms;
    }
    assert_in_range(fastest, 0, 2000);
    launched *job = run_to(0, "exec $RUN -n 64 --heap 64M $SELF --rank join");
    assert_int_equal(count_of(job->out, "of 64 by local, sum 2016"), 64);
}

LAUNCH_TEST_MAIN()
