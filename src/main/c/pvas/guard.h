/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process that kills the spawner's tasks when the spawner ends for any reason, including SIGKILL
 * and exec. There is one guard for all spaces of a process. It lives in the same address space, so
 * it costs no copy of it, and reads the tables of the spaces itself. It runs only bare code
 * (bare.h) and sleeps on a pipe whose other end only the spawner has.
 *
 * PR_SET_PDEATHSIG is not sufficient: it acts on the end of the thread that spawned.
 */
#ifndef HY_PVAS_GUARD_H
#define HY_PVAS_GUARD_H

#include "pvas/space_table.h"

/* Starts the guard if there is none, or if somebody has killed it. The caller holds the lock of all
 * spaces. SYSTEM, NO_MEMORY. */
int hy_guard_ensure(void);

/* Ends the guard. */
void hy_guard_stop(void);

/* Whether the guard lives; needs no lock. */
bool hy_guard_alive(void);

/* Adds or removes a table that the guard reads. A table must stay mapped until it has been
 * removed. */
bool hy_guard_add(hy_table *table);
void hy_guard_remove(hy_table *table);

#endif
