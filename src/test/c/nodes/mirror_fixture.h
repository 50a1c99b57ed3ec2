/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A job of any number of nodes, of which this process is one and all others are its mirror: they do
 * what it does, at the same time. What it writes to any of them they write to it, so it finds it in
 * its own memory; what it publishes they have published, too. The launcher is a thread that speaks
 * PMI-1, the network copies within one part; both count what is asked.
 */
#ifndef HY_TEST_MIRROR_FIXTURE_H
#define HY_TEST_MIRROR_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "boot/pmi1_message.h"
#include "net/net_table.h"
#include "nodes/network.h"

/* ---- the network ---- */

typedef struct mirror {
    hy_net base;
    hy_net_attr attr;
    hy_net_table known; /* peers that were used */
} mirror;

static mirror mirror_net;

static inline uint8_t *mirror_at(uint64_t remote)
{
    return (uint8_t *)mirror_net.attr.part + remote;
}

/* As every network: asks for a peer's address when it is used first. */
static inline int mirror_use(const hy_ep *ep)
{
    static char used;
    uint8_t address[HY_NET_ADDRESS];
    size_t len = sizeof address;
    if (hy_net_table_look(&mirror_net.known, ep->rank)) return HAYATE_OK;
    int rc = mirror_net.attr.lookup(mirror_net.attr.lookup_context, ep->rank, address, &len);
    return rc ? rc : hy_net_table_add(&mirror_net.known, ep->rank, &used);
}

static inline int mirror_put(hy_ep *ep, uint64_t remote, const void *local, size_t len)
{
    int rc = mirror_use(ep);
    if (!rc) memmove(mirror_at(remote), local, len);
    return rc;
}

static inline int mirror_put_flag(hy_ep *ep, uint64_t remote, const hy_flag *flag)
{
    hy_flag *to = (void *)mirror_at(remote);
    int rc = mirror_use(ep);
    if (rc) return rc;
    memcpy(to->data, flag->data, sizeof to->data);
    __atomic_store_n(&to->value, flag->value, __ATOMIC_RELEASE);
    return HAYATE_OK;
}

static inline void mirror_signal(hy_ep *ep, uint64_t slot, uint64_t head, const void *payload,
                                 size_t len)
{
    hy_slot *to = (void *)mirror_at(slot);
    if (mirror_use(ep)) return;
    memcpy(to->payload, payload, len);
    __atomic_store_n((uint64_t *)(uintptr_t)&to->head, head, __ATOMIC_RELEASE);
}

/* Additions alone. */
static inline int mirror_atomic(hy_ep *ep, uint64_t remote, hy_atomic what, uint64_t operand,
                                uint64_t expected, uint64_t *before)
{
    (void)what, (void)expected;
    int rc = mirror_use(ep);
    if (!rc)
        *before = __atomic_fetch_add((uint64_t *)(void *)mirror_at(remote), operand,
                                     __ATOMIC_SEQ_CST);
    return rc;
}

static inline int mirror_flush(hy_ep *ep)
{
    (void)ep;
    return HAYATE_OK;
}

static inline int mirror_probe(void)
{
    return HAYATE_OK;
}

static const hy_path_ops mirror_row = {.name = "mirror",
                                       .put = mirror_put,
                                       .put_flag = mirror_put_flag,
                                       .signal = mirror_signal,
                                       .atomic = mirror_atomic,
                                       .flush = mirror_flush,
                                       .probe = mirror_probe};

static inline int mirror_open(const hy_net_attr *attr, hy_net **net);

static inline void mirror_address(const hy_net *net, void *address, size_t *len)
{
    (void)net;
    *len = 64;
    memset(address, 7, *len);
}

static inline void mirror_attach(hy_net *net, hy_ep *ep, int rank, int lane)
{
    ep->ops = &mirror_row;
    ep->net = net;
    ep->rank = rank;
    ep->lane = lane;
    ep->part_bytes = mirror_net.attr.part_bytes;
}

static inline int mirror_progress(hy_net *net)
{
    (void)net;
    return 0;
}

static inline void mirror_leave(hy_net *net)
{
    (void)net;
}

static inline void mirror_close(hy_net *net)
{
    (void)net;
    hy_sparse_close(&mirror_net.known.entries);
}

