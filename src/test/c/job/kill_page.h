/* SPDX-License-Identifier: Apache-2.0 */
/* What job/kill_program and its test share by a file. */
#ifndef HY_TEST_KILL_PAGE_H
#define HY_TEST_KILL_PAGE_H

#include <stdint.h>

#define KILL_RANKS 8

typedef struct kill_page {
    int pids[KILL_RANKS];
    _Atomic uint64_t died_ns[KILL_RANKS];
    _Atomic int arrived[KILL_RANKS]; /* by round */
    _Atomic int wrong;               /* ranks that found something: the first says what */
    char what[300];
    _Atomic int told;     /* ranks, of all rounds */
    _Atomic int survived; /* 1 + rank */
} kill_page;

#endif
