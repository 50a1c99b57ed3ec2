/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_fixture.h"

static void refuses(const char *command, const char *reason)
{
    launched *job = run_to(2, command);
    assert_says(job->err, "%s", reason);
    assert_string_equal(job->out, "");
}

TEST(should_refuse_a_wrong_number_of_ranks)
{
    refuses("exec $RUN -n 0 true", "-n 0: expected a number of ranks from 1 to 4096");
    refuses("exec $RUN -n x true", "-n x");
    refuses("exec $RUN -n 4097 true", "-n 4097");
    refuses("exec $RUN -n -3 true", "-n -3");
    refuses("exec $RUN -n 99999999999999999999 true", "from 1 to 4096");
    refuses("exec $RUN -n 2x true", "-n 2x");
    refuses("exec $RUN true", "-n N");
    refuses("exec $RUN -n", "-n needs a value");
}

/* -np, too. */
TEST(should_take_the_number_of_ranks_as_mpirun_does)
{
    static const char *const ways[] = {"exec $RUN -np 2 sh -c 'echo $HAYATE_SIZE'",
                                       "exec $RUN -np2 sh -c 'echo $HAYATE_SIZE'"};
    for (int i = 0; i < 2; i++) {
        launched *job = run_to(0, ways[i]);
        assert_string_equal(job->out, "2\n2\n");
    }
    refuses("exec $RUN -np 0 true", "-n 0: expected a number of ranks from 1 to 4096");
}

TEST(should_tell_the_ranks_that_the_job_survives_deaths)
{
    launched *job = run_to(0, "exec $RUN -n 1 --survive sh -c 'echo $HAYATE_SURVIVE'");
    assert_string_equal(job->out, "1\n");
    refuses("HAYATE_SURVIVE=yes exec $RUN -n 1 true", "HAYATE_SURVIVE=yes");
}

TEST(should_refuse_a_missing_command)
{
    refuses("exec $RUN -n 2", "COMMAND is missing");
    refuses("exec $RUN -n 2 --", "COMMAND is missing");
    refuses("exec $RUN -n 2 ''", "COMMAND is missing");
}

TEST(should_refuse_what_it_does_not_understand)
{
    refuses("exec $RUN -n 2 --colour true", "unknown option --colour");
    refuses("exec $RUN -n 2 --heapp=1G true", "unknown option --heapp=1G; did you mean --heap?");
    refuses("exec $RUN -n 2 --tagoutptu true", "; did you mean --tag-output?");
    refuses("exec $RUN -n 2 -p true", "unknown option -p\n");
    refuses("exec $RUN -n 2 --heap 12Q true", "--heap 12Q");
    refuses("exec $RUN -n 2 --heap 99999999T true", "--heap 99999999T");
    refuses("exec $RUN -n 2 --heap 1 true", "--heap 1:");
    refuses("exec $RUN -n 2 --bind chip true",
            "--bind chip: expected core, numa, socket, none, or a set of CPUs");
    refuses("exec $RUN -n 2 --grace soon true", "--grace soon");
    refuses("exec $RUN -n 2 --stop-timeout nan true", "--stop-timeout nan");
    refuses("exec $RUN -n 2 -x NAME true", "-x NAME: expected NAME=VALUE");
    refuses("exec $RUN -n 2 -x HAYATE_RANK=0 true", "hayate run itself sets HAYATE_RANK");
}

/* The launcher of these tests lies alone. */
TEST(should_say_where_the_library_of_the_blacs_must_lie)
{
    refuses("exec $RUN -n 2 --blacs true",
            "libhayate-blacs.so: No such file or directory; it must lie next to the "
            "launcher, with libhayate.so");
}

TEST(should_refuse_a_heap_setting_that_is_no_size)
{
    launched *job = run_to(1, "HAYATE_HEAP=plenty exec $RUN -n 2 true");
    assert_says(job->err, "HAYATE_HEAP=plenty");
}

TEST(should_refuse_ranks_that_do_not_fit_into_an_address_space)
{
    launched *job = run_to(1, "exec $RUN -n 4096 --heap 16T true");
    assert_says(job->err, "do not fit into one address space");
}

TEST(should_print_help_on_stdout)
{
    launched *job = run_to(0, "exec $RUN --help");
    assert_says(job->out, "Usage: hayate run -n N");
    assert_string_equal(job->err, "");
}

TEST(should_accept_values_with_and_without_a_sign)
{
    launched *job = run_to(0, "exec $RUN -n2 --heap=1M --grace=0.5 -x A=b=c --bind=none -- "
                              "sh -c 'echo $HAYATE_RANK $A -n'");
    assert_says(job->out, "0 b=c -n\n");
    assert_says(job->out, "1 b=c -n\n");
}

TEST(should_leave_options_of_the_command_alone)
{
    launched *job = run("exec $RUN -n 1 echo --help -n 9");
    assert_string_equal(job->out, "--help -n 9\n");
}

TEST(should_say_why_a_command_cannot_run)
{
    launched *job = run_to(127, "exec $RUN -n 3 no-such-command-here");
    assert_int_equal(count_of(job->err, "cannot run 'no-such-command-here'"), 1);
    assert_says(job->err, "No such file or directory");
    job = run_to(126, "exec $RUN -n 2 /etc/passwd");
    assert_says(job->err, "cannot run '/etc/passwd': Permission denied");
}

