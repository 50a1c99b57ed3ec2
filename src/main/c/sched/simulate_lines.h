/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tracks whose cache holds the lines of the ranks' regions. On the machines measured, reading what
 * another core wrote, and writing what another core wrote, costs little more than the same on one
 * core; but writing what the same core wrote *and another core has read since* is several times
 * slower, because the copies of each line must be invalidated. Which steps do this depends on how
 * data move through a whole run and from one run to the next, so it cannot be told from a step
 * alone.
 *
 * Kept for small communicators only; cores stand for ranks, because ranks of a core share its
 * caches.
 */
#ifndef HY_SCHED_SIMULATE_LINES_H
#define HY_SCHED_SIMULATE_LINES_H

#include "sched/schedule.h"

#define HY_SIM_LINES_RANKS 16
#define HY_SIM_RUNS 32 /* byte ranges kept of a region; beyond this, neighbours are merged */

typedef struct hy_sim_run_of_lines {
    uint64_t off, end;
    int16_t writer; /* the core that wrote last, -1: none */
    bool read;      /* another core has read it since */
} hy_sim_run_of_lines;

typedef struct hy_sim_lines {
    uint32_t counts[HY_SIM_LINES_RANKS][HY_REGIONS];
    hy_sim_run_of_lines runs[HY_SIM_LINES_RANKS][HY_REGIONS][HY_SIM_RUNS];
} hy_sim_lines;

/* Resets to a state in which nothing has been written. */
void hy_sim_lines_reset(hy_sim_lines *lines);

/* The core reads, or writes, [off, off + len) of rank's region. The write returns the number of
 * bytes whose copies must be invalidated. */
void hy_sim_lines_read(hy_sim_lines *lines, int core, int rank, int region, uint64_t off,
                       uint64_t len);
uint64_t hy_sim_lines_write(hy_sim_lines *lines, int core, int rank, int region, uint64_t off,
                            uint64_t len);

#endif
