/* SPDX-License-Identifier: Apache-2.0 */
/* The global space for Java: set-up by JNA, everything else by JNI. Java has checked the local
 * ranges, and keeps the space, the memory and the array reachable during the call. */
#include "io_hayate_internal_bindings_OmplBinding.h"

#include <stdlib.h>

#include "jni/array_buffer.h"
#include "jni/java_vm.h"

#include "ompl/ompl.h"

#define BINDING(name) Java_io_hayate_internal_bindings_OmplBinding_##name

/* Returns the address of the space, or an error code. */
HAYATE_API int64_t hayate_binding_ompl_open(hy_job *job, int64_t bytes, int endpoints)
{
    hy_ompl *ompl = NULL;
    if (bytes < 0)
        return hy_fail(HAYATE_ERR_ARGUMENT, "global space of %lld bytes: expected at least 1",
                       (long long)bytes);
    int rc = hy_ompl_open(&ompl, job, (uint64_t)bytes, endpoints);
    if (rc) return rc;
    ompl->endpoints->comes_back = true; /* virtual threads must not block their carrier threads */
    return (int64_t)(intptr_t)ompl;
}

HAYATE_API int hayate_binding_ompl_endpoints(const hy_ompl *ompl)
{
    return ompl->endpoints->count;
}

HAYATE_API void hayate_binding_ompl_close(hy_ompl *ompl)
{
    hy_ompl_close(ompl);
}

/* Called only when no thread can be inside any more, and before its job is freed. */
HAYATE_API void hayate_binding_ompl_free(hy_ompl *ompl)
{
    hy_ompl_free(ompl);
}

HAYATE_API int64_t hayate_binding_ompl_memory(const hy_ompl *ompl)
{
    return (int64_t)(intptr_t)ompl->memory;
}

/* An odd handle means that the caller is a virtual thread. */
static inline hy_ompl *space_of(jlong handle)
{
    hy_endpoint_run.is_virtual = handle & 1;
    return hy_pointer(handle & ~(jlong)1);
}

static inline hy_buffer native_buffer(jlong address)
{
    return (hy_buffer){.address = hy_pointer(address)};
}

/* ---- data ---- */

JNIEXPORT jint JNICALL BINDING(put)(JNIEnv *env, jclass type, jlong ompl, jlong address, jlong size,
                                    jint target, jlong at)
{
    (void)env, (void)type;
    const hy_buffer from = native_buffer(address);
    return hy_ompl_put(space_of(ompl), &from, target, (uint64_t)at, (uint64_t)size);
}

JNIEXPORT jint JNICALL BINDING(get)(JNIEnv *env, jclass type, jlong ompl, jlong address, jlong size,
                                    jint target, jlong at)
{
    (void)env, (void)type;
    const hy_buffer to = native_buffer(address);
    return hy_ompl_get(space_of(ompl), &to, target, (uint64_t)at, (uint64_t)size);
}

JNIEXPORT jint JNICALL BINDING(putArray)(JNIEnv *env, jclass type, jlong ompl, jobject array,
                                         jlong start, jlong size, jint target, jlong at)
{
    (void)type;
    hy_array range = hy_array_of(env, array, start);
    const hy_buffer from = hy_array_buffer(&range);
    return hy_ompl_put(space_of(ompl), &from, target, (uint64_t)at, (uint64_t)size);
}

JNIEXPORT jint JNICALL BINDING(getArray)(JNIEnv *env, jclass type, jlong ompl, jobject array,
                                         jlong start, jlong size, jint target, jlong at)
{
    (void)type;
    hy_array range = hy_array_of(env, array, start);
    const hy_buffer to = hy_array_buffer(&range);
    return hy_ompl_get(space_of(ompl), &to, target, (uint64_t)at, (uint64_t)size);
}

JNIEXPORT jboolean JNICALL BINDING(isFar)(JNIEnv *env, jclass type, jlong ompl, jint target)
{
    (void)env, (void)type;
    const hy_ompl *space = space_of(ompl);
    return !hy_ompl_check(space, target, 0, 0, 1) && hy_job_is_far(space->job, target);
}

JNIEXPORT jint JNICALL BINDING(putStart)(JNIEnv *env, jclass type, jlong ompl, jlong address,
                                         jlong size, jint target, jlong at)
{
    (void)env, (void)type;
    const hy_buffer from = native_buffer(address);
    return hy_ompl_put_start(space_of(ompl), &from, target, (uint64_t)at, (uint64_t)size);
}

