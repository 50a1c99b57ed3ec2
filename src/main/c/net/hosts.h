/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The hosts of a job: the IP addresses from which its ranks may connect, as a short list of
 * prefixes. Each node contributes the addresses of its interfaces and the nodes exchange them
 * (nodes/network.c). On a listening socket the kernel drops packets from other hosts, before the
 * process reads them.
 *
 * A full list becomes coarser, never incomplete: the two prefixes with the longest common prefix
 * are merged. IPv4 addresses are stored as IPv6 addresses (::ffff:a.b.c.d). Of an IPv6 address the
 * subnet (/64) is stored, because hosts change their addresses within it.
 */
#ifndef HY_NET_HOSTS_H
#define HY_NET_HOSTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HY_NET_HOSTS 16
/* Room for all of them as digits, and the terminating 0. */
#define HY_NET_HOSTS_TEXT (HY_NET_HOSTS * 34 + 1)

typedef struct hy_net_prefix {
    uint8_t address[16]; /* 0 behind the first `bits` */
    int bits;
} hy_net_prefix;

typedef struct hy_net_hosts {
    int count;
    hy_net_prefix all[HY_NET_HOSTS + 1]; /* the last one only while one is added */
} hy_net_hosts;

void hy_net_hosts_add(hy_net_hosts *hosts, const uint8_t address[16], int bits);
void hy_net_hosts_merge(hy_net_hosts *hosts, const hy_net_hosts *others);

/* Adds the addresses of this machine's interfaces that are up, without loopback addresses and IPv6
 * link-local addresses. If the system does not list them, adds every address, so that the other
 * nodes do not exclude this machine. */
void hy_net_hosts_add_own(hy_net_hosts *hosts);

/* 34 lower-case hexadecimal digits for each prefix: address, then bits. */
void hy_net_hosts_print(const hy_net_hosts *hosts, char text[HY_NET_HOSTS_TEXT]);

/* Parses such a text, which comes from outside; false: it is invalid. */
bool hy_net_hosts_parse(const char *text, hy_net_hosts *hosts);

/* Human-readable: "10.1.0.0/28, fd00:1::/64", or "no host". */
void hy_net_hosts_describe(const hy_net_hosts *hosts, char *text, size_t room);

/* From now on the kernel drops every packet of the family (AF_INET, AF_INET6) to this socket that
 * comes from another host; connections that the socket accepts inherit this. Returns what
 * setsockopt() returns. */
int hy_net_hosts_guard(const hy_net_hosts *hosts, int socket, int family);

#endif
