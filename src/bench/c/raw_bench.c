/* SPDX-License-Identifier: Apache-2.0 */
/* What the machine itself allows: a cache line handed to and fro between two pinned processes, and
 * with it memory that the one writes and the other reads (pull) or copies (handover); a memcpy by
 * one core, and a single copy out of another process (process_vm_readv), by size. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lines.h"
#include "samples.h"

#define MAX_SIZES 64
#define BATCH_NS 100000u
#define MIN_SAMPLES 5

/* Written by the parent / by the child; lines of their own, a neighbour's prefetch apart. */
struct lines {
    _Alignas(256) _Atomic uint64_t ping;
    _Alignas(256) _Atomic uint64_t pong;
};

struct copy {
    void *to, *from; /* no `to`: the data are only read, where they are */
    size_t bytes;
    pid_t peer; /* 0: memcpy in this process */
    void *own;  /* what the other side takes, written anew in each turn; NULL: the data are stale */
};

static struct samples samples;

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "raw: %s: %s\n", what, strerror(errno));
    exit(1);
}

/* Pins this process to the `index`-th of the CPUs it may use at first; returns how many there are.
 */
static int pin(int index)
{
    static cpu_set_t all;
    cpu_set_t one;
    int seen = 0;

    if (CPU_COUNT(&all) == 0 && sched_getaffinity(0, sizeof all, &all) != 0)
        die("sched_getaffinity");
    CPU_ZERO(&one);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &all) && seen++ == index) CPU_SET(cpu, &one);
    if (CPU_COUNT(&one) == 1 && sched_setaffinity(0, sizeof one, &one) != 0)
        die("sched_setaffinity");
    return seen;
}

static void *map_shared(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED) die("mmap");
    return memset(memory, 1, bytes);
}

static void give(const struct copy *copy, uint64_t turn)
{
    if (copy->own) lines_write(copy->own, copy->bytes, turn);
}

static void take(const struct copy *copy, uint64_t turn)
{
    if (copy->bytes == 0) return;
    if (copy->to) memcpy(copy->to, copy->from, copy->bytes);
    atomic_signal_fence(memory_order_seq_cst); /* the copy may not be optimised away */
    if (copy->own && lines_read(copy->to ? copy->to : copy->from, copy->bytes, turn, 1) != 0) {
        errno = EIO;
        die("wrong data");
    }
}

static _Noreturn void echo_forever(struct lines *lines, const struct copy *copy)
{
    for (uint64_t turn = 1;; turn++) {
        while (atomic_load_explicit(&lines->ping, memory_order_acquire) != turn)
            ;
        take(copy, turn);
        give(copy, turn);
        atomic_store_explicit(&lines->pong, turn, memory_order_release);
    }
}

/* A child on the second CPU that dies with its parent; without lines it only is there. */
static pid_t fork_peer(struct lines *lines, const struct copy *copy)
{
    pid_t child = fork();

    if (child < 0) die("fork");
    if (child > 0) return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    pin(1);
    if (lines) echo_forever(lines, copy);
    for (;;) pause();
}

static uint64_t time_turns(struct lines *lines, const struct copy *copy, uint64_t *turn, int count)
{
    uint64_t start = samples_now_ns();

    for (int i = 0; i < count; i++) {
        give(copy, ++*turn);
        atomic_store_explicit(&lines->ping, *turn, memory_order_release);
        while (atomic_load_explicit(&lines->pong, memory_order_acquire) != *turn)
            ;
        take(copy, *turn);
    }
    return samples_now_ns() - start;
}

/* Half round trips: the parent copies what the child has, the child what the parent has. */
static void run_turns(struct sample_case what, const struct copy *mine, const struct copy *its,
                      long ms)
{
    struct lines *lines = map_shared(sizeof *lines);
    uint64_t turn = 0, begin;
    pid_t child;

    memset(lines, 0, sizeof *lines);
    child = fork_peer(lines, its);
    if (pin(0) < 2) fprintf(stderr, "raw: only one CPU: the two processes share it\n");
    while (time_turns(lines, mine, &turn, what.batch) < BATCH_NS) what.batch *= 2;
    time_turns(lines, mine, &turn, what.batch * 10);
    samples.count = 0;
    begin = samples_now_ns();
    while (samples_now_ns() - begin < (uint64_t)ms * 1000000u || samples.count < MIN_SAMPLES)
        samples_add(&samples, time_turns(lines, mine, &turn, what.batch), 2.0 * what.batch);
    samples_print(&samples, &what);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    munmap(lines, sizeof *lines);
}

