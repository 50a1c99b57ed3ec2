/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A job that survives deaths of its ranks (HAYATE_SURVIVE).
 *
 * Every death ends every wait of every other rank, whatever that is for: so no rank waits for one
 * that has given up because of a death. Then the ranks make a communicator of the survivors
 * (coll/shrink.h). From then on, the deaths that it leaves out are *acknowledged* on this rank:
 * they end only waits for the dead themselves.
 *
 * For that, each rank shows the others its *view*: which ranks are to form the next communicator. A
 * rank has room for the view of each other rank, in its system area, at the same offset on all
 * ranks. Such communicators have *generations*: each is higher than those that its members have
 * made, so that members that do not agree at once find out who is behind. A view of a higher
 * generation than this rank has reached also ends its waits: its writer waits for this rank, even
 * if this one knows of no death.
 */
#ifndef HY_JOB_SURVIVE_H
#define HY_JOB_SURVIVE_H

#include "job/job.h"

#define HY_VIEW_AREAS 3

typedef struct hy_view {
    uint64_t generation;           /* 0: nothing was shown */
    uint64_t members;              /* a digest of the ranks, in order */
    uint64_t areas[HY_VIEW_AREAS]; /* of the writer, for the communicator; all 0: it has none */
    uint64_t dead;                 /* 1 + a rank that the writer knows to be dead; 0: none */
} hy_view;

/* Reads HAYATE_SURVIVE. ARGUMENT. */
int hy_survive_open(hy_job *job);
/* Takes room for the views. After hy_meeting_place(), before all others. */
int hy_survive_place(hy_job *job);

/* PEER_FAILED: a rank has died that is not acknowledged, or another rank wants to make a
 * communicator of survivors. Any thread. */
int hy_survive_check(hy_job *job);

/* Replaces the view that `rank` has of this one, and wakes it; errors of a network show when this
 * rank waits for it. One thread at a time. */
void hy_view_show(hy_job *job, int rank, const hy_view *view);
/* The view of another rank. False: it has shown none, or one is arriving. */
bool hy_view_read(const hy_job *job, int rank, hy_view *view);

/* A digest of numbers, beginning with 0. */
static inline uint64_t hy_digest_add(uint64_t digest, uint64_t number)
{
    digest = (digest ^ number) * UINT64_C(0x9e3779b97f4a7c15);
    return digest ^ digest >> 29;
}

#endif
