/* SPDX-License-Identifier: Apache-2.0 */
/* Messages with tags for Java. Memory is a direct buffer, an array or an address; Java has checked
 * the ranges, and keeps tags, communicator and memory reachable during the call. */
#include "io_hayate_internal_bindings_TaggedBinding.h"
#include "fmpl/fmpl.h"
#include "jni/array_buffer.h"
#include "jni/direct_buffer.h"
#include "jni/java_vm.h"
#include "jni/outcome.h"
#include "tagged/tagged.h"

#include <stdlib.h>

#define BINDING(name) Java_io_hayate_internal_bindings_TaggedBinding_##name

/* ---- opening and closing ---- */

JNIEXPORT jlong JNICALL BINDING(open)(JNIEnv *env, jclass type, jlong fmpl)
{
    (void)env, (void)type;
    const hy_fmpl *of = hy_pointer(fmpl);
    hy_tags *tags = NULL;
    int rc = hy_tags_open(&tags, of->comms);
    return rc ? rc : (jlong)(uintptr_t)tags;
}

JNIEXPORT void JNICALL BINDING(close)(JNIEnv *env, jclass type, jlong tags)
{
    (void)env, (void)type;
    hy_tags_close(hy_pointer(tags));
}

JNIEXPORT void JNICALL BINDING(free)(JNIEnv *env, jclass type, jlong tags)
{
    (void)env, (void)type;
    hy_tags_free(hy_pointer(tags));
}

JNIEXPORT jlong JNICALL BINDING(openOn)(JNIEnv *env, jclass type, jlong tags, jint comm)
{
    (void)env, (void)type;
    hy_tagged *tagged = NULL;
    int rc = hy_tagged_open(hy_pointer(tags), comm, &tagged);
    return rc ? rc : (jlong)(uintptr_t)tagged;
}

JNIEXPORT jlong JNICALL BINDING(openPart)(JNIEnv *env, jclass type, jlong tags, jint comm,
                                          jint first, jint count)
{
    (void)env, (void)type;
    hy_tagged *tagged = NULL;
    int rc = hy_tagged_open_part(hy_pointer(tags), comm, first, count, &tagged);
    return rc ? rc : (jlong)(uintptr_t)tagged;
}

JNIEXPORT void JNICALL BINDING(closeOn)(JNIEnv *env, jclass type, jlong tagged)
{
    (void)env, (void)type;
    hy_tagged_close(hy_pointer(tagged));
}

/* ---- memory ---- */

JNIEXPORT jboolean JNICALL BINDING(prepare)(JNIEnv *env, jclass type)
{
    (void)type;
    return hy_direct_buffer_prepare(env);
}

/* array, start: as of an io.hayate.internal.job.Memory; start from TAGGED_DIRECT on: `array` is a
 * direct buffer. */
static inline hy_buffer any_buffer(hy_java_memory *memory, JNIEnv *env, jobject array, jlong start)
{
    const jlong direct = io_hayate_internal_bindings_TaggedBinding_DIRECT;
    if (start >= direct) return hy_direct_buffer(env, array, start - direct);
    return hy_java_buffer(memory, env, array, start);
}

/* ---- messages ---- */

JNIEXPORT jint JNICALL BINDING(sendDirect)(JNIEnv *env, jclass type, jlong tagged, jobject buffer,
                                           jlong offset, jlong bytes, jint member, jint tag)
{
    (void)type;
    return hy_tagged_send(hy_pointer(tagged), hy_direct_buffer(env, buffer, offset),
                          (uint64_t)bytes, member, tag, HY_TAG_STANDARD);
}

JNIEXPORT jlong JNICALL BINDING(recvDirect)(JNIEnv *env, jclass type, jlong tagged, jobject buffer,
                                            jlong offset, jlong bytes, jint member, jint tag)
{
    (void)type;
    hy_tag_status status;
    int rc = hy_tagged_recv(hy_pointer(tagged), hy_direct_buffer(env, buffer, offset),
                            (uint64_t)bytes, member, tag, &status);
    return hy_outcome(rc, rc ? 0 : status.bytes, 0);
}

JNIEXPORT jint JNICALL BINDING(send)(JNIEnv *env, jclass type, jlong tagged, jobject array,
                                     jlong start, jlong bytes, jint member, jint tag, jint mode)
{
    (void)type;
    hy_java_memory memory;
    hy_buffer buffer = any_buffer(&memory, env, array, start);
    return hy_tagged_send(hy_pointer(tagged), buffer, (uint64_t)bytes, member, tag,
                          (hy_tag_mode)mode);
}

static void put_status(JNIEnv *env, jlongArray result, const hy_tag_status *status)
{
    const jlong values[] = {status->member, status->tag};
    if (result) (*env)->SetLongArrayRegion(env, result, 0, 2, values);
}

