/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of hosts, their texts, and what a guarded socket lets in. */
#include "base/test.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/hosts.h"

static void parse(const char *text, uint8_t address[16])
{
    memset(address, 0, 16);
    if (strchr(text, ':')) {
        assert_int_equal(inet_pton(AF_INET6, text, address), 1);
        return;
    }
    address[10] = address[11] = 0xff;
    assert_int_equal(inet_pton(AF_INET, text, address + 12), 1);
}

static void add(hy_net_hosts *hosts, const char *text, int bits)
{
    uint8_t address[16];
    parse(text, address);
    hy_net_hosts_add(hosts, address, strchr(text, ':') ? bits : 96 + bits);
}

static void is(const hy_net_hosts *hosts, const char *expected)
{
    char text[1000];
    hy_net_hosts_describe(hosts, text, sizeof text);
    assert_string_equal(text, expected);
}

static bool has(const hy_net_hosts *hosts, const uint8_t address[16])
{
    hy_net_hosts more = *hosts;
    hy_net_hosts_add(&more, address, 128);
    return memcmp(&more, hosts, sizeof more) == 0;
}

TEST(should_keep_each_prefix_once)
{
    hy_net_hosts hosts = {0};
    is(&hosts, "no host");
    add(&hosts, "10.1.2.3", 32);
    add(&hosts, "10.1.2.3", 32);
    add(&hosts, "fd00:1::9", 64);
    is(&hosts, "10.1.2.3/32, fd00:1::/64");
    add(&hosts, "10.1.2.200", 24);
    is(&hosts, "fd00:1::/64, 10.1.2.0/24");
    add(&hosts, "10.1.2.9", 32);
    is(&hosts, "fd00:1::/64, 10.1.2.0/24");
}

/* Whatever comes, nobody is lost; those that are close to each other are put together first. */
TEST(should_become_coarser_when_it_is_full)
{
    char text[40];
    uint8_t address[16];
    hy_net_hosts hosts = {0}, others = {0};
    for (int i = 0; i < HY_NET_HOSTS - 1; i++) {
        snprintf(text, sizeof text, "10.%d.0.1", i);
        add(&hosts, text, 32);
    }
    add(&hosts, "192.168.7.4", 32);
    add(&hosts, "192.168.7.7", 32);
    assert_int_equal(hosts.count, HY_NET_HOSTS);
    hy_net_hosts_describe(&hosts, text, sizeof text);
    parse("192.168.7.6", address);
    assert_true(has(&hosts, address));
    parse("192.168.7.8", address);
    assert_false(has(&hosts, address));
    srand(5);
    for (int i = 0; i < 2000; i++) {
        snprintf(text, sizeof text, i % 5 ? "10.%d.%d.%d" : "fd00:%x::%x:%x", rand() % 256,
                 rand() % 256, rand() % 256);
        add(i % 2 ? &hosts : &others, text, strchr(text, ':') ? 64 : 32);
        parse(text, address);
        assert_true(has(i % 2 ? &hosts : &others, address));
    }
    hy_net_hosts all = hosts;
    hy_net_hosts_merge(&all, &others);
    for (int i = 0; i < others.count; i++) assert_true(has(&all, others.all[i].address));
    for (int i = 0; i < hosts.count; i++) assert_true(has(&all, hosts.all[i].address));
}

TEST(should_read_the_text_that_it_wrote)
{
    char text[HY_NET_HOSTS_TEXT];
    hy_net_hosts hosts = {0}, read;
    add(&hosts, "10.1.2.3", 32);
    add(&hosts, "fd00:1::9", 64);
    hy_net_hosts_print(&hosts, text);
    assert_string_equal(text,
                        "00000000000000000000ffff0a01020380fd00000100000000000000000000000040");
    assert_true(hy_net_hosts_parse(text, &read));
    assert_memory_equal(&read, &hosts, sizeof read);
    assert_true(hy_net_hosts_parse("", &read));
    assert_int_equal(read.count, 0);
}

TEST(should_refuse_a_text_that_is_none)
{
    char text[HY_NET_HOSTS_TEXT + 40];
    hy_net_hosts read;
    static const char good[] = "00000000000000000000ffff0a01020380";
    for (size_t length = 1; length < 34; length++) {
        snprintf(text, sizeof text, "%.*s", (int)length, good);
        assert_false(hy_net_hosts_parse(text, &read));
    }
    for (size_t i = 0; i < 34; i++) {
        memcpy(text, good, sizeof good);
        text[i] = i % 2 ? 'g' : 'A';
        assert_false(hy_net_hosts_parse(text, &read));
    }
    memcpy(text, good, sizeof good);
    text[33] = '1'; /* 129 bits */
    assert_false(hy_net_hosts_parse(text, &read));
    for (int i = 0; i <= HY_NET_HOSTS; i++) memcpy(text + 34 * i, good, sizeof good);
    assert_false(hy_net_hosts_parse(text, &read));
}

