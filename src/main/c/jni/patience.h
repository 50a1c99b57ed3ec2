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

typedef struct hy_patience {
    JNIEnv *env;
    jclass type; /* FmplBinding */
    hy_limit limit;
} hy_patience;

/* How soon an interrupt ends a wait. */
#define HY_PATIENCE_TURN_NS UINT64_C(50000000)

static inline bool hy_patience_again(void *context)
{
    const hy_patience *p = context;
    JNIEnv *env = p->env;
    jmethodID method = (*env)->GetStaticMethodID(env, p->type, "waitsOn", "()Z");
    bool on = method && (*env)->CallStaticBooleanMethod(env, p->type, method);
    if (!(*env)->ExceptionCheck(env)) return on;
    (*env)->ExceptionClear(env); /* no stack or memory to ask: later */
    return true;
}

/* A wait until the thread is interrupted. */
static inline hy_limit hy_patience_until_interrupt(hy_patience *p, JNIEnv *env, jclass type)
{
    p->env = env;
    p->type = type;
    return (hy_limit){.ns = HY_PATIENCE_TURN_NS, .again = hy_patience_again, .context = p};
}

/* nanos: 0: for ever (NULL); below 0: until the thread is interrupted. */
static inline const hy_limit *hy_patience_limit(hy_patience *p, JNIEnv *env, jclass type,
                                                jlong nanos)
{
    if (nanos == 0) return NULL;
    p->limit = nanos < 0 ? hy_patience_until_interrupt(p, env, type)
                         : (hy_limit){.ns = (uint64_t)nanos};
    return &p->limit;
}

#endif
