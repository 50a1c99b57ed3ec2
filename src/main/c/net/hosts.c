/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps the list of prefixes, converts it to text and back, and turns it into a socket filter
 * (classic BPF).
 */
#include "net/hosts.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <linux/filter.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/ip6.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "base/log.h"

#define IPV4_BITS 96 /* prefix length of ::ffff:0:0 in front of an IPv4 address */
#define SUBNET_BITS 64

static const uint8_t ipv4_front[16] = {[10] = 0xff, [11] = 0xff};

/* ---- the list ---- */

static int common_bits(const uint8_t *a, const uint8_t *b)
{
    int bits = 0;
    while (bits < 128 && !((a[bits / 8] ^ b[bits / 8]) & 0x80 >> bits % 8)) bits++;
    return bits;
}

static int common_of(const hy_net_prefix *a, const hy_net_prefix *b)
{
    int bits = common_bits(a->address, b->address);
    if (bits > a->bits) bits = a->bits;
    return bits > b->bits ? b->bits : bits;
}

static void cut(hy_net_prefix *prefix, int bits)
{
    prefix->bits = bits;
    for (int i = bits; i < 128; i++) prefix->address[i / 8] &= (uint8_t) ~(0x80 >> i % 8);
}

static bool covers(const hy_net_prefix *a, const hy_net_prefix *b)
{
    return common_of(a, b) == a->bits;
}

/* If the list is full, merges the two prefixes that have the longest common prefix. */
static void merge_closest(hy_net_hosts *hosts)
{
    hy_net_prefix *all = hosts->all;
    int most = -1, first = 0, second = 1;
    for (int i = 0; i < hosts->count; i++)
        for (int j = i + 1; j < hosts->count; j++)
            if (common_of(&all[i], &all[j]) > most)
                most = common_of(&all[i], &all[j]), first = i, second = j;
    cut(&all[first], most);
    all[second] = all[--hosts->count];
}

void hy_net_hosts_add(hy_net_hosts *hosts, const uint8_t address[16], int bits)
{
    hy_net_prefix added;
    memcpy(added.address, address, sizeof added.address);
    cut(&added, bits);
    for (int i = 0; i < hosts->count; i++)
        if (covers(&hosts->all[i], &added)) return;
    for (int i = hosts->count - 1; i >= 0; i--)
        if (covers(&added, &hosts->all[i])) hosts->all[i] = hosts->all[--hosts->count];
    hosts->all[hosts->count++] = added;
    if (hosts->count > HY_NET_HOSTS) merge_closest(hosts);
}

void hy_net_hosts_merge(hy_net_hosts *hosts, const hy_net_hosts *others)
{
    for (int i = 0; i < others->count; i++)
        hy_net_hosts_add(hosts, others->all[i].address, others->all[i].bits);
}

/* ---- this machine ---- */

