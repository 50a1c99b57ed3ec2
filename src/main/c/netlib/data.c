/* SPDX-License-Identifier: Apache-2.0 */
/* The 55 routines that move data, for C and Fortran. Each type's routines describe their matrix and
 * call one function for all types. */
#include <ctype.h>
#include <hayate/blacs.h>

#include "blacs/blacs.h"
#include "netlib/report.h"

/* ---- matrices ---- */

static hy_matrix general(hy_routine routine, hy_element element, int m, int n, const void *a,
                         int lda)
{
    if (__builtin_expect(lda < m && m > 0 && n > 1, 0)) {
        hy_netlib_warn(routine, "Illegal LDA, LDA=%d, M=%d; LDA assumed to be %d", lda, m, m);
        lda = m;
    }
    return (hy_matrix){.memory = {.address = (uint8_t *)(uintptr_t)a},
                       .m = m,
                       .n = n,
                       .lda = lda,
                       .element = (uint8_t)element};
}

static hy_matrix trapezoid(hy_routine routine, hy_matrix matrix, const char *uplo, const char *diag)
{
    int shape = tolower((unsigned char)*uplo), unit = tolower((unsigned char)*diag);
    if (shape != 'u' && shape != 'l')
        hy_netlib_warn(routine, "UPLO=%c, will be assumed to mean LOWER", shape);
    if (unit != 'u' && unit != 'n')
        hy_netlib_warn(routine, "DIAG=%c, will be assumed to mean NON-UNIT", unit);
    matrix.uplo = shape == 'u' ? HY_UPPER : HY_LOWER;
    matrix.unit = unit == 'u';
    return matrix;
}

/* ---- one function for all types ---- */

static void combine(hy_routine routine, hy_combine operation, char scope, char top,
                    hy_matrix matrix, int *ra, int *ca, int ldia, int row, int column)
{
    const hy_where where = {routine.context, scope, top};
    hy_locations locations = {ra, ca, ldia};
    if (ldia == -1) locations = (hy_locations){0};
    else if (ldia < matrix.m) {
        hy_netlib_warn(routine, "LDIA too small (LDIA=%d, but M=%d)", ldia, matrix.m);
        locations.ldi = matrix.m;
    }
    hy_netlib_check(routine,
                    hayate_blacs_combine(where, operation, &matrix, locations, row, column));
}

#define WHERE ((hy_where){context, *scope, *top})
#define ROUTINE(name) ((hy_routine){context, name})

