/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who is there. A boot method finds this process's rank, exchanges one small record per rank, and
 * on one node hands over the shared segment. Methods are rows of one table: `local` (started by
 * `hayate run`), `pmix` and `pmi1` (by the cluster's own launcher) and `single` (no launcher: a job
 * of one).
 */
#ifndef HY_BOOT_BOOT_H
#define HY_BOOT_BOOT_H

#include <stdbool.h>

#include "boot/control.h"

typedef struct hy_boot hy_boot;

typedef struct hy_boot_ops {
    const char *name;
    /* Is this method's environment present? Never fails. */
    bool (*present)(void);
    /* Fills rank, size, segment_fd, control (mapped: the whole segment from `control` on). */
    int (*open)(hy_boot *boot);
    /* Asks whether the launcher still lives: HAYATE_OK or HAYATE_ERR_PEER_FAILED. A system call,
     * for slow turns only; never blocks. Any thread. */
    int (*check)(hy_boot *boot);
    /* Leaves in order. The segment stays mapped. */
    void (*close)(hy_boot *boot);
    /* See hy_boot_publish() and hy_boot_lookup(). NULL: all ranks are on this node. */
    int (*publish)(hy_boot *boot, const char *name, const char *text);
    int (*lookup)(hy_boot *boot, int rank, const char *name, char *text, size_t room);
    /* Gives back a segment that is not this rank's alone. NULL: it is, and is unmapped. */
    void (*release)(hy_boot *boot);
} hy_boot_ops;

struct hy_boot {
    const hy_boot_ops *ops;
    int rank, size;
    int socket;     /* to the launcher, or -1 */
    int segment_fd; /* kept open: `hayate stat PID` finds it under /proc/PID/fd */
    uint64_t segment_bytes;
    hy_control *control;
    bool tasks;    /* of hayate run --pvas, whatever this process is */
    bool borrowed; /* the mapping at `control` is the launcher's: release leaves it alone */
    /* Not all zero: random, the same in all processes and ranks that live in this address space. */
    uint8_t space[16];
    struct hy_team *team;       /* boot_threads.h; NULL: none */
    struct hy_cluster *cluster; /* boot_cluster.h; NULL: none */
    /* What the first rank of each node does between the nodes when all its node's ranks have come
     * to a fence: it meets the others like it, and brings the records of their ranks if `records`.
     * `failed` >= 0: this node cannot come, because of that rank; the others are told, and the
     * result is an error.
     * Whoever opens a network sets it. NULL: none is open, and there is one node. */
    int (*between)(void *context, int failed, bool records);
    /* The record that a rank of another node brought to the last exchange. */
    const void *(*between_record)(const void *context, int rank);
    void *between_context;
    /* Called on slow turns of a fence: the rank's part in what others wait for. An error ends the
     * fence with it. NULL: nothing. */
    int (*idle)(void *context);
    void *idle_context;
    hy_wait_limit idle_limit; /* of the sleeps between */
};

extern const hy_boot_ops hy_boot_local, hy_boot_pmix, hy_boot_pmi1, hy_boot_single;

/* The method that this process's environment asks for; `single` when no launcher started it. */
const hy_boot_ops *hy_boot_method(void);

/* Opens by the method of the environment. */
int hy_boot_open(hy_boot *boot);

/* Publishes this rank's record (at most HY_RECORD_BYTES) and waits until all ranks have done so.
 * The records stay until the next exchange, before which the caller fences. Records that are all
 * alike cost next to nothing between nodes. PEER_FAILED names a rank that left or died before. */
int hy_boot_exchange(hy_boot *boot, const void *record, size_t bytes);

/* As hy_boot_exchange(), but only the records of ranks of this node can be read afterwards. All
 * ranks of the job wait for each other all the same. */
int hy_boot_exchange_here(hy_boot *boot, const void *record, size_t bytes);

/* The record of a rank after an exchange: HY_RECORD_BYTES, zeros behind what it gave. */
const void *hy_boot_record(const hy_boot *boot, int rank);

/* Barrier over all ranks; for set-up only (it is not fast). One thread of a rank at a time. */
int hy_boot_fence(hy_boot *boot);

/* The same, but ends with CLOSED when *closed becomes 1 (its setter rings this rank's bell): as if
 * this rank had not come, so that the next fence finds all in order. Once all ranks of this node
 * have come it is too late for that. NULL: never. */
int hy_boot_fence_unless(hy_boot *boot, const _Atomic uint32_t *closed);

/* Does this rank speak for its node? */
bool hy_boot_is_leader(const hy_boot *boot);

/* Room for a text that is published, with its 0. */
#define HY_BOOT_TEXT 640

/* Gives the others a text (letters, digits, '.', '-' and '_'), once for each name, and waits until
 * all ranks have given theirs of this name. Not in a fence of others. */
int hy_boot_publish(hy_boot *boot, const char *name, const char *text);

/* What `rank` has published, by the launcher, which is asked each time: nobody holds a table. Any
 * thread. */
int hy_boot_lookup(hy_boot *boot, int rank, const char *name, char text[HY_BOOT_TEXT]);

/* HAYATE_OK while `rank` lives, else PEER_FAILED with its name and what became of it. */
int hy_boot_rank_status(const hy_boot *boot, int rank);

/* Unmaps and closes what open() made. */
void hy_boot_release(hy_boot *boot);

/* A segment for `size` ranks: memfd (huge pages when the machine has some free), sealed, with an
 * initialised control area. Used by the launcher and by boot_single. */
int hy_segment_create(int size, uint64_t heap_bytes, int *fd, uint64_t *segment_bytes);

/* Default heap per rank: half of the memory divided by the ranks, at least 64 MiB; only pages that
 * are touched count. */
uint64_t hy_heap_default(int size);

#endif
