/* SPDX-License-Identifier: Apache-2.0 */
/* The rank's side against environments that are wrong and launchers that lie. Each case is a forked
 * child: a process can be a rank once only. The parent plays the launcher. */
#include "base/test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/status.h"
#include "boot/boot.h"
#include "boot/segment_fixture.h"
#include "boot/wire.h"

typedef struct rank_answer {
    int code, check, peer;
    char reason[256];
} rank_answer;

typedef struct fake {
    int socket;  /* the launcher's end */
    int answers; /* what the rank tells the test */
    pid_t pid;
} fake;

/* NULL: the rank itself */
static const char *local_rank;

static void set_environment(const char *rank, const char *size, const char *fd)
{
    setenv("HAYATE_RANK", rank, 1);
    setenv("HAYATE_SIZE", size, 1);
    setenv("HAYATE_LOCAL_RANK", local_rank ? local_rank : rank, 1);
    setenv("HAYATE_BOOT_FD", fd, 1);
}

static void tell(int fd, int code, int check)
{
    rank_answer answer = {.code = code, .check = check, .peer = hayate_error_peer()};
    snprintf(answer.reason, sizeof answer.reason, "%s", hayate_error());
    (void)!write(fd, &answer, sizeof answer);
}

static const char *who = "1", *of = "2";

/* Opens; then, when a launcher plays with it, waits for its end and checks. */
static void be_rank(int fd, int answers)
{
    hy_boot boot;
    char text[16];
    snprintf(text, sizeof text, "%d", fd);
    if (fd >= 0) set_environment(who, of, text);
    int rc = hy_boot_open(&boot);
    tell(answers, rc, rc ? 0 : boot.ops->check(&boot));
    if (!rc) {
        char byte;
        (void)!recv(boot.socket, &byte, 1, 0); /* 0: the launcher has gone */
        int check = boot.ops->check(&boot);
        tell(answers, rc, check);
    }
    _exit(0);
}

static fake start_rank(bool with_socket)
{
    int pair[2], pipe_ends[2];
    fake rank = {.socket = -1};
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), 0);
    assert_int_equal(pipe(pipe_ends), 0);
    rank.pid = fork();
    if (rank.pid == 0) {
        close(pair[0]);
        be_rank(with_socket ? pair[1] : -1, pipe_ends[1]);
    }
    close(pair[1]);
    close(pipe_ends[1]);
    rank.socket = pair[0];
    rank.answers = pipe_ends[0];
    return rank;
}

static rank_answer hear(const fake *rank)
{
    rank_answer answer = {.code = 1234};
    assert_int_equal(read(rank->answers, &answer, sizeof answer), sizeof answer);
    return answer;
}

static void end(fake *rank)
{
    if (rank->socket >= 0) close(rank->socket);
    close(rank->answers);
    assert_int_equal(waitpid(rank->pid, NULL, 0), rank->pid);
}

static void take_hello(const fake *rank)
{
    hy_hello hello;
    assert_int_equal(recv(rank->socket, &hello, sizeof hello, 0), sizeof hello);
    assert_int_equal(hello.magic, HY_HELLO_MAGIC);
    assert_int_equal(hello.abi, HY_ABI);
}

static void welcome_with(const fake *rank, hy_welcome welcome, int fd)
{
    char space[CMSG_SPACE(sizeof(int))] = {0};
    welcome.pid = welcome.pid ? welcome.pid : (uint32_t)rank->pid;
    struct iovec data = {&welcome, sizeof welcome};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1};
    if (fd >= 0) {
        message.msg_control = space;
        message.msg_controllen = sizeof space;
        struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
        rights->cmsg_level = SOL_SOCKET;
        rights->cmsg_type = SCM_RIGHTS;
        rights->cmsg_len = CMSG_LEN(sizeof fd);
        memcpy(CMSG_DATA(rights), &fd, sizeof fd);
    }
    assert_int_equal(sendmsg(rank->socket, &message, 0), sizeof welcome);
}

static hy_welcome good_welcome(uint64_t bytes)
{
    return (hy_welcome){
        .magic = HY_WELCOME_MAGIC, .abi = HY_ABI, .rank = 1, .size = 2, .segment_bytes = bytes};
}

/* What a rank says to `welcome` with the descriptor `fd`. */
static void assert_answer(hy_welcome welcome, int fd, int code, const char *reason)
{
    fake rank = start_rank(true);
    take_hello(&rank);
    welcome_with(&rank, welcome, fd);
    rank_answer answer = hear(&rank);
    if (!strstr(answer.reason, reason)) fail_msg("'%s' is not in: %s", reason, answer.reason);
    assert_int_equal(answer.code, code);
    end(&rank);
}

