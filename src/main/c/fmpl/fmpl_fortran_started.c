/* SPDX-License-Identifier: Apache-2.0 */
/* The non-blocking collectives of hayate/fmpl.h for Fortran: as in fmpl_fortran_blocks.c. */
#include "fmpl/fmpl_fortran.h"

HAYATE_API void fmpl_ibarrier_(const int *comm, fmpl_request_t *request, int *ier)
{
    fmpl_ibarrier(*comm, request, ier);
}

HAYATE_API void fmpl_ibcast_(void *buf, const int *size, const int *root, const int *comm,
                             fmpl_request_t *request, int *ier)
{
    fmpl_ibcast(memory_of(buf), size_of(size), *root, *comm, request, ier);
}

HAYATE_API void fmpl_ireduce_(void *buf, const int *count, const fmpl_op_t *func, const int *root,
                              const int *comm, fmpl_request_t *request, int *ier)
{
    fmpl_ireduce(memory_of(buf), size_of(count), *func, *root, *comm, request, ier);
}

HAYATE_API void fmpl_iallreduce_(void *buf, const int *count, const fmpl_op_t *func,
                                 const int *comm, fmpl_request_t *request, int *ier)
{
    fmpl_iallreduce(memory_of(buf), size_of(count), *func, *comm, request, ier);
}

HAYATE_API void fmpl_igather_(const void *in, const int *size, void *out, const int *root,
                              const int *comm, fmpl_request_t *request, int *ier)
{
    fmpl_igather(memory_of(in), size_of(size), memory_of(out), *root, *comm, request, ier);
}

HAYATE_API void fmpl_iscatter_(const void *in, void *out, const int *size, const int *root,
                               const int *comm, fmpl_request_t *request, int *ier)
{
    fmpl_iscatter(memory_of(in), memory_of(out), size_of(size), *root, *comm, request, ier);
}

HAYATE_API void fmpl_iallgather_(const void *in, const int *size, void *out, const int *comm,
                                 fmpl_request_t *request, int *ier)
{
    fmpl_iallgather(memory_of(in), size_of(size), memory_of(out), *comm, request, ier);
}

HAYATE_API void fmpl_ialltoall_(const void *in, void *out, const int *size, const int *comm,
                                fmpl_request_t *request, int *ier)
{
    fmpl_ialltoall(memory_of(in), memory_of(out), size_of(size), *comm, request, ier);
}

HAYATE_API void fmpl_ireduce_scatter_(const void *in, void *out, const int *count,
                                      const fmpl_op_t *func, const int *comm,
                                      fmpl_request_t *request, int *ier)
{
    fmpl_ireduce_scatter(memory_of(in), memory_of(out), size_of(count), *func, *comm, request, ier);
}

HAYATE_API void fmpl_iscan_(const void *in, void *out, const int *count, const fmpl_op_t *func,
                            const int *comm, fmpl_request_t *request, int *ier)
{
    fmpl_iscan(memory_of(in), memory_of(out), size_of(count), *func, *comm, request, ier);
}

HAYATE_API void fmpl_iexscan_(const void *in, void *out, const int *count, const fmpl_op_t *func,
                              const int *comm, fmpl_request_t *request, int *ier)
{
    fmpl_iexscan(memory_of(in), memory_of(out), size_of(count), *func, *comm, request, ier);
}

HAYATE_API void fmpl_igatherv_(const void *in, const int *size, void *out, const int *sizes,
                               const int *offsets, const int *root, const int *comm,
                               fmpl_request_t *request, int *ier)
{
    fmpl_lists lists;
    *request = FMPL_REQUEST_NULL;
    if (!fmpl_lists_open(&lists, 2, *comm, ier)) return;
    const size_t *sizes_list = fmpl_lists_add(&lists, fmpl_lists_at_root(sizes, *root, *comm));
    const size_t *offsets_list = fmpl_lists_add(&lists, fmpl_lists_at_root(offsets, *root, *comm));
    fmpl_igatherv(memory_of(in), size_of(size), memory_of(out), sizes_list, offsets_list, *root,
                  *comm, request, ier);
    fmpl_lists_close(&lists);
}

HAYATE_API void fmpl_iscatterv_(const void *in, const int *sizes, const int *offsets, void *out,
                                const int *size, const int *root, const int *comm,
                                fmpl_request_t *request, int *ier)
{
    fmpl_lists lists;
    *request = FMPL_REQUEST_NULL;
    if (!fmpl_lists_open(&lists, 2, *comm, ier)) return;
    const size_t *sizes_list = fmpl_lists_add(&lists, fmpl_lists_at_root(sizes, *root, *comm));
    const size_t *offsets_list = fmpl_lists_add(&lists, fmpl_lists_at_root(offsets, *root, *comm));
    fmpl_iscatterv(memory_of(in), sizes_list, offsets_list, memory_of(out), size_of(size), *root,
                   *comm, request, ier);
    fmpl_lists_close(&lists);
}

HAYATE_API void fmpl_iallgatherv_(const void *in, void *out, const int *sizes, const int *offsets,
                                  const int *comm, fmpl_request_t *request, int *ier)
{
    fmpl_lists lists;
    *request = FMPL_REQUEST_NULL;
    if (!fmpl_lists_open(&lists, 2, *comm, ier)) return;
    const size_t *sizes_list = fmpl_lists_add(&lists, sizes);
    const size_t *offsets_list = fmpl_lists_add(&lists, offsets);
    fmpl_iallgatherv(memory_of(in), memory_of(out), sizes_list, offsets_list, *comm, request, ier);
    fmpl_lists_close(&lists);
}

HAYATE_API void fmpl_ialltoallv_(const void *in, const int *in_sizes, const int *in_offsets,
                                 void *out, const int *out_sizes, const int *out_offsets,
                                 const int *comm, fmpl_request_t *request, int *ier)
{
    fmpl_lists lists;
    *request = FMPL_REQUEST_NULL;
    if (!fmpl_lists_open(&lists, 4, *comm, ier)) return;
    const size_t *in_sizes_list = fmpl_lists_add(&lists, in_sizes);
    const size_t *in_offsets_list = fmpl_lists_add(&lists, in_offsets);
    const size_t *out_sizes_list = fmpl_lists_add(&lists, out_sizes);
    const size_t *out_offsets_list = fmpl_lists_add(&lists, out_offsets);
    fmpl_ialltoallv(memory_of(in), in_sizes_list, in_offsets_list, memory_of(out), out_sizes_list,
                    out_offsets_list, *comm, request, ier);
    fmpl_lists_close(&lists);
}

HAYATE_API void fmpl_ireduce_scatterv_(const void *in, void *out, const int *counts,
                                       const fmpl_op_t *func, const int *comm,
                                       fmpl_request_t *request, int *ier)
{
    fmpl_lists lists;
    *request = FMPL_REQUEST_NULL;
    if (!fmpl_lists_open(&lists, 1, *comm, ier)) return;
    const size_t *counts_list = fmpl_lists_add(&lists, counts);
    fmpl_ireduce_scatterv(memory_of(in), memory_of(out), counts_list, *func, *comm, request, ier);
    fmpl_lists_close(&lists);
}
