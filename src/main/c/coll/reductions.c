/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The predefined reductions: one loop per type and operation, simple enough for the compiler to
 * vectorise. The results must not depend on the order of the ranks, as different members combine
 * in different orders. So every choice between two elements is one of a total order: it also
 * decides between +0 and -0, and what happens to NaN.
 */
#include "coll/reductions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* a[i] = `result`, an expression of a[i] and b[i]. */
#define LOOP(name, type, result) \
    static void name(void *inout, const void *in, size_t count, void *context) \
    { \
        type *restrict a = inout; \
        const type *restrict b = in; \
        (void)context; \
        for (size_t i = 0; i < count; i++) a[i] = (result); \
    }

/* A choice of the better element: the loops differ in `type` and `better` only. */
#define CHOICE(name, type, better) LOOP(name, type, better(b[i], a[i]) ? b[i] : a[i])

/* a[i] = `result`, an expression of a[i]: what the result is if there is one element only. */
#define NORMAL(name, type, result) \
    static void name##_normal(void *inout, size_t count) \
    { \
        type *a = inout; \
        for (size_t i = 0; i < count; i++) a[i] = (result); \
    }

#define ITSELF(x) (x)

/* ---- integers ---- */

/* Absolute values, in a type that holds all of them: |INT_MIN| is not an int. */
static inline uint32_t abs_int(int32_t x)
{
    return x < 0 ? 0u - (uint32_t)x : (uint32_t)x;
}
static inline uint64_t abs_long(int64_t x)
{
    return x < 0 ? 0u - (uint64_t)x : (uint64_t)x;
}

