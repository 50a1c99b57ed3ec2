/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tracks whose cache holds the lines of the ranks' regions. Two things take longer than the step
 * alone tells: writing what the same core wrote *and another core has read since*, because the
 * copies of each line must be invalidated; and the first reading of what another core wrote,
 * because its lines must be fetched. Which steps do this depends on how data move through a whole
 * run and from one run to the next.
 *
 * Kept for small communicators only; cores stand for ranks, because ranks of a core share its
 * caches.
 */
#ifndef HY_CHOOSE_SIMULATE_LINES_H
#define HY_CHOOSE_SIMULATE_LINES_H

#include "sched/schedule.h"

#define HY_SIM_LINES_RANKS 16
#define HY_SIM_RUNS 32 /* byte ranges kept of a region; beyond this, neighbours are merged */

typedef struct hy_sim_run_of_lines {
    uint64_t off, end;
    int16_t writer;   /* the core that wrote last */
    uint16_t readers; /* cores that have read it since, as bits; not the writer */
} hy_sim_run_of_lines;

typedef struct hy_sim_lines {
    uint32_t counts[HY_SIM_LINES_RANKS][HY_REGIONS];
    hy_sim_run_of_lines runs[HY_SIM_LINES_RANKS][HY_REGIONS][HY_SIM_RUNS];
} hy_sim_lines;
_Static_assert(HY_SIM_LINES_RANKS <= 16, "a bit for each core");

/* Resets to a state in which nothing has been written. */
void hy_sim_lines_reset(hy_sim_lines *lines);

/* The core reads, or writes, [off, off + len) of rank's region. The read returns the number of
 * bytes that must be fetched from another core, the write that of bytes whose copies must be
 * invalidated. */
uint64_t hy_sim_lines_read(hy_sim_lines *lines, int core, int rank, int region, uint64_t off,
                           uint64_t len);
uint64_t hy_sim_lines_write(hy_sim_lines *lines, int core, int rank, int region, uint64_t off,
                            uint64_t len);

#endif
