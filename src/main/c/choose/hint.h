/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a user requests of a collective, besides its result. Hints have several sources, the
 * stronger first:
 *   1. the environment: HAYATE_COLL_ALLREDUCE (of one collective), then HAYATE_COLL (of all)
 *   2. Java's system properties hayate.coll.allreduce, hayate.coll
 *   3. the rules file: HAYATE_COLL_RULES, else the system property hayate.coll.rules
 *   4. the program, by the API
 * A field that a stronger source leaves open is filled from the next one; what all leave open is
 * chosen by the model. As text: "algorithm=ring transfer=get buffers=prepared sync=counters
 * segment=32K arity=4 choice=measured progress=thread", words separated by blanks or commas; `auto`
 * leaves a field open.
 */
#ifndef HY_CHOOSE_HINT_H
#define HY_CHOOSE_HINT_H

#include "sched/schedule.h"

typedef enum hy_progress_way {
    HY_PROGRESS_AUTO,
    HY_PROGRESS_CALLER,    /* only in start, test and wait of the operation */
    HY_PROGRESS_CALLS,     /* in any call of this process that waits, and in progress() */
    HY_PROGRESS_THREAD,    /* by a thread of the library */
    HY_PROGRESS_DELEGATED, /* by the delegatee of the node */
} hy_progress_way;

/* How what is left open is chosen, of persistent collectives. */
typedef enum hy_choice_by {
    HY_CHOICE_AUTO,
    HY_CHOICE_PREDICTED, /* by the model */
    HY_CHOICE_MEASURED,  /* by timing the candidates that the model puts first */
} hy_choice_by;

typedef struct hy_hint {
    char algorithm[32]; /* "": open */
    hy_way way;
    uint8_t progress; /* hy_progress_way */
    uint8_t choice;   /* hy_choice_by */
} hy_hint;

/* ARGUMENT with what was wrong and what was expected; `where` names the source of the text in the
 * error text ("HAYATE_COLL"). Only the characters of the algorithm's name are checked. */
int hy_hint_parse(const char *text, const char *where, hy_hint *hint);

/* The same for a hint for all collectives (HAYATE_COLL): an algorithm that others have, but this
 * shape has not (hy_hint_means()), is left open. */
int hy_hint_parse_for(const hy_shape *shape, const char *text, const char *where, hy_hint *hint);

/* Writes the fields that are set, except `progress` and `choice`: "algorithm=ring segment=32768";
 * returns like snprintf. */
int hy_hint_text(const hy_hint *hint, char *text, size_t size);

/* Fills the open fields of `hint` from a weaker one. An algorithm and its options belong together:
 * if `hint` names an algorithm, only `progress` and `choice` are taken over. */
void hy_hint_weaken(hy_hint *hint, const hy_hint *weaker);

/* Merges all sources for a shape (bytes: of the shape). property: the text of the system
 * properties for this collective, or NULL; rules: the path from the property of source 3, or
 * NULL; api: may be NULL. ARGUMENT for sources 1, 2 and 4; a damaged rules file is logged once
 * and treated as empty. */
int hy_hint_gather(const hy_shape *shape, const char *property, const char *rules,
                   const hy_hint *api, hy_hint *hint);

/* Whether a hint for several collectives or sizes, not all of which may have its algorithm, applies
 * to this shape: the collective has an algorithm of that name, and if that has two levels, the
 * shape has several nodes. */
bool hy_hint_means(const char *algorithm, const hy_shape *shape);

/* The algorithm of a hint for this collective and size; NULL if it is open. ARGUMENT if there is
 * none of that name or it does not fit, with the names of those that do. */
int hy_hint_algorithm(const hy_hint *hint, const hy_shape *shape, const hy_algorithm **algorithm);

/* Writes the names of a collective's algorithms, such as "linear, ring": those that fit a shape, or
 * all if it is NULL. Returns like snprintf. */
void hy_hint_algorithms(hy_coll coll, const hy_shape *shape, char *text, size_t size);

const char *hy_progress_name(int progress);

#endif
