/* SPDX-License-Identifier: Apache-2.0 */
/* A persistent operation from the inside, and all of a rank. */
#ifndef HY_PCOLL_OPERATION_H
#define HY_PCOLL_OPERATION_H

#include "base/worklist.h"
#include "pcoll/pcoll.h"

enum { HY_PCOLL_IDLE, HY_PCOLL_RUNNING, HY_PCOLL_DONE };

/* One side of the caller's memory, and its stand-in in the heap. */
typedef struct hy_side {
    hy_buffer buffer;
    uint64_t bytes;
    uint8_t *shadow; /* NULL: peers, or the schedule, use the buffer itself */
    bool retained;
    bool copied_in, copied_out; /* between buffer and shadow at the start, at the end */
} hy_side;

struct hy_pcoll {
    HY_ALIGNED _Atomic uint32_t state; /* release-stored DONE publishes the result */
    hy_work work;                      /* claimed: somebody works on the run, or leaves it */
    hy_wired wired;
    uint8_t progress; /* hy_progress_way */
    int result;
    int failed;   /* the code that a run failed with: there is no other run */
    char *reason; /* of that, and its rank */
    int failed_rank;
    _Atomic bool left; /* the peers were told */
    hy_pcolls *all;
    hy_comm *comm;
    hy_side in, out;
    hy_block *in_blocks, *out_blocks;
    hy_shape shape;
    hy_schedule schedule; /* until it is connected */
    char *description;
    hy_pcoll *next; /* leaving */
};

/* All operations of a rank's communicators. */
struct hy_pcolls {
    hy_extension extension; /* first: it is the same object */
    hy_comms *comms;
    hy_worklist alive;    /* walked by whoever waits */
    pthread_mutex_t lock; /* of `leaving`, and of who starts the thread */
    hy_pcoll *leaving;    /* closed here, not yet by all peers, or somebody still works on it */
    _Atomic uint32_t stop;
    hy_bell bell; /* on which the thread sleeps while nothing is under way */
    bool has_thread;
    pthread_t thread;
};

/* Makes them at the first use. NULL: NO_MEMORY. */
hy_pcolls *hy_pcolls_of(hy_comms *comms);

/* Works on the runs whose hy_progress_way is in `ways` (bits); true: some of them are under way and
 * nobody else works on them. Skips all when somebody else does so. */
bool hy_pcolls_step(hy_pcolls *all, uint32_t ways);

#define HY_PCOLL_CALLERS (1u << HY_PROGRESS_CALLER)
#define HY_PCOLL_CALLS (1u << HY_PROGRESS_CALLS)
#define HY_PCOLL_THREAD (1u << HY_PROGRESS_THREAD)

static inline hy_pcoll *hy_pcoll_of(const hy_work *work)
{
    return (hy_pcoll *)(uintptr_t)((const uint8_t *)work - offsetof(hy_pcoll, work));
}

/* Frees what all peers have left. */
void hy_pcolls_sweep(hy_pcolls *all);

/* The progress thread, once per rank; NO_MEMORY, SYSTEM. */
int hy_pcolls_thread(hy_pcolls *all);
void hy_pcolls_stop_thread(hy_pcolls *all);

/* arguments.c: checks all that can be checked alone, and fills shape, blocks and sides. */
int hy_pcoll_arguments(hy_pcoll *op, const hy_pcoll_call *call, const hy_reduction *reduction);

/* Frees the operation and its memory. late: see hy_wired_close(). */
void hy_pcoll_destroy(hy_pcoll *op, bool late);

#endif
