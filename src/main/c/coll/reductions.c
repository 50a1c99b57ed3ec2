/* SPDX-License-Identifier: Apache-2.0 */
/* The predefined reductions: one loop per type and operation, simple enough for the compiler to
 * vectorise. max and min take the element of the largest and smallest absolute value; of equal
 * ones the larger element, so that the result does not depend on the order of the ranks. */
#include "coll/reductions.h"

#include <math.h>
#include <stdlib.h>

typedef struct complex_float {
    float re, im;
} complex_float;
typedef struct complex_double {
    double re, im;
} complex_double;

/* Absolute values, in a type that holds all of them: |INT_MIN| is not an int. */
static inline uint32_t abs_i(int32_t x)
{
    return x < 0 ? 0u - (uint32_t)x : (uint32_t)x;
}
static inline uint64_t abs_l(int64_t x)
{
    return x < 0 ? 0u - (uint64_t)x : (uint64_t)x;
}
static inline float abs_c(complex_float x)
{
    return fabsf(x.re) + fabsf(x.im);
}
static inline double abs_z(complex_double x)
{
    return fabs(x.re) + fabs(x.im);
}

/* Ties: the algebraically larger element; for complex numbers the real part, then the imaginary
 * part. */
#define LARGER_REAL(a, b) ((a) > (b))
#define LARGER_COMPLEX(a, b) ((a).re > (b).re || ((a).re == (b).re && (a).im > (b).im))

#define EXTREME(name, type, abs_of, compare, larger) \
    static void name(void *inout, const void *in, size_t count, void *context) \
    { \
        type *restrict a = inout; \
        const type *restrict b = in; \
        (void)context; \
        for (size_t i = 0; i < count; i++) { \
            if (abs_of(b[i]) compare abs_of(a[i]) || \
                (abs_of(b[i]) == abs_of(a[i]) && larger(b[i], a[i]))) \
                a[i] = b[i]; \
        } \
    }

/* Integers wrap around, as in Java; `wide` is the unsigned type for which C defines that. */
#define SUM(name, type, wide, parts) \
    static void name(void *inout, const void *in, size_t count, void *context) \
    { \
        type *restrict a = inout; \
        const type *restrict b = in; \
        (void)context; \
        for (size_t i = 0; i < count * (parts); i++) a[i] = (type)((wide)a[i] + (wide)b[i]); \
    }

SUM(isum, int32_t, uint32_t, 1)
SUM(lsum, int64_t, uint64_t, 1)
SUM(ssum, float, float, 1)
SUM(dsum, double, double, 1)
SUM(csum, float, float, 2)
SUM(zsum, double, double, 2)

EXTREME(imax, int32_t, abs_i, >, LARGER_REAL)
EXTREME(imin, int32_t, abs_i, <, LARGER_REAL)
EXTREME(lmax, int64_t, abs_l, >, LARGER_REAL)
EXTREME(lmin, int64_t, abs_l, <, LARGER_REAL)
EXTREME(smax, float, fabsf, >, LARGER_REAL)
EXTREME(smin, float, fabsf, <, LARGER_REAL)
EXTREME(dmax, double, fabs, >, LARGER_REAL)
EXTREME(dmin, double, fabs, <, LARGER_REAL)
EXTREME(cmax, complex_float, abs_c, >, LARGER_COMPLEX)
EXTREME(cmin, complex_float, abs_c, <, LARGER_COMPLEX)
EXTREME(zmax, complex_double, abs_z, >, LARGER_COMPLEX)
EXTREME(zmin, complex_double, abs_z, <, LARGER_COMPLEX)

#define ROW(function, type, part) \
    { \
        function, NULL, sizeof(type), sizeof(part) \
    }

const hy_reduction hy_reductions[FMPL_OP_COUNT] = {
    [fmpl_isum] = ROW(isum, int32_t, int32_t),
    [fmpl_imax] = ROW(imax, int32_t, int32_t),
    [fmpl_imin] = ROW(imin, int32_t, int32_t),
    [fmpl_ssum] = ROW(ssum, float, float),
    [fmpl_smax] = ROW(smax, float, float),
    [fmpl_smin] = ROW(smin, float, float),
    [fmpl_dsum] = ROW(dsum, double, double),
    [fmpl_dmax] = ROW(dmax, double, double),
    [fmpl_dmin] = ROW(dmin, double, double),
    [fmpl_csum] = ROW(csum, complex_float, float),
    [fmpl_cmax] = ROW(cmax, complex_float, float),
    [fmpl_cmin] = ROW(cmin, complex_float, float),
    [fmpl_zsum] = ROW(zsum, complex_double, double),
    [fmpl_zmax] = ROW(zmax, complex_double, double),
    [fmpl_zmin] = ROW(zmin, complex_double, double),
    [fmpl_lsum] = ROW(lsum, int64_t, int64_t),
    [fmpl_lmax] = ROW(lmax, int64_t, int64_t),
    [fmpl_lmin] = ROW(lmin, int64_t, int64_t),
};