JNIEXPORT jint JNICALL BINDING(getStart)(JNIEnv *env, jclass type, jlong ompl, jlong address,
                                         jlong size, jint target, jlong at)
{
    (void)env, (void)type;
    const hy_buffer to = native_buffer(address);
    return hy_ompl_get_start(space_of(ompl), &to, target, (uint64_t)at, (uint64_t)size);
}

JNIEXPORT jint JNICALL BINDING(flush)(JNIEnv *env, jclass type, jlong ompl, jint target)
{
    (void)env, (void)type;
    return hy_ompl_flush(space_of(ompl), target);
}

/* ---- vectors ---- */

/* Three numbers per piece: start, bytes, offset at the target. `array` is that of the last
 * piece. */
typedef struct java_pieces {
    hy_pieces pieces;
    JNIEnv *env;
    jobjectArray arrays; /* NULL: all pieces are in native memory */
    jlong *numbers;
    hy_array array;
} java_pieces;

static hy_piece java_piece_at(const hy_pieces *pieces, size_t index)
{
    java_pieces *all = (java_pieces *)(uintptr_t)pieces;
    const jlong *numbers = &all->numbers[3 * index];
    JNIEnv *env = all->env;
    hy_piece piece = {native_buffer(numbers[0]), (uint64_t)numbers[2], (uint64_t)numbers[1]};
    if (!all->arrays) return piece;
    if (all->array.array) (*env)->DeleteLocalRef(env, all->array.array);
    all->array = hy_array_of(env, (*env)->GetObjectArrayElement(env, all->arrays, (jsize)index),
                             numbers[0]);
    if (all->array.array) piece.local = hy_array_buffer(&all->array);
    return piece;
}

JNIEXPORT jint JNICALL BINDING(vector)(JNIEnv *env, jclass type, jlong ompl, jboolean gets,
                                       jint target, jobjectArray arrays, jlongArray numbers)
{
    (void)type;
    jsize length = (*env)->GetArrayLength(env, numbers);
    jlong few[96], *all = length <= 96 ? few : malloc((size_t)length * sizeof *all);
    if (!all) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for %d pieces", (int)length / 3);
    (*env)->GetLongArrayRegion(env, numbers, 0, length, all);
    java_pieces list = {{java_piece_at, (size_t)length / 3}, env, arrays, all, {0}};
    int rc = gets ? hy_ompl_get_vector(space_of(ompl), target, &list.pieces)
                  : hy_ompl_put_vector(space_of(ompl), target, &list.pieces);
    if (list.array.array) (*env)->DeleteLocalRef(env, list.array.array);
    if (all != few) free(all);
    return rc;
}

/* ---- flags ---- */

JNIEXPORT jint JNICALL BINDING(putFlag)(JNIEnv *env, jclass type, jlong ompl, jint target, jlong at,
                                        jlong value, jlong first, jlong second, jlong third)
{
    (void)env, (void)type;
    const hy_flag flag = {(uint64_t)value, {(uint64_t)first, (uint64_t)second, (uint64_t)third}};
    return hy_ompl_put_flag(space_of(ompl), target, (uint64_t)at, &flag);
}

JNIEXPORT jint JNICALL BINDING(putSignal)(JNIEnv *env, jclass type, jlong ompl, jlong address,
                                          jlong size, jint target, jlong at, jlong flag_at,
                                          jlong value)
{
    (void)env, (void)type;
    const hy_buffer from = native_buffer(address);
    const hy_flag flag = {(uint64_t)value, {0, 0, 0}};
    return hy_ompl_put_signal(space_of(ompl), &from, target, (uint64_t)at, (uint64_t)size,
                              (uint64_t)flag_at, &flag);
}

JNIEXPORT jint JNICALL BINDING(putSignalArray)(JNIEnv *env, jclass type, jlong ompl, jobject array,
                                               jlong start, jlong size, jint target, jlong at,
                                               jlong flag_at, jlong value)
{
    (void)type;
    hy_array range = hy_array_of(env, array, start);
    const hy_buffer from = hy_array_buffer(&range);
    const hy_flag flag = {(uint64_t)value, {0, 0, 0}};
    return hy_ompl_put_signal(space_of(ompl), &from, target, (uint64_t)at, (uint64_t)size,
                              (uint64_t)flag_at, &flag);
}

