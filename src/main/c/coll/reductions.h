/* SPDX-License-Identifier: Apache-2.0 */
/* The predefined reductions v{sum,max,min} and the user's own. */
#ifndef HY_COLL_REDUCTIONS_H
#define HY_COLL_REDUCTIONS_H

#include <hayate/fmpl.h>
#include <stdbool.h>

#include "exec/exec.h"

typedef struct hy_reduction {
    hy_reduce apply; /* NULL: free */
    void *context;
    uint32_t unit;  /* bytes of an element */
    uint32_t align; /* of an element */
} hy_reduction;

#define HY_USER_REDUCTIONS 64

/* Indexed by fmpl_isum ... */
extern const hy_reduction hy_reductions[FMPL_OP_COUNT];

#endif
