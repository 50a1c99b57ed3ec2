/* SPDX-License-Identifier: Apache-2.0 */
/* Windows of MPI for Java: spaces of all heaps, on which the calls of OmplBinding work as well.
 * Java has checked the local ranges, and keeps space and memory reachable during the call. */
#include "io_hayate_internal_bindings_WindowBinding.h"

#include <stdlib.h>

#include <hayate/fmpl.h>
#include "jni/direct_buffer.h"
#include "jni/java_vm.h"
#include "ompl/ompl.h"

#define BINDING(name) Java_io_hayate_internal_bindings_WindowBinding_##name
#define NUMBER(name) ((int)(io_hayate_internal_bindings_WindowBinding_##name))

#define SAME(kind) \
    (NUMBER(kind) == FMPL_##kind##_SUM && NUMBER(kind) + NUMBER(PROD) == FMPL_##kind##_PROD && \
     NUMBER(kind) + NUMBER(MAX) == FMPL_##kind##_MAX && \
     NUMBER(kind) + NUMBER(MIN) == FMPL_##kind##_MIN)
#define SAME_LOGICAL(kind, first) \
    ((first) + NUMBER(LAND) == FMPL_##kind##_LAND && (first) + NUMBER(LOR) == FMPL_##kind##_LOR && \
     (first) + NUMBER(LXOR) == FMPL_##kind##_LXOR)
#define SAME_BITS(kind, first) \
    ((first) + NUMBER(BAND) == FMPL_##kind##_BAND && (first) + NUMBER(BOR) == FMPL_##kind##_BOR && \
     (first) + NUMBER(BXOR) == FMPL_##kind##_BXOR)

_Static_assert(SAME(INT) && SAME(LONG) && SAME(FLOAT) && SAME(DOUBLE) && SAME(BYTE) &&
                   SAME(SHORT) && SAME(CHAR),
               "both sides number reductions alike");
_Static_assert(SAME_LOGICAL(INT, NUMBER(INT_BITS)) && SAME_LOGICAL(LONG, NUMBER(LONG_BITS)) &&
                   SAME_LOGICAL(BYTE, NUMBER(BYTE_BITS)) &&
                   SAME_LOGICAL(SHORT, NUMBER(SHORT_BITS)) &&
                   SAME_LOGICAL(CHAR, NUMBER(CHAR_BITS)) && SAME_LOGICAL(BOOLEAN, NUMBER(BOOLEAN)),
               "both sides number logical reductions alike");
_Static_assert(SAME_BITS(INT, NUMBER(INT_BITS)) && SAME_BITS(LONG, NUMBER(LONG_BITS)) &&
                   SAME_BITS(BYTE, NUMBER(BYTE_BITS)) && SAME_BITS(SHORT, NUMBER(SHORT_BITS)) &&
                   SAME_BITS(CHAR, NUMBER(CHAR_BITS)),
               "both sides number reductions of bits alike");
_Static_assert(NUMBER(COMPLEX_FLOAT) == FMPL_COMPLEX_FLOAT_SUM &&
                   NUMBER(COMPLEX_FLOAT) + 1 == FMPL_COMPLEX_FLOAT_PROD &&
                   NUMBER(COMPLEX_DOUBLE) == FMPL_COMPLEX_DOUBLE_SUM &&
                   NUMBER(COMPLEX_DOUBLE) + 1 == FMPL_COMPLEX_DOUBLE_PROD,
               "both sides number reductions of complex numbers alike");

JNIEXPORT jboolean JNICALL BINDING(prepare)(JNIEnv *env, jclass type)
{
    (void)type;
    return hy_direct_buffer_prepare(env);
}

/* Calls wait for a free endpoint: they never return IN_PROGRESS. */
JNIEXPORT jlong JNICALL BINDING(open)(JNIEnv *env, jclass type, jlong handle, jlongArray locks)
{
    (void)type;
    hy_job *job = hy_pointer(handle);
    jlong *offsets = malloc((size_t)job->size * sizeof *offsets);
    hy_ompl *ompl = NULL;
    if (!offsets) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to open a window");
    (*env)->GetLongArrayRegion(env, locks, 0, job->size, offsets);
    int rc = hy_ompl_open_heaps(&ompl, job, (const uint64_t *)offsets);
    free(offsets);
    return rc ? rc : hy_handle(ompl);
}

JNIEXPORT jlong JNICALL BINDING(offset)(JNIEnv *env, jclass type, jlong job, jlong address,
                                        jlong bytes)
{
    (void)env, (void)type;
    return (jlong)hy_job_heap_offset(hy_pointer(job), hy_pointer(address), (uint64_t)bytes);
}

JNIEXPORT jlong JNICALL BINDING(mapped)(JNIEnv *env, jclass type, jlong ompl, jint target, jlong at,
                                        jlong bytes)
{
    (void)env, (void)type;
    const hy_ompl *space = hy_pointer(ompl);
    const hy_ep *ep = hy_job_known_ep(space->job, target);
    if (!ep || hy_ep_is_far(ep) || !hy_ep_contains(ep, (uint64_t)at, (uint64_t)bytes)) return 0;
    return hy_handle(ep->part + at);
}

JNIEXPORT jint JNICALL BINDING(put)(JNIEnv *env, jclass type, jlong ompl, jobject buffer,
                                    jlong offset, jlong bytes, jint target, jlong at)
{
    (void)type;
    const hy_buffer from = hy_direct_buffer(env, buffer, offset);
    return hy_ompl_put(hy_pointer(ompl), &from, target, (uint64_t)at, (uint64_t)bytes);
}

JNIEXPORT jint JNICALL BINDING(get)(JNIEnv *env, jclass type, jlong ompl, jobject buffer,
                                    jlong offset, jlong bytes, jint target, jlong at)
{
    (void)type;
    const hy_buffer to = hy_direct_buffer(env, buffer, offset);
    return hy_ompl_get(hy_pointer(ompl), &to, target, (uint64_t)at, (uint64_t)bytes);
}
