/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The flight recorder of a rank: its last operations in a file that survives it, for `hayate
 * flight`. HAYATE_FLIGHT turns it on; off, an operation pays one predicted branch, and a short
 * message none.
 *
 * File. A page with the header, and a ring of HY_FLIGHT_RECORDS records for each stripe of threads
 * (job/counters.h), so that a busy thread does not push out what another one waits for. The file
 * belongs to the user (mode 0600) and is mapped shared: whatever ends the process, the kernel keeps
 * what was stored. A ring gets its blocks of the disk at the first operation of its stripe, because
 * a store to a page that the disk has no room for would kill the process.
 *
 * Writers. A thread writes into the ring of its stripe, without locks or system calls: it takes the
 * next number, stores HY_FLIGHT_BUSY as the record's number, the contents after that (release
 * fence), and the number with release order. All threads of the last stripe take numbers by an
 * atomic add, and a record by compare-and-swap; one that comes round while another thread still
 * fills the record is lost, and nothing else. Any thread may end an operation: it changes `outcome`
 * by compare-and-swap from "this lap of the ring, not ended", which fails once the record belongs
 * to a later operation. All other stores are relaxed.
 *
 * Readers. See observe/flight_view.h. A writer relies on nothing that it reads from the file.
 */
#ifndef HY_JOB_FLIGHT_H
#define HY_JOB_FLIGHT_H

#include "job/counters.h"
#include "job/waits.h"

#define HY_FLIGHT_MAGIC "HYFLIGHT"
#define HY_FLIGHT_VERSION 1u
#define HY_FLIGHT_RECORDS 256u /* of a ring; a power of 2 */
#define HY_FLIGHT_HEADER 4096u /* bytes before the first ring */
#define HY_FLIGHT_HOST 64
#define HY_FLIGHT_BUSY UINT64_MAX

/* What a record keeps of a hy_awaited: all before the name. */
#define HY_FLIGHT_WORDS 5u
_Static_assert(offsetof(hy_awaited, thread) + 4 <= HY_FLIGHT_WORDS * 8, "up to the thread");

typedef struct hy_flight_record {
    HY_ALIGNED _Atomic uint64_t number; /* 0: never used; HY_FLIGHT_BUSY: being written */
    _Atomic uint64_t start_ns;          /* monotonic clock */
    _Atomic uint64_t outcome;           /* a hy_flight_outcome */
    _Atomic uint64_t words[HY_FLIGHT_WORDS];
} hy_flight_record;

_Static_assert(sizeof(hy_flight_record) == HY_LINE, "a record is a line");

/* In one word, so that it changes at once. */
typedef struct hy_flight_outcome {
    uint16_t lap;  /* number / HY_FLIGHT_RECORDS */
    uint8_t state; /* HY_FLIGHT_RUNS, or the error code times -1; 0: it succeeded */
    uint8_t way;   /* how the data moved: the hy_counter that counts it; 0: not known */
    float took_ns;
} hy_flight_outcome;

#define HY_FLIGHT_RUNS 255

typedef struct hy_flight_header {
    char magic[8]; /* stored last when the file is made */
    uint32_t version, header_bytes, rings, records, record_bytes;
    int32_t rank, size, pid;
    uint64_t opened_ns, opened_real_ns; /* the same moment, by the monotonic and the real clock */
    _Atomic uint64_t left_ns;           /* when the rank left the job; 0: it has not */
    _Atomic uint64_t seen_ns;           /* when a waiting thread was last known to live */
    char host[HY_FLIGHT_HOST];          /* padded with zeros */
} hy_flight_header;

_Static_assert(sizeof(hy_flight_header) <= HY_FLIGHT_HEADER, "fits before the rings");

#define HY_FLIGHT_RING_BYTES (HY_FLIGHT_RECORDS * sizeof(hy_flight_record))
#define HY_FLIGHT_BYTES (HY_FLIGHT_HEADER + HY_STRIPES * HY_FLIGHT_RING_BYTES)

typedef struct hy_flight hy_flight;

/* Opens the recorder of a rank: NULL in *flight if it is off. ARGUMENT, SYSTEM, NO_MEMORY. */
int hy_flight_open(hy_flight **flight, int rank, int size);

/* The rank leaves the job. With `remove`, nobody needs the file any more. Other threads may still
 * record. */
void hy_flight_leave(hy_flight *flight, bool remove);
void hy_flight_free(hy_flight *flight);

/* Records that an operation begins, and returns its name for hy_flight_end(), which is never 0.
 * Of `what`, the thread is filled in. 0: it was not recorded, and needs no end. */
uint64_t hy_flight_begin(hy_flight *flight, hy_awaited *what);

/* Records its end, with an error code or HAYATE_OK; any thread. */
void hy_flight_end(hy_flight *flight, uint64_t name, int rc, uint8_t way);

/* A slow turn of a wait: this rank still lives at `tick_ns`. */
void hy_flight_beat(hy_flight *flight, uint64_t tick_ns);

/* The end of an operation that has a name only if it was recorded. Returns rc. */
static inline int hy_flight_over(hy_flight *flight, uint64_t name, int rc)
{
    if (hy_unlikely(name != 0)) hy_flight_end(flight, name, rc, 0);
    return rc;
}

#endif
