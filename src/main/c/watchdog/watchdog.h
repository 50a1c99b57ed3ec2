/* SPDX-License-Identifier: Apache-2.0 */
/* The watchdog of a rank (HAYATE_WATCHDOG): a wait that lasts for longer tells in the log, once,
 * what it is for. It then looks for a deadlock among the ranks of its node, from time to time. The
 * lowest rank of a deadlock reports it, once. The waiting threads do this themselves in their slow
 * turns (hy_job.watch); there is no thread for it. */
#ifndef HY_WATCHDOG_WATCHDOG_H
#define HY_WATCHDOG_WATCHDOG_H

#include "job/job.h"

struct hy_look;

typedef struct hy_watchdog {
    uint64_t after_ns;
    _Atomic uint32_t busy;  /* taken by the thread that looks; protects the following */
    struct hy_look *before; /* the look before; NULL: the next one is the first of several */
    uint64_t due_ns;        /* the time of the next look */
    bool told;              /* a deadlock */
} hy_watchdog;

/* Starts the watchdog if the setting says so, before the rank waits. ARGUMENT, NO_MEMORY. */
int hy_watchdog_open(hy_job *job);

/* Starts it for waits that last longer than after_ns. NO_MEMORY. */
int hy_watchdog_start(hy_job *job, uint64_t after_ns);

void hy_watchdog_close(hy_job *job); /* when no thread waits; if there is none, does nothing */

#endif
