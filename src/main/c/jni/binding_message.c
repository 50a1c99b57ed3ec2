/* SPDX-License-Identifier: Apache-2.0 */
/* Point-to-point messages for Java: native memory by address, arrays by reference. Java has checked
 * the ranges, and keeps the FMPL, the memory and the array reachable during the call. */
#include "io_hayate_internal_bindings_FmplBinding.h"
#include "jni/array_buffer.h"
#include "jni/java_vm.h"
#include "jni/outcome.h"
#include "jni/patience.h"

#define BINDING(name) Java_io_hayate_internal_bindings_FmplBinding_##name

static inline hy_buffer native_buffer(jlong address)
{
    return (hy_buffer){.address = hy_pointer(address)};
}

/* ---- blocking until an interrupt: then the operation is a request ---- */

JNIEXPORT jlong JNICALL BINDING(send)(JNIEnv *env, jclass type, jlong fmpl, jlong address,
                                      jlong size, jint dst, jint mai)
{
    (void)env, (void)type;
    hy_bounded bounded = {.limit = &hy_until_interrupt};
    int rc = hy_msg_send(hy_pointer(fmpl), native_buffer(address), size, dst, mai, &bounded);
    return hy_outcome(rc, 0, bounded.request);
}

JNIEXPORT jlong JNICALL BINDING(recv)(JNIEnv *env, jclass type, jlong fmpl, jlong address,
                                      jlong size, jint src, jint mai)
{
    (void)env, (void)type;
    hy_bounded bounded = {.limit = &hy_until_interrupt};
    uint64_t length = 0;
    int rc = hy_msg_recv(hy_pointer(fmpl), native_buffer(address), size, src, mai, &length,
                         &bounded);
    return hy_outcome(rc, length, bounded.request);
}

JNIEXPORT jlong JNICALL BINDING(sendArray)(JNIEnv *env, jclass type, jlong fmpl, jobject array,
                                           jlong start, jlong size, jint dst, jint mai)
{
    (void)type;
    hy_bounded bounded = {.limit = &hy_until_interrupt};
    hy_java_memory memory;
    hy_buffer buffer = hy_java_buffer(&memory, env, array, start);
    int rc = hy_msg_send(hy_pointer(fmpl), buffer, size, dst, mai, &bounded);
    return hy_outcome(rc, 0, bounded.request);
}

JNIEXPORT jlong JNICALL BINDING(recvArray)(JNIEnv *env, jclass type, jlong fmpl, jobject array,
                                           jlong start, jlong size, jint src, jint mai)
{
    (void)type;
    hy_bounded bounded = {.limit = &hy_until_interrupt};
    hy_java_memory memory;
    hy_buffer buffer = hy_java_buffer(&memory, env, array, start);
    uint64_t length = 0;
    int rc = hy_msg_recv(hy_pointer(fmpl), buffer, size, src, mai, &length, &bounded);
    return hy_outcome(rc, length, bounded.request);
}

/* ---- the same for another time; of native memory, `array` is NULL and `start` the address ---- */

JNIEXPORT jlong JNICALL BINDING(sendBounded)(JNIEnv *env, jclass type, jlong fmpl, jobject array,
                                             jlong start, jlong size, jint dst, jint mai,
                                             jlong nanos)
{
    (void)type;
    const hy_limit limit = {.ns = (uint64_t)nanos};
    hy_bounded bounded = {.limit = nanos ? &limit : NULL};
    hy_java_memory memory;
    hy_buffer buffer = hy_java_buffer(&memory, env, array, start);
    int rc = hy_msg_send(hy_pointer(fmpl), buffer, size, dst, mai, &bounded);
    return hy_outcome(rc, 0, bounded.request);
}

JNIEXPORT jlong JNICALL BINDING(recvBounded)(JNIEnv *env, jclass type, jlong fmpl, jobject array,
                                             jlong start, jlong size, jint src, jint mai,
                                             jlong nanos)
{
    (void)type;
    const hy_limit limit = {.ns = (uint64_t)nanos};
    hy_bounded bounded = {.limit = nanos ? &limit : NULL};
    hy_java_memory memory;
    hy_buffer buffer = hy_java_buffer(&memory, env, array, start);
    uint64_t length = 0;
    int rc = hy_msg_recv(hy_pointer(fmpl), buffer, size, src, mai, &length, &bounded);
    return hy_outcome(rc, length, bounded.request);
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

/* ---- probes ---- */

JNIEXPORT jlong JNICALL BINDING(probe)(JNIEnv *env, jclass type, jlong fmpl, jint src, jint mai,
                                       jlong nanos)
{
    (void)env, (void)type;
    hy_limit limit;
    uint64_t length = 0;
    int rc = hy_msg_probe(hy_pointer(fmpl), src, mai, hy_patience_limit(&limit, nanos), &length);
    return hy_outcome(rc, length <= INT64_MAX / 2 ? length : INT64_MAX / 2, HAYATE_IN_PROGRESS);
}

JNIEXPORT jint JNICALL BINDING(listen)(JNIEnv *env, jclass type, jlong fmpl, jint mai)
{
    (void)env, (void)type;
    return hy_msg_listen(hy_pointer(fmpl), mai);
}

JNIEXPORT jlong JNICALL BINDING(probeAny)(JNIEnv *env, jclass type, jlong fmpl, jlong mais, jint n,
                                          jint from, jlong nanos)
{
    (void)env, (void)type;
    hy_limit limit;
    int found = -1;
    int rc = hy_msg_probe_any(hy_pointer(fmpl), hy_pointer(mais), n, from,
                              hy_patience_limit(&limit, nanos), &found);
    return hy_outcome(rc, rc ? 0 : (uint64_t)found, HAYATE_IN_PROGRESS);
}
