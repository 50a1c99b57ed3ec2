/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ranks of one test as forked processes, which share nothing but a page of addresses and counters:
 * each has its part for itself and reaches the others by the network alone. A rank that finds
 * something wrong says so on stderr and ends; the test fails by its exit status. The process of the
 * tests itself never opens a network, so that the ranks fork from a process without threads.
 *
 * Or two ranks on two machines (`pair` below), which share nothing at all: a connection carries
 * what the page would.
 */
#ifndef HY_TEST_NET_FIXTURE_H
#define HY_TEST_NET_FIXTURE_H

#include "base/test.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/status.h"
#include "net/net.h"

#ifndef MOST
#define MOST 4 /* ranks */
#endif
#define PART (UINT64_C(24) << 20)
#define DATA_AT 4096

/* Of a rank's life, in seconds. */
static unsigned int limit_s = 300;

/* What a test is of; it is set before the first rank starts. */
static const hy_net_ops *tested;

/* The devices of ranks, in turn; NULL: any. */
static const char *devices[2];

/* This process is this rank of two on two machines; the socket leads to the other. */
static struct {
    int rank, socket;
} pair = {.rank = -1};

typedef struct world {
    int size;
    _Atomic int arrived[64]; /* barriers, in order */
    _Atomic uint64_t note[16];
    _Atomic uint64_t address_bytes[MOST];
    uint8_t addresses[MOST][HY_NET_ADDRESS];
} world;

typedef struct member {
    world *w;
    int rank, size, barriers;
    hy_net *net;
    hy_ep eps[MOST];
    hy_bell own_bell, *bell;
    uint8_t *part;
    hy_net_attr attr;
} member;

typedef void (*story)(member *me);

#define CHECK(what) \
    do { \
        if (!(what)) { \
            fprintf(stderr, "%s:%d: not so: %s (%s)\n", __FILE__, __LINE__, #what, \
                    hayate_error()); \
            _exit(1); \
        } \
    } while (0)

#define CHECK_OK(call) CHECK((call) == HAYATE_OK)

static inline int look_up(void *context, int rank, void *address, size_t *len)
{
    world *w = context;
    while (hy_load_acquire(&w->address_bytes[rank]) == 0) sched_yield();
    *len = w->address_bytes[rank];
    memcpy(address, w->addresses[rank], *len);
    return HAYATE_OK;
}

static inline void tell(const void *data, size_t len)
{
    CHECK(write(pair.socket, data, len) == (ssize_t)len);
}

/* `me` lets its network work meanwhile, if it is not NULL. */
static inline void hear(member *me, void *data, size_t len)
{
    for (size_t got = 0; got < len;) {
        ssize_t n = recv(pair.socket, (uint8_t *)data + got, len - got, me ? MSG_DONTWAIT : 0);
        CHECK(n != 0 && (n > 0 || errno == EAGAIN));
        if (n > 0) got += (size_t)n;
        else if (me && me->net->ops->progress(me->net) == 0) sched_yield();
    }
}

/* The other may use its network before this rank has its address: nothing is let in before. */
static inline void swap_blobs(member *me)
{
    world *w = me->w;
    int other = 1 - me->rank;
    uint64_t len;
    tell((const void *)&w->address_bytes[me->rank], 8);
    tell(w->addresses[me->rank], w->address_bytes[me->rank]);
    hear(NULL, &len, sizeof len);
    CHECK(len <= HY_NET_ADDRESS);
    hear(NULL, w->addresses[other], len);
    hy_store_release(&w->address_bytes[other], len);
}

static inline void meet(member *me)
{
    if (pair.rank >= 0) {
        tell("", 1);
        hear(me, (char[1]){0}, 1);
        return;
    }
    _Atomic int *count = &me->w->arrived[me->barriers++];
    CHECK(me->barriers < 64);
    atomic_fetch_add(count, 1);
    while (hy_load_acquire(count) < me->size) {
        if (me->net) me->net->ops->progress(me->net);
        sched_yield();
    }
}

static inline void join(member *me)
{
    CHECK_OK(tested->open(&me->attr, &me->net));
    size_t len = 0;
    me->net->ops->address(me->net, me->w->addresses[me->rank], &len);
    CHECK(len > 0 && len <= HY_NET_ADDRESS);
    hy_store_release(&me->w->address_bytes[me->rank], len);
    if (pair.rank >= 0) swap_blobs(me);
    for (int i = 0; i < me->size; i++) me->net->ops->attach(me->net, &me->eps[i], i, 0);
}

