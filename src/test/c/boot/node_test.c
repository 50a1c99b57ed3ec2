/* SPDX-License-Identifier: Apache-2.0 */
/* tsan */
/* The meeting of a node's ranks, and those who come without being asked. */
#include "boot/node_fixture.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "boot/node_watch.h"

static void learns_nothing(int fd)
{
    char data[512];
    assert_int_equal(recv(fd, data, sizeof data, 0), 0);
    close(fd);
}

static void is_told(int fd, const char *reason)
{
    hy_admit answer;
    assert_int_equal(recv(fd, &answer, sizeof answer, 0), sizeof answer);
    assert_int_equal(answer.status, HAYATE_ERR_LAUNCH);
    answer.reason[sizeof answer.reason - 1] = '\0';
    if (!strstr(answer.reason, reason)) fail_msg("\"%s\" without \"%s\"", answer.reason, reason);
    close(fd);
}

/* Rank 1 of two comes, as asked. */
static void meet_guest(hosting *h)
{
    visiting guest;
    come(&guest, h, 1);
    is_in(&guest);
    finish(h, HAYATE_OK);
}

/* A connection on which this has been said. */
static int say(const hosting *h, const void *data, size_t bytes)
{
    int fd = connect_to(h);
    send(fd, data, bytes, 0);
    return fd;
}

TEST(should_hand_the_segment_to_every_rank)
{
    enum { SIZE = 5 };
    visiting guests[SIZE];
    hosting *h = prepare(SIZE);
    begin(h);
    for (int rank = SIZE - 1; rank > 0; rank--) come(&guests[rank], h, rank);
    for (int rank = 1; rank < SIZE; rank++) is_in(&guests[rank]);
    finish(h, HAYATE_OK);
    for (int rank = 0; rank < SIZE; rank++)
        assert_int_equal(hy_load_relaxed(&hy_control_live_of(h->host.control)->ranks[rank].pid),
                         getpid());
}

TEST(should_need_nobody_when_alone)
{
    hosting *h = prepare(1);
    begin(h);
    finish(h, HAYATE_OK);
}

/* Each of them comes first; then the ranks meet as ever. */
TEST(should_tell_strangers_nothing_and_go_on)
{
    hosting *h = prepare(2);
    hy_join wrong = join_of(h, 1), magic = join_of(h, 1);
    wrong.token[15] ^= 1;
    magic.magic++;
    begin(h);
    learns_nothing(say(h, &wrong, sizeof wrong));
    learns_nothing(say(h, &magic, sizeof magic));
    learns_nothing(say(h, &wrong, 3));
    char garbage[3000];
    memset(garbage, 0x5a, sizeof garbage);
    learns_nothing(say(h, garbage, sizeof garbage));
    close(connect_to(h));
    meet_guest(h);
}

/* He knows the token, and nobody should. */
static void come_as_another_user(const hosting *h)
{
    hy_join join = join_of(h, 1);
    char answer[512];
    alarm(20);
    if (setresuid(65534, 65534, 65534) != 0) _exit(1);
    int fd = connect_to(h);
    join.pid = (uint32_t)getpid();
    (void)!send(fd, &join, sizeof join, MSG_NOSIGNAL);
    _exit(recv(fd, answer, sizeof answer, 0) > 0);
}

TEST(should_tell_another_user_nothing)
{
    int status;
    if (geteuid() != 0) skip();
    hosting *h = prepare(2);
    pid_t pid = fork();
    if (pid == 0) come_as_another_user(h);
    begin(h);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    meet_guest(h);
}

TEST(should_not_be_held_up_by_many_who_say_nothing)
{
    enum { SILENT = 100 };
    int silent[SILENT];
    hosting *h = prepare(2);
    begin(h);
    for (int i = 0; i < SILENT; i++) silent[i] = connect_to(h);
    meet_guest(h);
    for (int i = 0; i < SILENT; i++) learns_nothing(silent[i]);
}

/* Those who came first wait where the host would let them in, and it is stopped. */
TEST(should_not_wait_for_ever_to_be_let_in)
{
    hosting *h = prepare(2);
    uint64_t bytes, start;
    int fd;
    assert_int_equal(listen(h->host.listener, 0), 0); /* room for one */
    int first = connect_to(h);
    start = hy_now_ns();
    alarm(20);
    assert_int_equal(hy_node_visit(&h->host.address, 0, 1, 300, &fd, &bytes),
                     HAYATE_ERR_PEER_FAILED);
    alarm(0);
    assert_true(hy_now_ns() - start < UINT64_C(5000000000));
    assert_int_equal(hayate_error_peer(), 0);
    assert_non_null(strstr(hayate_error(), "no answer from rank 0"));
    assert_int_equal(fd, -1);
    close(first);
    close(h->host.listener);
}

