/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules broken on purpose: the verifier must say what is wrong with each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/status.h"
#include "sched/builder.h"
#include "sched/verify.h"

#define MAX 8

static hy_schedule schedules[MAX];
static hy_shape shape;

static void make(hy_coll coll, const char *name, int size, uint64_t elements)
{
    const hy_algorithm *algorithm = hy_algorithm_find(coll, name);
    assert_non_null(algorithm);
    for (int i = 0; i < MAX; i++) hy_schedule_release(&schedules[i]);
    shape = (hy_shape){.coll = coll, .size = size, .bytes = elements * 8, .unit = 8};
    for (int rank = 0; rank < size; rank++) {
        hy_shape mine = shape;
        mine.rank = rank;
        assert_int_equal(hy_schedule_build(&schedules[rank], algorithm, &mine), HAYATE_OK);
    }
    assert_int_equal(hy_verify_schedules(schedules, &shape, 1, 3), HAYATE_OK);
}

static int release(void **state)
{
    (void)state;
    for (int i = 0; i < MAX; i++) hy_schedule_release(&schedules[i]);
    return 0;
}

/* Schedules by hand: empty ones of `size` ranks. */
static void make_empty(hy_coll coll, int size, uint64_t elements)
{
    release(NULL);
    shape = (hy_shape){.coll = coll, .size = size, .bytes = elements * 8, .unit = 8};
    for (int rank = 0; rank < size; rank++) {
        schedules[rank].shape = shape;
        schedules[rank].shape.rank = rank;
    }
}

/* The nth step of a kind (and flags) in a rank's schedule. */
static hy_step *nth(int rank, hy_step_kind kind, uint8_t flags, int n)
{
    hy_schedule *s = &schedules[rank];
    for (uint32_t i = 0; i < s->count; i++)
        if (s->steps[i].kind == kind && s->steps[i].flags == flags && n-- == 0) return &s->steps[i];
    fail_msg("rank %d has no such step", rank);
    return NULL;
}

static void drop(int rank, hy_step *step)
{
    hy_schedule *s = &schedules[rank];
    size_t after = (size_t)(s->steps + s->count - (step + 1));
    memmove(step, step + 1, after * sizeof *step);
    s->count--;
}

static void swap(hy_step *a, hy_step *b)
{
    hy_step step = *a;
    *a = *b;
    *b = step;
}

static void assert_violation(int rounds, const char *words)
{
    assert_int_equal(hy_verify_schedules(schedules, &shape, 1, rounds), HAYATE_ERR_CORRUPT);
    if (!strstr(hayate_error(), words)) fail_msg("expected \"%s\" in: %s", words, hayate_error());
}

static void should_report_a_deadlock_when_a_finishing_signal_is_dropped(void **state)
{
    (void)state;
    make(HY_COLL_ALLREDUCE, "slices", 4, 9);
    drop(2, nth(2, HY_STEP_SIGNAL, 0, 1));
    assert_violation(1, "deadlock: the signal never comes");
    assert_violation(2, "takes a signal of run 1");
}

static void should_report_early_reuse_when_a_finishing_wait_is_dropped(void **state)
{
    (void)state;
    make(HY_COLL_BCAST, "flat_get", 3, 4);
    drop(0, nth(0, HY_STEP_WAIT, 0, 0));
    drop(1, nth(1, HY_STEP_SIGNAL, 0, 0));
    assert_violation(1, "no signal orders");
}

static void should_report_a_signal_that_nobody_takes(void **state)
{
    (void)state;
    make(HY_COLL_BARRIER, "flat", 3, 0);
    hy_emit_signal(&schedules[1], 2);
    assert_violation(1, "rank 2 never takes the signal that rank 1 sent it");
    assert_violation(2, "takes a signal of run 0");
}

static void should_report_swapped_waits(void **state)
{
    (void)state;
    make(HY_COLL_ALLREDUCE, "slices", 3, 6);
    swap(nth(1, HY_STEP_WAIT, HY_STEP_EXPOSE, 0), nth(1, HY_STEP_WAIT, 0, 0));
    assert_violation(1, "rank 1, step");
}