static inline void leave(member *me)
{
    me->net->ops->close(me->net);
    me->net = NULL;
}

/* Makes the part and the bell of a rank, if somebody else has to reach them too; NULL: they are
 * memory of its process. */
static void (*place)(member *me);

static inline void prepare(member *me, world *w, int rank)
{
    *me = (member){.w = w, .rank = rank, .size = w->size};
    me->bell = &me->own_bell;
    if (place) place(me);
    else me->part = mmap(NULL, PART, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(me->part != MAP_FAILED);
    me->attr = (hy_net_attr){.rank = rank,
                             .ranks = w->size,
                             .part = me->part,
                             .part_bytes = PART,
                             .bell = me->bell,
                             .one_node = pair.rank < 0,
                             .device = devices[rank % 2],
                             .lookup = look_up,
                             .lookup_context = w};
}

static inline world *make_world(int size)
{
    world *w = mmap(NULL, sizeof *w, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(w != MAP_FAILED);
    w->size = size;
    return w;
}

static inline pid_t start_rank(world *w, int rank, story tell_story)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child) return child;
    static member me;
    alarm(limit_s);
    prepare(&me, w, rank);
    tell_story(&me);
    _exit(0);
}

/* All ranks join, do this, and leave in order. */
static story told;
static inline void whole_life(member *me)
{
    join(me);
    meet(me);
    told(me);
    meet(me);
    leave(me);
}

static inline void assert_ended_well(pid_t child)
{
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFSIGNALED(status)) fail_msg("a rank ended by signal %d", WTERMSIG(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static inline void run_stories(int size, story tell_story)
{
    world *w = make_world(size);
    pid_t children[MOST];
    if (pair.rank >= 0) {
        w->size = 2;
        int status;
        waitpid(start_rank(w, pair.rank, tell_story), &status, 0);
        if (status) { /* the other does not know where this one is: that was it */
            printf("not ok - rank %d ended with %d\n", pair.rank, status);
            exit(1);
        }
        munmap(w, sizeof *w);
        return;
    }
    for (int i = 0; i < size; i++) children[i] = start_rank(w, i, tell_story);
    for (int i = 0; i < size; i++) assert_ended_well(children[i]);
    munmap(w, sizeof *w);
}

static inline void run_lives(int size, story tell_story)
{
    told = tell_story;
    run_stories(size, whole_life);
}

/* A test that is the story of each of `size` ranks. */
#define STORY_TEST_BY(run, name, size) \
    static void name##_story(member *me); \
    TEST(name) \
    { \
        run(size, name##_story); \
    } \
    static void name##_story(member *me)
#define STORY_TEST(name, size) STORY_TEST_BY(run_stories, name, size)
#define LIFE_TEST(name, size) STORY_TEST_BY(run_lives, name, size)

/* Waits as a rank does: for a word of its own memory, letting the network work. */
static inline void await(member *me, uint64_t offset, uint64_t value)
{
    const _Atomic uint64_t *word = (const _Atomic uint64_t *)(void *)(me->part + offset);
    for (uint64_t end = hy_now_ns() + UINT64_C(30000000000); hy_load_acquire(word) != value;) {
        if (me->net->ops->progress(me->net) == 0) sched_yield();
        CHECK(hy_now_ns() < end);
    }
}

static inline uint8_t byte_of(uint64_t seed, uint64_t i)
{
    uint64_t x = (seed + i) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint8_t)(x >> 56 ^ x >> 20);
}

static inline void fill(uint8_t *data, size_t len, uint64_t seed)
{
    for (size_t i = 0; i < len; i++) data[i] = byte_of(seed, i);
}

static inline bool holds(const uint8_t *data, size_t len, uint64_t seed)
{
    for (size_t i = 0; i < len; i++)
        if (data[i] != byte_of(seed, i)) return false;
    return true;
}

static inline void put_flag(hy_ep *ep, uint64_t at, uint64_t value)
{
    const hy_flag flag = {value, {value + 1, value + 2, value + 3}};
    CHECK_OK(ep->ops->put_flag(ep, at, &flag));
}

/* Ends the program as skipped where the network cannot be used, and says why. */
static inline bool has_network(void)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        int rc = tested->row->probe();
        if (rc) fprintf(stderr, "SKIPPED %s: %s\n", tested->name, hayate_error());
        _exit(rc ? 77 : 0);
    }
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) exit(1);
    if (WEXITSTATUS(status) % 77) exit(WEXITSTATUS(status));
    return WEXITSTATUS(status) == 0;
}

static inline void need_network(void)
{
    if (!has_network()) exit(77);
}

#endif
