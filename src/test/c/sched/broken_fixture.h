/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules to break on purpose, made by an algorithm or by hand, and what the verifier must say.
 */
#ifndef HY_TEST_BROKEN_FIXTURE_H
#define HY_TEST_BROKEN_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/test.h"
#include "base/status.h"
#include "sched/builder.h"
#include "sched/verify.h"

#define MAX_SCHEDULES 16

static hy_schedule schedules[MAX_SCHEDULES];

static inline int release(void **state)
{
    (void)state;
    for (int i = 0; i < MAX_SCHEDULES; i++) hy_schedule_release(&schedules[i]);
    return 0;
}

static inline void assert_proved_sequence(int n, int rounds)
{
    assert_ok(hy_verify_schedules(schedules, n, rounds));
}

static inline void assert_proved(int rounds)
{
    assert_proved_sequence(1, rounds);
}

static inline void assert_violation(int rounds, const char *words)
{
    assert_code(hy_verify_schedules(schedules, 1, rounds), HAYATE_ERR_CORRUPT);
    if (!strstr(hayate_error(), words)) fail_msg("expected \"%s\" in: %s", words, hayate_error());
}

/* Numbers of the ways as hy_way_at() has them. */
enum { PUT_STRAIGHT, GET_STRAIGHT, PUT_PREPARED, GET_PREPARED, PUT_BARRIER, GET_BARRIER };

static inline void make_shape(hy_shape shape, const char *name, int way_index)
{
    hy_way way = {0};
    const hy_algorithm *algorithm = hy_algorithm_find(shape.coll, name);
    assert_non_null(algorithm);
    assert_true(hy_way_at((uint32_t)way_index, &way));
    release(NULL);
    for (shape.rank = 0; shape.rank < shape.size; shape.rank++)
        assert_ok(hy_schedule_build(&schedules[shape.rank], algorithm, &shape, &way));
    assert_proved(HY_WIRED_DEPTH + 2);
}

static inline void make(hy_coll coll, const char *name, int way, int size, uint64_t elements)
{
    make_shape((hy_shape){.coll = coll, .size = size, .bytes = elements * 8, .unit = 8}, name, way);
}

static inline void make_wired(hy_coll coll, const char *name, int way, int size, uint64_t elements)
{
    make_shape(
        (hy_shape){.coll = coll, .size = size, .bytes = elements * 8, .unit = 8, .wired = true},
        name, way);
}

/* Schedules by hand: empty ones of `size` ranks. */
static inline void make_empty(hy_coll coll, int size, uint64_t elements)
{
    release(NULL);
    for (int rank = 0; rank < size; rank++)
        schedules[rank] = (hy_schedule){
            .shape = {.coll = coll, .rank = rank, .size = size, .bytes = elements * 8, .unit = 8},
            .limit = UINT64_MAX};
}

static inline void make_empty_wired(hy_coll coll, int size, uint64_t elements)
{
    make_empty(coll, size, elements);
    for (int rank = 0; rank < size; rank++) schedules[rank].shape.wired = true;
}

/* The nth step of a kind (and flags) in a rank's schedule. */
static inline hy_step *nth(int rank, hy_step_kind kind, uint8_t flags, int n)
{
    hy_schedule *s = &schedules[rank];
    for (uint32_t i = 0; i < s->count; i++)
        if (s->steps[i].kind == kind && s->steps[i].flags == flags && n-- == 0) return &s->steps[i];
    fail_msg("rank %d has no such step", rank);
    return NULL;
}

static inline void drop(int rank, hy_step *step)
{
    hy_schedule *s = &schedules[rank];
    size_t after = (size_t)(s->steps + s->count - (step + 1));
    memmove(step, step + 1, after * sizeof *step);
    s->count--;
}

/* Puts a step that was dropped back. There is room for it. */
static inline void undrop(int rank, uint32_t index, hy_step step)
{
    hy_schedule *s = &schedules[rank];
    memmove(&s->steps[index + 1], &s->steps[index], (s->count++ - index) * sizeof step);
    s->steps[index] = step;
}

static inline void swap(hy_step *a, hy_step *b)
{
    hy_step step = *a;
    *a = *b;
    *b = step;
}

/* The nth SIGNAL or WAIT of rank for peer; NULL: there are fewer. */
static inline hy_step *nth_for(int rank, hy_step_kind kind, int peer, int n)
{
    hy_schedule *s = &schedules[rank];
    for (uint32_t i = 0; i < s->count; i++)
        if (s->steps[i].kind == kind && s->steps[i].peer == peer && n-- == 0) return &s->steps[i];
    return NULL;
}

/* Takes the nth signal of a pair away on both sides. */
static inline void drop_pair(int from, int to, int n)
{
    hy_step *signal = nth_for(from, HY_STEP_SIGNAL, to, n);
    hy_step *wait = nth_for(to, HY_STEP_WAIT, from, n);
    assert_non_null(signal);
    assert_non_null(wait);
    drop(from, signal);
    drop(to, wait);
}

#endif
