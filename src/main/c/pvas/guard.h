/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process beside the spawner that kills its tasks when it ends, whatever the reason: also by
 * SIGKILL, and also by exec. One for all spaces of a process. It lives in the same address space,
 * so it costs no copy of that, and reads the tables of the spaces itself; it runs only bare code
 * (bare.h) and sleeps on a pipe, whose other end only the spawner has.
 *
 * PR_SET_PDEATHSIG would not do: it looks at the thread that spawned.
 */
#ifndef HY_PVAS_GUARD_H
#define HY_PVAS_GUARD_H

#include "pvas/space_table.h"

/* Under the lock of all spaces. The first one starts the guard; a guard that somebody killed is
 * started again. SYSTEM, NO_MEMORY. */
int hy_guard_ensure(void);

/* Ends it. */
void hy_guard_stop(void);

/* Whether the guard is there; no lock needed. */
bool hy_guard_alive(void);

/* Tables that it looks at. A table must stay mapped until it has been taken out. */
bool hy_guard_add(hy_table *table);
void hy_guard_remove(hy_table *table);

#endif
