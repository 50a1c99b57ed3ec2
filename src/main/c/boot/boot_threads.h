/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ranks that are threads of one process. A team is the segment that they share; each rank opens its
 * boot in it by number, once. The team lives until its maker and all ranks that opened have dropped
 * it. A thread that ends without closing its rank is not noticed: it has not left the job.
 */
#ifndef HY_BOOT_BOOT_THREADS_H
#define HY_BOOT_BOOT_THREADS_H

#include "boot/boot.h"

typedef struct hy_team hy_team;

/* Heap by HAYATE_HEAP, as for any job. ARGUMENT (size not 1 .. HY_MAX_PARTS), NO_MEMORY, SYSTEM;
 * LAUNCH: this process is a rank of a launched job itself. */
int hy_team_create(int size, hy_team **team);
void hy_team_drop(hy_team *team);

/* By a maker that cannot start all ranks: those that are not open never will be. Who joins as one
 * of them gets STATE, who waits for them PEER_FAILED; both say that the team was given up. From any
 * thread that holds the team; idempotent. */
void hy_team_give_up(hy_team *team);

/* In place of hy_boot_open(). ARGUMENT; STATE: somebody is that rank already, or the team was given
 * up. */
int hy_boot_open_in(hy_boot *boot, hy_team *team, int rank);

#endif
