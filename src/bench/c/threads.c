/* SPDX-License-Identifier: Apache-2.0 */
#include "threads.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "samples.h"

#define BATCH_NS 100000u
#define WOKEN_BATCH_NS 3000000u /* of threads that are woken for it */
#define MOST_BATCH 65536
#define MIN_SAMPLES 5

typedef void (*work)(int lane, int side, long turns);

static const struct threads_library *library;
static struct samples samples;
static int threads = 1, processes;
static int woken; /* the work is not the main thread's */
static long sample_ms = 250;
static size_t bytes = 8;

/* A batch of this rank's threads. */
static pthread_barrier_t begin, end;
static work now;
static long turns;

void *threads_memory(size_t size)
{
    void *memory = aligned_alloc(128, (size + 127) / 128 * 128);

    if (!memory) abort();
    return memset(memory, 0, size);
}

void threads_expect(const void *data, size_t size, unsigned long turn)
{
    if (lines_read(data, size, turn, 1) == 0) return;
    fprintf(stderr, "%s: wrong data of %zu bytes in turn %lu\n", library->impl, size, turn);
    fflush(NULL);
    _Exit(1); /* the launcher ends the other ranks */
}

static void *serve(void *argument)
{
    int lane = (int)(size_t)argument, side = library->rank();

    for (;;) {
        pthread_barrier_wait(&begin);
        if (!now) return NULL;
        now(lane, side, turns);
        pthread_barrier_wait(&end);
    }
}

static void start_team(pthread_t *team)
{
    pthread_barrier_init(&begin, NULL, (unsigned)threads + 1);
    pthread_barrier_init(&end, NULL, (unsigned)threads + 1);
    for (int i = 0; i < threads && woken; i++)
        if (pthread_create(&team[i], NULL, serve, (void *)(size_t)i) != 0) abort();
}

static void end_team(const pthread_t *team)
{
    if (!woken) return;
    now = NULL;
    pthread_barrier_wait(&begin);
    for (int i = 0; i < threads; i++) pthread_join(team[i], NULL);
}

/* The pairs of processes meet at the end: a batch lasts until the last one is through. */
static void run(work what, long count)
{
    if (processes) {
        what(library->rank() % threads, library->rank() / threads, count);
        library->barrier();
        return;
    }
    if (!woken) {
        what(0, library->rank(), count);
        return;
    }
    now = what, turns = count;
    pthread_barrier_wait(&begin);
    pthread_barrier_wait(&end);
}

static uint64_t batch(work what, long count)
{
    uint64_t start;

    library->tell(count);
    library->barrier();
    start = samples_now_ns();
    run(what, count);
    return samples_now_ns() - start;
}

static void follow(work what)
{
    for (long count; (count = library->tell(0)) != 0;) {
        library->barrier();
        run(what, count);
    }
}

static void print(const char *bench, long count)
{
    double median = samples_percentile(&samples, 50.0);

    printf("{\"impl\":\"%s\",\"bench\":\"%s\",\"path\":\"%s\",\"as\":\"%s\",\"threads\":%d,"
           "\"bytes\":%zu,\"min_us\":%.4f,\"median_us\":%.4f,\"p99_us\":%.4f,"
           "\"messages_per_s\":%.0f,\"samples\":%zu,\"batch\":%ld}\n",
           library->impl, bench, library->path, processes ? "processes" : "threads", threads, bytes,
           samples_percentile(&samples, 0.0), median, samples_percentile(&samples, 99.0),
           median > 0 ? threads * 1e6 / median : 0, samples.count, count);
    fflush(stdout);
}

static void measure(const char *bench, work what, double operations)
{
    uint64_t start = samples_now_ns(), limit = (uint64_t)sample_ms * 1000000u;
    uint64_t least = threads > 1 ? WOKEN_BATCH_NS : BATCH_NS;
    long count = 1;

    if (library->rank() != 0) {
        follow(what);
        return;
    }
    /* Twice, lest one that was disturbed is taken to be long enough. */
    while ((batch(what, count) < least || batch(what, count) < least) && count < MOST_BATCH)
        count *= 2;
    while (samples_now_ns() - start < limit / 5) batch(what, count);
    samples.count = 0;
    start = samples_now_ns();
    while (samples_now_ns() - start < limit || samples.count < MIN_SAMPLES)
        samples_add(&samples, batch(what, count), (double)count * operations);
    library->tell(0);
    print(bench, count);
}

static int usage(const char *name)
{
    fprintf(stderr, "usage: %s --threads T [--processes] [--bytes B] [--ms N]\n", name);
    return 2;
}

static int parse(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--processes") == 0) processes = 1;
        else if (strcmp(argv[i], "--threads") == 0 && i + 1 < argc) threads = atoi(argv[++i]);
        else if (strcmp(argv[i], "--bytes") == 0 && i + 1 < argc) bytes = (size_t)atol(argv[++i]);
        else if (strcmp(argv[i], "--ms") == 0 && i + 1 < argc) sample_ms = atol(argv[++i]);
        else return 0;
    }
    return threads >= 1 && threads <= THREADS_MOST && sample_ms >= 1 && bytes >= 8 &&
           bytes <= THREADS_MOST_BYTES && bytes % 8 == 0 &&
           library->size() == (processes ? 2 * threads : 2);
}

int threads_main(const struct threads_library *used, int argc, char **argv)
{
    pthread_t team[THREADS_MOST];

    library = used;
    if (!parse(argc, argv)) return usage(argv[0]);
    woken = !processes && threads > 1;
    library->open(threads, bytes);
    start_team(team);
    measure("pingpong", library->pingpong, 2.0);
    measure("rate", library->windows, THREADS_WINDOW);
    end_team(team);
    library->barrier();
    return 0;
}
