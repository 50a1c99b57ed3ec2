/* SPDX-License-Identifier: Apache-2.0 */
/* tsan */
/* A node's ranks meet while strangers flood the host with connections. */
#include "boot/node_fixture.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "base/level_fixture.h"
#include "base/random_fixture.h"
#include "boot/rights.h"

#define SIZE 5
#define FOREIGN_USER 65534

#define FLOODERS 3
#define HELD 24 /* connections of each that stay open, more than the host has room for */

typedef struct flooder {
    const hosting *at;
    pthread_t thread;
    uint64_t seed;
    bool knows_token;
    _Atomic bool enough;
    _Atomic int said, learnt; /* how often */
} flooder;

/* With descriptors, of which the host must keep none. */
static void send_rights(int fd, const void *data, size_t bytes)
{
    int given = open("/dev/null", O_RDONLY | O_CLOEXEC);
    hy_rights_send(fd, data, bytes, given);
    close(given);
}

/* Nothing, nonsense of any length, and joins that are right but for a bit. */
static void say_something(flooder *f, int fd)
{
    union {
        hy_join join;
        uint8_t bytes[300];
    } said;
    size_t length = random_below(&f->seed, sizeof said);
    for (size_t i = 0; i < sizeof said; i++) said.bytes[i] = (uint8_t)random_draw(&f->seed);
    switch (random_below(&f->seed, 4)) {
    case 0: return;
    case 1: break;
    default:
        said.join = join_of(f->at, 1);
        if (!f->knows_token)
            said.join.token[random_below(&f->seed, 16)] ^= 1 << random_below(&f->seed, 8);
        length = random_below(&f->seed, 2) ? sizeof said.join
                                           : random_below(&f->seed, sizeof said.join);
    }
    if (random_below(&f->seed, 4)) (void)!send(fd, &said, length, MSG_DONTWAIT | MSG_NOSIGNAL);
    else send_rights(fd, &said, length);
}

static void *flood(void *argument)
{
    flooder *f = argument;
    int held[HELD];
    char answer[600];
    struct sockaddr_un where;
    socklen_t length = hy_node_address_socket(&f->at->host.address, &where);
    memset(held, -1, sizeof held);
    for (int i = 0; !f->enough; i = (i + 1) % HELD) {
        if (held[i] >= 0 && recv(held[i], answer, sizeof answer, MSG_DONTWAIT) > 0) f->learnt++;
        if (held[i] >= 0) close(held[i]);
        held[i] = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (connect(held[i], (struct sockaddr *)&where, length) != 0) continue;
        say_something(f, held[i]);
        f->said++;
    }
    for (int i = 0; i < HELD; i++)
        if (held[i] >= 0) close(held[i]);
    return NULL;
}

static int open_descriptors(void)
{
    int count = 0;
    for (int fd = 0; fd < 1024; fd++) count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

/* All ranks come while the host is flooded, and no stranger of this process learns anything. */
static void let_ranks_in_through_a_flood(hosting *h, int round)
{
    flooder flooders[FLOODERS];
    visiting guests[SIZE];
    for (int i = 0; i < FLOODERS; i++) {
        flooders[i] = (flooder){.at = h, .seed = (uint64_t)(10 * round + i + 1)};
        assert_int_equal(pthread_create(&flooders[i].thread, NULL, flood, &flooders[i]), 0);
    }
    begin(h);
    usleep(1000 * (round % 3));
    for (int rank = 1; rank < SIZE; rank++) come(&guests[rank], h, rank);
    for (int rank = 1; rank < SIZE; rank++) is_in(&guests[rank]);
    finish(h, HAYATE_OK);
    for (int i = 0; i < FLOODERS; i++) {
        flooders[i].enough = true;
        pthread_join(flooders[i].thread, NULL);
        assert_int_equal(flooders[i].learnt, 0);
    }
}

TEST(should_let_ranks_in_through_a_flood_of_strangers)
{
    int before = open_descriptors(), rounds = level_seeds(8);
    for (int round = 0; round < rounds; round++) {
        hosting *h = prepare(SIZE);
        let_ranks_in_through_a_flood(h, round);
        end(NULL);
    }
    assert_int_equal(open_descriptors(), before);
}

/* Of a process that knows the token, and is another user's. */
static void flood_as_another_user(flooder *f)
{
    if (setresuid(FOREIGN_USER, FOREIGN_USER, FOREIGN_USER) != 0) _exit(77);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* behind the change of user, which clears it */
    alarm(60);
    flood(f);
    _exit(0);
}

/* Starts it, and waits until it is at it; false: this process may not be another user. */
static bool start_as_another_user(flooder *f, pid_t *pid)
{
    int status = 0;
    *pid = fork();
    assert_true(*pid >= 0);
    if (*pid == 0) flood_as_another_user(f);
    while (f->said < HELD && waitpid(*pid, &status, WNOHANG) == 0) usleep(1000);
    if (status) assert_int_equal(status, 77 << 8);
    return status == 0;
}

TEST(should_tell_a_flood_of_another_user_nothing)
{
    int rounds = level_seeds(8), status = 0;
    pid_t pid;
    if (geteuid() != 0) skip();
    flooder *other = mmap(NULL, sizeof *other, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                          -1, 0);
    assert_true(other != MAP_FAILED);
    for (int round = 0; round < rounds; round++) {
        hosting *h = prepare(SIZE);
        *other = (flooder){.at = h, .seed = (uint64_t)(77 + round), .knows_token = true};
        bool started = start_as_another_user(other, &pid);
        if (started) {
            let_ranks_in_through_a_flood(h, round);
            other->enough = true;
            assert_int_equal(waitpid(pid, &status, 0), pid);
            assert_int_equal(status, 0);
            assert_int_equal(other->learnt, 0);
        }
        end(NULL);
        if (!started) skip();
    }
    munmap(other, sizeof *other);
}

int main(void)
{
    return tests_run();
}
