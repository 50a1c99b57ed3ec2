/* SPDX-License-Identifier: Apache-2.0 */
/* The thread that wakes virtual threads sleeps here, on the bell of its rank. */
#include <stdlib.h>

#include "io_hayate_internal_bindings_BellBinding.h"
#include "jni/java_vm.h"
#include "job/job.h"

#define BINDING(name) Java_io_hayate_internal_bindings_BellBinding_##name

typedef struct hy_waker {
    hy_wait_policy policy; /* neither spins nor yields */
    hy_wait wait;
} hy_waker;

JNIEXPORT jlong JNICALL BINDING(open)(JNIEnv *env, jclass type, jlong job)
{
    (void)env, (void)type;
    hy_waker *waker = malloc(sizeof *waker);
    if (!waker) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for the waker of virtual threads");
    const hy_job *of = hy_pointer(job);
    waker->policy = (hy_wait_policy){.limit = of->policy.limit};
    waker->wait = hy_wait_begin(&waker->policy, of->bell);
    return hy_handle(waker);
}

/* The first turn only announces the sleeper: the caller must test its conditions once more before
 * the next turn, which sleeps until the bell rings, or for a limited time. */
JNIEXPORT void JNICALL BINDING(turn)(JNIEnv *env, jclass type, jlong waker)
{
    (void)env, (void)type;
    hy_wait_slow(&((hy_waker *)hy_pointer(waker))->wait);
}

JNIEXPORT void JNICALL BINDING(rest)(JNIEnv *env, jclass type, jlong waker)
{
    (void)env, (void)type;
    hy_wait_end(&((hy_waker *)hy_pointer(waker))->wait);
}

JNIEXPORT void JNICALL BINDING(close)(JNIEnv *env, jclass type, jlong waker)
{
    (void)env, (void)type;
    free(hy_pointer(waker));
}
