/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays of a virtual machine that has no memory for critical regions: a table of JNI functions
 * that fails like it, over arrays that are memory of this test. */
#include "base/test.h"

#include <string.h>

#include "jni/array_buffer.c"

#define ROOM 4096

static uint8_t contents[ROOM];
static bool pending; /* an OutOfMemoryError: no function may be called but ExceptionClear() */
static int refused;

static void *JNICALL refuse_critical(JNIEnv *env, jarray array, jboolean *copied)
{
    (void)env, (void)array, (void)copied;
    refused++;
    pending = true;
    return NULL;
}

static void JNICALL clear(JNIEnv *env)
{
    (void)env;
    pending = false;
}

static void move(void *to, const void *from, jsize at, jsize n, size_t size)
{
    assert_false(pending);
    assert_in_range(at, 0, ROOM / size);
    assert_in_range(n, 0, ROOM / size - (size_t)at);
    memcpy(to, from, (size_t)n * size);
}

#define REGIONS(Name, type) \
    static void JNICALL get_##Name(JNIEnv *env, type##Array array, jsize at, jsize n, type *to) \
    { \
        (void)env, (void)array; \
        move(to, contents + (size_t)at * sizeof(type), at, n, sizeof(type)); \
    } \
    static void JNICALL set_##Name(JNIEnv *env, type##Array array, jsize at, jsize n, \
                                   const type *from) \
    { \
        (void)env, (void)array; \
        move(contents + (size_t)at * sizeof(type), from, at, n, sizeof(type)); \
    }

REGIONS(Byte, jbyte)
REGIONS(Int, jint)
REGIONS(Long, jlong)
REGIONS(Float, jfloat)
REGIONS(Double, jdouble)
REGIONS(Short, jshort)
REGIONS(Char, jchar)
REGIONS(Boolean, jboolean)

#define REGION(Name) .Get##Name##ArrayRegion = get_##Name, .Set##Name##ArrayRegion = set_##Name

static const struct JNINativeInterface_ functions = {
    .GetPrimitiveArrayCritical = refuse_critical,
    .ExceptionClear = clear,
    REGION(Byte),
    REGION(Int),
    REGION(Long),
    REGION(Float),
    REGION(Double),
    REGION(Short),
    REGION(Char),
    REGION(Boolean),
};

static JNIEnv machine = &functions;

JNIEnv *hy_java_env(void)
{
    return &machine;
}

hy_buffer hy_joined_buffer(hy_joined *joined)
{
    fail_msg("%d memories are joined, which no test here does", joined->count);
    return (hy_buffer){0};
}

static void fill(uint8_t *bytes, size_t n, int seed)
{
    for (size_t i = 0; i < n; i++) bytes[i] = (uint8_t)(i * 7 + (size_t)seed);
}

/* Every type; starts and lengths that cut elements; a few bytes and several blocks of them. */
static void check(hy_elements elements, uint64_t start, uint64_t offset, size_t n)
{
    hy_array array = {.env = &machine, .array = (jobject)contents, start, 0, elements};
    uint8_t model[ROOM], moved[ROOM], read[ROOM];
    fill(contents, ROOM, 1);
    memcpy(model, contents, ROOM);
    hy_array_ops.read(&array, offset, read, n);
    assert_memory_equal(read, model + start + offset, n);
    fill(moved, n, 99);
    hy_array_ops.write(&array, offset, moved, n);
    memcpy(model + start + offset, moved, n);
    assert_memory_equal(contents, model, ROOM);
    assert_false(pending);
}

TEST(should_copy_what_cannot_be_pinned)
{
    static const uint64_t starts[] = {0, 8, 1000}, offsets[] = {0, 3, 8};
    static const size_t lengths[] = {1, 7, 8, 256, 257, 264, 1000, 2047};
    refused = 0;
    for (int elements = HY_ELEMENTS_BYTE; elements <= HY_ELEMENTS_BOOLEAN; elements++)
        for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
            for (size_t j = 0; j < sizeof offsets / sizeof *offsets; j++)
                for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
                    check((hy_elements)elements, starts[i], offsets[j], lengths[k]);
    assert_true(refused > 0);
}

TEST(should_not_leave_an_exception_of_a_pin_behind)
{
    hy_array array = {.env = &machine, .array = (jobject)contents, 0, 0, HY_ELEMENTS_INT};
    assert_null(hy_array_ops.pin(&array));
    assert_false(pending);
}

int main(void)
{
    return tests_run();
}
