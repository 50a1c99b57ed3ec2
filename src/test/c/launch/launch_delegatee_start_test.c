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

static void refuses(const char *mode, const char *reason)
{
    char command[800];
    snprintf(command, sizeof command,
             "D=$(mktemp -d) && cp $HAYATE_RUN $D/hayate-run && cd $D || exit 99\n"
             "printf '#!/bin/sh\\nexec $SELF --delegatee %s $1\\n' >hayate-delegatee\n"
             "chmod %s hayate-delegatee; [ %s != missing ] || rm hayate-delegatee\n"
             "./hayate-run --delegate -n 2 echo a rank; status=$?; rm -rf $D; exit $status",
             mode, strcmp(mode, "mode") == 0 ? "644" : "755", mode);
    launched *job = run_to(1, command);
    assert_says(job->err, "%s", reason);
    assert_int_equal(count_of(job->err, "hayate: "), 1);
    assert_string_equal(job->out, "");
}

TEST(should_refuse_a_delegatee_of_another_version)
{
    char text[80];
    snprintf(text, sizeof text, "has abi %u, the launcher has abi %u; use one version", HY_ABI + 7,
             HY_ABI);
    refuses("abi", text);
    refuses("magic", "is no delegatee of this version");
}

TEST(should_say_why_there_is_no_delegatee)
{
    refuses("missing", "hayate-delegatee: No such file or directory; it must lie next to");
    if (geteuid() != 0) refuses("mode", "hayate-delegatee: Permission denied");
    refuses("status", "hayate-delegatee ended with status 5 before it was ready");
    refuses("crash", "hayate-delegatee was killed by signal 9 (Killed) before it was ready");
    refuses("refusal", "the delegatee: xxxx");
    refuses("silence", "hayate-delegatee says nothing for 10 s");
}

TEST(should_not_believe_a_delegatee)
{
    refuses("numbers", "the delegatee gave 2 ranks the numbers from 1 of 2");
    refuses("size", "the delegatee gave 2 ranks the numbers from 0 of 1");
    refuses("none", "the numbers from 0 of 2, and no segment");
    refuses("null", "hayate: the segment has 0 bytes");
    refuses("segment", "the segment of the delegatee is for other ranks");
}

TEST(should_refuse_a_core_that_is_none)
{
    launched *job = run_to(2, "exec $RUN -n 1 --delegate --delegate-core x true");
    assert_says(job->err, "--delegate-core x: expected the number of a CPU");
    job = run_to(2, "exec $RUN -n 1 --delegate --delegate-core 1023 true");
    assert_says(job->err, "--delegate-core 1023: this process may not use that CPU");
    job = run_to(2, "exec $RUN -n 1 --delegate-core 0 true");
    assert_says(job->err, "--delegate-core 0 needs --delegate");
}

#define CLOSED "env PMI_FD=77 PMI_RANK=0 PMI_SIZE=2 $RUN -n 1 "

/* As in a program that a rank of MPI starts. */
TEST(should_need_the_connection_to_mpiexec)
{
    launched *job = run_to(2, "exec " CLOSED "--delegate echo a rank");
    assert_says(job->err, "PMI_FD=77 is not the connection to mpiexec");
    assert_string_equal(job->out, "");
    job = run_to(0, "exec " CLOSED "echo a rank");
    assert_string_equal(job->out, "a rank\n");
}

int main(int argc, char **argv)
{
    if (argc > 3 && strcmp(argv[1], "--delegatee") == 0)
        return fake_delegatee(argv[2], atoi(argv[3]));
    if (argc > 1) return rank_program(argc - 1, argv + 1);
    unsetenv("HAYATE_DELEGATE");
    fixture_setup();
    tests_each(NULL, launched_forget);
    int failed = tests_run();
    return failed ? failed : getenv("HAYATE_RUN") ? 0 : SKIPPED;
}