TEST(should_run_scripts_with_and_without_an_interpreter)
{
    launched *job = run_to(
        0, "d=$(mktemp -d) && cd $d && echo 'echo plain $0 $1 $HAYATE_RANK' > plain && "
           "(echo '#!/bin/sh'; cat plain) > named && chmod +x plain named && "
           "$RUN -n 2 ./plain word; PATH=$d:$PATH $RUN -n 2 named word; "
           "PATH=:$PATH $RUN -n 1 plain here; rm -r $d");
    assert_says(job->out, "plain ./plain word 0\n");
    assert_says(job->out, "plain ./plain word 1\n");
    assert_says(job->out, "/named word 1\n");
    assert_says(job->out, "plain here 0\n");
    assert_string_equal(job->err, "");
}

TEST(should_find_a_command_as_execvp_does)
{
    launched *job = run_to(126,
                           "d=$(mktemp -d) && mkdir $d/a $d/b $d/a/true && echo > $d/b/true && "
                           "PATH=$d/a:$d/b:$d/none exec $RUN -n 1 true");
    assert_says(job->err, "cannot run 'true': Permission denied");
    job = run("d=$(mktemp -d) && mkdir $d/true && PATH=$d/none:$d:$PATH $RUN -n 1 true; "
              "echo $?; rm -r $d");
    assert_string_equal(job->out, "0\n");
    job = run_to(0, "unset PATH; exec $RUN -n 1 true");
    job = run("exec $RUN -n 1 /etc/passwd/true");
    assert_int_equal(job->status, 127);
}

TEST(should_bind_each_rank_to_one_cpu_on_request)
{
    launched *job = run_to(0, "exec $RUN -n 5 --bind core sh -c "
                              "'grep Cpus_allowed_list /proc/self/status'");
    assert_int_equal(count_of(job->out, "Cpus_allowed_list"), 5);
    assert_silent_about(job->out, "-");
    assert_silent_about(job->out, ",");
}

TEST(should_refuse_bindings_that_are_impossible_here)
{
    refuses("exec taskset -c 0 $RUN -n 2 --bind 0:1023 true",
            "--bind 0:1023: CPU 1023 cannot be used; ranks may use 1 CPUs: 0\n");
    refuses("exec $RUN -n 2 --bind 0 true", "--bind 0: 1 sets for 2 ranks");
    refuses("exec $RUN -n 2 --bind 0:0,x true", "--bind 0:0,x: expected a set of CPUs");
    refuses("exec $RUN -n 2 --bind 0: true", "--bind 0:: expected a set of CPUs");
    refuses("exec taskset -c 0 $RUN -n 3 --cpus-per-rank 2 true",
            "--cpus-per-rank 2: 3 ranks need 6 CPUs; ranks may use 1 CPUs: 0\n");
    refuses("exec $RUN -n 3 --cpus-per-rank 0 true",
            "--cpus-per-rank 0: expected a number of CPUs from 1 to 1024");
    refuses("exec $RUN -n 1 --bind core --cpus-per-rank 1 true", "give one of them");
}

#define CPUS "sh -c 'grep Cpus_allowed_list /proc/self/status'"

static void assert_cpus(const char *options, const char *status, int count)
{
    char command[256];
    snprintf(command, sizeof command, "exec taskset -c 0 $RUN %s " CPUS, options);
    launched *job = run_to(0, command);
    assert_int_equal(count_of(job->out, status), count);
}

TEST(should_bind_ranks_to_the_cpus_that_were_asked_for)
{
    assert_cpus("-n 1", "list:\t0\n", 1);
    assert_cpus("-n 3", "list:\t0\n", 3);
    assert_cpus("-n 2 --bind numa", "list:\t0\n", 2);
    assert_cpus("-n 2 --bind socket", "list:\t0\n", 2);
    assert_cpus("-n 2 --bind 0:0", "list:\t0\n", 2);
    assert_cpus("-n 1 --cpus-per-rank 1", "list:\t0\n", 1);
}

/* A rank of one has all CPUs; of as many ranks as CPUs, each has one, and no two have the same. */
TEST(should_give_each_rank_its_share_by_default)
{
    launched *job = run("a=$(grep Cpus_allowed_list /proc/self/status); "
                        "b=$($RUN -n 1 " CPUS "); [ \"$a\" = \"$b\" ] && echo all; "
                        "$RUN -n $(nproc) " CPUS " | sort -u | wc -l; nproc");
    int of_ranks = 0, cpus = 0;
    assert_int_equal(sscanf(job->out, "all\n%d\n%d", &of_ranks, &cpus), 2);
    assert_int_equal(of_ranks, cpus);
}

TEST(should_say_once_which_cpus_each_rank_has)
{
    launched *job = run("exec taskset -c 0 $RUN -v -n 2 --bind core true");
    assert_string_equal(job->err, "hayate: CPUs of rank 0: 0; rank 1: 0 (of 1 CPUs, 1 cores, "
                                  "1 NUMA domains, 1 sockets: 0)\n");
    job = run("exec taskset -c 0 $RUN -v -n 2 true");
    assert_says(job->err, "hayate: CPUs of all 2 ranks: 0 (of 1 CPUs");
    job = run("exec taskset -c 0 $RUN -v -n 20 --bind core true");
    assert_says(job->err, "; rank 6: 0; ...; rank 19: 0 (of");
    assert_int_equal(count_of(job->err, "rank "), 8);
}

LAUNCH_TEST_MAIN()
