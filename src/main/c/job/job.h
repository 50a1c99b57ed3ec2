/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The job as one process sees it: its ranks (endpoints), its memory, how it waits, and whether it
 * still goes on.
 *
 * A rank's part of the segment is   | counters | system area | symmetric heap |
 * The system area holds what peers write into on their own: matching areas, flags, counters. The
 * user's buffers and the library's eager and staging buffers come from the heap.
 *
 * It is opened and closed by init/join.h.
 */
#ifndef HY_JOB_JOB_H
#define HY_JOB_JOB_H

#include <pthread.h>

#include "base/heap.h"
#include "base/ratelimit.h"
#include "base/settings.h"
#include "base/status.h"
#include "boot/boot_threads.h"
#include "job/counters.h"
#include "job/hooks.h"
#include "path/path.h"

/* The ranks whose part is not mapped here: see nodes/far.h */
#define HY_FAR_NETS 4
typedef struct hy_far {
    int count;
    struct hy_net *nets[HY_FAR_NETS]; /* by which they are reached; NULL behind the last */
    _Atomic int failed;               /* 1 + the first of these ranks that was seen to fail */
    struct hy_far_lane *_Atomic
        *lanes;            /* [HY_NET_LANES], see nodes/far_lanes.c; NULL: none is far */
    _Atomic int lanes_end; /* behind the highest that was ever used */
} hy_far;

typedef struct hy_job hy_job;

/* What room nodes does for a job with far ranks: lent by hy_far_open(). */
typedef struct hy_nodes_ops {
    void (*look)(hy_job *job);       /* tells other nodes of ends of ranks, and hears of theirs */
    bool (*more)(const hy_job *job); /* there is more to tell, in the next look */
    int (*check)(hy_job *job, int peer); /* OK, or why the far rank has failed */
    int (*check_all)(hy_job *job);       /* about those that were seen to fail */
    int (*flush)(hy_job *job);           /* all that this rank wrote is in the far ranks' memory */
} hy_nodes_ops;

/* See nodes/node_map.h */
typedef struct hy_node_map {
    int *starts; /* [nodes + 1] where each node's begin in `ranks`; NULL: there is one node */
    int *ranks;  /* [size] node by node */
} hy_node_map;

struct hy_job {
    int rank, size;
    _Atomic uint32_t open, closed; /* open: wholly, from then on */
    hy_wait_policy policy;
    hy_bell *bell; /* this rank's */
    hy_ep *eps;    /* [size], see hy_job_ep() */
    hy_counters *counters;
    uint8_t *part; /* this rank's part of the segment */
    uint64_t part_bytes;
    uint64_t heap_start;   /* offset of the heap in every part */
    uint64_t eager_limit;  /* of point-to-point messages */
    uint64_t eager_bytes;  /* of an eager buffer: at least what a step of a schedule may carry */
    int rendezvous;        /* HAYATE_RENDEZVOUS, an index of its words: see hy_job_rendezvous() */
    uint64_t cma_from;     /* bytes from which single copy by the kernel beats the pipeline */
    bool single_copy;      /* every rank of the job reaches every other's process by single copy,
                              and HAYATE_RENDEZVOUS permits it */
    bool single_forced;    /* HAYATE_RENDEZVOUS names one, for the memory of the heap, too */
    bool in_team;          /* its ranks are threads of this process */
    bool direct;           /* all ranks live in one address space, and use that */
    struct hy_net *net;    /* to ranks of other nodes (nodes/network.h); NULL: there are none */
    char why_net[224];     /* it is that one */
    uint64_t net_local_at; /* offset of addresses in every part: see nodes/network_local.c */
    hy_node_map node_map;
    uint64_t meeting_at; /* see nodes/meeting.h */
    _Atomic uint32_t
        news_told; /* the failures of which all nodes were told: see nodes/membership.c */
    _Atomic uint32_t news_sent; /* how often this rank told a node, there, too */
    hy_ratelimit look;          /* at the launcher and at other nodes: see job/check.c */
    _Atomic uint32_t harmless;  /* as many ends of ranks were seen, and none of them was a death */
    hy_far far;
    const hy_nodes_ops *nodes;       /* NULL: all ranks are near */
    HY_ALIGNED pthread_mutex_t lock; /* of the two allocators and of ends that are made; the
                                         innermost lock */
    hy_heap system, heap;
    uint64_t system_high; /* bytes of the system area that were ever taken */
    void **late;          /* memory that a peer may still read, see hy_job_release_late() */
    size_t late_count;
    _Atomic uint32_t background; /* something may go on beside calls */
    hy_hooks progressors;        /* see job/progress.h */
    _Atomic uint32_t setting_up; /* whose turn it is: see job/setup.h */
    pthread_mutex_t asking;      /* one thread at a time walks over the shrinkers */
    hy_hooks shrinkers;          /* see job/shrinkers.h */
    hy_boot boot;
    uint64_t cookie; /* random; peers read it to prove that they reach this process */
    hy_kmod *kmod;
    pid_t opener; /* a forked child is not the rank */
};

