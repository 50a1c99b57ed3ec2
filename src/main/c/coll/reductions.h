/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions: the predefined ones of each type, and the user's functions. */
#ifndef HY_COLL_REDUCTIONS_H
#define HY_COLL_REDUCTIONS_H

#include <hayate/fmpl.h>
#include <stdbool.h>

#include "exec/exec.h"

typedef struct hy_reduction {
    hy_reduce apply; /* NULL: this entry is free */
    void *context;
    uint32_t unit;    /* bytes of an element */
    uint32_t align;   /* alignment of an element, a power of two */
    hy_normal normal; /* NULL: each element is a possible result */
} hy_reduction;

#define HY_USER_REDUCTIONS 64

/* Indexed by FMPL_INT_SUM ... */
extern const hy_reduction hy_reductions[FMPL_OP_COUNT];

#endif