static void should_report_a_dropped_wait_of_a_barrier(void **state)
{
    (void)state;
    make(HY_COLL_BARRIER, "flat", 3, 0);
    drop(0, nth(0, HY_STEP_WAIT, 0, 1));
    drop(2, nth(2, HY_STEP_SIGNAL, 0, 0)); /* rank 2 signals rank 0 first */
    assert_violation(1, "leaves without knowing that rank 2 has come");
}

static void should_report_a_barrier_with_a_round_too_few(void **state)
{
    (void)state;
    make(HY_COLL_BARRIER, "dissemination", 5, 0);
    for (int rank = 0; rank < 5; rank++) schedules[rank].count -= 2;
    assert_violation(1, "leaves without knowing");
}

static void should_report_a_contribution_reduced_twice(void **state)
{
    (void)state;
    make(HY_COLL_REDUCE, "slices", 3, 6);
    *nth(0, HY_STEP_REDUCE, 0, 1) = *nth(0, HY_STEP_REDUCE, 0, 0);
    assert_violation(1, "reduces the contribution of rank 1 into element 0 twice");
}

static void should_report_a_contribution_that_is_missing(void **state)
{
    (void)state;
    make(HY_COLL_REDUCE, "slices", 3, 6);
    drop(0, nth(0, HY_STEP_REDUCE, 0, 1));
    assert_violation(1, "OUT+0 holds element 0 of ranks 0x3, expected element 0 of ranks 0x7");
}

static void should_report_overlapping_puts(void **state)
{
    (void)state;
    make(HY_COLL_ALLREDUCE, "slices", 3, 9);
    hy_step *put = nth(2, HY_STEP_PUT, 0, 0);
    put->local_off -= 8;
    put->remote_off -= 8;
    assert_violation(1, "no signal orders");
}

static void should_report_a_slice_that_is_off_by_one(void **state)
{
    (void)state;
    make(HY_COLL_BCAST, "scatter_get", 4, 9);
    nth(2, HY_STEP_GET, 0, 0)->len -= 8;
    assert_violation(1, "which was never written");
    make(HY_COLL_BCAST, "scatter_get", 4, 9);
    hy_step *get = nth(3, HY_STEP_GET, 0, 0);
    get->len += 8;
    assert_violation(1, "reaches beyond OUT of rank");
    make(HY_COLL_BCAST, "flat_get", 2, 4);
    nth(1, HY_STEP_GET, 0, 0)->len -= 8;
    assert_violation(1, "OUT+24 holds element 3 of ranks 0x0");
}

static void should_report_data_at_the_wrong_offset(void **state)
{
    (void)state;
    make(HY_COLL_BCAST, "flat_get", 2, 4);
    hy_step *get = nth(1, HY_STEP_GET, 0, 0);
    get->len = 8;
    get->remote_off = 8;
    assert_violation(1, "OUT+0 holds element 1");
    make(HY_COLL_REDUCE, "slices", 2, 4);
    nth(0, HY_STEP_REDUCE, 0, 0)->remote_off += 8;
    assert_violation(1, "reduces element 1 of run 0 into element 0");
}

static void should_report_a_region_that_was_not_exposed(void **state)
{
    (void)state;
    make(HY_COLL_BCAST, "flat_get", 2, 4);
    nth(0, HY_STEP_SIGNAL, HY_STEP_EXPOSE, 0)->flags = 0;
    assert_violation(1, "expects a signal that exposes OUT");
    make(HY_COLL_BCAST, "flat_get", 2, 4);
    drop(0, nth(0, HY_STEP_SIGNAL, HY_STEP_EXPOSE, 0));
    drop(1, nth(1, HY_STEP_WAIT, HY_STEP_EXPOSE, 0));
    assert_violation(1, "OUT of rank 0 was not exposed to it");
    make(HY_COLL_BCAST, "flat_get", 2, 4);
    nth(1, HY_STEP_GET, 0, 0)->remote = HY_TMP;
    assert_violation(1, "TMP of rank 0 was not exposed to it");
}