/* Who is reached there comes from there. */
TEST(should_know_the_addresses_of_this_machine)
{
    hy_net_hosts own = {0};
    struct ifaddrs *all;
    uint8_t loopback[16];
    hy_net_hosts_add_own(&own);
    parse("127.0.0.1", loopback);
    assert_false(has(&own, loopback));
    assert_int_equal(getifaddrs(&all), 0);
    for (const struct ifaddrs *i = all; i; i = i->ifa_next) {
        if (!i->ifa_addr || i->ifa_addr->sa_family != AF_INET) continue;
        uint8_t address[16] = {[10] = 0xff, [11] = 0xff};
        memcpy(address + 12, &((const struct sockaddr_in *)(void *)i->ifa_addr)->sin_addr, 4);
        if (address[12] != 127) assert_true(has(&own, address));
    }
    freeifaddrs(all);
}

/* ---- sockets ---- */

typedef struct place {
    struct sockaddr_storage address;
    socklen_t length;
} place;

static place place_of(const char *text)
{
    place p = {.length = sizeof(struct sockaddr_in)};
    struct sockaddr_in *in = (void *)&p.address;
    struct sockaddr_in6 *in6 = (void *)&p.address;
    if (inet_pton(AF_INET, text, &in->sin_addr) == 1) in->sin_family = AF_INET;
    else {
        assert_int_equal(inet_pton(AF_INET6, text, &in6->sin6_addr), 1);
        in6->sin6_family = AF_INET6;
        p.length = sizeof *in6;
    }
    return p;
}

static int listen_at(place *p)
{
    int fd = socket(p->address.ss_family, SOCK_STREAM, 0);
    if (bind(fd, (struct sockaddr *)&p->address, p->length) != 0) skip(); /* no IPv6 */
    assert_int_equal(listen(fd, 5), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&p->address, &p->length), 0);
    return fd;
}

static bool lets_in(const place *listener, const char *from)
{
    place mine = place_of(from);
    int fd = socket(mine.address.ss_family, SOCK_STREAM | SOCK_NONBLOCK, 0), error = 0;
    assert_int_equal(bind(fd, (struct sockaddr *)&mine.address, mine.length), 0);
    (void)!connect(fd, (const struct sockaddr *)&listener->address, listener->length);
    struct pollfd events = {.fd = fd, .events = POLLOUT};
    bool in = poll(&events, 1, 200) == 1 &&
              getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &(socklen_t){sizeof error}) == 0 &&
              error == 0;
    close(fd);
    return in;
}

TEST(should_let_in_nobody_but_the_hosts)
{
    place here = place_of("127.0.0.1");
    int fd = listen_at(&here);
    hy_net_hosts hosts = {0};
    add(&hosts, "fd00:1::9", 64);
    assert_int_equal(hy_net_hosts_guard(&hosts, fd, AF_INET), 0);
    assert_false(lets_in(&here, "127.0.0.1"));
    add(&hosts, "10.3.4.5", 32);
    add(&hosts, "127.0.0.7", 32);
    add(&hosts, "127.9.0.0", 16);
    assert_int_equal(hy_net_hosts_guard(&hosts, fd, AF_INET), 0);
    assert_true(lets_in(&here, "127.0.0.7"));
    assert_true(lets_in(&here, "127.9.255.1"));
    assert_false(lets_in(&here, "127.0.0.6"));
    assert_false(lets_in(&here, "127.8.0.1"));
    add(&hosts, "::", 0); /* what all becomes that has nothing in common */
    assert_int_equal(hy_net_hosts_guard(&hosts, fd, AF_INET), 0);
    assert_true(lets_in(&here, "127.0.0.6"));
    close(fd);
}

/* Words of an address of IPv6 one by one, and a part of the last. */
TEST(should_let_in_nobody_but_the_hosts_over_ipv6)
{
    static const struct {
        const char *prefix;
        int bits;
        bool in;
    } cases[] = {{"::1", 128, true},     {"::", 127, true},       {"::2", 127, false},
                 {"::", 64, true},       {"::", 96, true},        {"1::", 64, false},
                 {"0:0:1::", 48, false}, {"::1:0:1", 128, false}, {"::1:0:0:1", 128, false},
                 {"::", 0, true}};
    place here = place_of("::1");
    int fd = listen_at(&here);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hy_net_hosts hosts = {0};
        add(&hosts, "127.0.0.1", 32);
        add(&hosts, cases[i].prefix, cases[i].bits);
        assert_int_equal(hy_net_hosts_guard(&hosts, fd, AF_INET6), 0);
        if (lets_in(&here, "::1") != cases[i].in)
            fail_msg("%s/%d: expected %d", cases[i].prefix, cases[i].bits, cases[i].in);
    }
    close(fd);
}

TEST(should_take_the_longest_list)
{
    char text[40];
    place here = place_of("::1");
    int fd = listen_at(&here);
    hy_net_hosts hosts = {0};
    for (int i = 0; i < HY_NET_HOSTS; i++) {
        snprintf(text, sizeof text, "%x:2:3:4:5:6:7:8", 1 << i);
        add(&hosts, text, 127);
    }
    assert_int_equal(hosts.count, HY_NET_HOSTS);
    assert_int_equal(hy_net_hosts_guard(&hosts, fd, AF_INET6), 0);
    assert_false(lets_in(&here, "::1"));
    close(fd);
}

int main(void)
{
    return tests_run();
}
