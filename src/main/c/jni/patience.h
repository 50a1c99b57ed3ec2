/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long a native call of a Java thread waits: for a number of nanoseconds, or until the thread
 * is interrupted. In a long wait C asks Java about that now and then: if the call returned instead,
 * its operation would become a request, which slows other threads of the rank.
 */
#ifndef HY_JNI_PATIENCE_H
#define HY_JNI_PATIENCE_H

#include <jni.h>

#include "job/await.h"

/* How soon an interrupt ends a wait. */
#define HY_PATIENCE_TURN_NS UINT64_C(50000000)

/* Whether the calling thread was not interrupted, or there is no stack or memory to ask it. */
bool hy_patience_again(void *context);

/* A wait until the thread is interrupted. */
static const hy_limit hy_until_interrupt = {.ns = HY_PATIENCE_TURN_NS, .again = hy_patience_again};

/* nanos: 0: for ever (NULL); below 0: until the thread is interrupted. `limit` is for others. */
static inline const hy_limit *hy_patience_limit(hy_limit *limit, jlong nanos)
{
    if (nanos == 0) return NULL;
    if (nanos < 0) return &hy_until_interrupt;
    *limit = (hy_limit){.ns = (uint64_t)nanos};
    return limit;
}

#endif
