/* SPDX-License-Identifier: Apache-2.0 */
/* The table of earlier choices: open addressing, at most three quarters full. */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "choose/board.h"

#define FIRST_CAPACITY 32
#define LEAST_ELEMENTS 8

typedef struct hy_choices_entry {
    bool used;
    hy_question question;
    hy_choice choice;
} hy_choices_entry;

/* 8, 16, 32 ... elements; unchanged if that cannot be addressed. */
static uint64_t rounded(const hy_shape *shape)
{
    uint64_t bytes = (uint64_t)LEAST_ELEMENTS * shape->unit;
    uint64_t most = (uint64_t)INT64_MAX / (uint64_t)shape->size;
    if (shape->bytes == 0 || shape->coll == HY_COLL_BARRIER) return 0;
    while (bytes < shape->bytes && bytes <= most / 2) bytes *= 2;
    return bytes < shape->bytes || bytes > most ? shape->bytes : bytes;
}

/* ---- the table ---- */

static hy_choices_entry *choices_place_of(hy_choices_entry *entries, uint32_t capacity,
                                          const hy_question *q)
{
    uint32_t i = (uint32_t)(hy_question_hash(q) >> 16) & (capacity - 1);
    while (entries[i].used && !hy_question_is(&entries[i].question, q))
        i = (i + 1) & (capacity - 1);
    return &entries[i];
}

int hy_choices_room(hy_choices *choices)
{
    if (choices->capacity && choices->count < choices->capacity / 4 * 3) return HAYATE_OK;
    uint32_t capacity = choices->capacity ? choices->capacity * 2 : FIRST_CAPACITY;
    hy_choices_entry *entries = calloc(capacity, sizeof *entries);
    if (!entries) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to remember a choice");
    for (uint32_t i = 0; i < choices->capacity; i++) {
        const hy_choices_entry *old = &choices->entries[i];
        if (old->used) *choices_place_of(entries, capacity, &old->question) = *old;
    }
    free(choices->entries);
    choices->entries = entries;
    choices->capacity = capacity;
    return HAYATE_OK;
}

/* ---- asking ---- */

/* All ranks, and all roots, ask the same. */
static hy_request for_all(const hy_request *request)
{
    hy_request r = *request;
    r.shape.rank = r.shape.root = 0;
    return r;
}

static hy_request about(const hy_request *request)
{
    hy_request r = *request;
    r.shape.bytes = rounded(&r.shape);
    return r;
}

/* The choice for the rounded shape may be impossible for the shape itself, for example with fewer
 * elements than ranks. */
static bool possible(const hy_request *r, const hy_choice *choice)
{
    const hy_algorithm *algorithm = choice->algorithm;
    hy_way way = choice->way;
    return algorithm->applies(&r->shape) && (!r->uneven || algorithm->traits & HY_TRAIT_UNEVEN) &&
           hy_way_complete(algorithm, &r->shape, &way) == HAYATE_OK;
}

static int choose_together(hy_choices *choices, const hy_model *model, const hy_request *r,
                           const hy_question *question, hy_choice *choice)
{
    hy_board_entry *entry;
    hy_board_reply reply = hy_board_ask(choices->board, question, choices->rank, &entry);
    if (reply == HY_BOARD_WAIT) {
        choices->chooser = hy_board_chooser(entry);
        return HAYATE_IN_PROGRESS;
    }
    if (reply == HY_BOARD_READ && hy_board_read(entry, question, choice) && possible(r, choice))
        return HAYATE_OK;
    int rc = hy_choose(model, r, choice);
    if (reply == HY_BOARD_TAKEN) {
        hy_board_answer(entry, question, rc ? NULL : choice);
        choices->answered = true;
    }
    return rc;
}

static int answer(hy_choices *choices, const hy_model *model, const hy_request *r,
                  hy_choice *choice)
{
    const hy_question question = hy_question_of(r, choices->model);
    int rc = hy_choices_room(choices);
    if (rc) return rc;
    hy_choices_entry *entry = choices_place_of(choices->entries, choices->capacity, &question);
    if (!entry->used) {
        rc = choices->board ? choose_together(choices, model, r, &question, &entry->choice)
                            : hy_choose(model, r, &entry->choice);
        if (rc) return rc;
        entry->question = question;
        entry->used = true;
        choices->count++;
    }
    *choice = entry->choice;
    return HAYATE_OK;
}

int hy_choices_get(hy_choices *choices, const hy_model *model, const hy_request *request,
                   hy_choice *choice)
{
    int rc = hy_shape_check(&request->shape);
    if (rc) return rc;
    const hy_request exact = for_all(request), near = about(&exact);
    rc = answer(choices, model, &near, choice);
    if (!rc && possible(&exact, choice)) return HAYATE_OK;
    if (rc && rc != HAYATE_ERR_ARGUMENT) return rc;
    return answer(choices, model, &exact, choice);
}

/* ---- choices of others ---- */

static hy_question question_about(const hy_request *request)
{
    hy_request r = for_all(request);
    r.uneven = false;
    r = about(&r);
    return hy_question_of(&r, 0);
}

void hy_choices_keep(hy_choices *choices, const hy_request *request, const hy_choice *choice)
{
    const hy_question q = question_about(request);
    hy_choices_entry *entry = choices_place_of(choices->entries, choices->capacity, &q);
    if (!entry->used) choices->count++;
    *entry = (hy_choices_entry){.used = true, .question = q, .choice = *choice};
}

bool hy_choices_kept(const hy_choices *choices, const hy_request *request, hy_choice *choice)
{
    const hy_question q = question_about(request);
    if (!choices->capacity) return false;
    const hy_choices_entry *entry = choices_place_of(choices->entries, choices->capacity, &q);
    if (entry->used) *choice = entry->choice;
    return entry->used;
}

void hy_choices_release(hy_choices *choices)
{
    free(choices->entries);
    memset(choices, 0, sizeof *choices);
}
