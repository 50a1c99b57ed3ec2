/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_fixture.h"

static void should_tag_every_line_with_its_rank(void **state)
{
    (void)state;
    launched *job = run("exec $RUN -n 3 --tag-output sh -c "
                        "'echo one; echo two; echo bad >&2; printf unfinished'");
    assert_int_equal(job->status, 0);
    for (int rank = 0; rank < 3; rank++) {
        char text[64];
        snprintf(text, sizeof text, "[%d] one\n", rank);
        assert_says(job->out, text);
        snprintf(text, sizeof text, "[%d] unfinished\n", rank);
        assert_says(job->out, text);
        snprintf(text, sizeof text, "[%d] bad\n", rank);
        assert_says(job->err, text);
    }
    assert_silent_about(job->out, "bad");
    done(job);
}

static void should_keep_long_and_interleaved_lines_whole(void **state)
{
    (void)state;
    launched *job = run("$RUN -n 4 --tag-output sh -c 'for i in 1 2 3 4 5 6 7 8 9; do "
                        "printf %0300000d $HAYATE_RANK; echo; done' | "
                        "awk '{ print length($0), $1 == \"[\" $2 + 0 \"]\" }' | sort | uniq -c");
    assert_int_equal(job->status, 0);
    assert_says(job->out, "36 300004 1\n");
    done(job);
}

static void should_lose_nothing_of_much_output(void **state)
{
    (void)state;
    launched *job = run("$RUN -n 4 --tag-output seq 100000 | sort -k1,1 -k2n | "
                        "awk '{ n[$1]++; s[$1] += $2 } "
                        "END { for (r in n) printf \"%s %d %.0f\\n\", r, n[r], s[r] }'");
    assert_says(job->out, "[0] 100000 5000050000\n");
    assert_says(job->out, "[3] 100000 5000050000\n");
    assert_int_equal(count_of(job->out, "5000050000"), 4);
    done(job);
}

static void should_end_when_nobody_reads_the_output_any_more(void **state)
{
    (void)state;
    launched *job = run("$RUN -n 2 --tag-output yes | head -n 1");
    assert_int_equal(job->status, 0);
    assert_says(job->out, "] y\n");
    done(job);
}

static void should_give_stdin_to_rank_0_only(void **state)
{
    (void)state;
    launched *job = run("echo something | $RUN -n 3 --tag-output cat");
    assert_int_equal(job->status, 0);
    assert_string_equal(job->out, "[0] something\n");
    done(job);
}

static void should_work_without_any_stdio(void **state)
{
    (void)state;
    launched *job = run("exec $RUN -n 2 sh -c 'exit 4' <&- >&- 2>&-");
    assert_int_equal(job->status, 4);
    done(job);
}

static void should_give_rank_0_the_terminal_through_a_pipe(void **state)
{
    (void)state;
    launched *job = run("command -v script > /dev/null || { echo none; exit; };"
                        "printf 'typed\\n' | script -qec \"$RUN -n 2 sh -c 'read x; "
                        "echo rank \\$HAYATE_RANK got \\$x'\" /dev/null");
    skip_if_none(job);
    assert_says(job->out, "rank 0 got typed");
    assert_says(job->out, "rank 1 got\r\n");
    done(job);
}

static void should_not_stop_when_started_in_the_background_of_a_terminal(void **state)
{
    (void)state;
    launched *job = run("command -v script > /dev/null || { echo none; exit; };"
                        "script -qec \"sh -mc '$RUN -n 2 true & wait \\$!; echo ended \\$?'\" "
                        "/dev/null < /dev/null");
    skip_if_none(job);
    assert_says(job->out, "ended 0");
    done(job);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(should_tag_every_line_with_its_rank),
    cmocka_unit_test(should_keep_long_and_interleaved_lines_whole),
    cmocka_unit_test(should_lose_nothing_of_much_output),
    cmocka_unit_test(should_end_when_nobody_reads_the_output_any_more),
    cmocka_unit_test(should_give_stdin_to_rank_0_only),
    cmocka_unit_test(should_work_without_any_stdio),
    cmocka_unit_test(should_give_rank_0_the_terminal_through_a_pipe),
    cmocka_unit_test(should_not_stop_when_started_in_the_background_of_a_terminal),
};

LAUNCH_TEST_MAIN(tests)
