/* SPDX-License-Identifier: Apache-2.0 */
/* Lets an allocation fail. */
#ifndef HY_TEST_SCARCE_FIXTURE_H
#define HY_TEST_SCARCE_FIXTURE_H

#include <stdlib.h>

/* Of this thread: so many calls later, aligned_alloc() finds no memory; 0: never. */
static _Thread_local int scarce;

/* Replaces that of the C library. */
void *aligned_alloc(size_t align, size_t bytes)
{
    void *memory = NULL;
    if (scarce && --scarce == 0) return NULL;
    return posix_memalign(&memory, align, bytes) ? NULL : memory;
}

#endif
