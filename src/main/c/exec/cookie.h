/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cookie in each message of a collective: what the members must pass alike, in 32 bits. Each
 * argument has bits of its own, so that members that disagree can say in which; the rest is a hash
 * of all of them. Lengths are compared in addition, by the messages themselves.
 *
 *   collective 4 | reduction 7 | root 6 | size 8 | rest 7
 */
#ifndef HY_EXEC_COOKIE_H
#define HY_EXEC_COOKIE_H

#include "sched/schedule.h"

/* The collective of cookies that set up something: their other bits tell what. */
#define HY_COOKIE_SETUP UINT32_C(0xf0000000)
_Static_assert(HY_COLL_COUNT < 15, "a collective has 4 bits");

/* size: any hash of all lengths; where members know only their own blocks, the number of the
 * call. */
static inline uint32_t hy_cookie(hy_coll coll, int op, int root, uint32_t size, uint32_t rest)
{
    return (uint32_t)coll << 28 | ((uint32_t)op & 127) << 21 | ((uint32_t)root & 63) << 15 |
           (size & 255) << 7 | (rest & 127);
}

/* By how many calls theirs is ahead, where cookies have their number. */
static inline int hy_cookie_ahead(uint32_t mine, uint32_t theirs)
{
    return (int8_t)((theirs >> 7) - (mine >> 7));
}

/* Whether they differ in lengths or their rest at most. */
static inline bool hy_cookie_agrees_but_for_size(uint32_t mine, uint32_t theirs)
{
    return (mine ^ theirs) >> 15 == 0;
}

/* Writes how `theirs`, of rank `peer`, differs from `mine`, and what to do. uneven: sizes are those
 * of blocks of unequal length. Returns like snprintf. */
int hy_cookie_text(uint32_t mine, uint32_t theirs, bool uneven, int peer, char *text, size_t size);

#endif
