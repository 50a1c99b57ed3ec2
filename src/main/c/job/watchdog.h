/* SPDX-License-Identifier: Apache-2.0 */
/* The watchdog of a rank (HAYATE_WATCHDOG): a wait that lasts for longer tells in the log, once,
 * what it is for. It then looks for a deadlock among the ranks of its node, from time to time. The
 * lowest rank of a deadlock reports it, once. The waiting threads do this themselves in their slow
 * turns; there is no thread for it. */
#ifndef HY_JOB_WATCHDOG_H
#define HY_JOB_WATCHDOG_H

#include "base/wait.h"

struct hy_job;
struct hy_look;

typedef struct hy_watchdog {
    uint64_t after_ns;      /* 0: off */
    _Atomic uint32_t busy;  /* taken by the thread that looks; protects the following */
    struct hy_look *before; /* the look before; NULL: the next one is the first of several */
    uint64_t due_ns;        /* the time of the next look */
    bool told;              /* a deadlock */
} hy_watchdog;

/* Reads the setting. ARGUMENT. */
int hy_watchdog_open(hy_watchdog *watchdog);
void hy_watchdog_close(hy_watchdog *watchdog);

/* A slow turn of a wait that is told, and has made no progress since since_ns. */
void hy_watchdog_turn(struct hy_job *job, hy_wait *wait, uint64_t since_ns);

#endif
