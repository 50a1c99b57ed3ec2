/* SPDX-License-Identifier: Apache-2.0 */
/* What the programs that run as ranks share: scenarios by name, checks that name the rank and the
 * line, data that show where they come from, and a limit of time instead of a hang. */
#ifndef HY_TEST_SCENARIO_H
#define HY_TEST_SCENARIO_H

#include <hayate/fmpl.h>

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

typedef struct scenario {
    const char *name;
    void (*run)(void);
} scenario;

/* What SCENARIO(should_do_something) { ... } has defined, in the order there; SCENARIO_AS() gives a
 * shorter name for the command line. */
static scenario defined_scenarios[64];

#define SCENARIO_AS(its_name, function) \
    static void function(void); \
    __attribute__((constructor)) static void function##_is_there(void) \
    { \
        defined_scenarios[__COUNTER__] = (scenario){its_name, function}; \
    } \
    static void function(void)

#define SCENARIO(function) SCENARIO_AS(#function, function)

static int rank, size;
static const char *scenario_now = "start";

#define CHECK(condition) \
    do { \
        if (!(condition)) check_failed(__LINE__, #condition, 0); \
    } while (0)

/* `ier` of the call just made. */
#define CHECK_CODE(ier, code) \
    do { \
        const int its_code = (ier); \
        if (its_code != (code)) check_failed(__LINE__, #code " expected", its_code); \
    } while (0)
#define CHECK_OK(ier) CHECK_CODE(ier, FMPL_SUCCESS)

/* A call that tells by `ier`. */
#define CALL_CODE(call, code) \
    do { \
        call; \
        CHECK_CODE(ier, code); \
    } while (0)
#define CALL_OK(call) CALL_CODE(call, FMPL_SUCCESS)

static inline int right(void)
{
    return (rank + 1) % size;
}
static inline int left(void)
{
    return (rank + size - 1) % size;
}

static inline void check_failed(int line, const char *what, int ier)
{
    fprintf(stderr, "FAILED %s: rank %d of %d, line %d: %s; code %d (%s)\n", scenario_now, rank,
            size, line, what, ier, hayate_error());
    _exit(3);
}

static inline uint64_t word_at(uint64_t seed, uint64_t i)
{
    uint64_t x = (seed * 0x9e3779b9u + i + 1) * UINT64_C(0xbf58476d1ce4e5b9);
    return x ^ x >> 29;
}

/* Data that show the seed and the place, every byte of them. */
static inline void fill(void *memory, uint64_t bytes, uint64_t seed)
{
    uint8_t *to = memory;
    for (uint64_t i = 0; i < bytes; i += 8) {
        uint64_t word = word_at(seed, i);
        memcpy(to + i, &word, bytes - i < 8 ? bytes - i : 8);
    }
}

static inline bool holds(const void *memory, uint64_t bytes, uint64_t seed)
{
    const uint8_t *from = memory;
    bool same = true;
    for (uint64_t i = 0; i < bytes; i += 8) {
        uint64_t word = word_at(seed, i);
        same &= memcmp(from + i, &word, bytes - i < 8 ? bytes - i : 8) == 0;
    }
    return same;
}

static inline bool all_are(const void *memory, uint64_t bytes, uint8_t value)
{
    const uint8_t *from = memory;
    for (uint64_t i = 0; i < bytes; i++) {
        if (from[i] != value) return false;
    }
    return true;
}

static inline void pause_us(unsigned us)
{
    uint64_t end = hy_now_ns() + (uint64_t)us * 1000;
    while (hy_now_ns() < end) sched_yield();
}

static inline uint64_t eager_limit(void)
{
    const char *text = getenv("HAYATE_EAGER_LIMIT");
    return text ? strtoull(text, NULL, 10) : 4096;
}

static inline bool way_is(const char *way)
{
    const char *text = getenv("HAYATE_RENDEZVOUS");
    return strcmp(text ? text : "auto", way) == 0;
}

/* Every peer is behind a network, that of net/fault or another: nothing of it is mapped. */
static inline bool all_are_far(void)
{
    const char *plan = getenv("HAYATE_TEST_FAULT");
    if (getenv("HAYATE_TEST_FAR")) return true; /* each on a node of its own */
    return getenv("HAYATE_NET_LOCAL") && !(plan && strstr(plan, "nodes="));
}

/* Messages take long here: each kind of everything is enough, not every combination. */
static inline bool is_light(void)
{
    return getenv("HAYATE_TEST_LIGHT") != NULL;
}

static inline void barrier(void)
{
    int ier = 1;
    CALL_OK(fmpl_barrier(FMPL_COMM_WORLD, &ier));
}

/* Memory of `bytes` from the heap or not, never NULL. */
static inline uint8_t *memory_of(bool heap, uint64_t bytes)
{
    uint8_t *memory = heap ? hayate_alloc(bytes + 1) : malloc(bytes + 1);
    CHECK(memory != NULL);
    return memory;
}
static inline void memory_free(bool heap, void *memory)
{
    if (heap) CHECK_OK(hayate_free(memory));
    else free(memory);
}

static inline void start_ranks(int count)
{
    int ier = 1;
    /* A hang is a failure: SIGALRM ends the rank, and the launcher the job. */
    alarm(420);
    CHECK_OK(hayate_init());
    rank = hayate_rank();
    size = hayate_size();
    CALL_OK(fmpl_init(NULL, NULL, count, &ier));
}

static inline void end_ranks(void)
{
    int ier = 1;
    scenario_now = "end";
    barrier();
    CALL_OK(fmpl_finalize(&ier));
    CHECK_OK(hayate_finalize());
}

/* Runs the scenarios named on the command line, all without names; a barrier before each. */
static inline int run_scenarios(const scenario *list, size_t count, int argc, char **argv)
{
    int done = 0;
    for (size_t i = 0; i < count; i++) {
        bool wanted = argc <= 1;
        for (int a = 1; a < argc; a++) wanted |= strcmp(argv[a], list[i].name) == 0;
        if (!wanted) continue;
        scenario_now = list[i].name;
        barrier();
        uint64_t start = hy_now_ns();
        list[i].run();
        done++;
        if (rank == 0 && getenv("SCENARIO_TIMES"))
            fprintf(stderr, "%-24s %6.1f ms\n", list[i].name, (double)(hy_now_ns() - start) / 1e6);
    }
    CHECK(done > 0);
    return 0;
}

static inline int scenarios_run(int argc, char **argv)
{
    size_t count = 0;
    while (defined_scenarios[count].run) count++;
    return run_scenarios(defined_scenarios, count, argc, argv);
}

/* All there is to do for most programs. */
static inline int ranks_run_scenarios(int entries, int argc, char **argv)
{
    start_ranks(entries);
    int rc = scenarios_run(argc, argv);
    end_ranks();
    return rc;
}

#endif
