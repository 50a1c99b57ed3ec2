/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All ranks and what they have done so far. Runs are numbered through: run r is collective r % n of
 * the sequence. A rank enters a run (its caller fills OUT), executes its steps one by one, and
 * leaves it (the result is checked and the caller rewrites everything); ranks may be in different
 * runs. Any order of hy_machine_advance() is a possible execution.
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

typedef struct hy_machine {
    const hy_schedule *schedules; /* [collective][rank] */
    const hy_shape *shapes;
    int size, n;
    uint32_t runs;
    hy_memory memory;
    hy_channels channels;
    hy_actor *actors;
    uint8_t *learned;  /* [rank][peer]: bits of the regions exposed to rank in its run */
    uint32_t *entries; /* [run][rank]: rank's own clock when it entered, 0 before */
    hy_value *buffer;  /* values between source and destination of a step */
} hy_machine;

enum { HY_MOVED, HY_BLOCKED, HY_OVER }; /* or a negative HAYATE_ERR_* */

int hy_machine_open(hy_machine *m, const hy_schedule *schedules, const hy_shape *shapes, int n,
                    int rounds);
/* Back to the start, with the memory it has. */
void hy_machine_reset(hy_machine *m);
void hy_machine_close(hy_machine *m);
int hy_machine_advance(hy_machine *m, int rank);

/* When no rank can advance: OK if all are over and no signal is left, else the violation. */
int hy_machine_finish(const hy_machine *m);

/* The step that rank is at (verify_step.c). */
int hy_machine_step(hy_machine *m, int rank, const hy_step *step);

/* CORRUPT, with collective, rank and step before the text. */
int hy_machine_violation(const hy_machine *m, int rank, const char *format, ...)
    __attribute__((format(printf, 3, 4), cold));

/* Records an access, which must not race with another rank's. */
int hy_machine_touch(hy_machine *m, int rank, hy_span span, bool write);

static inline const hy_shape *hy_machine_shape(const hy_machine *m, int rank)
{
    return &m->shapes[m->actors[rank].run % (uint32_t)m->n];
}

/* Schedule of `owner` for the run in which `rank` is. */
static inline const hy_schedule *hy_machine_schedule(const hy_machine *m, int rank, int owner)
{
    size_t coll = m->actors[rank].run % (uint32_t)m->n;
    return &m->schedules[coll * (size_t)m->size + (size_t)owner];
}

static inline const char *hy_region_name(hy_region region)
{
    return region == HY_OUT ? "OUT" : region == HY_TMP ? "TMP" : region == HY_IN ? "IN" : "nothing";
}

#endif
