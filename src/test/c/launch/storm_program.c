/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A rank of a job with a faulty process: `storm_program SEED`. Both ranks exchange messages of all
 * kinds, and run collectives; a process that has only the segment, a child of rank 0, writes
 * hostile words wherever something is written already: slots, headers, heads of cells, records,
 * counters. Any error will do; a rank that waits in vain ends by itself.
 */
#include <hayate/ompl.h>
#include <hayate/pcoll.h>

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>

#include "boot/control.h"
#include "fmpl/scenario.h"
#include "init/join.h"

#define GIVE_UP_MS 1200
#define MOST_WORDS 65536
#define BYTES (200 << 10)

static _Atomic uint64_t rounds;

static void *give_up(void *context)
{
    usleep(GIVE_UP_MS * 1000);
    fprintf(stderr, "rank %d: %llu rounds\n", rank, (unsigned long long)hy_load_relaxed(&rounds));
    _exit(0);
    return context;
}

/* ---- the faulty process ---- */

static uint64_t *words[MOST_WORDS];
static uint32_t found;

/* The words of a range that are not 0: those in use. */
static void find(uint8_t *from, uint64_t bytes)
{
    for (uint64_t at = 0; at + 8 <= bytes && found < MOST_WORDS; at += 8) {
        uint64_t *word = (uint64_t *)(void *)(from + at);
        if (__atomic_load_n(word, __ATOMIC_RELAXED)) words[found++] = word;
    }
}

static uint64_t hostile_for(uint64_t seed, uint64_t now)
{
    static const uint64_t fixed[] = {0, 1, UINT64_MAX, 0x7ffffff0, 0xfffffff0, UINT64_C(1) << 40};
    switch (seed % 5) {
    case 0: return fixed[seed / 5 % 6];
    case 1: return now ^ UINT64_C(1) << (seed / 5 % 64);
    case 2: return now + (seed / 5 % 3) - 1;
    case 3: return *words[seed / 5 % found];
    default: return word_at(seed, now);
    }
}

static void storm(uint8_t *memory, const hy_control *control, uint64_t seed)
{
    uint64_t parts_at = control->control_bytes, part = control->part_bytes;
    find(memory + HY_CONTROL_LIVE_AT, parts_at - HY_CONTROL_LIVE_AT);
    for (uint32_t i = 0; i < control->parts; i++) {
        find(memory + parts_at + i * part, 2 << 20); /* the system area */
        find(memory + parts_at + (i + 1) * part - control->heap_bytes, 64 << 10);
    }
    for (uint64_t i = 0; found; i++) {
        uint64_t *word = words[word_at(seed, 3 * i) % found];
        uint64_t old = __atomic_load_n(word, __ATOMIC_RELAXED);
        __atomic_store_n(word, hostile_for(word_at(seed, 3 * i + 1), old), __ATOMIC_RELAXED);
        usleep(word_at(seed, 3 * i + 2) % 300);
        if (i % 3) __atomic_store_n(word, old, __ATOMIC_RELAXED); /* the job goes on */
    }
}

static void start_storm(uint64_t seed)
{
    const hy_boot *boot = &hy_process_job()->boot;
    const hy_control header = *boot->control;
    pid_t child = fork();
    CHECK(child >= 0);
    if (child) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    alarm(10);
    uint8_t *memory = mmap(NULL, boot->segment_bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                           boot->segment_fd, 0);
    CHECK(memory != MAP_FAILED);
    usleep(20000);
    storm(memory, &header, seed);
    _exit(0);
}

/* ---- the ranks ---- */

static uint8_t *buffers[2][2]; /* in the heap or not; out and in */

