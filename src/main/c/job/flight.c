/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the file of a rank, and writes records into it. */
#include "job/flight.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/flight_place.h"
#include "base/log.h"
#include "base/status.h"

#define STRIPE_BITS 5
_Static_assert(HY_STRIPES == 1 << STRIPE_BITS, "a stripe fits into a name");
_Static_assert(sizeof(hy_flight_outcome) == sizeof(uint64_t), "one word");

/* Private memory of the process: a ring, and the last number that was taken in it. */
typedef struct flight_ring {
    HY_ALIGNED hy_flight_record *_Atomic records; /* NULL: has no blocks of the disk yet */
    _Atomic uint64_t last;
    bool lost; /* the disk is full; under `lock` */
} flight_ring;

struct hy_flight {
    flight_ring rings[HY_STRIPES];
    hy_flight_header *header; /* the mapping of the file */
    pthread_mutex_t lock;
    int fd; /* open and locked while the process lives: flock() tells a reader so */
    char path[HY_FLIGHT_PATH + 100];
};

static _Thread_local uint32_t own_thread;

/* ---- the file ---- */

static int flight_cannot(const hy_flight *flight, const char *what)
{
    return hy_fail(HAYATE_ERR_SYSTEM, "HAYATE_FLIGHT: cannot %s %s: %s", what, flight->path,
                   strerror(errno));
}

/* A new file (O_EXCL, which follows no link), of mode 0600. */
static int flight_create(hy_flight *flight, const char *directory, int rank)
{
    snprintf(flight->path, sizeof flight->path, "%s/hayate-rank-%d-%d-XXXXXX" HY_FLIGHT_SUFFIX,
             directory, rank, (int)getpid());
    flight->fd = mkostemps(flight->path, sizeof HY_FLIGHT_SUFFIX - 1, O_CLOEXEC);
    if (flight->fd < 0) return flight_cannot(flight, "create");
    int locked;
    do locked = flock(flight->fd, LOCK_EX); /* a reader may have it for a moment */
    while (locked != 0 && errno == EINTR);
    if (locked != 0 || ftruncate(flight->fd, HY_FLIGHT_BYTES) != 0)
        return flight_cannot(flight, "set up");
    if ((errno = posix_fallocate(flight->fd, 0, HY_FLIGHT_HEADER)) != 0)
        return flight_cannot(flight, "get room for");
    void *memory = mmap(NULL, HY_FLIGHT_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, flight->fd, 0);
    if (memory == MAP_FAILED) return flight_cannot(flight, "map");
    flight->header = memory;
    return HAYATE_OK;
}

static void write_header(hy_flight_header *header, int rank, int size)
{
    *header = (hy_flight_header){.version = HY_FLIGHT_VERSION,
                                 .header_bytes = HY_FLIGHT_HEADER,
                                 .rings = HY_STRIPES,
                                 .records = HY_FLIGHT_RECORDS,
                                 .record_bytes = sizeof(hy_flight_record),
                                 .rank = rank,
                                 .size = size,
                                 .pid = (int32_t)getpid(),
                                 .opened_ns = hy_now_ns(),
                                 .opened_real_ns = hy_clock_ns(CLOCK_REALTIME)};
    gethostname(header->host, sizeof header->host - 1);
    atomic_thread_fence(memory_order_release);
    memcpy(header->magic, HY_FLIGHT_MAGIC, sizeof header->magic);
}

int hy_flight_open(hy_flight **result, int rank, int size)
{
    char directory[HY_FLIGHT_PATH];
    int rc = hy_flight_place(directory);
    *result = NULL;
    if (rc || !directory[0]) return rc;
    hy_flight *flight = aligned_alloc(HY_LINE, hy_round_up(sizeof *flight, HY_LINE));
    if (!flight) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for the flight recorder");
    memset(flight, 0, sizeof *flight);
    flight->fd = -1;
    pthread_mutex_init(&flight->lock, NULL);
    rc = flight_create(flight, directory, rank);
    if (!rc) {
        write_header(flight->header, rank, size);
        *result = flight;
        return HAYATE_OK;
    }
    if (flight->fd >= 0) unlink(flight->path);
    hy_flight_free(flight);
    return rc;
}

void hy_flight_leave(hy_flight *flight, bool remove)
{
    hy_store_relaxed(&flight->header->left_ns, hy_now_ns());
    if (remove) unlink(flight->path);
}

void hy_flight_free(hy_flight *flight)
{
    if (!flight) return;
    if (flight->header) munmap(flight->header, HY_FLIGHT_BYTES);
    if (flight->fd >= 0) close(flight->fd);
    pthread_mutex_destroy(&flight->lock);
    free(flight);
}

void hy_flight_beat(hy_flight *flight, uint64_t tick_ns)
{
    hy_store_relaxed(&flight->header->seen_ns, tick_ns);
}

/* ---- records ---- */

