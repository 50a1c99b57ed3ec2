/* SPDX-License-Identifier: Apache-2.0 */
/* User functions written in Java. C keeps only a number for each function: the object stays with
 * Java, so that no reference from here keeps it or its class loader alive. */
#include "coll/comm.h"
#include "fmpl/fmpl.h"
#include "io_hayate_internal_bindings_ReducerBinding.h"
#include "jni/java_vm.h"

static inline hy_comms *hy_comms_of(jlong fmpl)
{
    return ((const hy_fmpl *)hy_pointer(fmpl))->comms;
}

#define BINDING(name) Java_io_hayate_internal_bindings_ReducerBinding_##name

static jweak bridge;
static jmethodID reduce;

/* Java keeps what the function throws, so no exception is pending on return, unless there was not
 * even the stack or the memory to catch it; the collective continues in any case. */
static void call_java(void *inout, const void *in, size_t count, void *context)
{
    JNIEnv *env = hy_java_env();
    jclass type = env ? (*env)->NewLocalRef(env, bridge) : NULL;
    if (!type) return;
    (*env)->CallStaticVoidMethod(env, type, reduce, hy_handle(context), hy_handle(inout),
                                 hy_handle(in), (jlong)count);
    if ((*env)->ExceptionCheck(env)) (*env)->ExceptionClear(env);
    (*env)->DeleteLocalRef(env, type);
}

/* Called by the static initialiser of the class, before any other use. */
JNIEXPORT void JNICALL BINDING(setUp)(JNIEnv *env, jclass type)
{
    bridge = (*env)->NewWeakGlobalRef(env, type);
    reduce = (*env)->GetStaticMethodID(env, type, "reduce", "(JJJJ)V");
}

JNIEXPORT jint JNICALL BINDING(create)(JNIEnv *env, jclass type, jlong fmpl, jint element_bytes,
                                       jlong number)
{
    (void)env, (void)type;
    int op = 0;
    int rc = hy_function_create(hy_comms_of(fmpl), call_java, (size_t)element_bytes,
                                hy_pointer(number), &op);
    return rc ? rc : op;
}

JNIEXPORT jint JNICALL BINDING(free)(JNIEnv *env, jclass type, jlong fmpl, jint op)
{
    (void)env, (void)type;
    return hy_function_free(hy_comms_of(fmpl), op, NULL);
}
