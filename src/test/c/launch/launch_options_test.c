/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_fixture.h"

static void assert_refused(const char *command, const char *reason)
{
    launched *job = run(command);
    assert_int_equal(job->status, 2);
    assert_says(job->err, reason);
    assert_string_equal(job->out, "");
    done(job);
}

static void should_refuse_a_wrong_number_of_ranks(void **state)
{
    (void)state;
    assert_refused("exec $RUN -n 0 true", "-n 0: expected a number of ranks from 1 to 4096");
    assert_refused("exec $RUN -n x true", "-n x");
    assert_refused("exec $RUN -n 4097 true", "-n 4097");
    assert_refused("exec $RUN -n -3 true", "-n -3");
    assert_refused("exec $RUN -n 99999999999999999999 true", "from 1 to 4096");
    assert_refused("exec $RUN -n 2x true", "-n 2x");
    assert_refused("exec $RUN true", "-n N");
    assert_refused("exec $RUN -n", "-n needs a value");
}

/* -np, too. */
static void should_take_the_number_of_ranks_as_mpirun_does(void **state)
{
    (void)state;
    static const char *const ways[] = {"exec $RUN -np 2 sh -c 'echo $HAYATE_SIZE'",
                                       "exec $RUN -np2 sh -c 'echo $HAYATE_SIZE'"};
    for (int i = 0; i < 2; i++) {
        launched *job = run(ways[i]);
        assert_int_equal(job->status, 0);
        assert_string_equal(job->out, "2\n2\n");
        done(job);
    }
    assert_refused("exec $RUN -np 0 true", "-n 0: expected a number of ranks from 1 to 4096");
}

static void should_refuse_a_missing_command(void **state)
{
    (void)state;
    assert_refused("exec $RUN -n 2", "COMMAND is missing");
    assert_refused("exec $RUN -n 2 --", "COMMAND is missing");
    assert_refused("exec $RUN -n 2 ''", "COMMAND is missing");
}

static void should_refuse_what_it_does_not_understand(void **state)
{
    (void)state;
    assert_refused("exec $RUN -n 2 --colour true", "unknown option --colour");
    assert_refused("exec $RUN -n 2 --heapp=1G true",
                   "unknown option --heapp=1G; did you mean --heap?");
    assert_refused("exec $RUN -n 2 --tagoutptu true", "; did you mean --tag-output?");
    assert_refused("exec $RUN -n 2 -p true", "unknown option -p\n");
    assert_refused("exec $RUN -n 2 --heap 12Q true", "--heap 12Q");
    assert_refused("exec $RUN -n 2 --heap 99999999T true", "--heap 99999999T");
    assert_refused("exec $RUN -n 2 --heap 1 true", "--heap 1:");
    assert_refused("exec $RUN -n 2 --bind chip true",
                   "--bind chip: expected core, numa, socket, none, or a set of CPUs");
    assert_refused("exec $RUN -n 2 --grace soon true", "--grace soon");
    assert_refused("exec $RUN -n 2 --stop-timeout nan true", "--stop-timeout nan");
    assert_refused("exec $RUN -n 2 -x NAME true", "-x NAME: expected NAME=VALUE");
    assert_refused("exec $RUN -n 2 -x HAYATE_RANK=0 true", "hayate run itself sets HAYATE_RANK");
}

/* The launcher of these tests lies alone. */
static void should_say_where_the_library_of_the_blacs_must_lie(void **state)
{
    (void)state;
    assert_refused("exec $RUN -n 2 --blacs true",
                   "libhayate-blacs.so: No such file or directory; it must lie next to the "
                   "launcher, with libhayate.so");
}

static void should_refuse_a_heap_setting_that_is_no_size(void **state)
{
    (void)state;
    launched *job = run("HAYATE_HEAP=plenty exec $RUN -n 2 true");
    assert_int_equal(job->status, 1);
    assert_says(job->err, "HAYATE_HEAP=plenty");
    done(job);
}

static void should_refuse_ranks_that_do_not_fit_into_an_address_space(void **state)
{
    (void)state;
    launched *job = run("exec $RUN -n 4096 --heap 16T true");
    assert_int_equal(job->status, 1);
    assert_says(job->err, "do not fit into one address space");
    done(job);
}

static void should_print_help_on_stdout(void **state)
{
    (void)state;
    launched *job = run("exec $RUN --help");
    assert_int_equal(job->status, 0);
    assert_says(job->out, "Usage: hayate run -n N");
    assert_string_equal(job->err, "");
    done(job);
}

