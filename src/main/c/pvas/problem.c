/* SPDX-License-Identifier: Apache-2.0 */
/* Turns a noted problem into the text of hy_fail(). */
#include "pvas/problem.h"

#include <errno.h>
#include <stdio.h>

#include "base/status.h"

HY_BARE_TOO int hy_problem_note_error(hy_problem *problem, long error, const char *first,
                                      const char *second, const char *third, const char *fourth)
{
    hy_problem_note(problem, HAYATE_ERR_SYSTEM, first, second, third, fourth);
    problem->error = (int)-error;
    return HAYATE_ERR_SYSTEM;
}

int hy_problem_tell(const hy_problem *problem)
{
    char text[512];
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < HY_PROBLEM_WORDS && problem->words[i] && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s", problem->words[i]);
    if (problem->needed)
        return hy_fail(problem->code, "%s: it needs %llu MiB, but there is room for %llu MiB only",
                       text, (unsigned long long)(problem->needed >> 20),
                       (unsigned long long)(problem->room >> 20));
    if (!problem->error) return hy_fail(problem->code, "%s", text);
    errno = problem->error;
    return hy_fail_errno("%s", text);
}
