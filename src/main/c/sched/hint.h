/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What somebody wants of a collective, beside its result. Hints come from several places, the
 * stronger first:
 *   1. the environment: HAYATE_COLL_ALLREDUCE (of one collective), then HAYATE_COLL (of all)
 *   2. Java's system properties hayate.coll.allreduce, hayate.coll
 *   3. the rules file: HAYATE_COLL_RULES, else the system property hayate.coll.rules
 *   4. the program, by the API
 * A field that a stronger one leaves open is filled by the next one; what all leave open is chosen
 * by the model. As text: "algorithm=ring transfer=get buffers=prepared sync=counters segment=32K
 * arity=4 progress=thread", words separated by blanks or commas; `auto` leaves a field open.
 */
#ifndef HY_SCHED_HINT_H
#define HY_SCHED_HINT_H

#include "sched/schedule.h"

typedef enum hy_progress_way {
    HY_PROGRESS_AUTO,
    HY_PROGRESS_CALLER, /* at start, test and wait of the operation only */
    HY_PROGRESS_CALLS,  /* in any call of this process that waits, and progress() */
    HY_PROGRESS_THREAD, /* by a thread of the library */
} hy_progress_way;

typedef struct hy_hint {
    char algorithm[32]; /* "": open */
    hy_way way;
    uint8_t progress; /* hy_progress_way */
} hy_hint;

/* ARGUMENT with what was wrong and what is possible; `where` says whose text it is, for the
 * message ("HAYATE_COLL"). The algorithm's name is checked for characters only. */
int hy_hint_parse(const char *text, const char *where, hy_hint *hint);

/* "algorithm=ring segment=32768": the fields that are set, except `progress`; as snprintf. */
int hy_hint_text(const hy_hint *hint, char *text, size_t size);

/* Fills what `hint` leaves open from a weaker one. An algorithm and what was asked for it belong
 * together: when `hint` names an algorithm, only `progress` is taken over. */
void hy_hint_weaken(hy_hint *hint, const hy_hint *weaker);

/* All places together for a shape (bytes: of the shape). property: the system properties' text for
 * this collective, or NULL; rules: the path of 3 from the property, or NULL; api: may be NULL.
 * ARGUMENT for 1, 2 and 4; a damaged rules file is logged once and counts as empty. */
int hy_hint_gather(const hy_shape *shape, const char *property, const char *rules,
                   const hy_hint *api, hy_hint *hint);

/* A hint for several collectives or sizes, which not all can have, is meant for this one: it has an
 * algorithm of that name, and if that is of two levels it is on several nodes. */
bool hy_hint_means(const char *algorithm, const hy_shape *shape);

/* The algorithm of a hint for this collective and size, NULL for an open one. ARGUMENT when there
 * is none of that name, or it does not fit: names those that would. */
int hy_hint_algorithm(const hy_hint *hint, const hy_shape *shape, const hy_algorithm **algorithm);

/* "linear, ring": the algorithms of a collective, as snprintf; those that fit a shape, or all when
 * it is NULL. */
void hy_hint_algorithms(hy_coll coll, const hy_shape *shape, char *text, size_t size);

const char *hy_progress_name(int progress);

#endif