static void should_accept_values_with_and_without_a_sign(void **state)
{
    (void)state;
    launched *job = run("exec $RUN -n2 --heap=1M --grace=0.5 -x A=b=c --bind=none -- "
                        "sh -c 'echo $HAYATE_RANK $A -n'");
    assert_int_equal(job->status, 0);
    assert_says(job->out, "0 b=c -n\n");
    assert_says(job->out, "1 b=c -n\n");
    done(job);
}

static void should_leave_options_of_the_command_alone(void **state)
{
    (void)state;
    launched *job = run("exec $RUN -n 1 echo --help -n 9");
    assert_string_equal(job->out, "--help -n 9\n");
    done(job);
}

static void should_say_why_a_command_cannot_run(void **state)
{
    (void)state;
    launched *job = run("exec $RUN -n 3 no-such-command-here");
    assert_int_equal(job->status, 127);
    assert_int_equal(count_of(job->err, "cannot run 'no-such-command-here'"), 1);
    assert_says(job->err, "No such file or directory");
    done(job);
    job = run("exec $RUN -n 2 /etc/passwd");
    assert_int_equal(job->status, 126);
    assert_says(job->err, "cannot run '/etc/passwd': Permission denied");
    done(job);
}

static void should_run_scripts_with_and_without_an_interpreter(void **state)
{
    (void)state;
    launched *job = run(
        "d=$(mktemp -d) && cd $d && echo 'echo plain $0 $1 $HAYATE_RANK' > plain && "
        "(echo '#!/bin/sh'; cat plain) > named && chmod +x plain named && "
        "$RUN -n 2 ./plain word; PATH=$d:$PATH $RUN -n 2 named word; "
        "PATH=:$PATH $RUN -n 1 plain here; rm -r $d");
    assert_int_equal(job->status, 0);
    assert_says(job->out, "plain ./plain word 0\n");
    assert_says(job->out, "plain ./plain word 1\n");
    assert_says(job->out, "/named word 1\n");
    assert_says(job->out, "plain here 0\n");
    assert_string_equal(job->err, "");
    done(job);
}

static void should_find_a_command_as_execvp_does(void **state)
{
    (void)state;
    launched *job = run("d=$(mktemp -d) && mkdir $d/a $d/b $d/a/true && echo > $d/b/true && "
                        "PATH=$d/a:$d/b:$d/none exec $RUN -n 1 true");
    assert_int_equal(job->status, 126);
    assert_says(job->err, "cannot run 'true': Permission denied");
    done(job);
    job = run("d=$(mktemp -d) && mkdir $d/true && PATH=$d/none:$d:$PATH $RUN -n 1 true; "
              "echo $?; rm -r $d");
    assert_string_equal(job->out, "0\n");
    done(job);
    job = run("unset PATH; exec $RUN -n 1 true");
    assert_int_equal(job->status, 0);
    done(job);
    job = run("exec $RUN -n 1 /etc/passwd/true");
    assert_int_equal(job->status, 127);
    done(job);
}

static void should_bind_each_rank_to_one_cpu_on_request(void **state)
{
    (void)state;
    launched *job = run("exec $RUN -n 5 --bind core sh -c "
                        "'grep Cpus_allowed_list /proc/self/status'");
    assert_int_equal(job->status, 0);
    assert_int_equal(count_of(job->out, "Cpus_allowed_list"), 5);
    assert_silent_about(job->out, "-");
    assert_silent_about(job->out, ",");
    done(job);
}

static void should_refuse_bindings_that_are_impossible_here(void **state)
{
    (void)state;
    assert_refused("exec taskset -c 0 $RUN -n 2 --bind 0:1023 true",
                   "--bind 0:1023: CPU 1023 cannot be used; ranks may use 1 CPUs: 0\n");
    assert_refused("exec $RUN -n 2 --bind 0 true", "--bind 0: 1 sets for 2 ranks");
    assert_refused("exec $RUN -n 2 --bind 0:0,x true", "--bind 0:0,x: expected a set of CPUs");
    assert_refused("exec $RUN -n 2 --bind 0: true", "--bind 0:: expected a set of CPUs");
    assert_refused("exec taskset -c 0 $RUN -n 3 --cpus-per-rank 2 true",
                   "--cpus-per-rank 2: 3 ranks need 6 CPUs; ranks may use 1 CPUs: 0\n");
    assert_refused("exec $RUN -n 3 --cpus-per-rank 0 true",
                   "--cpus-per-rank 0: expected a number of CPUs from 1 to 1024");
    assert_refused("exec $RUN -n 1 --bind core --cpus-per-rank 1 true", "give one of them");
}

