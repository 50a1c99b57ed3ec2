/* SPDX-License-Identifier: Apache-2.0 */
/* A rank under a PMI-1 launcher that is played by this test, honest or not. Each rank is a forked
 * child: a process can be a rank once only. */
#include "base/test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/status.h"
#include "boot/boot.h"
#include "boot/pmi1_message.h"

/* What the launcher expects to hear next, and what it answers; NULL: it hangs up. */
typedef struct line {
    const char *expected, *answer;
} line;

static const line hello = {"cmd=init ",
                           "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n"};
static const line space = {"cmd=get_my_kvsname", "cmd=my_kvsname kvsname=kvs_7_0\n"};
static const line barrier = {"cmd=barrier_in", "cmd=barrier_out\n"};
static const line farewell = {"cmd=finalize", "cmd=finalize_ack\n"};
static const line one_node = {"cmd=get kvsname=kvs_7_0 key=PMI_process_mapping",
                              "cmd=get_result rc=0 msg=success value=(vector,(0,1,2))\n"};
static const line two_nodes = {"cmd=get kvsname=kvs_7_0 key=PMI_process_mapping",
                               "cmd=get_result rc=0 value=(vector,(0,2,1))\n"};

typedef struct answer {
    int code, check;
    int nodes, node, leader, here; /* ranks with a part of the segment */
    char reason[400];
} answer;

static bool abort_first, apart;

static void be_rank(int fd, int answers, const char *rank, const char *size)
{
    hy_boot boot;
    char text[16];
    answer a = {.check = HAYATE_OK};
    snprintf(text, sizeof text, "%d", fd);
    setenv("PMI_FD", text, 1);
    setenv("PMI_RANK", rank, 1);
    setenv("PMI_SIZE", size, 1);
    setenv("HAYATE_HEAP", "1M", 1);
    a.code = apart ? hy_boot_open_apart(&boot) : hy_boot_open(&boot);
    snprintf(a.reason, sizeof a.reason, "%s", hayate_error());
    if (a.code == HAYATE_OK) {
        a.check = boot.ops->check(&boot);
        a.nodes = boot.control->nodes;
        a.node = boot.control->node;
        a.leader = boot.control->leader;
        for (int i = 0; i < boot.size; i++) a.here += hy_control_is_here(boot.control, i);
        if (abort_first) hy_boot_abort(&boot, 42);
        boot.ops->close(&boot);
        hy_boot_abort(&boot, 43); /* the launcher hears nothing more */
        hy_boot_release(&boot);
    }
    (void)!write(answers, &a, sizeof a);
    _exit(0);
}

static void hear(int fd, const char *expected)
{
    char text[HY_PMI1_LINE] = "";
    for (size_t used = 0; !strchr(text, '\n') && used < sizeof text - 1; used++)
        if (recv(fd, text + used, 1, 0) <= 0) fail_msg("hung up, expected %s", expected);
    if (strncmp(text, expected, strlen(expected)) != 0)
        fail_msg("%s instead of %s", text, expected);
}

static answer play(const char *rank, const char *size, const line *lines, size_t count)
{
    int pair[2], ends[2];
    answer a = {.code = 1};
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
        close(pair[0]);
        be_rank(pair[1], ends[1], rank, size);
    }
    close(pair[1]);
    close(ends[1]);
    for (size_t i = 0; i < count; i++) {
        if (lines[i].expected) hear(pair[0], lines[i].expected);
        if (lines[i].answer) send(pair[0], lines[i].answer, strlen(lines[i].answer), MSG_NOSIGNAL);
    }
    if (count && !lines[count - 1].answer) shutdown(pair[0], SHUT_RDWR);
    assert_int_equal(read(ends[0], &a, sizeof a), sizeof a);
    close(pair[0]);
    close(ends[0]);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    return a;
}

#define PLAY(rank, size, ...) \
    play(rank, size, (const line[]){__VA_ARGS__}, sizeof((line[]){__VA_ARGS__}) / sizeof(line))

static void is(answer a, int code, const char *reason)
{
    if (a.code != code || !strstr(a.reason, reason))
        fail_msg("code %d, \"%s\" without \"%s\"", a.code, a.reason, reason);
}

