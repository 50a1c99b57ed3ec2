/* SPDX-License-Identifier: Apache-2.0 */
/* Who may connect at all, and where it listens. The ranks of the job are in one network namespace
 * of this test's own, the stranger in another, with a cable between. */
#include "net/fixture.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>

#include "net/ofi/ofi_net.h"

enum { VICTIM = 0, FRIEND = 1, STRANGER = 2 };
enum { ADDRESS_AT = 80 }; /* in an address */

static const char *const address_of_job = "10.77.0.1";
static int job_network, other_network; /* namespaces */

/* ---- two networks ---- */

static bool map_user(const char *file, unsigned id)
{
    char text[40];
    int fd = open(file, O_WRONLY);
    int length = snprintf(text, sizeof text, "0 %u 1", id);
    bool good = fd >= 0 && write(fd, text, (size_t)length) == length;
    if (fd >= 0) close(fd);
    return good;
}

/* A descriptor of it, for children as well: `ip`; or -1. */
static int enter_new_network(void)
{
    if (unshare(CLONE_NEWNET) != 0 || system("ip link set lo up") != 0) return -1;
    return open("/proc/self/ns/net", O_RDONLY);
}

/* Who is not root is root of a namespace. */
static bool make_networks(void)
{
    char command[400];
    unsigned user = geteuid();
    if (user != 0 && (unshare(CLONE_NEWUSER) != 0 || !map_user("/proc/self/uid_map", user)))
        return false;
    other_network = enter_new_network();
    job_network = enter_new_network();
    if (other_network < 0 || job_network < 0) return false;
    snprintf(command, sizeof command,
             "ip link add job type veth peer name other netns /proc/self/fd/%d &&"
             " ip address add %s/24 dev job && ip link set job up &&"
             " nsenter --net=/proc/self/fd/%d sh -c"
             " 'ip address add 10.77.0.2/24 dev other && ip link set other up'",
             other_network, address_of_job, other_network);
    return system(command) == 0;
}

/* Skips the test without libfabric, the rights to make networks, or `ip`. */
static void need_networks(void)
{
    static int made = -1; /* not tried yet */
    if (made < 0) made = has_network() && make_networks();
    if (!made) skip();
}

static void add_host(hy_net_hosts *hosts, const char *address)
{
    uint8_t bytes[16] = {[10] = 0xff, [11] = 0xff};
    CHECK(inet_pton(AF_INET, address, bytes + 12) == 1);
    hy_net_hosts_add(hosts, bytes, 128);
}

/* ---- stories ---- */

static void exchange_something(member *me, uint64_t value)
{
    hy_ep *ep = &me->eps[me->rank == VICTIM ? FRIEND : VICTIM];
    uint64_t before;
    CHECK_OK(ep->ops->put(ep, DATA_AT, &value, sizeof value));
    put_flag(ep, 64, value);
    await(me, 64, value);
    CHECK_OK(ep->ops->atomic(ep, 128, HY_ATOMIC_ADD, 1, 0, &before));
}

static void join_in_network(member *me)
{
    me->attr.one_node = false;
    add_host(&me->attr.hosts, address_of_job);
    CHECK_OK(hy_net_read_attr(&me->attr));
    if (me->rank != STRANGER) join(me);
    else CHECK(setns(other_network, CLONE_NEWNET) == 0);
}

/* As far as a plain socket comes: the kernel lets it in before libfabric knows. */
static bool can_connect(const world *w, int rank)
{
    struct sockaddr_in address;
    memcpy(&address, w->addresses[rank] + ADDRESS_AT, sizeof address);
    CHECK(address.sin_family == AF_INET);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    struct pollfd poll_of = {.fd = fd, .events = POLLOUT};
    int error = connect(fd, (struct sockaddr *)&address, sizeof address) ? errno : 0;
    if (error == EINPROGRESS && poll(&poll_of, 1, 300) == 1)
        getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &(socklen_t){sizeof error});
    close(fd);
    return error == 0;
}

