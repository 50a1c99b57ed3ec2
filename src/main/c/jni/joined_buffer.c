/* SPDX-License-Identifier: Apache-2.0 */
/* Copies part after part, each as the buffer that it is. */
#include "jni/joined_buffer.h"

#include <pthread.h>
#include <stdlib.h>

#include "jni/array_buffer.h"
#include "jni/java_vm.h"

/* The fields of io.hayate.internal.job.Memory, found at the first use. */
typedef struct memory_fields {
    jfieldID array, start, elements, bytes;
} memory_fields;

static memory_fields fields;
static pthread_once_t fields_once = PTHREAD_ONCE_INIT;

static void find_memory_fields(void)
{
    JNIEnv *env = hy_java_env();
    jclass type = env ? (*env)->FindClass(env, "io/hayate/internal/job/Memory") : NULL;
    if (!type) return;
    fields = (memory_fields){
        .array = (*env)->GetFieldID(env, type, "array", "Ljava/lang/Object;"),
        .start = (*env)->GetFieldID(env, type, "start", "J"),
        .elements = (*env)->GetFieldID(env, type, "elements", "J"),
        .bytes = (*env)->GetFieldID(env, type, "bytes", "J"),
    };
}

static hy_buffer buffer_of_part(JNIEnv *env, jobject part, hy_java_memory *memory)
{
    jlong start = (*env)->GetLongField(env, part, fields.start);
    jlong elements = (*env)->GetLongField(env, part, fields.elements);
    return hy_java_buffer(memory, env, (*env)->GetObjectField(env, part, fields.array),
                          start | elements);
}

/* Local references: the part, its array or Blocks, and the array in these. */
#define REFERENCES 8

static void copy_parts(const hy_joined *joined, uint64_t offset, uint8_t *memory, size_t len,
                       bool into_parts)
{
    JNIEnv *env = joined->env ? joined->env : hy_java_env();
    for (jsize i = 0; env && len && i < joined->count; i++) {
        hy_java_memory place;
        const bool framed = (*env)->PushLocalFrame(env, REFERENCES) == 0;
        if (!framed) (*env)->ExceptionClear(env); /* no memory for one more */
        jobject part = (*env)->GetObjectArrayElement(env, joined->parts, i);
        uint64_t bytes = (uint64_t)(*env)->GetLongField(env, part, fields.bytes);
        uint64_t n = offset < bytes ? bytes - offset : 0;
        if (n > len) n = len;
        const hy_buffer buffer = buffer_of_part(env, part, &place);
        if (n && into_parts) hy_buffer_write(&buffer, offset, memory, n);
        else if (n) hy_buffer_read(&buffer, offset, memory, n);
        offset = offset < bytes ? 0 : offset - bytes;
        memory += n, len -= n;
        if (framed) (*env)->PopLocalFrame(env, NULL);
    }
}

static void joined_read(void *handle, uint64_t offset, void *to, size_t len)
{
    copy_parts(handle, offset, to, len, false);
}

static void joined_write(void *handle, uint64_t offset, const void *from, size_t len)
{
    copy_parts(handle, offset, (uint8_t *)(uintptr_t)from, len, true);
}

static void *joined_retain(void *handle)
{
    const hy_joined *joined = handle;
    JNIEnv *env = joined->env ? joined->env : hy_java_env();
    hy_joined *copy = env ? malloc(sizeof *copy) : NULL;
    if (!copy) return NULL;
    *copy = *joined;
    copy->env = NULL;
    copy->parts = (*env)->NewGlobalRef(env, joined->parts);
    if (copy->parts) return copy;
    free(copy);
    return NULL;
}

static void joined_release(void *handle)
{
    hy_joined *joined = handle;
    JNIEnv *env = hy_java_env();
    if (env) (*env)->DeleteGlobalRef(env, joined->parts);
    free(joined);
}

static const hy_managed_ops joined_ops = {
    .read = joined_read,
    .write = joined_write,
    .retain = joined_retain,
    .release = joined_release,
};

hy_buffer hy_joined_buffer(hy_joined *joined)
{
    pthread_once(&fields_once, find_memory_fields);
    return (hy_buffer){.managed = &joined_ops, .handle = joined};
}
