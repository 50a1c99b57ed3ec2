/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The spaces of this process, and what the process knows about their tasks.
 *
 * Locking: there is one lock for the list of spaces and one per space for its slots. The first is
 * never taken while the second is held. No lock is held while a program is loaded or a task is
 * waited for: a STARTING slot belongs to the thread that starts it, and a slot that is waited for
 * stays valid as long as it has waiters.
 */
#ifndef HY_PVAS_SPACE_H
#define HY_PVAS_SPACE_H

#include <pthread.h>
#include <stdbool.h>

#include "pvas/region.h"
#include "pvas/space_table.h"

typedef enum hy_slot_state {
    HY_SLOT_FREE,
    HY_SLOT_STARTING,
    HY_SLOT_RUNNING,
    HY_SLOT_ENDED
} hy_slot_state;

/* A partition, as the creator sees it. */
typedef struct hy_pvas_slot {
    hy_slot_state state;
    int number; /* of its task */
    pid_t pid;
    int pidfd; /* -1 if the task has ended and nobody polls it any more */
    int waiters;
    unsigned holds;
    bool status_lost; /* something else waited for the process */
    pvas_status status;
} hy_pvas_slot;

typedef struct hy_space {
    struct hy_space *next;
    int number;
    pid_t creator;
    int users; /* calls that use the space, under the lock of the list */
    hy_pvas_region region;
    hy_table *table;
    size_t table_bytes;
    pthread_mutex_t lock; /* protects all members below */
    pthread_cond_t changed;
    bool closing;
    int starting; /* number of STARTING slots */
    int next_task;
    int slot_count;
    hy_pvas_slot slots[];
} hy_space;

/* Finds a space and keeps it from being freed until hy_space_leave(). ARGUMENT (CLOSED if `closed`
 * is set and the space existed once); STATE: in a child of fork(). */
int hy_space_enter(int number, bool closed, hy_space **space);
void hy_space_leave(hy_space *space);

/* Whether this process has ever had a space. */
int hy_space_any(void);

/* Makes sure that the guard lives. The caller has entered a space. */
int hy_space_guarded(void);

int hy_space_create(unsigned tasks, uint64_t bytes, int *number);
int hy_space_destroy(int number);

static inline uint64_t hy_slot_base(const hy_space *space, const hy_pvas_slot *slot)
{
    return space->region.base + (uint64_t)(slot - space->slots) * space->region.bytes;
}

/* The slot of the task. NULL: there is no such task, and hy_fail() has been called. The caller
 * holds the lock. */
hy_pvas_slot *hy_slot_find(hy_space *space, int task);

/* Takes a free slot for a new task; CLOSED, NO_MEMORY. The caller does not hold the lock. */
int hy_slot_claim(hy_space *space, hy_pvas_slot **slot);

/* Notes that the task runs, or that it does not and its partition is free again. */
void hy_slot_started(hy_space *space, hy_pvas_slot *slot, pid_t pid, int pidfd);
void hy_slot_abandon(hy_space *space, hy_pvas_slot *slot);

/* Checks whether the task has ended, and records how. The caller holds the lock. */
void hy_slot_collect(hy_space *space, hy_pvas_slot *slot);

/* Waits until the task has ended, or until hy_now_ns() reaches `end` (0: no limit). False: it has
 * not ended. The caller holds the lock, which is released meanwhile. */
bool hy_slot_await(hy_space *space, hy_pvas_slot *slot, uint64_t end);

/* Gives the memory of an ended task back. The caller holds the lock, which may be released
 * meanwhile. */
void hy_slot_reclaim(hy_space *space, hy_pvas_slot *slot);

#endif
