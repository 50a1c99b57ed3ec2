/* SPDX-License-Identifier: Apache-2.0 */
/* The host of a node's ranks as a thread of this process; its guests are threads, too, so that they
 * all have its pid. */
#ifndef HY_TEST_NODE_FIXTURE_H
#define HY_TEST_NODE_FIXTURE_H

#include "base/test.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/status.h"
#include "boot/boot.h"
#include "boot/node.h"
#include "boot/segment.h"
#include "boot/wire.h"

#define HEAP (UINT64_C(1) << 20)
#define LIMIT_MS 20000

typedef struct hosting {
    hy_node_host host;
    pthread_t thread;
    int limit_ms, rc, peer;
    char reason[256];
} hosting;

/* Of the test, until end(). */
static hosting *hosted;

static inline hosting *prepare(int size)
{
    hosting *h = hosted = calloc(1, sizeof *h);
    assert_non_null(h);
    h->limit_ms = LIMIT_MS;
    h->host = (hy_node_host){.listener = -1, .rank = 0, .size = size};
    assert_ok(hy_segment_create(size, HEAP, &h->host.segment_fd, &h->host.segment_bytes));
    assert_ok(hy_segment_map(h->host.segment_fd, (uint32_t)size, h->host.segment_bytes,
                             &h->host.control));
    assert_ok(hy_node_listen(&h->host));
    return h;
}

static inline void *serve(void *argument)
{
    hosting *h = argument;
    h->rc = hy_node_serve(&h->host, h->limit_ms);
    h->peer = hayate_error_peer();
    snprintf(h->reason, sizeof h->reason, "%s", hayate_error());
    close(h->host.listener);
    return NULL;
}

static inline void begin(hosting *h)
{
    assert_int_equal(pthread_create(&h->thread, NULL, serve, h), 0);
}

static inline int end(void **state)
{
    (void)state;
    if (!hosted) return 0;
    munmap(hosted->host.control, hosted->host.segment_bytes);
    close(hosted->host.segment_fd);
    free(hosted);
    hosted = NULL;
    return 0;
}

static inline void finish(hosting *h, int rc)
{
    pthread_join(h->thread, NULL);
    if (h->rc != rc) fail_msg("code %d: %s", h->rc, h->reason);
}

typedef struct visiting {
    hosting *at;
    pthread_t thread;
    int rank, rc, fd;
    uint64_t bytes;
    char reason[256];
} visiting;

static inline void *visit(void *argument)
{
    visiting *v = argument;
    v->rc = hy_node_visit(&v->at->host.address, 0, v->rank, LIMIT_MS, &v->fd, &v->bytes);
    snprintf(v->reason, sizeof v->reason, "%s", hayate_error());
    return NULL;
}

static inline void come(visiting *v, hosting *h, int rank)
{
    *v = (visiting){.at = h, .rank = rank, .fd = -1};
    assert_int_equal(pthread_create(&v->thread, NULL, visit, v), 0);
}

static inline void is_in(visiting *v)
{
    struct stat mine, theirs;
    pthread_join(v->thread, NULL);
    if (v->rc) fail_msg("rank %d: %s", v->rank, v->reason);
    assert_int_equal(fstat(v->fd, &mine), 0);
    assert_int_equal(fstat(v->at->host.segment_fd, &theirs), 0);
    assert_int_equal(mine.st_ino, theirs.st_ino);
    assert_int_equal(v->bytes, v->at->host.segment_bytes);
    close(v->fd);
}

/* A connection of its own making. */
static inline int connect_to(const hosting *h)
{
    struct sockaddr_un where;
    socklen_t length = hy_node_address_socket(&h->host.address, &where);
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&where, length), 0);
    return fd;
}

static inline hy_join join_of(const hosting *h, int rank)
{
    hy_join join = {
        .magic = HY_JOIN_MAGIC, .abi = HY_ABI, .rank = (uint32_t)rank, .pid = (uint32_t)getpid()};
    memcpy(join.token, h->host.address.token, sizeof join.token);
    return join;
}

#endif