/* The node of a rank, 0 to hy_job_nodes() - 1. */
static inline int hy_job_node_of(const hy_job *job, int rank)
{
    return job->boot.control->ranks[rank].node;
}
static inline int hy_job_nodes(const hy_job *job)
{
    return job->boot.control->nodes;
}

/* The end of a rank that is to be used. One of another node is made at its first use, before which
 * it is all zero and so takes no memory: look at job->eps[rank] only to see whether it is near, or
 * far. Any thread. */
hy_ep *hy_job_make_ep(hy_job *job, int rank);
static inline hy_ep *hy_job_ep(hy_job *job, int rank)
{
    hy_ep *ep = &job->eps[rank];
    if (hy_unlikely(!__atomic_load_n(&ep->ops, __ATOMIC_ACQUIRE))) return hy_job_make_ep(job, rank);
    return ep;
}

/* Bytes of the part of a rank, and the row of its path, whether its end was made or not. */
uint64_t hy_job_part_bytes(const hy_job *job, int rank);
const hy_path_ops *hy_job_row(const hy_job *job, int rank);

/* Memory of this rank's heap, aligned to a line, to a page from 32 KiB on. Where there is no room
 * the shrinkers are asked (job/shrinkers.h). NULL with a reason. */
void *hy_job_alloc(hy_job *job, uint64_t bytes);
int hy_job_release(hy_job *job, const void *memory);

/* As hy_job_release(), for memory that holds a message which its receiver may not have read yet:
 * it is free only when all ranks have met once more. The caller of a fence asks for the number
 * before it and passes that on after it. */
void hy_job_release_late(hy_job *job, void *memory);
size_t hy_job_late(hy_job *job);
void hy_job_late_over(hy_job *job, size_t count);

/* Room in the system area, zeroed, aligned to a page. */
int hy_job_system_take(hy_job *job, uint64_t bytes, uint64_t *offset);
void hy_job_system_give(hy_job *job, uint64_t offset);
/* Bytes that are free, perhaps in several pieces. */
uint64_t hy_job_system_left(hy_job *job);

/* Offset of memory in this rank's part if [memory, memory + bytes) lies in its heap, else
 * HY_NOT_IN_HEAP. */
#define HY_NOT_IN_HEAP UINT64_MAX
static inline uint64_t hy_job_heap_offset(const hy_job *job, const void *memory, uint64_t bytes)
{
    uint64_t offset = (uint64_t)((uintptr_t)memory - (uintptr_t)job->part);
    if (offset < job->heap_start || offset > job->part_bytes) return HY_NOT_IN_HEAP;
    return bytes <= job->part_bytes - offset ? offset : HY_NOT_IN_HEAP;
}

/* The same for what peers load and store: beside the heap that is any memory when all ranks live in
 * one address space, where offsets are differences of addresses and may wrap. */
static inline uint64_t hy_job_offset(const hy_job *job, const void *memory, uint64_t bytes)
{
    if (job->direct) return (uint64_t)((uintptr_t)memory - (uintptr_t)job->part);
    return hy_job_heap_offset(job, memory, bytes);
}

/* The same that a collective tells of the user's memory: what a single copy is forced for has none.
 */
static inline uint64_t hy_job_user_offset(const hy_job *job, const void *memory, uint64_t bytes)
{
    if (hy_unlikely(job->single_forced && job->single_copy)) return HY_NOT_IN_HEAP;
    return hy_job_offset(job, memory, bytes);
}

/* In a slow turn of a wait for `peer` (-1: for nobody in particular), and in every test of what is
 * not over: CLOSED, PEER_FAILED, or OK. A system call at most once per tick of the kernel's clock,
 * see job/check.c. Any thread. */
int hy_job_check(hy_job *job, int peer);

/* A wait on this rank's bell, and its end. */
static inline hy_wait hy_job_wait(hy_job *job)
{
    return hy_wait_begin(&job->policy, job->bell);
}
static inline void hy_job_wait_end(hy_job *job, hy_wait *wait)
{
    if (hy_likely(!wait->armed)) return;
    hy_count(job->counters, HY_COUNT_SLEEPS, 1);
    hy_wait_end(wait);
}

/* After hy_job_check(): about any rank that died or was stopped (leaving is not a failure). */
int hy_job_check_all(hy_job *job);

/* All that this rank wrote is in the far ranks' memory, by whatever lane. OK, or the first error.
 */
static inline int hy_job_flush(hy_job *job)
{
    return job->nodes ? job->nodes->flush(job) : HAYATE_OK;
}

/* By which path `rank` is reached and why, in words. */
void hy_job_explain_path(const hy_job *job, int rank, char *text, size_t room);

/* The word of HAYATE_RENDEZVOUS: "auto", "pipeline", ... */
static inline const char *hy_job_rendezvous(const hy_job *job)
{
    return HY_SET(RENDEZVOUS)->words[job->rendezvous];
}

#endif
