/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_fixture.h"

TEST(should_tag_every_line_with_its_rank)
{
    launched *job = run_to(0, "exec $RUN -n 3 --tag-output sh -c "
                              "'echo one; echo two; echo bad >&2; printf unfinished'");
    for (int rank = 0; rank < 3; rank++) {
        assert_says(job->out, "[%d] one\n", rank);
        assert_says(job->out, "[%d] unfinished\n", rank);
        assert_says(job->err, "[%d] bad\n", rank);
    }
    assert_silent_about(job->out, "bad");
}

TEST(should_keep_long_and_interleaved_lines_whole)
{
    launched *job = run_to(0,
                           "$RUN -n 4 --output tag sh -c 'for i in 1 2 3 4 5 6 7 8 9; do "
                           "printf %0300000d $HAYATE_RANK; echo; done' | "
                           "awk '{ print length($0), $1 == \"[\" $2 + 0 \"]\" }' | sort | uniq -c");
    assert_says(job->out, "36 300004 1\n");
}

/* Each rank writes its lines in many pieces. */
TEST(should_not_mix_lines_of_ranks_by_default)
{
    launched *job = run("$RUN -n 4 sh -c 'for i in 1 2 3 4 5 6 7 8 9; do for j in 1 2 3 4 5 6; do "
                        "printf %s $HAYATE_RANK >&2; done; echo >&2; done' 2>&1 | sort | uniq -c");
    assert_string_equal(job->out, "      9 000000\n      9 111111\n      9 222222\n"
                                  "      9 333333\n");
}

TEST(should_inherit_stdout_with_one_rank_or_on_request)
{
    launched *job = run("$RUN -n 1 readlink /proc/self/fd/1; "
                        "$RUN -n 2 --output direct readlink /proc/self/fd/1");
    assert_int_equal(count_of(job->out, "/memfd:output"), 3);
}

TEST(should_add_no_byte_to_the_output_of_one_rank)
{
    launched *job = run("for size in 10 3000000; do $RUN -n 2 sh -c '[ $HAYATE_RANK = 1 ] || "
                        "head -c '$size' /dev/zero' | wc -c; done");
    assert_string_equal(job->out, "10\n3000000\n");
    job = run("exec $RUN -n 2 echo");
    assert_string_equal(job->out, "\n\n");
}

TEST(should_end_an_unfinished_line_before_that_of_another_rank)
{
    launched *job = run("export d=$(mktemp -d); $RUN -n 2 sh -c 'if [ $HAYATE_RANK = 0 ]; then "
                        "printf unfinished; touch $d/end; else until [ -e $d/end ]; do sleep 0.01; "
                        "done; sleep 0.3; echo other; fi'; rm -r $d");
    assert_string_equal(job->out, "unfinished\nother\n");
}

TEST(should_keep_the_order_of_stdout_and_stderr_in_one_file)
{
    launched *job = run("exec $RUN -n 2 sh -c 'for i in 1 2 3 4 5; do echo $HAYATE_RANK out; "
                        "echo $HAYATE_RANK err >&2; done' 2>&1");
    const char *at = job->out;
    for (int turn = 0; turn < 10; turn++) {
        at = strstr(at, turn % 2 ? "1 err\n" : "1 out\n");
        assert_non_null(at);
    }
    assert_int_equal(count_of(job->out, "\n"), 20);
}

TEST(should_write_what_a_rank_wrote_before_it_says_how_it_ended)
{
    launched *job = run_to(3, "exec $RUN -n 2 sh -c 'echo last words >&2; exit 3'");
    const char *words = strstr(job->err, "last words\n");
    const char *end = strstr(job->err, "exited with status 3");
    assert_true(words && end && words < end);
}

TEST(should_refuse_an_unknown_kind_of_output)
{
    launched *job = run_to(2, "exec $RUN -n 2 --output red true");
    assert_says(job->err, "--output red: expected line, tag or direct");
}

/* The question has no end of line. */
TEST(should_show_a_question_on_a_terminal)
{
    launched *job = run(
        "command -v script > /dev/null || { echo none; exit; };"
        "d=$(mktemp -d); { until grep -q name $d/out; do sleep 0.01; "
        "done; echo typed; } 2> /dev/null | script -qec \"$RUN -n 2 sh -c 'test "
        "\\$HAYATE_RANK = 1 || { printf name:; read x; echo got \\$x; }'\" /dev/null "
        "> $d/out; cat $d/out; rm -r $d");
    skip_if_none(job);
    assert_says(job->out, "got typed");
}

TEST(should_lose_nothing_of_much_output)
{
    launched *job = run("$RUN -n 4 --tag-output seq 100000 | sort -k1,1 -k2n | "
                        "awk '{ n[$1]++; s[$1] += $2 } "
                        "END { for (r in n) printf \"%s %d %.0f\\n\", r, n[r], s[r] }'");
    assert_says(job->out, "[0] 100000 5000050000\n");
    assert_says(job->out, "[3] 100000 5000050000\n");
    assert_int_equal(count_of(job->out, "5000050000"), 4);
}

TEST(should_lose_nothing_on_a_stdout_that_does_not_block)
{
    launched *job = run("{ $SELF --rank nonblocking; $RUN -n 2 --tag-output seq 100000; } | "
                        "{ sleep 0.2; wc -l; }");
    assert_string_equal(job->out, "200000\n");
    assert_string_equal(job->err, "");
}