/* Strangers give theirs to ranks; what ranks alone need must be there. */
TEST(should_say_that_it_has_too_few_descriptors)
{
    struct rlimit before, few;
    hosting *h = prepare(3);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    int silent = connect_to(h), first = connect_to(h), second = connect_to(h);
    hy_join join = join_of(h, 1);
    send(first, &join, sizeof join, 0);
    few = (struct rlimit){(rlim_t)second + 2, before.rlim_max}; /* it lets one in */
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    begin(h);
    pthread_join(h->thread, NULL);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_int_equal(h->rc, HAYATE_ERR_SYSTEM);
    if (!strstr(h->reason, "ulimit -n")) fail_msg("%s", h->reason);
    assert_int_not_equal(hy_load_acquire(&hy_control_live_of(h->host.control)->ranks[1].pid), 0);
    char data[512];
    assert_true(recv(silent, data, sizeof data, 0) <= 0);
    assert_true(recv(second, data, sizeof data, 0) <= 0);
    close(silent);
    close(second);
    close(first);
}

TEST(should_tell_a_rank_why_it_is_refused)
{
    visiting first;
    hosting *h = prepare(3);
    hy_join abi = join_of(h, 1), range = join_of(h, 3), host = join_of(h, 0), pid = join_of(h, 1);
    abi.abi++;
    pid.pid++;
    begin(h);
    const hy_join *wrong[] = {&abi, &range, &host, &pid};
    static const char *const reasons[] = {"use the same version", "rank 3: expected",
                                          "rank 0: expected", "one pid namespace"};
    for (int i = 0; i < 4; i++) {
        is_told(say(h, wrong[i], sizeof *wrong[i]), reasons[i]);
    }
    int taken = connect_to(h), late = connect_to(h);
    hy_join join = join_of(h, 2);
    send(taken, &join, sizeof join, 0);
    while (hy_load_acquire(&hy_control_live_of(h->host.control)->ranks[2].pid) == 0) usleep(1000);
    send(late, &join, sizeof join, 0);
    is_told(late, "already another process");
    come(&first, h, 1);
    is_in(&first);
    finish(h, HAYATE_OK);
    close(taken);
}

TEST(should_name_a_rank_that_does_not_come)
{
    hosting *h = prepare(3);
    h->limit_ms = 300;
    begin(h);
    hy_join join = join_of(h, 1);
    int fd = say(h, &join, sizeof join);
    finish(h, HAYATE_ERR_PEER_FAILED);
    assert_int_equal(h->peer, 2);
    assert_non_null(strstr(h->reason, "did not connect"));
    learns_nothing(fd);
}

TEST(should_name_a_rank_that_ends_before_all_have_come)
{
    hosting *h = prepare(3);
    begin(h);
    hy_join join = join_of(h, 1);
    int fd = say(h, &join, sizeof join);
    while (hy_load_acquire(&hy_control_live_of(h->host.control)->ranks[1].pid) == 0) usleep(1000);
    close(fd);
    finish(h, HAYATE_ERR_PEER_FAILED);
    assert_int_equal(h->peer, 1);
}

TEST(should_name_the_host_when_it_is_gone)
{
    hosting *h = prepare(2);
    uint64_t bytes;
    int fd;
    close(h->host.listener);
    assert_int_equal(hy_node_visit(&h->host.address, 0, 1, LIMIT_MS, &fd, &bytes),
                     HAYATE_ERR_PEER_FAILED);
    assert_int_equal(hayate_error_peer(), 0);
    assert_int_equal(fd, -1);
}

/* ---- a host that lies ---- */

typedef struct liar {
    int listener;
    hy_admit answer;
    size_t bytes;
} liar;

static void *lie(void *argument)
{
    liar *l = argument;
    hy_join join;
    int fd = accept(l->listener, NULL, NULL);
    (void)!recv(fd, &join, sizeof join, 0);
    if (l->bytes) send(fd, &l->answer, l->bytes, MSG_NOSIGNAL);
    close(fd);
    return NULL;
}

static void lied_to(hy_admit answer, size_t bytes, int code, const char *reason)
{
    hosting *h = prepare(2);
    liar l = {h->host.listener, answer, bytes};
    visiting guest;
    pthread_t thread;
    fcntl(l.listener, F_SETFL, fcntl(l.listener, F_GETFL) & ~O_NONBLOCK);
    assert_int_equal(pthread_create(&thread, NULL, lie, &l), 0);
    come(&guest, h, 1);
    pthread_join(guest.thread, NULL);
    assert_int_equal(guest.rc, code);
    if (!strstr(guest.reason, reason)) fail_msg("\"%s\" without \"%s\"", guest.reason, reason);
    assert_int_equal(guest.fd, -1);
    pthread_join(thread, NULL);
    close(l.listener);
    end(NULL);
}

