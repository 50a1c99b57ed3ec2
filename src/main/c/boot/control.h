/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The control area: the first bytes of a node's shared segment, written by the launcher (or by the
 * process itself in a job of one rank) and mapped by every rank of the node. It has a short record
 * of each rank of the job, an *entry* for each rank of the node, and the delegation area if the
 * node has a delegatee. The rest of the segment is one equal part per rank of the node, in the
 * order of the entries:
 *
 *    0                                  control_bytes           control_bytes + parts * part_bytes
 *    | control, ranks, entries, delegation | part of a rank | part of the next one | ...          |
 *
 * The segment is a memfd, sealed against shrinking and growing, so that no peer can make a mapped
 * page vanish.
 */
#ifndef HY_BOOT_CONTROL_H
#define HY_BOOT_CONTROL_H

#include "base/line.h"
#include "base/wait.h"

#define HY_CONTROL_MAGIC UINT64_C(0x6574617961682d31) /* "1-hayate" */
#define HY_ABI 10u                                    /* increment when the shared layout changes */
#define HY_MAX_RANKS (1 << 20)                        /* the most in a job */
#define HY_MAX_PARTS 4096                             /* the most on a node */
#define HY_RECORD_BYTES 192
#define HY_TOKEN_BYTES 16

/* hy_control_rank.state */
enum {
    HY_RANK_EXPECTED = 0,
    HY_RANK_JOINED = 1,
    HY_RANK_LEFT = 2,    /* closed the job, or exited with 0 */
    HY_RANK_DEAD = 3,    /* exited abnormally; `why` tells how */
    HY_RANK_STOPPED = 4, /* stopped (SIGSTOP) for longer than the launcher tolerates */
};

/* Neither an exit status nor a signal: a rank of a team that was given up (boot_threads.h), and
 * a rank of another node that the network cannot reach any more. */
#define HY_WHY_NEVER_STARTED 0xffffu
#define HY_WHY_UNREACHABLE 0xfffeu

/* For every rank of the job. Small, because a job may have a million ranks. */
typedef struct hy_control_rank {
    _Atomic uint32_t state;
    _Atomic int32_t pid;
    _Atomic uint32_t why;  /* DEAD: exit status, 256 + signal, HY_WHY_NEVER_STARTED, or 0: unknown
                              reason */
    int32_t node;          /* its node: see hy_control.node */
    uint32_t part;         /* the number of its part on that node */
    _Atomic uint32_t told; /* number of nodes that know of its end (nodes/membership.h) */
} hy_control_rank;

/* For every rank of this node. */
typedef struct hy_control_entry {
    HY_ALIGNED hy_bell bell;
    HY_ALIGNED uint8_t record[HY_RECORD_BYTES]; /* its latest record: hy_boot_exchange() */
} hy_control_entry;

typedef struct hy_control {
    uint64_t magic;
    uint32_t abi;
    uint32_t size;          /* ranks of the job */
    uint64_t control_bytes; /* multiple of the page size */
    uint64_t part_bytes;    /* multiple of the page size */
    uint64_t heap_bytes;    /* the last heap_bytes of a part are the heap */
    /* Where the ranks of this node and its delegatee meet, in the control area; 0: there is none.
     */
    uint64_t delegation_at, delegation_bytes;
    uint32_t cpus;                 /* CPUs that the ranks share; fewer than parts: oversubscribed */
    uint32_t huge;                 /* page size of the segment in KiB when huge, else 0 */
    uint32_t parts;                /* ranks of this node */
    int32_t node, nodes;           /* this node's number, in the order of their first ranks */
    int32_t leader;                /* the first rank of this node */
    uint8_t token[HY_TOKEN_BYTES]; /* random: the secret that admits processes to this job */
    HY_ALIGNED _Atomic uint32_t failures; /* grows with every rank that is LEFT, DEAD or STOPPED */
    /* Low half: number of ranks of this node that have come to the fence. High half: number of
     * fences passed. Both are in one word, so that a rank can withdraw its arrival. */
    HY_ALIGNED _Atomic uint64_t fence;
    _Atomic uint32_t fence_failed; /* 1 + the rank because of which this node's leader can never
                                      meet the other nodes again; 0: it can */
    HY_ALIGNED hy_control_rank ranks[];
} hy_control;

_Static_assert(sizeof(hy_control_rank) <= 24, "a million of them");
_Static_assert(sizeof(hy_control_entry) == 256, "a rank's line and its record");

static inline uint32_t hy_control_arrived(const hy_control *control)
{
    return (uint32_t)hy_load_acquire(&control->fence);
}

/* The offset of the entries. */
static inline uint64_t hy_control_entries_at(uint32_t ranks)
{
    return hy_round_up(sizeof(hy_control) + (uint64_t)ranks * sizeof(hy_control_rank), HY_LINE);
}

/* The offset behind the entries, a multiple of HY_LINE: of the delegation area, if there is one. */
static inline uint64_t hy_control_entries_end(uint32_t ranks, uint32_t parts)
{
    return hy_control_entries_at(ranks) + (uint64_t)parts * sizeof(hy_control_entry);
}

/* Without a delegation area. */
static inline uint64_t hy_control_size(uint32_t ranks, uint32_t parts, uint64_t page)
{
    return hy_round_up(hy_control_entries_end(ranks, parts), page);
}

/* The entry of a part. */
static inline hy_control_entry *hy_control_entry_at(hy_control *control, uint32_t part)
{
    return (hy_control_entry *)(void *)((uint8_t *)control + hy_control_entries_at(control->size)) +
           part;
}

/* The delegation area, of control->delegation_bytes. NULL: this node has no delegatee. */
static inline void *hy_control_delegation(hy_control *control)
{
    return control->delegation_bytes ? (uint8_t *)control + control->delegation_at : NULL;
}

/* Whether the rank is on this node. The entry comes from a peer. */
static inline bool hy_control_is_here(const hy_control *control, int rank)
{
    const hy_control_rank *of = &control->ranks[rank];
    return of->node == control->node && of->part < control->parts;
}

/* NULL: the rank is on another node. */
static inline hy_control_entry *hy_control_entry_of(hy_control *control, int rank)
{
    if (!hy_control_is_here(control, rank)) return NULL;
    return hy_control_entry_at(control, control->ranks[rank].part);
}

/* The part of a rank of this node; the whole segment must be mapped behind the control area.
 * NULL: the rank is on another node. */
static inline uint8_t *hy_control_part(hy_control *control, int rank)
{
    if (!hy_control_is_here(control, rank)) return NULL;
    return (uint8_t *)control + control->control_bytes +
           control->ranks[rank].part * control->part_bytes;
}

/* Wakes a rank of this node, or all of them. */
void hy_control_ring(hy_control *control, int rank);
void hy_control_ring_all(hy_control *control);

/* Makes `rank` LEFT, DEAD or STOPPED: stores the reason, then the state, then counts the
 * failure, and wakes every rank. A rank that has seen the count also sees the state. */
void hy_control_publish(hy_control *control, int rank, uint32_t state, uint32_t why);

/* HAYATE_OK, or HAYATE_ERR_CORRUPT if this is not the header of a segment of `bytes` bytes for
 * `size` ranks. Reads the header only, not `ranks`. */
int hy_control_verify(const hy_control *header, uint32_t size, uint64_t bytes);

#endif
