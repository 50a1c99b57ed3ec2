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

/* size: any hash of all lengths. */
static inline uint32_t hy_cookie(hy_coll coll, int op, int root, uint32_t size, uint32_t rest)
{
    return (uint32_t)coll << 28 | ((uint32_t)op & 127) << 21 | ((uint32_t)root & 63) << 15 |
           (size & 255) << 7 | (rest & 127);
}

/* Writes how `theirs`, of rank `peer`, differs from `mine`, and what to do. Returns like
 * snprintf. */
int hy_cookie_text(uint32_t mine, uint32_t theirs, int peer, char *text, size_t size);

#endif