static void should_report_a_payload_of_another_length(void **state)
{
    (void)state;
    make(HY_COLL_BCAST, "flat", 3, 4);
    nth(2, HY_STEP_WAIT, 0, 0)->len = 16;
    assert_violation(1, "expects a payload of 16 B");
    make(HY_COLL_BCAST, "flat", 3, 1024);
    nth(0, HY_STEP_SIGNAL, 0, 0)->len = HY_SCHED_PAYLOAD + 8;
    assert_violation(1, "a payload has at most 4096 B");
}

static void should_report_use_of_uninitialised_scratch(void **state)
{
    (void)state;
    make(HY_COLL_REDUCE, "binomial", 4, 2);
    drop(2, nth(2, HY_STEP_COPY, 0, 0));
    assert_violation(1, "never written");
}

static void should_report_scratch_beyond_its_end(void **state)
{
    (void)state;
    make(HY_COLL_REDUCE, "binomial", 4, 2);
    schedules[2].tmp_bytes = 8;
    assert_violation(1, "reaches beyond TMP of rank 2, which has 8 B");
}

static void should_report_the_root_changing_others_results(void **state)
{
    (void)state;
    make(HY_COLL_REDUCE, "binomial", 4, 2);
    hy_schedule *s = &schedules[2];
    for (uint32_t i = 0; i < s->count; i++) s->steps[i].local = HY_OUT;
    drop(2, nth(2, HY_STEP_COPY, 0, 0));
    assert_violation(1, "holds element 0 of ranks 0xc, expected element 0 of ranks 0x4");
}

static void should_report_more_signals_than_a_channel_holds(void **state)
{
    (void)state;
    make_empty(HY_COLL_BARRIER, 2, 0);
    for (int rank = 0; rank < 2; rank++) {
        for (int i = 0; i <= HY_SCHED_DEPTH; i++) hy_emit_signal(&schedules[rank], 1 - rank);
        for (int i = 0; i <= HY_SCHED_DEPTH; i++) hy_emit_wait(&schedules[rank], 1 - rank);
    }
    assert_violation(1, "deadlock: too many signals on their way");
}

/* The reader is not told when the data has come. */
static void should_report_a_put_that_nobody_waits_for(void **state)
{
    (void)state;
    make_empty(HY_COLL_BCAST, 2, 2);
    hy_emit_put(&schedules[0], 1, HY_AT(HY_OUT, 0), HY_AT(HY_OUT, 0), 16);
    assert_violation(1, "OUT of rank 1 was not exposed");
    make_empty(HY_COLL_BCAST, 2, 2);
    hy_emit_learn(&schedules[0], 1, HY_OUT);
    hy_emit_put(&schedules[0], 1, HY_AT(HY_OUT, 0), HY_AT(HY_OUT, 0), 16);
    hy_emit_signal(&schedules[0], 1);
    hy_emit_expose(&schedules[1], 0, HY_OUT);
    hy_emit_wait(&schedules[1], 0);
    assert_int_equal(hy_verify_schedules(schedules, &shape, 1, 3), HAYATE_OK);
    drop(1, nth(1, HY_STEP_WAIT, 0, 0));
    drop(0, nth(0, HY_STEP_SIGNAL, 0, 0));
    assert_violation(1, "OUT+0 holds element 0 of ranks 0x0");
}

/* Exposed data is changed while a peer may still be reading, though it has in fact been read. */
static void should_report_a_race_that_did_no_harm_this_time(void **state)
{
    (void)state;
    make_empty(HY_COLL_BCAST, 3, 1);
    for (int reader = 1; reader < 3; reader++) {
        hy_emit_expose(&schedules[0], reader, HY_OUT);
        hy_emit_learn(&schedules[reader], 0, HY_OUT);
        hy_emit_get(&schedules[reader], 0, HY_AT(HY_OUT, 0), HY_AT(HY_OUT, 0), 8);
        hy_emit_signal(&schedules[reader], reader == 1 ? 0 : 1);
    }
    hy_emit_wait(&schedules[0], 1);
    hy_emit_wait(&schedules[1], 2); /* rank 2 tells rank 1, after rank 1 has told the root */
    assert_violation(1, "no signal orders after an access by rank");
    swap(nth(1, HY_STEP_SIGNAL, 0, 0), nth(1, HY_STEP_WAIT, 0, 0));
    assert_int_equal(hy_verify_schedules(schedules, &shape, 1, 3), HAYATE_OK);
}