static jlong outcome_of(JNIEnv *env, int rc, uint64_t request, const hy_tag_status *status,
                        jlongArray result)
{
    bool known = (rc == HAYATE_OK || rc == HAYATE_ERR_TRUNCATE) && !request;
    if (known) put_status(env, result, status);
    return hy_outcome(rc == HAYATE_OK && request ? HAYATE_IN_PROGRESS : rc,
                      known ? status->bytes : 0, request);
}

JNIEXPORT jlong JNICALL BINDING(recv)(JNIEnv *env, jclass type, jlong tagged, jobject array,
                                      jlong start, jlong bytes, jint member, jint tag,
                                      jlongArray result)
{
    (void)type;
    hy_java_memory memory;
    hy_tag_status status = {0};
    hy_buffer buffer = any_buffer(&memory, env, array, start);
    int rc = hy_tagged_recv(hy_pointer(tagged), buffer, (uint64_t)bytes, member, tag, &status);
    return outcome_of(env, rc, 0, &status, result);
}

JNIEXPORT jlong JNICALL BINDING(isend)(JNIEnv *env, jclass type, jlong tagged, jobject array,
                                       jlong start, jlong bytes, jint member, jint tag, jint mode)
{
    (void)type;
    hy_java_memory memory;
    uint64_t request = 0;
    hy_buffer buffer = any_buffer(&memory, env, array, start);
    int rc = hy_tagged_isend(hy_pointer(tagged), buffer, (uint64_t)bytes, member, tag,
                             (hy_tag_mode)mode, &request);
    return hy_outcome(rc == HAYATE_OK && request ? HAYATE_IN_PROGRESS : rc, (uint64_t)bytes,
                      request);
}

JNIEXPORT jint JNICALL BINDING(bsend)(JNIEnv *env, jclass type, jlong tagged, jobject array,
                                      jlong start, jlong bytes, jint member, jint tag)
{
    (void)type;
    hy_java_memory memory;
    hy_buffer buffer = any_buffer(&memory, env, array, start);
    return hy_tagged_bsend(hy_pointer(tagged), buffer, (uint64_t)bytes, member, tag);
}

JNIEXPORT jlong JNICALL BINDING(irecv)(JNIEnv *env, jclass type, jlong tagged, jobject array,
                                       jlong start, jlong bytes, jint member, jint tag,
                                       jlongArray result)
{
    (void)type;
    hy_java_memory memory;
    hy_tag_status status = {0};
    uint64_t request = 0;
    hy_buffer buffer = any_buffer(&memory, env, array, start);
    int rc = hy_tagged_irecv(hy_pointer(tagged), buffer, (uint64_t)bytes, member, tag, &status,
                             &request);
    return outcome_of(env, rc, request, &status, result);
}

/* ---- requests ---- */

JNIEXPORT jlong JNICALL BINDING(await)(JNIEnv *env, jclass type, jlong tags, jlong request,
                                       jboolean once, jlongArray result)
{
    (void)type;
    hy_tag_status status = {0};
    int rc = once ? hy_tag_test(hy_pointer(tags), (uint64_t)request, &status)
                  : hy_tag_wait(hy_pointer(tags), (uint64_t)request, &status);
    uint64_t goes_on = rc == HAYATE_IN_PROGRESS ? (uint64_t)request : 0;
    return outcome_of(env, rc, goes_on, &status, result);
}

/* The array is copied, so that no reference into the Java heap is held while the call sleeps. */
JNIEXPORT jint JNICALL BINDING(awaitAny)(JNIEnv *env, jclass type, jlong tags, jlongArray requests,
                                         jboolean once, jlongArray result)
{
    (void)type;
    jsize n = (*env)->GetArrayLength(env, requests);
    jlong *copy = malloc((size_t)n * sizeof *copy + 1);
    if (!copy) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to wait for %d requests", (int)n);
    (*env)->GetLongArrayRegion(env, requests, 0, n, copy);
    hy_tag_status status = {0};
    int index = -1;
    int rc = hy_tag_wait_any(hy_pointer(tags), n, (const uint64_t *)copy, once, &index, &status);
    free(copy);
    const jlong values[] = {status.member, status.tag,
                            hy_outcome(rc, status.bytes, HAYATE_IN_PROGRESS)};
    (*env)->SetLongArrayRegion(env, result, 0, 3, values);
    return index;
}