static void messages(uint64_t seed)
{
    static const size_t sizes[] = {0, 8, 56, 200, 3000, 20000, BYTES};
    size_t bytes = sizes[seed % 7], got;
    uint8_t *out = buffers[seed / 7 % 2][0], *in = buffers[seed / 14 % 2][1];
    fmpl_section_t section = {.address = out, .block = 80, .stride = 800, .count = 20};
    fmpl_request_t sent = FMPL_REQUEST_NULL, received = FMPL_REQUEST_NULL;
    int ier = 0, mai = (int)(seed % 3);
    if (rank == (int)(seed / 28 % 2)) {
        fmpl_isend(out, bytes, 1 - rank, mai, &sent, &ier);
        if (!ier) fmpl_wait(&sent, &ier);
        fmpl_send_section(&section, 1 - rank, 3, &ier);
    } else {
        fmpl_irecv(in, bytes, 1 - rank, mai, &received, &ier);
        if (!ier) fmpl_wait(&received, &ier);
        fmpl_recv_section(&section, 1 - rank, 3, &got, &ier);
    }
}

static void collectives(int comm, uint64_t seed)
{
    static const size_t sizes[] = {8, 64, 512, 4000, 40000};
    size_t bytes = sizes[seed % 5];
    uint8_t *out = buffers[seed / 5 % 2][0], *in = buffers[seed / 10 % 2][1];
    int ier = 0;
    fmpl_bcast(out, bytes, (int)(seed % 2), comm, &ier);
    fmpl_allreduce(out, bytes / 8, FMPL_DOUBLE_SUM, comm, NULL, &ier);
    fmpl_allgather(out, bytes, in, comm, &ier);
    fmpl_alltoall(out, in, bytes, comm, &ier);
}

static void persistent(int comm, uint64_t seed)
{
    pcoll_t operation = NULL;
    uint8_t *out = buffers[seed % 2][0];
    if (pcoll_allreduce_init(out, 500, FMPL_DOUBLE_SUM, comm, NULL, &operation)) return;
    for (int i = 0; i < 20; i++)
        if (pcoll_start(operation) || pcoll_wait(operation)) break;
    pcoll_free(&operation);
}

static void global_space(uint64_t seed)
{
    uint64_t before;
    uint8_t *out = buffers[seed % 2][0];
    if (ompl_put_signal(out, 1 - rank, 64, 5000, 0, &(ompl_flag_t){.value = 1})) return;
    (void)ompl_get(buffers[0][1], 1 - rank, 64, 5000);
    (void)ompl_fetch_add(1 - rank, 32, 1, &before);
    (void)ompl_wait_until(0, OMPL_GE, 1, 1000, 0, &before);
    (void)ompl_clear(0);
}

static void work(uint64_t seed)
{
    int comm = FMPL_COMM_WORLD, ier = 0, part = FMPL_COMM_NULL;
    for (uint64_t i = 0;; i++) {
        uint64_t now = word_at(seed, i); /* the same on both ranks */
        hy_store_relaxed(&rounds, i);
        messages(now);
        if (i % 4 == 0) collectives(comm, now);
        if (i % 8 == 1) persistent(comm, now);
        if (i % 4 == 2) global_space(now);
        if (i % 16 != 3) continue;
        fmpl_comm_split(FMPL_COMM_WORLD, 0, rank, &part, &ier);
        if (comm != FMPL_COMM_WORLD) fmpl_comm_free(&comm, &ier);
        comm = part == FMPL_COMM_NULL ? FMPL_COMM_WORLD : part;
    }
}

int main(int argc, char **argv)
{
    pthread_t thread;
    int ier = 0;
    CHECK(argc == 2);
    uint64_t seed = strtoull(argv[1], NULL, 10);
    start_ranks(4);
    CHECK_OK(ompl_init(1 << 16));
    for (int i = 0; i < 4; i++) buffers[i / 2][i % 2] = memory_of(i < 2, BYTES);
    for (int i = 0; i < 4; i++) memset(buffers[i / 2][i % 2], 0, BYTES);
    fmpl_timeout_set(200, &ier);
    CHECK(pthread_create(&thread, NULL, give_up, NULL) == 0);
    if (rank == 0) start_storm(seed);
    work(seed);
}
