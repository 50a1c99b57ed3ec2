/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records for the reductions with locations, FMPL_<type>_ABS_MAX_LOC and so on: the location is the
 * distance of the process behind the receiver.
 */
#include "blacs/state.h"

#define RECORDS(name, type) \
    static void name##_pack(void *records, const void *values, size_t count, int32_t distance) \
    { \
        fmpl_##name##_int_t *restrict to = records; \
        const type *restrict from = values; \
        for (size_t i = 0; i < count; i++) { \
            to[i].value = from[i]; \
            to[i].location = distance; \
        } \
    } \
    static void name##_unpack(const void *records, void *values, int32_t *distances, size_t count) \
    { \
        const fmpl_##name##_int_t *restrict from = records; \
        type *restrict to = values; \
        for (size_t i = 0; i < count; i++) { \
            to[i] = from[i].value; \
            distances[i] = from[i].location; \
        } \
    }

RECORDS(int, int32_t)
RECORDS(float, float)
RECORDS(double, double)
RECORDS(complex_float, fmpl_complex_float_t)
RECORDS(complex_double, fmpl_complex_double_t)

#define ROW(name) \
    { \
        name##_pack, name##_unpack, sizeof(fmpl_##name##_int_t) \
    }

static const hy_records rows[HY_ELEMENTS] = {
    [HY_ELEMENT_INT] = ROW(int),
    [HY_ELEMENT_FLOAT] = ROW(float),
    [HY_ELEMENT_DOUBLE] = ROW(double),
    [HY_ELEMENT_COMPLEX_FLOAT] = ROW(complex_float),
    [HY_ELEMENT_COMPLEX_DOUBLE] = ROW(complex_double),
};

const hy_records *hy_records_of(hy_element element)
{
    return &rows[element];
}
