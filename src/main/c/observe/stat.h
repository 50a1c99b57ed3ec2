/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a running job from outside, for `hayate stat`: finds the segment among the descriptors
 * of one of the job's processes and maps it read-only. */
#ifndef HY_OBSERVE_STAT_H
#define HY_OBSERVE_STAT_H

#include <sys/types.h>

#include "watchdog/view.h"

typedef struct hy_stat_rank {
    uint32_t state, why;
    int32_t pid;
    uint64_t counters[HY_COUNTERS];   /* 0 until the rank has joined */
    uint64_t commands, command_bytes; /* that the delegatee has begun for the rank */
} hy_stat_rank;

/* Opens the job of process `pid`, which is the launcher or a rank that has joined. ARGUMENT: no
 * such process, another user's process, or one without a job; CORRUPT, LAUNCH (another version),
 * SYSTEM. */
int hy_stat_open(pid_t pid, hy_view **job);

/* Maps the job of a segment; `fd` stays with the caller. The errors of hy_stat_open(). */
int hy_stat_open_fd(int fd, hy_view **job);

/* The state of a rank of another node, whose counters are not here. */
#define HY_STAT_ELSEWHERE 5u

/* Reads the present state of a rank. Each counter is exact, but they are not read at one moment.
 * ARGUMENT. */
int hy_stat_read(const hy_view *job, int rank, hy_stat_rank *result);

/* Reads what the delegatee of this node tells. False: the job has none. */
bool hy_stat_delegatee(const hy_view *job, hy_delegation_view *view);

void hy_stat_close(hy_view *job);

/* "expected", "joined", "left", "dead", "stopped", "elsewhere"; "damaged" for other values. */
const char *hy_stat_state_name(uint32_t state);

#endif