JNIEXPORT jint JNICALL BINDING(clear)(JNIEnv *env, jclass type, jlong ompl, jlong at)
{
    (void)env, (void)type;
    return hy_ompl_clear(space_of(ompl), (uint64_t)at);
}

JNIEXPORT jint JNICALL BINDING(watch)(JNIEnv *env, jclass type, jlong ompl, jlong at,
                                      jint comparison, jlong value, jlong timeout_us,
                                      jboolean ignore, jint polls)
{
    (void)env, (void)type;
    uint64_t seen;
    const hy_watch watch = {.at = (uint64_t)at,
                            .value = (uint64_t)value,
                            .comparison = (ompl_comparison_t)comparison,
                            .how = ignore ? OMPL_IGNORE_FAILURES : 0,
                            .timeout_us = timeout_us,
                            .polls = (uint32_t)polls};
    return hy_ompl_watch(space_of(ompl), &watch, &seen);
}

/* ---- atomics: any 64-bit value can be a result ---- */

static _Thread_local jint failure;

/* FAILED can also be a valid, but rare, result: therefore Java then asks for the error. */
static jlong answer(int rc, uint64_t value)
{
    if (hy_likely(rc == HAYATE_OK &&
                  (jlong)value != io_hayate_internal_bindings_OmplBinding_FAILED))
        return (jlong)value;
    failure = rc;
    return io_hayate_internal_bindings_OmplBinding_FAILED;
}

JNIEXPORT jint JNICALL BINDING(failure)(JNIEnv *env, jclass type)
{
    (void)env, (void)type;
    return failure;
}

JNIEXPORT jlong JNICALL BINDING(atomic)(JNIEnv *env, jclass type, jlong ompl, jint target, jlong at,
                                        jint what, jlong operand, jlong expected)
{
    (void)env, (void)type;
    uint64_t before = 0;
    int rc = hy_ompl_atomic(space_of(ompl), target, (uint64_t)at, (hy_atomic)what,
                            (uint64_t)operand, (uint64_t)expected, &before);
    return answer(rc, before);
}

JNIEXPORT jlong JNICALL BINDING(load)(JNIEnv *env, jclass type, jlong ompl, jlong at)
{
    (void)env, (void)type;
    uint64_t seen = 0;
    const hy_watch watch = {.at = (uint64_t)at, .comparison = OMPL_GE};
    int rc = hy_ompl_watch(space_of(ompl), &watch, &seen);
    return answer(rc, seen);
}

/* ---- accumulates ---- */

/* NULL: there is none. */
static const hy_buffer *buffer_if(const hy_buffer *buffer)
{
    return buffer->managed || buffer->address ? buffer : NULL;
}

JNIEXPORT jint JNICALL BINDING(accumulate)(JNIEnv *env, jclass type, jlong ompl, jobject array,
                                           jlong start, jobject before_array, jlong before_start,
                                           jlong size, jint target, jlong at, jint op)
{
    (void)type;
    hy_array range = hy_array_of(env, array, start);
    hy_array before_range = hy_array_of(env, before_array, before_start);
    const hy_buffer from = hy_array_or_native(&range), old = hy_array_or_native(&before_range);
    if (op == io_hayate_internal_bindings_OmplBinding_NO_REDUCTION)
        return hy_ompl_exchange(space_of(ompl), buffer_if(&from), buffer_if(&old), target,
                                (uint64_t)at, (uint64_t)size);
    return hy_ompl_accumulate(space_of(ompl), &from, buffer_if(&old), target, (uint64_t)at,
                              (uint64_t)size, op);
}

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "an element begins a long");

JNIEXPORT jlong JNICALL BINDING(element)(JNIEnv *env, jclass type, jlong ompl, jint target,
                                         jlong at, jint op, jint size, jlong operand,
                                         jlong expected)
{
    (void)env, (void)type;
    uint64_t before = 0;
    const hy_buffer from = {.address = (uint8_t *)&operand}, old = {.address = (uint8_t *)&before};
    int rc = op == io_hayate_internal_bindings_OmplBinding_NO_REDUCTION
                 ? hy_ompl_compare_and_swap(space_of(ompl), target, (uint64_t)at, (uint32_t)size,
                                            &expected, &operand, &before)
                 : hy_ompl_accumulate(space_of(ompl), &from, &old, target, (uint64_t)at,
                                      (uint64_t)size, op);
    return answer(rc, before);
}
