/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks that are threads of one process. A team is the segment that they share; each rank opens
 * its boot in it by number, once. The team lives until its creator and all ranks that have
 * opened it have dropped it. A thread that ends without closing its rank is not noticed: it has
 * not left the job. */
#ifndef HY_BOOT_BOOT_THREADS_H
#define HY_BOOT_BOOT_THREADS_H

#include "boot/boot.h"

typedef struct hy_team hy_team;

/* The heap has the size of HAYATE_HEAP, as in any job. ARGUMENT (size not 1 to HY_MAX_PARTS),
 * NO_MEMORY, SYSTEM; LAUNCH: this process is itself a rank of a launched job. */
int hy_team_create(int size, hy_team **team);
void hy_team_drop(hy_team *team);

/* For a creator that cannot start all ranks: ranks that are not open will never be. A thread
 * that joins as one of them gets STATE, a rank that waits for them PEER_FAILED; both reasons
 * tell that the team was given up. Any thread that holds the team may call it; idempotent. */
void hy_team_give_up(hy_team *team);

/* Used instead of hy_boot_open(). ARGUMENT; STATE: the rank is already taken, or the team was
 * given up. */
int hy_boot_open_in(hy_boot *boot, hy_team *team, int rank);

#endif
