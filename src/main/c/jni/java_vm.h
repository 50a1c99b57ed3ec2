/* SPDX-License-Identifier: Apache-2.0 */
/* The virtual machine that loaded this library. One library file is loaded by one class loader. */
#ifndef HY_JNI_JAVA_VM_H
#define HY_JNI_JAVA_VM_H

#include <jni.h>
#include <stdint.h>

/* Environment of the calling thread, which becomes a daemon of the machine if it is none yet. NULL
 * only when the machine is going down. */
JNIEnv *hy_java_env(void);

/* A pointer that Java keeps as a long. */
static inline void *hy_pointer(jlong handle)
{
    return (void *)(intptr_t)handle;
}
static inline jlong hy_handle(const void *pointer)
{
    return (jlong)(intptr_t)pointer;
}

#endif