static void add_ipv4(hy_net_hosts *hosts, const struct sockaddr_in *in)
{
    uint8_t address[16];
    if (ntohl(in->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET) return;
    memcpy(address, ipv4_front, sizeof address);
    memcpy(address + IPV4_BITS / 8, &in->sin_addr, sizeof in->sin_addr);
    hy_net_hosts_add(hosts, address, 128);
}

static void add_ipv6(hy_net_hosts *hosts, const struct sockaddr_in6 *in)
{
    if (IN6_IS_ADDR_LOOPBACK(&in->sin6_addr) || IN6_IS_ADDR_LINKLOCAL(&in->sin6_addr)) return;
    hy_net_hosts_add(hosts, in->sin6_addr.s6_addr, SUBNET_BITS);
}

void hy_net_hosts_add_own(hy_net_hosts *hosts)
{
    static const uint8_t anybody[16] = {0};
    struct ifaddrs *all = NULL;
    if (getifaddrs(&all) != 0) {
        hy_log(HY_LOG_WARN,
               "any host may connect to ranks of this job: cannot list the addresses of this "
               "machine's interfaces (errno %d)",
               errno);
        hy_net_hosts_add(hosts, anybody, 0);
        return;
    }
    for (const struct ifaddrs *i = all; i; i = i->ifa_next) {
        if (!i->ifa_addr || !(i->ifa_flags & IFF_UP)) continue;
        const void *address = i->ifa_addr;
        if (i->ifa_addr->sa_family == AF_INET) add_ipv4(hosts, address);
        if (i->ifa_addr->sa_family == AF_INET6) add_ipv6(hosts, address);
    }
    freeifaddrs(all);
}

/* ---- texts ---- */

void hy_net_hosts_print(const hy_net_hosts *hosts, char text[HY_NET_HOSTS_TEXT])
{
    *text = '\0';
    for (int i = 0; i < hosts->count; i++) {
        for (int k = 0; k < 16; k++, text += 2) sprintf(text, "%02x", hosts->all[i].address[k]);
        text += sprintf(text, "%02x", hosts->all[i].bits);
    }
}

static int digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* 17 bytes; stops at a character that is not a hexadecimal digit. */
static bool parse_prefix(const char *text, uint8_t bytes[17])
{
    for (int i = 0; i < 17; i++) {
        int high = digit(text[2 * i]), low = high < 0 ? -1 : digit(text[2 * i + 1]);
        if (low < 0) return false;
        bytes[i] = (uint8_t)(high << 4 | low);
    }
    return bytes[16] <= 128;
}

bool hy_net_hosts_parse(const char *text, hy_net_hosts *hosts)
{
    *hosts = (hy_net_hosts){0};
    for (int i = 0; *text; i++, text += 34) {
        uint8_t bytes[17];
        if (i == HY_NET_HOSTS || !parse_prefix(text, bytes)) return false;
        hy_net_hosts_add(hosts, bytes, bytes[16]);
    }
    return true;
}

static bool is_ipv4(const hy_net_prefix *prefix)
{
    return prefix->bits >= IPV4_BITS && common_bits(prefix->address, ipv4_front) >= IPV4_BITS;
}

void hy_net_hosts_describe(const hy_net_hosts *hosts, char *text, size_t room)
{
    snprintf(text, room, "no host");
    for (int i = 0, used = 0; i < hosts->count && used < (int)room; i++) {
        const hy_net_prefix *prefix = &hosts->all[i];
        int front = is_ipv4(prefix) ? IPV4_BITS : 0;
        char name[INET6_ADDRSTRLEN];
        inet_ntop(front ? AF_INET : AF_INET6, prefix->address + front / 8, name, sizeof name);
        used += snprintf(text + used, room - (size_t)used, "%s%s/%d", used ? ", " : "", name,
                         prefix->bits - front);
    }
}

/* ---- the socket ---- */

/* Words of the filter's scratch memory that hold the sender's address. */
#define WORDS 4
#define LONGEST (2 * WORDS + HY_NET_HOSTS * (3 * WORDS + 1) + 1)

typedef struct program {
    struct sock_filter code[LONGEST];
    unsigned short length;
} program;

static void emit(program *p, uint16_t code, uint32_t operand)
{
    p->code[p->length++] = (struct sock_filter){.code = code, .k = operand};
}

/* The sender's address is in the IP header, whatever the protocol of the socket. */
static void load_sender(program *p, int family)
{
    size_t at = family == AF_INET ? offsetof(struct iphdr, saddr)
                                  : offsetof(struct ip6_hdr, ip6_src);
    for (int word = family == AF_INET ? WORDS - 1 : 0; word < WORDS; word++, at += 4) {
        emit(p, BPF_LD | BPF_W | BPF_ABS, (uint32_t)(SKF_NET_OFF + (int)at));
        emit(p, BPF_ST, (uint32_t)word);
    }
}

/* Accepts the packet if the words from `word` on match the prefix. */
static void take_if_of(program *p, const hy_net_prefix *prefix, int word)
{
    unsigned short compares[WORDS];
    int count = 0;
    for (; word < WORDS && prefix->bits > 32 * word; word++) {
        int bits = prefix->bits - 32 * word;
        uint32_t wanted;
        memcpy(&wanted, prefix->address + 4 * word, sizeof wanted);
        emit(p, BPF_LD | BPF_MEM, (uint32_t)word);
        if (bits < 32) emit(p, BPF_ALU | BPF_AND | BPF_K, ~(UINT32_MAX >> bits));
        compares[count++] = p->length;
        emit(p, BPF_JMP | BPF_JEQ | BPF_K, ntohl(wanted));
    }
    emit(p, BPF_RET | BPF_K, UINT32_MAX);
    for (int i = 0; i < count; i++)
        p->code[compares[i]].jf = (uint8_t)(p->length - compares[i] - 1);
}

/* Whether the prefix contains IPv4 addresses. */
static bool reaches_ipv4(const hy_net_prefix *prefix)
{
    int front = prefix->bits < IPV4_BITS ? prefix->bits : IPV4_BITS;
    return common_bits(prefix->address, ipv4_front) >= front;
}

int hy_net_hosts_guard(const hy_net_hosts *hosts, int socket, int family)
{
    program p = {.length = 0};
    load_sender(&p, family);
    for (int i = 0; i < hosts->count; i++) {
        if (family == AF_INET6) take_if_of(&p, &hosts->all[i], 0);
        else if (reaches_ipv4(&hosts->all[i])) take_if_of(&p, &hosts->all[i], WORDS - 1);
    }
    emit(&p, BPF_RET | BPF_K, 0);
    struct sock_fprog filter = {.len = p.length, .filter = p.code};
    return setsockopt(socket, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter);
}
