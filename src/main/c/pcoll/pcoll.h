/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Persistent collectives in one process: hayate/pcoll.h and the Java binding are thin above this.
 *
 * An operation is idle, running or done. Whoever has claimed it works on it: the caller in
 * start, test and wait, any waiting thread of the process, or the progress thread. The result is
 * collected by the caller, who alone touches the caller's buffers: memory that peers cannot reach
 * (a Java array, memory outside of the heap where there is no single copy) has a stand-in in the
 * heap, into which start copies and out of which the collection does.
 */
#ifndef HY_PCOLL_PCOLL_H
#define HY_PCOLL_PCOLL_H

#include "coll/comm.h"
#include "exec/wired.h"
#include "sched/hint.h"

typedef struct hy_pcoll hy_pcoll;
typedef struct hy_pcolls hy_pcolls;

typedef struct hy_pcoll_call {
    hy_coll coll;
    hy_buffer in, out; /* in-place collectives: out */
    int64_t count;     /* elements of the whole, or of the own block */
    int op, root;      /* reductions; collectives with a root */
    void *context;     /* for the reduction's function instead of its own; NULL: its own */
    bool uneven;
    /* Uneven: bytes, [size], of the sides that this rank has; offsets NULL: one after the other. */
    const int64_t *in_sizes, *in_offsets, *out_sizes, *out_offsets;
    const int64_t *in_counts;     /* uneven REDUCE_SCATTER: elements instead of in_sizes */
    int64_t in_limit, out_limit;  /* bytes that the buffers have; -1: not known (C) */
    const char *options;          /* of the program, or NULL */
    const char *property, *rules; /* of Java's system properties, or NULL */
} hy_pcoll_call;

/* Collective over the communicator. */
int hy_pcoll_init(hy_comms *comms, int comm, const hy_pcoll_call *call, hy_pcoll **operation);

int hy_pcoll_start(hy_pcoll *operation);

/* HAYATE_IN_PROGRESS, or the result of the run that was under way; OK when there was none. */
int hy_pcoll_test(hy_pcoll *operation);

/* bounded: HAYATE_IN_PROGRESS after a short spin instead of a longer wait. */
int hy_pcoll_wait(hy_pcoll *operation, bool bounded);

int hy_pcoll_free(hy_pcoll *operation);

/* Works on all that is under way in this process. Operations that were never freed are, with the
 * communicators (hy_comms_free). */
void hy_pcoll_progress(hy_comms *comms);

const char *hy_pcoll_describe(const hy_pcoll *operation);

#endif
