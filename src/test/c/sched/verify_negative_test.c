/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules broken on purpose: the verifier must say what is wrong with each. Wired ones are in
 * verify_wired_test.c. */
#include "base/level_fixture.h"
#include "broken_fixture.h"
#include "maps_fixture.h"

TEST(should_report_a_deadlock_when_a_finishing_signal_is_dropped)
{
    make(HY_COLL_BCAST, "linear", GET_STRAIGHT, 4, 9);
    drop(2, nth(2, HY_STEP_SIGNAL, 0, 0));
    assert_violation(1, "deadlock: the signal never comes");
}

TEST(should_report_a_signal_of_the_next_run)
{
    make_empty(HY_COLL_BARRIER, 2, 0);
    for (int i = 0; i < 4; i++) {
        hy_emit_signal(&schedules[i % 2], 1 - i % 2);
        hy_emit_wait(&schedules[i % 2], 1 - i % 2);
    }
    assert_proved(3);
    drop(1, nth(1, HY_STEP_SIGNAL, 0, 1));
    assert_violation(1, "deadlock: the signal never comes");
    assert_violation(2, "takes a signal of run 1");
}

TEST(should_report_early_reuse_when_a_finishing_wait_is_dropped)
{
    make(HY_COLL_BCAST, "linear", GET_STRAIGHT, 3, 4);
    drop_pair(1, 0, 0);
    assert_violation(1, "no signal orders");
}

TEST(should_report_a_signal_that_nobody_takes)
{
    make(HY_COLL_BARRIER, "flat", PUT_PREPARED, 3, 0);
    hy_emit_signal(&schedules[1], 2);
    assert_violation(1, "rank 2 never takes the signal that rank 1 sent it");
    assert_violation(2, "takes a signal of run 0");
}

TEST(should_report_swapped_waits)
{
    make(HY_COLL_ALLGATHER, "linear", GET_STRAIGHT, 3, 6);
    swap(nth_for(1, HY_STEP_WAIT, 2, 0), nth_for(1, HY_STEP_WAIT, 2, 1));
    assert_violation(1, "rank 1, step");
    assert_violation(1, "expects a signal that exposes nothing");
}

TEST(should_report_a_dropped_wait_of_a_barrier)
{
    make(HY_COLL_BARRIER, "flat", PUT_PREPARED, 3, 0);
    drop_pair(2, 0, 0);
    assert_violation(1, "leaves without knowing that rank 2 has come");
}

TEST(should_report_a_barrier_with_a_round_too_few)
{
    make(HY_COLL_BARRIER, "dissemination", PUT_PREPARED, 5, 0);
    for (int rank = 0; rank < 5; rank++) schedules[rank].count -= 2;
    assert_violation(1, "leaves without knowing");
}

TEST(should_report_a_contribution_reduced_twice)
{
    make(HY_COLL_REDUCE, "linear", GET_STRAIGHT, 3, 6);
    *nth(0, HY_STEP_REDUCE, 0, 1) = *nth(0, HY_STEP_REDUCE, 0, 0);
    assert_violation(1, "reduces the contribution of rank 2 into element 0 twice");
}

TEST(should_report_a_contribution_that_is_missing)
{
    make(HY_COLL_REDUCE, "linear", GET_STRAIGHT, 3, 6);
    drop(0, nth(0, HY_STEP_REDUCE, 0, 0));
    assert_violation(1, "OUT+0 holds element 0 of ranks 0x3, expected element 0 of ranks 0x7");
}

TEST(should_report_overlapping_puts)
{
    make(HY_COLL_GATHER, "linear", PUT_STRAIGHT, 3, 3);
    hy_step *put = nth(2, HY_STEP_PUT, 0, 0);
    put->remote_off -= 8;
    assert_violation(1, "no signal orders");
}

TEST(should_report_a_slice_that_is_off_by_one)
{
    make(HY_COLL_BCAST, "scatter_allgather", GET_STRAIGHT, 4, 9);
    nth(2, HY_STEP_GET, 0, 0)->len -= 8;
    assert_violation(1, "which was never written");
    make(HY_COLL_BCAST, "scatter_allgather", GET_STRAIGHT, 4, 9);
    nth(3, HY_STEP_GET, 0, 0)->len += 8;
    assert_violation(1, "reaches beyond OUT of rank");
    make(HY_COLL_BCAST, "linear", GET_STRAIGHT, 2, 4);
    nth(1, HY_STEP_GET, 0, 0)->len -= 8;
    assert_violation(1, "OUT+24 holds element 3 of ranks 0x0");
}

