/* SPDX-License-Identifier: Apache-2.0 */
#include "job/job.h"

#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/config.h"
#include "base/log.h"
#include "job/progress.h"

/* What a rank tells the others when it joins. */
typedef struct job_card {
    uint64_t cookie, cookie_address;
    uint64_t eager_limit, cma_from, rendezvous; /* must be the same everywhere */
} job_card;

_Static_assert(sizeof(job_card) <= HY_CARD_BYTES, "a card holds it");

#define EAGER_DEFAULT 4096
#define EAGER_MAX (UINT64_C(1) << 20)
/* Where the two cross on the machines measured (docs/PERF-MODEL.md). */
#define CMA_FROM_DEFAULT 8192

/* One job per process at a time. */
static _Atomic uint32_t open_jobs;

const char *hy_rendezvous_name(int rendezvous)
{
    static const char *const names[] = {"auto", "pipeline", "cma", "heap"};
    return names[rendezvous];
}

static int read_settings(hy_job *job)
{
    static const char *const ways[] = {"auto", "pipeline", "cma", "heap", NULL};
    int rc = hy_config_bytes("EAGER_LIMIT", EAGER_DEFAULT, HY_SLOT_PAYLOAD, EAGER_MAX,
                             &job->eager_limit);
    job->eager_bytes = job->eager_limit > EAGER_DEFAULT ? job->eager_limit : EAGER_DEFAULT;
    if (!rc) rc = hy_config_bytes("CMA_FROM", CMA_FROM_DEFAULT, 0, UINT64_MAX, &job->cma_from);
    if (!rc) rc = hy_config_choice("RENDEZVOUS", HY_RENDEZVOUS_AUTO, ways, &job->rendezvous);
    return rc;
}

static int lay_out(hy_job *job)
{
    const hy_control *control = job->boot.control;
    job->part_bytes = control->part_bytes;
    job->heap_start = control->part_bytes - control->heap_bytes;
    uint8_t *parts = (uint8_t *)job->boot.control + control->control_bytes;
    job->part = parts + (uint64_t)job->rank * control->part_bytes;
    job->bell = &job->boot.control->ranks[job->rank].bell;
    job->counters = (hy_counters *)(void *)job->part;
    int rc = hy_heap_open(&job->system, job->heap_start);
    if (!rc) rc = hy_heap_open(&job->heap, control->heap_bytes);
    uint64_t counters;
    if (!rc) rc = hy_heap_take(&job->system, sizeof(hy_counters), HY_LINE, &counters);
    return rc;
}

static void open_ep(hy_job *job, int rank, const job_card *card)
{
    hy_control *control = job->boot.control;
    uint8_t *parts = (uint8_t *)control + control->control_bytes;
    job->eps[rank] = (hy_ep){
        .ops = &hy_path_shm,
        .single = rank == job->rank ? &hy_path_self : NULL,
        .part = parts + (uint64_t)rank * control->part_bytes,
        .part_bytes = control->part_bytes,
        .bell = &control->ranks[rank].bell,
        .rank = rank,
        .pid = hy_load_relaxed(&control->ranks[rank].pid),
        .cookie_address = card->cookie_address,
        .cookie = card->cookie,
    };
    if (rank != job->rank) hy_ep_choose_single(&job->eps[rank]);
}

static int meet(hy_job *job)
{
    const job_card mine = {job->cookie, (uint64_t)(uintptr_t)&job->cookie, job->eager_limit,
                           job->cma_from, (uint64_t)job->rendezvous};
    int rc = hy_boot_exchange(&job->boot, &mine, sizeof mine);
    if (rc) return rc;
    job->eps = aligned_alloc(HY_LINE, hy_round_up(sizeof(hy_ep) * (size_t)job->size, HY_LINE));
    if (!job->eps) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for %d ranks", job->size);
    for (int rank = 0; rank < job->size; rank++) {
        job_card card;
        memcpy(&card, job->boot.control->ranks[rank].card, sizeof card);
        if (card.eager_limit != mine.eager_limit || card.cma_from != mine.cma_from ||
            card.rendezvous != mine.rendezvous)
            return hy_fail_peer(HAYATE_ERR_LAUNCH, rank,
                                "rank %d has another HAYATE_EAGER_LIMIT, HAYATE_CMA_FROM or"
                                " HAYATE_RENDEZVOUS: set them for all ranks alike",
                                rank);
        open_ep(job, rank, &card);
    }
    return HAYATE_OK;
}

