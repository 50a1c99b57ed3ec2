/* SPDX-License-Identifier: Apache-2.0 */
/* What the verifier must say of broken schedules of persistent operations and of uneven blocks. */
#include "broken_fixture.h"

#define ROUNDS (2 * HY_WIRED_DEPTH + 1) /* every BOX is used twice and once more */

/* ---- BOX ---- */

/* Rank 0 puts its data into its BOX, the others fetch them from there. */
static void make_boxed_bcast(int size)
{
    make_empty_wired(HY_COLL_BCAST, size, 2);
    hy_emit_box(&schedules[0], 16);
    hy_emit_copy(&schedules[0], HY_AT(HY_OUT, 0), HY_AT(HY_BOX, 0), 16);
    for (int rank = 1; rank < size; rank++) {
        hy_emit_expose(&schedules[0], rank, HY_BOX);
        hy_emit_learn(&schedules[rank], 0, HY_BOX);
        hy_emit_get(&schedules[rank], 0, HY_AT(HY_BOX, 0), HY_AT(HY_OUT, 0), 16);
    }
    assert_proved(ROUNDS);
}

TEST(should_report_a_box_read_without_a_signal_of_its_owner)
{
    make_boxed_bcast(3);
    drop_pair(0, 2, 0);
    assert_violation(1, "reaches into BOX of rank 0 without a signal from it");
    /* that rank 1 tells does order the accesses, but rank 0 would not wait for rank 2 */
    hy_emit_signal(&schedules[1], 2);
    hy_emit_wait(&schedules[2], 1);
    swap(nth(2, HY_STEP_GET, 0, 0), nth(2, HY_STEP_WAIT, 0, 0));
    assert_violation(1, "reaches into BOX of rank 0 without a signal from it");
}

TEST(should_not_take_the_signal_of_another_operation_for_that_of_a_box)
{
    make_boxed_bcast(2);
    for (int rank = 0; rank < 2; rank++) {
        hy_schedule *first = &schedules[rank], *second = &schedules[2 + rank];
        *second = (hy_schedule){.shape = first->shape, .limit = UINT64_MAX};
    }
    hy_emit_box(&schedules[2], 16);
    hy_emit_copy(&schedules[2], HY_AT(HY_OUT, 0), HY_AT(HY_BOX, 0), 16);
    hy_emit_get(&schedules[3], 0, HY_AT(HY_BOX, 0), HY_AT(HY_OUT, 0), 16);
    assert_refused(hy_verify_schedules(schedules, 2, 1), HAYATE_ERR_CORRUPT,
                   "BOX of rank 0 without a signal from it");
}

TEST(should_report_a_box_used_again_in_the_same_run)
{
    make_boxed_bcast(3);
    hy_emit_copy(&schedules[0], HY_AT(HY_OUT, 8), HY_AT(HY_BOX, 0), 8);
    assert_violation(1, "BOX+0 of rank 0, which no signal orders after an access by rank");
}

/* The readers of TMP would have to tell when they are finished, those of BOX do not. */
TEST(should_report_other_regions_used_as_a_box)
{
    make_boxed_bcast(2);
    hy_emit_tmp(&schedules[0], 16);
    nth(0, HY_STEP_COPY, 0, 0)->local = HY_TMP;
    nth(0, HY_STEP_SIGNAL, HY_STEP_EXPOSE, 0)->local = HY_TMP;
    nth(1, HY_STEP_WAIT, HY_STEP_EXPOSE, 0)->remote = HY_TMP;
    nth(1, HY_STEP_GET, 0, 0)->remote = HY_TMP;
    assert_violation(1, "no signal orders");
    make_wired(HY_COLL_ALLGATHER, "linear", GET_PREPARED, 3, 2);
    drop(1, nth(1, HY_STEP_COPY, 0, 0)); /* IN to BOX */
    assert_violation(1, "BOX+0 of rank 1, which was never written");
}

TEST(should_report_what_a_box_of_an_earlier_run_held)
{
    make_boxed_bcast(2);
    nth(0, HY_STEP_COPY, 0, 0)->len = 8;
    assert_violation(ROUNDS, "run 0: rank 1, step 1 (GET 16 B from rank 0 BOX+0 to OUT+0): reads "
                             "BOX+8 of rank 0, which was never written");
}

TEST(should_report_a_box_beyond_its_end_or_not_there)
{
    make_boxed_bcast(2);
    schedules[0].box_bytes = 8;
    assert_violation(1, "reaches beyond BOX of rank 0, which has 8 B");
    make_boxed_bcast(2);
    for (int rank = 0; rank < 2; rank++) schedules[rank].shape.wired = false;
    assert_violation(1, "there are no BOXes");
}

/* ---- order ---- */

