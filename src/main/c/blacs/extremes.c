/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reductions of amx and amn: elements, or records of an element and the distance of its process
 * behind the receiver. All commute and associate, NaN included, so that every schedule gives the
 * same result on all processes: NaN beats every number; of equal absolute values (and of two NaN)
 * the smaller distance wins, or without distances the larger element.
 */
#include <math.h>
#include <string.h>

#include "blacs/state.h"

#define SMALLER_DISTANCE(b, a) ((b).distance < (a).distance)
#define LARGER(b, a) ((b).value > (a).value)
#define LARGER_COMPLEX(b, a) \
    ((b).value[0] > (a).value[0] || ((b).value[0] == (a).value[0] && (b).value[1] > (a).value[1]))

static inline uint32_t size_int(int32_t x)
{
    return x < 0 ? 0u - (uint32_t)x : (uint32_t)x;
}
#define SIZE_INT(x) size_int((x).value)
#define SIZE_FLOAT(x) fabsf((x).value)
#define SIZE_DOUBLE(x) fabs((x).value)
#define SIZE_COMPLEX_FLOAT(x) (fabsf((x).value[0]) + fabsf((x).value[1]))
#define SIZE_COMPLEX_DOUBLE(x) (fabs((x).value[0]) + fabs((x).value[1]))

#define EXTREME(name, record, size, size_of, compare, tie) \
    static void name(void *inout, const void *in, size_t count, void *context) \
    { \
        record *restrict a = inout; \
        const record *restrict b = in; \
        (void)context; \
        for (size_t i = 0; i < count; i++) { \
            size mine = size_of(a[i]), its = size_of(b[i]); \
            bool nan = mine != mine, other = its != its; \
            if (nan || other ? other && (!nan || tie(b[i], a[i])) \
                             : its compare mine || (its == mine && tie(b[i], a[i]))) \
                a[i] = b[i]; \
        } \
    }

/* Between values and their records. */
#define RECORDS(name) \
    static void name##_pack(void *records, const void *values, size_t count, uint32_t distance) \
    { \
        name##_record *restrict to = records; \
        const name##_value *restrict from = values; \
        for (size_t i = 0; i < count; i++) { \
            memcpy(&to[i].value, &from[i].value, sizeof from[i].value); \
            to[i].distance = distance; \
        } \
    } \
    static void name##_unpack(const void *records, void *values, uint32_t *distances, \
                              size_t count) \
    { \
        const name##_record *restrict from = records; \
        name##_value *restrict to = values; \
        for (size_t i = 0; i < count; i++) { \
            memcpy(&to[i].value, &from[i].value, sizeof to[i].value); \
            distances[i] = from[i].distance; \
        } \
    }

/* Of a type: its two records, and the four reductions. */
#define TYPE(name, declarator, size, size_of, larger) \
    typedef struct name##_value { \
        declarator; \
    } name##_value; \
    typedef struct name##_record { \
        declarator; \
        uint32_t distance; \
    } name##_record; \
    EXTREME(name##_amx, name##_value, size, size_of, >, larger) \
    EXTREME(name##_amn, name##_value, size, size_of, <, larger) \
    EXTREME(name##_amx_record, name##_record, size, size_of, >, SMALLER_DISTANCE) \
    EXTREME(name##_amn_record, name##_record, size, size_of, <, SMALLER_DISTANCE) \
    RECORDS(name)

TYPE(i, int32_t value, uint32_t, SIZE_INT, LARGER)
TYPE(s, float value, float, SIZE_FLOAT, LARGER)
TYPE(d, double value, double, SIZE_DOUBLE, LARGER)
TYPE(c, float value[2], float, SIZE_COMPLEX_FLOAT, LARGER_COMPLEX)
TYPE(z, double value[2], double, SIZE_COMPLEX_DOUBLE, LARGER_COMPLEX)

typedef struct row {
    hy_reduce reduce[2][2]; /* [AMX, AMN][with locations] */
    hy_record_pack *pack;
    hy_record_unpack *unpack;
    uint32_t bytes, record_bytes;
} row;

#define ROW(name) \
    { \
        {{name##_amx, name##_amx_record}, {name##_amn, name##_amn_record}}, name##_pack, \
            name##_unpack, sizeof(name##_value), sizeof(name##_record) \
    }

static const row rows[HY_ELEMENTS] = {
    [HY_ELEMENT_INT] = ROW(i),
    [HY_ELEMENT_FLOAT] = ROW(s),
    [HY_ELEMENT_DOUBLE] = ROW(d),
    [HY_ELEMENT_COMPLEX_FLOAT] = ROW(c),
    [HY_ELEMENT_COMPLEX_DOUBLE] = ROW(z),
};

uint32_t hy_record_bytes(hy_element element)
{
    return rows[element].record_bytes;
}

hy_record_pack *hy_record_packer(hy_element element)
{
    return rows[element].pack;
}

hy_record_unpack *hy_record_unpacker(hy_element element)
{
    return rows[element].unpack;
}

int hy_extremes_open(hy_blacs *blacs)
{
    int rc = HAYATE_OK;
    for (int element = 0; element < HY_ELEMENTS; element++) {
        for (int kind = 0; kind < 4 && !rc; kind++) {
            const row *its = &rows[element];
            rc = hy_function_create(blacs->comms, its->reduce[kind / 2][kind % 2],
                                    kind % 2 ? its->record_bytes : its->bytes, NULL,
                                    &blacs->extremes[kind / 2][kind % 2][element]);
        }
    }
    return rc;
}
