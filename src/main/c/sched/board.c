/* SPDX-License-Identifier: Apache-2.0 */
/* The shared choices: who answers, who waits, and choices without pointers. */
#include "sched/board.h"

#include "base/clock.h"

enum { TAKEN = 1, ANSWERED = 2, UNANSWERED = 3, STATES = 3 };

#define PATIENCE_NS UINT64_C(10000000000)
#define PROBES 16 /* entries at which a question may be */

/* ---- answers ---- */

/* Where a choice has pointers, which differ from process to process. */
static const hy_algorithm **algorithm_in(hy_choice *choice, int i)
{
    return i ? &choice->way.parts[i - 1].algorithm : &choice->algorithm;
}

static void write_answer(hy_board_entry *entry, const hy_choice *choice)
{
    entry->choice = *choice;
    for (int i = 0; i <= HY_LEVELS; i++) {
        const hy_algorithm **algorithm = algorithm_in(&entry->choice, i);
        entry->algorithms[i] = hy_algorithm_number(*algorithm);
        *algorithm = NULL;
    }
}

static bool read_answer(const hy_board_entry *entry, const hy_question *question, hy_choice *choice)
{
    if (!hy_question_is(&entry->question, question)) return false;
    *choice = entry->choice;
    for (int i = 0; i <= HY_LEVELS; i++)
        *algorithm_in(choice, i) = hy_algorithm_numbered(entry->algorithms[i]);
    return choice->algorithm && (uint8_t)choice->algorithm->coll == question->coll;
}

/* ---- the board ---- */

/* The entry that is taken for the question, perhaps just now; NULL: there is no room. */
static hy_board_entry *entry_for(hy_board *board, uint64_t digest, bool *first)
{
    *first = false;
    for (uint32_t i = 0; i < PROBES; i++) {
        hy_board_entry *entry = &board->entries[((digest >> 40) + i) % HY_BOARD_ENTRIES];
        uint64_t state = hy_load_acquire(&entry->state);
        if (!state) *first = atomic_compare_exchange_strong(&entry->state, &state, digest | TAKEN);
        if (*first || (state & ~(uint64_t)STATES) == digest) return entry;
    }
    return NULL;
}

static uint64_t await_answer(hy_board *board, hy_board_entry *entry)
{
    const hy_wait_policy policy = {.spins = 1000, .yields = 16};
    hy_wait wait = hy_wait_begin(&policy, &board->bell);
    uint64_t give_up = hy_now_ns() + PATIENCE_NS, state;
    while (((state = hy_load_acquire(&entry->state)) & STATES) == TAKEN && hy_now_ns() < give_up)
        hy_wait_once(&wait);
    hy_wait_end(&wait);
    /* Once is enough to wait for a rank that may have died. */
    if ((state & STATES) == TAKEN)
        atomic_compare_exchange_strong(&entry->state, &state,
                                       (state & ~(uint64_t)STATES) | UNANSWERED);
    return state & STATES;
}

bool hy_board_ask(hy_board *board, const hy_question *question, hy_choice *choice,
                  hy_board_entry **mine)
{
    bool first;
    uint64_t digest = hy_question_hash(question) & ~(uint64_t)STATES;
    hy_board_entry *entry = entry_for(board, digest, &first);
    *mine = first ? entry : NULL;
    if (!entry || first) return false;
    return await_answer(board, entry) == ANSWERED && read_answer(entry, question, choice);
}

void hy_board_answer(hy_board *board, hy_board_entry *mine, const hy_question *question,
                     const hy_choice *choice)
{
    if (!mine) return;
    uint64_t digest = hy_load_relaxed(&mine->state) & ~(uint64_t)STATES;
    mine->question = *question;
    if (choice) write_answer(mine, choice);
    hy_store_release(&mine->state, digest | (choice ? ANSWERED : UNANSWERED));
    hy_bell_ring(&board->bell);
}