TEST(should_report_data_at_the_wrong_offset)
{
    make(HY_COLL_BCAST, "linear", GET_STRAIGHT, 2, 4);
    hy_step *get = nth(1, HY_STEP_GET, 0, 0);
    get->len = 8;
    get->remote_off = 8;
    assert_violation(1, "OUT+0 holds element 1");
    make(HY_COLL_REDUCE, "linear", GET_STRAIGHT, 2, 4);
    hy_step *reduce = nth(0, HY_STEP_REDUCE, 0, 0);
    reduce->len = 8;
    reduce->remote_off = 8;
    assert_violation(1, "reduces element 1 of run 0 into element 0");
}

/* ---- blocks ---- */

TEST(should_report_a_wrong_block)
{
    make(HY_COLL_ALLGATHER, "linear", GET_STRAIGHT, 3, 2);
    nth(2, HY_STEP_GET, 0, 0)->local_off = 2 * 16; /* over its own block */
    assert_violation(1, "rank 2");
    make(HY_COLL_ALLGATHER, "ring", GET_STRAIGHT, 3, 2);
    swap(nth(1, HY_STEP_GET, 0, 0), nth(1, HY_STEP_GET, 0, 1));
    assert_violation(1, "rank 1");
    make(HY_COLL_SCATTER, "linear", GET_STRAIGHT, 3, 2);
    nth(1, HY_STEP_GET, 0, 0)->remote_off = 2 * 16;
    assert_violation(1, "OUT+0 holds element 4 of ranks 0x1, expected element 2 of ranks 0x1");
    make(HY_COLL_GATHER, "linear", PUT_PREPARED, 3, 2);
    hy_step *from1 = nth_for(0, HY_STEP_WAIT, 1, 0), *from2 = nth_for(0, HY_STEP_WAIT, 2, 0);
    uint64_t off = from1->local_off;
    from1->local_off = from2->local_off;
    from2->local_off = off;
    assert_violation(1, "OUT+16 holds element 0 of ranks 0x4, expected element 0 of ranks 0x2");
    make(HY_COLL_ALLTOALL, "linear", GET_STRAIGHT, 3, 2);
    nth(2, HY_STEP_GET, 0, 0)->remote_off = 0;
    assert_violation(1, "holds element 0 of ranks");
}

/* Both ranks fetch from each other. */
static void make_reduce_scatter(void)
{
    make_empty(HY_COLL_REDUCE_SCATTER, 2, 2);
    for (int rank = 0; rank < 2; rank++) {
        hy_schedule *s = &schedules[rank];
        uint64_t off = (uint64_t)rank * 16;
        hy_emit_copy(s, HY_AT(HY_IN, off), HY_AT(HY_OUT, 0), 16);
        hy_emit_expose(s, 1 - rank, HY_IN);
        hy_emit_learn(s, 1 - rank, HY_IN);
        hy_emit_reduce(s, 1 - rank, HY_AT(HY_IN, off), HY_AT(HY_OUT, 0), 16);
        hy_emit_signal(s, 1 - rank);
        hy_emit_wait(s, 1 - rank);
    }
    assert_proved(3);
}

/* The right blocks of everybody, but of the neighbour's slice. */
TEST(should_report_the_reduction_of_a_wrong_block)
{
    make_reduce_scatter();
    nth(1, HY_STEP_REDUCE, 0, 0)->remote_off = 0;
    assert_violation(1, "reduces element 0 of run 0 into element 2 of run 0");
    nth(1, HY_STEP_COPY, 0, 0)->remote_off = 0;
    assert_violation(1, "OUT+0 holds element 0 of ranks 0x3, expected element 2 of ranks 0x3");
}

