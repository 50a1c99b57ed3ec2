/* SPDX-License-Identifier: Apache-2.0 */
/* Loaded into tasks by LD_PRELOAD and dlopen. */
#include <stdlib.h>

static _Thread_local int calls = 4000;

/* Stands before that of the C library when preloaded. */
__attribute__((visibility("default"))) int rand(void)
{
    return ++calls;
}

__attribute__((visibility("default"))) int *library_calls(void)
{
    return &calls;
}