TEST(should_join_and_notice_that_the_launcher_is_gone)
{
    assert_ok(hy_segment_create(2, 1 << 20, &fd, &bytes));
    fake rank = start_rank(true);
    take_hello(&rank);
    welcome_with(&rank, good_welcome(bytes), fd);
    rank_answer answer = hear(&rank);
    assert_int_equal(answer.code, HAYATE_OK);
    assert_int_equal(answer.check, HAYATE_OK);
    close(rank.socket);
    rank.socket = -1;
    answer = hear(&rank);
    assert_int_equal(answer.check, HAYATE_ERR_PEER_FAILED);
    assert_non_null(strstr(answer.reason, "the launcher (pid "));
    end(&rank);
}

/* Rank 6000 of 6002 is the first of the two on node 2. */
TEST(should_join_a_job_on_several_nodes)
{
    enum { SIZE = 6002 };
    static int32_t node_of[SIZE];
    for (int rank = 0; rank < SIZE; rank++) node_of[rank] = rank / 3000;
    const hy_segment_nodes nodes = {.size = SIZE, .nodes = 3, .node = 2, .node_of = node_of};
    assert_ok(hy_segment_create_among(&nodes, 1 << 20, &fd, &bytes));
    map_segment(SIZE);
    hy_welcome welcome = good_welcome(bytes);
    welcome.size = SIZE;
    of = "6002", local_rank = "0";
    who = "6000", welcome.rank = 6000;
    assert_answer(welcome, fd, HAYATE_OK, "");
    assert_int_equal(hy_load_acquire(&hy_control_live_of(control)->ranks[6000].state),
                     HY_RANK_JOINED);
    who = "5999", welcome.rank = 5999;
    assert_answer(welcome, fd, HAYATE_ERR_CORRUPT, "rank 5999 has no part of this node's segment");
    who = "1", of = "2", local_rank = NULL;
}

/* This process is no task: an address in a welcome means nothing here. */
TEST(should_map_for_itself_when_it_is_not_in_the_launchers_space)
{
    make_segment(2, 1 << 20);
    for (int round = 0; round < 2; round++) {
        hy_welcome welcome = good_welcome(bytes);
        welcome.mapped = 0x1000;
        memset(welcome.space, round ? 0x5a : 0, sizeof welcome.space);
        assert_answer(welcome, fd, HAYATE_OK, "");
        assert_int_equal(hy_load_acquire(&hy_control_live_of(control)->ranks[1].state),
                         HY_RANK_JOINED);
        hy_store_release(&hy_control_live_of(control)->ranks[1].state, HY_RANK_EXPECTED);
    }
}

TEST(should_refuse_a_welcome_that_does_not_fit)
{
    assert_ok(hy_segment_create(2, 1 << 20, &fd, &bytes));
    hy_welcome welcome = good_welcome(bytes);
    welcome.rank = 0;
    assert_answer(welcome, fd, HAYATE_ERR_LAUNCH, "the launcher rank 0 of 2");
    welcome = good_welcome(bytes);
    welcome.magic = 1;
    assert_answer(welcome, fd, HAYATE_ERR_LAUNCH, "not from a launcher of this version");
    welcome = good_welcome(bytes);
    welcome.abi = HY_ABI + 1;
    assert_answer(welcome, fd, HAYATE_ERR_LAUNCH, "abi");
    assert_answer(good_welcome(bytes), -1, HAYATE_ERR_LAUNCH, "sent no segment");
    assert_answer(good_welcome(bytes + 4096), fd, HAYATE_ERR_CORRUPT, " bytes, expected ");
    welcome = good_welcome(bytes);
    welcome.status = HAYATE_ERR_LAUNCH;
    memset(welcome.reason, 'x', sizeof welcome.reason); /* not terminated */
    assert_answer(welcome, fd, HAYATE_ERR_LAUNCH, "refused this process: xxx");
}

