/* SPDX-License-Identifier: Apache-2.0 */
/* The shared choices: who answers, and choices without pointers. */
#include "choose/board.h"

enum { TAKEN = 1, ANSWERED = 2, UNANSWERED = 3, STATES = 3 };

#define RANK_SHIFT 2
#define DIGEST_SHIFT 22
#define PROBES 16 /* entries at which a question may be */

_Static_assert(HY_BOARD_RANKS == 1 << (DIGEST_SHIFT - RANK_SHIFT), "a rank fits");

static uint64_t digest_in(uint64_t state)
{
    return state >> DIGEST_SHIFT;
}

/* Where a choice has pointers, which differ from process to process. */
static const hy_algorithm **algorithm_in(hy_choice *choice, int i)
{
    return i ? &choice->way.parts[i - 1].algorithm : &choice->algorithm;
}

static hy_board_reply reply_of(uint64_t state)
{
    static const hy_board_reply replies[] = {
        [TAKEN] = HY_BOARD_WAIT, [ANSWERED] = HY_BOARD_READ, [UNANSWERED] = HY_BOARD_ALONE};
    return replies[state & STATES];
}

hy_board_reply hy_board_ask(hy_board *board, const hy_question *question, uint32_t rank,
                            hy_board_entry **result)
{
    uint64_t digest = digest_in(hy_question_hash(question)),
             taken = digest << DIGEST_SHIFT | (uint64_t)rank << RANK_SHIFT | TAKEN;
    for (uint32_t i = 0; i < PROBES; i++) {
        hy_board_entry *entry = &board->entries[((digest >> 18) + i) % HY_BOARD_ENTRIES];
        uint64_t state = hy_load_acquire(&entry->state);
        *result = entry;
        if (!state && atomic_compare_exchange_strong(&entry->state, &state, taken))
            return HY_BOARD_TAKEN;
        if (digest_in(state) == digest) return reply_of(state);
    }
    return HY_BOARD_ALONE;
}

uint32_t hy_board_chooser(const hy_board_entry *entry)
{
    return (uint32_t)(hy_load_relaxed(&entry->state) >> RANK_SHIFT) % HY_BOARD_RANKS;
}

bool hy_board_read(const hy_board_entry *entry, const hy_question *question, hy_choice *choice)
{
    if (!hy_question_is(&entry->question, question)) return false;
    *choice = entry->choice;
    for (int i = 0; i <= HY_LEVELS; i++)
        *algorithm_in(choice, i) = hy_algorithm_numbered(entry->algorithms[i]);
    return choice->algorithm && (uint8_t)choice->algorithm->coll == question->coll;
}

static void write_choice(hy_board_entry *entry, const hy_choice *choice)
{
    entry->choice = *choice;
    for (int i = 0; i <= HY_LEVELS; i++) {
        const hy_algorithm **algorithm = algorithm_in(&entry->choice, i);
        entry->algorithms[i] = hy_algorithm_number(*algorithm);
        *algorithm = NULL;
    }
}

void hy_board_answer(hy_board_entry *entry, const hy_question *question, const hy_choice *choice)
{
    uint64_t taken = hy_load_relaxed(&entry->state) & ~(uint64_t)STATES;
    entry->question = *question;
    if (choice) write_choice(entry, choice);
    hy_store_release(&entry->state, taken | (choice ? ANSWERED : UNANSWERED));
}
