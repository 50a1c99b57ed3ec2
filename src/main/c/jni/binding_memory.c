/* SPDX-License-Identifier: Apache-2.0 */
/* Native memory, and the reason of the last error, for Java. */
#include <string.h>

#include <hayate/hayate.h>

#include "base/copy.h"
#include "base/status.h"
#include "io_hayate_internal_errors_ErrorBinding.h"
#include "io_hayate_internal_bindings_MemoryBinding.h"
#include "jni/array_buffer.h"
#include "jni/java_vm.h"

#define BINDING(name) Java_io_hayate_internal_bindings_MemoryBinding_##name
#define SAME(name) (io_hayate_internal_bindings_MemoryBinding_##name)

_Static_assert(SAME(BYTES) == HY_ELEMENTS_BYTE && SAME(INTS) == HY_ELEMENTS_INT &&
                   SAME(LONGS) == HY_ELEMENTS_LONG && SAME(FLOATS) == HY_ELEMENTS_FLOAT &&
                   SAME(DOUBLES) == HY_ELEMENTS_DOUBLE && SAME(SHORTS) == HY_ELEMENTS_SHORT &&
                   SAME(CHARS) == HY_ELEMENTS_CHAR && SAME(BOOLEANS) == HY_ELEMENTS_BOOLEAN &&
                   SAME(ELEMENTS_SHIFT) == HY_ELEMENTS_SHIFT,
               "both sides number the types of arrays alike");
#define ERROR_BINDING(name) Java_io_hayate_internal_errors_ErrorBinding_##name

JNIEXPORT jobject JNICALL BINDING(buffer)(JNIEnv *env, jclass type, jlong address, jlong bytes)
{
    (void)type;
    return (*env)->NewDirectByteBuffer(env, hy_pointer(address), bytes);
}

JNIEXPORT jlong JNICALL BINDING(address)(JNIEnv *env, jclass type, jobject buffer)
{
    (void)type;
    return hy_handle((*env)->GetDirectBufferAddress(env, buffer));
}

JNIEXPORT void JNICALL BINDING(copy)(JNIEnv *env, jclass type, jlong to, jlong from, jlong bytes)
{
    (void)env, (void)type;
    hy_copy(hy_pointer(to), hy_pointer(from), (size_t)bytes);
}

JNIEXPORT jlong JNICALL BINDING(identity)(JNIEnv *env, jclass type)
{
    (void)env, (void)type;
    return hy_handle((void *)(intptr_t)hayate_version);
}

JNIEXPORT jbyteArray JNICALL ERROR_BINDING(ofSystem)(JNIEnv *env, jclass type, jint number)
{
    (void)type;
    char room[256];
    const char *text = strerror_r(number, room, sizeof room); /* that of GNU */
    jsize length = (jsize)strlen(text);
    jbyteArray bytes = (*env)->NewByteArray(env, length);
    if (bytes) (*env)->SetByteArrayRegion(env, bytes, 0, length, (const jbyte *)text);
    return bytes;
}

/* Reasons may quote the environment: NewStringUTF must only get ASCII characters. */
JNIEXPORT jstring JNICALL ERROR_BINDING(text)(JNIEnv *env, jclass type)
{
    (void)type;
    char text[512];
    size_t n = 0;
    for (const char *from = hayate_error(); *from && n < sizeof text - 1; from++)
        text[n++] = (unsigned char)*from < 0x80 ? *from : '?';
    text[n] = '\0';
    return (*env)->NewStringUTF(env, text);
}

JNIEXPORT jint JNICALL ERROR_BINDING(peer)(JNIEnv *env, jclass type)
{
    (void)env, (void)type;
    return hayate_error_peer();
}

JNIEXPORT jlong JNICALL ERROR_BINDING(length)(JNIEnv *env, jclass type)
{
    (void)env, (void)type;
    uint64_t length = hy_failure_length();
    return length <= INT64_MAX ? (jlong)length : INT64_MAX;
}
