/* SPDX-License-Identifier: Apache-2.0 */
/* Collectives for Java. One thread at a time is inside for each communicator: CommunicatorState of
 * io.hayate.internal.fmpl ensures this, so that none is freed while it is used. */
#include "coll/background.h"
#include "coll/collective.h"
#include "fmpl/fmpl.h"
#include "io_hayate_internal_bindings_FmplBinding.h"
#include "jni/array_buffer.h"
#include "jni/java_blocks.h"
#include "jni/java_vm.h"
#include "jni/patience.h"

static inline hy_comms *hy_comms_of(jlong fmpl)
{
    return ((const hy_fmpl *)hy_pointer(fmpl))->comms;
}

#define BINDING(name) Java_io_hayate_internal_bindings_FmplBinding_##name

#define HBCAST io_hayate_internal_bindings_FmplBinding_HBCAST
_Static_assert(io_hayate_internal_bindings_FmplBinding_BARRIER == HY_COLL_BARRIER &&
                   io_hayate_internal_bindings_FmplBinding_BCAST == HY_COLL_BCAST &&
                   io_hayate_internal_bindings_FmplBinding_REDUCE == HY_COLL_REDUCE &&
                   io_hayate_internal_bindings_FmplBinding_ALLREDUCE == HY_COLL_ALLREDUCE &&
                   HBCAST >= HY_COLL_COUNT,
               "both sides number collectives alike");
_Static_assert(io_hayate_internal_bindings_FmplBinding_IN_PROGRESS == HAYATE_IN_PROGRESS,
               "as in hayate.h");

static hy_collective_call call_of(jint kind, hy_buffer buffer, jlong count, jint op, jint root)
{
    return (hy_collective_call){.coll = kind == HBCAST ? HY_COLL_BCAST : (hy_coll)kind,
                                .buffer = buffer,
                                .count = count,
                                .op = op,
                                .root = root,
                                .shared = kind == HBCAST};
}

JNIEXPORT jint JNICALL BINDING(collective)(JNIEnv *env, jclass type, jlong fmpl, jint comm,
                                           jint kind, jlong address, jlong count, jint op,
                                           jint root, jboolean bounded)
{
    (void)env, (void)type;
    const hy_buffer buffer = {.address = hy_pointer(address)};
    const hy_collective_call call = call_of(kind, buffer, count, op, root);
    return hy_collective(hy_comms_of(fmpl), comm, &call, bounded);
}

JNIEXPORT jint JNICALL BINDING(collectiveArray)(JNIEnv *env, jclass type, jlong fmpl, jint comm,
                                                jint kind, jobject array, jlong start, jlong count,
                                                jint op, jint root, jboolean bounded)
{
    (void)type;
    hy_java_memory memory;
    const hy_buffer buffer = hy_java_buffer(&memory, env, array, start);
    const hy_collective_call call = call_of(kind, buffer, count, op, root);
    return hy_collective(hy_comms_of(fmpl), comm, &call, bounded);
}

#define CONSTANT(name) io_hayate_internal_bindings_FmplBinding_##name
#define CONSTANT_OF_BLOCKS(name) io_hayate_internal_bindings_PcollBinding_##name

static jint two_sided(hy_comms *comms, jint comm, const hy_arguments *call, jint how)
{
    if (how == CONSTANT(START)) return hy_background_start(comms, comm, call);
    return hy_collective_two_sided(comms, comm, call,
                                   how == CONSTANT(PARK) ? comms->spin_limit : 0);
}

JNIEXPORT jint JNICALL BINDING(collectiveTwoSided)(
    JNIEnv *env, jclass type, jlong fmpl, jint comm, jint collective, jobject in_array,
    jlong in_start, jlong in_bytes, jobject out_array, jlong out_start, jlong out_bytes,
    jlong count, jint op, jint root, jlong function, jint which, jlongArray blocks, jint how)
{
    (void)type;
    hy_java_memory in, out;
    hy_arguments call = {.coll = (hy_coll)collective,
                         .in = hy_java_buffer(&in, env, in_array, in_start),
                         .out = hy_java_buffer(&out, env, out_array, out_start),
                         .in_limit = in_bytes,
                         .out_limit = out_bytes,
                         .count = count,
                         .op = op,
                         .root = root,
                         .context = hy_pointer(function),
                         .apart = (which & CONSTANT_OF_BLOCKS(APART)) != 0,
                         .uneven = (which & CONSTANT_OF_BLOCKS(UNEVEN)) != 0};
    const int64_t **const places[HY_JAVA_BLOCKS] = {
        &call.in_sizes, &call.in_offsets, &call.out_sizes, &call.out_offsets, &call.in_counts};
    if (!blocks) return two_sided(hy_comms_of(fmpl), comm, &call, how);
    jlong *numbers = (*env)->GetLongArrayElements(env, blocks, NULL);
    if (!numbers) return HAYATE_ERR_NO_MEMORY; /* an OutOfMemoryError is pending */
    hy_java_blocks(places, which, numbers, (*env)->GetArrayLength(env, blocks));
    int rc = two_sided(hy_comms_of(fmpl), comm, &call, how);
    (*env)->ReleaseLongArrayElements(env, blocks, numbers, JNI_ABORT);
    return rc;
}

JNIEXPORT jint JNICALL BINDING(collectiveTest)(JNIEnv *env, jclass type, jlong fmpl, jint comm,
                                               jboolean interrupted)
{
    (void)env, (void)type;
    return hy_collective_test(hy_comms_of(fmpl), comm, interrupted);
}

JNIEXPORT jint JNICALL BINDING(startedTest)(JNIEnv *env, jclass type, jlong fmpl, jint comm)
{
    (void)env, (void)type;
    return hy_background_wait(hy_comms_of(fmpl), comm, 1, NULL);
}

JNIEXPORT jint JNICALL BINDING(startedAwait)(JNIEnv *env, jclass type, jlong fmpl, jint comm,
                                             jlong nanos)
{
    (void)env, (void)type;
    hy_limit limit;
    return hy_background_wait(hy_comms_of(fmpl), comm, 0, hy_patience_limit(&limit, nanos));
}
