/* SPDX-License-Identifier: Apache-2.0 */
/* The collectives of hayate/fmpl.h with separate input and output, for Fortran: as in
 * fmpl_fortran.c. Sizes, offsets and counts of blocks are arrays of integers, one for each rank of
 * the communicator. */
#include "fmpl/fmpl_fortran.h"

HAYATE_API void fmpl_gather_(const void *in, const int *size, void *out, const int *root,
                             const int *comm, int *ier)
{
    fmpl_gather(memory_of(in), size_of(size), memory_of(out), *root, *comm, ier);
}

HAYATE_API void fmpl_gatherv_(const void *in, const int *size, void *out, const int *sizes,
                              const int *offsets, const int *root, const int *comm, int *ier)
{
    fmpl_lists lists;
    if (!fmpl_lists_open(&lists, 2, *comm, ier)) return;
    const size_t *lengths = fmpl_lists_add(&lists, fmpl_lists_at_root(sizes, *root, *comm));
    const size_t *places = fmpl_lists_add(&lists, fmpl_lists_at_root(offsets, *root, *comm));
    fmpl_gatherv(memory_of(in), size_of(size), memory_of(out), lengths, places, *root, *comm, ier);
    fmpl_lists_close(&lists);
}

HAYATE_API void fmpl_scatter_(const void *in, void *out, const int *size, const int *root,
                              const int *comm, int *ier)
{
    fmpl_scatter(memory_of(in), memory_of(out), size_of(size), *root, *comm, ier);
}

HAYATE_API void fmpl_scatterv_(const void *in, const int *sizes, const int *offsets, void *out,
                               const int *size, const int *root, const int *comm, int *ier)
{
    fmpl_lists lists;
    if (!fmpl_lists_open(&lists, 2, *comm, ier)) return;
    const size_t *lengths = fmpl_lists_add(&lists, fmpl_lists_at_root(sizes, *root, *comm));
    const size_t *places = fmpl_lists_add(&lists, fmpl_lists_at_root(offsets, *root, *comm));
    fmpl_scatterv(memory_of(in), lengths, places, memory_of(out), size_of(size), *root, *comm, ier);
    fmpl_lists_close(&lists);
}

HAYATE_API void fmpl_allgather_(const void *in, const int *size, void *out, const int *comm,
                                int *ier)
{
    fmpl_allgather(memory_of(in), size_of(size), memory_of(out), *comm, ier);
}

HAYATE_API void fmpl_allgatherv_(const void *in, void *out, const int *sizes, const int *offsets,
                                 const int *comm, int *ier)
{
    fmpl_lists lists;
    if (!fmpl_lists_open(&lists, 2, *comm, ier)) return;
    const size_t *lengths = fmpl_lists_add(&lists, sizes),
                 *places = fmpl_lists_add(&lists, offsets);
    fmpl_allgatherv(memory_of(in), memory_of(out), lengths, places, *comm, ier);
    fmpl_lists_close(&lists);
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
    fmpl_lists lists;
    if (!fmpl_lists_open(&lists, 4, *comm, ier)) return;
    const size_t *in_lengths = fmpl_lists_add(&lists, in_sizes);
    const size_t *in_places = fmpl_lists_add(&lists, in_offsets);
    const size_t *out_lengths = fmpl_lists_add(&lists, out_sizes);
    const size_t *out_places = fmpl_lists_add(&lists, out_offsets);
    fmpl_alltoallv(memory_of(in), in_lengths, in_places, memory_of(out), out_lengths, out_places,
                   *comm, ier);
    fmpl_lists_close(&lists);
}

HAYATE_API void fmpl_reduce_scatter_(const void *in, void *out, const int *count,
                                     const fmpl_op_t *func, const int *comm, int *ier)
{
    fmpl_reduce_scatter(memory_of(in), memory_of(out), size_of(count), *func, *comm, ier);
}

HAYATE_API void fmpl_reduce_scatterv_(const void *in, void *out, const int *counts,
                                      const fmpl_op_t *func, const int *comm, int *ier)
{
    fmpl_lists lists;
    if (!fmpl_lists_open(&lists, 1, *comm, ier)) return;
    const size_t *elements = fmpl_lists_add(&lists, counts);
    fmpl_reduce_scatterv(memory_of(in), memory_of(out), elements, *func, *comm, ier);
    fmpl_lists_close(&lists);
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
