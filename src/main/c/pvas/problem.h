/* SPDX-License-Identifier: Apache-2.0 */
/* An error that is noted by code which cannot call hy_fail() (bare.h). Possibly nobody reads it. */
#ifndef HY_PVAS_PROBLEM_H
#define HY_PVAS_PROBLEM_H

#include "pvas/bare.h"

#define HY_PROBLEM_WORDS 4

typedef struct hy_problem {
    int code;  /* HAYATE_ERR_* */
    int error; /* errno; 0: none */
    /* The pieces of the sentence, which belong to the caller; NULL: no more. */
    const char *words[HY_PROBLEM_WORDS];
    uint64_t needed, room; /* bytes of address space, if that is the problem */
} hy_problem;

/* Returns the code. */
HY_BARE_TOO static inline int hy_problem_note(hy_problem *problem, int code, const char *first,
                                              const char *second, const char *third,
                                              const char *fourth)
{
    problem->code = code;
    problem->error = 0;
    problem->needed = problem->room = 0;
    problem->words[0] = first;
    problem->words[1] = second;
    problem->words[2] = third;
    problem->words[3] = fourth;
    return code;
}

/* Notes HAYATE_ERR_SYSTEM for a system call that returned -error. */
int hy_problem_note_error(hy_problem *problem, long error, const char *first, const char *second,
                          const char *third, const char *fourth);

/* Reports the problem with hy_fail(), and sets errno if there is one. Returns the code. Not for
 * bare code. */
int hy_problem_tell(const hy_problem *problem);

#endif