/* The first operation of a stripe: the only one that makes system calls. NULL: the disk is full. */
static __attribute__((noinline)) hy_flight_record *open_ring(hy_flight *flight, int stripe)
{
    flight_ring *ring = &flight->rings[stripe];
    uint64_t at = HY_FLIGHT_HEADER + (uint64_t)stripe * HY_FLIGHT_RING_BYTES;
    pthread_mutex_lock(&flight->lock);
    hy_flight_record *records = hy_load_relaxed(&ring->records);
    if (!records && !ring->lost) {
        int error = posix_fallocate(flight->fd, (off_t)at, (off_t)HY_FLIGHT_RING_BYTES);
        ring->lost = error != 0;
        if (error)
            hy_log(HY_LOG_WARN, "a thread is not in the flight recorder %s: %s", flight->path,
                   strerror(error));
        else records = (hy_flight_record *)(void *)((uint8_t *)flight->header + at);
        if (records) hy_store_release(&ring->records, records);
    }
    pthread_mutex_unlock(&flight->lock);
    return records;
}

static uint64_t outcome_of(uint64_t number, uint8_t state, uint8_t way, float took_ns)
{
    const hy_flight_outcome outcome = {.lap = (uint16_t)(number / HY_FLIGHT_RECORDS),
                                       .state = state,
                                       .way = way,
                                       .took_ns = took_ns};
    uint64_t word;
    memcpy(&word, &outcome, sizeof word);
    return word;
}

static uint64_t take_number(flight_ring *ring, bool shared)
{
    if (hy_unlikely(shared))
        return atomic_fetch_add_explicit(&ring->last, 1, memory_order_relaxed) + 1;
    uint64_t number = hy_load_relaxed(&ring->last) + 1;
    hy_store_relaxed(&ring->last, number);
    return number;
}

/* False: another thread of the shared ring fills the record, or a later operation has it. */
static bool take_record(hy_flight_record *record, uint64_t number, bool shared)
{
    uint64_t seen = hy_load_relaxed(&record->number);
    if (hy_likely(!shared)) hy_store_relaxed(&record->number, HY_FLIGHT_BUSY);
    else if (seen >= number ||
             !atomic_compare_exchange_strong_explicit(&record->number, &seen, HY_FLIGHT_BUSY,
                                                      memory_order_acquire, memory_order_relaxed))
        return false;
    atomic_thread_fence(memory_order_release);
    return true;
}

static uint32_t thread_number(void)
{
    if (hy_unlikely(!own_thread)) own_thread = (uint32_t)syscall(SYS_gettid);
    return own_thread;
}

uint64_t hy_flight_begin(hy_flight *flight, hy_awaited *what)
{
    int stripe = hy_stripe_mine();
    bool shared = stripe == HY_STRIPES - 1;
    flight_ring *ring = &flight->rings[stripe];
    hy_flight_record *records = hy_load_acquire(&ring->records);
    if (hy_unlikely(!records) && !(records = open_ring(flight, stripe))) return 0;
    uint64_t number = take_number(ring, shared), words[HY_FLIGHT_WORDS];
    hy_flight_record *record = &records[number % HY_FLIGHT_RECORDS];
    if (hy_unlikely(!take_record(record, number, shared))) return 0;
    what->stripe = (uint8_t)stripe;
    what->thread = thread_number();
    memcpy(words, what, sizeof words);
    hy_store_relaxed(&record->start_ns, hy_now_ns());
    hy_store_relaxed(&record->outcome, outcome_of(number, HY_FLIGHT_RUNS, 0, 0));
    for (size_t i = 0; i < HY_FLIGHT_WORDS; i++) hy_store_relaxed(&record->words[i], words[i]);
    hy_store_release(&record->number, number);
    return number << STRIPE_BITS | (uint64_t)stripe;
}

/* A wait that is over without a result was limited in time. */
static uint8_t state_of(int rc)
{
    if (rc == HAYATE_OK) return 0;
    return (uint8_t)(rc < 0 && rc > -HY_FLIGHT_RUNS ? -rc : -HAYATE_ERR_TIMED_OUT);
}

/* If the record belongs to a later operation by now, the start that is read is of that one, and the
 * compare-and-swap fails. */
void hy_flight_end(hy_flight *flight, uint64_t name, int rc, uint8_t way)
{
    uint64_t number = name >> STRIPE_BITS, now = hy_now_ns();
    const flight_ring *ring = &flight->rings[name & (HY_STRIPES - 1)];
    hy_flight_record *record = &hy_load_acquire(&ring->records)[number % HY_FLIGHT_RECORDS];
    uint64_t start = hy_load_relaxed(&record->start_ns);
    uint64_t before = outcome_of(number, HY_FLIGHT_RUNS, 0, 0);
    uint64_t after = outcome_of(number, state_of(rc), way, now > start ? (float)(now - start) : 0);
    atomic_compare_exchange_strong_explicit(&record->outcome, &before, after, memory_order_relaxed,
                                            memory_order_relaxed);
}
