/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the Java thread that waits in C was interrupted. */
#include "io_hayate_internal_natives_InterruptBinding.h"
#include "jni/java_vm.h"
#include "jni/patience.h"

#define BINDING(name) Java_io_hayate_internal_natives_InterruptBinding_##name

static jweak bridge; /* does not keep the class loader alive */
static jmethodID is_interrupted;

JNIEXPORT void JNICALL BINDING(setUp)(JNIEnv *env, jclass type)
{
    bridge = (*env)->NewWeakGlobalRef(env, type);
    is_interrupted = (*env)->GetStaticMethodID(env, type, "isInterrupted", "()Z");
}

bool hy_patience_again(void *context)
{
    (void)context;
    JNIEnv *env = hy_java_env();
    if (!env || (*env)->ExceptionCheck(env)) return true; /* what is pending ends the call */
    jclass type = (*env)->NewLocalRef(env, bridge);
    if (!type) return true;
    bool interrupted = (*env)->CallStaticBooleanMethod(env, type, is_interrupted);
    bool failed = (*env)->ExceptionCheck(env);
    if (failed) (*env)->ExceptionClear(env);
    (*env)->DeleteLocalRef(env, type);
    return failed || !interrupted;
}