TEST(should_be_a_rank_alone)
{
    answer a = PLAY(
        "0", "1", hello, space,
        {"cmd=put kvsname=kvs_7_0 key=hayate-node-0 value=", "cmd=put_result rc=0 msg=success\n"},
        barrier, farewell);
    is(a, HAYATE_OK, "");
    assert_int_equal(a.check, HAYATE_OK);
}

TEST(should_ask_the_launcher_to_end_all_ranks)
{
    abort_first = true;
    answer a = PLAY("0", "1", hello, space, {"cmd=put ", "cmd=put_result\n"}, barrier,
                    {"cmd=abort exitcode=42\n", ""}, farewell);
    abort_first = false;
    is(a, HAYATE_OK, "");
}

TEST(should_take_answers_in_pieces)
{
    answer a = PLAY("0", "1", {"cmd=init ", "cmd=respon"}, {NULL, "se_to_init rc=0\n"}, space,
                    {"cmd=put ", "cmd=put_result\n"}, barrier, farewell);
    is(a, HAYATE_OK, "");
}

TEST(should_refuse_an_environment_that_is_wrong)
{
    is(play("2", "2", NULL, 0), HAYATE_ERR_LAUNCH, "PMI_RANK is 2, expected a number from 0 to 1");
    is(play("0", "0", NULL, 0), HAYATE_ERR_LAUNCH, "PMI_SIZE is 0, expected");
    is(play("-1", "2", NULL, 0), HAYATE_ERR_LAUNCH, "PMI_RANK is -1");
    is(play("0", "99999999999999999999", NULL, 0), HAYATE_ERR_LAUNCH, "PMI_SIZE is 9999");
    is(play("0x", "2", NULL, 0), HAYATE_ERR_LAUNCH, "PMI_RANK is 0x");
}

TEST(should_refuse_a_launcher_that_lies)
{
    static char endless[5000];
    memset(endless, 'x', sizeof endless - 1);
    is(PLAY("1", "2", {"cmd=init ", "HTTP/1.1 400 Bad Request\n"}), HAYATE_ERR_LAUNCH,
       "expected \"cmd=response_to_init");
    is(PLAY("1", "2", {"cmd=init ", "cmd=response_to_init rc=-1 msg=too_old\n"}), HAYATE_ERR_LAUNCH,
       "rc=-1: too_old");
    is(PLAY("1", "2", {"cmd=init ", endless}), HAYATE_ERR_LAUNCH, "without an end of line");
    is(PLAY("1", "2", hello, {"cmd=get_my", "cmd=my_kvsname\n"}), HAYATE_ERR_LAUNCH,
       "expected kvsname=");
    is(PLAY("1", "2", hello, space, {"cmd=get ", "cmd=get_result rc=0 value=(vector,(0,1,0))\n"}),
       HAYATE_ERR_LAUNCH, "PMI_process_mapping");
    is(PLAY("1", "2", hello, space, {"cmd=get ", "cmd=get_result rc=-1 msg=key_not_found\n"}),
       HAYATE_ERR_LAUNCH, "key_not_found");
}

TEST(should_refuse_an_address_that_is_none)
{
    is(PLAY("1", "2", hello, space, one_node, barrier,
            {"cmd=get kvsname=kvs_7_0 key=hayate-node-0", "cmd=get_result rc=0 value=../../etc\n"},
            farewell),
       HAYATE_ERR_LAUNCH, "as the address of this node's first rank");
}

TEST(should_name_the_first_rank_when_it_failed_or_is_gone)
{
    char gone[200];
    is(PLAY("1", "2", hello, space, one_node, barrier,
            {"cmd=get kvsname=kvs_7_0 key=hayate-node-0", "cmd=get_result rc=0 value=failed\n"},
            farewell),
       HAYATE_ERR_PEER_FAILED, "rank 0 could not make the segment");
    snprintf(gone, sizeof gone, "cmd=get_result rc=0 value=%u.%032d.%032d\n", HY_ABI, 7, 8);
    is(PLAY("1", "2", hello, space, one_node, barrier,
            {"cmd=get kvsname=kvs_7_0 key=hayate-node-0", gone}, farewell),
       HAYATE_ERR_PEER_FAILED, "rank 0, the first of this node, ended");
}