/* No rank tells the root anything: it may be ahead by HY_WIRED_DEPTH runs, not by more. */
TEST(should_report_a_rank_that_may_never_begin)
{
    make_boxed_bcast(2);
    hy_emit_wait(&schedules[1], 0);
    assert_violation(1, "rank 1, step 2 (WAIT rank 0): deadlock: the signal never comes");
    assert_violation(HY_WIRED_DEPTH, "rank 1, step 2 (WAIT rank 0): deadlock");
    assert_violation(HY_WIRED_DEPTH + 1, "run 4: rank 0, at its beginning: deadlock: it may not "
                                         "begin, rank 1 is in run 0 of 5");
}

TEST(should_report_a_put_into_the_memory_of_who_is_not_there_yet)
{
    make_empty_wired(HY_COLL_BCAST, 2, 2);
    hy_emit_put(&schedules[0], 1, HY_AT(HY_OUT, 0), HY_AT(HY_OUT, 0), 16);
    hy_emit_signal(&schedules[0], 1);
    hy_emit_wait(&schedules[1], 0);
    assert_violation(1, "no signal orders");
    release(NULL);
    make_empty_wired(HY_COLL_BCAST, 2, 2); /* no region is exposed, but the signals order it */
    hy_emit_wait(&schedules[0], 1);
    hy_emit_put(&schedules[0], 1, HY_AT(HY_OUT, 0), HY_AT(HY_OUT, 0), 16);
    hy_emit_signal(&schedules[0], 1);
    hy_emit_signal(&schedules[1], 0);
    hy_emit_wait(&schedules[1], 0);
    assert_proved(ROUNDS);
}

TEST(should_report_a_get_without_order)
{
    make_wired(HY_COLL_BCAST, "linear", GET_STRAIGHT, 3, 4);
    drop_pair(0, 2, 0); /* the root's "may use OUT" */
    assert_violation(1, "no signal orders");
    make_wired(HY_COLL_BCAST, "linear", GET_STRAIGHT, 3, 4);
    drop_pair(2, 0, 0); /* "finished" */
    assert_violation(2, "no signal orders");
}

TEST(should_keep_the_signals_of_different_runs_apart)
{
    make_empty(HY_COLL_BARRIER, 2, 0);
    for (int i = 0; i < 4; i++) {
        hy_emit_signal(&schedules[i % 2], 1 - i % 2);
        hy_emit_wait(&schedules[i % 2], 1 - i % 2);
    }
    for (int rank = 0; rank < 2; rank++) schedules[rank].shape.wired = true;
    assert_proved(ROUNDS);
    drop(1, nth(1, HY_STEP_SIGNAL, 0, 1)); /* one of the next run does not help */
    assert_violation(ROUNDS, "run 0: rank 0, step 3 (WAIT rank 1): deadlock");
    make_wired(HY_COLL_BARRIER, "flat", PUT_PREPARED, 3, 0);
    hy_emit_signal(&schedules[1], 2);
    assert_violation(HY_WIRED_DEPTH, "rank 2 never takes the signal that rank 1 sent it in run 0");
    assert_violation(ROUNDS, "takes a signal of run 0");
}

/* A run's signals wait for nobody's other run: 16 each of two runs may be on their way. */
TEST(should_count_the_signals_of_each_run_by_themselves)
{
    make_empty_wired(HY_COLL_REDUCE, 2, 1);
    for (int i = 0; i < HY_SCHED_DEPTH; i++) hy_emit_signal(&schedules[1], 0);
    for (int i = 0; i < HY_SCHED_DEPTH; i++) hy_emit_wait(&schedules[0], 1);
    hy_emit_send(&schedules[1], 0, HY_AT(HY_OUT, 0), 8);
    hy_emit_fold(&schedules[0], 1, HY_AT(HY_OUT, 0), 8);
    assert_proved(ROUNDS);
    make_empty_wired(HY_COLL_BARRIER, 2, 0);
    for (int rank = 0; rank < 2; rank++) {
        for (int i = 0; i <= HY_SCHED_DEPTH; i++) hy_emit_signal(&schedules[rank], 1 - rank);
        for (int i = 0; i <= HY_SCHED_DEPTH; i++) hy_emit_wait(&schedules[rank], 1 - rank);
    }
    assert_violation(1, "deadlock: too many signals on their way");
}

/* ---- barriers ---- */

/* Takes the signals and waits [first, first + count) of every rank away. */
static void drop_round(int first, int count)
{
    for (int rank = 0; rank < schedules[0].shape.size; rank++)
        for (int kind = HY_STEP_SIGNAL; kind <= HY_STEP_WAIT; kind++)
            for (int i = 0; i < count; i++) drop(rank, nth(rank, (hy_step_kind)kind, 0, first));
}

