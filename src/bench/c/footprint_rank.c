/* SPDX-License-Identifier: Apache-2.0 */
/* A rank: all ranks send to all others, in rounds. Then they keep their memory, so that the
 * program that started them can look at it, until rank 0's standard input delivers a byte or
 * ends. Lines on standard output: "rank R pid P" from each rank, and after all of them "done
 * NANOSECONDS" from rank 0. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <hayate/fmpl.h>
#include <hayate/hayate.h>

#include "footprint.h"

#define MAI 0
#define MOST_BYTES (INT64_C(1) << 30)
#define MOST_ROUNDS 1000000

typedef struct exchange {
    size_t bytes;
    int rank, ranks;
    unsigned char *to, *from; /* one block for each rank */
    fmpl_request_t *requests;
} exchange;

static void need(int code, const char *call)
{
    if (code < 0) footprint_die(1, "%s: %s", call, hayate_error());
}

/* The heaps of all ranks are alike: they fail together, and one message is enough. The launcher
 * ends the other ranks. */
__attribute__((noreturn)) static void lack(const exchange *all, size_t bytes, bool heap)
{
    while (heap && all->rank != 0) pause();
    footprint_die(1, "no memory for messages of %zu bytes to each of %d ranks: %s", bytes,
                  all->ranks, heap ? hayate_error() : strerror(errno));
}

static unsigned char *blocks(const exchange *all, bool heap)
{
    size_t bytes = (all->bytes * (size_t)all->ranks + 63) / 64 * 64;
    unsigned char *memory = heap ? hayate_alloc(bytes) : aligned_alloc(64, bytes);
    if (!memory) lack(all, bytes, heap);
    return memset(memory, 0, bytes);
}

static void prepare(exchange *all, bool heap)
{
    all->rank = hayate_rank();
    all->ranks = hayate_size();
    all->to = blocks(all, heap);
    all->from = blocks(all, heap);
    all->requests = calloc(2 * (size_t)all->ranks, sizeof *all->requests);
    if (!all->requests) footprint_die(1, "no memory for the requests of %d ranks", all->ranks);
}

/* A mark for the sender and the round; never 0, which the memory holds at first. */
static uint64_t mark(int sender, size_t round)
{
    return (uint64_t)(round + 1) << 16 | (uint64_t)sender;
}

static void write_marks(const exchange *all, size_t round)
{
    uint64_t own = mark(all->rank, round);
    for (int peer = 0; peer < all->ranks; peer++)
        memcpy(all->to + (size_t)peer * all->bytes, &own, sizeof own);
}

static void check_marks(const exchange *all, size_t round)
{
    for (int peer = 0; peer < all->ranks; peer++) {
        uint64_t came;
        if (peer == all->rank) continue;
        memcpy(&came, all->from + (size_t)peer * all->bytes, sizeof came);
        if (came != mark(peer, round))
            footprint_die(1, "round %zu: the message of rank %d did not arrive at rank %d", round,
                          peer, all->rank);
    }
}

/* Each rank begins with its neighbour, so that not all of them send to one rank. */
static void run_round(const exchange *all, size_t round)
{
    int ier, n = 0;
    write_marks(all, round);
    for (int i = 1; i < all->ranks; i++) {
        int peer = (all->rank + all->ranks - i) % all->ranks;
        fmpl_irecv(all->from + (size_t)peer * all->bytes, all->bytes, peer, MAI,
                   &all->requests[n++], &ier);
        need(ier, "fmpl_irecv");
    }
    for (int i = 1; i < all->ranks; i++) {
        int peer = (all->rank + i) % all->ranks;
        fmpl_isend(all->to + (size_t)peer * all->bytes, all->bytes, peer, MAI, &all->requests[n++],
                   &ier);
        need(ier, "fmpl_isend");
    }
    fmpl_wait_all(n, all->requests, &ier);
    need(ier, "fmpl_wait_all");
    check_marks(all, round);
}

static void barrier(void)
{
    int ier;
    fmpl_barrier(FMPL_COMM_WORLD, &ier);
    need(ier, "fmpl_barrier");
}

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* One write, so that lines of several ranks do not mix. */
__attribute__((format(printf, 1, 2))) static void tell(const char *format, ...)
{
    char line[128];
    va_list values;
    va_start(values, format);
    int length = vsnprintf(line, sizeof line, format, values);
    va_end(values);
    if (write(STDOUT_FILENO, line, (size_t)length) != length)
        footprint_die(1, "standard output: %s", strerror(errno));
}

/* Every rank keeps its memory until rank 0 has been told that it was looked at. */
static void stay(const exchange *all, uint64_t nanos)
{
    char answer;
    tell("rank %d pid %d\n", all->rank, getpid());
    barrier();
    if (all->rank == 0) {
        tell("done %" PRIu64 "\n", nanos);
        while (read(STDIN_FILENO, &answer, 1) < 0 && errno == EINTR) {}
    }
    barrier();
}

static void run(exchange *all, size_t rounds)
{
    barrier();
    uint64_t start = now();
    for (size_t round = 0; round < rounds; round++) {
        run_round(all, round);
        barrier();
    }
    stay(all, now() - start);
}

int footprint_rank(char **words)
{
    int ier;
    bool heap = strcmp(words[2], "heap") == 0;
    if (!heap && strcmp(words[2], "private") != 0)
        footprint_die(HY_EXIT_USAGE, "'%s': expected heap or private", words[2]);
    exchange all = {.bytes = footprint_number(words[0], sizeof(uint64_t), MOST_BYTES, "bytes")};
    size_t rounds = footprint_number(words[1], 1, MOST_ROUNDS, "rounds");
    need(hayate_init(), "hayate_init");
    fmpl_init(NULL, NULL, 1, &ier);
    need(ier, "fmpl_init");
    prepare(&all, heap);
    run(&all, rounds);
    fmpl_finalize(&ier);
    need(ier, "fmpl_finalize");
    need(hayate_finalize(), "hayate_finalize");
    return 0;
}
