/* SPDX-License-Identifier: Apache-2.0 */
/* Of a libscalapack with integers of 64 bits, the one function that Hayate asks. */
#include <stdint.h>

int64_t numroc_(const int64_t *n, const int64_t *block, const int64_t *process,
                const int64_t *first, const int64_t *processes);

/* By its definition, row by row. */
int64_t numroc_(const int64_t *n, const int64_t *block, const int64_t *process,
                const int64_t *first, const int64_t *processes)
{
    int64_t rows = 0;
    for (int64_t i = 0; i < *n; i++) rows += (i / *block + *first) % *processes == *process;
    return rows;
}
