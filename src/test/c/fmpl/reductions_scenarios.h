/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions of all types against a reference, and by functions of the user. */
#ifndef HY_TEST_REDUCTIONS_SCENARIOS_H
#define HY_TEST_REDUCTIONS_SCENARIOS_H

#include <math.h>

#include "fmpl/clubs_fixture.h"

/* ---- reductions against a reference ---- */

typedef enum operation {
    SUM,
    PROD,
    MAX,
    MIN,
    ABS_MAX,
    ABS_MIN,
    LAND,
    LOR,
    LXOR,
    BAND,
    BOR,
    BXOR,
    MAX_LOC,
    MIN_LOC,
    ABS_MAX_LOC,
    ABS_MIN_LOC
} operation;

typedef enum type {
    INT,
    LONG,
    FLOAT,
    DOUBLE,
    COMPLEX_FLOAT,
    COMPLEX_DOUBLE,
    BYTE,
    SHORT,
    CHAR,
    BOOLEAN
} type;

/* An element of any type. */
typedef struct element {
    int64_t whole;
    double re, im;
    int32_t location;
} element;

#define OF(type, operation) \
    { \
        FMPL_##type##_##operation, type, operation \
    }
#define OF_ALL(type) \
    OF(type, SUM), OF(type, PROD), OF(type, ABS_MAX), OF(type, ABS_MIN), OF(type, ABS_MAX_LOC), \
        OF(type, ABS_MIN_LOC)
#define OF_ORDERED(type) \
    OF_ALL(type), OF(type, MAX), OF(type, MIN), OF(type, MAX_LOC), OF(type, MIN_LOC)
#define OF_LOGICAL(type) OF(type, LAND), OF(type, LOR), OF(type, LXOR)
#define OF_BITS(type) OF_LOGICAL(type), OF(type, BAND), OF(type, BOR), OF(type, BXOR)
#define OF_INTEGER(type) OF_ORDERED(type), OF_BITS(type)
#define OF_SMALL(type) OF(type, SUM), OF(type, PROD), OF(type, MAX), OF(type, MIN), OF_BITS(type)

typedef struct reduction {
    fmpl_op_t op;
    type type;
    operation operation;
} reduction;

static const reduction reductions[] = {
    OF_INTEGER(INT),       OF_INTEGER(LONG),       OF_ORDERED(FLOAT),  OF_ORDERED(DOUBLE),
    OF_ALL(COMPLEX_FLOAT), OF_ALL(COMPLEX_DOUBLE), OF_SMALL(BYTE),     OF_SMALL(SHORT),
    OF_SMALL(CHAR),        OF_LOGICAL(BOOLEAN),    OF(SHORT, MAX_LOC), OF(SHORT, MIN_LOC)};
_Static_assert(sizeof reductions / sizeof *reductions == FMPL_OP_COUNT, "has every reduction");

static const reduction *row_of(fmpl_op_t op)
{
    static const reduction *last = reductions;
    if (last->op != op)
        for (last = reductions; last->op != op;) last++;
    return last;
}

static type type_of(fmpl_op_t op)
{
    return row_of(op)->type;
}

static operation operation_of(fmpl_op_t op)
{
    return row_of(op)->operation;
}

static bool has_location(fmpl_op_t op)
{
    return operation_of(op) >= MAX_LOC;
}

static size_t value_width(fmpl_op_t op)
{
    static const size_t widths[] = {4, 8, 4, 8, 8, 16, 1, 2, 2, 1};
    return widths[type_of(op)];
}

static size_t location_of(fmpl_op_t op)
{
    return type_of(op) == SHORT ? offsetof(fmpl_short_int_t, location) : value_width(op);
}

static size_t width_of(fmpl_op_t op)
{
    static const size_t pairs[] = {8, 16, 8, 16, 12, 24, 0, 8};
    return has_location(op) ? pairs[type_of(op)] : value_width(op);
}

static bool is_integer(fmpl_op_t op)
{
    return type_of(op) <= LONG || type_of(op) >= BYTE;
}

