/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
/* tsan */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/test.h"
#include "choose/board.h"
#include "choose/choose_fixture.h"
#include "sched/maps_fixture.h"

static hy_board board;

static int clean(void **state)
{
    (void)state;
    memset(&board, 0, sizeof board);
    return 0;
}

static hy_question question_about(uint64_t bytes)
{
    const hy_shape shape = shape_of(HY_COLL_ALLREDUCE, 8, bytes);
    return hy_question_of(&(hy_request){.shape = shape}, 0);
}

static hy_choice some_choice(double ns)
{
    const hy_model model = hy_model_default(2);
    const hy_shape shape = shape_of(HY_COLL_ALLREDUCE, 8, 1024);
    hy_choice choice = chosen(&model, &shape, NULL);
    choice.ns = ns;
    return choice;
}

#define FIRST 5 /* the rank that asks first */
#define OTHER (HY_BOARD_RANKS - 1)

/* The entry of a question, taken as by the rank that asks first. */
static hy_board_entry *taken(const hy_question *question)
{
    hy_board_entry *entry = NULL;
    assert_int_equal(hy_board_ask(&board, question, FIRST, &entry), HY_BOARD_TAKEN);
    return entry;
}

/* Whether another rank reads an answer. */
static bool is_told(const hy_question *question, hy_choice *choice)
{
    hy_board_entry *entry;
    assert_int_equal(hy_board_ask(&board, question, OTHER, &entry), HY_BOARD_READ);
    return hy_board_read(entry, question, choice);
}

TEST(should_tell_others_what_the_first_chose)
{
    const hy_choice choice = some_choice(77);
    for (uint64_t bytes = 8; bytes < 64; bytes += 8) {
        const hy_question question = question_about(bytes);
        hy_choice answer;
        hy_board_answer(taken(&question), &question, &choice);
        assert_true(is_told(&question, &answer));
        assert_same(&answer, &choice);
    }
}

TEST(should_tell_the_levels_of_an_algorithm_of_two)
{
    const hy_model model = hy_model_default(2);
    hy_shape shape = shape_of(HY_COLL_ALLREDUCE, 8, 1 << 20);
    hy_nodes *nodes = nodes_of(8, 4);
    shape.nodes = nodes;
    const hy_choice choice = chosen(&model, &shape, NULL);
    assert_true(choice.algorithm->traits & HY_TRAIT_PARTS);
    const hy_question question = hy_question_of(&(hy_request){.shape = shape}, 0);
    hy_choice answer;
    hy_board_answer(taken(&question), &question, &choice);
    assert_true(is_told(&question, &answer));
    assert_ptr_equal(answer.algorithm, choice.algorithm);
    for (int i = 0; i < HY_LEVELS; i++) {
        const hy_part *part = &answer.way.parts[i], *expected = &choice.way.parts[i];
        assert_non_null(part->algorithm);
        assert_ptr_equal(part->algorithm, expected->algorithm);
        assert_int_equal(part->transfer, expected->transfer);
        assert_int_equal(part->segment, expected->segment);
    }
    hy_nodes_free(nodes);
}

TEST(should_distinguish_whatever_a_choice_depends_on)
{
    const hy_shape shape = shape_of(HY_COLL_BCAST, 8, 1024);
    const hy_algorithm *binomial = hy_algorithm_find(HY_COLL_BCAST, "binomial");
    const hy_way get = {.transfer = HY_TRANSFER_GET}, arity = {.arity = 3};
    hy_shape other[6] = {shape, shape, shape, shape, shape, shape};
    hy_nodes *pairs = nodes_of(8, 2), *fours = nodes_of(8, 4);
    other[0].coll = HY_COLL_REDUCE;
    other[1].size = 9;
    other[2].bytes = 2048;
    other[3].wired = false;
    other[4].nodes = pairs;
    other[5].nodes = fours;
    hy_question all[13] = {hy_question_of(&(hy_request){.shape = shape}, 0),
                           hy_question_of(&(hy_request){.shape = shape, .uneven = true}, 0),
                           hy_question_of(&(hy_request){.shape = shape, .outside = true}, 0),
                           hy_question_of(&(hy_request){.shape = shape, .algorithm = binomial}, 0),
                           hy_question_of(&(hy_request){.shape = shape, .way = get}, 0),
                           hy_question_of(&(hy_request){.shape = shape, .way = arity}, 0),
                           hy_question_of(&(hy_request){.shape = shape}, 1)};
    for (int i = 0; i < 6; i++) all[7 + i] = hy_question_of(&(hy_request){.shape = other[i]}, 0);
    for (int i = 0; i < 13; i++)
        for (int j = 0; j < 13; j++) assert_int_equal(hy_question_is(&all[i], &all[j]), i == j);
    for (int i = 0; i < 13; i++) taken(&all[i]);
    hy_nodes_free(pairs);
    hy_nodes_free(fours);
}

