/* SPDX-License-Identifier: Apache-2.0 */
/* Matrices of the BLACS as sections: the one place that knows netlib's trapezoids. */
#ifndef HY_BLACS_MATRIX_H
#define HY_BLACS_MATRIX_H

#include "base/section.h"
#include "blacs/blacs.h"

uint32_t hy_element_bytes(hy_element element);
#define HY_ELEMENT_MOST 16 /* the most that it returns */

/* Checks the matrix and makes its section, of `bytes` packed bytes; ARGUMENT, in netlib's words. */
int hy_matrix_section(const hy_matrix *matrix, hy_strided *section, uint64_t *bytes);

/* A buffer of the section that is copied even if its bytes are packed already: for an operation
 * that goes on when its caller may change the matrix. */
static inline hy_buffer hy_detached_buffer(hy_strided *section)
{
    return (hy_buffer){.managed = &hy_strided_ops, .handle = section};
}

#endif
