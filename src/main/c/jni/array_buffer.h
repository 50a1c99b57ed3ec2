/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A range of a Java array as a buffer of FMPL without an address. The garbage collector may move an
 * array, so its bytes are copied in blocks, each inside a short critical region in which nothing
 * waits and no other JNI function is called. A few whole elements are copied by the JNI function of
 * their type instead, which is one call and not two.
 */
#ifndef HY_JNI_ARRAY_BUFFER_H
#define HY_JNI_ARRAY_BUFFER_H

#include <jni.h>

#include "jni/joined_buffer.h"
#include "msg/msg.h"

/* The type of an array's elements, numbered as in io.hayate.internal.bindings.MemoryBinding. */
typedef enum hy_elements {
    HY_ELEMENTS_NONE, /* no array, or an empty one */
    HY_ELEMENTS_BYTE,
    HY_ELEMENTS_INT,
    HY_ELEMENTS_LONG,
    HY_ELEMENTS_FLOAT,
    HY_ELEMENTS_DOUBLE,
    HY_ELEMENTS_SHORT,
    HY_ELEMENTS_CHAR,
    HY_ELEMENTS_BOOLEAN
} hy_elements;

/* Lives on the stack of a call; retain() makes a copy of what must outlive the call. */
typedef struct hy_array {
    JNIEnv *env; /* of the call's thread, and used only by it; NULL in a retained copy */
    jobject array;
    uint64_t start; /* bytes from the first element; the address if array is NULL */
    uint64_t block; /* not 0: an array of arrays: the bytes that are meant of each */
    hy_elements elements;
} hy_array;

/* Memory that Java has passed: an array, an address or Blocks. Lives on the stack of a call. */
typedef struct hy_java_memory {
    hy_array array;
    hy_strided strided;
    hy_joined joined;
} hy_java_memory;

extern const hy_managed_ops hy_array_ops;

/* Java passes the type of an array's elements above the offset in bytes. Addresses are below. */
#define HY_ELEMENTS_SHIFT 56

static inline hy_array hy_array_of(JNIEnv *env, jobject array, jlong start)
{
    uint64_t elements = (uint64_t)start >> HY_ELEMENTS_SHIFT;
    return (hy_array){.env = env,
                      .array = array,
                      .start = (uint64_t)start & ((UINT64_C(1) << HY_ELEMENTS_SHIFT) - 1),
                      .elements = (hy_elements)elements};
}

/* Of Blocks, which memory->array is. */
hy_buffer hy_java_section(hy_java_memory *memory);

static inline hy_buffer hy_array_buffer(hy_array *array)
{
    return (hy_buffer){.managed = &hy_array_ops, .handle = array};
}

/* The buffer of an array or, if that is NULL, of native memory: then its start is the address. */
static inline hy_buffer hy_array_or_native(hy_array *range)
{
    if (range->array) return hy_array_buffer(range);
    return (hy_buffer){.address = (void *)(uintptr_t)range->start};
}

/* The buffer of an io.hayate.internal.job.Memory with these fields. */
static inline hy_buffer hy_java_buffer(hy_java_memory *memory, JNIEnv *env, jobject array,
                                       jlong start)
{
    memory->array = hy_array_of(env, array, start);
    return hy_likely(start >= 0) ? hy_array_or_native(&memory->array) : hy_java_section(memory);
}

#endif
