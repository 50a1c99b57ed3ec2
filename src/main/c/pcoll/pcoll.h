/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Persistent collectives in one process; hayate/pcoll.h and the Java binding are thin layers above
 * it.
 *
 * An operation is idle, running or done. The thread that has claimed it advances it: the caller in
 * start, test and wait, any waiting thread of the process, or the progress thread. The caller
 * collects the result, and only the caller touches the caller's buffers: memory that peers cannot
 * access (a Java array, or memory outside of the heap if there is no single copy) has a stand-in in
 * the heap, into which start copies and from which the collection of the result copies back.
 */
#ifndef HY_PCOLL_PCOLL_H
#define HY_PCOLL_PCOLL_H

#include "choose/hint.h"
#include "coll/arguments.h"
#include "coll/comm.h"
#include "exec/wired.h"
#include "job/await.h"

typedef struct hy_pcoll hy_pcoll;
typedef struct hy_pcolls hy_pcolls;

typedef struct hy_pcoll_call {
    hy_arguments arguments;
    const char *options;          /* of the program, or NULL */
    const char *property, *rules; /* of Java's system properties, or NULL */
    bool predicted;               /* whatever is requested, nothing is measured */
} hy_pcoll_call;

/* All members of the communicator call it. */
int hy_pcoll_init(hy_comms *comms, int comm, const hy_pcoll_call *call, hy_pcoll **operation);

int hy_pcoll_start(hy_pcoll *operation);

/* Starts a run. OK: it is complete already, and over as after a wait. IN_PROGRESS: it is to be
 * waited for, which also tells how it failed. */
int hy_pcoll_run(hy_pcoll *operation);

/* HAYATE_IN_PROGRESS, or the result of the run that was under way; OK if there was none. */
int hy_pcoll_test(hy_pcoll *operation);

/* bounded: returns HAYATE_IN_PROGRESS after a short spin instead of a longer wait. */
int hy_pcoll_wait(hy_pcoll *operation, bool bounded);
/* Returns HAYATE_IN_PROGRESS after the limit (NULL: none): the run goes on. */
int hy_pcoll_wait_for(hy_pcoll *operation, const hy_limit *limit);
/* TIMED_OUT after the limit of blocking collectives (coll/limits.h): the run goes on. */
int hy_pcoll_wait_limited(hy_pcoll *operation);

/* Tells what a wait for the run is for, without its peer (job/waits.h). Returns the job. */
hy_job *hy_pcoll_tell(const hy_pcoll *operation, hy_awaited *awaited);

int hy_pcoll_free(hy_pcoll *operation);

/* Advances all runs under way in this process. Operations that were never freed are freed with the
 * communicators (hy_comms_free()). */
void hy_pcoll_progress(hy_comms *comms);

const char *hy_pcoll_describe(const hy_pcoll *operation);

#endif
