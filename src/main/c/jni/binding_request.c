/* SPDX-License-Identifier: Apache-2.0 */
/* Requests for Java. One thread at a time is inside for each request: io.hayate.Request ensures
 * this. */
#include "io_hayate_internal_bindings_FmplBinding.h"
#include "jni/java_vm.h"
#include "jni/outcome.h"
#include "jni/patience.h"

#include <stdlib.h>

#include "msg/msg.h"

#define BINDING(name) Java_io_hayate_internal_bindings_FmplBinding_##name

JNIEXPORT jlong JNICALL BINDING(test)(JNIEnv *env, jclass type, jlong fmpl, jlong request)
{
    (void)env, (void)type;
    uint64_t length = 0;
    int rc = hy_request_test(hy_pointer(fmpl), (uint64_t)request, &length);
    return hy_outcome(rc, length, (uint64_t)request);
}

JNIEXPORT jlong JNICALL BINDING(await)(JNIEnv *env, jclass type, jlong fmpl, jlong request,
                                       jlong nanos)
{
    (void)env, (void)type;
    hy_limit limit;
    uint64_t length = 0;
    int rc = hy_request_wait_for(hy_pointer(fmpl), (uint64_t)request,
                                 hy_patience_limit(&limit, nanos), &length);
    return hy_outcome(rc, length, (uint64_t)request);
}

JNIEXPORT jint JNICALL BINDING(cancel)(JNIEnv *env, jclass type, jlong fmpl, jlong request)
{
    (void)env, (void)type;
    int cancelled = 0;
    int rc = hy_request_cancel(hy_pointer(fmpl), (uint64_t)request, &cancelled);
    return rc ? rc : cancelled;
}

/* The array is copied, so that no reference into the Java heap is held while the call sleeps. */
JNIEXPORT jint JNICALL BINDING(waitAny)(JNIEnv *env, jclass type, jlong fmpl, jlongArray requests,
                                        jlong nanos, jlongArray outcome)
{
    (void)type;
    hy_limit limit;
    jsize n = (*env)->GetArrayLength(env, requests);
    jlong *copy = malloc((size_t)n * sizeof *copy + 1);
    if (!copy) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to wait for %d requests", (int)n);
    (*env)->GetLongArrayRegion(env, requests, 0, n, copy);
    uint64_t length = 0;
    int index = -1;
    int rc = hy_request_wait_any(hy_pointer(fmpl), n, (const uint64_t *)copy,
                                 hy_patience_limit(&limit, nanos), &index, &length);
    free(copy);
    const jlong result = hy_outcome(rc, length, HAYATE_IN_PROGRESS);
    (*env)->SetLongArrayRegion(env, outcome, 0, 1, &result);
    return index;
}