/* Also of what has no padding around it: the last network, the last point of a curve. */
TEST(should_distinguish_models_by_each_of_their_numbers)
{
    const hy_model model = hy_model_default(4);
    const hy_model same = model;
    hy_model other[8];
    for (int i = 0; i < 8; i++) other[i] = model;
    other[0].signal++;
    other[1].reduce_get.ns[HY_CURVE_POINTS - 1]++;
    other[2].cached++;
    other[3].cpus++;
    other[4].measured = true;
    other[5].nets[HY_NETS - 1].byte++;
    other[6].net = HY_NET_VERBS;
    other[7].bandwidth++;
    for (int i = 0; i < 8; i++)
        assert_int_not_equal(hy_model_digest(&other[i]), hy_model_digest(&model));
    assert_int_equal(hy_model_digest(&model), hy_model_digest(&same));
}

TEST(should_let_others_choose_where_the_first_could_not)
{
    const hy_question question = question_about(8);
    hy_board_entry *entry = taken(&question);
    hy_board_answer(entry, &question, NULL);
    assert_int_equal(hy_board_ask(&board, &question, OTHER, &entry), HY_BOARD_ALONE);
}

TEST(should_tell_who_chooses)
{
    static const uint32_t ranks[] = {0, 1, 4095, HY_BOARD_RANKS - 1};
    for (uint64_t i = 0; i < 4; i++) {
        const hy_question question = question_about(8 + 8 * i);
        hy_board_entry *entry;
        assert_int_equal(hy_board_ask(&board, &question, ranks[i], &entry), HY_BOARD_TAKEN);
        assert_int_equal(hy_board_ask(&board, &question, OTHER, &entry), HY_BOARD_WAIT);
        assert_int_equal(hy_board_chooser(entry), ranks[i]);
    }
}

TEST(should_let_each_choose_by_itself_once_it_is_full)
{
    int room = 0;
    for (uint64_t i = 1; i < UINT64_C(100) * HY_BOARD_ENTRIES; i++) {
        const hy_question question = question_about(8 * i);
        hy_board_entry *entry;
        hy_board_reply reply = hy_board_ask(&board, &question, FIRST, &entry);
        assert_true(reply == HY_BOARD_TAKEN || reply == HY_BOARD_ALONE);
        room += reply == HY_BOARD_TAKEN;
    }
    assert_int_equal(room, HY_BOARD_ENTRIES);
}

/* Of another question with the same digest, or overwritten by a broken program. */
TEST(should_not_believe_answers_that_do_not_fit)
{
    const hy_question question = question_about(8), other = question_about(16);
    const hy_choice choice = some_choice(5);
    hy_board_entry *entry = taken(&question);
    hy_choice answer;
    hy_board_answer(entry, &question, &choice);
    entry->question = other;
    assert_false(is_told(&question, &answer));
    entry->question = question;
    uint16_t number = entry->algorithms[0];
    entry->algorithms[0] = UINT16_MAX;
    assert_false(is_told(&question, &answer));
    entry->algorithms[0] = hy_algorithm_number(hy_algorithm_find(HY_COLL_BCAST, "binomial"));
    assert_false(is_told(&question, &answer));
    entry->algorithms[0] = number;
    assert_true(is_told(&question, &answer));
}

/* ---- many at once ---- */

enum { ASKING = 4, QUESTIONS = 200 };

static _Atomic uint32_t begun, chosen_by_myself;

static void *ask_all(void *unused)
{
    (void)unused;
    const hy_choice pattern = some_choice(0);
    atomic_fetch_add(&begun, 1);
    while (atomic_load(&begun) < ASKING) hy_pause();
    for (uint64_t i = 0; i < QUESTIONS; i++) {
        const hy_question question = question_about(8 + i % 100 * 8);
        hy_choice choice = pattern;
        hy_board_entry *entry;
        hy_board_reply reply;
        while ((reply = hy_board_ask(&board, &question, FIRST, &entry)) == HY_BOARD_WAIT)
            sched_yield();
        if (reply == HY_BOARD_READ && !hy_board_read(entry, &question, &choice))
            return "an answer to something else";
        if (reply != HY_BOARD_READ) choice.ns = (double)question.bytes;
        if (reply == HY_BOARD_TAKEN) {
            atomic_fetch_add(&chosen_by_myself, 1);
            hy_board_answer(entry, &question, &choice);
        }
        if (choice.algorithm != pattern.algorithm || choice.ns != (double)question.bytes)
            return "a wrong answer";
    }
    return NULL;
}

