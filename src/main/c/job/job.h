/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The job as one process sees it: its ranks (endpoints), its memory, how it waits, and whether it
 * still goes on.
 *
 * A rank's part of the segment is   | counters | waits | system area | symmetric heap |
 * The system area holds what peers write without action of the rank: matching areas, flags,
 * counters. The user's buffers and the library's eager and staging buffers come from the heap.
 *
 * init/join.h opens and closes it.
 */
#ifndef HY_JOB_JOB_H
#define HY_JOB_JOB_H

#include <pthread.h>

#include "base/heap.h"
#include "base/ratelimit.h"
#include "base/settings.h"
#include "base/sparse.h"
#include "base/status.h"
#include "base/worklist.h"
#include "boot/boot_threads.h"
#include "job/counters.h"
#include "job/waits.h"
#include "path/path.h"

/* The ranks whose part is not mapped here: see nodes/far.h */
#define HY_FAR_NETS 4
typedef struct hy_far {
    int count;
    struct hy_net *nets[HY_FAR_NETS]; /* their networks; unused entries at the end are NULL */
    _Atomic int failed;               /* 1 + the first of these ranks that this process saw fail */
    struct hy_far_lane *_Atomic
        *lanes;            /* [HY_NET_LANES], see nodes/far_lanes.c; NULL: no remote ranks */
    _Atomic int lanes_end; /* 1 + the highest lane ever used */
} hy_far;

/* What a rank knows of deaths that its job survives: job/survive.h. */
typedef struct hy_survival {
    bool on;                       /* HAYATE_SURVIVE */
    uint64_t views_at;             /* offset of the views in every part */
    _Atomic uint32_t acknowledged; /* deaths that end no wait of this rank any more */
    _Atomic uint32_t busy;         /* a thread makes a communicator of the survivors */
    _Atomic uint64_t generation;   /* of the last one that it made, from 1; 0: none */
    _Atomic uint64_t asked;        /* the highest that another rank wants to make with this one */
    _Atomic int asker;             /* that rank */
    hy_ratelimit look;             /* limits looks at views */
} hy_survival;

typedef struct hy_job hy_job;

/* What the room nodes does for a job with remote ranks: registered by hy_far_open(). */
typedef struct hy_nodes_ops {
    /* Makes progress on the networks. There is always something to do: peers write without
     * notice. */
    void (*progress)(hy_job *job);
    /* Tells other nodes which ranks ended, and hears of theirs. An error: this rank cannot
     * communicate with other nodes any more. */
    int (*look)(hy_job *job);
    bool (*more)(const hy_job *job);     /* whether the next look has more to tell */
    int (*check)(hy_job *job, int peer); /* OK, or why the remote rank has failed */
    int (*check_all)(hy_job *job);       /* about those that this process saw fail */
    int (*flush)(hy_job *job);           /* completes this rank's writes to remote memory */
} hy_nodes_ops;