TEST(should_end_when_nobody_reads_the_output_any_more)
{
    launched *job = run_to(0, "{ $RUN -n 2 --tag-output yes; echo ended $? >&2; } | head -n 1");
    assert_says(job->out, "] y\n");
    assert_string_equal(job->err, "hayate: cannot write to stdout: Broken pipe; "
                                  "ranks that write to it get SIGPIPE\nended 141\n");
}

/* The shell holds the reading end of the pipe, and reads nothing. */
TEST(should_drop_output_that_nobody_reads_when_told_to_end)
{
    static const int signals[] = {SIGTERM, SIGHUP, SIGINT};
    static const char *const sizes[] = {"300000", "3000000"}; /* ranks end; ranks wait to write */
    for (int i = 0; i < 6; i++) {
        char command[512];
        snprintf(command, sizeof command,
                 "d=$(mktemp -d); mkfifo $d/pipe; exec 3<>$d/pipe; rm -r $d; exec $RUN -n 2 sh -c "
                 "'echo begun >&2; yes text | head -c %s; echo ended >&2' >&3",
                 sizes[i / 3]);
        launched *job = start(command);
        while (count_of(job->err, i < 3 ? "ended" : "begun") < 2) {
            await(job, "begun");
            poll(NULL, 0, 1);
        }
        kill(job->pid, signals[i % 3]);
        if (signals[i % 3] == SIGINT) { /* a reader may have outlived the first one */
            poll(NULL, 0, 100);
            kill(job->pid, SIGINT);
            poll(NULL, 0, 100);
            kill(job->pid, SIGINT);
        }
        finish(job);
        assert_int_equal(job->status, 128 + signals[i % 3]);
    }
}

TEST(should_not_wait_for_a_process_that_goes_on_writing)
{
    launched *job = run("$RUN -n 2 --output tag $SELF --rank 'leave writer' | wc -l");
    assert_in_range(atoi(job->out), 1, WRITER_LINES);
}

TEST(should_not_end_well_when_the_reader_has_gone)
{
    launched *job = run("export d=$(mktemp -d); { $RUN -n 2 --tag-output sh -c 'trap \"\" PIPE; "
                        "until [ -e $d/gone ]; do sleep 0.01; done; echo x; exit 0'; "
                        "echo ended $? >&2; } | { exec 0<&-; touch $d/gone; }; rm -r $d");
    assert_says(job->err, "cannot write to stdout: Broken pipe");
    assert_says(job->err, "ended 141\n");
}

TEST(should_tell_once_that_output_cannot_be_written_and_go_on)
{
    launched *job = run_to(1, "exec $RUN -n 2 --tag-output sh -c "
                              "'for i in 1 2 3 4; do echo x; done; echo y >&2' > /dev/full");
    assert_int_equal(count_of(job->err, "hayate: "), 1);
    assert_says(job->err, "hayate: cannot write to stdout: No space left on device; "
                          "output of ranks to it is lost\n");
    assert_says(job->err, "[0] y\n");
    assert_says(job->err, "[1] y\n");
    job = run_to(1, "exec $RUN -n 2 --tag-output sh -c 'echo x; echo y >&2' 2> /dev/full");
    assert_says(job->out, "[0] x\n");
    assert_says(job->out, "[1] x\n");
}

TEST(should_tell_a_failure_of_a_rank_rather_than_lost_output)
{
    run_to(3, "exec $RUN -n 2 --tag-output sh -c 'echo x; exit 3' > /dev/full");
}

/* A file may be 1,000 bytes longer: the write is cut short, then SIGXFSZ is due. */
TEST(should_write_what_fits)
{
    launched *job = run("f=$(mktemp) && truncate -s $((512 * 400000 - 1000)) $f && "
                        "ulimit -f 400000 && $RUN -n 1 --heap 64K --tag-output seq 1000 >> $f; "
                        "echo code $?; tail -c 1000 $f | head -n 2; rm $f");
    assert_says(job->err, "cannot write to stdout: File too large");
    assert_string_equal(job->out, "code 1\n[0] 1\n[0] 2\n");
}

TEST(should_not_end_well_when_its_own_text_is_lost)
{
    launched *job = run_to(1, "exec $RUN --help > /dev/full");
    assert_says(job->err, "cannot write to stdout: No space left on device");
}

TEST(should_give_stdin_to_rank_0_only)
{
    launched *job = run_to(0, "echo something | $RUN -n 3 --tag-output cat");
    assert_string_equal(job->out, "[0] something\n");
}

TEST(should_work_without_any_stdio)
{
    run_to(4, "exec $RUN -n 2 sh -c 'exit 4' <&- >&- 2>&-");
}

TEST(should_give_rank_0_the_terminal_through_a_pipe)
{
    launched *job = run("command -v script > /dev/null || { echo none; exit; };"
                        "printf 'typed\\n' | script -qec \"$RUN -n 2 sh -c 'read x; "
                        "echo rank \\$HAYATE_RANK got \\$x'\" /dev/null");
    skip_if_none(job);
    assert_says(job->out, "rank 0 got typed");
    assert_says(job->out, "rank 1 got\r\n");
}

TEST(should_not_stop_when_started_in_the_background_of_a_terminal)
{
    launched *job = run("command -v script > /dev/null || { echo none; exit; };"
                        "script -qec \"sh -mc '$RUN -n 2 true & wait \\$!; echo ended \\$?'\" "
                        "/dev/null < /dev/null");
    skip_if_none(job);
    assert_says(job->out, "ended 0");
}

LAUNCH_TEST_MAIN()
