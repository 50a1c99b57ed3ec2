/* SPDX-License-Identifier: Apache-2.0 */
/* The initial stack of a program: arguments, environment, auxiliary vector. */
#ifndef HY_PVAS_STACK_H
#define HY_PVAS_STACK_H

#include "pvas/problem.h"

#define HY_INHERITED_MAX 12

/* The entries of the spawner's auxiliary vector that describe the machine. */
typedef struct hy_inherited {
    uint64_t words[2 * HY_INHERITED_MAX]; /* types and values */
    uint32_t count;                       /* number of words */
    uint32_t secure;                      /* not 0: the environment is not trusted */
    uint8_t random[16];                   /* used if the kernel provides nothing better yet */
} hy_inherited;

/* Not for bare code. */
void hy_stack_inherit(hy_inherited *inherited);

typedef struct hy_stack_contents {
    const char *const *front; /* words in front of the arguments, from the #! lines of scripts */
    int front_count;
    const char *script; /* replaces the first argument if there are such words; else NULL */
    char *const *arguments, *const *environment;
    const char *name;                                   /* AT_EXECFN */
    uint64_t headers, header_count, entry, interpreter; /* AT_PHDR, PHNUM, ENTRY, BASE */
    uint64_t task;                                      /* HY_AT_TASK */
    const hy_inherited *inherited;
} hy_stack_contents;

/* Writes the contents below `top` of a stack of `bytes`; *start is the initial stack pointer.
 * SYSTEM (E2BIG): they need more than a quarter of the stack. */
HY_BARE_TOO int hy_stack_build(const hy_stack_contents *contents, uint64_t top, uint64_t bytes,
                               uint64_t *start, hy_problem *problem);

/* Whether these fit, together with `more` bytes of other texts. Asked while an error can still be
 * returned. */
HY_BARE_TOO bool hy_stack_fits(char *const *arguments, char *const *environment, uint64_t more,
                               uint64_t bytes);

#endif
