/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The control area: the first bytes of a node's shared segment, written by the launcher (or by the
 * process itself in a job of one rank) and mapped by every rank of the node. It has a short record
 * of each rank of the job, an *entry* for each rank of the node, and the delegation area if the
 * node has a delegatee. The rest of the segment is one equal part per rank of the node, in the
 * order of the entries:
 *
 *    0                                                            control_bytes
 *    | control | live, ranks, blocks, board, entries, list, delegation | part | part | ...
 *
 * Where a rank is, is in the layout (boot/layout.h), whose list, if it has one, is behind the
 * entries. The records of ranks are address space: a page of them takes memory when the end of one
 * of its ranks, or the state of a rank of this node, is written there. Reading it would take
 * memory, too: so hy_control_state() first looks whether anything was written in the record's
 * block.
 *
 * A process checks the header once, when it maps the segment, and keeps a private copy of it on
 * read-only pages at the same address (hy_segment_map()). So what other processes write there later
 * cannot lead it out of the segment: sizes, counts and offsets stay those that were checked. Behind
 * it, on these pages, are the ranks of the entries, so that a rank keeps its part. The pages of a
 * segment of huge pages cannot be replaced one by one: there the header stays shared.
 *
 * The segment is a memfd, sealed against shrinking and growing, so that no peer can make a mapped
 * page vanish.
 */
#ifndef HY_BOOT_CONTROL_H
#define HY_BOOT_CONTROL_H

#include "boot/layout.h"
#include "base/line.h"
#include "base/wait.h"

#define HY_CONTROL_MAGIC UINT64_C(0x6574617961682d31) /* "1-hayate" */
#define HY_ABI 24u                                    /* increment when the shared layout changes */
#define HY_CONTROL_LIVE_AT (64 << 10)                 /* no page is larger, but huge ones */
#define HY_MAX_RANKS (1 << 20)                        /* the most in a job */
#define HY_MAX_PARTS 4096                             /* the most on a node */
#define HY_RECORD_BYTES 192
#define HY_BOARD_BYTES (24 << 10) /* of choose/board.h */
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

/* For every rank of the job. */
typedef struct hy_control_rank {
    _Atomic uint32_t state;
    _Atomic int32_t pid;
    _Atomic uint32_t why;  /* DEAD: exit status, 256 + signal, HY_WHY_NEVER_STARTED, or 0: unknown
                              reason */
    _Atomic uint32_t told; /* number of nodes that know of its end (nodes/membership.h) */
} hy_control_rank;

#define HY_CONTROL_BLOCK 256 /* records, about a page */

/* For every rank of this node, in ascending order. */
typedef struct hy_control_entry {
    HY_ALIGNED hy_bell bell;
    uint32_t rank;
    HY_ALIGNED uint8_t record[HY_RECORD_BYTES]; /* its latest record: hy_boot_exchange() */
} hy_control_entry;

/* What is fixed when the segment is made. */
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
    hy_layout_rule layout;         /* where each rank is */
    uint8_t token[HY_TOKEN_BYTES]; /* random: the secret that admits processes to this job */
} hy_control;

/* What changes. It begins at HY_CONTROL_LIVE_AT. */
typedef struct hy_control_live {
    HY_ALIGNED _Atomic uint32_t failures; /* grows with every rank that is LEFT, DEAD or STOPPED */
    _Atomic uint32_t failed_first;        /* 1 + the first rank to be DEAD or STOPPED; 0: none is */
    _Atomic uint32_t failed_last;         /* 1 + the last one */
    _Atomic uint32_t deaths;              /* number of ranks that are DEAD or STOPPED */
    /* Low half: number of ranks of this node that have come to the fence. High half: number of
     * fences passed. Both are in one word, so that a rank can withdraw its arrival. */
    HY_ALIGNED _Atomic uint64_t fence;
    _Atomic uint32_t fence_failed; /* 1 + the rank because of which this node's leader can never
                                      meet the other nodes again; 0: it can */
    HY_ALIGNED hy_control_rank ranks[];
} hy_control_live;

