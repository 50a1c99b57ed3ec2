/* SPDX-License-Identifier: Apache-2.0 */
/* Which of the candidates of a search is the best, for choose.c. */
#ifndef HY_CHOOSE_JUDGE_H
#define HY_CHOOSE_JUDGE_H

#include "choose/choose.h"
#include "choose/simulate_engine.h"

typedef struct hy_candidate {
    hy_choice choice;
    int order;    /* in the table */
    double first; /* ns of the first run, 0: not simulated yet */
} hy_candidate;

typedef struct hy_search {
    const hy_model *model;
    hy_shape shape;
    hy_sim_setting setting;
    hy_way hint;
    bool uneven;
    bool forced; /* the algorithm was requested */
    int level;   /* of an algorithm of two levels; -1: the whole */
    hy_sim sim;
    hy_candidate *list;
    int count;
} hy_search;

/* IN or OUT is longer than buffers are prepared by themselves. */
static inline bool hy_search_is_long(const hy_search *s)
{
    uint64_t in = hy_region_bytes(&s->shape, HY_IN), out = hy_region_bytes(&s->shape, HY_OUT);
    return (in > out ? in : out) > HY_PREPARED_MAX;
}

/* Judges all candidates and sorts the list as hy_choose_all() says. NO_MEMORY. */
int hy_judge_all(hy_search *s);

/* Finds the one that hy_judge_all() would put first. NO_MEMORY. */
int hy_judge_best(hy_search *s, hy_candidate **best);

#endif
