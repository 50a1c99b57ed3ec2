/* SPDX-License-Identifier: Apache-2.0 */
/* Attaches threads of the library to the virtual machine, and detaches them when they end. */
#include "jni/java_vm.h"

#include <pthread.h>

#include "base/foreign.h"

static JavaVM *machine;
static pthread_key_t attached; /* set in threads that were attached here */

/* A thread must detach before it ends: otherwise the virtual machine would still access its
 * stack. */
static void detach(void *vm)
{
    (*(JavaVM *)vm)->DetachCurrentThread(vm);
}

static bool enter(void)
{
    return hy_java_env() != NULL;
}

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved)
{
    (void)reserved;
    machine = vm;
    hy_foreign_enter = enter;
    return pthread_key_create(&attached, detach) ? JNI_ERR : JNI_VERSION_10;
}

JNIEXPORT void JNICALL JNI_OnUnload(JavaVM *vm, void *reserved)
{
    (void)vm, (void)reserved;
    pthread_key_delete(attached);
}

JNIEnv *hy_java_env(void)
{
    void *env = NULL;
    if ((*machine)->GetEnv(machine, &env, JNI_VERSION_10) == JNI_OK) return env;
    if ((*machine)->AttachCurrentThreadAsDaemon(machine, &env, NULL) != JNI_OK) return NULL;
    pthread_setspecific(attached, machine);
    return env;
}
