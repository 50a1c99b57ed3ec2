/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies array ranges in blocks with GetPrimitiveArrayCritical(), a few elements by the functions
 * of their type, and keeps retained arrays as global references.
 */
#include "jni/array_buffer.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/copy.h"
#include "jni/java_vm.h"

static JNIEnv *env_of(const hy_array *array)
{
    return array->env ? array->env : hy_java_env();
}

/* ---- a few elements ---- */

/* Longer ranges are copied faster in a critical region: the functions of a type copy slowly. */
#define HY_FEW_BYTES 256

static uint64_t element_bytes(const hy_array *array)
{
    static const uint8_t sizes[] = {
        [HY_ELEMENTS_BYTE] = 1,  [HY_ELEMENTS_INT] = 4,    [HY_ELEMENTS_LONG] = 8,
        [HY_ELEMENTS_FLOAT] = 4, [HY_ELEMENTS_DOUBLE] = 8, [HY_ELEMENTS_SHORT] = 2,
        [HY_ELEMENTS_CHAR] = 2,  [HY_ELEMENTS_BOOLEAN] = 1};
    return sizes[array->elements];
}

static bool are_few(const hy_array *array, uint64_t offset, size_t len)
{
    return len <= HY_FEW_BYTES &&
           (((array->start + offset) | len) & (element_bytes(array) - 1)) == 0;
}

static void read_few(JNIEnv *env, const hy_array *array, uint64_t offset, void *to, size_t len)
{
    uint64_t from = array->start + offset;
    jsize at = (jsize)from, n = (jsize)len, at2 = (jsize)(from / 2), n2 = n / 2;
    jsize at4 = (jsize)(from / 4), n4 = n / 4, at8 = (jsize)(from / 8), n8 = n / 8;
    switch (array->elements) {
    case HY_ELEMENTS_INT: (*env)->GetIntArrayRegion(env, array->array, at4, n4, to); break;
    case HY_ELEMENTS_LONG: (*env)->GetLongArrayRegion(env, array->array, at8, n8, to); break;
    case HY_ELEMENTS_FLOAT: (*env)->GetFloatArrayRegion(env, array->array, at4, n4, to); break;
    case HY_ELEMENTS_DOUBLE: (*env)->GetDoubleArrayRegion(env, array->array, at8, n8, to); break;
    case HY_ELEMENTS_SHORT: (*env)->GetShortArrayRegion(env, array->array, at2, n2, to); break;
    case HY_ELEMENTS_CHAR: (*env)->GetCharArrayRegion(env, array->array, at2, n2, to); break;
    case HY_ELEMENTS_BOOLEAN: (*env)->GetBooleanArrayRegion(env, array->array, at, n, to); break;
    default: (*env)->GetByteArrayRegion(env, array->array, at, n, to);
    }
}

static void write_few(JNIEnv *env, const hy_array *array, uint64_t offset, const void *from,
                      size_t len)
{
    uint64_t to = array->start + offset;
    jsize at = (jsize)to, n = (jsize)len, at2 = (jsize)(to / 2), n2 = n / 2;
    jsize at4 = (jsize)(to / 4), n4 = n / 4, at8 = (jsize)(to / 8), n8 = n / 8;
    switch (array->elements) {
    case HY_ELEMENTS_INT: (*env)->SetIntArrayRegion(env, array->array, at4, n4, from); break;
    case HY_ELEMENTS_LONG: (*env)->SetLongArrayRegion(env, array->array, at8, n8, from); break;
    case HY_ELEMENTS_FLOAT: (*env)->SetFloatArrayRegion(env, array->array, at4, n4, from); break;
    case HY_ELEMENTS_DOUBLE: (*env)->SetDoubleArrayRegion(env, array->array, at8, n8, from); break;
    case HY_ELEMENTS_SHORT: (*env)->SetShortArrayRegion(env, array->array, at2, n2, from); break;
    case HY_ELEMENTS_CHAR: (*env)->SetCharArrayRegion(env, array->array, at2, n2, from); break;
    case HY_ELEMENTS_BOOLEAN: (*env)->SetBooleanArrayRegion(env, array->array, at, n, from); break;
    default: (*env)->SetByteArrayRegion(env, array->array, at, n, from);
    }
}

/* ---- blocks ---- */

/* The array's memory, in a critical region. NULL: the virtual machine has no memory for a copy of
 * the array. It then throws, which is not the end of the call: others copy without memory. */
static uint8_t *enter_critical(JNIEnv *env, const hy_array *array)
{
    uint8_t *base = (*env)->GetPrimitiveArrayCritical(env, array->array, NULL);
    if (hy_unlikely(!base)) (*env)->ExceptionClear(env);
    return base;
}

/* Copies any bytes without memory: by whole elements, which contain them. */
static void copy_elements(JNIEnv *env, const hy_array *array, uint64_t offset, uint8_t *memory,
                          size_t len, bool into_array)
{
    uint8_t whole[HY_FEW_BYTES];
    const uint64_t size = element_bytes(array);
    for (size_t done = 0, n; done < len; done += n) {
        uint64_t at = array->start + offset + done, before = at % size;
        n = len - done < sizeof whole - before ? len - done : sizeof whole - before;
        size_t bytes = (size_t)((before + n + size - 1) / size * size);
        const hy_array part = {
            .array = array->array, .start = at - before, .elements = array->elements};
        read_few(env, &part, 0, whole, bytes);
        if (into_array) memcpy(whole + before, memory + done, n);
        else memcpy(memory + done, whole + before, n);
        if (into_array) write_few(env, &part, 0, whole, bytes);
    }
}