static bool is_complex(fmpl_op_t op)
{
    return type_of(op) == COMPLEX_FLOAT || type_of(op) == COMPLEX_DOUBLE;
}

static void put(void *array, size_t i, fmpl_op_t op, element x)
{
    const float singles[] = {(float)x.re, (float)x.im};
    const double doubles[] = {x.re, x.im};
    const int32_t narrow = (int32_t)x.whole;
    const int8_t byte = (int8_t)x.whole;
    const int16_t half = (int16_t)x.whole;
    const void *const values[] = {&narrow, &x.whole, singles, doubles, singles,
                                  doubles, &byte,    &half,   &half,   &byte};
    uint8_t *at = (uint8_t *)array + i * width_of(op);
    memset(at, 0, width_of(op));
    memcpy(at, values[type_of(op)], value_width(op));
    if (has_location(op)) memcpy(at + location_of(op), &x.location, sizeof x.location);
}

/* What an element of the type holds of a whole number. */
static int64_t held(fmpl_op_t op, int64_t whole)
{
    switch (type_of(op)) {
    case INT: return (int32_t)whole;
    case BYTE: return (int8_t)whole;
    case SHORT: return (int16_t)whole;
    case CHAR: return (uint16_t)whole;
    case BOOLEAN: return (uint8_t)whole;
    default: return whole;
    }
}

/* Whole numbers of both signs, often equal in absolute value, so that sums and products are exact;
 * now and then the extremes, zeros of both signs and NaN. */
static element value_of(int who, size_t i, fmpl_op_t op)
{
    uint64_t x = word_at((uint64_t)who * 131 + (uint64_t)op, i), kind = x >> 40 & 31;
    element e = {.whole = (int64_t)(x % 9) - 4, .location = (int)((who * 3 + i) % 16) - 8};
    e.re = (double)e.whole;
    if (is_complex(op)) e.im = (double)(x / 9 % 9) - 4;
    if (kind == 0) e.whole = type_of(op) == INT ? INT32_MIN : INT64_MIN;
    if (kind == 1) e.whole = type_of(op) == INT ? INT32_MAX : INT64_MAX;
    if (kind == 2) e.whole = (int64_t)x;
    e.whole = held(op, e.whole);
    if (kind < 4) e.re = kind % 2 ? -0.0 : 0.0;
    if (kind == 4 && x % 4 == 0) e.re = NAN;
    if (kind == 5 && x % 4 == 0 && is_complex(op)) e.im = NAN;
    return e;
}

static bool is_nan(element x)
{
    return isnan(x.re) || isnan(x.im);
}

/* -1, 0, 1: how x compares to y by value, +0 being larger than -0. */
static int order_real(double x, double y)
{
    if (x != y) return x < y ? -1 : 1;
    return !signbit(x) - !signbit(y);
}

static int order_value(fmpl_op_t op, element x, element y)
{
    if (is_integer(op)) return (x.whole > y.whole) - (x.whole < y.whole);
    int real = order_real(x.re, y.re);
    return x.re == y.re && x.im != y.im ? order_real(x.im, y.im)
           : real                       ? real
                                        : order_real(x.im, y.im);
}

static int order_absolute(fmpl_op_t op, element x, element y)
{
    if (!is_integer(op)) {
        double p = fabs(x.re) + fabs(x.im), q = fabs(y.re) + fabs(y.im);
        return (p > q) - (p < q);
    }
    __int128 p = x.whole < 0 ? -(__int128)x.whole : x.whole;
    __int128 q = y.whole < 0 ? -(__int128)y.whole : y.whole;
    return (p > q) - (p < q);
}

/* Whether x is to be taken rather than y. */
static bool is_better(fmpl_op_t op, element x, element y)
{
    operation what = operation_of(op);
    bool absolute = what == ABS_MAX || what == ABS_MIN || what >= ABS_MAX_LOC;
    bool smallest = what == MIN || what == ABS_MIN || what == MIN_LOC || what == ABS_MIN_LOC;
    int order = absolute ? order_absolute(op, x, y) : order_value(op, x, y);
    if (!is_integer(op) && (is_nan(x) || is_nan(y))) {
        if (is_nan(x) != is_nan(y)) return is_nan(x);
        return x.location < y.location;
    }
    if (has_location(op)) {
        if (!absolute && x.re == y.re && !is_integer(op)) order = 0; /* +0 and -0 are equal */
        return order ? (order > 0) != smallest : x.location < y.location;
    }
    if (order) return (order > 0) != smallest;
    return absolute && order_value(op, x, y) > 0;
}