_Static_assert(sizeof(hy_control) <= 1024, "copies of it are on stacks, and the ranks behind it");
_Static_assert(sizeof(hy_control_rank) * HY_CONTROL_BLOCK == 4096, "a block is a page");
_Static_assert(sizeof(hy_control_entry) == 256, "a rank's line and its record");

static inline hy_control_live *hy_control_live_of(const hy_control *control)
{
    return (hy_control_live *)((uintptr_t)control + HY_CONTROL_LIVE_AT);
}

static inline uint32_t hy_control_arrived(const hy_control *control)
{
    return (uint32_t)hy_load_acquire(&hy_control_live_of(control)->fence);
}

/* The offsets of the blocks' marks, of the board and of the entries. */
static inline uint64_t hy_control_blocks_at(uint32_t ranks)
{
    return hy_round_up(HY_CONTROL_LIVE_AT + sizeof(hy_control_live) +
                           (uint64_t)ranks * sizeof(hy_control_rank),
                       HY_LINE);
}

static inline uint64_t hy_control_board_at(uint32_t ranks)
{
    uint64_t blocks = hy_round_up(ranks, HY_CONTROL_BLOCK) / HY_CONTROL_BLOCK;
    return hy_round_up(hy_control_blocks_at(ranks) + blocks, HY_LINE);
}

static inline uint64_t hy_control_entries_at(uint32_t ranks)
{
    return hy_control_board_at(ranks) + HY_BOARD_BYTES;
}

/* The offset of the layout's list. */
static inline uint64_t hy_control_list_at(uint32_t ranks, uint32_t parts)
{
    return hy_control_entries_at(ranks) + (uint64_t)parts * sizeof(hy_control_entry);
}

/* Of a job whose layout has no list. */
static inline uint64_t hy_control_size(uint32_t ranks, uint32_t parts, uint64_t page)
{
    return hy_round_up(hy_control_list_at(ranks, parts), page);
}

static inline const uint32_t *hy_control_list(const hy_control *control)
{
    uint64_t at = hy_control_list_at(control->size, control->parts);
    return (const uint32_t *)(const void *)((const uint8_t *)control + at);
}

/* The choices of this node's ranks: memory of zeros at first, whose contents are not known here. */
static inline void *hy_control_board(hy_control *control)
{
    return (uint8_t *)control + hy_control_board_at(control->size);
}

/* The mark of a rank's block: whether something was written there. */
static inline _Atomic uint8_t *hy_control_block(const hy_control *control, int rank)
{
    uint64_t at = hy_control_blocks_at(control->size) + (uint32_t)rank / HY_CONTROL_BLOCK;
    return (_Atomic uint8_t *)((uintptr_t)control + at);
}

/* The record of a rank, to write to it: of this node, or one that has ended. */
static inline hy_control_rank *hy_control_record(hy_control *control, int rank)
{
    _Atomic uint8_t *block = hy_control_block(control, rank);
    if (!hy_load_relaxed(block)) hy_store_release(block, 1);
    return &hy_control_live_of(control)->ranks[rank];
}

/* The record of a rank; NULL: nothing was written there. Whoever was told of something by an
 * acquire load sees the record. */
static inline const hy_control_rank *hy_control_look(const hy_control *control, int rank)
{
    return hy_load_acquire(hy_control_block(control, rank))
               ? &hy_control_live_of(control)->ranks[rank]
               : NULL;
}

/* EXPECTED is also the state of a rank of another node that has joined. */
static inline uint32_t hy_control_state(const hy_control *control, int rank)
{
    const hy_control_rank *record = hy_control_look(control, rank);
    return record ? hy_load_acquire(&record->state) : HY_RANK_EXPECTED;
}

