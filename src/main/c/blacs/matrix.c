/* SPDX-License-Identifier: Apache-2.0 */
/* Checks matrices, and makes sections of them. */
#include "blacs/matrix.h"

#include "base/status.h"

uint32_t hy_element_bytes(hy_element element)
{
    static const uint8_t bytes[HY_ELEMENTS] = {4, 4, 8, 8, 16};
    return bytes[element];
}

static int check(const hy_matrix *matrix)
{
    if (matrix->m < 0)
        return hy_fail(HAYATE_ERR_ARGUMENT, "Illegal number of rows, M=%d", matrix->m);
    if (matrix->n < 0)
        return hy_fail(HAYATE_ERR_ARGUMENT, "Illegal number of columns, N=%d", matrix->n);
    if (matrix->element >= HY_ELEMENTS || matrix->uplo > HY_LOWER)
        return hy_fail(HAYATE_ERR_ARGUMENT, "type %d, shape %d: there are none such",
                       matrix->element, matrix->uplo);
    if (matrix->m == 0 || matrix->n == 0) return HAYATE_OK;
    if (matrix->n > 1 && matrix->lda < matrix->m)
        return hy_fail(HAYATE_ERR_ARGUMENT, "Illegal LDA, LDA=%d, M=%d", matrix->lda, matrix->m);
    if (!matrix->memory.address && !matrix->memory.managed)
        return hy_fail(HAYATE_ERR_ARGUMENT, "the matrix is null, but M=%d, N=%d", matrix->m,
                       matrix->n);
    return HAYATE_OK;
}

/* netlib's trapezoids: the diagonal of the upper one ends in the last row of a tall matrix, that of
 * the lower one in the last column of a wide matrix. */
static int32_t diagonal(const hy_matrix *matrix)
{
    int32_t excess = matrix->m - matrix->n;
    if (matrix->uplo == HY_UPPER) return 1 - matrix->unit + (excess > 0 ? excess : 0);
    return matrix->unit + (excess < 0 ? excess : 0);
}

int hy_matrix_section(const hy_matrix *matrix, hy_strided *section, uint64_t *bytes)
{
    static const uint8_t shapes[] = {HY_SECTION_RECT, HY_SECTION_UPPER, HY_SECTION_LOWER};
    int rc = check(matrix);
    if (hy_unlikely(rc)) return rc;
    uint32_t element = hy_element_bytes(matrix->element);
    int32_t stride = matrix->lda > matrix->m ? matrix->lda : matrix->m;
    section->inner = matrix->memory;
    section->section = (hy_section){.rows = (uint32_t)matrix->m,
                                    .columns = (uint32_t)matrix->n,
                                    .stride = (uint64_t)stride * element,
                                    .element = (uint16_t)element,
                                    .shape = shapes[matrix->uplo]};
    if (matrix->uplo != HY_GENERAL) section->section.diagonal = diagonal(matrix);
    if (hy_likely(hy_section_check(&section->section, bytes))) return HAYATE_OK;
    return hy_fail(HAYATE_ERR_ARGUMENT, "M=%d, N=%d, LDA=%d: the matrix is too large", matrix->m,
                   matrix->n, matrix->lda);
}