static void read_block(JNIEnv *env, const hy_array *array, uint64_t offset, void *to, size_t len)
{
    if (are_few(array, offset, len)) {
        read_few(env, array, offset, to, len);
        return;
    }
    uint8_t *base = enter_critical(env, array);
    if (hy_unlikely(!base)) {
        copy_elements(env, array, offset, to, len, false);
        return;
    }
    hy_copy(to, base + array->start + offset, len);
    (*env)->ReleasePrimitiveArrayCritical(env, array->array, base, JNI_ABORT);
}

static void write_block(JNIEnv *env, const hy_array *array, uint64_t offset, const void *from,
                        size_t len)
{
    if (are_few(array, offset, len)) {
        write_few(env, array, offset, from, len);
        return;
    }
    uint8_t *base = enter_critical(env, array);
    if (hy_unlikely(!base)) {
        copy_elements(env, array, offset, (uint8_t *)(uintptr_t)from, len, true);
        return;
    }
    hy_copy(base + array->start + offset, from, len);
    (*env)->ReleasePrimitiveArrayCritical(env, array->array, base, 0);
}

static size_t block_at(uint64_t done, size_t len)
{
    return len - done < HY_BLOCK_BYTES ? len - done : HY_BLOCK_BYTES;
}

/* ---- rows: arrays of an array ---- */

typedef void block_copy(JNIEnv *env, const hy_array *array, uint64_t offset, void *memory,
                        size_t len);

static void copy_rows(JNIEnv *env, const hy_array *rows, uint64_t offset, uint8_t *memory,
                      size_t len, block_copy *copy)
{
    for (size_t done = 0, n; done < len; done += n) {
        uint64_t at = offset + done, within = at % rows->block;
        n = rows->block - within < len - done ? rows->block - within : len - done;
        hy_array row = {
            .array = (*env)->GetObjectArrayElement(env, rows->array, (jsize)(at / rows->block)),
            .start = rows->start,
            .elements = rows->elements};
        for (size_t copied = 0, part; copied < n; copied += part) {
            part = block_at(copied, n);
            copy(env, &row, within + copied, memory + done + copied, part);
        }
        (*env)->DeleteLocalRef(env, row.array);
    }
}

static void write_out(JNIEnv *env, const hy_array *array, uint64_t offset, void *memory, size_t len)
{
    write_block(env, array, offset, memory, len);
}

/* ---- the functions of a buffer ---- */

static void array_read(void *handle, uint64_t offset, void *to, size_t len)
{
    const hy_array *array = handle;
    JNIEnv *env = env_of(array);
    if (!env) return;
    if (array->block) {
        copy_rows(env, array, offset, to, len, read_block);
        return;
    }
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
    if (array->block) {
        copy_rows(env, array, offset, (uint8_t *)(uintptr_t)from, len, write_out);
        return;
    }
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
    *copy = *array;
    copy->env = NULL;
    copy->array = (*env)->NewGlobalRef(env, array->array);
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

static uint8_t *array_pin(void *handle)
{
    const hy_array *array = handle;
    JNIEnv *env = array->block ? NULL : env_of(array);
    uint8_t *base = env ? enter_critical(env, array) : NULL;
    return base ? base + array->start : NULL;
}

static void array_unpin(void *handle, uint8_t *address, bool changed)
{
    const hy_array *array = handle;
    JNIEnv *env = env_of(array);
    (*env)->ReleasePrimitiveArrayCritical(env, array->array, address - array->start,
                                          changed ? 0 : JNI_ABORT);
}

const hy_managed_ops hy_array_ops = {
    .read = array_read,
    .write = array_write,
    .retain = array_retain,
    .release = array_release,
    .pin = array_pin,
    .unpin = array_unpin,
    .distance = array_distance,
};

/* ---- sections ---- */

/* The fields of io.hayate.internal.job.Blocks, found at the first use. */
typedef struct section_fields {
    jfieldID array, start, block, stride, count;
} section_fields;

static section_fields fields;
static pthread_once_t fields_once = PTHREAD_ONCE_INIT;

static void find_fields(void)
{
    JNIEnv *env = hy_java_env();
    jclass type = env ? (*env)->FindClass(env, "io/hayate/internal/job/Blocks") : NULL;
    if (!type) return;
    fields = (section_fields){
        .array = (*env)->GetFieldID(env, type, "array", "Ljava/lang/Object;"),
        .start = (*env)->GetFieldID(env, type, "start", "J"),
        .block = (*env)->GetFieldID(env, type, "block", "J"),
        .stride = (*env)->GetFieldID(env, type, "stride", "J"),
        .count = (*env)->GetFieldID(env, type, "count", "I"),
    };
}

hy_buffer hy_java_section(hy_java_memory *memory)
{
    JNIEnv *env = memory->array.env;
    jobject section = memory->array.array;
    pthread_once(&fields_once, find_fields);
    uint64_t block = (uint64_t)(*env)->GetLongField(env, section, fields.block);
    jlong stride = (*env)->GetLongField(env, section, fields.stride);
    memory->array = hy_array_of(env, (*env)->GetObjectField(env, section, fields.array),
                                (*env)->GetLongField(env, section, fields.start));
    if (stride < 0) {
        memory->joined = (hy_joined){.env = env,
                                     .parts = memory->array.array,
                                     .count = (*env)->GetIntField(env, section, fields.count)};
        return hy_joined_buffer(&memory->joined);
    }
    if (stride == 0) {
        memory->array.block = block;
        return hy_array_or_native(&memory->array);
    }
    memory->strided = (hy_strided){
        .inner = hy_array_or_native(&memory->array),
        .section = {.rows = (uint32_t)block,
                    .columns = (uint32_t)(*env)->GetIntField(env, section, fields.count),
                    .stride = (uint64_t)stride,
                    .element = 1}};
    return hy_strided_buffer(&memory->strided);
}
