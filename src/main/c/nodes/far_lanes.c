/* SPDX-License-Identifier: Apache-2.0 */
/* Endpoints of remote peers on further lanes: for each used lane a table of pages, so that a
 * rank pays only for the ranks to which it talks. Nothing is moved or freed while the job lives,
 * so that readers need no lock. If two threads make the same entry at once, one of them frees
 * its copy. */
#include <stdlib.h>

#include "nodes/far.h"
#include "net/net.h"

#define PAGE 256 /* ranks per page */

typedef struct hy_far_page {
    hy_ep *_Atomic ends[PAGE];
} hy_far_page;

typedef struct hy_far_lane {
    hy_far_page *_Atomic pages[1]; /* as many as the ranks need */
} hy_far_lane;

int hy_far_open_lanes(hy_job *job)
{
    job->far.lanes = calloc(HY_NET_LANES, sizeof *job->far.lanes);
    return job->far.lanes ? HAYATE_OK
                          : hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a table of lanes");
}

static size_t pages_of(const hy_job *job)
{
    return ((size_t)job->size + PAGE - 1) / PAGE;
}

hy_ep *hy_far_known_end(const hy_job *job, int lane, int rank)
{
    const hy_far_lane *its = hy_load_acquire(&job->far.lanes[lane]);
    const hy_far_page *page = its ? hy_load_acquire(&its->pages[rank / PAGE]) : NULL;
    return page ? hy_load_acquire(&page->ends[rank % PAGE]) : NULL;
}

static int far_lanes_no_memory(int lane, int rank)
{
    return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for the endpoint of rank %d on lane %d", rank,
                   lane);
}

/* Returns the memory at `*place`, allocated by this thread or by a faster one; counted. */
#define MAKE(job, place, bytes) \
    ({ \
        __typeof__(hy_load_relaxed(place)) made_ = hy_load_acquire(place), found_ = NULL; \
        if (!made_ && (made_ = calloc(1, (bytes)))) { \
            if (atomic_compare_exchange_strong(place, &found_, made_)) \
                hy_gauge_add((job)->counters, HY_COUNT_LANES_HELD, (bytes)); \
            else free(made_), made_ = found_; \
        } \
        made_; \
    })

static void note_lane(hy_job *job, int lane)
{
    int end = hy_load_relaxed(&job->far.lanes_end);
    while (end <= lane && !atomic_compare_exchange_weak(&job->far.lanes_end, &end, lane + 1))
        continue;
}

/* Others see an endpoint only when it is complete. */
static int make_end(hy_job *job, int lane, hy_ep *_Atomic *place, int rank)
{
    hy_ep *none = NULL, *ep = calloc(1, sizeof *ep);
    if (!ep) return far_lanes_no_memory(lane, rank);
    const hy_ep *first = hy_job_ep(job, rank);
    *ep = *first;
    ep->net->ops->attach(ep->net, ep, rank, lane);
    ep->part_bytes = first->part_bytes; /* from its record */
    if (atomic_compare_exchange_strong(place, &none, ep))
        hy_gauge_add(job->counters, HY_COUNT_LANES_HELD, sizeof *ep);
    else free(ep);
    return HAYATE_OK;
}

static int make(hy_job *job, int lane, int rank)
{
    size_t bytes = sizeof(hy_far_lane) + (pages_of(job) - 1) * sizeof(hy_far_page *);
    hy_far_lane *its = MAKE(job, &job->far.lanes[lane], bytes);
    if (!its) return far_lanes_no_memory(lane, rank);
    hy_far_page *page = MAKE(job, &its->pages[rank / PAGE], sizeof *page);
    if (!page) return far_lanes_no_memory(lane, rank);
    note_lane(job, lane);
    return make_end(job, lane, &page->ends[rank % PAGE], rank);
}

int hy_far_end(hy_job *job, int lane, int rank, hy_ep **end)
{
    *end = hy_far_known_end(job, lane, rank);
    if (hy_likely(*end)) return HAYATE_OK;
    int rc = make(job, lane, rank);
    if (!rc) *end = hy_far_known_end(job, lane, rank);
    return rc;
}

int hy_far_flush_lanes(hy_job *job, int rank)
{
    int used = 0, end = hy_load_acquire(&job->far.lanes_end);
    for (int lane = 1; lane < end; lane++) {
        hy_ep *ep = hy_far_known_end(job, lane, rank);
        if (!ep) continue;
        int rc = ep->ops->flush(ep);
        if (rc) return rc;
        used++;
    }
    return used;
}

static void free_lane(hy_job *job, hy_far_lane *lane)
{
    for (size_t i = 0; i < pages_of(job); i++) {
        hy_far_page *page = hy_load_relaxed(&lane->pages[i]);
        for (int k = 0; page && k < PAGE; k++) free(hy_load_relaxed(&page->ends[k]));
        free(page);
    }
    free(lane);
}

/* The counters are freed with the segment, so they are not adjusted. */
void hy_far_free_lanes(hy_job *job)
{
    for (int lane = 0; job->far.lanes && lane < HY_NET_LANES; lane++) {
        hy_far_lane *its = hy_load_relaxed(&job->far.lanes[lane]);
        if (its) free_lane(job, its);
    }
    free(job->far.lanes);
}
