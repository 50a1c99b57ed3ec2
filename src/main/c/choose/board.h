/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The choices of the ranks of a node, in memory that they share. A simulation of many ranks takes
 * long, and all ranks need its result at once, on the same cores: the first that asks simulates,
 * and the others wait for its answer. As all ranks of a job choose alike, a rank may always choose
 * by itself, and does so if the board is full, or if the rank that chooses is gone.
 *
 *    rank that is first                        another
 *    CAS state: 0 -> digest | rank | TAKEN     state: digest | rank | TAKEN
 *    chooses                                   waits, and looks after that rank
 *    writes question and answer
 *    state = .. | ANSWERED (release)           reads state (acquire), question, answer
 *
 * Question and answer are written once. Memory of zeros is an empty board. It has no bell: who
 * answers rings those of the ranks (coll/choosing.c).
 */
#ifndef HY_CHOOSE_BOARD_H
#define HY_CHOOSE_BOARD_H

#include "base/line.h"
#include "choose/choose.h"
#include "choose/question.h"

#define HY_BOARD_ENTRIES 128
#define HY_BOARD_RANKS (1 << 20) /* ranks are below it */

typedef struct hy_board_entry {
    HY_ALIGNED _Atomic uint64_t state; /* 42 bits of the digest, 20 of the rank, 2 of a state */
    hy_question question;
    hy_choice choice;                   /* with NULL for each algorithm */
    uint16_t algorithms[1 + HY_LEVELS]; /* hy_algorithm_number(): of the choice, of its parts */
} hy_board_entry;

typedef struct hy_board {
    hy_board_entry entries[HY_BOARD_ENTRIES];
} hy_board;

_Static_assert(sizeof(hy_board_entry) == 3 * HY_LINE, "three lines");

typedef enum hy_board_reply {
    HY_BOARD_ALONE, /* no room, or no answer: the caller chooses for itself */
    HY_BOARD_TAKEN, /* the caller chooses for all, and calls hy_board_answer() */
    HY_BOARD_WAIT,  /* hy_board_chooser() chooses: ask again */
    HY_BOARD_READ,  /* it is answered: hy_board_read() */
} hy_board_reply;

/* Never blocks. *entry: not for ALONE. */
hy_board_reply hy_board_ask(hy_board *board, const hy_question *question, uint32_t rank,
                            hy_board_entry **entry);

uint32_t hy_board_chooser(const hy_board_entry *entry);

/* False: the answer is of another question with the same digest, or damaged. What is in the choice
 * is still to be checked like anything in shared memory. */
bool hy_board_read(const hy_board_entry *entry, const hy_question *question, hy_choice *choice);

/* choice NULL: there is none, and each rank finds the reason by itself. */
void hy_board_answer(hy_board_entry *entry, const hy_question *question, const hy_choice *choice);

#endif