#define CPUS "sh -c 'grep Cpus_allowed_list /proc/self/status'"

static void assert_cpus(const char *options, const char *status, int count)
{
    char command[256];
    snprintf(command, sizeof command, "exec taskset -c 0 $RUN %s " CPUS, options);
    launched *job = run(command);
    assert_int_equal(job->status, 0);
    assert_int_equal(count_of(job->out, status), count);
    done(job);
}

static void should_bind_ranks_to_the_cpus_that_were_asked_for(void **state)
{
    (void)state;
    assert_cpus("-n 1", "list:\t0\n", 1);
    assert_cpus("-n 3", "list:\t0\n", 3);
    assert_cpus("-n 2 --bind numa", "list:\t0\n", 2);
    assert_cpus("-n 2 --bind socket", "list:\t0\n", 2);
    assert_cpus("-n 2 --bind 0:0", "list:\t0\n", 2);
    assert_cpus("-n 1 --cpus-per-rank 1", "list:\t0\n", 1);
}

/* A rank of one has all CPUs; of as many ranks as CPUs, each has one, and no two have the same. */
static void should_give_each_rank_its_share_by_default(void **state)
{
    (void)state;
    launched *job = run("a=$(grep Cpus_allowed_list /proc/self/status); "
                        "b=$($RUN -n 1 " CPUS "); [ \"$a\" = \"$b\" ] && echo all; "
                        "$RUN -n $(nproc) " CPUS " | sort -u | wc -l; nproc");
    int of_ranks = 0, cpus = 0;
    assert_int_equal(sscanf(job->out, "all\n%d\n%d", &of_ranks, &cpus), 2);
    assert_int_equal(of_ranks, cpus);
    done(job);
}

static void should_say_once_which_cpus_each_rank_has(void **state)
{
    (void)state;
    launched *job = run("exec taskset -c 0 $RUN -v -n 2 --bind core true");
    assert_string_equal(job->err, "hayate: CPUs of rank 0: 0; rank 1: 0 (of 1 CPUs, 1 cores, "
                                  "1 NUMA domains, 1 sockets: 0)\n");
    done(job);
    job = run("exec taskset -c 0 $RUN -v -n 2 true");
    assert_says(job->err, "hayate: CPUs of all 2 ranks: 0 (of 1 CPUs");
    done(job);
    job = run("exec taskset -c 0 $RUN -v -n 20 --bind core true");
    assert_says(job->err, "; rank 6: 0; ...; rank 19: 0 (of");
    assert_int_equal(count_of(job->err, "rank "), 8);
    done(job);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(should_refuse_a_wrong_number_of_ranks),
    cmocka_unit_test(should_take_the_number_of_ranks_as_mpirun_does),
    cmocka_unit_test(should_refuse_a_missing_command),
    cmocka_unit_test(should_refuse_what_it_does_not_understand),
    cmocka_unit_test(should_say_where_the_library_of_the_blacs_must_lie),
    cmocka_unit_test(should_refuse_a_heap_setting_that_is_no_size),
    cmocka_unit_test(should_refuse_ranks_that_do_not_fit_into_an_address_space),
    cmocka_unit_test(should_print_help_on_stdout),
    cmocka_unit_test(should_accept_values_with_and_without_a_sign),
    cmocka_unit_test(should_leave_options_of_the_command_alone),
    cmocka_unit_test(should_say_why_a_command_cannot_run),
    cmocka_unit_test(should_run_scripts_with_and_without_an_interpreter),
    cmocka_unit_test(should_find_a_command_as_execvp_does),
    cmocka_unit_test(should_bind_each_rank_to_one_cpu_on_request),
    cmocka_unit_test(should_refuse_bindings_that_are_impossible_here),
    cmocka_unit_test(should_bind_ranks_to_the_cpus_that_were_asked_for),
    cmocka_unit_test(should_give_each_rank_its_share_by_default),
    cmocka_unit_test(should_say_once_which_cpus_each_rank_has),
};

LAUNCH_TEST_MAIN(tests)
