/* SPDX-License-Identifier: Apache-2.0 */
/* The table of earlier choices: open addressing, at most three quarters full. */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "sched/choose.h"

#define FIRST_CAPACITY 32
#define LEAST_ELEMENTS 8

typedef struct question {
    hy_shape shape; /* rank and root are 0, and it is even */
    bool uneven, outside;
    const hy_algorithm *algorithm;
    hy_way way;
} question;

typedef struct hy_choices_entry {
    bool used;
    question question;
    hy_choice choice;
} hy_choices_entry;

static question question_of(const hy_shape *shape, bool uneven, bool outside,
                            const hy_algorithm *algorithm, const hy_way *way)
{
    question q = {.shape = *shape, .uneven = uneven, .outside = outside, .algorithm = algorithm};
    q.shape.rank = q.shape.root = 0;
    if (way) q.way = *way;
    return q;
}

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

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static uint64_t hash_of(const question *q)
{
    const hy_shape *s = &q->shape;
    uint64_t hash = mix((uint64_t)s->coll, (uint64_t)s->size);
    hash = mix(mix(hash, s->bytes), s->unit);
    hash = mix(hash, (uint64_t)(uintptr_t)q->algorithm);
    hash = mix(hash, (uint64_t)s->wired | (uint64_t)q->uneven << 1 | (uint64_t)q->outside << 2);
    hash = mix(mix(hash, s->boxes), q->way.segment);
    return mix(hash, (uint64_t)q->way.transfer | (uint64_t)q->way.buffers << 8 |
                         (uint64_t)q->way.sync << 16 | (uint64_t)q->way.arity << 24);
}

static bool same(const question *a, const question *b)
{
    const hy_shape *s = &a->shape, *t = &b->shape;
    const hy_way *v = &a->way, *w = &b->way;
    return s->coll == t->coll && s->size == t->size && s->nodes == t->nodes &&
           s->bytes == t->bytes && s->unit == t->unit && s->wired == t->wired &&
           s->boxes == t->boxes && a->uneven == b->uneven && a->outside == b->outside &&
           a->algorithm == b->algorithm && v->transfer == w->transfer && v->buffers == w->buffers &&
           v->sync == w->sync && v->arity == w->arity && v->segment == w->segment;
}

static hy_choices_entry *choices_place_of(hy_choices_entry *entries, uint32_t capacity,
                                          const question *q)
{
    uint32_t i = (uint32_t)(hash_of(q) >> 16) & (capacity - 1);
    while (entries[i].used && !same(&entries[i].question, q)) i = (i + 1) & (capacity - 1);
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

static int answer(hy_choices *choices, const hy_model *model, const question *q, hy_choice *choice)
{
    int rc = hy_choices_room(choices);
    if (rc) return rc;
    hy_choices_entry *entry = choices_place_of(choices->entries, choices->capacity, q);
    if (!entry->used) {
        rc = hy_choose(model, &q->shape, q->uneven, q->outside, q->algorithm, &q->way,
                       &entry->choice);
        if (rc) return rc;
        entry->question = *q;
        entry->used = true;
        choices->count++;
    }
    *choice = entry->choice;
    return HAYATE_OK;
}

/* The choice for the rounded shape may be impossible for the shape itself, for example with fewer
 * elements than ranks. */
static bool possible(const question *q, const hy_choice *choice)
{
    hy_way way = choice->way;
    if (choice->algorithm->traits & HY_TRAIT_PARTS)
        return choice->algorithm->applies(&q->shape) &&
               hy_way_complete(choice->algorithm, &q->shape, &way) == HAYATE_OK;
    return choice->algorithm->applies(&q->shape) &&
           (hy_way_bit(&choice->way) & hy_way_possible(choice->algorithm, &q->shape));
}

int hy_choices_get(hy_choices *choices, const hy_model *model, const hy_shape *shape, bool uneven,
                   bool outside, const hy_algorithm *algorithm, const hy_way *way,
                   hy_choice *choice)
{
    int rc = hy_shape_check(shape);
    if (rc) return rc;
    question exact = question_of(shape, uneven, outside, algorithm, way), near = exact;
    near.shape.bytes = rounded(shape);
    rc = answer(choices, model, &near, choice);
    if (!rc && possible(&exact, choice)) return HAYATE_OK;
    if (rc && rc != HAYATE_ERR_ARGUMENT) return rc;
    return answer(choices, model, &exact, choice);
}

/* ---- choices of others ---- */

void hy_choices_keep(hy_choices *choices, const hy_shape *shape, bool outside, const hy_way *way,
                     const hy_algorithm *algorithm, const hy_choice *choice)
{
    question q = question_of(shape, false, outside, algorithm, way);
    q.shape.bytes = rounded(shape);
    hy_choices_entry *entry = choices_place_of(choices->entries, choices->capacity, &q);
    if (!entry->used) choices->count++;
    *entry = (hy_choices_entry){.used = true, .question = q, .choice = *choice};
}

bool hy_choices_kept(const hy_choices *choices, const hy_shape *shape, bool outside,
                     const hy_way *way, const hy_algorithm *algorithm, hy_choice *choice)
{
    question q = question_of(shape, false, outside, algorithm, way);
    q.shape.bytes = rounded(shape);
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
