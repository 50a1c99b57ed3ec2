/* SPDX-License-Identifier: Apache-2.0 */
/* What stands in for the BLACS in blacs_bench.c, where two processes carry its matrices otherwise:
 * blacs_messages.c, blacs_limit.c; the process grid of both is that of blacs_pair.c. */
#ifndef BENCH_BLACS_PAIR_H
#define BENCH_BLACS_PAIR_H

#include <stddef.h>

/* Bytes of column j of m rows: of its first ones up to the diagonal if `upper`. */
static inline size_t column(int m, int j, int upper)
{
    return (upper && j + 1 < m ? (size_t)j + 1 : (size_t)m) * sizeof(double);
}

#endif
