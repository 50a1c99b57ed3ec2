/* SPDX-License-Identifier: Apache-2.0 */
/* The views of other ranks, and what they and deaths mean for waits. */
#include "job/survive.h"

/* A view as two flags, of which the second one is written last, and has a digest of all: a view of
 * which only a part has arrived is not read. */
typedef struct cell {
    HY_ALIGNED hy_flag areas; /* its value: the generation */
    hy_flag rest;
} cell;

enum { MEMBERS, DEAD, DIGEST }; /* of cell.rest.data */

_Static_assert(sizeof(cell) == HY_LINE, "a view is a line");

int hy_survive_open(hy_job *job)
{
    uint64_t word;
    int rc = hy_setting_value(HY_SET(SURVIVE), &word);
    if (!rc) job->survival.on = word == 1;
    return rc;
}

int hy_survive_place(hy_job *job)
{
    if (!job->survival.on) return HAYATE_OK;
    return hy_heap_take(&job->system, (uint64_t)job->size * sizeof(cell), HY_LINE,
                        &job->survival.views_at);
}

/* ---- views ---- */

static uint64_t digest_of(const hy_view *view)
{
    uint64_t digest = hy_digest_add(hy_digest_add(0, view->generation), view->members);
    for (int i = 0; i < HY_VIEW_AREAS; i++) digest = hy_digest_add(digest, view->areas[i]);
    return hy_digest_add(digest, view->dead);
}

void hy_view_show(hy_job *job, int rank, const hy_view *view)
{
    hy_ep *ep = hy_job_ep(job, rank);
    uint64_t at = job->survival.views_at + (uint64_t)job->rank * sizeof(cell);
    hy_flag areas = {.value = view->generation},
            rest = {view->generation, {view->members, view->dead, digest_of(view)}};
    memcpy(areas.data, view->areas, sizeof areas.data);
    if (ep->ops->put_flag(ep, at, &areas) == HAYATE_OK)
        ep->ops->put_flag(ep, at + offsetof(cell, rest), &rest);
}

static void read_flag(hy_flag *flag, const hy_flag *shared)
{
    flag->value = __atomic_load_n(&shared->value, __ATOMIC_ACQUIRE);
    for (int i = 0; i < 3; i++) flag->data[i] = __atomic_load_n(&shared->data[i], __ATOMIC_RELAXED);
}

bool hy_view_read(const hy_job *job, int rank, hy_view *view)
{
    const cell *shown = (const cell *)(const void *)(job->part + job->survival.views_at) + rank;
    hy_flag areas, rest;
    read_flag(&rest, &shown->rest);
    if (hy_likely(rest.value == 0)) return false;
    read_flag(&areas, &shown->areas);
    *view = (hy_view){
        .generation = rest.value, .members = rest.data[MEMBERS], .dead = rest.data[DEAD]};
    memcpy(view->areas, areas.data, sizeof view->areas);
    return areas.value == rest.value && rest.data[DIGEST] == digest_of(view);
}

/* ---- waits ---- */

static void hear(hy_job *job)
{
    for (int rank = 0; rank < job->size; rank++) {
        hy_view view;
        if (rank == job->rank || !hy_view_read(job, rank, &view)) continue;
        if (view.generation <= hy_load_relaxed(&job->survival.asked)) continue;
        hy_store_relaxed(&job->survival.asker, rank);
        hy_store_relaxed(&job->survival.asked, view.generation);
    }
}

static int fail_asked(const hy_job *job)
{
    hy_view view;
    int asker = hy_load_relaxed(&job->survival.asker);
    bool dead = hy_view_read(job, asker, &view) && view.dead && view.dead <= (uint64_t)job->size;
    return hy_fail_peer(HAYATE_ERR_PEER_FAILED, dead ? (int)view.dead - 1 : asker,
                        "rank %d makes a communicator of the ranks that live: call shrink(), too",
                        asker);
}

int hy_survive_check(hy_job *job)
{
    int rc = hy_job_check_all(job);
    if (rc) return rc;
    if (hy_ratelimit_pass(&job->survival.look, hy_tick_ns())) hear(job);
    bool asked = hy_load_relaxed(&job->survival.asked) > hy_load_relaxed(&job->survival.generation);
    return hy_unlikely(asked) ? fail_asked(job) : HAYATE_OK;
}
