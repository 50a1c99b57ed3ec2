/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps, for each region, a sorted list of byte ranges with the core that wrote each last. */
#include "choose/simulate_lines.h"

#include <string.h>

void hy_sim_lines_reset(hy_sim_lines *lines)
{
    memset(lines->counts, 0, sizeof lines->counts);
}

/* Makes room at `at`; if there is none, merges the last two. */
static void insert(hy_sim_run_of_lines *runs, uint32_t *count, uint32_t at, hy_sim_run_of_lines run)
{
    if (*count == HY_SIM_RUNS) {
        hy_sim_run_of_lines *last = &runs[--*count];
        last[-1].end = last->end;
        last[-1].readers |= last->readers;
        if (at >= *count) {
            last[-1].end = run.end > last[-1].end ? run.end : last[-1].end;
            return;
        }
    }
    memmove(&runs[at + 1], &runs[at], (*count - at) * sizeof *runs);
    runs[at] = run;
    ++*count;
}

/* Splits the range at `at`, so that it begins at `off` and the part before it stays. */
static void split(hy_sim_run_of_lines *runs, uint32_t *count, uint32_t at, uint64_t off)
{
    hy_sim_run_of_lines before = runs[at];
    if (before.off >= off || before.end <= off || *count == HY_SIM_RUNS) return;
    before.end = off;
    runs[at].off = off;
    insert(runs, count, at, before);
}

/* The first range that ends behind `off`; a range that began before it is split there. */
static uint32_t seek(hy_sim_run_of_lines *runs, uint32_t *count, uint64_t off)
{
    uint32_t at = 0;
    while (at < *count && runs[at].end <= off) at++;
    if (at == *count || runs[at].off >= off || *count == HY_SIM_RUNS) return at;
    split(runs, count, at, off);
    return at + 1;
}

/* What of the run is in [off, end). */
static uint64_t common(const hy_sim_run_of_lines *run, uint64_t off, uint64_t end)
{
    uint64_t stop = run->end < end ? run->end : end, begin = run->off > off ? run->off : off;
    return stop > begin ? stop - begin : 0;
}

uint64_t hy_sim_lines_read(hy_sim_lines *lines, int core, int rank, int region, uint64_t off,
                           uint64_t len)
{
    uint32_t *count = &lines->counts[rank][region];
    hy_sim_run_of_lines *runs = lines->runs[rank][region];
    uint64_t end = off + len, fetched = 0;
    for (uint32_t at = seek(runs, count, off); at < *count && runs[at].off < end; at++) {
        if (runs[at].writer == core || runs[at].readers >> core & 1) continue;
        split(runs, count, at, end);
        fetched += common(&runs[at], off, end);
        runs[at].readers |= (uint16_t)(1u << core);
    }
    return fetched;
}

uint64_t hy_sim_lines_write(hy_sim_lines *lines, int core, int rank, int region, uint64_t off,
                            uint64_t len)
{
    uint32_t *count = &lines->counts[rank][region];
    hy_sim_run_of_lines *runs = lines->runs[rank][region];
    uint64_t end = off + len, back = 0;
    uint32_t first = seek(runs, count, off), past = first;
    for (; past < *count && runs[past].off < end; past++) {
        split(runs, count, past, end);
        const hy_sim_run_of_lines *run = &runs[past];
        if (run->writer == core && run->readers) back += common(run, off, end);
    }
    memmove(&runs[first], &runs[past], (*count - past) * sizeof *runs);
    *count -= past - first;
    insert(runs, count, first, (hy_sim_run_of_lines){off, end, (int16_t)core, 0});
    return back;
}
