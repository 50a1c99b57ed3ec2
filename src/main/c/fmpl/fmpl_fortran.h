/* SPDX-License-Identifier: Apache-2.0 */
/* What the functions for Fortran make of their arguments. */
#ifndef HY_FMPL_FMPL_FORTRAN_H
#define HY_FMPL_FMPL_FORTRAN_H

#include <hayate/fmpl.h>

/* What Fortran calls common /fmpl_null/. Its address stands for a null pointer: Fortran 77 has no
 * other. The linker makes one object of this one and the program's. */
HAYATE_API extern int fmpl_null_;

static inline void *memory_of(const void *memory)
{
    return memory == &fmpl_null_ ? NULL : (void *)(uintptr_t)memory;
}

/* A negative size becomes one that the C functions refuse. */
static inline size_t size_of(const int *size)
{
    return (size_t)(int64_t)*size;
}

#endif