#define LARGER(x, y) ((x) > (y))
#define SMALLER(x, y) ((x) < (y))
#define ABS_BETTER(name, compare, x, y) \
    (abs_##name(x) compare abs_##name(y) || (abs_##name(x) == abs_##name(y) && (x) > (y)))
#define INT_ABS_LARGER(x, y) ABS_BETTER(int, >, x, y)
#define INT_ABS_SMALLER(x, y) ABS_BETTER(int, <, x, y)
#define LONG_ABS_LARGER(x, y) ABS_BETTER(long, >, x, y)
#define LONG_ABS_SMALLER(x, y) ABS_BETTER(long, <, x, y)

/* Sums and products wrap around, as in Java; `wide` is the unsigned type for which C defines that.
 */
#define LOGICAL(name, type) \
    NORMAL(name, type, a[i] != 0) \
    LOOP(name##_land, type, (a[i] != 0) & (b[i] != 0)) \
    LOOP(name##_lor, type, (a[i] != 0) | (b[i] != 0)) \
    LOOP(name##_lxor, type, (a[i] != 0) ^ (b[i] != 0))
#define SMALL(name, type, wide) \
    LOGICAL(name, type) \
    LOOP(name##_sum, type, (type)((wide)a[i] + (wide)b[i])) \
    LOOP(name##_prod, type, (type)((wide)a[i] * (wide)b[i])) \
    CHOICE(name##_max, type, LARGER) \
    CHOICE(name##_min, type, SMALLER) \
    LOOP(name##_band, type, (type)(a[i] & b[i])) \
    LOOP(name##_bor, type, (type)(a[i] | b[i])) \
    LOOP(name##_bxor, type, (type)(a[i] ^ b[i]))
#define INTEGER(name, NAME, type, wide) \
    SMALL(name, type, wide) \
    CHOICE(name##_abs_max, type, NAME##_ABS_LARGER) \
    CHOICE(name##_abs_min, type, NAME##_ABS_SMALLER)

INTEGER(int, INT, int32_t, uint32_t)
INTEGER(long, LONG, int64_t, uint64_t)
SMALL(byte, int8_t, uint32_t)
SMALL(short, int16_t, uint32_t)
SMALL(char, uint16_t, uint32_t)
LOGICAL(boolean, uint8_t)

/* ---- real numbers ---- */

/* Of two numbers that are equal except for their signs, the larger one has the sign bit if both
 * have it, and the smaller one if one of them has it. That needs no comparison, and so a loop has
 * few enough of them to be vectorised. */
#define SIGNS(name, type, word) \
    static inline type name##_and(type x, type y) \
    { \
        word p, q; \
        memcpy(&p, &x, sizeof p); \
        memcpy(&q, &y, sizeof q); \
        p &= q; \
        memcpy(&x, &p, sizeof x); \
        return x; \
    } \
    static inline type name##_or(type x, type y) \
    { \
        word p, q; \
        memcpy(&p, &x, sizeof p); \
        memcpy(&q, &y, sizeof q); \
        p |= q; \
        memcpy(&x, &p, sizeof x); \
        return x; \
    }

#define REAL_CHOICE(name, type, key_of, compare, tie_of) \
    static inline type name##_of(type x, type y) \
    { \
        const type p = key_of(x), q = key_of(y), tie = tie_of(x, y); \
        const type other = q compare p ? y : x; \
        const type chosen = p == q ? tie : other; \
        return isunordered(x, y) ? (type)NAN : chosen; \
    } \
    LOOP(name, type, name##_of(a[i], b[i]))

#define REAL(name, type, word, abs_of) \
    SIGNS(name, type, word) \
    LOOP(name##_sum, type, a[i] + b[i]) \
    LOOP(name##_prod, type, a[i] * b[i]) \
    REAL_CHOICE(name##_max, type, ITSELF, >, name##_and) \
    REAL_CHOICE(name##_min, type, ITSELF, <, name##_or) \
    REAL_CHOICE(name##_abs_max, type, abs_of, >, name##_and) \
    REAL_CHOICE(name##_abs_min, type, abs_of, <, name##_and)

REAL(float, float, uint32_t, fabsf)
REAL(double, double, uint64_t, fabs)

/* ---- complex numbers ---- */

/* The real part, then the imaginary part; then +0 before -0 in the same order. */
#define COMPLEX(name, real, abs_of) \
    typedef fmpl_##name##_t name; \
    static inline real abs_##name(name x) \
    { \
        return abs_of(x.re) + abs_of(x.im); \
    } \
    static inline bool name##_is_larger(name x, name y) \
    { \
        if (x.re != y.re) return x.re > y.re; \
        if (x.im != y.im) return x.im > y.im; \
        if (!signbit(x.re) != !signbit(y.re)) return signbit(y.re); \
        return signbit(y.im) && !signbit(x.im); \
    } \
    static inline name name##_abs_pick(name x, name y, bool largest) \
    { \
        const real p = abs_##name(x), q = abs_##name(y); \
        if (isunordered(p, q)) return (name){(real)NAN, (real)NAN}; \
        if (p == q) return name##_is_larger(y, x) ? y : x; \
        return (q > p) == largest ? y : x; \
    } \
    static inline name name##_times(name x, name y) \
    { \
        return (name){x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re}; \
    } \
    NORMAL(name, name, name##_abs_pick(a[i], a[i], true)) \
    LOOP(name##_sum, name, ((name){a[i].re + b[i].re, a[i].im + b[i].im})) \
    LOOP(name##_prod, name, name##_times(a[i], b[i])) \
    LOOP(name##_abs_max, name, name##_abs_pick(a[i], b[i], true)) \
    LOOP(name##_abs_min, name, name##_abs_pick(a[i], b[i], false))

COMPLEX(complex_float, float, fabsf)
COMPLEX(complex_double, double, fabs)

/* ---- pairs of a value and a location ---- */

#define NEVER(x) false

/* NaN wins; then the better key; then the smaller location. Two pairs of the same location are
 * distinguished by the bytes of their values. Most elements stay: only the others are written. */
#define LOCATION(name, type, key_type, key_of, is_nan, compare) \
    static inline bool name##_precedes(const type *x, const type *y) \
    { \
        if (x->location != y->location) return x->location < y->location; \
        return memcmp(&x->value, &y->value, sizeof x->value) < 0; \
    } \
    static inline bool name##_better(const type *x, const type *y) \
    { \
        const key_type p = key_of(x->value), q = key_of(y->value); \
        const bool nan = is_nan(p), other = is_nan(q); \
        if (nan || other) return nan && (!other || name##_precedes(x, y)); \
        return p compare q || (p == q && name##_precedes(x, y)); \
    } \
    static void name(void *inout, const void *in, size_t count, void *context) \
    { \
        type *restrict a = inout; \
        const type *restrict b = in; \
        (void)context; \
        for (size_t i = 0; i < count; i++) \
            if (name##_better(&b[i], &a[i])) a[i] = b[i]; \
    }

#define ABS_LOCATIONS(name, key_type, key_of, is_nan) \
    LOCATION(name##_abs_max_loc, fmpl_##name##_int_t, key_type, key_of, is_nan, >) \
    LOCATION(name##_abs_min_loc, fmpl_##name##_int_t, key_type, key_of, is_nan, <)
#define LOCATIONS(name, type, is_nan) \
    LOCATION(name##_max_loc, fmpl_##name##_int_t, type, ITSELF, is_nan, >) \
    LOCATION(name##_min_loc, fmpl_##name##_int_t, type, ITSELF, is_nan, <)

LOCATIONS(short, int16_t, NEVER)
LOCATIONS(int, int32_t, NEVER)
LOCATIONS(long, int64_t, NEVER)
LOCATIONS(float, float, isnan)
LOCATIONS(double, double, isnan)
ABS_LOCATIONS(int, uint32_t, abs_int, NEVER)
ABS_LOCATIONS(long, uint64_t, abs_long, NEVER)
ABS_LOCATIONS(float, float, fabsf, isnan)
ABS_LOCATIONS(double, double, fabs, isnan)
ABS_LOCATIONS(complex_float, float, abs_complex_float, isnan)
ABS_LOCATIONS(complex_double, double, abs_complex_double, isnan)

/* ---- the table ---- */

#define ROW_NORMAL(NAME, function, type, normal) \
    [FMPL_##NAME] = {function, NULL, sizeof(type), _Alignof(type), normal}
#define ROW(NAME, function, type) ROW_NORMAL(NAME, function, type, NULL)
#define ROWS(NAME, name, type, normal) \
    ROW(NAME##_SUM, name##_sum, type), ROW(NAME##_PROD, name##_prod, type), \
        ROW_NORMAL(NAME##_ABS_MAX, name##_abs_max, type, normal), \
        ROW_NORMAL(NAME##_ABS_MIN, name##_abs_min, type, normal), \
        ROW(NAME##_ABS_MAX_LOC, name##_abs_max_loc, fmpl_##name##_int_t), \
        ROW(NAME##_ABS_MIN_LOC, name##_abs_min_loc, fmpl_##name##_int_t)
#define ROWS_MOST(NAME, name, type) \
    ROW(NAME##_MAX, name##_max, type), ROW(NAME##_MIN, name##_min, type)
#define ROWS_LOCATED(NAME, name) \
    ROW(NAME##_MAX_LOC, name##_max_loc, fmpl_##name##_int_t), \
        ROW(NAME##_MIN_LOC, name##_min_loc, fmpl_##name##_int_t)
#define ROWS_ORDERED(NAME, name, type) \
    ROWS(NAME, name, type, NULL), ROWS_MOST(NAME, name, type), ROWS_LOCATED(NAME, name)
#define ROWS_LOGICAL(NAME, name, type) \
    ROW_NORMAL(NAME##_LAND, name##_land, type, name##_normal), \
        ROW_NORMAL(NAME##_LOR, name##_lor, type, name##_normal), \
        ROW_NORMAL(NAME##_LXOR, name##_lxor, type, name##_normal)
#define ROWS_BITS(NAME, name, type) \
    ROWS_LOGICAL(NAME, name, type), ROW(NAME##_BAND, name##_band, type), \
        ROW(NAME##_BOR, name##_bor, type), ROW(NAME##_BXOR, name##_bxor, type)
#define ROWS_INTEGER(NAME, name, type) ROWS_ORDERED(NAME, name, type), ROWS_BITS(NAME, name, type)
#define ROWS_SMALL(NAME, name, type) \
    ROW(NAME##_SUM, name##_sum, type), ROW(NAME##_PROD, name##_prod, type), \
        ROWS_MOST(NAME, name, type), ROWS_BITS(NAME, name, type)

const hy_reduction hy_reductions[FMPL_OP_COUNT] = {
    ROWS_INTEGER(INT, int, int32_t),
    ROWS_INTEGER(LONG, long, int64_t),
    ROWS_ORDERED(FLOAT, float, float),
    ROWS_ORDERED(DOUBLE, double, double),
    ROWS(COMPLEX_FLOAT, complex_float, complex_float, complex_float_normal),
    ROWS(COMPLEX_DOUBLE, complex_double, complex_double, complex_double_normal),
    ROWS_SMALL(BYTE, byte, int8_t),
    ROWS_SMALL(SHORT, short, int16_t),
    ROWS_LOCATED(SHORT, short),
    ROWS_SMALL(CHAR, char, uint16_t),
    ROWS_LOGICAL(BOOLEAN, boolean, uint8_t),
};