TEST(should_choose_once_for_all_who_ask_at_once)
{
    pthread_t threads[ASKING];
    atomic_store(&begun, 0);
    atomic_store(&chosen_by_myself, 0);
    for (int i = 0; i < ASKING; i++) pthread_create(&threads[i], NULL, ask_all, NULL);
    for (int i = 0; i < ASKING; i++) {
        void *wrong;
        pthread_join(threads[i], &wrong);
        if (wrong) fail_msg("%s", (const char *)wrong);
    }
    assert_in_range(chosen_by_myself, 90, 100); /* a few may have found no room */
}

/* ---- the choices of a rank ---- */

TEST(should_choose_alike_with_a_board_and_without)
{
    static const uint64_t sizes[] = {8, 1000, 65536};
    const hy_model model = hy_model_default(2);
    hy_choices alone = {0}, first = {.board = &board}, second = {.board = &board};
    for (int coll = 0; coll <= HY_COLL_ALLREDUCE; coll++)
        for (int i = 0; i < 3; i++) {
            hy_shape shape = shape_of((hy_coll)coll, 6, sizes[i]);
            hy_choice expected, choice[2];
            if (coll == HY_COLL_BARRIER) shape.bytes = 0;
            hy_choices_get(&alone, &model, &(hy_request){.shape = shape}, &expected);
            shape.rank = 3;
            hy_choices_get(&first, &model, &(hy_request){.shape = shape}, &choice[0]);
            hy_choices_get(&second, &model, &(hy_request){.shape = shape}, &choice[1]);
            assert_same(&choice[0], &expected);
            assert_same(&choice[1], &expected);
        }
    hy_choices_release(&alone);
    hy_choices_release(&first);
    hy_choices_release(&second);
}

TEST(should_simulate_nothing_that_is_on_the_board)
{
    const hy_model model = hy_model_default(2);
    const hy_shape shape = shape_of(HY_COLL_ALLREDUCE, 8, 1024);
    const hy_question question = hy_question_of(&(hy_request){.shape = shape}, 0);
    const hy_choice told = some_choice(12345);
    hy_choices choices = {.board = &board};
    hy_choice choice;
    hy_board_answer(taken(&question), &question, &told);
    assert_int_equal(hy_choices_get(&choices, &model, &(hy_request){.shape = shape}, &choice), 0);
    assert_float_equal(choice.ns, 12345, 0.1);
    hy_choices_release(&choices);
}

TEST(should_wait_for_whoever_is_choosing)
{
    const hy_model model = hy_model_default(2);
    const hy_shape shape = shape_of(HY_COLL_ALLREDUCE, 8, 1024);
    const hy_question question = hy_question_of(&(hy_request){.shape = shape}, 0);
    hy_choices choices = {.board = &board, .rank = OTHER};
    hy_choice choice;
    taken(&question);
    assert_code(hy_choices_get(&choices, &model, &(hy_request){.shape = shape}, &choice),
                HAYATE_IN_PROGRESS);
    assert_int_equal(choices.chooser, FIRST);
    choices.board = NULL; /* it is gone */
    assert_int_equal(hy_choices_get(&choices, &model, &(hy_request){.shape = shape}, &choice), 0);
    hy_choices_release(&choices);
}

TEST(should_not_use_an_answer_that_is_impossible)
{
    const hy_model model = hy_model_default(2);
    const hy_shape shape = shape_of(HY_COLL_ALLREDUCE, 8, 1024);
    const hy_question question = hy_question_of(&(hy_request){.shape = shape}, 0);
    hy_choice damaged = some_choice(12345), choice;
    hy_choices choices = {.board = &board};
    damaged.way.transfer = 99;
    hy_board_answer(taken(&question), &question, &damaged);
    assert_int_equal(hy_choices_get(&choices, &model, &(hy_request){.shape = shape}, &choice), 0);
    const hy_choice expected = chosen(&model, &shape, NULL);
    assert_same(&choice, &expected);
    hy_choices_release(&choices);
}

int main(void)
{
    tests_each(clean, NULL);
    return tests_run();
}
