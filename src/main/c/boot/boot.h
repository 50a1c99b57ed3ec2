/* SPDX-License-Identifier: Apache-2.0 */
/* How the ranks of a job find each other. A boot method finds out this process's rank, exchanges
 * one small record per rank, and on one node passes on the shared segment. The methods are rows
 * of one table: `local` (started by `hayate run`), `pmix` and `pmi1` (started by a cluster's
 * launcher), and `single` (no launcher: a job of one rank). Two more are chosen by a program:
 * ranks that are threads (boot_threads.h), and an exchange of records (bootstrap.h). */
#ifndef HY_BOOT_BOOT_H
#define HY_BOOT_BOOT_H

#include <stdbool.h>

#include "boot/control.h"

typedef struct hy_boot hy_boot;

typedef struct hy_boot_ops {
    const char *name;
    /* Whether the environment of this method is present. Never fails. */
    bool (*present)(void);
    /* Fills in rank, size, segment_fd and control (the whole segment is mapped from `control`
     * on). */
    int (*open)(hy_boot *boot);
    /* Checks whether the launcher still lives: HAYATE_OK or HAYATE_ERR_PEER_FAILED. Makes a
     * system call, so only for slow turns; never blocks. Any thread. */
    int (*check)(hy_boot *boot);
    /* Leaves in order. The segment stays mapped. */
    void (*close)(hy_boot *boot);
    /* See hy_boot_publish() and hy_boot_lookup(). NULL: all ranks are on this node. */
    int (*publish)(hy_boot *boot, const char *name, const char *text);
    int (*lookup)(hy_boot *boot, int rank, const char *name, char *text, size_t room);
    /* See hy_boot_abort(). NULL: the launcher ends all ranks when one exits with an error. */
    void (*abort)(hy_boot *boot, int code);
    /* What a rank has told all others before anything was opened, about its networks
     * (nodes/network.h). NULL: nothing. */
    const char *(*offered)(const hy_boot *boot, int rank);
    /* Gives up a segment that this rank shares with others of its process. NULL: it is not
     * shared, and is unmapped. */
    void (*release)(hy_boot *boot);
} hy_boot_ops;

struct hy_boot {
    const hy_boot_ops *ops;
    int rank, size;
    int socket;     /* to the launcher, or -1 */
    int segment_fd; /* kept open: `hayate stat PID` finds it under /proc/PID/fd */
    uint64_t segment_bytes;
    hy_control *control;
    bool tasks;    /* started by hayate run --pvas, even if this process is not a task */
    bool borrowed; /* the mapping at `control` belongs to the launcher: not unmapped */
    bool mixed;    /* of the ranks of this node, some are in this process and some are not */
    bool apart;    /* see hy_boot_open_apart() */
    /* Not all zero: a random value, equal in all processes and ranks in this address space. */
    uint8_t space[16];
    struct hy_team *team;           /* boot_threads.h; NULL: none */
    struct hy_cluster *cluster;     /* boot_cluster.h; NULL: none */
    struct hy_bootstrap *bootstrap; /* bootstrap.h; NULL: none */
    /* Called on the leader of a node when all ranks of its node have come to a fence: it meets
     * the other leaders, and exchanges the records of their ranks if `records`. `failed` >= 0:
     * this node cannot come because of that rank; the others are told, and the result is an
     * error. The room that opens a network sets it. NULL: no network is open, and there is one
     * node. */
    int (*between)(void *context, int failed, bool records);
    /* The record that a rank of another node gave in the last exchange. */
    const void *(*between_record)(const void *context, int rank);
    void *between_context;
    /* Called in slow turns of a fence: makes progress for other ranks. An error ends the fence.
     * NULL: nothing to do. */
    int (*idle)(void *context);
    /* Called in slow turns of fence `number` once it has lasted, and then at its end. NULL: not. */
    void (*tell)(void *context, hy_wait *wait, uint32_t number);
    void (*told)(void *context, hy_wait *wait);
    void *idle_context;
    hy_wait_limit idle_limit; /* of the sleeps between these calls */
};