/* Whether single copy works between any two ranks: collectives rely on all or none. */
static int agree_on_single_copy(hy_job *job)
{
    uint8_t mine = 1, all = 1;
    for (int rank = 0; rank < job->size; rank++) mine &= job->eps[rank].single != NULL;
    int rc = hy_boot_fence(&job->boot); /* everybody has read the cards */
    if (!rc) rc = hy_boot_exchange(&job->boot, &mine, sizeof mine);
    if (rc) return rc;
    for (int rank = 0; rank < job->size; rank++) all &= job->boot.control->ranks[rank].card[0];
    job->single_copy = all != 0;
    return hy_boot_fence(&job->boot);
}

/* A forced way that does not work is an error now, not a surprise at the first long message. */
static int check_forced(hy_job *job)
{
    for (int rank = 0; job->rendezvous == HY_RENDEZVOUS_CMA && rank < job->size; rank++) {
        if (!job->eps[rank].single)
            return hy_fail(HAYATE_ERR_UNSUPPORTED, "HAYATE_RENDEZVOUS=cma: %s",
                           job->eps[rank].why_not_single);
    }
    for (int rank = 0; rank < job->size; rank++) {
        if (job->eps[rank].single) continue;
        hy_log(HY_LOG_INFO, "no single copy with rank %d, blocks through shared memory instead: %s",
               rank, job->eps[rank].why_not_single);
        break;
    }
    return HAYATE_OK;
}

static int open_all(hy_job *job)
{
    int rc = read_settings(job);
    if (rc) return rc;
    if (getrandom(&job->cookie, sizeof job->cookie, 0) != sizeof job->cookie)
        return hy_fail_errno("getrandom");
    hy_wait_setup();
    rc = hy_boot_open(&job->boot);
    if (rc) return rc;
    job->rank = job->boot.rank;
    job->size = job->boot.size;
    job->opener = getpid();
    rc = hy_wait_policy_choose(&job->policy, job->size, (int)job->boot.control->cpus);
    if (!rc) rc = lay_out(job);
    if (!rc) rc = meet(job);
    if (!rc) rc = agree_on_single_copy(job);
    if (!rc) rc = check_forced(job);
    return rc;
}

/* A rank in a fence still does its part of what others wait for. */
static void progress_in_fence(void *job)
{
    hy_progress(job);
}

int hy_job_open(hy_job **result)
{
    if (atomic_exchange(&open_jobs, 1))
        return hy_fail(HAYATE_ERR_STATE, "this process has a job open: close that one first");
    hy_job *job = aligned_alloc(HY_LINE, hy_round_up(sizeof *job, HY_LINE));
    if (!job) {
        open_jobs = 0;
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a job");
    }
    *job = (hy_job){.boot = {.socket = -1, .segment_fd = -1}};
    pthread_mutex_init(&job->lock, NULL);
    int rc = open_all(job);
    if (rc) {
        hy_job_close(job);
        hy_job_free(job);
        return rc;
    }
    job->boot.idle_context = job;
    job->boot.idle = progress_in_fence;
    *result = job;
    return HAYATE_OK;
}

void hy_job_close(hy_job *job)
{
    if (atomic_exchange(&job->closed, 1)) return;
    if (job->boot.ops && job->boot.control) {
        hy_bell_ring_slow(job->bell ? job->bell : &job->boot.control->ranks[job->rank].bell);
        if (job->opener == getpid()) job->boot.ops->close(&job->boot);
    }
    open_jobs = 0;
}

void hy_job_free(hy_job *job)
{
    hy_heap_close(&job->system);
    hy_heap_close(&job->heap);
    pthread_mutex_destroy(&job->lock);
    if (job->boot.ops) hy_boot_release(&job->boot);
    hy_progress_release(job);
    free(job->late);
    free(job->eps);
    free(job);
}

int hy_job_check_all(hy_job *job)
{
    const hy_control *control = job->boot.control;
    if (hy_load_acquire(&control->failures) == 0) return HAYATE_OK;
    for (int rank = 0; rank < job->size; rank++) {
        if (hy_load_acquire(&control->ranks[rank].state) >= HY_RANK_DEAD)
            return hy_boot_rank_status(&job->boot, rank);
    }
    return HAYATE_OK;
}

int hy_job_check(hy_job *job, int peer)
{
    if (hy_load_relaxed(&job->closed))
        return hy_fail(HAYATE_ERR_CLOSED, "the job was closed while the operation was under way");
    if (hy_load_acquire(&job->boot.control->failures) != 0 && peer >= 0 && peer != job->rank) {
        int rc = hy_boot_rank_status(&job->boot, peer);
        if (rc) return rc;
    }
    return job->boot.ops->check(&job->boot);
}