static element compute(fmpl_op_t op, element x, element y)
{
    element r = x;
    uint64_t p = (uint64_t)x.whole, q = (uint64_t)y.whole;
    switch (operation_of(op)) {
    case SUM: return (element){(int64_t)(p + q), x.re + y.re, x.im + y.im, 0};
    case PROD:
        return (element){(int64_t)(p * q), is_complex(op) ? x.re * y.re - x.im * y.im : x.re * y.re,
                         x.re * y.im + x.im * y.re, 0};
    case LAND: r.whole = x.whole && y.whole; return r;
    case LOR: r.whole = x.whole || y.whole; return r;
    case LXOR: r.whole = !x.whole != !y.whole; return r;
    case BAND: r.whole = x.whole & y.whole; return r;
    case BOR: r.whole = x.whole | y.whole; return r;
    case BXOR: r.whole = x.whole ^ y.whole; return r;
    default: return is_better(op, y, x) ? y : x;
    }
}

static element expected_at(int club_number, size_t i, fmpl_op_t op)
{
    element result = {0};
    bool first = true;
    for (int r = 0; r < size; r++) {
        if (!belongs(club_number, r)) continue;
        element x = value_of(r, i, op);
        int kind = operation_of(op);
        if (kind == LAND || kind == LOR || kind == LXOR) x.whole = x.whole != 0;
        result = first ? x : compute(op, result, x);
        result.whole = held(op, result.whole);
        first = false;
    }
    return result;
}

static bool same_real(fmpl_op_t op, double x, double y)
{
    if (isnan(x) || isnan(y)) return isnan(x) && isnan(y);
    return x == y && (operation_of(op) <= PROD || !signbit(x) == !signbit(y));
}

/* Of a NaN any; of a complex number that has one, both parts after two members' choice. */
static bool same_element(fmpl_op_t op, const uint8_t *x, const uint8_t *y)
{
    size_t width = value_width(op), parts = is_complex(op) ? 2 : 1, place = location_of(op);
    if (has_location(op) && memcmp(x + place, y + place, 4) != 0) return false;
    if (is_integer(op)) return memcmp(x, y, width) == 0;
    bool nan = false, other_nan = false, same = true;
    for (size_t i = 0; i < parts; i++) {
        float f[2];
        double d[2];
        memcpy(f, x + i * (width / parts), width / parts < 8 ? 4 : 0);
        memcpy(f + 1, y + i * (width / parts), width / parts < 8 ? 4 : 0);
        memcpy(d, x + i * (width / parts), width / parts == 8 ? 8 : 0);
        memcpy(d + 1, y + i * (width / parts), width / parts == 8 ? 8 : 0);
        if (width / parts == 4) d[0] = f[0], d[1] = f[1];
        nan |= isnan(d[0]), other_nan |= isnan(d[1]);
        same &= same_real(op, d[0], d[1]);
    }
    return nan || other_nan ? nan && other_nan : same;
}

static bool same_elements(fmpl_op_t op, const uint8_t *x, const uint8_t *y, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!same_element(op, x + i * width_of(op), y + i * width_of(op))) return false;
    return true;
}

typedef struct arrays {
    uint8_t *buffer, *before, *expected, *work;
} arrays;

static void arrays_fill(arrays *a, int club_number, size_t count, fmpl_op_t op)
{
    size_t bytes = count * width_of(op);
    for (size_t i = 0; i < count; i++) {
        put(a->before, i, op, value_of(rank, i, op));
        put(a->expected, i, op, expected_at(club_number, i, op));
    }
    memcpy(a->buffer, a->before, bytes);
    a->buffer[bytes] = 0xee;
}

