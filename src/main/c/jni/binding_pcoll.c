/* SPDX-License-Identifier: Apache-2.0 */
/* Persistent collectives for Java. One thread at a time is inside an operation, and none uses it
 * after free: io.hayate.PersistentOperation ensures this. */
#include "fmpl/fmpl.h"
#include "io_hayate_internal_bindings_PcollBinding.h"
#include "jni/array_buffer.h"
#include "jni/java_blocks.h"
#include "jni/java_vm.h"
#include "jni/patience.h"
#include "pcoll/pcoll.h"

#define BINDING(name) Java_io_hayate_internal_bindings_PcollBinding_##name
#define CONSTANT(name) io_hayate_internal_bindings_PcollBinding_##name

_Static_assert(CONSTANT(BARRIER) == HY_COLL_BARRIER && CONSTANT(BCAST) == HY_COLL_BCAST &&
                   CONSTANT(REDUCE) == HY_COLL_REDUCE && CONSTANT(ALLREDUCE) == HY_COLL_ALLREDUCE &&
                   CONSTANT(GATHER) == HY_COLL_GATHER && CONSTANT(SCATTER) == HY_COLL_SCATTER &&
                   CONSTANT(ALLGATHER) == HY_COLL_ALLGATHER &&
                   CONSTANT(ALLTOALL) == HY_COLL_ALLTOALL &&
                   CONSTANT(REDUCE_SCATTER) == HY_COLL_REDUCE_SCATTER &&
                   CONSTANT(SCAN) == HY_COLL_SCAN && CONSTANT(EXSCAN) == HY_COLL_EXSCAN,
               "both sides number collectives alike");

static inline hy_comms *hy_comms_of(jlong fmpl)
{
    return ((const hy_fmpl *)hy_pointer(fmpl))->comms;
}

/* What Java lends for the duration of the call. */
typedef struct lent {
    jlong *blocks;
    const char *options, *property, *rules;
} lent;

/* False: there is no memory for it, and an OutOfMemoryError is pending. */
static bool borrow_text(JNIEnv *env, jstring text, const char **chars)
{
    *chars = text ? (*env)->GetStringUTFChars(env, text, NULL) : NULL;
    return *chars || !text;
}

static void return_text(JNIEnv *env, jstring text, const char *chars)
{
    if (chars) (*env)->ReleaseStringUTFChars(env, text, chars);
}

static void set_blocks(hy_arguments *call, jint which, const jlong *blocks, jsize length)
{
    const int64_t **const places[HY_JAVA_BLOCKS] = {
        &call->in_sizes, &call->in_offsets, &call->out_sizes, &call->out_offsets, &call->in_counts};
    hy_java_blocks(places, which, blocks, length);
}

JNIEXPORT jlong JNICALL BINDING(init)(JNIEnv *env, jclass type, jlong fmpl, jint comm,
                                      jint collective, jobject in_array, jlong in_start,
                                      jlong in_bytes, jobject out_array, jlong out_start,
                                      jlong out_bytes, jlong count, jint op, jint root,
                                      jlong function, jint which, jlongArray blocks,
                                      jstring options, jstring property, jstring rules)
{
    (void)type;
    hy_java_memory in, out;
    lent lent = {.blocks = (*env)->GetLongArrayElements(env, blocks, NULL)};
    bool complete = lent.blocks && borrow_text(env, options, &lent.options) &&
                    borrow_text(env, property, &lent.property) &&
                    borrow_text(env, rules, &lent.rules);
    hy_pcoll_call call = {.arguments = {.coll = (hy_coll)collective,
                                        .in = hy_java_buffer(&in, env, in_array, in_start),
                                        .out = hy_java_buffer(&out, env, out_array, out_start),
                                        .in_limit = in_bytes,
                                        .out_limit = out_bytes,
                                        .count = count,
                                        .op = op,
                                        .root = root,
                                        .context = hy_pointer(function),
                                        .apart = (which & CONSTANT(APART)) != 0,
                                        .uneven = (which & CONSTANT(UNEVEN)) != 0},
                          .options = lent.options,
                          .property = lent.property,
                          .rules = lent.rules};
    hy_pcoll *operation = NULL;
    int rc = HAYATE_ERR_NO_MEMORY; /* an OutOfMemoryError is pending */
    if (complete) {
        set_blocks(&call.arguments, which, lent.blocks, (*env)->GetArrayLength(env, blocks));
        rc = hy_pcoll_init(hy_comms_of(fmpl), comm, &call, &operation);
    }
    if (lent.blocks) (*env)->ReleaseLongArrayElements(env, blocks, lent.blocks, JNI_ABORT);
    return_text(env, options, lent.options);
    return_text(env, property, lent.property);
    return_text(env, rules, lent.rules);
    return rc ? rc : hy_handle(operation);
}

JNIEXPORT jstring JNICALL BINDING(describe)(JNIEnv *env, jclass type, jlong operation)
{
    (void)type;
    return (*env)->NewStringUTF(env, hy_pcoll_describe(hy_pointer(operation)));
}

JNIEXPORT jint JNICALL BINDING(start)(JNIEnv *env, jclass type, jlong operation)
{
    (void)env, (void)type;
    return hy_pcoll_run(hy_pointer(operation));
}

JNIEXPORT jint JNICALL BINDING(test)(JNIEnv *env, jclass type, jlong operation)
{
    (void)env, (void)type;
    return hy_pcoll_test(hy_pointer(operation));
}

JNIEXPORT jint JNICALL BINDING(await)(JNIEnv *env, jclass type, jlong operation, jlong nanos)
{
    (void)env, (void)type;
    hy_limit limit;
    return hy_pcoll_wait_for(hy_pointer(operation), hy_patience_limit(&limit, nanos));
}

JNIEXPORT jint JNICALL BINDING(awaitBounded)(JNIEnv *env, jclass type, jlong operation)
{
    (void)env, (void)type;
    return hy_pcoll_wait(hy_pointer(operation), true);
}

JNIEXPORT jint JNICALL BINDING(free)(JNIEnv *env, jclass type, jlong operation)
{
    (void)env, (void)type;
    return hy_pcoll_free(hy_pointer(operation));
}

JNIEXPORT void JNICALL BINDING(progress)(JNIEnv *env, jclass type, jlong fmpl)
{
    (void)env, (void)type;
    hy_pcoll_progress(hy_comms_of(fmpl));
}
