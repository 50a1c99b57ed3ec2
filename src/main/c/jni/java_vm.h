/* SPDX-License-Identifier: Apache-2.0 */
/* The Java virtual machine that loaded this library. One class loader loads one library file. */
#ifndef HY_JNI_JAVA_VM_H
#define HY_JNI_JAVA_VM_H

#include <jni.h>
#include <stdint.h>

/* The JNI environment of the calling thread, which is attached as a daemon thread if necessary.
 * NULL only while the virtual machine shuts down. */
JNIEnv *hy_java_env(void);

/* A pointer that Java stores as a long. */
static inline void *hy_pointer(jlong handle)
{
    return (void *)(intptr_t)handle;
}
static inline jlong hy_handle(const void *pointer)
{
    return (jlong)(intptr_t)pointer;
}

#endif
