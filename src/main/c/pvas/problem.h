/* SPDX-License-Identifier: Apache-2.0 */
/* What went wrong, noted by code that cannot say it with hy_fail(), see bare.h: nobody may be there
 * to read it. */
#ifndef HY_PVAS_PROBLEM_H
#define HY_PVAS_PROBLEM_H

#include "pvas/bare.h"

#define HY_PROBLEM_WORDS 4

typedef struct hy_problem {
    int code;  /* HAYATE_ERR_* */
    int error; /* errno; 0: none */
    /* The sentence in pieces, which are the caller's; NULL: no more. */
    const char *words[HY_PROBLEM_WORDS];
    uint64_t needed, room; /* bytes of addresses, where that is the matter */
} hy_problem;

/* Gives the code back. */
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

/* HAYATE_ERR_SYSTEM, about a system call that gave -error. */
int hy_problem_note_error(hy_problem *problem, long error, const char *first, const char *second,
                          const char *third, const char *fourth);

/* With hy_fail(), and errno set where there is one. Gives the code back. Not for bare code. */
int hy_problem_tell(const hy_problem *problem);

#endif
