/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as what a cluster's launcher or a stranger on the node's socket says. The first byte
 * chooses: a mapping, a list of peers, an address, a line of PMI-1, or a message to the host of a
 * node. A text is refused with a reason or means what could be; a stranger never gets in. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/status.h"
#include "boot/boot.h"
#include "boot/node.h"
#include "boot/node_place.h"
#include "boot/pmi1_message.h"
#include "boot/segment.h"
#include "boot/wire.h"

#define SIZE 64

static void require(bool truth)
{
    if (!truth) abort();
}

static void read_place(int (*read)(const char *, int, int, hy_node_place *), const char *text)
{
    for (int rank = 0; rank < SIZE; rank += 21) {
        hy_node_place place = {-1, -1};
        int rc = read(text, rank, SIZE, &place);
        require(rc == HAYATE_OK || (rc == HAYATE_ERR_LAUNCH && *hayate_error()));
        if (rc) continue;
        require(place.first >= 0 && place.first <= rank);
        require(place.count >= 1 && place.count <= SIZE);
    }
}

/* All ranks at once: a text that can be is one for each of them. */
static void read_map(const char *text)
{
    int32_t nodes[SIZE];
    hy_node_place place;
    int rc = hy_place_map(text, SIZE, nodes);
    require(rc == hy_place_of_mapping(text, 0, SIZE, &place));
    for (int rank = 0; !rc && rank < SIZE; rank++)
        require(nodes[rank] >= 0 && nodes[rank] <= 2 * HY_PLACE_RANKS);
}

static void read_address(const char *text)
{
    hy_node_address address;
    char again[HY_NODE_TEXT];
    int rc = hy_node_address_parse(text, &address);
    require(rc == HAYATE_OK || rc == HAYATE_ERR_LAUNCH);
    if (rc) return;
    hy_node_address_print(&address, again);
    require(strlen(again) == strlen(text));
}

static void read_line(const char *text)
{
    static const char *const keys[] = {"cmd", "rc", "value", "kvsname", ""};
    char small[4], large[HY_PMI1_LINE];
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        bool fits = hy_pmi1_value(text, keys[i], small, sizeof small);
        bool there = hy_pmi1_value(text, keys[i], large, sizeof large);
        require(!fits || (there && strcmp(small, large) == 0));
        require(!there || !strchr(large, ' '));
    }
    int rc = hy_pmi1_check(text, "get_result");
    require(rc == HAYATE_ERR_LAUNCH || (rc == HAYATE_OK && strstr(text, "cmd=get_result")));
}

static hy_node_host host = {.listener = -1, .rank = 0, .size = 2};

static void *serve(void *unused)
{
    (void)unused;
    require(hy_node_serve(&host, 10000) == HAYATE_OK);
    return NULL;
}

/* Nothing but the token makes a rank, and nobody guesses it. The real rank then gets in as ever. */
static void speak_to_host(const uint8_t *data, size_t size)
{
    struct sockaddr_un where;
    pthread_t thread;
    char answer[512];
    uint64_t bytes;
    int segment;
    if (!host.control) {
        require(!hy_segment_create(2, 1 << 20, &host.segment_fd, &host.segment_bytes));
        require(!hy_segment_map(host.segment_fd, 2, host.segment_bytes, &host.control));
    }
    require(hy_node_listen(&host) == HAYATE_OK);
    require(pthread_create(&thread, NULL, serve, NULL) == 0);
    socklen_t length = hy_node_address_socket(&host.address, &where);
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    require(connect(fd, (struct sockaddr *)&where, length) == 0);
    (void)!send(fd, data, size, MSG_NOSIGNAL);
    require(recv(fd, answer, sizeof answer, 0) <= 0);
    close(fd);
    require(hy_load_acquire(&hy_control_live_of(host.control)->ranks[1].pid) == 0);
    require(hy_node_visit(&host.address, 0, 1, 10000, &segment, &bytes) == HAYATE_OK);
    close(segment);
    pthread_join(thread, NULL);
    close(host.listener);
    require(hy_load_relaxed(&hy_control_live_of(host.control)->ranks[1].pid) == getpid());
    hy_store_relaxed(&hy_control_live_of(host.control)->ranks[1].pid, 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size) return 0;
    char *text = calloc(1, size);
    memcpy(text, data + 1, size - 1);
    switch (data[0] % 64) {
    case 0: speak_to_host(data + 1, size - 1); break;
    case 1: read_address(text); break;
    default:
        read_line(text);
        read_map(text);
        read_place(data[0] & 1 ? hy_place_of_mapping : hy_place_of_peers, text);
    }
    free(text);
    return 0;
}