static void reduce_all(arrays *a, int club_number, size_t count, fmpl_op_t op, bool with_work)
{
    int ier = 1;
    size_t bytes = count * width_of(op);
    const club *c = &clubs[club_number];
    void *work = with_work ? a->work : NULL;
    arrays_fill(a, club_number, count, op);
    CALL_OK(fmpl_allreduce(a->buffer, count, op, c->comm, work, &ier));
    CHECK(same_elements(op, a->buffer, a->expected, count) && a->buffer[bytes] == 0xee);
    for (int root = 0; root < c->size; root++) {
        memcpy(a->buffer, a->before, bytes);
        CALL_OK(fmpl_reduce(a->buffer, count, op, root, c->comm, work, &ier));
        if (c->rank == root) CHECK(same_elements(op, a->buffer, a->expected, count));
        else CHECK(memcmp(a->buffer, a->before, bytes) == 0);
        CHECK(a->buffer[bytes] == 0xee);
    }
}

SCENARIO(should_reduce_every_type_by_every_operation)
{
    static const size_t counts[] = {0, 1, 3, 6, 7, 513, 2100};
    for (int kind = 0; kind < 4; kind++) {
        bool heap = kind & 1, work_heap = kind & 2;
        arrays a = {memory_of(heap, 60000), memory_of(false, 60000), memory_of(false, 60000),
                    memory_of(work_heap, 60000)};
        for (int i = 0; i < COMMS; i++) {
            for (fmpl_op_t op = 0; op < FMPL_OP_COUNT && clubs[i].size; op++) {
                size_t n = (size_t)(kind + op) % 7;
                reduce_all(&a, i, counts[n], op, kind > 1);
                if (op % 2) reduce_all(&a, i, counts[(n + 3) % 7], op, kind % 2);
            }
        }
        memory_free(heap, a.buffer);
        memory_free(work_heap, a.work);
        free(a.before);
        free(a.expected);
    }
}

SCENARIO(should_reduce_large_arrays)
{
    static const size_t counts[] = {8192, 32768, 131072};
    for (int heap = 0; heap < 2; heap++) {
        arrays a = {memory_of(heap, MIB), memory_of(false, MIB), memory_of(false, MIB),
                    memory_of(!heap, MIB)};
        for (int i = 0; i < 2; i++) {
            for (int n = 0; n < 3 && clubs[i].size; n++)
                reduce_all(&a, i, counts[n], n == 1 ? FMPL_FLOAT_ABS_MAX : FMPL_DOUBLE_SUM, n % 2);
        }
        memory_free(heap, a.buffer);
        memory_free(!heap, a.work);
        free(a.before);
        free(a.expected);
    }
}

SCENARIO(should_take_the_element_of_largest_absolute_value)
{
    int ier = 1;
    int32_t whole[] = {rank == 0 ? -5 : 5, rank == 0 ? INT32_MIN : INT32_MAX, rank == 0 ? -7 : 3};
    double real[] = {rank == 0 ? -1.5 : 1.5, rank == 0 ? -9 : 2};
    CALL_OK(fmpl_allreduce(whole, 3, FMPL_INT_ABS_MAX, FMPL_COMM_WORLD, NULL, &ier));
    CHECK(size == 1 || whole[0] == 5);
    CHECK(whole[1] == INT32_MIN && whole[2] == -7);
    CALL_OK(fmpl_allreduce(real, 2, FMPL_DOUBLE_ABS_MIN, FMPL_COMM_WORLD, NULL, &ier));
    CHECK(size == 1 || (real[0] == 1.5 && real[1] == 2));
    int32_t sum = INT32_MAX;
    fmpl_allreduce(&sum, 1, FMPL_INT_SUM, FMPL_COMM_WORLD, NULL, &ier);
    CHECK(sum == (int32_t)((uint32_t)INT32_MAX * (uint32_t)size));
}

