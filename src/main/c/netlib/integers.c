/* SPDX-License-Identifier: Apache-2.0 */
/* Recognises callers with integers of 64 bits by what they do with known numbers. Most arguments
 * tell nothing: on a little-endian machine the lower half of a number has its value. */
#include "netlib/integers.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#define ADVICE "compile the program and libscalapack with integers of 32 bits (LP64)"

typedef int numroc(const void *n, const void *block, const void *process, const void *first,
                   const void *processes);

/* Of 10 rows in blocks of 3, process 0 of 2 owns 6. With a one in the upper half of the size of a
 * block, a routine that reads 64 bits finds one block of all 10. */
static int rows_of_first(numroc *function)
{
    static const int64_t rows = 10, block = 3 | INT64_C(1) << 32, zero = 0, two = 2;
    return function(&rows, &block, &zero, &zero, &two);
}

/* The library may be loaded after the first call: it is looked for until it is found. */
void hy_netlib_check_integers(hy_routine routine)
{
    static _Atomic int checked;
    numroc *function;
    Dl_info info;
    if (atomic_load_explicit(&checked, memory_order_relaxed)) return;
    void *symbol = dlsym(RTLD_DEFAULT, "numroc_");
    if (!symbol) return;
    memcpy(&function, &symbol, sizeof function);
    int rows = rows_of_first(function);
    if (rows != 6)
        hy_netlib_refuse(routine,
                         "%s was probably compiled with integers of 64 bits (ILP64): its numroc of "
                         "10 rows in blocks of 3 on 2 processes is %d, expected 6; " ADVICE,
                         dladdr(symbol, &info) && info.dli_fname ? info.dli_fname : "libscalapack",
                         rows);
    atomic_store_explicit(&checked, 1, memory_order_relaxed);
}

/* The processes of a map are distinct, so at most one is 0. */
void hy_netlib_check_map(hy_routine routine, const int *map, int ldm, int m, int n)
{
    if (!map) return;
    int words = ldm == m && n > 0 && m <= INT32_MAX / n ? m * n : m;
    for (int i = 1; i < words; i += 2)
        if (map[i] != 0) return;
    if (words >= 4)
        hy_netlib_refuse(routine,
                         "Every second number of the map is 0: the caller was probably compiled "
                         "with integers of 64 bits; " ADVICE);
}