/* The rank of which a word tells, as 1 + its number; -1: none, or no rank of the job. */
static inline int hy_control_told_rank(const hy_control *control, const _Atomic uint32_t *word)
{
    uint32_t told = hy_load_acquire(word);
    return told <= control->size ? (int)told - 1 : -1;
}

/* The first rank that was seen to die, or to be stopped; -1: none. Ranks that end after it may do
 * so because of it. */
static inline int hy_control_failed_first(const hy_control *control)
{
    return hy_control_told_rank(control, &hy_control_live_of(control)->failed_first);
}

/* The last rank that was seen to die, or to be stopped; -1: none. */
static inline int hy_control_failed_last(const hy_control *control)
{
    return hy_control_told_rank(control, &hy_control_live_of(control)->failed_last);
}

/* How many ranks were seen to die, or to be stopped. Who has read this number sees the states that
 * it counts. */
static inline uint32_t hy_control_deaths(const hy_control *control)
{
    return hy_load_acquire(&hy_control_live_of(control)->deaths);
}

/* The entry of a part. */
static inline hy_control_entry *hy_control_entry_at(const hy_control *control, uint32_t part)
{
    uint64_t at = hy_control_entries_at(control->size);
    return (hy_control_entry *)((uintptr_t)control + at) + part;
}

/* The private copy of the entries' ranks, behind that of the header. */
#define HY_CONTROL_KEPT_AT 1024
static inline uint32_t *hy_control_kept(const hy_control *control)
{
    return (uint32_t *)((uintptr_t)control + HY_CONTROL_KEPT_AT);
}

/* The rank of a part of this node. Without a private copy it may be any number. */
static inline uint32_t hy_control_rank_at(const hy_control *control, uint32_t part)
{
    return control->huge ? hy_control_entry_at(control, part)->rank
                         : hy_control_kept(control)[part];
}

/* The delegation area, of control->delegation_bytes. NULL: this node has no delegatee. */
static inline void *hy_control_delegation(hy_control *control)
{
    return control->delegation_bytes ? (uint8_t *)control + control->delegation_at : NULL;
}

/* The number of a rank's part on this node; -1: it is on another node. The layout may be damaged:
 * the number is below control->parts in any case. */
int hy_control_part_number(const hy_control *control, int rank);

static inline bool hy_control_is_here(const hy_control *control, int rank)
{
    return hy_control_part_number(control, rank) >= 0;
}

/* NULL: the rank is on another node. */
static inline hy_control_entry *hy_control_entry_of(const hy_control *control, int rank)
{
    int part = hy_control_part_number(control, rank);
    return part < 0 ? NULL : hy_control_entry_at(control, (uint32_t)part);
}

/* The part of a rank of this node; the whole segment must be mapped behind the control area.
 * NULL: the rank is on another node. */
static inline uint8_t *hy_control_part(hy_control *control, int rank)
{
    int part = hy_control_part_number(control, rank);
    if (part < 0) return NULL;
    return (uint8_t *)control + control->control_bytes + (uint64_t)part * control->part_bytes;
}

/* Wakes a rank of this node, or all of them. */
void hy_control_ring(hy_control *control, int rank);
void hy_control_ring_all(hy_control *control);

/* Makes `rank` LEFT, DEAD or STOPPED: stores the reason, then the state, then counts the
 * failure, and wakes every rank. The first and the last that are DEAD or STOPPED are remembered as
 * such; each of them is counted once, whoever publishes it. A rank that has seen a count also sees
 * the state. */
void hy_control_publish(hy_control *control, int rank, uint32_t state, uint32_t why);

/* The same, unless it has ended before. */
void hy_control_end(hy_control *control, int rank, uint32_t state, uint32_t why);

/* HAYATE_OK, or HAYATE_ERR_CORRUPT if this is not the header of a segment of `bytes` bytes for
 * `size` ranks. Reads the header only, not `ranks`. */
int hy_control_verify(const hy_control *header, uint32_t size, uint64_t bytes);

#endif
