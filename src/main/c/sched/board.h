/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The choices of the ranks of a node, in memory that they share. A simulation of many ranks takes
 * long, and all ranks need its result at once, on the same cores: the first that asks simulates,
 * and the others wait for its answer. As all ranks of a job choose alike, a rank may always choose
 * by itself, and does so if the board is full, or its answer does not come in time.
 *
 *    rank that is first                        another
 *    CAS state: 0 -> digest | TAKEN            state: digest | TAKEN
 *    chooses                                   waits
 *    writes question and answer
 *    state = digest | ANSWERED (release)       reads state (acquire), question, answer
 *    rings
 *
 * If no answer comes, perhaps because that rank has died, the state becomes digest | UNANSWERED,
 * and nobody waits any more. Question and answer are written once. Memory of zeros is an empty
 * board.
 */
#ifndef HY_SCHED_BOARD_H
#define HY_SCHED_BOARD_H

#include "base/wait.h"
#include "sched/choose.h"
#include "sched/question.h"

#define HY_BOARD_ENTRIES 128

typedef struct hy_board_entry {
    HY_ALIGNED _Atomic uint64_t state; /* the last two bits tell what the rest is of */
    hy_question question;
    hy_choice choice;                   /* with NULL for each algorithm */
    uint16_t algorithms[1 + HY_LEVELS]; /* hy_algorithm_number(): of the choice, of its parts */
} hy_board_entry;

typedef struct hy_board {
    HY_ALIGNED hy_bell bell; /* of all who wait for an answer */
    hy_board_entry entries[HY_BOARD_ENTRIES];
} hy_board;

_Static_assert(sizeof(hy_board_entry) == 3 * HY_LINE, "three lines");

/* True: *choice is the answer, which the caller checks like anything in shared memory. False: the
 * caller chooses, and passes *mine, which may be NULL, to hy_board_answer(). Waits for as long as
 * another rank may need (seconds for hundreds of ranks), 10 seconds at most. */
bool hy_board_ask(hy_board *board, const hy_question *question, hy_choice *choice,
                  hy_board_entry **mine);

/* choice NULL: there is none, and each rank finds the reason by itself. */
void hy_board_answer(hy_board *board, hy_board_entry *mine, const hy_question *question,
                     const hy_choice *choice);

#endif
