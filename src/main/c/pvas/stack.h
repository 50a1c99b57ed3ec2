/* SPDX-License-Identifier: Apache-2.0 */
/* What a program finds on its stack when it starts: arguments, environment, auxiliary vector. */
#ifndef HY_PVAS_STACK_H
#define HY_PVAS_STACK_H

#include <stdint.h>

typedef struct hy_stack_contents {
    const char *const *front; /* words in front of the arguments, from the #! of scripts */
    int front_count;
    const char *script; /* stands for the first argument then; else NULL */
    char *const *arguments, *const *environment;
    const char *name;                                   /* AT_EXECFN */
    uint64_t headers, header_count, entry, interpreter; /* AT_PHDR, PHNUM, ENTRY, BASE */
    uint64_t task;                                      /* HY_AT_TASK */
} hy_stack_contents;

/* Writes it below `top` of a stack of `bytes`; *start is the stack pointer to begin with. SYSTEM
 * (E2BIG): more than a quarter of the stack. */
int hy_stack_build(const hy_stack_contents *contents, uint64_t top, uint64_t bytes,
                   uint64_t *start);

#endif