TEST(should_report_every_way_of_writing_into_in)
{
    make(HY_COLL_SCATTER, "linear", PUT_STRAIGHT, 2, 2);
    nth(0, HY_STEP_PUT, 0, 0)->remote = HY_IN;
    assert_violation(1, "IN of rank 1 was not exposed to it");
    make(HY_COLL_ALLTOALL, "linear", PUT_PREPARED, 2, 2);
    nth(1, HY_STEP_WAIT, 0, 0)->local = HY_IN;
    assert_violation(1, "writes into IN of rank 1, which is read only");
    make(HY_COLL_ALLGATHER, "linear", GET_STRAIGHT, 2, 2);
    hy_step *get = nth(1, HY_STEP_GET, 0, 0);
    get->local = HY_IN;
    get->local_off = 0;
    assert_violation(1, "writes into IN of rank 1, which is read only");
    make(HY_COLL_ALLTOALL, "linear", PUT_STRAIGHT, 2, 2);
    nth(0, HY_STEP_SIGNAL, HY_STEP_EXPOSE, 0)->local = HY_IN;
    nth(1, HY_STEP_WAIT, HY_STEP_EXPOSE, 0)->remote = HY_IN;
    nth(1, HY_STEP_PUT, 0, 0)->remote = HY_IN;
    assert_violation(1, "writes into IN of rank 0, which is read only");
    make_reduce_scatter();
    hy_step *reduce = nth(1, HY_STEP_REDUCE, 0, 0);
    reduce->local = HY_IN;
    reduce->local_off = 16;
    assert_violation(1, "writes into IN of rank 1, which is read only");
}

static bool applies(const hy_shape *shape)
{
    return shape->size == 2;
}

/* An allgather that uses the place of its own block for the other one first. */
static int build_careless(hy_schedule *s)
{
    int rank = s->shape.rank;
    uint64_t own = (uint64_t)rank * s->shape.bytes, other = s->shape.bytes - own;
    hy_emit_send(s, 1 - rank, HY_AT(HY_IN, 0), s->shape.bytes);
    hy_emit_recv(s, 1 - rank, HY_AT(HY_OUT, own), s->shape.bytes);
    hy_emit_copy(s, HY_AT(HY_OUT, own), HY_AT(HY_OUT, other), s->shape.bytes);
    hy_emit_copy(s, HY_AT(HY_IN, 0), HY_AT(HY_OUT, own), s->shape.bytes);
    return hy_emit_end(s);
}

static hy_shape two_ranks(void *context, int collective, int rank)
{
    (void)context, (void)collective;
    return (hy_shape){.coll = HY_COLL_ALLGATHER, .rank = rank, .size = 2, .bytes = 8, .unit = 8};
}

TEST(should_report_an_own_block_in_place_that_is_overwritten)
{
    const hy_algorithm careless = {.name = "careless",
                                   .coll = HY_COLL_ALLGATHER,
                                   .ways = HY_WAY_PUT_PREPARED,
                                   .applies = applies,
                                   .build = build_careless};
    const hy_algorithm *algorithm = &careless;
    assert_ok(hy_verify_each(&algorithm, two_ranks, NULL, NULL, 1, 3));
    assert_refused(hy_verify_in_place(&algorithm, two_ranks, NULL, NULL, 1, 3), HAYATE_ERR_CORRUPT,
                   "expected element 0 of ranks 0x2");
}

TEST(should_report_in_read_after_its_rank_has_left)
{
    make(HY_COLL_SCATTER, "linear", GET_STRAIGHT, 3, 2);
    drop_pair(1, 0, 0);
    assert_violation(1, "no signal orders");
}

TEST(should_report_a_region_that_was_not_exposed)
{
    make(HY_COLL_BCAST, "linear", GET_STRAIGHT, 2, 4);
    nth(0, HY_STEP_SIGNAL, HY_STEP_EXPOSE, 0)->flags = 0;
    assert_violation(1, "expects a signal that exposes OUT");
    make(HY_COLL_BCAST, "linear", GET_STRAIGHT, 2, 4);
    drop(0, nth(0, HY_STEP_SIGNAL, HY_STEP_EXPOSE, 0));
    drop(1, nth(1, HY_STEP_WAIT, HY_STEP_EXPOSE, 0));
    assert_violation(1, "OUT of rank 0 was not exposed to it");
    make(HY_COLL_BCAST, "linear", GET_STRAIGHT, 2, 4);
    nth(1, HY_STEP_GET, 0, 0)->remote = HY_TMP;
    assert_violation(1, "TMP of rank 0 was not exposed to it");
}

