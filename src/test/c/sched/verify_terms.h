/* SPDX-License-Identifier: Apache-2.0 */
/* What a collective is, told apart from how it is done: what the callers give in IN and OUT, and
 * what they are promised in OUT. */
#ifndef HY_SCHED_VERIFY_TERMS_H
#define HY_SCHED_VERIFY_TERMS_H

#include "sched/verify_memory.h"

typedef struct hy_terms {
    const hy_schedule *all; /* [rank]: with each rank's shape */
    int rank;
    uint32_t run;
    uint64_t grain;
} hy_terms;

/* ARGUMENT unless the shapes of all ranks are one collective, blocks and all. */
int hy_terms_check(const hy_schedule *all, int size);

/* values: a region's, hy_region_bytes() / grain of them. */
void hy_terms_given_in(const hy_terms *t, hy_value *values, uint64_t count);
void hy_terms_given_out(const hy_terms *t, hy_value *values, uint64_t count);
void hy_terms_promised(const hy_terms *t, hy_value *values, uint64_t count);

/* The caller may have a rank's block in its place in OUT (in IN) already: the region that is then
 * only a part of the other one, and where it begins there. HY_NONE: there is no such thing. */
hy_region hy_terms_alias(const hy_schedule *all, int rank, uint64_t *off);

/* What rank sees of owner's region: a peer's uneven blocks from its own one on. */
hy_block hy_terms_view(const hy_schedule *all, int rank, int owner, hy_region region);

#endif
