/* SPDX-License-Identifier: Apache-2.0 */
/* A persistent operation, and the list of all operations of a rank. */
#ifndef HY_PCOLL_OPERATION_H
#define HY_PCOLL_OPERATION_H

#include "exec/wired_image.h"
#include "pcoll/pcoll.h"

enum { HY_PCOLL_IDLE, HY_PCOLL_RUNNING, HY_PCOLL_DONE };

/* The caller's memory on one side (in or out), and its stand-in in the heap. */
typedef struct hy_side {
    hy_buffer buffer;
    uint64_t bytes;
    uint8_t *shadow; /* NULL: peers, or the schedule, use the buffer itself */
    bool retained;
    bool lent; /* the shadow is the memory of the other side: the data of a call that is apart */
    bool copied_in, copied_out; /* copied between buffer and shadow at the start, at the end */
} hy_side;

struct hy_pcoll {
    HY_ALIGNED _Atomic uint32_t state; /* a release store of DONE publishes the result */
    hy_work work;                      /* claimed while a thread works on the run, or closes it */
    hy_wired wired;
    uint8_t progress;      /* enum hy_progress_way */
    hy_wired_image *image; /* DELEGATED: what the delegatee runs, and its handle */
    uint64_t handle;
    const char *why_not; /* not delegated although that was asked for; NULL: it is, or was not */
    uint64_t flight;     /* of the run, in the flight recorder; 0: none */
    int result;
    int failed;   /* error code of a failed run, after which no other run is possible */
    char *reason; /* of that error, with its rank */
    int failed_rank;
    _Atomic bool left; /* the peers were told that this rank has closed it */
    hy_pcolls *all;
    hy_comm *comm;
    hy_side in, out;
    hy_block *in_blocks, *out_blocks;
    hy_shape shape;
    hy_schedule schedule; /* until the operation is connected */
    char *description;
    hy_pcoll *next; /* in the list `leaving` */
};

/* All operations on a rank's communicators. */
struct hy_pcolls {
    hy_extension extension; /* must be first: it is the same object */
    hy_comms *comms;
    hy_worker worker;     /* of all operations that are not closed */
    pthread_mutex_t lock; /* protects `leaving` and the start of the thread */
    hy_pcoll *leaving;    /* closed on this rank, but not yet by all peers, or a thread still
                           * works on it */
    _Atomic uint32_t stop;
    hy_bell bell; /* the thread sleeps on it while no run is under way */
    bool has_thread;
    pthread_t thread;
};

/* Created at the first use. NULL: NO_MEMORY. */
hy_pcolls *hy_pcolls_of(hy_comms *comms);

/* Its operations, which rest while no run of theirs is under way. */
hy_worker hy_pcolls_worker(void);

/* From now on, the operation's runs make progress; it is connected. */
void hy_pcoll_list(hy_pcoll *op);

static inline hy_pcoll *hy_pcoll_of(const hy_work *work)
{
    return (hy_pcoll *)(uintptr_t)((const uint8_t *)work - offsetof(hy_pcoll, work));
}

/* Frees operations that all peers have closed. */
void hy_pcolls_sweep(hy_pcolls *all);

/* Starts the progress thread of the rank if there is none; NO_MEMORY, SYSTEM. */
int hy_pcolls_thread(hy_pcolls *all);
void hy_pcolls_stop_thread(hy_pcolls *all);

/* pcoll_arguments.c: checks everything that can be checked on one rank alone, and fills in shape,
 * blocks and sides. */
int hy_pcoll_arguments(hy_pcoll *op, const hy_arguments *call, const hy_reduction *reduction);

/* ---- pcoll_offload.c: DELEGATED ---- */

/* Whether the delegatee could run this call, as far as this rank knows. */
bool hy_pcoll_may_offload(const hy_pcoll *op, const hy_arguments *call);

/* Hands the connected operation over; or else, with the reason in op->why_not, it makes progress by
 * a thread. NO_MEMORY, SYSTEM, PEER_FAILED. */
int hy_pcoll_offload(hy_pcoll *op, const hy_arguments *call);

/* IN_PROGRESS, or the result of the run. */
int hy_pcoll_offloaded(const hy_pcoll *op);

/* Takes the operation back before it is freed. */
void hy_pcoll_take_back(hy_pcoll *op);

/* Frees the operation and its memory. late: see hy_wired_close(). */
void hy_pcoll_destroy(hy_pcoll *op, bool late);

#endif
