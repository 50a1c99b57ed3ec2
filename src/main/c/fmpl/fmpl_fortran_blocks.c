/* SPDX-License-Identifier: Apache-2.0 */
/* The collectives of hayate/fmpl.h with separate input and output, for Fortran: as in
 * fmpl_fortran.c. Sizes, offsets and counts of blocks are arrays of integers, one for each rank of
 * the communicator. */
#include <stdbool.h>
#include <stdlib.h>

#include "base/status.h"
#include "fmpl/fmpl_fortran.h"

/* The arrays of one call as arrays of size_t. */
typedef struct fortran_lists {
    size_t *next;
    size_t *memory;
    int members;
} fortran_lists;

/* Room for `count` arrays. false: *ier is the error. */
static bool lists_open(fortran_lists *lists, size_t count, int comm, int *ier)
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
static const size_t *lists_add(fortran_lists *lists, const int *numbers)
{
    size_t *list = lists->next;
    if (!memory_of(numbers)) return NULL;
    for (int i = 0; i < lists->members; i++) list[i] = size_of(&numbers[i]);
    lists->next += lists->members;
    return list;
}

/* Other ranks need not have the arrays of a gather or scatter. */
static const int *at_root(const int *numbers, int root, int comm)
{
    int rank = -1;
    fmpl_comm_rank(comm, &rank, NULL);
    return rank == root ? numbers : NULL;
}

HAYATE_API void fmpl_gather_(const void *in, const int *size, void *out, const int *root,
                             const int *comm, int *ier)
{
    fmpl_gather(memory_of(in), size_of(size), memory_of(out), *root, *comm, ier);
}

HAYATE_API void fmpl_gatherv_(const void *in, const int *size, void *out, const int *sizes,
                              const int *offsets, const int *root, const int *comm, int *ier)
{
    fortran_lists lists;
    if (!lists_open(&lists, 2, *comm, ier)) return;
    const size_t *lengths = lists_add(&lists, at_root(sizes, *root, *comm));
    const size_t *places = lists_add(&lists, at_root(offsets, *root, *comm));
    fmpl_gatherv(memory_of(in), size_of(size), memory_of(out), lengths, places, *root, *comm, ier);
    free(lists.memory);
}

HAYATE_API void fmpl_scatter_(const void *in, void *out, const int *size, const int *root,
                              const int *comm, int *ier)
{
    fmpl_scatter(memory_of(in), memory_of(out), size_of(size), *root, *comm, ier);
}

HAYATE_API void fmpl_scatterv_(const void *in, const int *sizes, const int *offsets, void *out,
                               const int *size, const int *root, const int *comm, int *ier)
{
    fortran_lists lists;
    if (!lists_open(&lists, 2, *comm, ier)) return;
    const size_t *lengths = lists_add(&lists, at_root(sizes, *root, *comm));
    const size_t *places = lists_add(&lists, at_root(offsets, *root, *comm));
    fmpl_scatterv(memory_of(in), lengths, places, memory_of(out), size_of(size), *root, *comm, ier);
    free(lists.memory);
}

HAYATE_API void fmpl_allgather_(const void *in, const int *size, void *out, const int *comm,
                                int *ier)
{
    fmpl_allgather(memory_of(in), size_of(size), memory_of(out), *comm, ier);
}

HAYATE_API void fmpl_allgatherv_(const void *in, void *out, const int *sizes, const int *offsets,
                                 const int *comm, int *ier)
{
    fortran_lists lists;
    if (!lists_open(&lists, 2, *comm, ier)) return;
    const size_t *lengths = lists_add(&lists, sizes), *places = lists_add(&lists, offsets);
    fmpl_allgatherv(memory_of(in), memory_of(out), lengths, places, *comm, ier);
    free(lists.memory);
}

HAYATE_API void fmpl_alltoall_(const void *in, void *out, const int *size, const int *comm,
                               int *ier)
{
    fmpl_alltoall(memory_of(in), memory_of(out), size_of(size), *comm, ier);
}

HAYATE_API void fmpl_alltoallv_(const void *in, const int *in_sizes, const int *in_offsets,
                                void *out, const int *out_sizes, const int *out_offsets,
                                const int *comm, int *ier)
{
    fortran_lists lists;
    if (!lists_open(&lists, 4, *comm, ier)) return;
    const size_t *in_lengths = lists_add(&lists, in_sizes);
    const size_t *in_places = lists_add(&lists, in_offsets);
    const size_t *out_lengths = lists_add(&lists, out_sizes);
    const size_t *out_places = lists_add(&lists, out_offsets);
    fmpl_alltoallv(memory_of(in), in_lengths, in_places, memory_of(out), out_lengths, out_places,
                   *comm, ier);
    free(lists.memory);
}

HAYATE_API void fmpl_reduce_scatter_(const void *in, void *out, const int *count,
                                     const fmpl_op_t *func, const int *comm, int *ier)
{
    fmpl_reduce_scatter(memory_of(in), memory_of(out), size_of(count), *func, *comm, ier);
}

HAYATE_API void fmpl_reduce_scatterv_(const void *in, void *out, const int *counts,
                                      const fmpl_op_t *func, const int *comm, int *ier)
{
    fortran_lists lists;
    if (!lists_open(&lists, 1, *comm, ier)) return;
    const size_t *elements = lists_add(&lists, counts);
    fmpl_reduce_scatterv(memory_of(in), memory_of(out), elements, *func, *comm, ier);
    free(lists.memory);
}

HAYATE_API void fmpl_scan_(const void *in, void *out, const int *count, const fmpl_op_t *func,
                           const int *comm, int *ier)
{
    fmpl_scan(memory_of(in), memory_of(out), size_of(count), *func, *comm, ier);
}

HAYATE_API void fmpl_exscan_(const void *in, void *out, const int *count, const fmpl_op_t *func,
                             const int *comm, int *ier)
{
    fmpl_exscan(memory_of(in), memory_of(out), size_of(count), *func, *comm, ier);
}
