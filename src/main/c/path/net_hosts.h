/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The hosts of a job: the IP addresses that its ranks may connect from, as a short list of
 * prefixes. Each node gives the addresses of its interfaces, the nodes tell each other
 * (nodes/network.c), and a listening socket drops what comes from elsewhere, in the kernel, before
 * anybody reads it.
 *
 * A list that is full becomes coarser, never incomplete: the two prefixes that have most in common
 * become one. IPv4 addresses are kept as IPv6 ones (::ffff:a.b.c.d), and of IPv6 addresses the
 * subnet (/64), which hosts change their addresses within.
 */
#ifndef HY_PATH_NET_HOSTS_H
#define HY_PATH_NET_HOSTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HY_NET_HOSTS 16
#define HY_NET_HOSTS_TEXT (HY_NET_HOSTS * 34 + 1) /* room for all of them in digits, with the 0 */

typedef struct hy_net_prefix {
    uint8_t address[16]; /* 0 behind the first `bits` */
    int bits;
} hy_net_prefix;

typedef struct hy_net_hosts {
    int count;
    hy_net_prefix all[HY_NET_HOSTS + 1]; /* the last while one is added */
} hy_net_hosts;

void hy_net_hosts_add(hy_net_hosts *hosts, const uint8_t address[16], int bits);
void hy_net_hosts_merge(hy_net_hosts *hosts, const hy_net_hosts *others);

/* The addresses of this machine's interfaces that other machines can have a use for: those that are
 * up, without loopback addresses and link-local ones of IPv6. Where the system does not tell them
 * it is every address, for the others are not to keep this machine out. */
void hy_net_hosts_add_own(hy_net_hosts *hosts);

/* 34 lower case hexadecimal digits for each: address, bits. */
void hy_net_hosts_print(const hy_net_hosts *hosts, char text[HY_NET_HOSTS_TEXT]);

/* The other way round, of a text from outside; false: it is none. */
bool hy_net_hosts_parse(const char *text, hy_net_hosts *hosts);

/* For people: "10.1.0.0/28, fd00:1::/64", or "no host". */
void hy_net_hosts_describe(const hy_net_hosts *hosts, char *text, size_t room);

/* From now on the kernel drops every packet to this socket of that family (AF_INET, AF_INET6) that
 * comes from another host; the connections that it accepts inherit this. As setsockopt. */
int hy_net_hosts_guard(const hy_net_hosts *hosts, int socket, int family);

#endif
