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
    assert_refused("exec $RUN -n 2 --heapp=1G true", "unknown option --heapp=1G");
    assert_refused("exec $RUN -n 2 --heap 12Q true", "--heap 12Q");
    assert_refused("exec $RUN -n 2 --heap 99999999T true", "--heap 99999999T");
    assert_refused("exec $RUN -n 2 --heap 1 true", "--heap 1:");
    assert_refused("exec $RUN -n 2 --bind socket true", "--bind socket: expected core or none");
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

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(should_refuse_a_wrong_number_of_ranks),
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
};

LAUNCH_TEST_MAIN(tests)
