/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of hayate/hayate.h and hayate/fmpl.h for Fortran: each name in lower case with an
 * underscore behind it, pointers to all arguments, and an error code as the last one.
 * hayate/fmpl.f90 says what they mean for a Fortran program, and declares them. */
#include "fmpl/fmpl_fortran.h"

#include <string.h>

#include "base/status.h"

int fmpl_null_;

static int saturated(size_t size)
{
    return size > INT32_MAX ? INT32_MAX : (int)size;
}

/* `room` is the hidden length of a character argument. */
static void put_text(char *text, size_t room, const char *from)
{
    size_t length = strnlen(from, room);
    memcpy(text, from, length);
    memset(text + length, ' ', room - length);
}

/* ---- the job ---- */

HAYATE_API void hayate_init_(int *ier)
{
    *ier = hayate_init();
}

HAYATE_API void hayate_finalize_(int *ier)
{
    *ier = hayate_finalize();
}

HAYATE_API void hayate_rank_(int *rank, int *ier)
{
    *rank = hayate_rank();
    *ier = *rank < 0 ? *rank : HAYATE_OK;
}

HAYATE_API void hayate_size_(int *size, int *ier)
{
    *size = hayate_size();
    *ier = *size < 0 ? *size : HAYATE_OK;
}

HAYATE_API void hayate_alloc_(void **address, const int64_t *bytes, int *ier)
{
    *address = NULL;
    if (*bytes <= 0) {
        *ier = hy_fail(HAYATE_ERR_ARGUMENT, "hayate_alloc of %lld bytes: expected at least 1",
                       (long long)*bytes);
        return;
    }
    *address = hayate_alloc((size_t)*bytes);
    *ier = *address ? HAYATE_OK : hayate_rank() < 0 ? HAYATE_ERR_STATE : HAYATE_ERR_NO_MEMORY;
}

HAYATE_API void hayate_free_(void *const *address, int *ier)
{
    *ier = hayate_free(*address);
}

HAYATE_API void hayate_version_(char *text, size_t room)
{
    put_text(text, room, hayate_version());
}

HAYATE_API void hayate_strerror_(const int *code, char *text, size_t room)
{
    put_text(text, room, hayate_strerror(*code));
}

HAYATE_API void hayate_error_(char *text, size_t room)
{
    put_text(text, room, hayate_error());
}

HAYATE_API void hayate_error_peer_(int *peer)
{
    *peer = hayate_error_peer();
}

/* ---- messages ---- */

HAYATE_API void fmpl_init_(void *ma, void *fa, const int *count, int *ier)
{
    fmpl_init(memory_of(ma), memory_of(fa), *count, ier);
}

HAYATE_API void fmpl_finalize_(int *ier)
{
    fmpl_finalize(ier);
}

HAYATE_API void fmpl_send_(const void *buf, const int *size, const int *dst, const int *mai,
                           int *ier)
{
    fmpl_send(buf, size_of(size), *dst, *mai, ier);
}

HAYATE_API void fmpl_recv_(void *buf, const int *size, const int *src, const int *mai, int *ier)
{
    fmpl_recv(buf, size_of(size), *src, *mai, ier);
}

HAYATE_API void fmpl_recv_size_(void *buf, const int *size, const int *src, const int *mai,
                                int *received, int *ier)
{
    size_t length = 0;
    fmpl_recv_size(buf, size_of(size), *src, *mai, &length, ier);
    *received = saturated(length);
}

HAYATE_API void fmpl_isend_(const void *buf, const int *size, const int *dst, const int *mai,
                            fmpl_request_t *request, int *ier)
{
    fmpl_isend(buf, size_of(size), *dst, *mai, request, ier);
}

HAYATE_API void fmpl_irecv_(void *buf, const int *size, const int *src, const int *mai,
                            fmpl_request_t *request, int *ier)
{
    fmpl_irecv(buf, size_of(size), *src, *mai, request, ier);
}

/* ---- sections ---- */

static fmpl_section_t section_of(const void *buf, const int *block, const int *stride,
                                 const int *count)
{
    return (fmpl_section_t){(void *)(uintptr_t)buf, size_of(block), size_of(stride),
                            size_of(count)};
}

HAYATE_API void fmpl_send_section_(const void *buf, const int *block, const int *stride,
                                   const int *count, const int *dst, const int *mai, int *ier)
{
    const fmpl_section_t section = section_of(buf, block, stride, count);
    fmpl_send_section(&section, *dst, *mai, ier);
}

HAYATE_API void fmpl_recv_section_(void *buf, const int *block, const int *stride, const int *count,
                                   const int *src, const int *mai, int *received, int *ier)
{
    const fmpl_section_t section = section_of(buf, block, stride, count);
    size_t length = 0;
    fmpl_recv_section(&section, *src, *mai, &length, ier);
    *received = saturated(length);
}

HAYATE_API void fmpl_isend_section_(const void *buf, const int *block, const int *stride,
                                    const int *count, const int *dst, const int *mai,
                                    fmpl_request_t *request, int *ier)
{
    const fmpl_section_t section = section_of(buf, block, stride, count);
    fmpl_isend_section(&section, *dst, *mai, request, ier);
}

HAYATE_API void fmpl_irecv_section_(void *buf, const int *block, const int *stride,
                                    const int *count, const int *src, const int *mai,
                                    fmpl_request_t *request, int *ier)
{
    const fmpl_section_t section = section_of(buf, block, stride, count);
    fmpl_irecv_section(&section, *src, *mai, request, ier);
}