/* The order of the additions must not differ between the ranks. */
SCENARIO(should_give_all_the_same_bits)
{
    static const size_t counts[] = {1, 5, 600, 1024, 40000};
    for (int n = 0; n < 5; n++) {
        size_t bytes = counts[n] * sizeof(double);
        double *mine = (double *)(void *)memory_of(n % 2, bytes), *first = malloc(bytes);
        int ier = 1;
        for (size_t i = 0; i < counts[n]; i++) mine[i] = 1.0 / (double)(3 + i + (size_t)rank * 7);
        CALL_OK(fmpl_allreduce(mine, counts[n], FMPL_DOUBLE_SUM, FMPL_COMM_WORLD, NULL, &ier));
        memcpy(first, mine, bytes);
        CALL_OK(fmpl_bcast(first, bytes, 0, FMPL_COMM_WORLD, &ier));
        CHECK(memcmp(first, mine, bytes) == 0);
        memory_free(n % 2, mine);
        free(first);
    }
}

/* ---- user functions ---- */

typedef struct record {
    double sum;
    int64_t most;
    char tag[5];
} record;

static void merge(void *inout, const void *in, size_t count, void *context)
{
    *(uint64_t *)context += count;
    for (size_t i = 0; i < count; i++) {
        record a, b; /* elements need not be aligned */
        memcpy(&a, (uint8_t *)inout + i * sizeof a, sizeof a);
        memcpy(&b, (const uint8_t *)in + i * sizeof b, sizeof b);
        a.sum += b.sum;
        if (b.most > a.most) a.most = b.most;
        for (int k = 0; k < 5; k++) a.tag[k] = (char)(a.tag[k] | b.tag[k]);
        memcpy((uint8_t *)inout + i * sizeof a, &a, sizeof a);
    }
}

SCENARIO(should_reduce_by_a_function_of_the_user)
{
    static const size_t counts[] = {1, 2, 170, 171, 3000};
    uint64_t calls = 0;
    fmpl_op_t op;
    int ier = 1;
    CALL_OK(fmpl_function_create(merge, sizeof(record), &calls, &op, &ier));
    for (int n = 0; n < 10; n++) {
        size_t count = counts[n / 2];
        record *list = (record *)(void *)memory_of(n % 2, count * sizeof *list);
        memset(list, 0, count * sizeof *list);
        for (size_t i = 0; i < count; i++) {
            list[i] = (record){rank + (double)i, rank, {0}};
            list[i].tag[rank % 5] = 'x';
        }
        CALL_OK(fmpl_allreduce(list, count, op, FMPL_COMM_WORLD, NULL, &ier));
        for (size_t i = 0; i < count; i++) {
            CHECK(list[i].sum == size * (size - 1) / 2.0 + (double)(i * (size_t)size));
            CHECK(list[i].most == size - 1);
            for (int k = 0; k < 5; k++) CHECK((list[i].tag[k] == 'x') == (k < size));
        }
        memory_free(n % 2, list);
    }
    CHECK(rank > 0 || size == 1 || calls > 0);
    CALL_OK(fmpl_function_free(op, &ier));
    CALL_CODE(fmpl_function_free(op, &ier), HAYATE_ERR_ARGUMENT);
}

SCENARIO(should_limit_functions)
{
    fmpl_op_t ops[65];
    uint64_t calls = 0;
    int ier = 1, made = 0;
    for (ier = 0; made < 65 && ier == 0; made += ier == 0)
        fmpl_function_create(merge, 1 + (size_t)made, &calls, &ops[made], &ier);
    CHECK_CODE(ier, HAYATE_ERR_NO_MEMORY);
    CHECK(made == 64);
    while (made-- > 0) CALL_OK(fmpl_function_free(ops[made], &ier));
    static const size_t units[] = {0, 4097, SIZE_MAX};
    for (int i = 0; i < 3; i++)
        CALL_CODE(fmpl_function_create(merge, units[i], NULL, ops, &ier), HAYATE_ERR_ARGUMENT);
    CALL_CODE(fmpl_function_create(NULL, 8, NULL, ops, &ier), HAYATE_ERR_ARGUMENT);
    CALL_CODE(fmpl_function_free(FMPL_DOUBLE_SUM, &ier), HAYATE_ERR_ARGUMENT);
}

#endif
