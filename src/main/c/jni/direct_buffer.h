/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of a direct java.nio.Buffer. */
#ifndef HY_JNI_DIRECT_BUFFER_H
#define HY_JNI_DIRECT_BUFFER_H

#include "jni/java_vm.h"
#include "msg/msg.h"

/* The field `address` of java.nio.Buffer, which JNI reads without leaving Java's state: a tenth of
 * the time that GetDirectBufferAddress() takes. NULL: not found yet, or there is none. */
extern jfieldID hy_buffer_address_field;

/* Called when a binding is initialized. Returns whether there is such a field. */
bool hy_direct_buffer_prepare(JNIEnv *env);

static inline hy_buffer hy_direct_buffer(JNIEnv *env, jobject buffer, jlong offset)
{
    uint8_t *address = hy_likely(hy_buffer_address_field != NULL)
                           ? hy_pointer((*env)->GetLongField(env, buffer, hy_buffer_address_field))
                           : (*env)->GetDirectBufferAddress(env, buffer);
    return (hy_buffer){.address = address + offset};
}

#endif