TEST(should_meet_alone_on_a_node_among_several)
{
    answer a = PLAY("1", "2", hello, space, two_nodes, two_nodes,
                    {"cmd=put kvsname=kvs_7_0 key=hayate-node-1 value=", "cmd=put_result rc=0\n"},
                    barrier, farewell);
    is(a, HAYATE_OK, "");
}

/* Neither its place on a node of two nor a setting for ranks counts, and nobody need be met. */
TEST(should_be_a_node_of_its_own)
{
    apart = true;
    answer a = PLAY("1", "2", hello, space, one_node, farewell);
    answer alone = PLAY("0", "1", hello, space, farewell);
    apart = false;
    is(a, HAYATE_OK, "");
    assert_int_equal(a.check, HAYATE_OK);
    assert_int_equal(a.nodes, 2);
    assert_int_equal(a.node, 1);
    assert_int_equal(a.leader, 1);
    assert_int_equal(a.here, 1);
    is(alone, HAYATE_OK, "");
    assert_int_equal(alone.nodes, 1);
    assert_int_equal(alone.here, 1);
}

TEST(should_refuse_a_launcher_that_contradicts_itself)
{
    is(PLAY("1", "2", hello, space, two_nodes, one_node,
            {"cmd=put kvsname=kvs_7_0 key=hayate-node-1 value=failed", "cmd=put_result rc=0\n"},
            barrier, farewell),
       HAYATE_ERR_LAUNCH,
       "rank 1 on a node with 1 ranks, the first of them rank 1, and also on one with 2, the "
       "first of them rank 0");
}

#define MAPPING(blocks) \
    { \
        "cmd=get kvsname=kvs_7_0 key=PMI_process_mapping", \
            "cmd=get_result rc=0 value=(vector," blocks ")\n" \
    }

TEST(should_refuse_more_ranks_than_a_job_or_a_node_may_have)
{
    is(PLAY("7", "1048577", hello, space, MAPPING("(0,1048577,1)"), farewell),
       HAYATE_ERR_UNSUPPORTED, "1048577 ranks: expected at most 1048576");
    is(PLAY("7", "4099", hello, space, MAPPING("(0,1,4097),(1,1,2)"), farewell),
       HAYATE_ERR_UNSUPPORTED, "4097 ranks on one node: expected at most 4096");
}

TEST(should_not_hang_when_the_launcher_hangs_up)
{
    is(PLAY("1", "2", {"cmd=init ", NULL}), HAYATE_ERR_LAUNCH, "closed the connection of PMI_FD");
    is(PLAY("1", "2", hello, space, one_node, {"cmd=barrier_in", NULL}), HAYATE_ERR_LAUNCH,
       "closed the connection of PMI_FD");
}

TEST(should_refuse_a_descriptor_that_is_no_socket)
{
    hy_boot boot;
    int fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    char text[16];
    snprintf(text, sizeof text, "%d", fd);
    setenv("PMI_FD", text, 1);
    setenv("PMI_RANK", "0", 1);
    setenv("PMI_SIZE", "1", 1);
    assert_refused(hy_boot_open(&boot), HAYATE_ERR_LAUNCH, "not the launcher's socket");
    close(fd);
    assert_refused(hy_boot_open(&boot), HAYATE_ERR_LAUNCH, "not open");
    unsetenv("PMI_FD");
    setenv("PMI_PORT", "localhost:1", 1);
    assert_refused(hy_boot_open(&boot), HAYATE_ERR_UNSUPPORTED, "-pmi-port");
    unsetenv("PMI_PORT");
}

TEST(should_find_values_only_by_their_whole_key)
{
    char value[8];
    assert_true(hy_pmi1_value("cmd=get arc=9 rc=0", "rc", value, sizeof value));
    assert_string_equal(value, "0");
    assert_true(hy_pmi1_value("a= b=", "b", value, sizeof value));
    assert_string_equal(value, "");
    assert_false(hy_pmi1_value("rcx=1 x", "rc", value, sizeof value));
    assert_true(hy_pmi1_value("v=1234567", "v", value, sizeof value));
    assert_false(hy_pmi1_value("v=12345678", "v", value, sizeof value));
    assert_int_equal(hy_pmi1_check("cmd=x rc=1234567890123456789", "x"), HAYATE_ERR_LAUNCH);
}

int main(void)
{
    unsetenv("PMIX_NAMESPACE");
    unsetenv("HAYATE_BOOT_FD");
    return tests_run();
}
