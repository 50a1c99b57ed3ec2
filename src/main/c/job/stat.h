/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a running job from outside, for `hayate stat`: finds the segment among the descriptors
 * of one of the job's processes and maps it read-only. Nothing in it is trusted: the numbers
 * that are used as offsets were copied and checked once, everything else is only displayed. */
#ifndef HY_JOB_STAT_H
#define HY_JOB_STAT_H

#include <sys/types.h>

#include "boot/control.h"
#include "job/counters.h"
#include "job/waits.h"
#include "net/delegated/delegation.h"

typedef struct hy_stat {
    const hy_control *control; /* read-only mapping of the whole segment */
    uint64_t bytes;
    hy_control header; /* private copy, checked; without ranks */
} hy_stat;

typedef struct hy_stat_rank {
    uint32_t state, why;
    int32_t pid;
    uint64_t counters[HY_COUNTERS];   /* 0 until the rank has joined */
    uint64_t commands, command_bytes; /* that the delegatee has begun for the rank */
} hy_stat_rank;

/* Opens the job of process `pid`, which is the launcher or a rank that has joined. ARGUMENT: no
 * such process, another user's process, or one without a job; CORRUPT, LAUNCH (another version),
 * SYSTEM. */
int hy_stat_open(pid_t pid, hy_stat **stat);

/* Maps the job of a segment; `fd` stays with the caller. The errors of hy_stat_open(). */
int hy_stat_open_fd(int fd, hy_stat **stat);

/* The state of a rank of another node, whose counters are not here. */
#define HY_STAT_ELSEWHERE 5u

/* Reads the present state of a rank. Each counter is exact, but they are not read at one moment.
 * ARGUMENT. */
int hy_stat_read(const hy_stat *stat, int rank, hy_stat_rank *result);

/* The waits of a rank that has joined and is on this node; otherwise NULL. */
const hy_waits *hy_stat_waits(const hy_stat *stat, int rank);

/* The stripes in which threads of such a rank have counted messages, collectives or operations of
 * the global space, a bit each; 0 otherwise. */
uint32_t hy_stat_stripes(const hy_stat *stat, int rank);

/* Reads what the delegatee of this node tells. False: the job has none. */
bool hy_stat_delegatee(const hy_stat *stat, hy_delegation_view *view);

void hy_stat_close(hy_stat *stat);

/* The same view for a process that has mapped the segment of `bytes` bytes itself, and trusts none
 * of it: not for hy_stat_close(). CORRUPT. */
int hy_stat_borrow(hy_stat *stat, const hy_control *control, uint64_t bytes, uint32_t size);

/* "expected", "joined", "left", "dead", "stopped", "elsewhere"; "damaged" for other values. */
const char *hy_stat_state_name(uint32_t state);

#endif