extern const hy_boot_ops hy_boot_local, hy_boot_pmix, hy_boot_pmi1, hy_boot_single;

/* The method for this process's environment; `single` if no launcher started it. */
const hy_boot_ops *hy_boot_method(void);

/* Opens with the method for the environment. */
int hy_boot_open(hy_boot *boot);

/* Opens as `start` says, whose method and other members are set, but nothing that open() fills in.
 */
int hy_boot_open_with(hy_boot *boot, const hy_boot *start);

/* For a delegatee: opens with the method of the cluster's launcher, and each member is a node of
 * its own, whatever the launcher says about places, also if several are on one machine. The segment
 * is small; publish, lookup, check and abort work as for a rank. Without such a launcher: a job of
 * one. Ignores `hayate run`, whose ranks a delegatee serves. */
int hy_boot_open_apart(hy_boot *boot);

/* Publishes this rank's record (at most HY_RECORD_BYTES) and waits until all ranks have done so.
 * The records stay until the next exchange, before which the caller must fence. Records that are
 * equal on all ranks cost next to nothing between nodes. PEER_FAILED names a rank that has left
 * or died before. */
int hy_boot_exchange(hy_boot *boot, const void *record, size_t bytes);

/* Like hy_boot_exchange(), but only the records of ranks of this node can be read afterwards.
 * All ranks of the job still wait for each other. */
int hy_boot_exchange_here(hy_boot *boot, const void *record, size_t bytes);

/* The record of a rank after an exchange: HY_RECORD_BYTES, padded with zeros. */
const void *hy_boot_record(const hy_boot *boot, int rank);

/* A barrier over all ranks, for set-up only (it is not fast). One thread of a rank at a time. */
int hy_boot_fence(hy_boot *boot);

/* The same, but ends with CLOSED when *closed becomes 1 (whoever sets it rings this rank's
 * bell). Then this rank has not come, and the next fence works normally. Once all ranks of this
 * node have come, closing has no effect. NULL: never. */
int hy_boot_fence_unless(hy_boot *boot, const _Atomic uint32_t *closed);

/* Whether this rank is the leader of its node. */
bool hy_boot_is_leader(const hy_boot *boot);

/* Room for a published text, with its terminating 0. */
#define HY_BOOT_TEXT 640

/* Publishes a text (letters, digits, '.', '-' and '_'), once for each name, and waits until all
 * ranks have published theirs under this name. Must not run during a fence of other threads. */
int hy_boot_publish(hy_boot *boot, const char *name, const char *text);

/* Gets what `rank` has published from the launcher, which is asked every time: nobody stores a
 * table. Any thread. */
int hy_boot_lookup(hy_boot *boot, int rank, const char *name, char text[HY_BOOT_TEXT]);

/* HAYATE_OK while `rank` lives, else PEER_FAILED, with a reason that tells how it ended. */
int hy_boot_rank_status(const hy_boot *boot, int rank);

/* Asks the launcher to end all ranks of the job, which then ends with `code`, if it is one that
 * would not do so when this rank exits with an error. The caller exits next. Any thread, at any
 * time, also after leaving; a forked child asks for nothing. */
void hy_boot_abort(hy_boot *boot, int code);

/* Unmaps and closes what hy_boot_open() made. */
void hy_boot_release(hy_boot *boot);

/* Creates a segment for `size` ranks: a memfd (on huge pages if the machine has enough free),
 * sealed, with an initialised control area. Used by the launcher and by boot_single.c. */
int hy_segment_create(int size, uint64_t heap_bytes, int *fd, uint64_t *segment_bytes);

/* The default heap per rank: half of the memory divided by the ranks, at least 64 MiB. The
 * memory is that of the machine, or what control groups allow if that is less. Only pages that are
 * touched take memory. */
uint64_t hy_heap_default(int size);

/* The same for `size` ranks of a node in a job on `nodes`. Between nodes, the whole heap may have
 * to be pinned: the default is small there. */
uint64_t hy_heap_default_among(int size, int nodes);

#endif