/* V, v: the letter of the type; e: its element. */
#define POINT(V, v, type, e) \
    void C##v##gesd2d(int context, int m, int n, const type *a, int lda, int row, int column) \
    { \
        const hy_routine routine = ROUTINE(#V "GESD2D"); \
        const hy_matrix matrix = general(routine, e, m, n, a, lda); \
        hy_netlib_check(routine, hayate_blacs_send(context, &matrix, row, column)); \
    } \
    void C##v##gerv2d(int context, int m, int n, type *a, int lda, int row, int column) \
    { \
        const hy_routine routine = ROUTINE(#V "GERV2D"); \
        const hy_matrix matrix = general(routine, e, m, n, a, lda); \
        hy_netlib_check(routine, hayate_blacs_receive(context, &matrix, row, column)); \
    } \
    void C##v##trsd2d(int context, const char *uplo, const char *diag, int m, int n, \
                      const type *a, int lda, int row, int column) \
    { \
        const hy_routine routine = ROUTINE(#V "TRSD2D"); \
        const hy_matrix matrix = trapezoid(routine, general(routine, e, m, n, a, lda), uplo, \
                                           diag); \
        hy_netlib_check(routine, hayate_blacs_send(context, &matrix, row, column)); \
    } \
    void C##v##trrv2d(int context, const char *uplo, const char *diag, int m, int n, type *a, \
                      int lda, int row, int column) \
    { \
        const hy_routine routine = ROUTINE(#V "TRRV2D"); \
        const hy_matrix matrix = trapezoid(routine, general(routine, e, m, n, a, lda), uplo, \
                                           diag); \
        hy_netlib_check(routine, hayate_blacs_receive(context, &matrix, row, column)); \
    }

#define BROADCAST(V, v, type, e) \
    void C##v##gebs2d(int context, const char *scope, const char *top, int m, int n, \
                      const type *a, int lda) \
    { \
        const hy_routine routine = ROUTINE(#V "GEBS2D"); \
        const hy_matrix matrix = general(routine, e, m, n, a, lda); \
        hy_netlib_check(routine, hayate_blacs_broadcast(WHERE, &matrix)); \
    } \
    void C##v##gebr2d(int context, const char *scope, const char *top, int m, int n, type *a, \
                      int lda, int row, int column) \
    { \
        const hy_routine routine = ROUTINE(#V "GEBR2D"); \
        const hy_matrix matrix = general(routine, e, m, n, a, lda); \
        hy_netlib_check(routine, hayate_blacs_receive_broadcast(WHERE, &matrix, row, column)); \
    } \
    void C##v##trbs2d(int context, const char *scope, const char *top, const char *uplo, \
                      const char *diag, int m, int n, const type *a, int lda) \
    { \
        const hy_routine routine = ROUTINE(#V "TRBS2D"); \
        const hy_matrix matrix = trapezoid(routine, general(routine, e, m, n, a, lda), uplo, \
                                           diag); \
        hy_netlib_check(routine, hayate_blacs_broadcast(WHERE, &matrix)); \
    } \
    void C##v##trbr2d(int context, const char *scope, const char *top, const char *uplo, \
                      const char *diag, int m, int n, type *a, int lda, int row, int column) \
    { \
        const hy_routine routine = ROUTINE(#V "TRBR2D"); \
        const hy_matrix matrix = trapezoid(routine, general(routine, e, m, n, a, lda), uplo, \
                                           diag); \
        hy_netlib_check(routine, hayate_blacs_receive_broadcast(WHERE, &matrix, row, column)); \
    }

#define EXTREME(V, v, type, e, amx, AMX, operation) \
    void C##v##g##amx##2d(int context, const char *scope, const char *top, int m, int n, type *a, \
                          int lda, int *ra, int *ca, int ldia, int row, int column) \
    { \
        const hy_routine routine = ROUTINE(#V "G" #AMX "2D"); \
        combine(routine, operation, *scope, *top, general(routine, e, m, n, a, lda), ra, ca, ldia, \
                row, column); \
    }

#define COMBINE(V, v, type, e) \
    void C##v##gsum2d(int context, const char *scope, const char *top, int m, int n, type *a, \
                      int lda, int row, int column) \
    { \
        const hy_routine routine = ROUTINE(#V "GSUM2D"); \
        combine(routine, HY_COMBINE_SUM, *scope, *top, general(routine, e, m, n, a, lda), NULL, \
                NULL, -1, row, column); \
    } \
    EXTREME(V, v, type, e, amx, AMX, HY_COMBINE_AMX) \
    EXTREME(V, v, type, e, amn, AMN, HY_COMBINE_AMN)

/* ---- Fortran: pointers to all arguments ---- */

#define FORTRAN(v, type) \
    HAYATE_API void v##gesd2d_(const int *context, const int *m, const int *n, const type *a, \
                               const int *lda, const int *row, const int *column) \
    { \
        C##v##gesd2d(*context, *m, *n, a, *lda, *row, *column); \
    } \
    HAYATE_API void v##gerv2d_(const int *context, const int *m, const int *n, type *a, \
                               const int *lda, const int *row, const int *column) \
    { \
        C##v##gerv2d(*context, *m, *n, a, *lda, *row, *column); \
    } \
    HAYATE_API void v##trsd2d_(const int *context, const char *uplo, const char *diag, \
                               const int *m, const int *n, const type *a, const int *lda, \
                               const int *row, const int *column) \
    { \
        C##v##trsd2d(*context, uplo, diag, *m, *n, a, *lda, *row, *column); \
    } \
    HAYATE_API void v##trrv2d_(const int *context, const char *uplo, const char *diag, \
                               const int *m, const int *n, type *a, const int *lda, \
                               const int *row, const int *column) \
    { \
        C##v##trrv2d(*context, uplo, diag, *m, *n, a, *lda, *row, *column); \
    } \
    HAYATE_API void v##gebs2d_(const int *context, const char *scope, const char *top, \
                               const int *m, const int *n, const type *a, const int *lda) \
    { \
        C##v##gebs2d(*context, scope, top, *m, *n, a, *lda); \
    } \
    HAYATE_API void v##gebr2d_(const int *context, const char *scope, const char *top, \
                               const int *m, const int *n, type *a, const int *lda, \
                               const int *row, const int *column) \
    { \
        C##v##gebr2d(*context, scope, top, *m, *n, a, *lda, *row, *column); \
    } \
    HAYATE_API void v##trbs2d_(const int *context, const char *scope, const char *top, \
                               const char *uplo, const char *diag, const int *m, const int *n, \
                               const type *a, const int *lda) \
    { \
        C##v##trbs2d(*context, scope, top, uplo, diag, *m, *n, a, *lda); \
    } \
    HAYATE_API void v##trbr2d_(const int *context, const char *scope, const char *top, \
                               const char *uplo, const char *diag, const int *m, const int *n, \
                               type *a, const int *lda, const int *row, const int *column) \
    { \
        C##v##trbr2d(*context, scope, top, uplo, diag, *m, *n, a, *lda, *row, *column); \
    } \
    HAYATE_API void v##gsum2d_(const int *context, const char *scope, const char *top, \
                               const int *m, const int *n, type *a, const int *lda, \
                               const int *row, const int *column) \
    { \
        C##v##gsum2d(*context, scope, top, *m, *n, a, *lda, *row, *column); \
    } \
    FORTRAN_EXTREME(v, type, amx) \
    FORTRAN_EXTREME(v, type, amn)

#define FORTRAN_EXTREME(v, type, amx) \
    HAYATE_API void v##g##amx##2d_(const int *context, const char *scope, const char *top, \
                                   const int *m, const int *n, type *a, const int *lda, int *ra, \
                                   int *ca, const int *ldia, const int *row, const int *column) \
    { \
        C##v##g##amx##2d(*context, scope, top, *m, *n, a, *lda, ra, ca, *ldia, *row, *column); \
    }

#define TYPE(V, v, type, e) \
    POINT(V, v, type, e) \
    BROADCAST(V, v, type, e) \
    COMBINE(V, v, type, e) \
    FORTRAN(v, type)

TYPE(I, i, int, HY_ELEMENT_INT)
TYPE(S, s, float, HY_ELEMENT_FLOAT)
TYPE(D, d, double, HY_ELEMENT_DOUBLE)
TYPE(C, c, float, HY_ELEMENT_COMPLEX_FLOAT)
TYPE(Z, z, double, HY_ELEMENT_COMPLEX_DOUBLE)