TEST(should_report_a_payload_of_another_length)
{
    make(HY_COLL_BCAST, "linear", PUT_PREPARED, 3, 4);
    nth(2, HY_STEP_WAIT, 0, 0)->len = 16;
    assert_violation(1, "expects a payload of 16 B");
    make(HY_COLL_BCAST, "linear", PUT_PREPARED, 3, 1024);
    nth(0, HY_STEP_SIGNAL, 0, 0)->len = HY_SCHED_PAYLOAD + 8;
    assert_violation(1, "a payload has at most 4096 B");
}

TEST(should_report_use_of_uninitialised_scratch)
{
    make(HY_COLL_REDUCE, "binomial", PUT_PREPARED, 4, 2);
    drop(2, nth(2, HY_STEP_COPY, 0, 0));
    assert_violation(1, "never written");
}

TEST(should_report_scratch_beyond_its_end)
{
    make(HY_COLL_REDUCE, "binomial", PUT_PREPARED, 4, 2);
    schedules[2].tmp_bytes = 8;
    assert_violation(1, "reaches beyond TMP of rank 2, which has 8 B");
}

TEST(should_report_the_root_changing_others_results)
{
    make(HY_COLL_REDUCE, "binomial", PUT_PREPARED, 4, 2);
    hy_schedule *s = &schedules[2];
    for (uint32_t i = 0; i < s->count; i++) s->steps[i].local = HY_OUT;
    drop(2, nth(2, HY_STEP_COPY, 0, 0));
    assert_violation(1, "holds element 0 of ranks 0xc, expected element 0 of ranks 0x4");
}

TEST(should_report_more_signals_than_a_channel_holds)
{
    make_empty(HY_COLL_BARRIER, 2, 0);
    for (int rank = 0; rank < 2; rank++) {
        for (int i = 0; i <= HY_SCHED_DEPTH; i++) hy_emit_signal(&schedules[rank], 1 - rank);
        for (int i = 0; i <= HY_SCHED_DEPTH; i++) hy_emit_wait(&schedules[rank], 1 - rank);
    }
    assert_violation(1, "deadlock: too many signals on their way");
}

/* The reader is not told when the data has come. */
TEST(should_report_a_put_that_nobody_waits_for)
{
    make_empty(HY_COLL_BCAST, 2, 2);
    hy_emit_put(&schedules[0], 1, HY_AT(HY_OUT, 0), HY_AT(HY_OUT, 0), 16);
    assert_violation(1, "OUT of rank 1 was not exposed");
    make_empty(HY_COLL_BCAST, 2, 2);
    hy_emit_learn(&schedules[0], 1, HY_OUT);
    hy_emit_put(&schedules[0], 1, HY_AT(HY_OUT, 0), HY_AT(HY_OUT, 0), 16);
    hy_emit_signal(&schedules[0], 1);
    hy_emit_expose(&schedules[1], 0, HY_OUT);
    hy_emit_wait(&schedules[1], 0);
    assert_proved(3);
    drop(1, nth(1, HY_STEP_WAIT, 0, 0));
    drop(0, nth(0, HY_STEP_SIGNAL, 0, 0));
    assert_violation(1, "OUT+0 holds element 0 of ranks 0x0");
}

/* Exposed data is changed while a peer may still be reading, though it has in fact been read. */
TEST(should_report_a_race_that_did_no_harm_this_time)
{
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
    assert_proved(3);
}

/* ---- every algorithm ---- */

static void notice_missing_steps(void)
{
    int size = schedules[0].shape.size;
    for (int rank = 0; rank < size; rank++)
        for (uint32_t i = 0; i < schedules[rank].count; i++) {
            const hy_step step = schedules[rank].steps[i];
            drop(rank, &schedules[rank].steps[i]);
            assert_violation(2, "rank");
            undrop(rank, i, step);
        }
}

