/* SPDX-License-Identifier: Apache-2.0 */
/* What the functions for Fortran make of their arguments. */
#ifndef HY_FMPL_FMPL_FORTRAN_H
#define HY_FMPL_FMPL_FORTRAN_H

#include <stdbool.h>
#include <stdlib.h>

#include <hayate/fmpl.h>

#include "base/status.h"

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

/* The arrays of one call as arrays of size_t. */
typedef struct fmpl_lists {
    size_t *next;
    size_t *memory;
    int members;
} fmpl_lists;

/* Room for `count` arrays. false: *ier is the error. */
static inline bool fmpl_lists_open(fmpl_lists *lists, size_t count, int comm, int *ier)
{
    fmpl_comm_size(comm, &lists->members, ier);
    if (*ier) return false;
    lists->memory = malloc(count * (size_t)lists->members * sizeof(size_t));
    lists->next = lists->memory;
    if (lists->memory) return true;
    *ier = hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for the sizes of %d blocks", lists->members);
    return false;
}

/* NULL for FMPL_NULL. A negative number becomes one that the C functions refuse. */
static inline const size_t *fmpl_lists_add(fmpl_lists *lists, const int *numbers)
{
    size_t *list = lists->next;
    if (!memory_of(numbers)) return NULL;
    for (int i = 0; i < lists->members; i++) list[i] = size_of(&numbers[i]);
    lists->next += lists->members;
    return list;
}

/* Other ranks need not have the arrays of a gather or scatter. */
static inline const int *fmpl_lists_at_root(const int *numbers, int root, int comm)
{
    int rank = -1;
    fmpl_comm_rank(comm, &rank, NULL);
    return rank == root ? numbers : NULL;
}

static inline void fmpl_lists_close(fmpl_lists *lists)
{
    free(lists->memory);
}

#endif