static void run_pingpong(long ms)
{
    const struct sample_case what = {"raw", "pingpong", "cacheline", "direct", 8, 2, 1, 0, 0};
    const struct copy nothing = {0};

    run_turns(what, &nothing, &nothing, ms);
}

static void run_handovers(const size_t *sizes, int count, long ms, int copies, int stale)
{
    const char *bench = copies ? "handover" : "pull", *path = copies ? "memcpy" : "loads";

    for (int i = 0; i < count; i++) {
        size_t bytes = sizes[i];
        struct sample_case what = {"raw", bench, path, "direct", bytes, 2, 1, stale, 0};
        char *parents = map_shared(2 * bytes), *childs = map_shared(2 * bytes);
        const struct copy mine = {.to = copies ? parents + bytes : NULL,
                                  .from = childs,
                                  .bytes = bytes,
                                  .own = stale ? NULL : parents};
        const struct copy its = {.to = copies ? childs + bytes : NULL,
                                 .from = parents,
                                 .bytes = bytes,
                                 .own = stale ? NULL : childs};

        run_turns(what, &mine, &its, ms);
        munmap(parents, 2 * bytes);
        munmap(childs, 2 * bytes);
    }
}

static void copy_once(const struct copy *copy)
{
    struct iovec local = {copy->to, copy->bytes}, remote = {copy->from, copy->bytes};

    if (copy->peer == 0) {
        take(copy, 0);
    } else if (process_vm_readv(copy->peer, &local, 1, &remote, 1, 0) != (ssize_t)copy->bytes) {
        die("process_vm_readv");
    }
}

static uint64_t time_copies(const struct copy *copy, int count)
{
    uint64_t start = samples_now_ns();

    for (int i = 0; i < count; i++) copy_once(copy);
    return samples_now_ns() - start;
}

static void run_copy(const struct copy *copy, long ms)
{
    struct sample_case what = {"raw",
                               copy->peer ? "cma" : "memcpy",
                               copy->peer ? "process_vm_readv" : "memcpy",
                               "direct",
                               copy->bytes,
                               1,
                               1,
                               1,
                               0};
    uint64_t begin;

    while (time_copies(copy, what.batch) < BATCH_NS) what.batch *= 2;
    samples.count = 0;
    begin = samples_now_ns();
    while (samples_now_ns() - begin < (uint64_t)ms * 1000000u || samples.count < MIN_SAMPLES)
        samples_add(&samples, time_copies(copy, what.batch), what.batch);
    samples_print(&samples, &what);
}

static void *private_buffer(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED) die("mmap");
    return memset(memory, 1, bytes);
}

static void run_copies(const size_t *sizes, int count, int from_peer, long ms)
{
    struct copy copy = {0};
    size_t most = 0;

    for (int i = 0; i < count; i++) most = sizes[i] > most ? sizes[i] : most;
    copy.to = private_buffer(most);
    copy.from = private_buffer(most);
    if (from_peer) copy.peer = fork_peer(NULL, NULL);
    pin(0);
    for (int i = 0; i < count; i++) {
        copy.bytes = sizes[i];
        run_copy(&copy, ms);
    }
    if (from_peer) {
        kill(copy.peer, SIGKILL);
        waitpid(copy.peer, NULL, 0);
    }
}

static int usage(void)
{
    fprintf(stderr, "usage: raw_bench pingpong|handover|pull|memcpy|cma [--bytes a:b|list] [--ms N]"
                    " [--stale 1]\n");
    return 2;
}

int main(int argc, char **argv)
{
    size_t sizes[MAX_SIZES] = {8};
    int count = 1, stale = 0;
    long ms = 250;

    for (int i = 2; i + 1 < argc; i += 2)
        if (strcmp(argv[i], "--bytes") == 0)
            count = samples_parse_sizes(argv[i + 1], sizes, MAX_SIZES);
        else if (strcmp(argv[i], "--stale") == 0) stale = argv[i + 1][0] == '1';
        else if (strcmp(argv[i], "--ms") == 0) ms = strtol(argv[i + 1], NULL, 10);
        else return usage();
    if (argc < 2 || count < 1 || sizes[0] == 0 || ms < 1) return usage();
    if (strcmp(argv[1], "pingpong") == 0) run_pingpong(ms);
    else if (strcmp(argv[1], "handover") == 0 || strcmp(argv[1], "pull") == 0)
        run_handovers(sizes, count, ms, argv[1][0] == 'h', stale);
    else if (strcmp(argv[1], "memcpy") == 0 || strcmp(argv[1], "cma") == 0)
        run_copies(sizes, count, argv[1][0] == 'c', ms);
    else return usage();
    return 0;
}