static void should_notice_every_single_step_that_is_missing(void **state)
{
    (void)state;
    for (const hy_algorithm *const *a = hy_algorithms; *a; a++) {
        make((*a)->coll, (*a)->name, 6, (*a)->coll == HY_COLL_BARRIER ? 0 : 13);
        for (int rank = 0; rank < 6; rank++)
            for (uint32_t i = 0; i < schedules[rank].count; i++) {
                const hy_step step = schedules[rank].steps[i];
                drop(rank, &schedules[rank].steps[i]);
                assert_violation(2, "rank");
                hy_step *at = &schedules[rank].steps[i];
                memmove(at + 1, at, (schedules[rank].count++ - i) * sizeof *at);
                *at = step;
            }
    }
}

static void should_report_steps_that_make_no_sense(void **state)
{
    (void)state;
    const hy_step steps[] = {
        {.kind = 99},
        {.kind = HY_STEP_SIGNAL, .peer = 2},
        {.kind = HY_STEP_SIGNAL, .peer = -1},
        {.kind = HY_STEP_SIGNAL, .peer = 0},
        {.kind = HY_STEP_SIGNAL, .peer = 1, .flags = HY_STEP_FOLD},
        {.kind = HY_STEP_SIGNAL, .peer = 1, .flags = HY_STEP_EXPOSE, .local = HY_IN},
        {.kind = HY_STEP_COPY, .local = HY_OUT, .remote = HY_OUT, .len = 16, .local_off = 8},
        {.kind = HY_STEP_COPY, .local = HY_OUT, .remote = 77, .len = 8},
        {.kind = HY_STEP_COPY, .local = HY_OUT, .remote = HY_OUT, .len = 4, .local_off = 8},
        {.kind = HY_STEP_COPY,
         .local = HY_OUT,
         .remote = HY_OUT,
         .len = UINT64_MAX - 7,
         .local_off = 16},
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        make(HY_COLL_BCAST, "flat", 2, 4);
        schedules[0].steps[0] = steps[i];
        assert_violation(1, "rank 0, step 0 (");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_report_a_deadlock_when_a_finishing_signal_is_dropped),
        cmocka_unit_test(should_report_early_reuse_when_a_finishing_wait_is_dropped),
        cmocka_unit_test(should_report_a_signal_that_nobody_takes),
        cmocka_unit_test(should_report_swapped_waits),
        cmocka_unit_test(should_report_a_dropped_wait_of_a_barrier),
        cmocka_unit_test(should_report_a_barrier_with_a_round_too_few),
        cmocka_unit_test(should_report_a_contribution_reduced_twice),
        cmocka_unit_test(should_report_a_contribution_that_is_missing),
        cmocka_unit_test(should_report_overlapping_puts),
        cmocka_unit_test(should_report_a_slice_that_is_off_by_one),
        cmocka_unit_test(should_report_data_at_the_wrong_offset),
        cmocka_unit_test(should_report_a_region_that_was_not_exposed),
        cmocka_unit_test(should_report_a_payload_of_another_length),
        cmocka_unit_test(should_report_use_of_uninitialised_scratch),
        cmocka_unit_test(should_report_scratch_beyond_its_end),
        cmocka_unit_test(should_report_the_root_changing_others_results),
        cmocka_unit_test(should_report_more_signals_than_a_channel_holds),
        cmocka_unit_test(should_report_a_put_that_nobody_waits_for),
        cmocka_unit_test(should_report_a_race_that_did_no_harm_this_time),
        cmocka_unit_test(should_notice_every_single_step_that_is_missing),
        cmocka_unit_test(should_report_steps_that_make_no_sense),
    };
    return cmocka_run_group_tests(tests, NULL, release);
}
