/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The spaces of this process, and what it knows about the tasks in them.
 *
 * Locking: one lock for the list of spaces, one per space for its slots; the first is never taken
 * while the second is held. Nobody holds either while a program is loaded or a task is waited for:
 * a slot that is STARTING belongs to the thread that starts it, and one that is waited for stays as
 * long as it has waiters.
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

/* A partition, seen by the creator. */
typedef struct hy_pvas_slot {
    hy_slot_state state;
    int number; /* of its task */
    pid_t pid;
    int pidfd; /* -1 when the task has ended and nobody polls it any more */
    int waiters;
    unsigned holds;
    bool status_lost; /* somebody else waited for the process */
    pvas_status status;
} hy_pvas_slot;

typedef struct hy_space {
    struct hy_space *next;
    int number;
    pid_t creator;
    int users; /* calls that are in it, under the lock of the list */
    hy_pvas_region region;
    hy_table *table;
    size_t table_bytes;
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t changed;
    bool closing;
    int starting; /* slots */
    int next_task;
    int slot_count;
    hy_pvas_slot slots[];
} hy_space;

/* Finds a space and keeps it from being freed until hy_space_leave(). ARGUMENT (CLOSED when
 * `closed` says so and it existed once); STATE: in a child of fork(). */
int hy_space_enter(int number, bool closed, hy_space **space);
void hy_space_leave(hy_space *space);

/* Whether this process has ever had one. */
int hy_space_any(void);

/* Sees to it that the guard lives; in a space that one has entered. */
int hy_space_guarded(void);

int hy_space_create(unsigned tasks, uint64_t bytes, int *number);
int hy_space_destroy(int number);

static inline uint64_t hy_slot_base(const hy_space *space, const hy_pvas_slot *slot)
{
    return space->region.base + (uint64_t)(slot - space->slots) * space->region.bytes;
}

/* Under the lock. The task's slot; NULL: there is no such task, which has been said with hy_fail().
 */
hy_pvas_slot *hy_slot_find(hy_space *space, int task);

/* Without the lock. Takes a free slot for a new task; CLOSED, NO_MEMORY. */
int hy_slot_claim(hy_space *space, hy_pvas_slot **slot);

/* The task runs; or it does not, and its partition is given back. */
void hy_slot_started(hy_space *space, hy_pvas_slot *slot, pid_t pid, int pidfd);
void hy_slot_abandon(hy_space *space, hy_pvas_slot *slot);

/* Under the lock. Looks whether the task has ended, and notes how. */
void hy_slot_collect(hy_space *space, hy_pvas_slot *slot);

/* Under the lock, which is released meanwhile. Waits until the task has ended, or until the time of
 * hy_now_ns() is `end` (0: without limit). False: it has not. */
bool hy_slot_await(hy_space *space, hy_pvas_slot *slot, uint64_t end);

/* Under the lock, which may be released meanwhile: gives the memory of an ended task back. */
void hy_slot_reclaim(hy_space *space, hy_pvas_slot *slot);

#endif
