/* SPDX-License-Identifier: Apache-2.0 */
/* What a program finds on its stack when it starts: arguments, environment, auxiliary vector. */
#ifndef HY_PVAS_STACK_H
#define HY_PVAS_STACK_H

#include "pvas/problem.h"

#define HY_INHERITED_MAX 12

/* What a task has of the spawner's auxiliary vector: what that says of the machine. */
typedef struct hy_inherited {
    uint64_t words[2 * HY_INHERITED_MAX]; /* types and values */
    uint32_t count;                       /* of words */
    uint32_t secure;                      /* not 0: the environment is not to be trusted */
    uint8_t random[16];                   /* where the kernel has no better yet */
} hy_inherited;

/* Not for bare code. */
void hy_stack_inherit(hy_inherited *inherited);

typedef struct hy_stack_contents {
    const char *const *front; /* words in front of the arguments, from the #! of scripts */
    int front_count;
    const char *script; /* stands for the first argument then; else NULL */
    char *const *arguments, *const *environment;
    const char *name;                                   /* AT_EXECFN */
    uint64_t headers, header_count, entry, interpreter; /* AT_PHDR, PHNUM, ENTRY, BASE */
    uint64_t task;                                      /* HY_AT_TASK */
    const hy_inherited *inherited;
} hy_stack_contents;

/* Writes it below `top` of a stack of `bytes`; *start is the stack pointer to begin with. SYSTEM
 * (E2BIG): more than a quarter of the stack. */
HY_BARE_TOO int hy_stack_build(const hy_stack_contents *contents, uint64_t top, uint64_t bytes,
                               uint64_t *start, hy_problem *problem);

/* Whether these fit, with `more` bytes of other texts: to be asked while there is a way back. */
HY_BARE_TOO bool hy_stack_fits(char *const *arguments, char *const *environment, uint64_t more,
                               uint64_t bytes);

#endif