/* In pieces, whose results are given to Java at once. */
JNIEXPORT jint JNICALL BINDING(awaitAll)(JNIEnv *env, jclass type, jlong tags, jlongArray requests,
                                         jint from, jlongArray found)
{
    (void)type;
    enum { PIECE = 64 };
    jlong names[PIECE], results[3 * PIECE];
    jsize n = (*env)->GetArrayLength(env, requests);
    int rc = HAYATE_OK;
    while (from < n && rc == HAYATE_OK) {
        jsize many = n - from < PIECE ? n - from : PIECE, done = 0;
        (*env)->GetLongArrayRegion(env, requests, from, many, names);
        for (rc = HAYATE_OK; done < many && rc == HAYATE_OK; done++) {
            hy_tag_status status = {0};
            if (names[done]) rc = hy_tag_wait(hy_pointer(tags), (uint64_t)names[done], &status);
            results[3 * done] = status.member;
            results[3 * done + 1] = status.tag;
            results[3 * done + 2] = hy_outcome(rc, status.bytes, HAYATE_IN_PROGRESS);
        }
        (*env)->SetLongArrayRegion(env, found, 3 * from, 3 * done, results);
        from += done;
    }
    return from;
}

JNIEXPORT jint JNICALL BINDING(cancel)(JNIEnv *env, jclass type, jlong tags, jlong request)
{
    (void)env, (void)type;
    return hy_tag_cancel(hy_pointer(tags), (uint64_t)request);
}

JNIEXPORT jlong JNICALL BINDING(buffered)(JNIEnv *env, jclass type, jlong tags)
{
    (void)env, (void)type;
    return (jlong)hy_tags_buffered(hy_pointer(tags));
}

JNIEXPORT jint JNICALL BINDING(settle)(JNIEnv *env, jclass type, jlong tags)
{
    (void)env, (void)type;
    return hy_tags_settle(hy_pointer(tags));
}

/* ---- messages of any length ---- */

JNIEXPORT jlong JNICALL BINDING(irecvNew)(JNIEnv *env, jclass type, jlong tagged, jint member,
                                          jint tag)
{
    (void)env, (void)type;
    uint64_t request = 0;
    int rc = hy_tagged_irecv_new(hy_pointer(tagged), member, tag, &request);
    return hy_outcome(rc ? rc : HAYATE_IN_PROGRESS, 0, request);
}

static jbyteArray array_of(JNIEnv *env, const hy_tag_status *status)
{
    jbyteArray array = NULL;
    if (status->bytes <= INT32_MAX - 8) array = (*env)->NewByteArray(env, (jsize)status->bytes);
    if (array) (*env)->SetByteArrayRegion(env, array, 0, (jsize)status->bytes, status->made);
    free(status->made);
    return array;
}

JNIEXPORT jbyteArray JNICALL BINDING(awaitNew)(JNIEnv *env, jclass type, jlong tags, jlong request,
                                               jboolean once, jlongArray result)
{
    (void)type;
    hy_tag_status status = {.made = NULL};
    int rc = once ? hy_tag_test(hy_pointer(tags), (uint64_t)request, &status)
                  : hy_tag_wait(hy_pointer(tags), (uint64_t)request, &status);
    const jlong values[] = {status.member, status.tag,
                            hy_outcome(rc, status.bytes, HAYATE_IN_PROGRESS)};
    (*env)->SetLongArrayRegion(env, result, 0, 3, values);
    return rc == HAYATE_OK ? array_of(env, &status) : NULL;
}

/* ---- probes ---- */

JNIEXPORT jlong JNICALL BINDING(probe)(JNIEnv *env, jclass type, jlong tagged, jint member,
                                       jint tag, jboolean wait, jboolean take, jlongArray result)
{
    (void)type;
    hy_tag_status status = {0};
    hy_arrived *taken = NULL;
    int rc = hy_tagged_probe(hy_pointer(tagged), member, tag, wait, &status, take ? &taken : NULL);
    const jlong values[] = {status.member, status.tag, (jlong)(uintptr_t)taken};
    if (rc == HAYATE_OK) (*env)->SetLongArrayRegion(env, result, 0, 3, values);
    return hy_outcome(rc, status.bytes, HAYATE_IN_PROGRESS);
}

JNIEXPORT jlong JNICALL BINDING(receiveTaken)(JNIEnv *env, jclass type, jlong tagged, jlong taken,
                                              jobject array, jlong start, jlong bytes)
{
    (void)type;
    hy_java_memory memory;
    uint64_t request = 0;
    hy_buffer buffer = any_buffer(&memory, env, array, start);
    int rc = hy_arrived_receive(hy_pointer(tagged), hy_pointer(taken), buffer, (uint64_t)bytes,
                                false, &request);
    return hy_outcome(rc ? rc : HAYATE_IN_PROGRESS, 0, request);
}

JNIEXPORT jlong JNICALL BINDING(receiveTakenNew)(JNIEnv *env, jclass type, jlong tagged,
                                                 jlong taken)
{
    (void)env, (void)type;
    uint64_t request = 0;
    int rc = hy_arrived_receive(hy_pointer(tagged), hy_pointer(taken), (hy_buffer){.address = NULL},
                                0, true, &request);
    return hy_outcome(rc ? rc : HAYATE_IN_PROGRESS, 0, request);
}
