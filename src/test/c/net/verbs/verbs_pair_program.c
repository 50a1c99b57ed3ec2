/* SPDX-License-Identifier: Apache-2.0 */
/* The row over verbs between two machines: `verbs_pair_program RANK HOST`, rank 0 on the machine of
 * that address and rank 1 on the other. Each prints what it found, as TAP. */
#include "net/row_tests.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>

#define PORT 47632

static int listen_for_one(struct sockaddr_in *address)
{
    int on = 1, door = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(setsockopt(door, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0);
    CHECK(bind(door, (struct sockaddr *)address, sizeof *address) == 0 && listen(door, 1) == 0);
    int s = accept(door, NULL, NULL);
    close(door);
    return s;
}

static int connect_to(const struct sockaddr_in *address)
{
    for (int i = 0; i < 600; i++) {
        int s = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(s, (const struct sockaddr *)address, sizeof *address) == 0) return s;
        close(s);
        usleep(200000);
    }
    return -1;
}

static void find_each_other(int rank, const char *host)
{
    int on = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    CHECK(inet_pton(AF_INET, host, &address.sin_addr) == 1);
    pair.rank = rank;
    pair.socket = rank == 0 ? listen_for_one(&address) : connect_to(&address);
    CHECK(pair.socket >= 0);
    setsockopt(pair.socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

STORY_TEST(should_outlive_the_other_machines_rank, 2)
{
    uint64_t before;
    hy_ep *ep = &me->eps[1 - me->rank];
    join(me);
    meet(me);
    CHECK_OK(ep->ops->atomic(ep, 64, HY_ATOMIC_ADD, 1, 0, &before));
    meet(me);
    if (me->rank == 1) _exit(0); /* as if it were killed: nothing is closed in order */
    uint64_t start = hy_now_ns();
    int rc;
    do {
        rc = ep->ops->atomic(ep, 64, HY_ATOMIC_ADD, 1, 0, &before);
    } while (!rc);
    CHECK(rc == HAYATE_ERR_PEER_FAILED && hayate_error_peer() == 1);
    CHECK(hy_now_ns() - start < UINT64_C(15000000000));
    fprintf(stderr, "# %.1f s: %s\n", (double)(hy_now_ns() - start) / 1e9, hayate_error());
    leave(me);
}

int main(int argc, char **argv)
{
    if (argc != 3) return 2;
    tested = &hy_net_verbs;
    rounds = 30;
    thread_turns = 40;
    limit_s = 300;
    longest = 2 << 20; /* the emulated cable drops bursts, and takes its time for more */
    setenv("CMOCKA_MESSAGE_OUTPUT", "TAP", 0);
    need_network();
    find_each_other(atoi(argv[1]), argv[2]);
    return tests_run();
}