struct hy_job {
    int rank, size;
    _Atomic uint32_t open, closed; /* open: opened completely */
    struct hy_flight *flight;      /* job/flight.h; NULL: off. In the line of `closed`, which every
                                    * operation loads */
    hy_wait_policy policy;
    hy_bell *bell; /* of this rank */
    hy_ep *eps;    /* [eps_count], of the ranks from eps_first on: see hy_job_ep() */
    uint32_t eps_first, eps_count;
    hy_sparse other_eps; /* of those other ranks that were used */
    hy_ep *other_memory; /* the endpoints in it: address space for all, memory for those */
    hy_counters *counters;
    hy_waits *waits; /* NULL while the job is opened */
    uint8_t *part;   /* this rank's part of the segment */
    uint64_t part_bytes;
    uint64_t heap_start;  /* offset of the heap in every part */
    uint64_t eager_limit; /* of point-to-point messages */
    uint64_t
        eager_bytes;     /* size of an eager buffer: at least the payload of a step of a schedule */
    int rendezvous;      /* HAYATE_RENDEZVOUS, an index of its words: see hy_job_rendezvous() */
    uint64_t cma_from;   /* bytes from which single copy by the kernel beats the pipeline */
    bool single_copy;    /* every rank of the job reaches every other's process by single copy,
                            and HAYATE_RENDEZVOUS permits it */
    bool single_forced;  /* HAYATE_RENDEZVOUS names one, for the memory of the heap, too */
    bool in_team;        /* its ranks are threads of this process */
    bool of_environment; /* a process has one such job at a time: init/join.c */
    bool direct;         /* all ranks are in one address space, and use that */
    struct hy_net *net;  /* to ranks of other nodes (nodes/network.h); NULL: none */
    struct hy_net *delegate; /* the way to this node's delegatee; NULL: there is none. Equal to
                              * `net` in a job on several nodes */
    char why_net[224];       /* why this network was chosen */
    uint64_t net_local_at;   /* offset of addresses in every part: see nodes/network_local.c */
    hy_layout layout;        /* which rank is on which node: nodes/node_map.h */
    uint64_t meeting_at;     /* see nodes/meeting.h */
    _Atomic uint32_t
        news_told; /* failures of which all nodes have been told: see nodes/membership_tell.c */
    _Atomic uint32_t news_sent; /* how often this rank has told a node, see there */
    _Atomic uint32_t telling;   /* a thread tells other nodes: nodes/membership_tell.c */
    _Atomic uint32_t notice_count;
    struct hy_notice *notices; /* under way; of the thread that tells */
    hy_ratelimit look;         /* limits looks at launcher and other nodes: see job/check.c */
    hy_survival survival;      /* job/survive.h */
    hy_far far;
    const hy_nodes_ops *nodes;       /* NULL: all ranks are on this node */
    HY_ALIGNED pthread_mutex_t lock; /* of the two allocators and the making of endpoints; the
                                         innermost lock */
    hy_heap system, heap;
    uint64_t system_high; /* bytes of the system area ever in use */
    void **late;          /* memory that a peer may still read, see hy_job_release_late() */
    size_t late_count;
    hy_worklist background;        /* see job/progress.h */
    _Atomic uint32_t setting_up;   /* a thread is in set-up: see job/setup.h */
    pthread_mutex_t asking;        /* of the shrinkers; held by the thread that runs them */
    struct hy_shrinker *shrinkers; /* see job/shrinkers.h */
    /* A slow turn of a wait that is told, and has made no progress since since_ns: of the watchdog
     * (watchdog/watchdog.h). NULL: it is off. */
    void (*watch)(hy_job *job, hy_wait *wait, uint64_t since_ns);
    struct hy_watchdog *watchdog;
    hy_boot boot;
    struct hy_left_group *left_groups; /* wire/group.c, under `lock` */
    uint64_t cookie; /* random; peers read it to check that they access this process */
    hy_kmod *kmod;
    pid_t opener; /* a forked child is not the rank */
};

/* The node of a rank, 0 to hy_job_nodes() - 1. */
static inline int hy_job_node_of(const hy_job *job, int rank)
{
    uint32_t part;
    return (int)hy_layout_node(&job->layout, (uint32_t)rank, &part);
}
static inline int hy_job_nodes(const hy_job *job)
{
    return job->boot.control->nodes;
}

/* Makes the table of endpoints: an array for the ranks of this node if their numbers follow each
 * other, and a sparse table for all others. NO_MEMORY. */
int hy_job_open_eps(hy_job *job);
void hy_job_close_eps(hy_job *job);

/* The endpoint of a rank. NULL: it is on another node, and has never been used. Any thread. */
static inline hy_ep *hy_job_known_ep(const hy_job *job, int rank)
{
    uint32_t near = (uint32_t)rank - job->eps_first;
    if (hy_likely(near < job->eps_count)) return &job->eps[near];
    return hy_sparse_find(&job->other_eps, (uint32_t)rank);
}

/* The endpoint of a rank, for use: made at its first use if the rank is on another node. Cannot
 * fail. Any thread. */
hy_ep *hy_job_make_ep(hy_job *job, int rank);
static inline hy_ep *hy_job_ep(hy_job *job, int rank)
{
    hy_ep *ep = hy_job_known_ep(job, rank);
    return hy_likely(ep != NULL) ? ep : hy_job_make_ep(job, rank);
}

/* Sets the endpoint of a rank of this node, while the job is opened. */
hy_ep *hy_job_set_ep(hy_job *job, int rank, const hy_ep *made);

/* Whether a rank's memory is not mapped here. */
static inline bool hy_job_is_far(const hy_job *job, int rank)
{
    const hy_ep *ep = hy_job_known_ep(job, rank);
    return !ep || hy_ep_is_far(ep);
}

/* The size of a rank's part in bytes, and the row of its path, whether or not its endpoint
 * exists. */
uint64_t hy_job_part_bytes(const hy_job *job, int rank);
const hy_path_ops *hy_job_row(const hy_job *job, int rank);

/* Allocates memory in this rank's heap, aligned to a line, or to a page from 32 KiB on. If the
 * heap is full, the shrinkers are called (job/shrinkers.h). NULL with a reason. */
void *hy_job_alloc(hy_job *job, uint64_t bytes);
/* The code of such a failure, if more than 0 bytes were wanted: CLOSED, NO_MEMORY. */
static inline int hy_job_alloc_code(const hy_job *job)
{
    return hy_load_relaxed(&job->closed) ? HAYATE_ERR_CLOSED : HAYATE_ERR_NO_MEMORY;
}
int hy_job_release(hy_job *job, const void *memory);

