/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies array ranges in blocks with GetPrimitiveArrayCritical(), and keeps retained arrays as
 * global references.
 */
#include "jni/array_buffer.h"

#include <stdlib.h>

#include "jni/java_vm.h"

static JNIEnv *env_of(const hy_array *array)
{
    return array->env ? array->env : hy_java_env();
}

/* The virtual machine returns NULL only if it cannot copy the array; an OutOfMemoryError is then
 * pending, which ends the current call. */
static void read_block(JNIEnv *env, const hy_array *array, uint64_t offset, void *to, size_t len)
{
    uint8_t *base = (*env)->GetPrimitiveArrayCritical(env, array->array, NULL);
    if (!base) {
        memset(to, 0, len);
        return;
    }
    memcpy(to, base + array->start + offset, len);
    (*env)->ReleasePrimitiveArrayCritical(env, array->array, base, JNI_ABORT);
}

static void write_block(JNIEnv *env, const hy_array *array, uint64_t offset, const void *from,
                        size_t len)
{
    uint8_t *base = (*env)->GetPrimitiveArrayCritical(env, array->array, NULL);
    if (!base) return;
    memcpy(base + array->start + offset, from, len);
    (*env)->ReleasePrimitiveArrayCritical(env, array->array, base, 0);
}

static size_t block_at(uint64_t done, size_t len)
{
    return len - done < HY_BLOCK_BYTES ? len - done : HY_BLOCK_BYTES;
}

static void array_read(void *handle, uint64_t offset, void *to, size_t len)
{
    const hy_array *array = handle;
    JNIEnv *env = env_of(array);
    if (!env) return;
    for (size_t done = 0, n; done < len; done += n) {
        n = block_at(done, len);
        read_block(env, array, offset + done, (uint8_t *)to + done, n);
    }
}

static void array_write(void *handle, uint64_t offset, const void *from, size_t len)
{
    const hy_array *array = handle;
    JNIEnv *env = env_of(array);
    if (!env) return;
    for (size_t done = 0, n; done < len; done += n) {
        n = block_at(done, len);
        write_block(env, array, offset + done, (const uint8_t *)from + done, n);
    }
}

static void *array_retain(void *handle)
{
    const hy_array *array = handle;
    JNIEnv *env = env_of(array);
    hy_array *copy = env ? malloc(sizeof *copy) : NULL;
    if (!copy) return NULL;
    *copy = (hy_array){.array = (*env)->NewGlobalRef(env, array->array), .start = array->start};
    if (copy->array) return copy;
    free(copy);
    return NULL;
}

static void array_release(void *handle)
{
    hy_array *array = handle;
    JNIEnv *env = hy_java_env();
    if (env) (*env)->DeleteGlobalRef(env, array->array);
    free(array);
}

static bool array_distance(void *a, void *b, int64_t *bytes)
{
    const hy_array *first = a, *second = b;
    JNIEnv *env = env_of(first);
    *bytes = (int64_t)(second->start - first->start);
    return env && (*env)->IsSameObject(env, first->array, second->array);
}

const hy_managed_ops hy_array_ops = {
    .read = array_read,
    .write = array_write,
    .retain = array_retain,
    .release = array_release,
    .distance = array_distance,
};
