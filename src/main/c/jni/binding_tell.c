/* SPDX-License-Identifier: Apache-2.0 */
/* What parked virtual threads wait for. Java has parked them, so there is no wait here: what
 * hy_wait keeps between two turns is in `told`, an entry in the low byte. */
#include "coll/background.h"
#include "coll/collective.h"
#include "fmpl/fmpl.h"
#include "io_hayate_internal_bindings_TellBinding.h"
#include "jni/java_vm.h"
#include "ompl/ompl.h"
#include "pcoll/pcoll.h"

#define BINDING(name) Java_io_hayate_internal_bindings_TellBinding_##name

static jint tell(hy_job *job, hy_awaited *awaited, jint told, jlong thread)
{
    hy_wait wait = {.told = (uint8_t)told, .reported = told >> 8};
    awaited->is_virtual = 1;
    awaited->thread = (uint32_t)thread;
    hy_job_wait_tell(job, &wait, awaited);
    return wait.told | wait.reported << 8;
}

JNIEXPORT jint JNICALL BINDING(request)(JNIEnv *env, jclass type, jlong fmpl, jlong request,
                                        jint told, jlong thread)
{
    (void)env, (void)type;
    const hy_msg *msg = hy_pointer(fmpl);
    hy_awaited awaited = {.peer = -1};
    hy_request_tell(msg, (uint64_t)request, &awaited);
    return tell(msg->job, &awaited, told, thread);
}

JNIEXPORT jint JNICALL BINDING(requests)(JNIEnv *env, jclass type, jlong fmpl, jint count,
                                         jint told, jlong thread)
{
    (void)env, (void)type;
    const hy_msg *msg = hy_pointer(fmpl);
    hy_awaited awaited = {.kind = HY_AWAITED_REQUESTS, .peer = -1, .number = (uint64_t)count};
    return tell(msg->job, &awaited, told, thread);
}

JNIEXPORT jint JNICALL BINDING(collective)(JNIEnv *env, jclass type, jlong fmpl, jint comm,
                                           jint told, jlong thread)
{
    (void)env, (void)type;
    hy_comms *comms = ((const hy_fmpl *)hy_pointer(fmpl))->comms;
    hy_comm *found = hy_comm_find(comms, comm);
    hy_awaited awaited = {.peer = -1};
    if (found) hy_collective_tell(comms, found, &awaited);
    return tell(comms->job, &awaited, told, thread);
}

JNIEXPORT jint JNICALL BINDING(started)(JNIEnv *env, jclass type, jlong fmpl, jint comm, jint told,
                                        jlong thread)
{
    (void)env, (void)type;
    hy_comms *comms = ((const hy_fmpl *)hy_pointer(fmpl))->comms;
    hy_awaited awaited = {.peer = -1};
    hy_background_tell(comms, comm, &awaited);
    return tell(comms->job, &awaited, told, thread);
}

JNIEXPORT jint JNICALL BINDING(persistent)(JNIEnv *env, jclass type, jlong operation, jint told,
                                           jlong thread)
{
    (void)env, (void)type;
    hy_awaited awaited = {.peer = -1};
    hy_job *job = hy_pcoll_tell(hy_pointer(operation), &awaited);
    return tell(job, &awaited, told, thread);
}

JNIEXPORT jint JNICALL BINDING(word)(JNIEnv *env, jclass type, jlong ompl, jlong at, jint how,
                                     jlong value, jint told, jlong thread)
{
    (void)env, (void)type;
    const hy_ompl *space = hy_pointer(ompl & ~(jlong)1); /* as in binding_ompl.c */
    hy_awaited awaited = {.kind = HY_AWAITED_WORD,
                          .peer = -1,
                          .what = (uint8_t)how,
                          .bytes = (uint64_t)at,
                          .number = (uint64_t)value};
    return tell(space->job, &awaited, told, thread);
}

JNIEXPORT void JNICALL BINDING(over)(JNIEnv *env, jclass type, jlong job, jint told)
{
    (void)env, (void)type;
    hy_wait wait = {.told = (uint8_t)told};
    hy_job_wait_told(hy_pointer(job), &wait);
}