/* Like hy_job_release(), for memory with a message that its receiver may not have read yet: it
 * is free only after all ranks have met once more. The caller of a fence reads the number before
 * the fence and passes it on afterwards. */
void hy_job_release_late(hy_job *job, void *memory);
size_t hy_job_late(hy_job *job);
void hy_job_late_over(hy_job *job, size_t count);

/* Takes room in the system area, zeroed, aligned to two lines, or to a page from 32 KiB on. */
int hy_job_system_take(hy_job *job, uint64_t bytes, uint64_t *offset);
/* The same, but only the first `cleared` bytes are zero. */
int hy_job_system_take_cleared(hy_job *job, uint64_t bytes, uint64_t cleared, uint64_t *offset);
void hy_job_system_give(hy_job *job, uint64_t offset);
/* Like hy_job_release_late(): for memory into which a peer may still write. */
void hy_job_system_give_late(hy_job *job, uint64_t offset);
/* The number of free bytes, perhaps in several pieces. */
uint64_t hy_job_system_left(hy_job *job);

/* The offset of memory in this rank's part if [memory, memory + bytes) is in its heap, else
 * HY_NOT_IN_HEAP. */
#define HY_NOT_IN_HEAP UINT64_MAX
static inline uint64_t hy_job_heap_offset(const hy_job *job, const void *memory, uint64_t bytes)
{
    uint64_t offset = (uint64_t)((uintptr_t)memory - (uintptr_t)job->part);
    if (offset < job->heap_start || offset > job->part_bytes) return HY_NOT_IN_HEAP;
    return bytes <= job->part_bytes - offset ? offset : HY_NOT_IN_HEAP;
}

/* The same for memory that peers load and store. If all ranks are in one address space, that is
 * any memory: the offset is then a difference of addresses, and may wrap. */
static inline uint64_t hy_job_offset(const hy_job *job, const void *memory, uint64_t bytes)
{
    if (job->direct) return (uint64_t)((uintptr_t)memory - (uintptr_t)job->part);
    return hy_job_heap_offset(job, memory, bytes);
}

/* The same for a user's buffer in a collective: HY_NOT_IN_HEAP if single copy is forced for it. */
static inline uint64_t hy_job_user_offset(const hy_job *job, const void *memory, uint64_t bytes)
{
    if (hy_unlikely(job->single_forced && job->single_copy)) return HY_NOT_IN_HEAP;
    return hy_job_offset(job, memory, bytes);
}

/* Called in a slow turn of a wait for `peer` (-1: for no particular rank), and in every test of
 * an unfinished operation. CLOSED, PEER_FAILED, or OK. Makes a system call at most once per tick
 * of the kernel's clock, see job/check.c. In a job that survives deaths, any new death is an error
 * (job/survive.h). Any thread. */
int hy_job_check(hy_job *job, int peer);
/* The same for a wait that the death of another rank than `peer` does not end. */
int hy_job_look(hy_job *job, int peer);

/* Begins and ends a wait on this rank's bell. */
static inline hy_wait hy_job_wait(hy_job *job)
{
    return hy_wait_begin(&job->policy, job->bell);
}
void hy_job_wait_over(hy_job *job, hy_wait *wait);
static inline void hy_job_wait_end(hy_job *job, hy_wait *wait)
{
    if (hy_unlikely(wait->lasted)) hy_job_wait_over(job, wait);
}

/* Tells what a wait that has lasted is for, in each of its slow turns (job/waits.h), and that it is
 * over: hy_job_wait_end() does the latter. */
void hy_job_wait_tell(hy_job *job, hy_wait *wait, hy_awaited *awaited);
void hy_job_wait_told(hy_job *job, hy_wait *wait);

/* After hy_job_check(): whether any rank has died or was stopped (leaving is not a failure), and
 * this rank has not acknowledged it (job/survive.h). */
int hy_job_check_all(hy_job *job);

/* Completes all writes of this rank to remote memory, on all lanes. OK, or the first error. */
static inline int hy_job_flush(hy_job *job)
{
    return job->nodes ? job->nodes->flush(job) : HAYATE_OK;
}

/* Describes in words which path leads to `rank`, and why. */
void hy_job_explain_path(const hy_job *job, int rank, char *text, size_t room);

/* The value of HAYATE_RENDEZVOUS: "auto", "pipeline", ... */
static inline const char *hy_job_rendezvous(const hy_job *job)
{
    return HY_SET(RENDEZVOUS)->words[job->rendezvous];
}

#endif
