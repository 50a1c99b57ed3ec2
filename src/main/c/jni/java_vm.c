/* SPDX-License-Identifier: Apache-2.0 */
#include "jni/java_vm.h"

static JavaVM *machine;

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved)
{
    (void)reserved;
    machine = vm;
    return JNI_VERSION_10;
}

JNIEnv *hy_java_env(void)
{
    void *env = NULL;
    if ((*machine)->GetEnv(machine, &env, JNI_VERSION_10) != JNI_OK &&
        (*machine)->AttachCurrentThreadAsDaemon(machine, &env, NULL) != JNI_OK)
        return NULL;
    return env;
}
