/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whose cache holds the lines of the ranks' regions. On the machines measured reading what another
 * core wrote, and writing what another core wrote, cost little more than the same at home; but
 * writing what one wrote oneself *and another core has read since* is several times slower, as
 * each line's copies have to be called back. Which steps do that depends on the way that data go
 * through a whole run and from one run to the next, so it cannot be said of a step alone.
 *
 * Kept for small communicators only; cores stand for ranks, as ranks of a core share its caches.
 */
#ifndef HY_SCHED_SIMULATE_LINES_H
#define HY_SCHED_SIMULATE_LINES_H

#include "sched/schedule.h"

#define HY_SIM_LINES_RANKS 16
#define HY_SIM_RUNS 32 /* runs of bytes kept of a region; more are told apart no further */

typedef struct hy_sim_run_of_lines {
    uint64_t off, end;
    int16_t writer; /* core that wrote last, -1: none */
    bool read;      /* by another one since */
} hy_sim_run_of_lines;

typedef struct hy_sim_lines {
    uint32_t counts[HY_SIM_LINES_RANKS][HY_REGIONS];
    hy_sim_run_of_lines runs[HY_SIM_LINES_RANKS][HY_REGIONS][HY_SIM_RUNS];
} hy_sim_lines;

/* Nobody has written anything. */
void hy_sim_lines_reset(hy_sim_lines *lines);

/* The core reads, or writes, [off, off + len) of rank's region. Of what is written: how many bytes
 * have to be called back. */
void hy_sim_lines_read(hy_sim_lines *lines, int core, int rank, int region, uint64_t off,
                       uint64_t len);
uint64_t hy_sim_lines_write(hy_sim_lines *lines, int core, int rank, int region, uint64_t off,
                            uint64_t len);

#endif