/* A bit of what is moved is taken from, or goes to, beside. */
static void notice_shifted_data(void)
{
    int size = schedules[0].shape.size;
    for (int rank = 0; rank < size; rank++)
        for (uint32_t i = 0; i < schedules[rank].count; i++) {
            hy_step *step = &schedules[rank].steps[i];
            const hy_step was = *step;
            const bool remote = step->kind != HY_STEP_SIGNAL && step->kind != HY_STEP_WAIT;
            for (int kind = 0; step->len > 0 && kind < 4; kind++) {
                if (kind < 2) step->local_off += kind ? 8 : (uint64_t)-8;
                else if (remote) step->remote_off += kind == 3 ? 8 : (uint64_t)-8;
                else continue;
                assert_violation(2, "rank");
                *step = was;
            }
        }
}

/* In every way; ASan looks at another quarter of the ways of each algorithm. */
static void break_every_algorithm(void (*notice)(void))
{
    hy_nodes *nodes = nodes_of(6, 2);
    for (const hy_algorithm *const *a = hy_algorithms; *a; a++)
        for (int way = PUT_STRAIGHT; way <= GET_BARRIER; way++) {
            if (LEVEL_SANITIZED && (way + (a - hy_algorithms)) % 4) continue;
            hy_shape shape = {.coll = (*a)->coll, .size = 6, .bytes = 13 * 8, .unit = 8};
            if ((*a)->coll == HY_COLL_BARRIER) shape.bytes = 0;
            if ((*a)->coll >= HY_COLL_GATHER) shape.bytes = 2 * 8;
            if ((*a)->traits & HY_TRAIT_PARTS) shape.nodes = nodes;
            if (!(*a)->applies(&shape)) shape.size = 4;
            if (!((*a)->ways >> way & 1)) continue;
            shape.wired = (HY_WAYS_WIRED | HY_WAY_GET_PREPARED) >> way & 1;
            make_shape(shape, (*a)->name, way);
            notice();
        }
    hy_nodes_free(nodes);
}

TEST(should_notice_every_single_step_that_is_missing)
{
    break_every_algorithm(notice_missing_steps);
}

TEST(should_notice_every_move_that_is_shifted)
{
    break_every_algorithm(notice_shifted_data);
}

TEST(should_report_steps_that_make_no_sense)
{
    const hy_step steps[] = {
        {.kind = 99},
        {.kind = HY_STEP_SIGNAL, .peer = 2},
        {.kind = HY_STEP_SIGNAL, .peer = -1},
        {.kind = HY_STEP_SIGNAL, .peer = 0},
        {.kind = HY_STEP_SIGNAL, .peer = 1, .flags = HY_STEP_FOLD},
        {.kind = HY_STEP_SIGNAL, .peer = 1, .flags = HY_STEP_EXPOSE, .local = HY_IN},
        {.kind = HY_STEP_COPY, .local = HY_OUT, .remote = HY_OUT, .len = 16, .local_off = 8},
        {.kind = HY_STEP_COPY, .local = HY_OUT, .remote = 77, .len = 8},
        {.kind = HY_STEP_COPY, .local = HY_OUT, .remote = HY_NONE, .len = 8},
        {.kind = HY_STEP_COPY, .local = HY_OUT, .remote = HY_IN, .len = 8},
        {.kind = HY_STEP_COPY, .local = HY_BOX, .remote = HY_OUT, .len = 8},
        {.kind = HY_STEP_SIGNAL, .peer = 1, .flags = HY_STEP_EXPOSE, .local = HY_BOX},
        {.kind = HY_STEP_GET, .peer = 1, .local = HY_OUT, .remote = HY_BOX, .len = 8},
        {.kind = HY_STEP_GET, .peer = 1, .local = HY_OUT, .remote = 200, .len = 8},
        {.kind = HY_STEP_COPY, .local = HY_OUT, .remote = HY_OUT, .len = 4, .local_off = 8},
        {.kind = HY_STEP_COPY,
         .local = HY_OUT,
         .remote = HY_OUT,
         .len = UINT64_MAX - 7,
         .local_off = 16},
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        make(HY_COLL_BCAST, "linear", PUT_PREPARED, 2, 4);
        schedules[0].steps[0] = steps[i];
        assert_violation(1, "rank 0, step 0 (");
    }
}

int main(void)
{
    return tests_run_in(NULL, release);
}