/* What the module says of an array section that has gaps. */
HAYATE_API void fmpl_not_contiguous_(int *ier)
{
    *ier = hy_fail(HAYATE_ERR_ARGUMENT,
                   "the elements of the buffer are not contiguous: pass a contiguous array, or "
                   "use fmpl_send_section() and its relatives");
}

/* ---- requests ---- */

HAYATE_API void fmpl_wait_isend_(fmpl_request_t *request, int *ier)
{
    fmpl_wait_isend(request, ier);
}

HAYATE_API void fmpl_wait_irecv_(fmpl_request_t *request, int *ier)
{
    fmpl_wait_irecv(request, ier);
}

HAYATE_API void fmpl_wait_(fmpl_request_t *request, int *ier)
{
    fmpl_wait(request, ier);
}

HAYATE_API void fmpl_test_(fmpl_request_t *request, int *done, int *ier)
{
    fmpl_test(request, done, ier);
}

/* Fortran counts from 1: 0 if all are null. */
HAYATE_API void fmpl_wait_any_(const int *n, fmpl_request_t *requests, int *index, int *ier)
{
    int found = -1;
    fmpl_wait_any(*n, requests, &found, ier);
    *index = found + 1;
}

HAYATE_API void fmpl_wait_all_(const int *n, fmpl_request_t *requests, int *ier)
{
    fmpl_wait_all(*n, requests, ier);
}

HAYATE_API void fmpl_cancel_(fmpl_request_t *request, int *cancelled, int *ier)
{
    fmpl_cancel(request, cancelled, ier);
}

/* ---- buffers ---- */

HAYATE_API void fmpl_sendbuff_set_(void *buf, const int *size, const int *ipara, int *ier)
{
    fmpl_sendbuff_set(*size == 0 ? NULL : memory_of(buf), size_of(size), *ipara, ier);
}

HAYATE_API void fmpl_sendbuff_check_(int *nsend, int *nspool, int *ier)
{
    fmpl_sendbuff_check(nsend, nspool, ier);
}

HAYATE_API void fmpl_timeout_set_(const int *timeout_ms, int *ier)
{
    fmpl_timeout_set(*timeout_ms, ier);
}

HAYATE_API void fmpl_trim_(int64_t *bytes, int *ier)
{
    size_t given = 0;
    fmpl_trim(&given, ier);
    *bytes = (int64_t)given;
}

/* ---- communicators and reductions ---- */

HAYATE_API void fmpl_comm_create_(int *comm, const int *key, int *ier)
{
    fmpl_comm_create(comm, *key, ier);
}

HAYATE_API void fmpl_comm_split_(const int *comm, const int *color, const int *key, int *part,
                                 int *ier)
{
    fmpl_comm_split(*comm, *color, *key, part, ier);
}

HAYATE_API void fmpl_comm_free_(int *comm, int *ier)
{
    fmpl_comm_free(comm, ier);
}

HAYATE_API void fmpl_comm_rank_(const int *comm, int *rank, int *ier)
{
    fmpl_comm_rank(*comm, rank, ier);
}

HAYATE_API void fmpl_comm_size_(const int *comm, int *size, int *ier)
{
    fmpl_comm_size(*comm, size, ier);
}

typedef void fortran_function(void *inout, const void *in, const int64_t *count);

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "a count of 8 bytes can be read as an INTEGER of 4");

/* The context is the Fortran procedure: POSIX lets a function's address be a void *. */
static void call_fortran(void *inout, const void *in, size_t count, void *context)
{
    const int64_t elements = (int64_t)count;
    fortran_function *function = (fortran_function *)context;
    function(inout, in, &elements);
}

HAYATE_API void fmpl_function_create_(fortran_function *function, const int *element_bytes,
                                      fmpl_op_t *op, int *ier)
{
    fmpl_function_create(call_fortran, size_of(element_bytes), (void *)function, op, ier);
}

HAYATE_API void fmpl_function_free_(const fmpl_op_t *op, int *ier)
{
    fmpl_function_free(*op, ier);
}

/* ---- collectives ---- */

HAYATE_API void fmpl_bcast_(void *buf, const int *size, const int *root, const int *comm, int *ier)
{
    fmpl_bcast(buf, size_of(size), *root, *comm, ier);
}

HAYATE_API void fmpl_hbcast_(void *buf, const int *size, const int *root, int *ier)
{
    fmpl_hbcast(buf, size_of(size), *root, ier);
}

HAYATE_API void fmpl_reduce_(void *buf, const int *count, const fmpl_op_t *func, const int *root,
                             const int *comm, void *work, int *ier)
{
    fmpl_reduce(buf, size_of(count), *func, *root, *comm, memory_of(work), ier);
}

HAYATE_API void fmpl_allreduce_(void *buf, const int *count, const fmpl_op_t *func, const int *comm,
                                void *work, int *ier)
{
    fmpl_allreduce(buf, size_of(count), *func, *comm, memory_of(work), ier);
}

HAYATE_API void fmpl_barrier_(const int *comm, int *ier)
{
    fmpl_barrier(*comm, ier);
}

/* The others are in fmpl_fortran_collectives.c. */

/* ---- measurement of the parts of a message ---- */

HAYATE_API void fmpl_breakdown_set_(const int *on, int *ier)
{
    fmpl_breakdown_set(*on, ier);
}

HAYATE_API void fmpl_breakdown_get_(double times[6], int64_t *samples, int *ier)
{
    fmpl_breakdown_t found = {0};
    fmpl_breakdown_get(&found, ier);
    const double parts[6] = {found.send_setup, found.send_header, found.send_data,
                             found.recv_setup, found.recv_header, found.recv_data};
    memcpy(times, parts, sizeof parts);
    *samples = (int64_t)found.samples;
}