static void meet_a_stranger(member *me)
{
    join_in_network(me);
    if (me->rank != STRANGER) exchange_something(me, 1);
    meet(me);
    if (me->rank == STRANGER) CHECK(!can_connect(me->w, VICTIM));
    if (me->rank == FRIEND) CHECK(can_connect(me->w, VICTIM));
    meet(me);
    if (me->rank != STRANGER) exchange_something(me, 2);
    meet(me);
    if (me->rank != STRANGER) leave(me);
}

TEST(should_let_nobody_in_but_hosts_of_the_job)
{
    need_networks();
    run_stories(3, meet_a_stranger);
}

static void meet_anybody(member *me)
{
    setenv("HAYATE_NET_ADMIT", "any", 1);
    join_in_network(me);
    meet(me);
    if (me->rank == STRANGER) CHECK(can_connect(me->w, VICTIM));
    meet(me);
    if (me->rank != STRANGER) leave(me);
}

TEST(should_let_anybody_in_who_is_asked_for)
{
    need_networks();
    run_stories(3, meet_anybody);
}

static void have_loopback_alone(member *me)
{
    CHECK(enter_new_network() >= 0);
    me->attr.one_node = false;
    CHECK(hy_net_ofi.open(&me->attr, &me->net) == HAYATE_ERR_UNSUPPORTED);
    CHECK(strstr(hayate_error(), "HAYATE_NET_DEVICE=lo"));
    me->attr.device = "lo"; /* as that setting does */
    join(me);
    leave(me);
}

TEST(should_say_how_to_use_loopback_for_several_nodes)
{
    need_networks();
    run_stories(1, have_loopback_alone);
}

/* ---- endpoints ---- */

static int port_of(const world *w, int rank)
{
    struct sockaddr_in address;
    memcpy(&address, w->addresses[rank] + ADDRESS_AT, sizeof address);
    return ntohs(address.sin_port);
}

/* Three ranks, which want an endpoint each and one for a further lane. */
static void listen_in_a_range(member *me)
{
    me->attr.port_low = 47000;
    me->attr.port_high = 47005;
    join(me);
    int endpoint = port_of(me->w, me->rank);
    CHECK(endpoint >= me->attr.port_low && endpoint <= me->attr.port_high);
    meet(me);
    hy_ep further, *ep = &me->eps[(me->rank + 1) % me->size];
    me->net->ops->attach(me->net, &further, ep->rank, 1);
    put_flag(&further, 64, 1);
    await(me, 64, 1);
    const hy_net_base *net = hy_net_base_of(me->net);
    CHECK(net->endpoints[1] != net->endpoints[0]);
    meet(me);
    if (me->rank == VICTIM) { /* all are taken */
        hy_net *net_of_more;
        CHECK(hy_net_ofi.open(&me->attr, &net_of_more) == HAYATE_ERR_SYSTEM);
        CHECK(strstr(hayate_error(), "47000 to 47005") &&
              strstr(hayate_error(), "HAYATE_NET_PORTS"));
    }
    meet(me);
    leave(me);
}

TEST(should_listen_in_the_range_that_is_asked_for)
{
    need_networks();
    run_stories(3, listen_in_a_range);
}

TEST(should_refuse_ports_that_are_none)
{
    static const char *const wrong[] = {"47000",   "47000-", "-5",  "0-10", "10-9",
                                        "1-65536", "1-2x",   "a-b", " ",    "99999999999-1"};
    hy_net_attr attr = {0};
    setenv("HAYATE_NET_PORTS", "47000-47999", 1);
    assert_ok(hy_net_read_attr(&attr));
    assert_int_equal(attr.port_low, 47000);
    assert_int_equal(attr.port_high, 47999);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        setenv("HAYATE_NET_PORTS", wrong[i], 1);
        assert_refused(hy_net_read_attr(&attr), HAYATE_ERR_ARGUMENT, "expected LOW-HIGH");
    }
    unsetenv("HAYATE_NET_PORTS");
    setenv("HAYATE_NET_ADMIT", "nobody", 1);
    assert_int_equal(hy_net_read_attr(&attr), HAYATE_ERR_ARGUMENT);
    unsetenv("HAYATE_NET_ADMIT");
}

int main(void)
{
    tested = &hy_net_ofi;
    return tests_run();
}