static const hy_net_ops mirror_ops = {.name = "mirror",
                                      .row = &mirror_row,
                                      .open = mirror_open,
                                      .address = mirror_address,
                                      .attach = mirror_attach,
                                      .progress = mirror_progress,
                                      .check = mirror_flush,
                                      .leave = mirror_leave,
                                      .close = mirror_close};

static inline int mirror_open(const hy_net_attr *attr, hy_net **net)
{
    mirror_net = (mirror){.base = {.ops = &mirror_ops}, .attr = *attr};
    *net = &mirror_net.base;
    hy_net_table_make(&mirror_net.known, attr->ranks);
    return HAYATE_OK;
}

/* ---- the launcher ---- */

typedef struct mirror_launcher {
    int fd, names;
    const char *mapping;
    _Atomic int puts, gets, barriers;
    char name[32][32], text[32][HY_BOOT_TEXT];
} mirror_launcher;

static mirror_launcher mirror_pmi;

/* The place of "hayate-NAME-RANK". */
static inline int mirror_name(const char *key)
{
    char name[32] = "";
    const char *begin = strchr(key, '-'), *end = strrchr(key, '-');
    int i = 0;
    if (begin && end > begin)
        snprintf(name, sizeof name, "%.*s", (int)(end - begin - 1), begin + 1);
    while (i < mirror_pmi.names && strcmp(mirror_pmi.name[i], name) != 0) i++;
    if (i == mirror_pmi.names && i < 31) strcpy(mirror_pmi.name[mirror_pmi.names++], name);
    return i;
}

static inline void mirror_answer(const char *line, char *answer, size_t room)
{
    char command[32] = "", key[64] = "", value[HY_BOOT_TEXT] = "";
    hy_pmi1_value(line, "cmd", command, sizeof command);
    hy_pmi1_value(line, "key", key, sizeof key);
    hy_pmi1_value(line, "value", value, sizeof value);
    if (strcmp(command, "init") == 0) snprintf(answer, room, "cmd=response_to_init rc=0\n");
    else if (strcmp(command, "get_my_kvsname") == 0)
        snprintf(answer, room, "cmd=my_kvsname kvsname=kvs\n");
    else if (strcmp(command, "barrier_in") == 0) {
        mirror_pmi.barriers++;
        snprintf(answer, room, "cmd=barrier_out\n");
    } else if (strcmp(command, "put") == 0) {
        mirror_pmi.puts++;
        strcpy(mirror_pmi.text[mirror_name(key)], value);
        snprintf(answer, room, "cmd=put_result rc=0\n");
    } else if (strcmp(key, "PMI_process_mapping") == 0)
        snprintf(answer, room, "cmd=get_result rc=0 value=%s\n", mirror_pmi.mapping);
    else if (strcmp(command, "get") == 0) {
        mirror_pmi.gets++;
        snprintf(answer, room, "cmd=get_result rc=0 value=%s\n", mirror_pmi.text[mirror_name(key)]);
    } else snprintf(answer, room, "cmd=finalize_ack\n");
}

static inline void *mirror_launch(void *unused)
{
    char line[HY_PMI1_LINE], answer[HY_PMI1_LINE];
    size_t used = 0;
    while (recv(mirror_pmi.fd, line + used, 1, 0) == 1) {
        if (line[used++] != '\n') continue;
        line[used - 1] = '\0';
        used = 0;
        mirror_answer(line, answer, sizeof answer);
        if (send(mirror_pmi.fd, answer, strlen(answer), MSG_NOSIGNAL) < 0) break;
    }
    return unused;
}

/* The environment of `rank` of `size`, on the nodes of the mapping; it must be alone on its own. */
static inline int mirror_start(int rank, int size, const char *mapping)
{
    static const hy_net_ops *const rows[] = {&mirror_ops, NULL};
    int pair[2];
    char text[16];
    pthread_t thread;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return -1;
    hy_network_rows = rows;
    mirror_pmi.fd = pair[0];
    mirror_pmi.mapping = mapping;
    snprintf(text, sizeof text, "%d", pair[1]);
    setenv("PMI_FD", text, 1);
    snprintf(text, sizeof text, "%d", rank);
    setenv("PMI_RANK", text, 1);
    snprintf(text, sizeof text, "%d", size);
    setenv("PMI_SIZE", text, 1);
    setenv("HAYATE_HEAP", "1M", 1);
    return pthread_create(&thread, NULL, mirror_launch, NULL);
}

#endif
