/* SPDX-License-Identifier: Apache-2.0 */
/* Point-to-point messages for Java: native memory by address, arrays by reference. Java has checked
 * the ranges, and keeps the FMPL, the memory and the array reachable during the call. */
#include "io_hayate_internal_FmplBinding.h"
#include "jni/array_buffer.h"
#include "jni/java_vm.h"
#include "jni/outcome.h"

#define BINDING(name) Java_io_hayate_internal_FmplBinding_##name

static inline hy_buffer native_buffer(jlong address)
{
    return (hy_buffer){.address = hy_pointer(address)};
}

/* ---- blocking: returns the length, or an error code ---- */

JNIEXPORT jint JNICALL BINDING(send)(JNIEnv *env, jclass type, jlong fmpl, jlong address,
                                     jlong size, jint dst, jint mai)
{
    (void)env, (void)type;
    return hy_msg_send(hy_pointer(fmpl), native_buffer(address), size, dst, mai, NULL);
}

JNIEXPORT jlong JNICALL BINDING(recv)(JNIEnv *env, jclass type, jlong fmpl, jlong address,
                                      jlong size, jint src, jint mai)
{
    (void)env, (void)type;
    uint64_t length = 0;
    int rc = hy_msg_recv(hy_pointer(fmpl), native_buffer(address), size, src, mai, &length, NULL);
    return rc ? rc : (jlong)length;
}

JNIEXPORT jint JNICALL BINDING(sendArray)(JNIEnv *env, jclass type, jlong fmpl, jobject array,
                                          jlong start, jlong size, jint dst, jint mai)
{
    (void)type;
    hy_java_memory memory;
    hy_buffer buffer = hy_java_buffer(&memory, env, array, start);
    return hy_msg_send(hy_pointer(fmpl), buffer, size, dst, mai, NULL);
}

JNIEXPORT jlong JNICALL BINDING(recvArray)(JNIEnv *env, jclass type, jlong fmpl, jobject array,
                                           jlong start, jlong size, jint src, jint mai)
{
    (void)type;
    uint64_t length = 0;
    hy_java_memory memory;
    hy_buffer buffer = hy_java_buffer(&memory, env, array, start);
    int rc = hy_msg_recv(hy_pointer(fmpl), buffer, size, src, mai, &length, NULL);
    return rc ? rc : (jlong)length;
}

/* ---- bounded: like blocking, but a long wait becomes a request ---- */

JNIEXPORT jlong JNICALL BINDING(sendBounded)(JNIEnv *env, jclass type, jlong fmpl, jlong address,
                                             jlong size, jint dst, jint mai)
{
    (void)env, (void)type;
    uint64_t request = 0;
    int rc = hy_msg_send(hy_pointer(fmpl), native_buffer(address), size, dst, mai, &request);
    return hy_outcome(rc, 0, request);
}

JNIEXPORT jlong JNICALL BINDING(recvBounded)(JNIEnv *env, jclass type, jlong fmpl, jlong address,
                                             jlong size, jint src, jint mai)
{
    (void)env, (void)type;
    uint64_t length = 0, request = 0;
    int rc = hy_msg_recv(hy_pointer(fmpl), native_buffer(address), size, src, mai, &length,
                         &request);
    return hy_outcome(rc, length, request);
}

JNIEXPORT jlong JNICALL BINDING(sendArrayBounded)(JNIEnv *env, jclass type, jlong fmpl,
                                                  jobject array, jlong start, jlong size, jint dst,
                                                  jint mai)
{
    (void)type;
    uint64_t request = 0;
    hy_java_memory memory;
    hy_buffer buffer = hy_java_buffer(&memory, env, array, start);
    int rc = hy_msg_send(hy_pointer(fmpl), buffer, size, dst, mai, &request);
    return hy_outcome(rc, 0, request);
}

JNIEXPORT jlong JNICALL BINDING(recvArrayBounded)(JNIEnv *env, jclass type, jlong fmpl,
                                                  jobject array, jlong start, jlong size, jint src,
                                                  jint mai)
{
    (void)type;
    uint64_t length = 0, request = 0;
    hy_java_memory memory;
    hy_buffer buffer = hy_java_buffer(&memory, env, array, start);
    int rc = hy_msg_recv(hy_pointer(fmpl), buffer, size, src, mai, &length, &request);
    return hy_outcome(rc, length, request);
}

/* ---- non-blocking ---- */

static jlong begun(int rc, uint64_t length, uint64_t request)
{
    return hy_outcome(rc == HAYATE_OK && request ? HAYATE_IN_PROGRESS : rc, length, request);
}

/* The length of a receive that was complete at once. This thread used the lane until a moment
 * ago; a second receive on it at the same time is an error of the caller, who gets BUSY or its
 * length. */
static uint64_t last_length(hy_msg *msg, int src, int mai)
{
    const hy_lane *lane = hy_lane_find(msg, src, mai);
    return lane ? lane->length : 0;
}

JNIEXPORT jlong JNICALL BINDING(isend)(JNIEnv *env, jclass type, jlong fmpl, jobject array,
                                       jlong start, jlong size, jint dst, jint mai)
{
    (void)type;
    uint64_t request = 0;
    hy_java_memory memory;
    hy_buffer buffer = hy_java_buffer(&memory, env, array, start);
    int rc = hy_msg_isend(hy_pointer(fmpl), buffer, size, dst, mai, &request);
    return begun(rc, 0, request);
}

JNIEXPORT jlong JNICALL BINDING(irecv)(JNIEnv *env, jclass type, jlong fmpl, jobject array,
                                       jlong start, jlong size, jint src, jint mai)
{
    (void)type;
    uint64_t request = 0;
    hy_java_memory memory;
    hy_buffer buffer = hy_java_buffer(&memory, env, array, start);
    int rc = hy_msg_irecv(hy_pointer(fmpl), buffer, size, src, mai, &request);
    bool complete = rc == HAYATE_OK && !request;
    return begun(rc, complete ? last_length(hy_pointer(fmpl), src, mai) : 0, request);
}