TEST(should_not_believe_a_host_that_lies)
{
    hy_admit good = {.magic = HY_ADMIT_MAGIC, .abi = HY_ABI, .rank = 1, .size = 2};
    hy_admit magic = good, rank = good, refusal = good;
    magic.magic++;
    rank.rank = 7;
    refusal.status = -1;
    memset(refusal.reason, 'x', sizeof refusal.reason);
    lied_to(good, sizeof good, HAYATE_ERR_LAUNCH, "sent no segment");
    lied_to(good, 5, HAYATE_ERR_LAUNCH, "answered 5 bytes");
    lied_to(magic, sizeof good, HAYATE_ERR_LAUNCH, "not of this version");
    lied_to(rank, sizeof good, HAYATE_ERR_LAUNCH, "rank 0 gave it rank 7");
    lied_to(refusal, sizeof good, HAYATE_ERR_LAUNCH, "refused this process: xxx");
    lied_to(good, 0, HAYATE_ERR_PEER_FAILED, "before it admitted this rank");
}

/* ---- watching ---- */

static pid_t start_child(void)
{
    pid_t pid = fork();
    if (pid == 0) {
        pause();
        _exit(0);
    }
    return pid;
}

/* A zombie has ended: nobody waits for the child before it is seen. */
TEST(should_see_who_ended_and_who_left)
{
    hosting *h = prepare(4);
    hy_control *control = h->host.control;
    hy_node_watch *watch;
    pid_t pids[4] = {getpid()};
    for (int i = 1; i < 4; i++) pids[i] = start_child();
    for (int i = 0; i < 4; i++) {
        hy_control_live_of(control)->ranks[i].pid = pids[i];
        hy_control_live_of(control)->ranks[i].state = HY_RANK_JOINED;
    }
    assert_ok(hy_node_watch_open(&watch, control, 0, -1));
    assert_ok(hy_node_watch_look(watch));
    assert_int_equal(hy_control_live_of(control)->failures, 0);
    hy_control_publish(control, 2, HY_RANK_LEFT, 0);
    siginfo_t ended;
    for (int i = 1; i < 3; i++) {
        kill(pids[i], SIGKILL);
        waitid(P_PID, (id_t)pids[i], &ended, WEXITED | WNOWAIT);
    }
    assert_ok(hy_node_watch_look(watch));
    assert_int_equal(hy_control_live_of(control)->ranks[1].state, HY_RANK_DEAD);
    assert_int_equal(hy_control_live_of(control)->ranks[2].state, HY_RANK_LEFT);
    assert_int_equal(hy_control_live_of(control)->ranks[3].state, HY_RANK_JOINED);
    assert_int_equal(hy_control_live_of(control)->failures, 2);
    assert_ok(hy_node_watch_look(watch));
    assert_int_equal(hy_control_live_of(control)->failures, 2);
    hy_node_watch_close(watch);
    kill(pids[3], SIGKILL);
    for (int i = 1; i < 4; i++) waitpid(pids[i], NULL, 0);
}

TEST(should_see_who_ended_before_it_was_watched)
{
    hosting *h = prepare(2);
    hy_node_watch *watch;
    pid_t pid = start_child();
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    hy_control_live_of(h->host.control)->ranks[1].pid = pid;
    assert_ok(hy_node_watch_open(&watch, h->host.control, 0, -1));
    assert_int_equal(hy_control_live_of(h->host.control)->ranks[1].state, HY_RANK_DEAD);
    hy_node_watch_close(watch);
}

/* What ended the launcher is to be known before its own end is an error. */
TEST(should_see_deaths_before_it_reports_that_the_launcher_is_gone)
{
    hosting *h = prepare(2);
    hy_node_watch *watch;
    int pair[2], rc = HAYATE_OK;
    pid_t pid = start_child();
    hy_control_live_of(h->host.control)->ranks[1].pid = pid;
    hy_control_live_of(h->host.control)->ranks[1].state = HY_RANK_JOINED;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    assert_ok(hy_node_watch_open(&watch, h->host.control, 0, pair[0]));
    assert_ok(hy_node_watch_look(watch));
    close(pair[1]);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    assert_ok(hy_node_watch_look(watch));
    assert_int_equal(hy_control_live_of(h->host.control)->ranks[1].state, HY_RANK_DEAD);
    for (int i = 0; i < 500 && !rc; i++, usleep(10000)) rc = hy_node_watch_look(watch);
    assert_int_equal(rc, HAYATE_ERR_PEER_FAILED);
    assert_int_equal(hy_node_watch_look(watch), HAYATE_ERR_PEER_FAILED);
    hy_node_watch_close(watch);
    close(pair[0]);
}

int main(void)
{
    tests_each(NULL, end);
    return tests_run();
}