TEST(should_report_every_barrier_that_is_missing)
{
    const hy_coll colls[] = {HY_COLL_BCAST, HY_COLL_REDUCE, HY_COLL_GATHER, HY_COLL_SCATTER};
    for (int i = 0; i < 4; i++)
        for (int way = PUT_BARRIER; way <= GET_BARRIER; way++)
            for (int round = 0;; round++) {
                make_wired(colls[i], "binomial", way, 4, 2);
                uint32_t signals = 0; /* two in each round of four ranks */
                for (uint32_t j = 0; j < schedules[3].count; j++)
                    signals += schedules[3].steps[j].kind == HY_STEP_SIGNAL;
                assert_true(signals >= 4);
                if (round == (int)signals / 2) break;
                drop_round(2 * round, 2);
                assert_violation(2, " of rank "); /* too early read or written */
            }
}

TEST(should_report_a_move_before_its_barrier)
{
    make_wired(HY_COLL_ALLTOALL, "linear", PUT_BARRIER, 3, 2);
    swap(nth(1, HY_STEP_PUT, 0, 0), nth(1, HY_STEP_WAIT, 0, 1));
    assert_violation(1, "no signal orders");
    make_wired(HY_COLL_ALLGATHER, "linear", GET_BARRIER, 3, 2);
    swap(nth(1, HY_STEP_GET, 0, 0), nth(1, HY_STEP_WAIT, 0, 0));
    assert_violation(1, "no signal orders");
}

/* ---- uneven blocks ---- */

static const hy_block blocks_of[3][3] = {
    {{0, 8}, {16, 16}, {32, 0}}, {{24, 8}, {8, 8}, {0, 8}}, {{0, 16}, {16, 0}, {24, 24}}};
static const hy_block blocks_from[3][3] = {
    {{8, 8}, {16, 8}, {32, 16}}, {{0, 16}, {16, 8}, {0, 0}}, {{0, 0}, {0, 8}, {16, 24}}};

static void make_uneven(int way, bool wired)
{
    const hy_algorithm *algorithm = hy_algorithm_find(HY_COLL_ALLTOALL, "linear");
    hy_way how;
    assert_true(hy_way_at((uint32_t)way, &how));
    release(NULL);
    for (int rank = 0; rank < 3; rank++) {
        const hy_shape shape = {.coll = HY_COLL_ALLTOALL,
                                .rank = rank,
                                .size = 3,
                                .bytes = blocks_of[rank][rank].len,
                                .unit = 8,
                                .wired = wired,
                                .uneven = true,
                                .in_blocks = blocks_of[rank],
                                .out_blocks = blocks_from[rank]};
        assert_ok(hy_schedule_build(&schedules[rank], algorithm, &shape, &how));
    }
    assert_proved(ROUNDS);
}

/* A peer sees its own block only, from 0 on. */
TEST(should_report_another_view_of_uneven_blocks)
{
    make_uneven(GET_STRAIGHT, false);
    nth_for(0, HY_STEP_GET, 1, 0)->remote_off = 24; /* where it is for rank 1 */
    assert_violation(1, "reaches beyond IN of rank 1, in which its block has 8 B");
    make_uneven(PUT_STRAIGHT, true);
    hy_step *put = nth_for(0, HY_STEP_PUT, 1, 0);
    put->remote_off = 8;
    assert_violation(1, "reaches beyond OUT of rank 1, which has 16 B");
    put->remote_off = 0;
    put->local_off = 0;
    assert_violation(1, "reads IN+8 of rank 0, which was never written");
}

TEST(should_report_bytes_between_the_blocks)
{
    make_uneven(PUT_PREPARED, false);
    nth_for(0, HY_STEP_WAIT, 1, 0)->local_off = 24;
    assert_violation(1, "writes OUT+24 of rank 0, which is in no block");
    make_uneven(GET_STRAIGHT, true);
    hy_step *copy = nth(0, HY_STEP_COPY, 0, 0);
    copy->local_off = 0;
    assert_violation(1, "writes OUT+0 of rank 0, which is in no block");
    make_uneven(GET_STRAIGHT, true);
    nth(0, HY_STEP_COPY, 0, 0)->remote_off = 8;
    assert_violation(1, "reads IN+8 of rank 0, which was never written");
}

TEST(should_report_an_uneven_block_of_another_rank)
{
    make_uneven(PUT_PREPARED, true);
    hy_step *a = nth_for(0, HY_STEP_SIGNAL, 1, 0), *b = nth(0, HY_STEP_COPY, 0, 0);
    a->local_off = 24; /* the half of rank 1's block */
    a->len = 8;
    nth_for(1, HY_STEP_WAIT, 0, 0)->len = 8;
    assert_violation(1, "OUT+0 holds element 3 of ranks 0x1, expected element 2 of ranks 0x1");
    make_uneven(PUT_PREPARED, true);
    b = nth(0, HY_STEP_COPY, 0, 0);
    b->remote_off = 16;
    assert_violation(1, "OUT+8 holds element 2 of ranks 0x1, expected element 0 of ranks 0x1");
}

int main(void)
{
    return tests_run_in(NULL, release);
}
