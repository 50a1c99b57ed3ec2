/* SPDX-License-Identifier: Apache-2.0 */
/* slow */
/* Delegatees that are none, which this test plays, and options that are wrong. */
#include "launch_fixture.h"

#include "boot/rights.h"

/* Started as hayate-delegatee MODE SOCKET. */
static int fake_delegatee(const char *mode, int socket)
{
    hy_hello hello = {HY_HELLO_MAGIC, HY_ABI};
    hy_ready ready = {.magic = HY_READY_MAGIC, .first = 0, .size = 2};
    hy_order order;
    int segment = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (strcmp(mode, "status") == 0) return 5;
    if (strcmp(mode, "crash") == 0) kill(getpid(), SIGKILL);
    if (strcmp(mode, "silence") == 0) pause();
    if (strcmp(mode, "abi") == 0) hello.abi += 7;
    if (strcmp(mode, "magic") == 0) hello.magic++;
    (void)!send(socket, &hello, sizeof hello, 0);
    if (recv(socket, &order, sizeof order, 0) <= 0) return 0;
    if (strcmp(mode, "refusal") == 0) {
        ready.status = HAYATE_ERR_LAUNCH;
        memset(ready.reason, 'x', sizeof ready.reason); /* not terminated */
    }
    if (strcmp(mode, "numbers") == 0) ready.first = 1;
    if (strcmp(mode, "size") == 0) ready.size = 1;
    if (strcmp(mode, "segment") == 0 &&
        hy_segment_create(2, 1 << 20, &segment, &ready.segment_bytes))
        return 9;
    if (strcmp(mode, "none") == 0) (void)!send(socket, &ready, sizeof ready, 0);
    else hy_rights_send(socket, &ready, sizeof ready, segment);
    (void)!recv(socket, &order, sizeof order, 0);
    return 0;
}

static void assert_refused(const char *mode, const char *reason)
{
    char command[800];
    snprintf(command, sizeof command,
             "D=$(mktemp -d) && cp $HAYATE_RUN $D/hayate-run && cd $D || exit 99\n"
             "printf '#!/bin/sh\\nexec $SELF --delegatee %s $1\\n' >hayate-delegatee\n"
             "chmod %s hayate-delegatee; [ %s != missing ] || rm hayate-delegatee\n"
             "./hayate-run --delegate -n 2 echo a rank; status=$?; rm -rf $D; exit $status",
             mode, strcmp(mode, "mode") == 0 ? "644" : "755", mode);
    launched *job = run(command);
    assert_int_equal(job->status, 1);
    assert_says(job->err, reason);
    assert_int_equal(count_of(job->err, "hayate: "), 1);
    assert_string_equal(job->out, "");
    done(job);
}

static void should_refuse_a_delegatee_of_another_version(void **state)
{
    char text[80];
    (void)state;
    snprintf(text, sizeof text, "has abi %u, the launcher has abi %u; use one version", HY_ABI + 7,
             HY_ABI);
    assert_refused("abi", text);
    assert_refused("magic", "is no delegatee of this version");
}

static void should_say_why_there_is_no_delegatee(void **state)
{
    (void)state;
    assert_refused("missing", "hayate-delegatee: No such file or directory; it must lie next to");
    if (geteuid() != 0) assert_refused("mode", "hayate-delegatee: Permission denied");
    assert_refused("status", "hayate-delegatee ended with status 5 before it was ready");
    assert_refused("crash", "hayate-delegatee was killed by signal 9 (Killed) before it was ready");
    assert_refused("refusal", "the delegatee: xxxx");
    assert_refused("silence", "hayate-delegatee says nothing for 10 s");
}

static void should_not_believe_a_delegatee(void **state)
{
    (void)state;
    assert_refused("numbers", "the delegatee gave 2 ranks the numbers from 1 of 2");
    assert_refused("size", "the delegatee gave 2 ranks the numbers from 0 of 1");
    assert_refused("none", "the numbers from 0 of 2, and no segment");
    assert_refused("null", "hayate: the segment has 0 bytes");
    assert_refused("segment", "the segment of the delegatee is for other ranks");
}

static void should_refuse_a_core_that_is_none(void **state)
{
    (void)state;
    launched *job = run("exec $RUN -n 1 --delegate --delegate-core x true");
    assert_int_equal(job->status, 2);
    assert_says(job->err, "--delegate-core x: expected the number of a CPU");
    done(job);
    job = run("exec $RUN -n 1 --delegate --delegate-core 1023 true");
    assert_int_equal(job->status, 2);
    assert_says(job->err, "--delegate-core 1023: this process may not use that CPU");
    done(job);
    job = run("exec $RUN -n 1 --delegate-core 0 true");
    assert_int_equal(job->status, 2);
    assert_says(job->err, "--delegate-core 0 needs --delegate");
    done(job);
}

#define CLOSED "env PMI_FD=77 PMI_RANK=0 PMI_SIZE=2 $RUN -n 1 "

/* As in a program that a rank of MPI starts. */
static void should_need_the_connection_to_mpiexec(void **state)
{
    (void)state;
    launched *job = run("exec " CLOSED "--delegate echo a rank");
    assert_int_equal(job->status, 2);
    assert_says(job->err, "PMI_FD=77 is not the connection to mpiexec");
    assert_string_equal(job->out, "");
    done(job);
    job = run("exec " CLOSED "echo a rank");
    assert_int_equal(job->status, 0);
    assert_string_equal(job->out, "a rank\n");
    done(job);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(should_refuse_a_delegatee_of_another_version),
    cmocka_unit_test(should_say_why_there_is_no_delegatee),
    cmocka_unit_test(should_not_believe_a_delegatee),
    cmocka_unit_test(should_refuse_a_core_that_is_none),
    cmocka_unit_test(should_need_the_connection_to_mpiexec),
};

int main(int argc, char **argv)
{
    if (argc > 3 && strcmp(argv[1], "--delegatee") == 0)
        return fake_delegatee(argv[2], atoi(argv[3]));
    if (argc > 1) return rank_program(argc - 1, argv + 1);
    unsetenv("HAYATE_DELEGATE");
    fixture_setup();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed ? failed : getenv("HAYATE_RUN") ? 0 : SKIPPED;
}
