/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the field that contains the address of a buffer. */
#include "jni/direct_buffer.h"

jfieldID hy_buffer_address_field;

bool hy_direct_buffer_prepare(JNIEnv *env)
{
    jclass buffer = (*env)->FindClass(env, "java/nio/Buffer");
    if (buffer) hy_buffer_address_field = (*env)->GetFieldID(env, buffer, "address", "J");
    if (!hy_buffer_address_field) (*env)->ExceptionClear(env);
    return hy_buffer_address_field != NULL;
}
