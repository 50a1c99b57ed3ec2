/* SPDX-License-Identifier: Apache-2.0 */
/* The collectives of hayate/fmpl.h with separate input and output, and all that do not block, for
 * Fortran: as in fmpl_fortran.c. Sizes, offsets and counts of blocks are arrays of integers, one
 * for each rank of the communicator. */
#include "fmpl/fmpl_fortran.h"

#define WITHOUT(...) __VA_ARGS__ /* the parentheses behind it */

/* A function that does not block: its parameters, and what the function of C gets. */
#define STARTED(name, parameters, arguments) \
    HAYATE_API void fmpl_i##name##_(WITHOUT parameters, fmpl_request_t *request, int *ier) \
    { \
        fmpl_i##name(WITHOUT arguments, request, ier); \
    }

/* It and the one that blocks. */
#define BOTH(name, parameters, arguments) \
    HAYATE_API void fmpl_##name##_(WITHOUT parameters, int *ier) \
    { \
        fmpl_##name(WITHOUT arguments, ier); \
    } \
    STARTED(name, parameters, arguments)

/* Both, with `count` arrays. */
#define BOTH_OF_ARRAYS(name, count, parameters, arguments) \
    HAYATE_API void fmpl_##name##_(WITHOUT parameters, int *ier) \
    { \
        fmpl_lists lists; \
        if (!fmpl_lists_open(&lists, count, *comm, ier)) return; \
        fmpl_##name(WITHOUT arguments, ier); \
        fmpl_lists_close(&lists); \
    } \
    HAYATE_API void fmpl_i##name##_(WITHOUT parameters, fmpl_request_t *request, int *ier) \
    { \
        fmpl_lists lists; \
        *request = FMPL_REQUEST_NULL; \
        if (!fmpl_lists_open(&lists, count, *comm, ier)) return; \
        fmpl_i##name(WITHOUT arguments, request, ier); \
        fmpl_lists_close(&lists); \
    }
#define ARRAY(numbers) fmpl_lists_add(&lists, numbers)
#define ARRAY_AT_ROOT(numbers) ARRAY(fmpl_lists_at_root(numbers, *root, *comm))

/* clang-format off */
STARTED(barrier, (const int *comm), (*comm))
STARTED(bcast, (void *buf, const int *size, const int *root, const int *comm),
        (memory_of(buf), size_of(size), *root, *comm))
STARTED(reduce,
        (void *buf, const int *count, const fmpl_op_t *func, const int *root, const int *comm),
        (memory_of(buf), size_of(count), *func, *root, *comm))
STARTED(allreduce, (void *buf, const int *count, const fmpl_op_t *func, const int *comm),
        (memory_of(buf), size_of(count), *func, *comm))

BOTH(gather,
     (const void *in, const int *size, void *out, const int *root, const int *comm),
     (memory_of(in), size_of(size), memory_of(out), *root, *comm))
BOTH(scatter,
     (const void *in, void *out, const int *size, const int *root, const int *comm),
     (memory_of(in), memory_of(out), size_of(size), *root, *comm))
BOTH(allgather,
     (const void *in, const int *size, void *out, const int *comm),
     (memory_of(in), size_of(size), memory_of(out), *comm))
BOTH(alltoall,
     (const void *in, void *out, const int *size, const int *comm),
     (memory_of(in), memory_of(out), size_of(size), *comm))
BOTH(reduce_scatter,
     (const void *in, void *out, const int *count, const fmpl_op_t *func, const int *comm),
     (memory_of(in), memory_of(out), size_of(count), *func, *comm))
BOTH(scan,
     (const void *in, void *out, const int *count, const fmpl_op_t *func, const int *comm),
     (memory_of(in), memory_of(out), size_of(count), *func, *comm))
BOTH(exscan,
     (const void *in, void *out, const int *count, const fmpl_op_t *func, const int *comm),
     (memory_of(in), memory_of(out), size_of(count), *func, *comm))

BOTH_OF_ARRAYS(gatherv, 2,
               (const void *in, const int *size, void *out, const int *sizes, const int *offsets,
                const int *root, const int *comm),
               (memory_of(in), size_of(size), memory_of(out), ARRAY_AT_ROOT(sizes),
                ARRAY_AT_ROOT(offsets), *root, *comm))
BOTH_OF_ARRAYS(scatterv, 2,
               (const void *in, const int *sizes, const int *offsets, void *out, const int *size,
                const int *root, const int *comm),
               (memory_of(in), ARRAY_AT_ROOT(sizes), ARRAY_AT_ROOT(offsets), memory_of(out),
                size_of(size), *root, *comm))
BOTH_OF_ARRAYS(allgatherv, 2,
               (const void *in, void *out, const int *sizes, const int *offsets, const int *comm),
               (memory_of(in), memory_of(out), ARRAY(sizes), ARRAY(offsets), *comm))
BOTH_OF_ARRAYS(alltoallv, 4,
               (const void *in, const int *in_sizes, const int *in_offsets, void *out,
                const int *out_sizes, const int *out_offsets, const int *comm),
               (memory_of(in), ARRAY(in_sizes), ARRAY(in_offsets), memory_of(out),
                ARRAY(out_sizes), ARRAY(out_offsets), *comm))
BOTH_OF_ARRAYS(reduce_scatterv, 1,
               (const void *in, void *out, const int *counts, const fmpl_op_t *func,
                const int *comm),
               (memory_of(in), memory_of(out), ARRAY(counts), *func, *comm))
/* clang-format on */
