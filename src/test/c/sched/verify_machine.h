/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All ranks and what they have done so far. Runs are numbered through: run r is collective r % n of
 * the sequence. A rank enters a run (its caller fills IN and OUT), executes its steps one by one,
 * and leaves it (the result is checked and the caller rewrites everything); ranks may be in
 * different runs. Any order of hy_machine_advance() is a possible execution.
 */
#ifndef HY_SCHED_VERIFY_MACHINE_H
#define HY_SCHED_VERIFY_MACHINE_H

#include "sched/verify_channel.h"
#include "sched/verify_memory.h"

typedef struct hy_actor {
    uint32_t run;
    uint32_t step;
    bool inside; /* has entered `run` */
} hy_actor;

/* Where a collective of the sequence has its memory in a rank's cells, and its signals. */
typedef struct hy_layout {
    uint64_t tmp, box, box_cells; /* cells of one BOX, of which there are HY_WIRED_DEPTH */
    uint32_t line;                /* 0, or, if there are BOXes, the first one of HY_WIRED_DEPTH */
} hy_layout;

typedef struct hy_machine {
    const hy_schedule *schedules; /* [collective][rank] */
    int size, n;
    uint32_t runs;
    bool in_place; /* own blocks are where they belong already, see hy_terms_alias() */
    uint64_t in_cells, out_cells, tmp_cells; /* that all collectives share, in this order */
    hy_layout *layouts;                      /* [collective] */
    uint64_t *signalled;                     /* [collective][rank]: by rank's schedule */
    hy_memory memory;
    hy_channels channels;
    hy_actor *actors;
    uint8_t *learned;  /* [rank][peer]: in its run, bits of the regions exposed to rank, HY_HEARD */
    uint32_t *entries; /* [run][rank]: rank's own clock when it entered, 0 before */
    uint32_t *leaves;  /* [line - 1][rank][rank]: vector clocks of leaving a wired run */
    hy_value *buffer;  /* values between source and destination of a step */
} hy_machine;

#define HY_HEARD 128 /* peer's signal was taken */

enum { HY_MOVED, HY_BLOCKED, HY_OVER }; /* or a negative HAYATE_ERR_* */

int hy_machine_open(hy_machine *m, const hy_schedule *schedules, int n, int rounds, bool in_place);
/* Back to the start, with the memory it has. */
void hy_machine_reset(hy_machine *m);
void hy_machine_close(hy_machine *m);
int hy_machine_advance(hy_machine *m, int rank);

/* When no rank can advance: OK if all are over and no signal is left, else the violation. */
int hy_machine_finish(const hy_machine *m);

/* The step that rank is at (verify_step.c). */
int hy_machine_step(hy_machine *m, int rank, const hy_step *step);

/* CORRUPT, with collective, rank and step before the text (verify_report.c). */
int hy_machine_violation(const hy_machine *m, int rank, const char *format, ...)
    __attribute__((format(printf, 3, 4), cold));

/* Records an access, which must not race with another rank's (verify_report.c). */
int hy_machine_touch(hy_machine *m, int rank, hy_span span, bool write);

/* A run of cells of owner's region, as the run in which `rank` is has it. */
hy_span hy_machine_span(const hy_machine *m, int rank, int owner, hy_region region, uint64_t first,
                        uint64_t count);

static inline size_t hy_machine_coll(const hy_machine *m, int rank)
{
    return m->actors[rank].run % (uint32_t)m->n;
}

/* Schedules of all ranks for the run in which `rank` is. */
static inline const hy_schedule *hy_machine_schedules(const hy_machine *m, int rank)
{
    return &m->schedules[hy_machine_coll(m, rank) * (size_t)m->size];
}

static inline const hy_shape *hy_machine_shape(const hy_machine *m, int rank)
{
    return &hy_machine_schedules(m, rank)[rank].shape;
}

/* Which of a collective's HY_WIRED_DEPTH lines and BOXes a rank uses. */
static inline uint32_t hy_machine_turn(const hy_machine *m, int rank)
{
    return m->actors[rank].run / (uint32_t)m->n % HY_WIRED_DEPTH;
}

static inline uint32_t hy_machine_line(const hy_machine *m, int rank)
{
    uint32_t line = m->layouts[hy_machine_coll(m, rank)].line;
    return line ? line + hy_machine_turn(m, rank) : 0;
}

/* Its channels: all that is not wired shares one. */
static inline uint32_t hy_machine_wire(const hy_machine *m, int rank)
{
    return hy_machine_shape(m, rank)->wired ? hy_machine_line(m, rank) : 0;
}

static inline bool hy_shape_has_boxes(const hy_shape *shape)
{
    return shape->wired || shape->boxes;
}

/* What happened before `clock` happened before all that rank does from now on. */
static inline void hy_machine_join(hy_machine *m, int rank, const uint32_t *clock)
{
    uint32_t *own = hy_memory_clock(&m->memory, rank);
    for (int i = 0; i < m->size; i++) own[i] = clock[i] > own[i] ? clock[i] : own[i];
}

/* The peer that has to leave an earlier run before rank may enter, or -1. */
int hy_machine_gate(const hy_machine *m, int rank);

static inline const char *hy_region_name(hy_region region)
{
    static const char *const names[HY_REGIONS] = {"nothing", "IN", "OUT", "TMP", "BOX"};
    return (unsigned)region < HY_REGIONS ? names[region] : "no region";
}

#endif