TEST(should_refuse_a_damaged_or_loose_segment)
{
    static const size_t fields[] = {offsetof(hy_control, magic), offsetof(hy_control, size),
                                    offsetof(hy_control, control_bytes),
                                    offsetof(hy_control, part_bytes)};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        uint8_t byte;
        assert_ok(hy_segment_create(2, 1 << 20, &fd, &bytes));
        assert_int_equal(pread(fd, &byte, 1, (off_t)fields[i]), 1);
        byte ^= 0x55;
        assert_int_equal(pwrite(fd, &byte, 1, (off_t)fields[i]), 1);
        assert_answer(good_welcome(bytes), fd, HAYATE_ERR_CORRUPT, "control header is damaged");
        drop_segment(NULL);
    }
    int loose = memfd_create("loose", MFD_CLOEXEC);
    assert_int_equal(ftruncate(loose, 1 << 20), 0);
    assert_answer(good_welcome(1 << 20), loose, HAYATE_ERR_CORRUPT, "not sealed");
    close(loose);
}

TEST(should_wait_for_the_answer_that_is_its_own)
{
    hy_welcome stolen;
    assert_ok(hy_segment_create(2, 1 << 20, &fd, &bytes));
    hy_welcome welcome = good_welcome(bytes);
    welcome.pid = 1; /* another process that holds the same socket */
    welcome.status = HAYATE_ERR_LAUNCH;
    int pair[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), 0);
    fake rank = {.socket = pair[0], .answers = -1};
    welcome_with(&rank, welcome, -1);
    int pipe_ends[2];
    assert_int_equal(pipe(pipe_ends), 0);
    rank.pid = fork();
    if (rank.pid == 0) be_rank(pair[1], pipe_ends[1]);
    close(pipe_ends[1]);
    rank.answers = pipe_ends[0];
    take_hello(&rank);
    assert_int_equal(recv(pair[1], &stolen, sizeof stolen, 0), sizeof stolen);
    assert_int_equal(stolen.pid, 1); /* it was left for us */
    welcome_with(&rank, good_welcome(bytes), fd);
    rank_answer answer = hear(&rank);
    assert_int_equal(answer.code, HAYATE_OK);
    close(pair[1]);
    kill(rank.pid, SIGKILL);
    end(&rank);
}

TEST(should_fail_when_the_launcher_ends_before_the_welcome)
{
    fake rank = start_rank(true);
    take_hello(&rank);
    close(rank.socket);
    rank.socket = -1;
    rank_answer answer = hear(&rank);
    assert_int_equal(answer.code, HAYATE_ERR_LAUNCH);
    assert_non_null(strstr(answer.reason, "the launcher ended before it admitted this rank"));
    end(&rank);
}

static void assert_environment(const char *rank, const char *size, const char *fd,
                               const char *reason)
{
    set_environment(rank, size, fd);
    fake child = start_rank(false);
    rank_answer answer = hear(&child);
    if (!strstr(answer.reason, reason)) fail_msg("'%s' is not in: %s", reason, answer.reason);
    assert_int_equal(answer.code, HAYATE_ERR_LAUNCH);
    end(&child);
}

TEST(should_refuse_numbers_that_make_no_sense)
{
    assert_environment("0", "1", "seven", "HAYATE_BOOT_FD is seven, expected a number");
    assert_environment("0", "1", "", "HAYATE_BOOT_FD is , expected a number");
    assert_environment("0", "1", "-3", "HAYATE_BOOT_FD is -3");
    assert_environment("0", "1", "99999999999999999999", "HAYATE_BOOT_FD is 999");
    assert_environment("2", "2", "64", "HAYATE_RANK is 2, expected a number from 0 to 1");
    assert_environment("0", "0", "64", "HAYATE_SIZE is 0, expected a number from 1 to 1048576");
    assert_environment("0", "1048577", "64", "HAYATE_SIZE is 1048577");
    assert_environment("0 ", "1", "64", "HAYATE_RANK is 0 ,");
    local_rank = "4";
    assert_environment("3", "6", "64", "HAYATE_LOCAL_RANK is 4, expected a number from 0 to 3");
    local_rank = NULL;
}

TEST(should_refuse_a_descriptor_that_is_not_the_socket)
{
    char number[16];
    int pipe_ends[2], stream[2];
    assert_environment("0", "1", "987654", "HAYATE_BOOT_FD=987654 is not open");
    assert_int_equal(pipe(pipe_ends), 0);
    snprintf(number, sizeof number, "%d", pipe_ends[0]);
    assert_environment("0", "1", number, "is not the launcher's socket");
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, stream), 0);
    snprintf(number, sizeof number, "%d", stream[0]);
    assert_environment("0", "1", number, "is not the launcher's socket");
    for (int i = 0; i < 2; i++) {
        close(pipe_ends[i]);
        close(stream[i]);
    }
}

int main(void)
{
    tests_each(NULL, drop_segment);
    return tests_run();
}
